/** @file
 *  @ingroup glnn_train
 *  @brief Training step by step, in a loop of the program.
 *
 * Each learner has a function that creates a trainer, for example glnn_network_trainer_create. It
 * has the arguments of glnn_network_train, which is this loop:
 *
 *     glnn_status status = GLNN_OK;
 *     while (!status && !glnn_trainer_is_finished(trainer)) {
 *         status = glnn_trainer_step(trainer, 0, 0, NULL, NULL);
 *         if (!status)
 *             status = glnn_trainer_end_epoch(trainer);
 *     }
 *
 * ### Between two calls
 *
 * The program chooses how many steps a call makes. This does not change the result: the order of
 * samples, the schedule and the metrics continue from call to call, and the learner ends with the
 * same bits. Each call restores the state of an adopted context.
 *
 * Between two calls the program may use the learner, its data sets, the context and other trainers.
 * It must not train the learner by other means, and must not destroy the data sets.
 *
 * The program may also change the parameters, for example by glnn_network_load_parameters or
 * glnn_kmeans_initialise, and the next step continues from there. For k-means and mixtures this is
 * possible only between two epochs, because during an epoch they hold sums over its samples.
 *
 * ### After training
 *
 * When training is over, the learner can be trained again. The finished trainer then still has its
 * report and its result. */
#ifndef GLNN_TRAINER_H
#define GLNN_TRAINER_H

#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** Makes steps of the current epoch, or begins the next one.
 *
 * A step changes the parameters once, by one batch or by `accumulate` batches (::glnn_train_desc).
 * The call makes at least one step. It returns when the number of steps, the time or the epoch is
 * used up.
 *
 * With a time limit the call waits until the GPU has done the steps and all work before them. It
 * expects the next step to take as long as the slower ones before it, and returns if that step
 * would end too late. The first step also compiles programs, and a busy machine can delay any step,
 * so the limit can be exceeded. Without a time limit the call submits steps and does not wait.
 *
 * @param steps        the greatest number of steps; 0: no limit
 * @param milliseconds the greatest time; 0: no limit
 * @param done         receives the number of steps; may be NULL
 * @param epoch_ended  receives whether glnn_trainer_end_epoch comes next: all steps of the epoch
 *                     are done, or the report function returned false; may be NULL
 *
 * @reports GLNN_EVENT_BATCH, as in training.
 * @errors
 *   - GLNN_E_ARG: `trainer` is null; `steps` or `milliseconds` is negative or not finite.
 *   - GLNN_E_STATE: training is over; the epoch must be ended first; the learner was destroyed or
 *     has another trainer; the report function of this trainer makes the call.
 *   - GLNN_E_DIVERGED and others: as training. They end the training. With restore_best the learner
 *     then has the parameters of the best epoch.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_trainer_step(glnn_trainer *trainer, int steps, double milliseconds,
                                       int *done, bool *epoch_ended);

/** Ends an epoch.
 *
 * The call waits for the metrics of the epoch, measures the validation samples, and takes a
 * snapshot if restore_best is set and the epoch is the best so far.
 *
 * Training is over after the last epoch, when patience runs out, when the learner has converged,
 * and when the report function returned false. With restore_best the learner then has the
 * parameters of the best epoch.
 *
 * @reports GLNN_EVENT_EPOCH.
 * @errors
 *   - GLNN_E_ARG: `trainer` is null.
 *   - GLNN_E_STATE: as glnn_trainer_step; batches of the epoch are left.
 *   - GLNN_E_DIVERGED: the loss or a parameter is not finite, also after the last steps of the
 *     epoch. It ends the training.
 *   - Others: as training. They end it.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_trainer_end_epoch(glnn_trainer *trainer);

/** Whether training is over, also by an error; true for NULL.
 *
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API bool glnn_trainer_is_finished(const glnn_trainer *trainer);

/** The latest report; NULL for NULL.
 *
 * Metrics of batches arrive without a wait, so they cover a few batches less than were done. They
 * are renewed as often as `report_every` says.
 *
 * @owner   the trainer. Each call changes the numbers.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API const glnn_report *glnn_trainer_get_report(const glnn_trainer *trainer);

/** The result so far; NULL for NULL. Its seconds are those in calls of the trainer.
 *
 * @owner   the trainer. Each call changes the numbers.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API const glnn_train_result *glnn_trainer_get_result(const glnn_trainer *trainer);

/** Measures the learner on a data set. The learner and the training do not change.
 *
 * @param metrics   receives the metrics; may be NULL
 * @param confusion classes x classes counts of samples; element label * classes + class found. May
 *                  be NULL
 *
 * @errors
 *   - GLNN_E_ARG: `trainer` or `data` is null.
 *   - GLNN_E_STATE: the learner was destroyed or has another trainer.
 *   - Others: as the learner's own function that evaluates.
 * @owner   `metrics` and `confusion` are the caller's.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_trainer_evaluate(glnn_trainer *trainer, const glnn_dataset *data,
                                           glnn_metrics *metrics, int64_t *confusion);

/** Takes a snapshot of the parameters, which replaces the one before.
 *
 * The state of the optimizer, the order of samples and the schedule are not part of it.
 *
 * @errors
 *   - GLNN_E_ARG: `trainer` is null.
 *   - GLNN_E_STATE: restore_best is set, which takes snapshots by itself; the learner was destroyed
 *     or has another trainer.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_GL: as for all operations.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_trainer_snapshot(glnn_trainer *trainer);

/** Restores the snapshot, or the parameters of the best epoch if restore_best is set.
 *
 * @errors
 *   - GLNN_E_ARG: `trainer` is null.
 *   - GLNN_E_STATE: there is no snapshot; the learner was destroyed or has another trainer.
 *   - GLNN_E_GL: as for all operations.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_trainer_restore(glnn_trainer *trainer);

/** Saves the learner, as its own function does.
 *
 * @errors
 *   - GLNN_E_ARG: `trainer` or `path` is null.
 *   - GLNN_E_STATE: the learner was destroyed or has another trainer.
 *   - Others: as the learner's own function that saves.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_trainer_save(const glnn_trainer *trainer, const char *path);

/** Destroys a trainer. NULL does nothing.
 *
 * The learner stays as the latest step left it. The trainer can be destroyed at any time, also
 * after its learner or its context, but not in its own report function, where the call does
 * nothing.
 *
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API void glnn_trainer_destroy(glnn_trainer *trainer);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
