#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x = the features of a number. Returns 0 if the text is not a finite number with this decimal
 * mark, which then counts as missing. */
static int number_field(const char *text, int has_comma, float fill, int has_indicator, float *x)
{
    char room[CLEAN_ROOM];
    const char *number = clean_text(text, has_comma, room);
    float value = NAN;
    int is_read = 1;
    if (!is_missing(number, NUMBER_FIELD)) {
        char *end;
        value = strtof(number, &end);
        is_read = !number[strspn(number, "0123456789+-.eE")] && end != number && !*end &&
                  isfinite(value) && !(has_comma && strchr(text, '.'));
    }
    encode_number(is_read ? value : NAN, fill, has_indicator, x);
    return is_read;
}
