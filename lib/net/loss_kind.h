/* The kinds of losses: what they ask of a network, and expressions that the program gives. */
#ifndef GLNN__NET_LOSS_KIND_H
#define GLNN__NET_LOSS_KIND_H

#include <glnn/network.h>

typedef struct glnn__loss_kind {
    const char *words;        /* for sentences; NULL: its name                             */
    bool needs_labels;        /* a single output tells two classes apart                   */
    bool gives_probabilities; /* of a softmax or sigmoid, which follows the last layer     */
    float parameter;          /* the meaning of a loss_parameter of 0; 0: it has none      */
    float limit;              /* the parameter has to be below it; 0: it need not          */
} glnn__loss_kind;

const glnn__loss_kind *glnn__loss_kind_of(glnn_loss loss);

/* Checks a parameter of a loss, and fills in its default. */
glnn_status glnn__loss_check_parameter(glnn_loss loss, float *parameter);

/* Checks the fields of the description that only some losses use. */
glnn_status glnn__loss_check(const glnn_network_desc *desc);

/* Whether an output has this loss. */
bool glnn__loss_is_used(const glnn_network_desc *desc, glnn_loss loss);

/* The expressions of a loss. */
typedef struct glnn__loss_expressions {
    char *value, *derivative; /* NULL: the loss has none */
    char *both;               /* for the passes that need them */
} glnn__loss_expressions;

/* Copies the expressions of the description, to which it then points, and compiles them.
 * Errors: E_NOMEM; E_SHADER. The caller passes `out` to the function below, also after a
 * failure. */
glnn_status glnn__loss_expressions_create(glnn_context *ctx, glnn_network_desc *desc,
                                          glnn__loss_expressions *out);
void glnn__loss_expressions_destroy(glnn__loss_expressions *of);

#endif
