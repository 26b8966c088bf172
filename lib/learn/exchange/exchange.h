/* The exchange of numbers between the processes of a training.
 *
 * A learner begins a sum when the passes that compute a matrix have been submitted, and ends it
 * before the passes that read the sum are submitted. In between, the matrix travels: from its
 * texture to a pixel buffer, to the messenger, and back. Nothing waits before glnn__exchange_end.
 * All processes have the same layouts, so that texels travel as they are.
 *
 * Each message has a *number*. Messages that are under way at the same time have different numbers.
 * All processes begin the same messages in the same order, and end them in the same order.
 *
 * If the exchange is NULL, one process trains alone, and these functions do nothing. Messages of
 * matrices can be recorded in lists (pass/list.h). */
#ifndef GLNN__LEARN_EXCHANGE_EXCHANGE_H
#define GLNN__LEARN_EXCHANGE_EXCHANGE_H

#include "io/fields.h"
#include "tex/matrix.h"

#include <glnn/exchange.h>

typedef struct glnn__exchange glnn__exchange;

/* Numbers of messages. Tensors and sinks use those below GLNN__EXCHANGE_LEARNER: layer i has 2 i
 * and 2 i + 1, and others begin at GLNN__EXCHANGE_TENSORS. */
enum {
    GLNN__EXCHANGE_TENSORS = 512,
    GLNN__EXCHANGE_WITHIN = 1022, /* within a step */
    GLNN__EXCHANGE_VALUES,        /* in main memory */
    GLNN__EXCHANGE_LEARNER,
    GLNN__EXCHANGE_METRICS = GLNN__EXCHANGE_LEARNER,
    GLNN__EXCHANGE_STOP,
    GLNN__EXCHANGE_PARTIAL,
    GLNN__EXCHANGE_SPREAD
};

/* The fields of a glnn_exchange_desc. */
extern const glnn__fields glnn__exchange_fields;

/* Checks how the members go together; E_ARG sentences name them. The check of each comes when the
 * other processes can be told. */
glnn_status glnn__exchange_check(const glnn_exchange_desc *desc);

/* *out is NULL if the description has no messenger, or if that has one process. */
glnn_status glnn__exchange_create(glnn_context *ctx, const glnn_exchange_desc *desc,
                                  glnn__exchange **out);

/* Waits for messages under way, unless a process has failed. NULL does nothing. */
void glnn__exchange_destroy(glnn__exchange *exchange);

int glnn__exchange_rank(const glnn__exchange *exchange);  /* without one 0 */
int glnn__exchange_ranks(const glnn__exchange *exchange); /* without one 1 */

/* Chooses the kind of exchange from the next step on; `every` is for AVERAGES, 0: the default. All
 * processes choose the same between two steps. */
void glnn__exchange_choose(glnn__exchange *exchange, glnn_exchange_kind kind, int every);

/* The same for one layer under ACTIVATIONS; all layers sum gradients before. */
void glnn__exchange_choose_layer(glnn__exchange *exchange, int layer, glnn_exchange_kind kind);

/* Whether a layer exchanges activations. */
bool glnn__exchange_gathers(const glnn__exchange *exchange, int layer);

/* Whether the parameters are exchanged, and after how many steps; without an exchange 0. */
int glnn__exchange_averages(const glnn__exchange *exchange);

/* ---- weights.c */

/* Sets the weights of all ranks, positive and finite: their shares are in proportion to them.
 * Without this call they are equal. */
void glnn__exchange_set_weights(glnn__exchange *exchange, const double *weights);

/* The weight of a rank, where those of all ranks sum up to 1; without an exchange 1. The least
 * one. */
double glnn__exchange_weight(const glnn__exchange *exchange, int rank);
double glnn__exchange_least_weight(const glnn__exchange *exchange);

/* Counts the samples of a step, of this process and of all. The other function returns the weight
 * of this process in an average, by the samples since the latest one, or without any by its
 * share. */
void glnn__exchange_count_samples(glnn__exchange *exchange, int own, int all);
float glnn__exchange_take_weight(glnn__exchange *exchange);

/* This process's share of `count` samples: the samples from *first on. Shares of all processes
 * follow one another in the order of the ranks. Each is the exact share, rounded down or up; among
 * equal ones the first ranks may have one sample more. */
int glnn__exchange_share(glnn__exchange *exchange, int count, int *first);

/* The most samples that the share of a rank, or of any rank, has in a batch of at most `count`
 * samples. */
