/* The inside of an exchange. */
#ifndef GLNN__LEARN_EXCHANGE_MESSAGE_H
#define GLNN__LEARN_EXCHANGE_MESSAGE_H

#include "base/pool.h"
#include "gl/busy.h"
#include "learn/exchange/exchange.h"
#include "learn/exchange/shares.h"
#include "tex/upload.h"

#include <glnn/network.h>

typedef enum glnn__message_state {
    GLNN__MESSAGE_IDLE,       /* not under way                                          */
    GLNN__MESSAGE_READING,    /* the texels are on their way to the pixel buffer        */
    GLNN__MESSAGE_TRAVELLING, /* the messenger has the numbers                          */
    GLNN__MESSAGE_ARRIVED     /* the sums are on their way to the texture               */
} glnn__message_state;

/* The times at which a message reached its states, and the shortest time that one has taken. */
typedef struct glnn__message_clock {
    double computed; /* the device was seen to have computed the numbers; 0: not yet */
    double handed_over, arrived;
    double least; /* from `computed` to `arrived`; 0: none has arrived */
} glnn__message_clock;

/* The messages that have one number, one after the other. Memory and buffers are kept from one
 * message to the next. */
typedef struct glnn__message {
    int number;
    glnn__message_state state;
    glnn_matrix *matrix; /* NULL: the values are the caller's */
    float weight;        /* of the own numbers */
    void *values;
    size_t count;             /* of the own numbers                                      */
    glnn_matrix **all;        /* of a gather: the matrix of each rank; NULL: a sum       */
    glnn__upload_part *parts; /* of a gather: room for one of each rank              */
    size_t *begins;           /* of a gather: of the bytes of each rank                  */
    void *room;               /* own values; NULL: not needed yet     */
    size_t room_bytes;        /* of it and of the upload              */
    GLuint buffer;            /* receives the texels                  */
    GLsync computed, fence;   /* before and after the texels are read; NULL: none */
    glnn__upload upload;      /* of the sums                          */
    glnn__message_clock clock;
    struct glnn__message *next, *next_reading;
} glnn__message;

struct glnn__exchange {
    glnn_context *ctx;
    glnn_exchange_desc desc; /* defaults filled in */
    const glnn_messenger *messenger;
    glnn__busy_listener listener;          /* tells the messenger of long work */
    glnn__pool *pool;                      /* copies the texels */
    bool gathers[GLNN_NETWORK_MAX_LAYERS]; /* layers that exchange activations */
    bool is_over;  /* a process has failed: the messenger is not called any more */
    bool is_known; /* all processes know of the latest failure                   */
    glnn__shares shares;
    double own_samples, all_samples; /* of the steps since the latest average */
    glnn__message *messages;
    glnn__message *reading; /* those that are READING, in the order in which they were begun */
};

/* The status of a function of the messenger, with its sentence. After an error it is not called any
 * more. */
glnn_status glnn__exchange_check_call(glnn__exchange *exchange, glnn_status status);

/* E_PROCESS with the sentence of the failure, if there was one. */
glnn_status glnn__exchange_check_alive(const glnn__exchange *exchange);

/* The message of a number; NULL: none has begun. */
glnn__message *glnn__messages_find(const glnn__exchange *exchange, int number);

/* Waits until the messenger has all numbers whose messages have begun. */
glnn_status glnn__messages_hand_over(glnn__exchange *exchange);

/* Ends the messages under way, and gives back what they needed. */
void glnn__messages_destroy(glnn__exchange *exchange);

/* ---- texels.c */

/* Describes the texels of a matrix, and makes room for them. `all` has the matrices of all ranks,
 * if the message gathers; NULL: it sums. */
glnn_status glnn__texels_make_room(const glnn__exchange *exchange, glnn__message *message,
                                   glnn_matrix *matrix, glnn_matrix *const *all);
void glnn__texels_free_room(const glnn__exchange *exchange, glnn__message *message);

/* Begins to read the texels into the pixel buffer, and moves those that have arrived to the
 * values. */
glnn_status glnn__texels_read(const glnn__exchange *exchange, glnn__message *message);
glnn_status glnn__texels_take(const glnn__exchange *exchange, glnn__message *message);

/* Begins to upload the values. */
glnn_status glnn__texels_write(const glnn__exchange *exchange, glnn__message *message);

#endif
