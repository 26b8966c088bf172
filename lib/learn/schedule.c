#include "learn/train/training.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>

static const char *const schedules[] = {
    [GLNN_SCHEDULE_CONSTANT] = "constant",       [GLNN_SCHEDULE_STEP] = "step",
    [GLNN_SCHEDULE_EXPONENTIAL] = "exponential", [GLNN_SCHEDULE_LINEAR] = "linear",
    [GLNN_SCHEDULE_COSINE] = "cosine",           [GLNN_SCHEDULE_INVERSE] = "inverse",
};

GLNN__DEFINE_NAMES(glnn_schedule_kind, schedules)

GLNN__DECLARE_NAMES(glnn_schedule_kind)

#define DEFAULT_FACTOR 0.1
#define DEFAULT_EVERY  10

#define AT(member) offsetof(glnn_schedule, member)

static const glnn__field fields[] = {
    GLNN__ROW(CHOICE, kind, GLNN__IN_CHECKPOINTS, .key = "schedule",
              .names = &glnn__names_of_glnn_schedule_kind),
    GLNN__ROW(FLOAT, rate, GLNN__IN_CHECKPOINTS, .above = true, .zero = "that of the learner"),
    GLNN__ROW(FLOAT, final_rate, GLNN__IN_CHECKPOINTS,
              .zero = "0, or a hundredth of the rate with exponential and inverse"),
    GLNN__ROW(FLOAT, factor, GLNN__IN_CHECKPOINTS, .standard = DEFAULT_FACTOR, .stays = true,
              .above = true),
    GLNN__ROW(INT, every, GLNN__IN_CHECKPOINTS, .standard = DEFAULT_EVERY, .stays = true,
              .least = 1),
};

const glnn__fields glnn__schedule_fields = GLNN__DESCRIPTION(glnn_schedule, fields);

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
        const double factor = schedule->factor != 0 ? (double)schedule->factor : DEFAULT_FACTOR;
        const int every = schedule->every != 0 ? schedule->every : DEFAULT_EVERY;
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

#undef AT
#define AT(member) offsetof(glnn_batch_schedule, member)

static const glnn__field batch_fields[] = {
    GLNN__ROW(FLOAT, factor, GLNN__IN_CHECKPOINTS, .key = "batch_schedule.factor", .zero = "none",
              .least = 1, .above = true),
    GLNN__ROW(INT, every, GLNN__IN_CHECKPOINTS, .key = "batch_schedule.every",
              .standard = DEFAULT_EVERY, .stays = true, .least = 1),
    GLNN__ROW(INT, most, GLNN__IN_CHECKPOINTS, .key = "batch_schedule.most", .zero = "all samples",
              .least = 1),
};

const glnn__fields glnn__batch_schedule_fields =
    GLNN__DESCRIPTION(glnn_batch_schedule, batch_fields);

int glnn_batch_schedule_get_batch(const glnn_batch_schedule *schedule, int batch, int epoch)
{
    if (!schedule || schedule->factor == 0)
        return batch;
    const int every = schedule->every != 0 ? schedule->every : DEFAULT_EVERY;
    const double most = schedule->most != 0 ? schedule->most : INT_MAX;
    const double grown = batch * pow((double)schedule->factor, epoch / every);
    return (int)fmax(fmin(grown, most), batch);
}
