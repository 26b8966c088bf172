/* Using the learner of a trainer between two steps, and saving the training. */
#include "base/status.h"
#include "learner/learner_file.h"
#include "learner/snapshot.h"
#include "train/checkpoint.h"

#include <glnn/trainer.h>

#include <math.h>

/* ---- The learner */

glnn_status glnn_trainer_evaluate(glnn_trainer *t, const glnn_dataset *data, glnn_metrics *metrics,
                                  int64_t *confusion)
{
    GLNN__TRY(glnn__trainer_check(t, __func__));
    GLNN__NOT_NULL(data);
    return glnn__evaluate(t->learner, __func__, data, metrics, confusion);
}

glnn_status glnn_trainer_snapshot(glnn_trainer *t)
{
    GLNN__TRY(glnn__trainer_check(t, __func__));
    if (t->desc.restore_best)
        return glnn__fail(GLNN_E_STATE,
                          "%s: with restore_best the snapshot is that of the best epoch", __func__);
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    const glnn_status status = glnn__snapshot_take(t->learner);
    t->has_snapshot = t->has_snapshot || !status;
    return glnn__trainer_leave(t, status);
}

glnn_status glnn_trainer_restore(glnn_trainer *t)
{
    GLNN__TRY(glnn__trainer_check(t, __func__));
    if (!t->has_snapshot)
        return glnn__fail(GLNN_E_STATE, "%s: there is no snapshot", __func__);
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    return glnn__trainer_leave(t, glnn__snapshot_restore(t->learner));
}

static glnn_status check_path(const glnn_trainer *t, const char *what, const char *path)
{
    GLNN__TRY(glnn__trainer_check(t, what));
    if (!path)
        return glnn__fail_null(what, "path");
    return *path ? GLNN_OK : glnn__fail(GLNN_E_ARG, "%s: the path is empty", what);
}

glnn_status glnn_trainer_save(const glnn_trainer *t, const char *path)
{
    GLNN__TRY(check_path(t, __func__, path));
    return glnn__fail_in(__func__, glnn__file_save(t->learner, path));
}

/* ---- The learning rate */

glnn_status glnn_trainer_set_learning_rate(glnn_trainer *t, float rate)
{
    GLNN__TRY(glnn__trainer_check(t, __func__));
    if (!(rate > 0) || !isfinite(rate))
        return glnn__fail(GLNN_E_ARG, "%s: a rate of %g; it has to be finite and above 0", __func__,
                          (double)rate);
    GLNN__TRY(glnn__fail_in(__func__, glnn__train_desc_check_rate(rate, t->learner)));
    t->rate = rate;
    return GLNN_OK;
}

/* ---- Checkpoints */

glnn_status glnn_trainer_save_checkpoint(glnn_trainer *t, const char *path)
{
    GLNN__TRY(check_path(t, __func__, path));
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    /* A checkpoint is made before the end of an epoch begins, or after it is complete. */
    glnn_status status = GLNN_OK;
    if (t->phase == GLNN__PHASE_EPOCH_END && t->ending.next > GLNN__ENDING_LEARNER)
        status = glnn__epoch_end(t);
    return glnn__trainer_leave(t, status ? status : glnn__checkpoint_save(t, path));
}

glnn_status glnn_trainer_load_checkpoint(glnn_trainer *t, const char *path)
{
    GLNN__TRY(check_path(t, __func__, path));
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    return glnn__trainer_leave(t, glnn__checkpoint_load(t, path));
}
