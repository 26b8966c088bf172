/* x = the features of a category. One that the table had in quotes may have blanks around it.
 * Returns 1 if the category is not known, else 0. */
static int category_field(const char *text, int has_comma, const struct category *of,
                          const char *const *names, float *x)
{
    char room[CLEAN_ROOM];
    const char *cleaned = clean_text(text, has_comma, room);
    int found = text ? find_category(text, names, of->kept) : -1;
    if (found < 0)
        found = is_missing(cleaned, CATEGORY_FIELD) ? -2 : find_category(cleaned, names, of->kept);
    encode_category(of, found, x);
    return found == -1;
}
