/** @file
 *  @ingroup glnn_train
 *  @brief Trainers: training step by step, in a loop of the caller's own.
 *
 *  glnn_trainer_create() makes a trainer of a learner. Its arguments are those of
 *  glnn_learner_train(), which then runs this loop:
 *
 *      glnn_status status = GLNN_OK;
 *      while (!status && !glnn_trainer_is_finished(trainer)) {
 *          status = glnn_trainer_step(trainer, 0, 0, NULL, NULL);
 *          if (!status)
 *              status = glnn_trainer_end_epoch(trainer);
 *      }
 *
 *  The caller can make any number of steps in a call, and the parameters end with the same bits.
 *
 *  ### Training within frames
 *
 *  A program that draws frames gives each call a time limit, and makes one call in each frame:
 *
 *      if (!glnn_trainer_is_finished(trainer))
 *          status = glnn_trainer_step(trainer, 0, 4, NULL, NULL);
 *
 *  These calls wait for nothing, and they also end the epochs: with metrics that are read when they
 *  have arrived, and with validation samples that are measured over several frames. The end of an
 *  epoch takes at least two frames. The report function and glnn_trainer_get_result() tell of it.
 *  Between the last step of an epoch and its report, the caller must not set the parameters.
 *
 *  Some parts of a training are not divided, and can take longer than the limit: a checkpoint,
 *  which waits for the GPU and the disk; the next window of a data set that streams; the report
 *  function itself. K-means, mixtures and some kinds of LVQ also read back numbers at the end of an
 *  epoch.
 *
 *  Between two calls the caller can use the learner, the data sets, the context and other trainers.
 *  It can also set the parameters, for example with glnn_learner_load_parameters(), and the next
 *  step continues from there. With k-means and mixtures this is allowed only between two epochs,
 *  because their sums cover an epoch.
 *
 *  ### Destroying what a trainer uses
 *
 *  A trainer shares its data sets and its learning curve with the caller, who can destroy them at
 *  any time. They are freed when the trainer is destroyed too. Until then a data set that streams
 *  reads the caller's arrays or its file. If the caller destroys the learner or the context, later
 *  calls of the trainer fail with GLNN_E_STATE, but for those that return its report, result or
 *  plan.
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

/** Creates a trainer of a learner. It copies `desc`, which can be NULL.
 *
 * @errors @ref learner_errors "as all learners".
 * @owner  the caller, who passes it to glnn_trainer_destroy().
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_trainer_create(glnn_learner *learner, const glnn_dataset *data,
                                         const glnn_train_desc *desc, glnn_trainer **out);

/** Makes steps of the current epoch, or of the next one if none has begun.
 *
 * The call returns after `steps` steps (0: no limit), with the last step of the epoch (without a
 * time limit), or when the next step is expected to exceed `milliseconds` (0: no limit), whichever
 * comes first. `done` receives the number of steps. `epoch_ended` becomes true if the epoch has no
 * more steps, or if the report function returned false, and the epoch has not been ended. Both can
 * be NULL.
 *
 * Without a time limit the call makes at least one step, unless a checkpoint from the end of an
 * epoch was loaded. If `epoch_ended` is true, glnn_trainer_end_epoch() has to follow. Steps are
 * only submitted.
 *
 * With a time limit the call also only submits, and never waits for the GPU. The limit applies to
 * the longer one of two times: until the call returns, and until the GPU has finished the work of
 * the call. The library measures both by the clock of the GPU and reads them when they have
 * arrived, so that it knows them of former calls. It chooses the number of steps from the times of
 * the latest 32 calls, so that half of the calls stay within the limit and 19 of 20 within 1.2
 * times the limit. In particular:
 *   - The first call makes one step, and later ones at most twice as many as any call before.
 *   - If a step takes longer than the limit, a call makes one step. A step is not divided, because
 *     its passes write to matrices that the caller may use between two calls.
 *   - A call makes no step, and `done` is 0, if the GPU has not finished the work of former calls
 *     and that work is expected to take longer than the limit. Therefore the GPU never has more
 *     than the work of two calls to do.
 *   - Steps that compile programs, and the first step of an epoch, take longer than expected.
 *   - If the epoch has no more steps, the call carries on with its end, and then with the next
 *     epoch, as far as this fits. Metrics arrive one or two calls after the GPU has computed them,
 *     so the end of an epoch takes two calls, or three with validation. The caller need not call
 *     glnn_trainer_end_epoch(), but can, and it waits for the rest.
 *
 * @errors
 *   - GLNN_E_ARG: the trainer is null; `steps` or `milliseconds` is negative or not finite.
 *   - GLNN_E_STATE: training is over; without a time limit, the epoch has to be ended first; the
 *     learner was destroyed or has another trainer; the report function of the trainer makes the
 *     call.
 *   - GLNN_E_UNSUPPORTED: a time limit, but several processes train together. All of them have to
 *     make the same steps.
 *   - As training: @ref learner_errors "errors of learners". They end the training.
 * @thread the context's own.
 * @since  0.1; with a time limit it waits for nothing and ends epochs since 0.2 */
