/** @file
 *  @ingroup glnn_train
 *  @brief Trainers: training step by step, in a loop of the caller's own.
 *
 *  `glnn_L_trainer_create` makes a trainer of a learner, where L is network, lvq, kmeans or gmm
 *  (glnn/train.h). Its arguments are those of `glnn_L_train`, which then runs this loop:
 *
 *      glnn_status status = GLNN_OK;
 *      while (!status && !glnn_trainer_is_finished(trainer)) {
 *          status = glnn_trainer_step(trainer, 0, 0, NULL, NULL);
 *          if (!status)
 *              status = glnn_trainer_end_epoch(trainer);
 *      }
 *
 *  The caller can make any number of steps in a call, and the parameters end with the same bits. A
 *  program that draws frames gives each call a time limit.
 *
 *  Between two calls the caller can use the learner, the data sets, the context and other trainers,
 *  but must not destroy or otherwise train them. It can also set the parameters, for example with
 *  glnn_network_load_parameters(), and the next step continues from there. With k-means and
 *  mixtures this is allowed only between two epochs, because their sums cover an epoch.
 *
 *  A learner has one trainer at a time. When training is over, the learner can have another one.
 *  The old trainer then keeps only its report and its result. */
#ifndef GLNN_TRAINER_H
#define GLNN_TRAINER_H

#include <glnn/train.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** Makes steps of the current epoch, or of the next one if none has begun.
 *
 * The call returns after `steps` steps (0: no limit), after `milliseconds` (0: no limit), or with
 * the last step of the epoch, whichever comes first. It makes at least one step, unless a
 * checkpoint from the end of an epoch was loaded. `done` receives the number of steps.
 * `epoch_ended` becomes true if glnn_trainer_end_epoch() has to follow, because the epoch has no
 * more steps or the report function returned false. Both can be NULL.
 *
 * With a time limit the call waits until the GPU has finished the steps. It returns early if the
 * next step would probably exceed the limit, as estimated from the slower steps so far. A step can
 * still take longer than estimated, and the first one also compiles programs. Without a time limit
 * steps are only submitted.
 *
 * @errors
 *   - GLNN_E_ARG: the trainer is null; `steps` or `milliseconds` is negative or not finite.
 *   - GLNN_E_STATE: training is over; the epoch has to be ended first; the learner was destroyed or
 *     has another trainer; the report function of the trainer makes the call.
 *   - As training: @ref learner_errors "errors of learners". They end the training.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_trainer_step(glnn_trainer *trainer, int steps, double milliseconds,
                                       int *done, bool *epoch_ended);

/** Ends an epoch: waits for its metrics, measures the validation samples and reports
 * GLNN_EVENT_EPOCH.
 *
 * With restore_best it takes a snapshot of the parameters if the epoch is the best so far. Training
 * is over after the last epoch, when the patience is exhausted, when the learner has converged and
 * when the report function returned false. With restore_best the parameters are then those of the
 * best epoch.
 *
 * @errors
 *   - GLNN_E_ARG: the trainer is null.
 *   - GLNN_E_STATE: training is over; the epoch has steps left; the learner was destroyed or has
 *     another trainer; the report function of the trainer makes the call.
 *   - As training: @ref learner_errors "errors of learners". They end the training.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_trainer_end_epoch(glnn_trainer *trainer);

/** True if training is over, also after an error; true for NULL.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API bool glnn_trainer_is_finished(const glnn_trainer *trainer);

/** The latest report, also without a report function; NULL for NULL.
 *
 * @owner  the trainer; each call changes the numbers.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API const glnn_report *glnn_trainer_get_report(const glnn_trainer *trainer);

/** The result so far; NULL for NULL. Its seconds are those spent in calls of the trainer.
 *
 * @owner  the trainer; each call changes the numbers.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API const glnn_train_result *glnn_trainer_get_result(const glnn_trainer *trainer);

/** The plan of the exchange between processes, with the times that were measured so far
 * (glnn/exchange.h). Of a trainer without an exchange, `processes` is 1.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or `out->size` is too small.
 * @thread the context's own. The report function of the trainer can make the call.
 * @since  0.2 */
