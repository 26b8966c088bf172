/** @file
 *  @ingroup glnn_train
 *  @brief Training: how to train a learner, its reports, and the rules that all learners share.
 *
 *  glnn_learner_train() trains a learner (glnn/learner.h). An *epoch*
 *  visits all training samples once, in *batches*. A *step* visits one batch, or as many as
 *  glnn_train_desc::accumulate says, and updates the parameters. Mixtures, and k-means with the
 *  full batch, update their parameters only at the end of an epoch. Until then each of their steps
 *  adds at most `capacity` samples to sums.
 *
 *  @anchor checkpoints
 *  ### Checkpoints
 *
 *  A *checkpoint* is a file from which a training continues after its program has ended or was
 *  killed. It holds all that the next steps depend on: parameters, state of the optimizer, sums,
 *  the snapshot of the best epoch, the place in the order of samples, the metrics and results so
 *  far. On the same device and with the same device profile (glnn/context.h), a training that was
 *  resumed ends with the same bits as one that was never interrupted. This needs the same folder
 *  of stored measurements; after it was deleted, another device profile may choose other plans.
 *
 *  glnn_train_desc::checkpoint makes glnn_learner_train() and trainers save checkpoints, and
 *  glnn_train_desc::resume makes them continue from the last one. Without it they refuse to begin
 *  where a checkpoint exists, unless glnn_train_desc::overwrite allows them to replace it.
 *  glnn_trainer_save_checkpoint() and glnn_trainer_load_checkpoint() save and load at a time of the
 *  caller's choice.
 *
 *  A checkpoint is a safetensors file. Saving waits for the GPU and the disk. It writes a temporary
 *  file, flushes and verifies it, gives the previous checkpoint FILE the name FILE.1, and renames
 *  the new one to FILE. A place where this cannot be done is refused before the first step. If
 *  saving fails later, training fails as after other errors: the learner keeps its parameters, and
 *  the previous checkpoint stays as it was.
 *
 *  Two trainings may have the same FILE by mistake. Each replaces only a file that it found there
 *  when it began, as glnn_train_desc::resume or glnn_train_desc::overwrite allows, or that it saved
 *  itself. If another file is there, saving fails with GLNN_E_ARG and replaces nothing. A copy of
 *  the training's own file is replaced, and a FILE that was removed is saved again.
 *
 *  A process that is killed while it saves leaves its temporary file, FILE.glnn-saving-0, or with
 *  another number up to 63. The next training that saves to FILE removes it, before its first step.
 *  It is not a checkpoint, and can be deleted if no process saves to FILE.
 *
 *  The checkpoint must belong to the same training, otherwise the call fails and names the first
 *  difference. These have to be equal: the descriptions of learner and training but for
 *  glnn_train_desc::epochs, the capacity, and of each data set the counts, labels, weights, targets
 *  and inputs. A checksum of all of them is made with the data set. Of a stream the mean targets
 *  and the inputs of 64 samples are compared instead, and nothing of samples in matrices of the
 *  program but their counts and labels. Another device, layout, version of the library or device
 *  profile is only a warning in the log; the results then differ in their last digits.
 *
 *  A resumed training may have another number of epochs than the former one, but not fewer than
 *  have begun. With the schedules CONSTANT and STEP, a training of 10 epochs that goes on to 20
 *  ends with the bits of one of 20. The rates of the other schedules depend on the number of all
 *  steps, so the rates of the steps that follow are those of a training of 20 epochs, and the log
 *  has a warning. A training that was over goes on, too. Only one that ended with the parameters of
 *  an earlier epoch, as glnn_train_desc::restore_best says, fails with GLNN_E_ARG.
 *
 *  After resuming, reports that followed the checkpoint are sent again.
 *
 *  If several processes train (glnn/exchange.h), rank 0 saves the checkpoints, and all others wait
 *  for it. A checkpoint does not depend on the number of processes: any number of them can
 *  continue. Rank 0 chooses the file to continue from, and all processes read it, so they have to
 *  find the same file at the path.
 *
 *  @anchor emphasis
 *  ### Emphasis on hard samples
 *
 *  With glnn_train_desc::emphasis, samples with a high recent loss count more. By frequency, the
 *  default of glnn_train_desc::emphasis_kind, an epoch presents them more often. It has as many
 *  presentations as there are training samples, n. Each of them presents sample i with probability
 *
 *      p_i = (1 + w_i / m) / (2 n),   w_i = (l_i + 2^-20)^emphasis,   m = (w_1 + ... + w_n) / n
 *
 *  l_i is the recent loss of the sample: its mean loss in the last epoch before this one that
 *  presented it, including its weight and at most 2^20. Half of the presentations are thus
 *  independent of the losses, so that no sample is forgotten. All recent losses are 0 before the
 *  first epoch, which presents each sample once.
 *
 *  The samples are drawn systematically: sample i is presented floor(n p_i) or ceil(n p_i) times,
 *  up to rounding. w_i / m is rounded to a multiple of 2^-10. The order of the presentations is
 *  random. The recent loss of a sample that is presented more than 64 times is the mean of 64 of
 *  its losses. Everything is drawn on the GPU, without a wait; only with a data set that streams
 *  does an epoch begin with a wait for the samples that the GPU has drawn. The training metrics are
 *  those of the samples as often as they are presented, so they are higher than without emphasis.
 *
 *  By weight, an epoch presents each sample once, in the order that it has without emphasis, and
 *  multiplies the gradient of its loss by n p_i. The mean of these weights is 1, up to rounding,
 *  and each is at least 1/2. Prototypes multiply the sample's moves. The training metrics, the
 *  recent losses and the metrics of validation are without these weights. The first epoch has the
 *  bits of one without emphasis.
 *
 *  Networks, LVQ and support vector machines are trained with emphasis, by one process, with a data
 *  set of at most 2^24 samples. Centres of k-means and components of mixtures are means in which
 *  each sample counts once; for them training fails with GLNN_E_UNSUPPORTED. It fails with
 *  GLNN_E_ARG with the optimizer iRprop-, which compares the gradients of the same samples, and
 *  with emphasis by frequency together with glnn_train_desc::keep_order.
 *
 *  Sources: LeCun, Bottou, Orr and Mueller, *Efficient BackProp*, section 4.2 (1998); Schaul, Quan,
 *  Antonoglou and Silver, *Prioritized experience replay* (2016).
 *
 *  Training with the same seed, data, layout, device and device profile (glnn/context.h) gives the
 *  same parameters, bit for bit. */
