/* A mixture in files, and the texts by which checkpoints recognise it. */
#include "mixtures/gmm.h"

#include "base/status.h"
#include "learn/learner_file.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void describe(const void *self, void *description)
{
    *(glnn_gmm_desc *)description = ((const glnn__gmm *)self)->desc;
}

static void print_shape(const void *description, char *text, size_t size)
{
    const glnn_gmm_desc *desc = description;
    snprintf(text, size, "%d components, %d features, %d classes and %s covariances",
             desc->components, desc->features, desc->classes,
             glnn_covariance_name(desc->covariance));
}

enum { WEIGHTS, MEANS, COVARIANCES };

/* Only full covariances have two dimensions of their own. */
static void add_arrays(const void *description, glnn__arrays *out)
{
    const glnn_gmm_desc *desc = description;
    static const int dimensions[GLNN_COVARIANCE_COUNT] = {[GLNN_COVARIANCE_FULL] = 3,
                                                          [GLNN_COVARIANCE_DIAGONAL] = 2,
                                                          [GLNN_COVARIANCE_SPHERICAL] = 1};
    const size_t features = (size_t)desc->features;
    const size_t count = (size_t)desc->components * (size_t)(desc->classes > 0 ? desc->classes : 1);
    const size_t size[] = {count, features, features};
    glnn__arrays_add(out, 1, size, "weights");
    glnn__arrays_add(out, 2, size, "means");
    glnn__arrays_add(out, dimensions[desc->covariance], size, "covariances");
}

static glnn__tensor_place place(const void *self, int number)
{
    (void)self;
    (void)number;
    return (glnn__tensor_place){.role = GLNN__ROLE_PARAMETER};
}

static glnn_status read(const void *self, int number, float *values)
{
    const glnn__gmm *gmm = self;
    const glnn__gmm_parameters *p = &gmm->parameters;
    const float *const from[] = {p->weights, p->means, p->covariances, p->weights + p->size};
    GLNN__TRY(glnn__learner_check_set(&gmm->learner));
    memcpy(values, from[number], (size_t)(from[number + 1] - from[number]) * sizeof *values);
    return GLNN_OK;
}

static glnn_status check(const void *self, int number, const float *values)
{
    const glnn__gmm_parameters *p = &((const glnn__gmm *)self)->parameters;
    if (number == MEANS)
        return GLNN_OK;
    return number == WEIGHTS ? glnn__gmm_check_weights(p, values)
                             : glnn__gmm_check_covariances(p, values);
}

/* Means can be zeros, weights and variances cannot, so that these tell whether both were set. */
static glnn_status write(void *self, int number, const float *values)
{
    glnn__gmm *gmm = self;
    glnn__gmm_parameters *p = &gmm->parameters;
    if (number == WEIGHTS)
        glnn__gmm_set_weights(p, values);
    else if (number == MEANS)
        memcpy(p->means, values, glnn__gmm_size(p->count, p->features) * sizeof *values);
    else
        glnn__gmm_set_covariances(p, values);
    gmm->has_parameters = p->covariances[0] > 0 && glnn__gmm_sum(p, p->weights) > 0;
    return GLNN_OK;
}

const glnn__file_form glnn__gmm_file = {
    .size = sizeof(glnn_gmm_desc),
    .layout = offsetof(glnn_gmm_desc, layout),
    .capacity = offsetof(glnn_gmm_desc, capacity),
    .fields = &glnn__gmm_fields,
    .describe = describe,
    .print_shape = print_shape,
    .add_arrays = add_arrays,
    .place = place,
    .read = read,
    .check = check,
    .write = write,
};
