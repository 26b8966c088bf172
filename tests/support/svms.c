#include "svms.h"

glnn_learner *svm_of(const glnn_svm_desc *desc)
{
    glnn_learner *svm = NULL;
    expect_ok(glnn_svm_create(glnn_test_context(), desc, &svm));
    learning_own_learner(svm);
    return svm;
}

array hyperplanes_of(const glnn_learner *svm)
{
    const glnn_svm_desc *desc = glnn_svm_get_desc(svm);
    const size_t features = (size_t)desc->features;
    const array out = array_new(desc->classes, desc->features + 1);
    float *weights = floats_new((size_t)desc->classes * features);
    float *biases = floats_new((size_t)desc->classes);
    expect_ok(svm_read(svm, weights, biases));
    for (int c = 0; c < desc->classes; ++c)
        for (int j = 0; j <= desc->features; ++j)
            *at(out, c, j) = j < desc->features ? (double)weights[(size_t)c * features + (size_t)j]
                                                : (double)biases[c];
    return out;
}

void set_hyperplanes(glnn_learner *svm, array hyperplanes)
{
    const glnn_svm_desc *desc = glnn_svm_get_desc(svm);
    const size_t features = (size_t)desc->features;
    float *weights = floats_new((size_t)desc->classes * features);
    float *biases = floats_new((size_t)desc->classes);
    for (int c = 0; c < desc->classes; ++c) {
        for (int j = 0; j < desc->features; ++j)
            weights[(size_t)c * features + (size_t)j] = (float)*at(hyperplanes, c, j);
        biases[c] = (float)*at(hyperplanes, c, desc->features);
    }
    expect_ok(svm_write(svm, weights, biases));
}
