#include <string.h>

/* Columns differ in the words that mean a missing value: those of labels have the fewest, and those
 * of numbers and dates have all. */
enum { LABEL_FIELD, CATEGORY_FIELD, NUMBER_FIELD };

/* A field is empty, or is a word for a missing value in such a column. */
static int is_missing(const char *text, int column)
{
    static const struct {
        const char *text;
        int column;
    } words[] = {
        {"?", LABEL_FIELD},          {"NA", LABEL_FIELD},          {"N/A", CATEGORY_FIELD},
        {"n/a", CATEGORY_FIELD},     {"#N/A", CATEGORY_FIELD},     {"#N/A N/A", CATEGORY_FIELD},
        {"#NA", CATEGORY_FIELD},     {"<NA>", CATEGORY_FIELD},     {"NULL", CATEGORY_FIELD},
        {"null", CATEGORY_FIELD},    {"None", CATEGORY_FIELD},     {"-NaN", CATEGORY_FIELD},
        {"-nan", CATEGORY_FIELD},    {"1.#IND", CATEGORY_FIELD},   {"1.#QNAN", CATEGORY_FIELD},
        {"-1.#IND", CATEGORY_FIELD}, {"-1.#QNAN", CATEGORY_FIELD}, {"-", NUMBER_FIELD},
        {"--", NUMBER_FIELD}};
    int found = !text || !*text ||
                ((text[0] == 'n' || text[0] == 'N') && (text[1] == 'a' || text[1] == 'A') &&
                 (text[2] == 'n' || text[2] == 'N') && !text[3]);
    if (found || !strchr("?#<-1Nn", text[0]))
        return found;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        found = found || (words[i].column <= column && strcmp(text, words[i].text) == 0);
    return found;
}
