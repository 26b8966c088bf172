/** @file
 *  @ingroup glnn_train
 *  @brief Training: how to train a learner, its reports, and the rules that all learners share.
 *
 *  A *learner* is a network, an LVQ classifier, k-means or a mixture of Gaussians. An *epoch*
 *  visits all training samples once, in *batches*. A *step* visits one batch, or as many as
 *  glnn_train_desc::accumulate says, and updates the parameters. Mixtures, and k-means with the
 *  full batch, update their parameters only at the end of an epoch. Until then each of their steps
 *  adds at most `capacity` samples to sums.
 *
 *  @anchor learners
 *  ### Calls that all learners have
 *
 *  In the names of these functions, L is network, lvq, kmeans or gmm. All learners have them with
 *  the same arguments and errors. The header of each learner adds formulas and differences.
 *
 *  - `glnn_L_create` checks a description and makes the learner. Zeros in the description are the
 *    documented defaults. `glnn_L_get_desc` returns the description with the defaults filled in.
 *  - `glnn_L_initialise` finds the first parameters from a data set. If the learner has none,
 *    `glnn_L_train` and `glnn_L_trainer_create` do so themselves. Networks do not have this
 *    function, because they draw their weights when they are created.
 *  - `glnn_L_train` trains until the epochs are over, the patience is exhausted, the learner has
 *    converged or the report function returns false. A second call continues from the parameters.
 *    `desc` NULL means zeros. If training fails after it began, the parameters are the latest ones,
 *    or with restore_best those of the best epoch; see glnn_report_fn for an exception.
 *  - `glnn_L_trainer_create` makes a trainer, which does the same in a loop of the caller's own
 *    (glnn/trainer.h). It copies `desc`.
 *  - `glnn_L_evaluate` measures the learner on a data set and keeps its parameters. `metrics` and
 *    `confusion` can be NULL. `confusion` has classes x classes counts; the count at
 *    `label * classes + predicted` belongs to the samples of that label and prediction.
 *  - `glnn_L_predict` takes `samples` rows of features in main memory. It writes rows of
 *    `glnn_L_get_outputs` numbers to `outputs`, and one number per sample to `classes`. One of the
 *    two can be NULL. After an error both are undefined.
 *  - `glnn_L_predict_matrix` takes the samples from a matrix and leaves the predictions in one, on
 *    the GPU: the outputs of a network, the classes of other learners.
 *  - `glnn_L_save` writes a safetensors file with the parameters, the preparation, and the
 *    description apart from the numbers that the header of the learner excepts. These have their
 *    defaults after loading. `glnn_L_load` makes a learner from such a file; `desc` NULL means
 *    zeros.
 *    `glnn_L_load_parameters` reads only the parameters, into a learner of the same shape.
 *  - `glnn_L_set_preparation` stores a copy of the steps that prepare raw samples, and
 *    `glnn_L_save` saves it with the learner.
 *
 *  @anchor unused_numbers
 *  ### Numbers without effect
 *
 *  Some numbers of a description have an effect only in combination with others.
 *
 *  - glnn_network_create() refuses a number that a layer, the optimizer or the distribution of the
 *    first weights does not use. It must be 0. In the optimizer and for `init_range` it can also be
 *    its default.
 *  - glnn_lvq_create() checks the range of all numbers, and then ignores those that the kind or the
 *    start of the prototypes does not use.
 *  - K-means and mixtures use all numbers of their descriptions.
 *  - Training refuses numbers of another schedule, and a rate or a schedule for a learner without
 *    learning rate. It refuses `batch` and `accumulate` as glnn_train_desc says. It ignores other
 *    fields without effect, such as keep_order with a mixture.
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
 *  glnn_train_desc::checkpoint makes `glnn_L_train` and trainers save checkpoints, and
 *  glnn_train_desc::resume makes them continue from the last one. Without it they refuse to begin
 *  where a checkpoint exists, unless glnn_train_desc::overwrite allows them to replace it.
 *  glnn_trainer_save_checkpoint() and glnn_trainer_load_checkpoint() save and load at a time of the
 *  caller's choice.
 *
 *  A checkpoint is a safetensors file. Saving waits for the GPU and the disk. It writes a temporary
 *  file, flushes and verifies it, gives the previous checkpoint FILE the name FILE.1, and renames
 *  the new one to FILE. A place that cannot be written is refused before the first step. If saving
 *  fails later, training fails as after other errors: the learner keeps its parameters, and the
 *  previous checkpoint stays as it was.
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
 *  With glnn_train_desc::emphasis, an epoch presents samples with a high recent loss more often. It
 *  has as many presentations as there are training samples, n. Each of them presents sample i with
 *  probability
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
 *  its losses. Everything is drawn on the GPU, without a wait.
 *
 *  The training metrics are those of the samples as often as they are presented, so they are higher
 *  than without emphasis.
 *
 *  Training with emphasis fails with GLNN_E_UNSUPPORTED for learners other than networks and for
 *  data sets that stream. It fails with GLNN_E_ARG together with glnn_train_desc::keep_order, and
 *  with the optimizer iRprop-, which compares the gradients of the same samples.
 *
 *  Sources: LeCun, Bottou, Orr and Mueller, *Efficient BackProp*, section 4.2 (1998); Schaul, Quan,
 *  Antonoglou and Silver, *Prioritized experience replay* (2016).
 *
 *  @anchor learner_errors
 *  ### Errors that all learners share
 *
 *  - GLNN_E_ARG: a required argument is null, or `samples` is below 1. A number of a description is
 *    out of its range, or has no effect and is @ref unused_numbers "refused". An input is not
 *    finite; the sentence names sample and feature. A checkpoint to resume from belongs to another
 *    training, or one exists and is neither to be resumed nor to be replaced. A data set belongs to
 *    another context, or has weights and the learner is not a network.
 *  - GLNN_E_SHAPE: the features, classes or outputs of a data set, file or preparation are not
 *    those of the learner.
 *  - GLNN_E_STATE: the context was destroyed. The learner has no parameters yet, or another trainer
 *    of it has not finished. It needs labels or targets that the data set lacks. `confusion` needs
 *    labels and classes.
 *  - GLNN_E_FORMAT: a file is damaged or holds something else, also a checkpoint to resume from
 *    without a previous one; a sample of a data set that streams
 *    is not finite.
 *  - GLNN_E_DIVERGED: a loss, a parameter or a result is not finite. The sentence names epoch and
 *    step, the parameter, or the sample.
 *  - GLNN_E_LIMIT: a matrix does not fit the device or the texture budget.
 *  - GLNN_E_UNSUPPORTED: emphasis, or an exchange, that the learner does not have.
 *  - GLNN_E_PROCESS: another process of the training failed or does not answer. The sentence names
 *    its rank.
 *  - GLNN_E_IO, GLNN_E_NOMEM, GLNN_E_GL: a file, main memory or OpenGL failed.
 *
 *  After an error, a function that makes a learner or a trainer has set `*out` to NULL.
 *
 *  Training with the same seed, data, layout, device and device profile (glnn/context.h) gives the
 *  same parameters, bit for bit. */
