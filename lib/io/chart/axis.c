#include "io/chart/axis.h"

#include <math.h>

/* The least step of 1, 2 or 5 times a power of ten that is not less than `step`. */
static double round_step(double step)
{
    const double power = pow(10, floor(log10(step)));
    const double digits = step / power;
    return power * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
}

static void add_tick(glnn__axis *axis, double value)
{
    const double slack = 1e-9 * (axis->high - axis->low);
    if (axis->tick_count < GLNN__MAX_TICKS && value >= axis->low - slack &&
        value <= axis->high + slack)
        axis->ticks[axis->tick_count++] = value;
}

static void add_steps(glnn__axis *axis, double step)
{
    const double first = ceil(axis->low / step - 1e-9), last = floor(axis->high / step + 1e-9);
    for (double i = first; i <= last; ++i)
        add_tick(axis, i * step + 0.0); /* not -0 */
}

glnn__axis glnn__axis_whole(double low, double high, int most)
{
    glnn__axis axis = {.low = low, .high = high};
    add_steps(&axis, fmax(round_step((high - low) / most), 1));
    return axis;
}

/* Powers of ten; between them 2 and 5 if there are few. */
static void add_powers(glnn__axis *axis, int wanted)
{
    const int first = (int)floor(log10(axis->low)), last = (int)ceil(log10(axis->high));
    const int step = (last - first) / wanted + 1;
    const bool has_fifths = 3 * (last - first) <= 2 * wanted;
    for (int exponent = first; exponent <= last; exponent += step) {
        const double power = pow(10, exponent);
        add_tick(axis, power);
        if (has_fifths) {
            add_tick(axis, 2 * power);
            add_tick(axis, 5 * power);
        }
    }
}

static glnn__axis log_axis(double least, double greatest, int wanted)
{
    const double room = fmax(pow(greatest / least, 0.05), 1.05);
    glnn__axis axis = {.low = least / room, .high = greatest * room, .is_log = true};
    add_powers(&axis, wanted);
    if (axis.tick_count < 3) {
        axis.tick_count = 0;
        add_steps(&axis, round_step((axis.high - axis.low) / wanted));
    }
    return axis;
}

glnn__axis glnn__axis_values(double least, double greatest, bool is_log, int wanted)
{
    if (is_log)
        return log_axis(least, greatest, wanted);
    const double span = least >= 0 ? greatest : greatest - least;
    const double room = span > 0 ? 0.05 * span : 0.5 * fmax(fabs(greatest), 1);
    glnn__axis axis = {.low = least >= 0 ? 0 : least - room, .high = greatest + room};
    add_steps(&axis, round_step((axis.high - axis.low) / wanted));
    return axis;
}

double glnn__axis_place(const glnn__axis *axis, double value)
{
    if (axis->is_log)
        return log(value / axis->low) / log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}
