/* A thread with a context of its own, which shares textures and buffers with another one. */
#ifndef BENCH_READBACK_HELPER_H
#define BENCH_READBACK_HELPER_H

#include <stdbool.h>

typedef struct helper helper;
typedef void (*helper_work)(void *state);

/* The context that is current is shared. NULL: it is not one of EGL, or EGL refuses. */
helper *helper_new(void);
void helper_free(helper *h);

/* Hands over work, and waits until it is done. One piece of work at a time. */
void helper_begin(helper *h, helper_work work, void *state);
void helper_end(helper *h);

#endif