#ifndef GLNN_TRAIN_H
#define GLNN_TRAIN_H

#include <glnn/distortion.h>
#include <glnn/exchange.h>
#include <glnn/learner.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** Collects the reports of epochs; see glnn/curve.h. @since 0.2 */
typedef struct glnn_curve glnn_curve;

/** How the learning rate changes during training. t is the number of the step from 0, T the steps
 * of the whole training, e the number of the epoch from 0, r the first rate and q the last. */
typedef enum glnn_schedule_kind {
    GLNN_SCHEDULE_CONSTANT = 0, /**< r                                    */
    GLNN_SCHEDULE_STEP,         /**< r factor^floor(e / every)            */
    GLNN_SCHEDULE_EXPONENTIAL,  /**< r (q / r)^(t / T)                    */
    GLNN_SCHEDULE_LINEAR,       /**< r + (q - r) t / T                    */
    GLNN_SCHEDULE_COSINE,       /**< q + (r - q) (1 + cos(pi t / T)) / 2  */
    GLNN_SCHEDULE_INVERSE,      /**< r / (1 + (r / q - 1) t / T)          */
    GLNN_SCHEDULE_COUNT
} glnn_schedule_kind;

/** The name of a schedule: "constant", "step", "exponential", "linear", "cosine", "inverse".
 * @since 0.2 */
GLNN_API const char *glnn_schedule_kind_name(glnn_schedule_kind kind);

/** The schedule with a name. @since 0.2 */
GLNN_API glnn_status glnn_schedule_kind_from_name(const char *name, glnn_schedule_kind *out);

/** Describes the learning rate. */
typedef struct glnn_schedule {
    glnn_schedule_kind kind; /**< 0: CONSTANT                                                    */
    float rate;              /**< r, above 0; 0: the default of the learner                      */
    float final_rate;        /**< q, at least 0; must be 0 with CONSTANT and STEP. EXPONENTIAL and
                                  INVERSE, 0: r / 100                                            */
    float factor;            /**< STEP only, above 0; 0: 0.1                                     */
    int every;               /**< STEP only: epochs between two changes; 0: 10                   */
    uint64_t reserved[2];    /**< zeros; room for later versions */
} glnn_schedule;

/** The rate at a step of a schedule; 0 for NULL. The function checks nothing, and does not know the
 * default of a learner: `rate` has to be above 0.
 *
 * @thread any.
 * @since  0.1 */
