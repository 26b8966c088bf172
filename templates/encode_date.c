#include <math.h>

/* x = sine and cosine of a part of a turn. */
static void find_cycle(double turns, float *x)
{
    const double angle = 6.283185307179586 * (turns - floor(turns));
    x[0] = (float)sin(angle);
    x[1] = (float)cos(angle);
}

/* x = a date, or fill if it is missing: days, the cycles of year and week, and with `has_time` that
 * of the day, or the days alone; then whether it is missing. */
static void encode_date(float value, float fill, int has_parts, int has_time, int has_indicator,
                        float *x)
{
    const int is_missing = value != value;
    const double days = is_missing ? fill : value;
    int count = 1;
    x[0] = (float)days;
    if (has_parts) {
        int year = 2000 + (int)floor(days / 365.2425);
        year += (double)days_before(year + 1, 1) <= days;
        year -= (double)days_before(year, 1) > days;
        const double start = (double)days_before(year, 1);
        find_cycle((days - start) / (is_leap_year(year) ? 366 : 365), x + 1);
        find_cycle((days + 5) / 7, x + 3);
        count = 5;
    }
    if (has_parts && has_time) {
        find_cycle(days, x + count);
        count += 2;
    }
    if (has_indicator)
        x[count] = (float)is_missing;
}
