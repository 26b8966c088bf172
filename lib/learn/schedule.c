#include "base/names.h"

#include <glnn/train.h>

#include <math.h>

static const char *const schedules[] = {
    [GLNN_SCHEDULE_CONSTANT] = "constant",       [GLNN_SCHEDULE_STEP] = "step",
    [GLNN_SCHEDULE_EXPONENTIAL] = "exponential", [GLNN_SCHEDULE_LINEAR] = "linear",
    [GLNN_SCHEDULE_COSINE] = "cosine",           [GLNN_SCHEDULE_INVERSE] = "inverse",
};

GLNN__DEFINE_NAMES(glnn_schedule_kind, schedules)

/* EXPONENTIAL and INVERSE never reach zero, so they end at this share instead. */
#define DEFAULT_DECAY 0.01

float glnn_schedule_get_rate(const glnn_schedule *schedule, uint64_t step, uint64_t steps,
                             int epoch)
{
    if (!schedule)
        return 0;
    const double r = (double)schedule->rate, q = (double)schedule->final_rate;
    const double t = steps > 0 ? (double)step / (double)steps : 0;
    const double decay = q > 0 ? q / r : DEFAULT_DECAY;
    const double pi = acos(-1);
    switch (schedule->kind) {
    case GLNN_SCHEDULE_STEP: {
        const double factor = schedule->factor != 0 ? (double)schedule->factor : 0.1;
        const int every = schedule->every != 0 ? schedule->every : 10;
        return (float)(r * pow(factor, epoch / every));
    }
    case GLNN_SCHEDULE_EXPONENTIAL:
        return (float)(r * pow(decay, t));
    case GLNN_SCHEDULE_LINEAR:
        return (float)(r + (q - r) * t);
    case GLNN_SCHEDULE_COSINE:
        return (float)(q + (r - q) * (1 + cos(pi * t)) / 2);
    case GLNN_SCHEDULE_INVERSE:
        return (float)(r / (1 + (1 / decay - 1) * t));
    default:
        return schedule->rate;
    }
}