GLNN_API float glnn_schedule_get_rate(const glnn_schedule *schedule, uint64_t step, uint64_t steps,
                                      int epoch);

/** Describes how the batch grows during training: every so many epochs it is multiplied by a
 * factor. This makes the noise of gradients smaller as a lower rate does, but takes fewer steps
 * (Smith, Kindermans, Ying and Le, *Don't decay the learning rate, increase the batch size*, 2018).
 * The first step with another batch makes matrices and may compile programs, also after
 * glnn_trainer_warm_up().
 * @since 0.2 */
typedef struct glnn_batch_schedule {
    float factor;         /**< above 1; 0: the batch stays as it is, and the others have to be 0 */
    int every;            /**< epochs between two changes; 0: 10                                 */
    int most;             /**< samples of the largest batch; 0: all training samples             */
    uint64_t reserved[2]; /**< zeros; room for later versions                                    */
} glnn_batch_schedule;

/** The batch at an epoch e from 0: the integer part of batch factor^floor(e / every), and at most
 * `most`, but at least `batch`. It may exceed the number of samples. `batch` for NULL. The function
 * checks nothing.
 *
 * @thread any.
 * @since  0.2 */
GLNN_API int glnn_batch_schedule_get_batch(const glnn_batch_schedule *schedule, int batch,
                                           int epoch);

/** The reason of a report. */
typedef enum glnn_event {
    GLNN_EVENT_BATCH, /**< metrics of the epoch so far arrived from the GPU       */
    GLNN_EVENT_EPOCH, /**< an epoch ended, and was validated if there is validation */
    GLNN_EVENT_COUNT
} glnn_event;

/** The name of an event: "batch", "epoch". @since 0.2 */
GLNN_API const char *glnn_event_name(glnn_event event);

/** The event with a name. @since 0.2 */
GLNN_API glnn_status glnn_event_from_name(const char *name, glnn_event *out);

/** The progress of a training, which the library owns. */
typedef struct glnn_report {
    glnn_event event;          /**< the reason                                                   */
    int epoch;                 /**< the current epoch, from 1                                    */
    int epochs;                /**< epochs of the whole training                                 */
    int batch;                 /**< batches of this epoch that the metrics cover                 */
    int batches;               /**< batches of this epoch                                        */
    uint64_t step;             /**< steps made since the start of the training                   */
    glnn_metrics training;     /**< of the samples of this epoch so far                          */
    glnn_metrics validation;   /**< EPOCH with validation; otherwise 0 and NAN                   */
    bool has_validation;       /**< `validation` is set                                          */
    bool best;                 /**< EPOCH: the validation loss is the best so far                */
    float rate;                /**< learning rate of the latest step                             */
    double samples_per_second; /**< of training without validation, in this epoch                */
    double seconds;            /**< of training and validation since the start                   */
} glnn_report;

/** Receives reports. Training stops after the current step when it returns false. If several
 * processes train, all of them stop, after the step that follows.
 *
 * It can call the library, but must not destroy or train the learner, nor destroy its context. In
 * an adopted context it finds the host's OpenGL state, unless a pair of glnn_context_begin() and
 * glnn_context_end() is open. It can make other OpenGL contexts current. Before it returns, an
 * adopted context must be current again and usable as glnn/context.h says. Otherwise training fails
 * with GLNN_E_STATE and leaves the learner as it was during the report. */
typedef bool (*glnn_report_fn)(void *user, const glnn_report *report);

struct glnn_train_desc;

/** Replaces what a training had in a context whose @ref device_loss "device was lost".
 *
 * The function destroys the former context and its objects, and creates a context, a learner of the
 * same description and data sets with the same samples. A learner that was loaded, or trained
 * before, is loaded again, because the loss may come before the first checkpoint. `*learner` and
 * `*data` have the former handles, and receive the new ones. `desc` is a copy of the description of
 * the training: it receives a new `validation` if there was one, and the other members stay. With
 * the same seeds, the training ends with the bits that it would have had without the loss.
 *
 * The program owns all of these objects, the former and the new ones. The handles that it passed to
 * glnn_learner_train() are those of the lost device, so the function leaves the new ones where the
 * program finds them afterwards:
 *
 *     static glnn_status reopen(void *user, glnn_train_desc *desc, glnn_learner **learner,
 *                               const glnn_dataset **data)
 *     {
 *         session *all = user;           // context, learner and data set of the program
 *         session_close(all);
 *         glnn_status status = session_open(all);
 *         *learner = all->learner;       // the program goes on with all->learner, too
 *         *data = all->data;
 *         return status;
 *     }
 *
 * Returns GLNN_OK to go on, from the last checkpoint or, if none was saved yet, from the beginning.
 * Any other status ends the training with it, and with the sentence of glnn_last_error_set().
 * Training fails with GLNN_E_STATE if one of the handles was not replaced, or is null. The function
 * is called again if the new device is lost too. A training can itself be the reason, by a
 * pass that takes too long. So it ends with GLNN_E_DEVICE_LOST at the loss number
 * ::GLNN_TRAIN_MAX_LOSSES in a row without a new checkpoint, for which the function is not called.
 * @since 0.3 */
