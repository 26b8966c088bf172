/* The cases whose commands are counted: training steps, uses of networks, and operations. */
#ifndef TESTS_COST_CASES_H
#define TESTS_COST_CASES_H

#include <glnn/lvq.h>
#include <glnn/network.h>
#include <glnn/trainer.h>

typedef struct cost_subject {
    glnn_context *ctx;
    glnn_learner *network;
    glnn_learner *lvq;
    glnn_dataset *data;
    glnn_trainer *trainer;
    glnn_matrix *a, *b, *c, *column;
    float *numbers; /* of all samples or of a matrix */
} cost_subject;

typedef struct cost_case {
    const char *name;
    void (*prepare)(cost_subject *s, int size); /* once                            */
    glnn_status (*act)(cost_subject *s);        /* counted                         */
    int size;                                   /* samples, or the side of a matrix */
} cost_case;

extern const cost_case cost_cases[];
extern const size_t cost_case_count;

/* Prepares a case, whose numbers release_all frees, and destroys the rest. */
cost_subject cost_subject_new(glnn_context *ctx, const cost_case *of);
void cost_subject_free(cost_subject *s);

#endif
