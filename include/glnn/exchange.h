/** @file
 *  @ingroup glnn_train
 *  @brief Training by several processes, each with a device of its own.
 *
 *  Several *processes* train one learner together. Each of them has a *rank*, from 0. All of them
 *  make the same calls with the same descriptions on the same data set, and each computes its share
 *  of every batch. They then exchange numbers, so that all of them have the same parameters.
 *
 *  A *messenger* carries the numbers. The library libglnn-mpi has one that uses MPI (glnn/mpi.h). A
 *  program can also write its own, for example for the threads of one process or for sockets.
 *
 *      glnn_train_desc desc = {.batch = 2048, .exchange = {.messenger = messenger}};
 *      glnn_status status = glnn_learner_train(network, data, &desc, NULL);
 *
 *  ### Kinds of exchange
 *
 *  - GRADIENTS: the gradients of all processes are summed before each update. This starts with the
 *    last layer, as soon as its gradient is there, while the device computes those of the layers
 *    before it.
 *  - ACTIVATIONS: all processes receive the inputs and the deltas of a dense layer for the whole
 *    batch, and each computes the whole gradient. Let M and N be the inputs and outputs of the
 *    layer and B the samples of the batch. It sends fewer numbers than GRADIENTS if B (M + N) <
 *    2 M N. Layers for which this holds exchange activations, if the share of each process fits its
 *    matrices at once. The other layers exchange gradients. The method is described in the patent
 *    CN103996069B (2013); it is used only if the description asks for it.
 *  - AVERAGES: each process updates its own parameters by its share of the batch. After every few
 *    steps, the parameters become their mean over all processes, weighted by the samples of each.
 *    The state of the optimizer becomes its mean at the end of an epoch. Both are also averaged
 *    before each checkpoint.
 *  - AUTO: GRADIENTS, or AVERAGES if that is faster. See @ref exchange_plan.
 *
 *  ### Costs
 *
 *  Let P be the parameters of a layer and n the processes. Numbers have 32 bits. A matrix is read
 *  into a pixel buffer and written from one, so each of its numbers crosses the bus twice in each
 *  step with GRADIENTS: P numbers of each process, which the messenger sums. A pass for each layer
 *  updates the parameters. With ACTIVATIONS a process reads B (M + N) / n numbers and writes the
 *  others of B (M + N), and computes n products in place of one. With AVERAGES, P numbers cross the
 *  bus after every few steps, and the steps between take no more passes than those of one process.
 *  The sums of several layers are under way at once, while the device computes. The log names the
 *  choice for each layer before the first step.
 *
 *  @anchor exchange_plan
 *  ### The plan
 *
 *  Before the first step, the processes measure together how fast they are: a step that each of
 *  them makes alone, and a step with each kind that the description allows. All of them then use
 *  the same numbers, so they make the same choice. The steps that are measured leave no trace:
 *  parameters, state of the optimizer and random numbers are as before, bit for bit. This takes
 *  about as long as twenty steps, and about half a second if a step is short.
 *
 *  AUTO chooses by these steps. GRADIENTS are *hidden* if the slowest process alone takes at least
 *  nine tenths of the time of a step of all processes. AUTO takes GRADIENTS if they are hidden, and
 *  otherwise the fastest of GRADIENTS, AVERAGES and, if glnn_exchange_desc::allow_activations is
 *  set, ACTIVATIONS. The last two have to save a fifth of the time. AVERAGES computes something
 *  else than GRADIENTS, so a training may need more epochs. Name the kind to exclude this. AUTO
 *  does not choose AVERAGES for networks whose optimizer is iRprop- or keeps parameters in two
 *  parts. Support vector machines exchange GRADIENTS or AVERAGES. LVQ, k-means and mixtures always
 *  exchange gradients.
 *
 *  The structure glnn_exchange_plan has the choice with the times that were measured.
 *  glnn_trainer_get_exchange_plan() fills it, and so does training if glnn_exchange_desc::plan
 *  points to one. The log has its sentence.
 *
 *  Nothing is measured if the tuning of the context of one of the processes is
 *  GLNN_TUNING_OFF, or if that context cannot store its device profile (glnn/context.h). AUTO is
 *  then GRADIENTS. Measured times differ from one run to the next, and a training that continues
 *  from a checkpoint measures again. A training that has to be repeated bit by bit therefore names
 *  its kind, or measures nothing.
 *
 *  ### Rules
 *
 *  Before the first step the processes compare the version of the library, the stage, the layout,
 *  the descriptions of learner and training, the data sets and the parameters. If one of them
 *  differs from rank 0, training fails with GLNN_E_ARG on all processes. The sentence names the
 *  rank and the first difference. A description of more than a megabyte is refused, too. Data sets
 *  are compared as for a checkpoint (glnn/train.h): all numbers of resident ones, and some of
 *  streams.
 *
 *  Each process reads only its share of a batch, one sample after the other. Random numbers of a
 *  sample depend on its place in the whole batch. The metrics of reports and results are those of
 *  all processes, so all of them take the same decisions: the best epoch, the end by patience, an
 *  error GLNN_E_DIVERGED.
 *
 *  The report functions of all processes are called after the same steps with the same metrics. If
 *  one of them returns false, all processes stop after the step that follows.
 *
 *  If a call fails on one process, the others fail with GLNN_E_PROCESS and a sentence that names
 *  it. All processes make the same calls of a trainer, with numbers of steps
 *  instead of time limits. glnn_trainer_evaluate() is an exception: it
 *  measures on the process that calls it.
 *
 *  ### Shares
 *
 *  Each process computes a share of every batch, and of the validation samples. The shares are in
 *  proportion to the weights of the processes: glnn_exchange_desc::share, finite and positive. With
 *  1 and 3, the first of two processes computes a quarter. Shares are whole samples: each process
 *  has its exact share rounded down, and those with the largest remainders have one sample more,
 *  lower ranks first. A process may have no sample of a small batch. Either all processes give a
 *  weight or none does; otherwise training fails with GLNN_E_ARG on all processes, and the sentence
 *  names the rank.
 *
 *  Without weights, all processes whose devices have the same name and driver have equal shares. If
 *  the devices differ and all processes can measure (see above), each process measures a step alone
 *  before the first one. A device counts with its fastest process. If the slowest device takes more
 *  than 1.25 times as long as the fastest, the weights are its speeds, rounded to eighths of the
 *  greatest and at least one eighth; otherwise all shares are equal. A training on different
 *  devices that has to be repeated bit by bit gives weights. The log names all shares.
 *
 *  ### Device profiles
 *
 *  The device profile decides the order of sums. Before the first operation of a training, the
 *  processes whose device and driver are those of rank 0 take the tuning and the device profile of
 *  rank 0. Rank 0 measures the missing parts of its profile before. From then on the contexts of
 *  these processes, and of rank 0, measure nothing more for plans. Files on disk are not changed.
 *  Processes with another device keep their own profile, and the log names them.
 *
 *  ### Numbers
 *
 *  With GRADIENTS and ACTIVATIONS, a training by N processes computes the same sums as a training
 *  by one, in another order. Layers of batch normalisation are an exception: each process takes
 *  means and variances over its own share of the batch, as it does over a part of a batch. After
 *  each step, its running statistics become their mean over all processes, weighted by the samples
 *  of each.
 *
 *  All processes end with the same bits if their devices are the same. With GRADIENTS they also do
 *  so on different devices that round alike, apart from layers of batch normalisation. With
 *  ACTIVATIONS each process computes the whole gradient, so a device of another kind may round it
 *  differently, and the parameters of the processes drift apart by such differences. */