typedef glnn_status (*glnn_device_lost_fn)(void *user, struct glnn_train_desc *desc,
                                           glnn_learner **learner, const glnn_dataset **data);

/** The losses of the device in a row, without a new checkpoint in between, that end a training.
 * @since 0.3 */
#define GLNN_TRAIN_MAX_LOSSES 4

/** Receives the trainer of glnn_learner_train() before its first step, and another one each time
 * that the training continues after the device was lost. glnn_train_result.steps of
 * glnn_trainer_get_result() is the number of steps before, and glnn_report.epoch of
 * glnn_trainer_get_report() is the epoch in which it goes on, or 0 if it begins. The function makes
 * no other calls of the library or of OpenGL.
 * @since 0.3 */
typedef void (*glnn_train_start_fn)(void *user, const glnn_trainer *trainer);

/** How @ref emphasis "emphasis" makes samples count more. @since 0.2 */
typedef enum glnn_emphasis_kind {
    GLNN_EMPHASIS_FREQUENCY = 0, /**< samples are presented more often                 */
    GLNN_EMPHASIS_WEIGHT,        /**< each is presented once, and its gradient weighs more */
    GLNN_EMPHASIS_KIND_COUNT
} glnn_emphasis_kind;

/** The name of a kind of emphasis: "frequency", "weight". @since 0.2 */
GLNN_API const char *glnn_emphasis_kind_name(glnn_emphasis_kind kind);

/** The kind of emphasis with a name. @since 0.2 */
GLNN_API glnn_status glnn_emphasis_kind_from_name(const char *name, glnn_emphasis_kind *out);

/** The value of glnn_train_desc::batch that makes one batch of all training samples. */
#define GLNN_FULL_BATCH (-1)

/** Describes a training. Zeros are defaults. Training refuses numbers that are not finite, and
 * negative ones unless the field allows them. @ref unused_numbers "Numbers without effect" says
 * which others it refuses. */
