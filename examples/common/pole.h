/* Carts that learn to balance a pole by policy gradient, moment by moment: for a program of its own
 * (examples/pole.c), and for the frames of a window (examples/guest.c). */
#ifndef EXAMPLES_POLE_H
#define EXAMPLES_POLE_H

#include <glnn/network.h>

#include <stdbool.h>
#include <stdint.h>

/* A round has so many carts, each with its own pole, and so many moments. */
enum { POLE_CARTS = 16, POLE_MOMENTS = 200, POLE_SAMPLES = POLE_CARTS * POLE_MOMENTS };
enum { POLE_NUMBERS = 4 }; /* that the network sees of a cart */

typedef struct pole_cart {
    float position, speed, angle, turning;
} pole_cart;

typedef struct pole_agent {
    glnn_context *ctx;
    glnn_learner *network;
    glnn_matrix *now, *scores;                /* of one moment */
    glnn_matrix *all, *all_scores, *gradient; /* of a round    */
    uint64_t random;

    /* The round under way. Sample t * POLE_CARTS + i is moment t of cart i. */
    int moment;
    pole_cart carts[POLE_CARTS];
    int lengths[POLE_CARTS]; /* moments until its pole fell */
    float seen[POLE_SAMPLES][POLE_NUMBERS], pushed[POLE_SAMPLES];
    float weights[POLE_SAMPLES], slopes[POLE_SAMPLES];
    double mean_length; /* of the round before */
} pole_agent;

/* Failures end the program, as with CHECK. */
pole_agent *pole_create(glnn_context *ctx);
void pole_destroy(pole_agent *agent);

/* Moves all carts by a moment of 20 ms. After the last moment of a round the network learns from
 * all of them, and the function returns true. */
bool pole_step(pole_agent *agent);

#endif
