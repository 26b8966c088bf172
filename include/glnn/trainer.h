/* glnn/trainer.h - training step by step, by a loop of the program's own
 *
 * A trainer is made by the learner's own function, glnn_network_trainer_create for instance, from
 * the same arguments as glnn_network_train, which is this loop:
 *
 *     glnn_status status = GLNN_OK;
 *     while (!status && !glnn_trainer_is_finished(trainer)) {
 *         status = glnn_trainer_step(trainer, 0, 0, NULL, NULL);
 *         if (!status)
 *             status = glnn_trainer_end_epoch(trainer);
 *     }
 *
 * The program may make as few steps at a time as it likes: order, schedule and metrics go on from
 * call to call, and the learner ends with the same bits. Between two calls it may use the learner,
 * its data sets, the context and other trainers as it likes, but neither destroy what is trained on
 * nor train the learner otherwise. Each call restores the state of an adopted context.
 *
 * It may also set what is learnt, with glnn_network_load_parameters or glnn_kmeans_initialise for
 * instance, and the next step goes on from there. With k-means and mixtures it may do so only
 * between two epochs, because an epoch under way has sums over its first samples.
 *
 * Once training is over, the learner may be trained anew. A finished trainer whose learner was
 * trained again has nothing left but its report and its result. */
#ifndef GLNN_TRAINER_H
#define GLNN_TRAINER_H

#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes steps of the epoch under way, or of the next one. A step is one update, by a batch or by
 * desc.accumulate batches.
 *
 * Ends     after `steps` of them (0: any number), once `milliseconds` have passed (0: any time), or
 *          with the last step of the epoch, whichever comes first, but not before one step is done.
 *          *done is the number of steps; *epoch_ended says that glnn_trainer_end_epoch comes next,
 *          because all steps of the epoch are done or because the report function returned false.
 * Time     with a limit, the call waits until the GPU has done the steps and everything submitted
 *          before them. It expects a step to take as long as the slower ones of those before it,
 *          and returns if the next one would end after the limit. On a busy machine a step can take
 *          longer than expected. The first step also compiles programs, which may take longer than
 *          the limit. Without a limit, steps are only submitted, and nothing waits.
 * Reports  desc.report receives GLNN_EVENT_BATCH as in training.
 * Errors   E_ARG       a null trainer, steps or milliseconds negative or not finite
 *          E_STATE     training is over, the epoch has to be ended first, the learner was
 *                      destroyed or has another trainer, or the call comes from the trainer's own
 *                      report function
 *          E_DIVERGED and all others  as training; they end the training, with restore_best by
 *                      going back to the best epoch
 * Owner    `done` and `epoch_ended` are the caller's; each may be NULL.
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_trainer_step(glnn_trainer *trainer, int steps, double milliseconds,
                                       int *done, bool *epoch_ended);

/* Ends an epoch: waits for its metrics, validates, takes a snapshot of what is learnt if it is the
 * best so far and desc.restore_best is set, and reports GLNN_EVENT_EPOCH. After the last epoch, for
 * want of patience, when the learner has converged and when a report function returned false,
 * training is over; with restore_best, what is learnt then is that of the best epoch.
 * Errors: E_ARG a null trainer; E_STATE as glnn_trainer_step, or batches of the epoch are left;
 * E_DIVERGED the loss, or an element of what is learnt, is not finite, or the last steps went so
 * far that the loss no longer is; this and all others as training, which they end.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_trainer_end_epoch(glnn_trainer *trainer);

/* True once training is over, also by an error; true for NULL.
 * Thread: the context's own. Since 0.1 */
GLNN_API bool glnn_trainer_is_finished(const glnn_trainer *trainer);

/* The latest metrics. Those of batches arrive without a wait, so they cover a few batches less than
 * were done and are as old as desc.report_every says. NULL for NULL.
 * Owner: the trainer; the numbers change with each call. Thread: the context's own. Since 0.1 */
GLNN_API const glnn_report *glnn_trainer_get_report(const glnn_trainer *trainer);

/* The result so far; its seconds are those spent in calls of the trainer. NULL for NULL.
 * Owner: the trainer; the numbers change with each call. Thread: the context's own. Since 0.1 */
GLNN_API const glnn_train_result *glnn_trainer_get_result(const glnn_trainer *trainer);

/* Measures the learner on a data set without changing it or the training: *metrics as in
 * glnn/train.h, confusion[label * classes + class found] counts samples.
 * Errors: as the learner's own function that evaluates; E_ARG a null trainer or data set; E_STATE
 * the learner was destroyed or has another trainer. Owner: metrics and confusion (classes x
 * classes) are the caller's; each may be NULL. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_trainer_evaluate(glnn_trainer *trainer, const glnn_dataset *data,
                                           glnn_metrics *metrics, int64_t *confusion);

/* Takes a snapshot of what is learnt, in place of the one before. It has neither the state of an
 * optimizer nor the order of samples nor the schedule.
 * Errors: E_ARG a null trainer; E_STATE desc.restore_best is set, which does this for the best
 * epoch, or the learner was destroyed or has another trainer; E_LIMIT, E_NOMEM, E_GL.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_trainer_snapshot(glnn_trainer *trainer);

/* Restores the snapshot, the program's or that of the best epoch.
 * Errors: E_ARG a null trainer; E_STATE there is no snapshot, or the learner was destroyed or has
 * another trainer; E_GL.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_trainer_restore(glnn_trainer *trainer);

/* Saves the learner as its own function does.
 * Errors: those of that function; E_ARG a null trainer or path; E_STATE the learner was destroyed
 * or has another trainer.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_trainer_save(const glnn_trainer *trainer, const char *path);

/* Destroys a trainer, at any time but within its own report function, where this does nothing; the
 * learner stays as the latest step left it. A trainer outlives
 * neither its data sets nor its context; of a learner destroyed before, nothing is left but to
 * destroy the trainer. NULL does nothing. Thread: the context's own. Since 0.1 */
GLNN_API void glnn_trainer_destroy(glnn_trainer *trainer);

#ifdef __cplusplus
}
#endif
#endif
