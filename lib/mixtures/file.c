/* A mixture in files, and the texts by which checkpoints recognise it. */
#include "mixtures/gmm.h"

#include "base/status.h"
#include "learn/learner_file.h"

#include <stddef.h>
#include <stdio.h>

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

static glnn_status collect(const void *self, const glnn__arrays *out)
{
    return glnn_gmm_get_parameters(self, out->values[WEIGHTS], out->values[MEANS],
                                   out->values[COVARIANCES]);
}

static glnn_status apply(const glnn__file *in, void *self)
{
    const glnn_tensor *from = in->arrays.tensors;
    return glnn_gmm_set_parameters(self, from[WEIGHTS].data, from[MEANS].data,
                                   from[COVARIANCES].data);
}

const glnn__file_form glnn__gmm_file = {
    .size = sizeof(glnn_gmm_desc),
    .layout = offsetof(glnn_gmm_desc, layout),
    .capacity = offsetof(glnn_gmm_desc, capacity),
    .fields = &glnn__gmm_fields,
    .describe = describe,
    .print_shape = print_shape,
    .add_arrays = add_arrays,
    .collect = collect,
    .apply = apply,
};