int glnn__exchange_most(const glnn__exchange *exchange, int count, int rank);
int glnn__exchange_most_of_all(const glnn__exchange *exchange, int count);

/* Gives each of `count` whole batches to one rank, in proportion to the weights. */
glnn_status glnn__exchange_take_turns(glnn__exchange *exchange, int count);

/* The rank that has whole batch `number`. */
int glnn__exchange_turn(const glnn__exchange *exchange, int number);

/* ---- message.c */

/* Begins to sum a matrix over all processes, which is FLOAT32 and not PAGED. */
glnn_status glnn__exchange_begin(glnn__exchange *exchange, int number, glnn_matrix *matrix);

/* The same for `weight` times the matrix. Each process has its own weight. */
glnn_status glnn__exchange_begin_weighted(glnn__exchange *exchange, int number, float weight,
                                          glnn_matrix *matrix);

/* Begins to gather the matrices `own` of all processes: at the end, all[r] is a copy of that of
 * rank r. Each all[r] has as many rows as the matrix of rank r, and the columns and the layout of
 * `own`. The element of this rank itself is not used. `all` is copied. */
glnn_status glnn__exchange_begin_gather(glnn__exchange *exchange, int number, glnn_matrix *own,
                                        glnn_matrix *const *all);

/* Begins to sum numbers in main memory over all processes, in place. The caller must not touch them
 * until the message has ended. */
glnn_status glnn__exchange_begin_numbers(glnn__exchange *exchange, int number, float *values,
                                         size_t count);

/* Ends a message: passes that are submitted after this find the sum in the matrix. */
glnn_status glnn__exchange_end(glnn__exchange *exchange, int number);

/* The sums of a message that has ended, as the texels of its matrix; valid until the number is used
 * again. */
const float *glnn__exchange_get_sums(const glnn__exchange *exchange, int number);

/* The shortest time that a message of this number has taken so far. It begins when this process
 * sees that the device has computed the numbers, and ends when it sees that the sums have arrived.
 * 0: none has arrived. */
double glnn__exchange_get_seconds(const glnn__exchange *exchange, int number);

/* How many numbers this process gave to the latest messages `first` to `first` + `count` - 1. */
double glnn__exchange_count_numbers(const glnn__exchange *exchange, int first, int count);

/* Sets the shortest times of all messages back to 0. */
void glnn__exchange_forget_seconds(glnn__exchange *exchange);

/* Copies `bytes` bytes of each process to `all`, in the order of the ranks; waits. */
glnn_status glnn__exchange_gather(glnn__exchange *exchange, const void *own, size_t bytes,
                                  void *all);

/* Copies `bytes` bytes of rank 0 to all processes; waits. */
glnn_status glnn__exchange_spread(glnn__exchange *exchange, void *values, size_t bytes);

/* Sums numbers over all processes, in the order of the ranks; waits. */
glnn_status glnn__exchange_sum(glnn__exchange *exchange, double *values, int count);

/* Keeps of the rows of all processes, each `rows` in the order of their first numbers, the greatest
 * first, the first `rows`. Of equal ones that of the lower rank comes first. Waits. */
glnn_status glnn__exchange_keep_greatest(glnn__exchange *exchange, float *values, size_t rows,
                                         size_t columns);

/* Fails with E_ARG on all processes if they are not in the order of their ranks. Waits. */
glnn_status glnn__exchange_compare_ranks(glnn__exchange *exchange);

/* A text that has to be the same on all processes, as lines of a name, "=" and a value. */
typedef struct glnn__exchange_text {
    const char *subject; /* such as "data set", for the sentence */
    const char *text;
} glnn__exchange_text;

/* Fails with E_ARG on all processes if a text differs; the sentence names the rank and the first
 * difference to rank 0. Waits. */
glnn_status glnn__exchange_compare(glnn__exchange *exchange, const glnn__exchange_text *texts,
                                   int count);

/* Hands an error of rank 0 to all processes: the others fail with E_PROCESS and its sentence. Of
 * the other ranks `status` is not used. Returns OK if rank 0 had no error; waits. */
glnn_status glnn__exchange_answer(glnn__exchange *exchange, glnn_status status);

/* Says that all processes notice the failure by themselves, so that no message about it is sent. */
void glnn__exchange_abandon(glnn__exchange *exchange);

/* Tells the other processes that this one failed with `status`, unless another process caused the
 * failure or all know of it. Returns `status`. */
glnn_status glnn__exchange_fail(glnn__exchange *exchange, glnn_status status);

#endif