GLNN_API glnn_status glnn_trainer_step(glnn_trainer *trainer, int steps, double milliseconds,
                                       int *done, bool *epoch_ended);

/** Measures and compiles ahead of time what the training needs, in slices that fit into frames.
 *
 * After it is done, the training compiles no program and measures nothing, neither in its steps nor
 * at the ends of its epochs. The same holds for an evaluation of the training data set, and for
 * these predictions:
 *  - of as many samples as a batch has, to main memory;
 *  - of the matrix of inputs of glnn_dataset_create_from_matrices(), into a matrix like that of the
 *    targets. A network can so predict into a texture that was adopted as its targets were. With
 *    labels, or for learners that predict classes, it is a matrix as glnn_matrix_create() makes by
 *    default;
 *  - with any other data set, of as many samples as a batch has, between two such matrices.
 *
 * Predictions between other matrices compile when they are first made. A program makes them before
 * its first frame, or while it warms up.
 *
 * A program calls it in each frame until `progress` is 1:
 *
 *     double progress = 0;
 *     if (progress < 1)
 *         status = glnn_trainer_warm_up(trainer, 4, &progress);
 *     else if (!glnn_trainer_is_finished(trainer))
 *         status = glnn_trainer_step(trainer, 0, 4, NULL, NULL);
 *
 * The work is divided into pieces: those of glnn_context_warm_up(), and for each program that it is
 * started, finished and used once. If the driver compiles in parallel
 * (GL_KHR_parallel_shader_compile), no piece waits for a program. Otherwise a piece can take as
 * long as the driver needs for one program. On a software rasteriser this can be a second or more,
 * and the call then takes as long.
 *
 * A call runs at least one piece, and begins no other one after `milliseconds` (0: no limit), so it
 * takes at most one piece longer. One piece is not divided: the first window of a data set that
 * streams, which each call reads.
 *
 * The call changes neither the parameters nor the order of samples: the training has the same bits
 * with and without it. `progress` receives a number from 0 to 1 that never falls, and can be NULL.
 *
 * @errors
 *   - GLNN_E_ARG: the trainer is null, or `milliseconds` is negative or not finite.
 *   - GLNN_E_STATE: training is over; the learner was destroyed or has another trainer; the report
 *     function of the trainer makes the call.
 *   - As training: @ref learner_errors "errors of learners". They do not end the training.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_trainer_warm_up(glnn_trainer *trainer, double milliseconds,
                                          double *progress);

/** Ends an epoch, or the rest of its end: waits for its metrics, measures the validation samples
 * and reports GLNN_EVENT_EPOCH.
 *
 * With restore_best it takes a snapshot of the parameters if the epoch is the best so far. Training
 * is over after the last epoch, when the patience is exhausted, when the desired loss or error is
 * reached, when the learner has converged and when the report function returned false. With
 * restore_best the parameters are then those of the best epoch.
 *
 * @errors
 *   - GLNN_E_ARG: the trainer is null.
 *   - GLNN_E_STATE: training is over; the epoch has steps left; the learner was destroyed or has
 *     another trainer; the report function of the trainer makes the call.
 *   - As training: @ref learner_errors "errors of learners". They end the training.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_trainer_end_epoch(glnn_trainer *trainer);

/** True if training is over, also after an error, and without its learner or context; true for
 * NULL.
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

/** Makes the latest report that of the steps which the epoch has made so far.
 *
 * The report is one of GLNN_EVENT_BATCH, as those that come every glnn_train_desc.report_every
 * batches, but covers all batches that are done. The report function is not called. The call waits
 * until the device has finished these steps, so it suits programs that make single steps. It
 * changes no bits of the training. Before the first step of an epoch it does nothing.
 *
 * If several processes train together, all of them make the call between the same two steps, and
 * the metrics are those of all processes.
 *
 * @passes  Those of a sum of the rows of the metrics (glnn/reduce.h).
 * @errors
 *   - GLNN_E_ARG: the trainer is null.
 *   - GLNN_E_STATE: training is over; the epoch has no more steps, so glnn_trainer_end_epoch() is
 *     next; the learner was destroyed or has another trainer; the report function of the trainer
 *     makes the call.
 *   - As training: @ref learner_errors "errors of learners". They end the training.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_trainer_update_report(glnn_trainer *trainer);

/** The result so far; NULL for NULL. Its seconds are those spent in calls of the trainer.
 *
 * @owner  the trainer; each call changes the numbers.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API const glnn_train_result *glnn_trainer_get_result(const glnn_trainer *trainer);

/** The most operands and side outputs of a pass. @since 0.2 */
enum { GLNN_PASS_MAX_OPERANDS = 6, GLNN_PASS_MAX_SIDE_OUTPUTS = 4 };