GLNN_API glnn_status glnn_trainer_get_exchange_plan(const glnn_trainer *trainer,
                                                    glnn_exchange_plan *out);

/** Measures the learner on a data set, as `glnn_L_evaluate` does.
 *
 * @errors
 *   - GLNN_E_ARG: the trainer or the data set is null.
 *   - GLNN_E_STATE: the learner was destroyed or has another trainer; the report function of the
 *     trainer makes the call.
 *   - As `glnn_L_evaluate`: @ref learner_errors "errors of learners".
 * @owner  `metrics` and `confusion` are the caller's and can be NULL.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_trainer_evaluate(glnn_trainer *trainer, const glnn_dataset *data,
                                           glnn_metrics *metrics, int64_t *confusion);

/** Takes a snapshot of the parameters, which replaces the snapshot before. It does not contain the
 * state of an optimizer, the order of samples or the progress of the schedule.
 *
 * @errors
 *   - GLNN_E_ARG: the trainer is null.
 *   - GLNN_E_STATE: restore_best is set, so that the snapshot is that of the best epoch; the
 *     learner was destroyed or has another trainer; the report function of the trainer makes the
 *     call.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_GL: there is no room for the snapshot.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_trainer_snapshot(glnn_trainer *trainer);

/** Sets the parameters to those of the snapshot: the caller's or, with restore_best, that of the
 * best epoch.
 *
 * @errors
 *   - GLNN_E_ARG: the trainer is null.
 *   - GLNN_E_STATE: there is no snapshot; the learner was destroyed or has another trainer; the
 *     report function of the trainer makes the call.
 *   - GLNN_E_GL: OpenGL reported an error.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_trainer_restore(glnn_trainer *trainer);

/** Saves the learner, as `glnn_L_save` does.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or the path is empty.
 *   - GLNN_E_STATE: the learner was destroyed or has another trainer; the report function of the
 *     trainer makes the call.
 *   - As `glnn_L_save`: @ref learner_errors "errors of learners".
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_trainer_save(const glnn_trainer *trainer, const char *path);

/** Saves a @ref checkpoints "checkpoint" of the training, with the optimizer's state and the place
 * in the epoch. A file that exists is renamed to `path` with ".1" appended.
 *
 * The call can be made between any two calls of the trainer. It waits for the GPU and the disk.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or the path is empty.
 *   - GLNN_E_STATE: the learner was destroyed or has another trainer; the report function of the
 *     trainer makes the call.
 *   - GLNN_E_IO: the file cannot be written; a file that existed is unchanged, or has its new name.
 *   - GLNN_E_NOMEM, GLNN_E_GL: main memory or OpenGL failed.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_trainer_save_checkpoint(glnn_trainer *trainer, const char *path);

/** Continues from a @ref checkpoints "checkpoint" of the same training, made by this trainer or by
 * one with the same learner description, data and training description.
 *
 * If the checkpoint was saved after the last step of an epoch, the next glnn_trainer_step() makes
 * no step and sets `epoch_ended`.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or the path is empty. The checkpoint belongs to another
 *     learner, training or data set; the sentence names the first difference.
 *   - GLNN_E_STATE: the learner was destroyed or has another trainer; the report function of the
 *     trainer makes the call.
 *   - GLNN_E_FORMAT, GLNN_E_LIMIT: the file is damaged or not a checkpoint.
 *   - GLNN_E_IO: the file cannot be read.
 *   - GLNN_E_NOMEM, GLNN_E_GL: main memory or OpenGL failed. After all other errors the training is
 *     unchanged.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_trainer_load_checkpoint(glnn_trainer *trainer, const char *path);

/** Destroys a trainer. The learner keeps its present parameters.
 *
 * NULL is ignored, and so is a call from the trainer's own report function. The data sets must
 * still exist.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API void glnn_trainer_destroy(glnn_trainer *trainer);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
