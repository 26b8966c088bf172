/* Training by several processes: the options of the exchange, and printing by one process. */
#ifndef EXAMPLES_DISTRIBUTED_H
#define EXAMPLES_DISTRIBUTED_H

#include <glnn/dataset.h>
#include <glnn/train.h>

#include <stdbool.h>

typedef struct distributed distributed;

/* The values of the options. */
typedef struct distributed_options {
    bool wanted;
    glnn_exchange_kind kind;
    int every;
} distributed_options;

/* The rows of the options, of a program that has OPTION_NAMES(exchange_kind), and `member` in its
 * settings. */
#define DISTRIBUTED_ROWS(member)                                                                   \
    {"distributed", OPTION_FLAG, offsetof(settings, member.wanted),                                \
     .help = "train by all processes that mpirun has started, each with a device of its own"},     \
        {"exchange",                                                                               \
         OPTION_CHOICE,                                                                            \
         offsetof(settings, member.kind),                                                          \
         NULL,                                                                                     \
         "auto",                                                                                   \
         "the numbers that processes exchange",                                                    \
         GLNN_EXCHANGE_AUTO,                                                                       \
         GLNN_EXCHANGE_COUNT - 1,                                                                  \
         .name_of = option_exchange_kind},                                                         \
    {                                                                                              \
        "exchange-every", OPTION_INTEGER, offsetof(settings, member.every), "K", NULL,             \
            "steps between two averages", .of = GLNN_DESCRIPTION_TRAIN,                            \
                                          .library_field = "exchange.every"                        \
    }

/* For the check of the table: without --distributed the other options are refused. */
bool distributed_check(const distributed_options *options);

/* Joins the other processes, and prints ranks and devices. *out is NULL unless this is wanted. Only
 * rank 0 prints after this: the standard output of the others goes to /dev/null. */
bool distributed_start(const distributed_options *options, distributed **out);

/* The EGL device of this process; `device` if it trains alone. */
int distributed_device(const distributed *with, int device);

/* For glnn_train_desc::exchange; zeros if this process trains alone. The plan of the exchange goes
 * to `with`. */
glnn_exchange_desc distributed_exchange(distributed *with);

/* Whether this process writes files. */
bool distributed_is_first(const distributed *with);

/* Prints the plan of the exchange with its times, and the samples a second of all processes
 * together; nothing if this process trains alone. */
void distributed_show(const distributed *with, const glnn_dataset *data,
                      const glnn_train_result *result);

/* Waits for the others to come here, and leaves them. */
void distributed_end(distributed *with);

#endif