/** A pass of a training step: one draw or dispatch. @since 0.2 */
typedef struct glnn_pass_info {
    size_t size;               /**< of this structure, set by the caller                          */
    const char *part;          /**< of the step, such as "forward"                                */
    int layer;                 /**< of a network, from 0; -1: none                                */
    const char *kernel;        /**< its shader is `shaders/kernels/<kernel>.glsl`                 */
    const char *epilogue;      /**< of the shader that finishes the blocks; NULL: none, as where
                                    plain descent adds the gradient to the weights                */
    const glnn_matrix *output; /**< that it writes */
    bool adds;                 /**< adds to the former output                                     */
    const char *operand_names[GLNN_PASS_MAX_OPERANDS];         /**< in the shader; NULL: none    */
    const glnn_matrix *operands[GLNN_PASS_MAX_OPERANDS];       /**< that it reads                */
    const char *side_output_names[GLNN_PASS_MAX_SIDE_OUTPUTS]; /**< in the shader; NULL: none    */
    const glnn_matrix *side_outputs[GLNN_PASS_MAX_SIDE_OUTPUTS]; /**< that it writes as well */
    double expected_us; /**< by the device profile, of large products and searches where passes
                             have a limit (glnn_context_desc.pass_limit_ms); else 0              */
    const glnn_matrix *former_output; /**< of an inspection (glnn/inspection.h): the output before a
                                           pass that keeps a part of it or adds to it; else NULL  */
    const glnn_matrix *former_side_outputs[GLNN_PASS_MAX_SIDE_OUTPUTS]; /**< the same of those    */
    bool writes_output; /**< false for a part of a pass that writes side outputs alone, as in the
                             lower tiers                                                          */
    bool writes_side_outputs[GLNN_PASS_MAX_SIDE_OUTPUTS]; /**< false for those of another part    */
} glnn_pass_info;

/** The number of passes that the latest step has replayed: those of the last part of its batch, and
 * those of the update. 0 before the first step, for NULL, and after a change of matrices that they
 * use: predicting or measuring another number of samples than a part of a batch has makes some of
 * them anew.
 *
 * @thread the context's own.
 * @since  0.2 */
