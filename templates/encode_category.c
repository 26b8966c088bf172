/* x = the category with a number, -1 if it is not among the kept ones, or -2 if it is missing: a
 * feature for each, or the number itself; then whether it is missing. */
static void encode_category(const struct category *of, int number, float *x)
{
    const int is_missing = number == -2;
    const int count = of->is_one_hot ? of->kept + of->has_other + of->has_missing : 1;
    int place = number;
    if (number == -1)
        place = of->has_other || !of->is_one_hot ? of->kept : -1;
    else if (is_missing && of->has_missing)
        place = of->kept + (of->has_other || !of->is_one_hot);
    else if (is_missing)
        place = of->has_indicator && of->is_one_hot ? -1 : of->fill;
    for (int i = 0; i < count; ++i)
        x[i] = of->is_one_hot ? (float)(i == place) : (float)place;
    if (of->has_indicator)
        x[count] = (float)is_missing;
}