#ifndef GLNN_EXCHANGE_H
#define GLNN_EXCHANGE_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** Carries numbers between the processes of a training.
 *
 * The program fills the structure. The library calls the functions from the thread that trains. A
 * *message* is under way from its begin function to `end`; its number is from 0 to 2047, and no
 * other message under way has the same. All processes call `gather` and the two begin functions in
 * the same order with the same counts. They end messages in the same order too, but a message can
 * begin earlier or later than another one ends.
 *
 * A process may begin a number again as soon as it has ended it, while another process has not
 * ended it yet. So a messenger assigns messages by their order, not by their numbers alone.
 *
 * A function that fails returns a status other than GLNN_OK, and `get_error` then returns the
 * sentence, which names the rank of the process that caused it. The functions must not wait for a
 * process for ever. After a failure, the library calls only `fail`, `get_error` and `release`, and
 * frees the numbers of the messages under way: the messenger must not touch them after that. It
 * does not call `fail` if a function of the messenger itself has failed: the messenger then tells
 * the others by itself, or they wait until their own limit. The same holds for a process that
 * refuses its messenger, for example because a function is null.
 *
 * Before the first step, the library calls `gather` about ten times, and about fifty times if it
 * measures. A step of GRADIENTS or ACTIVATIONS has one message for each layer with parameters, or a
 * few more, and `is_done` is called a few times for each message under way. An epoch ends with a
 * message for its metrics. */