GLNN_API int glnn_trainer_get_pass_count(const glnn_trainer *trainer);

/** Describes pass `number` of the latest step, from 0. The passes come in the order in which they
 * are submitted.
 *
 * Intermediate results of an operation, such as the partial products of a matrix product, have
 * shape, layout and name, but no numbers between two steps. An inspection (glnn/inspection.h) keeps
 * the numbers of one step.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, `out->size` is too small, or there are not as
 *     many passes.
 *   - GLNN_E_STATE: there are no passes (glnn_trainer_get_pass_count()); the learner was destroyed
 *     or has another trainer.
 * @owner  the trainer; the pointers are valid until its next call.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_trainer_get_pass(const glnn_trainer *trainer, int number,
                                           glnn_pass_info *out);

/** Sets the rate of the schedule (glnn_schedule.rate) for the steps that follow. A schedule that
 * changes the rate goes on from its place in the training, as if it had begun with this rate.
 *
 * Checkpoints contain the rate. A trainer that continues from one has the rate of that time, so its
 * description need not change. If several processes train together, each of them sets the rate
 * between the same two steps.
 *
 * @errors
 *   - GLNN_E_ARG: the trainer is null; the rate is not finite or not above 0; the learner has no
 *     learning rate (k-means, mixtures). The rate is at least 1 and the learner uses OLVQ1, or it
 *     is at least 1 / lambda of a support vector machine.
 *   - GLNN_E_STATE: the learner was destroyed or has another trainer; the report function of the
 *     trainer makes the call.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_trainer_set_learning_rate(glnn_trainer *trainer, float rate);

/** The plan of the exchange between processes, with the times that were measured so far
 * (glnn/exchange.h). Of a trainer without an exchange, `processes` is 1.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or `out->size` is too small.
 * @thread the context's own. The report function of the trainer can make the call.
 * @since  0.2 */
GLNN_API glnn_status glnn_trainer_get_exchange_plan(const glnn_trainer *trainer,
                                                    glnn_exchange_plan *out);

/** Measures the learner on a data set, as glnn_learner_evaluate() does.
 *
 * @errors
 *   - GLNN_E_ARG: the trainer or the data set is null.
 *   - GLNN_E_STATE: the learner was destroyed or has another trainer; the report function of the
 *     trainer makes the call.
 *   - As glnn_learner_evaluate(): @ref learner_errors "errors of learners".
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

/** Saves the learner, as glnn_learner_save() does.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or the path is empty.
 *   - GLNN_E_STATE: the learner was destroyed or has another trainer; the report function of the
 *     trainer makes the call.
 *   - As glnn_learner_save(): @ref learner_errors "errors of learners".
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_trainer_save(const glnn_trainer *trainer, const char *path);

/** Saves a @ref checkpoints "checkpoint" of the training, with the optimizer's state and the place
 * in the epoch. A file that exists is renamed to `path` with ".1" appended.
 *
 * The call can be made between any two calls of the trainer. It waits for the GPU and the disk. If
 * calls with a time limit have carried out a part of the end of an epoch, it ends the epoch first.
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
 *     learner, training or data set; the sentence names the first difference. It is of a later
 *     epoch than the training has.
 *   - GLNN_E_STATE: the learner was destroyed or has another trainer; the report function of the
 *     trainer makes the call.
 *   - GLNN_E_FORMAT: the file is damaged or not a checkpoint.
 *   - GLNN_E_IO: the file cannot be read.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_GL: textures, main memory or OpenGL failed.
 *   After an error the training is as before, with the same bits. To this end the call keeps a copy
 *   of its state in main memory. If memory or OpenGL fails again while that is brought back, the
 *   sentence says so and the training is over.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_trainer_load_checkpoint(glnn_trainer *trainer, const char *path);

/** Destroys a trainer. The learner keeps its present parameters.
 *
 * NULL is ignored, and so is a call from the trainer's own report function.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API void glnn_trainer_destroy(glnn_trainer *trainer);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