typedef struct glnn_train_desc {
    /** 0: 10 for networks, LVQ and support vector machines, 100 for k-means and mixtures. */
    int epochs;

    /** Samples of a batch. More than there are means all. 0: 128 for networks, LVQ and
     * support vector machines, and GLNN_FULL_BATCH for k-means, mixtures and networks with
     * ::GLNN_OPTIMIZER_RPROP. Mixtures take only the full batch, and refuse numbers above 0. */
    int batch;

    int accumulate; /**< batches of one step; 0: 1. Mixtures, and k-means with the full batch,
                         refuse more than 1                                                      */
    glnn_batch_schedule batch_schedule; /**< how the batch grows; refused where it is the full
                                             batch. @since 0.2                                   */
    glnn_schedule schedule; /**< of the learning rate. K-means and mixtures have none    */
    uint64_t seed;          /**< of the order of samples and of the split                */
    bool keep_order;        /**< do not shuffle the samples                              */
    float emphasis;         /**< exponent of the recent loss of a sample in the probability
                                         of its presentation or in its weight, at most 4; see @ref
                                         emphasis. 0: all samples count the same                 */
    glnn_emphasis_kind emphasis_kind; /**< how `emphasis` works. 0: FREQUENCY, which it has to be
                                           without emphasis. @since 0.2                          */
    const glnn_dataset *validation; /**< measured after each epoch; NULL: none, or a split       */
    float validation_split;         /**< share of the samples kept for validation, in [0, 1); at
                                         least one sample. Refused together with `validation`. 0: no
                                         split                                                   */
    glnn_distortion distortion;     /**< of the images of each batch; refused with
                                         ::GLNN_OPTIMIZER_RPROP. Zeros: none                     */
    int patience;                   /**< stop after so many epochs without a better validation loss.
                                         It needs validation or a split. 0: never                */
    float min_improvement;          /**< a loss is better if it is lower by more than this       */
    float desired_loss;             /**< stop after an epoch whose loss is at most this: that of
                                         validation, or of training without validation. Losses of
                                         mixtures can be negative. 0: none. @since 0.2           */
    float desired_error;            /**< the same for the share of samples whose class is not right,
                                         1 - glnn_metrics::accuracy, in [0, 1). Refused without
                                         labels, and for mixtures without validation. 0: none.
                                         @since 0.2                                              */
    bool restore_best;              /**< end with the parameters of the epoch with the best
                                         validation loss, or training loss without validation    */
    glnn_report_fn report;          /**< NULL: no reports                                        */
    void *user;                     /**< passed to `report`, `on_device_lost` and `on_start`     */
    glnn_curve *curve;              /**< receives the report of each epoch; NULL: none           */
    int report_every;               /**< batches between two BATCH reports; 0: 64. The library waits
                                         for metrics only when 64 further batches are submitted,
                                         so that they cover a few batches less                   */

    /** Path of @ref checkpoints "checkpoints" to save; NULL: none. One is saved also when the
     * report function returns false during an epoch. */
    const char *checkpoint;
    int checkpoint_every; /**< steps between two checkpoints; 0: one after the last step of each
                               epoch. Refused without `checkpoint`                               */

    /** Continue from the checkpoint if there is one. If the last checkpoint is damaged, training
     * continues from the previous one, FILE.1, with a warning in the log. If that is damaged or
     * missing too, training fails with a sentence that names both. If there is no file, training
     * begins. Refused without `checkpoint`. */
    bool resume;

    /** Begin anew, and replace the checkpoints of a former training. Without `resume` and
     * `overwrite`, training fails with GLNN_E_ARG if FILE or FILE.1 exists. It fails in
     * the same way at its first checkpoint if another training has saved FILE in the meantime.
     * Refused without `checkpoint`, and together with `resume`. @since 0.2 */
    bool overwrite;

    /** Training by several processes (glnn/exchange.h). `batch` then counts the samples of all
     * processes; zeros: this process trains alone. */
    glnn_exchange_desc exchange;
    /** Makes everything anew after the device was lost, so that glnn_learner_train() continues from
     * the checkpoint; NULL: training fails with GLNN_E_DEVICE_LOST. Refused without `checkpoint`,
     * and if several processes train, because a loss ends the training of all. Trainers never
     * call it. @since 0.3 */
    glnn_device_lost_fn on_device_lost;
    glnn_train_start_fn on_start; /**< is told where glnn_learner_train() begins or goes on; NULL:
                                       none. Trainers ignore it. @since 0.3                      */
    uint64_t reserved[2];         /**< zeros; room for later versions */
} glnn_train_desc;

/** The result of a training. */
typedef struct glnn_train_result {
    size_t size;             /**< set by the caller: sizeof(glnn_train_result)                   */
    int epochs;              /**< completed epochs                                               */
    uint64_t steps;          /**< steps made                                                     */
    bool stopped;            /**< training ended early: by the report function, by patience or the
                                  desired loss or error, or because the learner converged        */
    int best_epoch;          /**< from 1; 0 without a completed epoch                            */
    glnn_metrics training;   /**< of the training samples in the last epoch                      */
    glnn_metrics validation; /**< after the last epoch; 0 and NAN without validation             */
    double seconds;          /**< wall clock of training and validation                          */
    double train_seconds;    /**< wall clock of training without validation                      */
    bool resumed_former;     /**< training was resumed from the checkpoint before the last one,
                                  FILE.1. @since 0.2                                             */
} glnn_train_result;

/** Trains a learner on a data set, from its current parameters and state.
 *
 * Training ends when the epochs are over, the patience is exhausted, the desired loss or error is
 * reached, the learner has converged or the report function returns false. A second call continues
 * from the parameters. A learner without parameters first finds them, as glnn_learner_initialise()
 * does. The header of each kind describes its steps. glnn_trainer_create() trains step by step.
 *
 * If training is refused before its first step, a learner that had no parameters has none. If it
 * fails after it began, the parameters are the latest ones, or with restore_best those of the best
 * epoch; see glnn_report_fn for an exception.
 *
 * @errors @ref learner_errors "as all learners"; those that a kind adds stand in its header.
 * @owner  `desc` and `result` can be NULL; `desc` NULL means zeros.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_learner_train(glnn_learner *learner, const glnn_dataset *data,
                                        const glnn_train_desc *desc, glnn_train_result *result);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
