/* An optimizer, and the parameters and the step that it is used for. */
#ifndef GLNN__LEARN_OPTIMIZER_H
#define GLNN__LEARN_OPTIMIZER_H

#include "io/fields.h"
#include "pass/pass.h"

#include <glnn/optimizer.h>

#define GLNN__MAX_STATES 3

typedef struct glnn__parameters {
    int number; /* tells them from others in random numbers */
    glnn_matrix *values;
    glnn_matrix *states[GLNN__MAX_STATES]; /* as glnn_network_get_state_count() lists them */
    glnn_matrix *low;  /* the last of the states, if it has the low digits; NULL: there are none */
    glnn_matrix *copy; /* the values in 16 bits, written with them; NULL: none             */
    glnn_matrix *sum;  /* the gradient so far; NULL: it was never needed */
    glnn__value noise_key[2]; /* slots: of a step's noise                    */

    /* Of a layer of several, whose kind of layer has this name; NULL: of none. The gradient can be
     * a product of the layer's inputs and deltas, which have a row for each sample. */
    const char *name;
    bool is_product;
    struct glnn__gathered *gathered; /* these factors, of all processes; NULL: not needed so far */
} glnn__parameters;

/* A step of the optimizer. */
typedef struct glnn__optimizer_step {
    float weight; /* of the gradient: 1 / samples of the whole batch */
    float rate;
    uint64_t seed; /* of the network                      */
    uint64_t step; /* the number of this step, from 1     */
} glnn__optimizer_step;

/* Slots: the numbers by which a step updates parameters. `factor` times the gradient goes into the
 * optimizer's rule, and the change is added to `kept` times the parameters. */
typedef struct glnn__optimizer_slots {
    glnn__value weight, factor, weighted_factor, kept;
    glnn__value decay, rate, former_rate, mean_correction, square_correction, deviation;
} glnn__optimizer_slots;

/* Fills the slots for a step: those of all parameters, and those of one of them. */
void glnn__optimizer_fill(const glnn_optimizer *optimizer, const glnn__optimizer_step *step,
                          glnn__optimizer_slots *out);
void glnn__parameters_fill(const glnn_optimizer *optimizer, const glnn__optimizer_step *step,
                           glnn__parameters *parameters);

/* The number of states of the optimizer. */
int glnn__optimizer_states(const glnn_optimizer *optimizer);

/* The fields of a description. */
extern const glnn__fields glnn__optimizer_fields;

/* Checks how the numbers go together, after the check of each, and fills in what depends on the
 * kind. */
glnn_status glnn__optimizer_check(glnn_optimizer *optimizer);

/* Fails with E_ARG if numbers cannot be those of a state: a mean of squares is negative, or a step
 * of RPROP is neither 0, before the first update, nor in its range. */
glnn_status glnn__optimizer_check_state(const glnn_optimizer *optimizer, int state, size_t count,
                                        const float *values);

#endif
