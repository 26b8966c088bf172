#include "prototypes.h"

glnn_learner *lvq_of(const glnn_lvq_desc *desc)
{
    glnn_learner *lvq = NULL;
    expect_ok(glnn_lvq_create(glnn_test_context(), desc, &lvq));
    learning_own_learner(lvq);
    return lvq;
}

array prototypes_of(const glnn_learner *lvq)
{
    const int count = tensor_rows(lvq, "prototypes"), features = glnn_lvq_get_desc(lvq)->features;
    float *values = floats_new((size_t)count * (size_t)features);
    expect_ok(lvq_read(lvq, values, NULL));
    return array_of_floats(count, features, values);
}

array relevances_of(const glnn_learner *lvq)
{
    const int features = glnn_lvq_get_desc(lvq)->features;
    float *values = floats_new((size_t)features);
    array found = array_new(1, features);
    if (glnn_lvq_get_desc(lvq)->kind == GLNN_LVQ_GRLVQ) {
        expect_ok(read_tensor(lvq, "relevances", values));
        return array_of_floats(1, features, values);
    }
    const bool has_omega = glnn_lvq_get_desc(lvq)->kind == GLNN_LVQ_GMLVQ;
    const array omega = has_omega ? omega_of(lvq) : (array){0};
    for (int j = 0; j < features; ++j) {
        found.data[j] = !has_omega;
        for (int i = 0; i < omega.rows; ++i)
            found.data[j] += *at(omega, i, j) * *at(omega, i, j);
    }
    return found;
}

array omega_of(const glnn_learner *lvq)
{
    const glnn_lvq_desc *desc = glnn_lvq_get_desc(lvq);
    float *values = floats_new((size_t)desc->rank * (size_t)desc->features);
    expect_ok(read_tensor(lvq, "omega", values));
    return array_of_floats(desc->rank, desc->features, values);
}

array rates_of(const glnn_learner *lvq)
{
    float *values = floats_new((size_t)tensor_rows(lvq, "prototypes"));
    expect_ok(read_tensor(lvq, "rates", values));
    return array_of_floats(tensor_rows(lvq, "prototypes"), 1, values);
}

static array low_digits_of(const glnn_learner *lvq)
{
    const int count = tensor_rows(lvq, "low"), features = glnn_lvq_get_desc(lvq)->features;
    float *values = floats_new((size_t)count * (size_t)features);
    expect_ok(read_tensor(lvq, "low", values));
    return array_of_floats(count, features, values);
}

void expect_same_classifiers(const glnn_learner *left, const glnn_learner *right, const char *what)
{
    const glnn_lvq_kind kind = glnn_lvq_get_desc(left)->kind;
    assert_int_equal(kind, glnn_lvq_get_desc(right)->kind);
    assert_true(glnn_lvq_get_epochs(left) == glnn_lvq_get_epochs(right));
    expect_same_bits(prototypes_of(left), prototypes_of(right), "%s: prototypes", what);
    expect_same_bits(relevances_of(left), relevances_of(right), "%s: relevances", what);
    if (kind == GLNN_LVQ_GMLVQ)
        expect_same_bits(omega_of(left), omega_of(right), "%s: omega", what);
    if (kind == GLNN_LVQ_OLVQ1)
        expect_same_bits(rates_of(left), rates_of(right), "%s: rates", what);
    if (glnn_lvq_get_desc(left)->two_parts)
        expect_same_bits(low_digits_of(left), low_digits_of(right), "%s: low digits", what);
}
