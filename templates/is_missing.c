#include <string.h>

/* A field is empty, or is a word for a missing value. */
static int is_missing(const char *text)
{
    return !text || !*text || strcmp(text, "?") == 0 || strcmp(text, "NA") == 0 ||
           ((text[0] == 'n' || text[0] == 'N') && (text[1] == 'a' || text[1] == 'A') &&
            (text[2] == 'n' || text[2] == 'N') && !text[3]);
}