typedef struct glnn_messenger {
    size_t size; /**< set by the program: sizeof(glnn_messenger)                                 */
    int rank;    /**< of this process, from 0                                                    */
    int ranks;   /**< processes                                                                  */
    int host_ranks; /**< processes on the host of this one, with itself, which share its cores:
                         each copies large matrices by its share of them, and by at most four.
                         0: unknown; one core copies                                             */
    void *user; /**< passed to the functions                                                    */

    /** Copies `bytes` bytes of each process to `all`, in the order of the ranks; waits for them. */
    glnn_status (*gather)(void *user, const void *own, size_t bytes, void *all);

    /** Begins to sum `count` numbers of each process, in place. All processes receive the same
     * bits, and the order of the sum depends only on `ranks`, their hosts and `count`. */
    glnn_status (*begin_sum)(void *user, int number, float *values, size_t count);

    /** Begins to gather. The bytes of process r are those from begins[r] to begins[r + 1] - 1 of
     * `values`, where those of this process already are. `begins` has ranks + 1 elements, which the
     * function copies. */
    glnn_status (*begin_gather)(void *user, int number, void *values, const size_t *begins);

    /** Sets *done to whether the numbers of a message have arrived; does not wait. The message is
     * still under way. */
    glnn_status (*is_done)(void *user, int number, bool *done);

    /** Waits until the numbers of a message have arrived. It is no longer under way then. */
    glnn_status (*end)(void *user, int number);

    /** Tells all other processes that this one has failed, so that their calls fail with a sentence
     * that names this process and has `sentence` in it. */
    void (*fail)(void *user, const char *sentence);

    /** The sentence of the latest failure; valid until the next call of a function. */
    const char *(*get_error)(void *user);

    /** Allocates memory for the values of messages, aligned to 64 bytes. Messages in it may travel
     * faster, and those in other memory travel too. It is not a message: each process calls it when
     * it needs memory. It fails with GLNN_E_NOMEM if memory runs out. NULL, with `release`: the
     * library takes memory of its own. */
    glnn_status (*allocate)(void *user, size_t bytes, void **out);

    /** Frees memory of `allocate` that no message under way needs. NULL is ignored. */
    void (*release)(void *user, void *memory);

    /** Says that long work of this process begins (`is_busy`) or ends: it measures its device,
     * tries plans, or compiles programs. Others that wait for it meanwhile should do so for longer
     * than usual. The library calls it in turn with true and false, also between the beginning and
     * the end of a message. NULL: the messenger is not told. */
    void (*set_busy)(void *user, bool is_busy);
} glnn_messenger;

/** The numbers that processes exchange. */
typedef enum glnn_exchange_kind {
    GLNN_EXCHANGE_AUTO = 0,    /**< GRADIENTS, or AVERAGES if that is faster: see
                                    @ref exchange_plan                                           */
    GLNN_EXCHANGE_GRADIENTS,   /**< sums of the gradients in each step                           */
    GLNN_EXCHANGE_ACTIVATIONS, /**< inputs and deltas of those dense layers for which this is
                                    expected to be faster, and gradients of the others; networks
                                    only                                                         */
    GLNN_EXCHANGE_AVERAGES,    /**< means of the parameters after every few steps; networks and
                                    support vector machines only                                 */
    GLNN_EXCHANGE_COUNT
} glnn_exchange_kind;

