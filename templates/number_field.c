#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x = the features of a number. Returns 0 if the text is not a finite decimal number, which then
 * counts as missing. */
static int number_field(const char *text, float fill, int has_indicator, float *x)
{
    float value = NAN;
    int is_read = 1;
    if (!is_missing(text)) {
        char *end;
        value = strtof(text, &end);
        is_read = !text[strspn(text, "0123456789+-.eE")] && end != text && !*end && isfinite(value);
    }
    encode_number(is_read ? value : NAN, fill, has_indicator, x);
    return is_read;
}
