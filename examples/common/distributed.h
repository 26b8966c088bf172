/* Training by several processes: the option --distributed, and printing by one of them. */
#ifndef EXAMPLES_DISTRIBUTED_H
#define EXAMPLES_DISTRIBUTED_H

#include <glnn/dataset.h>
#include <glnn/train.h>

#include <stdbool.h>

#define DISTRIBUTED_HELP                                                                           \
    "train by all processes that mpirun has started, each with a device of its own"

typedef struct distributed distributed;

/* Joins the other processes, and prints ranks and devices. *out is NULL unless `wanted`. Only rank
 * 0 prints after this: the standard output of the others goes to /dev/null. */
bool distributed_start(bool wanted, distributed **out);

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
