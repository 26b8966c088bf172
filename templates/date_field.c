#include <math.h>

/* x = the features of a date. Returns 0 if the text is not a date in this order; it then counts as
 * missing. */
static int date_field(const char *text, int order, float fill, int has_parts, int has_time,
                      int has_indicator, float *x)
{
    char room[CLEAN_ROOM];
    const char *date = clean_text(text, 0, room);
    double days = 0;
    const int misses = is_missing(date, NUMBER_FIELD);
    const int is_read = misses || find_days(date, order, &days);
    encode_date(misses || !is_read ? NAN : (float)days, fill, has_parts, has_time, has_indicator,
                x);
    return is_read;
}
