#include "train/training.h"

#include "base/clock.h"

double glnn__steps_seconds(const glnn_trainer *t)
{
    const double under_way = t->stepping > 0 ? glnn__clock_seconds() - t->stepping : 0;
    return t->epoch_seconds + under_way;
}
