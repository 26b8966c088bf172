#include "watch.h"

#include "common/failure.h"
#include "common/show.h"

const option_choice schedule_choices[] = {{"constant", GLNN_SCHEDULE_CONSTANT},
                                          {"step", GLNN_SCHEDULE_STEP},
                                          {"exponential", GLNN_SCHEDULE_EXPONENTIAL},
                                          {"linear", GLNN_SCHEDULE_LINEAR},
                                          {"cosine", GLNN_SCHEDULE_COSINE},
                                          {"inverse", GLNN_SCHEDULE_INVERSE},
                                          {0}};

void watch_start(watch *state, const char *measured, bool has_classes)
{
    state->measured = measured;
    state->has_classes = has_classes;
    progress_start(&state->line, stdout);
    interrupt_watch();
}

bool watch_report(void *user, const glnn_report *now)
{
    watch *state = user;
    if (now->event == GLNN_EVENT_BATCH) {
        double done = (now->epoch - 1 + (double)now->batch / now->batches) / now->epochs;
        char right[32] = "", loss[LOSS_TEXT];
        if (state->has_classes)
            snprintf(right, sizeof right, "  %.2f %%", 100.0 * now->training.accuracy);
        progress_show(&state->line, done, "epoch %d/%d  loss %s%s  %.0f samples/s", now->epoch,
                      now->epochs, loss_text(now->training.loss, loss), right,
                      now->samples_per_second);
        return !interrupted();
    }
    progress_clear(&state->line);
    show_epoch(now, state->measured, state->has_classes);
    REQUIRE(plot_curve_add(&state->curve, now));
    return !interrupted();
}

int watch_interval(int batch)
{
    return 1 + 1024 / batch;
}
