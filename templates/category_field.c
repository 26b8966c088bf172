/* x = the features of a category. */
static void category_field(const char *text, const struct category *of, const char *const *names,
                           float *x)
{
    encode_category(of, is_missing(text) ? -2 : find_category(text, names, of->kept), x);
}
