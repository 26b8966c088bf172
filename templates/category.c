/* Categories of a column. */
struct category {
    int kept, has_other, has_missing, has_indicator, is_one_hot;
    int fill; /* the number in the place of a missing one */
};
