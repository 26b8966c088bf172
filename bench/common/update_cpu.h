/* Updates of parameters in C on one core. */
#ifndef BENCH_UPDATE_CPU_H
#define BENCH_UPDATE_CPU_H

#include <glnn/optimizer.h>

typedef struct update_cpu update_cpu;

/* The gradient is random. NULL for an optimizer with noise, which is not measured in C. */
update_cpu *update_cpu_new(const glnn_optimizer *optimizer, int parameters);
void update_cpu_free(update_cpu *u);

/* Work: one update of the update_cpu `state`. */
void update_cpu_step(void *state, int turn);

#endif