#ifndef GLNN_TRAIN_H
#define GLNN_TRAIN_H

#include <glnn/dataset.h>
#include <glnn/distortion.h>
#include <glnn/exchange.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** Trains a learner step by step; see glnn/trainer.h. */
typedef struct glnn_trainer glnn_trainer;

/** Collects the reports of epochs; see glnn/curve.h. @since 0.2 */
typedef struct glnn_curve glnn_curve;

/** How to load a learner: the choices that depend on the device, so that files do not hold them. */
typedef struct glnn_load_desc {
    glnn_layout layout; /**< of parameters and batches; 0: AUTO                                  */
    int capacity;       /**< most samples in one list of passes; 0: 1024                         */
} glnn_load_desc;

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
} glnn_schedule;

/** The rate at a step of a schedule; 0 for NULL. The function checks nothing, and does not know the
 * default of a learner: `rate` has to be above 0.
 *
 * @thread any.
 * @since  0.1 */
GLNN_API float glnn_schedule_get_rate(const glnn_schedule *schedule, uint64_t step, uint64_t steps,
                                      int epoch);

/** Measures of a learner on samples. w is the weight of a sample (glnn_dataset_desc), y the outputs
 * and t the target. The structure has no member `size`, because other structures contain it; new
 * numbers will take the place of `reserved`. */