/** The name of a kind: "auto", "gradients", "activations", "averages". @since 0.2 */
GLNN_API const char *glnn_exchange_kind_name(glnn_exchange_kind kind);

/** The kind with a name. @since 0.2 */
GLNN_API glnn_status glnn_exchange_kind_from_name(const char *name, glnn_exchange_kind *out);

/** The most layers of a plan. */
#define GLNN_EXCHANGE_MAX_LAYERS 64

/** A layer in the plan of an exchange: one of a network that has parameters. A learner of another
 * kind is one layer. Times are in seconds. */
typedef struct glnn_exchange_layer {
    int layer;               /**< its number in the network, from 0                              */
    const char *name;        /**< "dense", ..., or "lvq", "kmeans", "gmm"; a constant            */
    glnn_exchange_kind kind; /**< GRADIENTS, ACTIVATIONS or AVERAGES                             */
    glnn_exchange_kind fewer_numbers; /**< ACTIVATIONS for a dense layer with B (M + N) < 2 M N,
                                           if the processes can gather them; else GRADIENTS      */
    double numbers;          /**< that each process hands in at a time. Of a learner that is not a
                                  network: at the latest time, and 0 before the first one        */
    double measured_seconds; /**< the least time so far, from when the process has seen that the
                                  device had computed the numbers until it has seen that those of
                                  all processes had arrived; 0 before the first time. It looks when
                                  it exchanges other numbers, and waits only at the end of a step.
                                  Numbers also wait for those of other layers and processes      */
} glnn_exchange_layer;

/** The plan of the exchange of a training. Times are in seconds; 0: not measured, or not yet. */
typedef struct glnn_exchange_plan {
    size_t size;             /**< set by the caller: sizeof(glnn_exchange_plan)                  */
    int processes;           /**< 1: one process trains alone                                    */
    glnn_exchange_kind kind; /**< GRADIENTS, ACTIVATIONS or AVERAGES                             */
    int every;               /**< AVERAGES: steps between two means; else 0                      */
    bool measured;           /**< the plan was made from measured times                          */
    double alone_seconds;    /**< a step of one process with its share of the samples and without
                                  an exchange: the mean over the processes, which measure it at the
                                  same time                                                      */
    double alone_samples_per_second; /**< of such a step: the mean over the processes            */
    double expected_seconds;         /**< a step of all processes, as measured before the training.
                                          Sums of an epoch are not included                      */
    double expected_speedup;         /**< samples a second of all processes in such a step, divided
                                          by alone_samples_per_second                            */
    double measured_seconds; /**< a step of the training so far: the mean over whole epochs, without
                                  the first step, which compiles programs. With AVERAGES, a process
                                  that never has a sample compiles none, and all of its steps
                                  count, with the time that it waits for the others              */
    double measured_speedup; /**< samples a second of these steps, divided by
                                  alone_samples_per_second                                       */
    char sentence[320];      /**< the choice and its reason                                      */
    int layer_count;         /**< of `layers`; 0 if one process trains alone                     */
    glnn_exchange_layer layers[GLNN_EXCHANGE_MAX_LAYERS]; /**< from input to output              */
} glnn_exchange_plan;

/** Describes the exchange of a training. Zeros: one process trains alone. */
typedef struct glnn_exchange_desc {
    const glnn_messenger *messenger; /**< NULL: none, and the other members have no effect. It has
                                          to exist until training is over                        */
    glnn_exchange_kind kind;         /**< 0: AUTO                                                 */
    int every; /**< AVERAGES, also if AUTO chooses it: steps between two means; 0: 16            */
    bool allow_activations;   /**< AUTO may choose ACTIVATIONS; refused with another kind         */
    glnn_exchange_plan *plan; /**< receives the plan before the first step, after each epoch and at
                                   the end; NULL: none. It has to exist until training is over   */
    float share; /**< weight of the samples of this process among those of all, on all processes
                      or none; 0: equal, or by the measured speed of different devices           */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_exchange_desc;

/** @} */

#ifdef __cplusplus
}
#endif
#endif
