/* A number of `least` to `most` digits, after which *text is moved; -1: there is none. */
static int read_digits(const char **text, int least, int most)
{
    int count = 0, value = 0;
    for (; count < most && **text >= '0' && **text <= '9'; ++count)
        value = 10 * value + (*(*text)++ - '0');
    return count < least ? -1 : value;
}

/* Reads the time of a day, and an offset from UTC if there is one: 23:59:59.5+02:00. */
static int find_time(const char *text, double *days)
{
    const int hour = read_digits(&text, 1, 2);
    const int has_minute = *text == ':';
    text += has_minute;
    const int minute = has_minute ? read_digits(&text, 2, 2) : -1;
    double seconds = 0, unit = 1;
    int offset_hour = 0, offset_minute = 0, sign = 0;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59)
        return 0;
    if (*text == ':') {
        ++text;
        const int second = read_digits(&text, 2, 2);
        if (second < 0 || second > 59)
            return 0;
        seconds = second;
        if (*text == '.' && text[1] >= '0' && text[1] <= '9')
            for (++text; *text >= '0' && *text <= '9'; ++text)
                seconds += (unit /= 10) * (*text - '0');
    }
    if (*text == 'Z') {
        ++text;
    } else if (*text == '+' || *text == '-') {
        sign = *text++ == '+' ? 1 : -1;
        offset_hour = read_digits(&text, 2, 2);
        text += *text == ':';
        offset_minute = *text ? read_digits(&text, 2, 2) : 0;
    }
    *days = (hour - sign * offset_hour + (minute - sign * offset_minute + seconds / 60) / 60) / 24;
    return *text == 0 && offset_hour >= 0 && offset_hour < 24 && offset_minute >= 0 &&
           offset_minute < 60;
}

/* Reads a date, and a time if there is one, as days from 2000-01-01 on. `order` is 0 for year,
 * month, day; 1 for day, month, year; 2 for month, day, year. */
static int find_days(const char *text, int order, double *days)
{
    static const int places[3][3] = {{0, 1, 2}, {2, 1, 0}, {2, 0, 1}};
    int part[3];
    double time = 0;
    part[0] = read_digits(&text, order == 0 ? 4 : 1, order == 0 ? 4 : 2);
    const char between = *text;
    if (between != '-' && between != '/' && (between != '.' || order == 2))
        return 0;
    ++text;
    part[1] = read_digits(&text, 1, 2);
    if (*text != between)
        return 0;
    ++text;
    part[2] = read_digits(&text, order == 0 ? 1 : 4, order == 0 ? 2 : 4);
    const int year = part[places[order][0]], month = part[places[order][1]];
    const int day = part[places[order][2]];
    if (year < 1 || month < 1 || month > 12 || day < 1 ||
        day > days_before(month < 12 ? year : year + 1, month < 12 ? month + 1 : 1) -
                  days_before(year, month))
        return 0;
    if (*text && ((*text != ' ' && *text != 'T') || !find_time(text + 1, &time)))
        return 0;
    *days = (double)(days_before(year, month) + day - 1) + time;
    return 1;
}
