static int is_leap_year(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The days from the start of 2000 to that of a month, from 1. */
static long days_before(int year, int month)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    const long years = year - 1L, leap_years = years / 4 - years / 100 + years / 400;
    return 365 * (years - 1999) + leap_years - 484 + before[month - 1] +
           (month > 2 && is_leap_year(year));
}