typedef struct glnn_metrics {
    double loss;          /**< mean over the samples of w times loss                             */
    double accuracy;      /**< share of samples classified right; 0 if it is not counted         */
    double squared_error; /**< mean over samples and outputs of w (y - t)^2; NAN unless targets
                               are learnt                                                        */
    double r_squared;     /**< 1 - sum w (y - t)^2 / sum w (t - m)^2, where m is the mean target of
                               the data set: 1 is perfect, 0 as good as the mean. NAN unless targets
                               are learnt, and if all are equal or in a matrix of the program    */
    double reserved[4];   /**< zeros; room for later versions                                    */
} glnn_metrics;

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
    int batches;               /**< batches of an epoch                                          */
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

/** The value of glnn_train_desc::batch that makes one batch of all training samples. */
#define GLNN_FULL_BATCH (-1)

/** Describes a training. Zeros are defaults. Training refuses numbers that are not finite, and
 * negative ones unless the field allows them. @ref unused_numbers "Numbers without effect" says
 * which others it refuses. */
typedef struct glnn_train_desc {
    int epochs; /**< 0: 10 for networks and LVQ, 100 for k-means and mixtures                    */

    /** Samples of a batch. More than there are means all. 0: 128 for networks and LVQ, and
     * GLNN_FULL_BATCH for k-means, mixtures and networks with ::GLNN_OPTIMIZER_RPROP. Mixtures take
     * only the full batch, and refuse numbers above 0. */
    int batch;

    int accumulate; /**< batches of one step; 0: 1. Mixtures, and k-means with the full batch,
                         refuse more than 1                                                      */
    glnn_schedule schedule;         /**< of the learning rate. K-means and mixtures have none    */
    uint64_t seed;                  /**< of the order of samples and of the split                */
    bool keep_order;                /**< do not shuffle the samples                              */
    float emphasis;                 /**< exponent of the recent loss of a sample in the probability
                                         of its presentation, at most 4; see @ref emphasis. 0: each
                                         epoch presents each sample once                         */
    const glnn_dataset *validation; /**< measured after each epoch; NULL: none, or a split       */
    float validation_split;         /**< share of the samples kept for validation, in [0, 1); at
                                         least one sample. Refused together with `validation`. 0: no
                                         split                                                   */
    glnn_distortion distortion;     /**< of the images of each batch; refused with
                                         ::GLNN_OPTIMIZER_RPROP. Zeros: none                     */
    int patience;                   /**< stop after so many epochs without a better validation loss.
                                         It needs validation or a split. 0: never                */
    float min_improvement;          /**< a loss is better if it is lower by more than this       */
    bool restore_best;              /**< end with the parameters of the epoch with the best
                                         validation loss, or training loss without validation    */
    glnn_report_fn report;          /**< NULL: no reports                                        */
    void *user;                     /**< passed to `report`                                      */
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
     * continues from the previous one, FILE.1, with a warning in the log. If both are missing,
     * training begins. Refused without `checkpoint`. */
    bool resume;

    /** Begin anew, and replace the checkpoints of a former training. Without `resume` and
     * `overwrite`, training fails with GLNN_E_ARG if FILE or FILE.1 exists. Refused without
     * `checkpoint`, and together with `resume`. @since 0.2 */
    bool overwrite;

    /** Training by several processes (glnn/exchange.h). `batch` then counts the samples of all
     * processes; zeros: this process trains alone. */
    glnn_exchange_desc exchange;
} glnn_train_desc;

/** The result of a training. */
typedef struct glnn_train_result {
    size_t size;             /**< set by the caller: sizeof(glnn_train_result)                   */
    int epochs;              /**< completed epochs                                               */
    uint64_t steps;          /**< steps made                                                     */
    bool stopped;            /**< training ended early: by the report function, by patience, or
                                  because the learner converged                                  */
    int best_epoch;          /**< from 1; 0 without a completed epoch                            */
    glnn_metrics training;   /**< of the training samples in the last epoch                      */
    glnn_metrics validation; /**< after the last epoch; 0 and NAN without validation             */
    double seconds;          /**< wall clock of training and validation                          */
    double train_seconds;    /**< wall clock of training without validation                      */
} glnn_train_result;

/** @} */

#ifdef __cplusplus
}
#endif
#endif
