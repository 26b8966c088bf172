/* A messenger that hands each call on to another one, and lets a test do something around it. */
#ifndef TESTS_RELAY_H
#define TESTS_RELAY_H

#include <glnn/exchange.h>

typedef enum relay_call { RELAY_GATHER, RELAY_BEGIN, RELAY_IS_DONE, RELAY_END } relay_call;

typedef struct relay {
    const glnn_messenger *inner;
    /* Before a call; if it fails, the call is not handed on and has this status. NULL: nothing. */
    glnn_status (*before)(struct relay *self, relay_call call);
    /* After a call that was handed on. NULL: nothing. */
    void (*after)(struct relay *self, relay_call call);
} relay;

/* `user` is the relay, so that a test can put functions of its own in the place of others. */
glnn_messenger relay_messenger(relay *of);

#endif
