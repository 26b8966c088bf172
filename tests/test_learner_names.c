/* The names of the enumerations of training and of learners: files are full of them. */
#include "support/support.h"

#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>
#include <glnn/network.h>

#include <stdio.h>
#include <string.h>

/* Both functions of an enumeration, for any number. */
typedef struct enumeration {
    const char *type;
    const char *(*name)(int value);
    glnn_status (*from_name)(const char *name, int *value);
    int count;
    const char *names; /* of all, with spaces between */
} enumeration;

#define FUNCTIONS(type)                                                                            \
    static const char *type##_name_of(int value)                                                   \
    {                                                                                              \
        return type##_name((type)value);                                                           \
    }                                                                                              \
                                                                                                   \
    static glnn_status type##_find(const char *name, int *value)                                   \
    {                                                                                              \
        type found = (type)*value;                                                                 \
        const glnn_status status = type##_from_name(name, &found);                                 \
        *value = (int)found;                                                                       \
        return status;                                                                             \
    }

FUNCTIONS(glnn_loss)
FUNCTIONS(glnn_activation)
FUNCTIONS(glnn_init)
FUNCTIONS(glnn_precision)
FUNCTIONS(glnn_layer_kind)
FUNCTIONS(glnn_optimizer_kind)
FUNCTIONS(glnn_schedule_kind)
FUNCTIONS(glnn_event)
FUNCTIONS(glnn_lvq_kind)
FUNCTIONS(glnn_lvq_init)
FUNCTIONS(glnn_kmeans_init)
FUNCTIONS(glnn_covariance)

#define ENUMERATION(type, count, names)                                                            \
    {                                                                                              \
#type, type##_name_of, type##_find, count, names                                           \
    }

static const enumeration enumerations[] = {
    ENUMERATION(glnn_loss, GLNN_LOSS_COUNT, "cross_entropy squared"),
    ENUMERATION(glnn_activation, GLNN_ACTIVATION_COUNT,
                "default sigmoid tanh scaled_tanh relu leaky_relu identity"),
    ENUMERATION(glnn_init, GLNN_INIT_COUNT, "auto glorot he uniform"),
    ENUMERATION(glnn_precision, GLNN_PRECISION_COUNT, "float32 mixed"),
    ENUMERATION(glnn_layer_kind, GLNN_LAYER_COUNT, "dense dropout"),
    ENUMERATION(glnn_optimizer_kind, GLNN_OPTIMIZER_COUNT, "sgd nesterov adam"),
    ENUMERATION(glnn_schedule_kind, GLNN_SCHEDULE_COUNT,
                "constant step exponential linear cosine inverse"),
    ENUMERATION(glnn_event, GLNN_EVENT_COUNT, "batch epoch"),
    ENUMERATION(glnn_lvq_kind, GLNN_LVQ_KIND_COUNT,
                "glvq grlvq gmlvq rslvq lvq1 olvq1 lvq2.1 lvq3"),
    ENUMERATION(glnn_lvq_init, GLNN_LVQ_INIT_COUNT, "auto means kmeans samples"),
    ENUMERATION(glnn_kmeans_init, GLNN_KMEANS_INIT_COUNT, "plus_plus samples"),
    ENUMERATION(glnn_covariance, GLNN_COVARIANCE_COUNT, "full diagonal spherical"),
};

static void names_lead_to_their_enumerators_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(enumerations); ++i) {
        const enumeration *of = &enumerations[i];
        char all[128] = "";
        for (int value = 0; value < of->count; ++value) {
            int found = -1;
            if (value > 0)
                strcat(all, " ");
            strcat(all, of->name(value));
            expect_ok(of->from_name(of->name(value), &found));
            assert_int_equal(found, value);
        }
        assert_string_equal(all, of->names);
    }
}

static void numbers_and_names_outside_of_the_list_are_unknown(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(enumerations); ++i) {
        const enumeration *of = &enumerations[i];
        int value = 1;
        char sentence[64];
        snprintf(sentence, sizeof sentence, "%s_from_name", of->type);
        assert_string_equal(of->name(-1), "unknown");
        assert_string_equal(of->name(of->count), "unknown");
        expect_error(of->from_name("unknown", &value), GLNN_E_ARG, sentence);
        expect_error(of->from_name("", &value), GLNN_E_ARG, of->name(of->count - 1));
        expect_error(of->from_name(NULL, &value), GLNN_E_ARG, "`name` is null");
        assert_int_equal(value, 1);
    }
    expect_error(glnn_activation_from_name("relu", NULL), GLNN_E_ARG, "`out` is null");
    expect_error(glnn_loss_from_name("squared", NULL), GLNN_E_ARG, "`out` is null");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_to_their_enumerators_and_back),
        cmocka_unit_test(numbers_and_names_outside_of_the_list_are_unknown),
    };
    return cmocka_run_group_tests_name("learner names", tests, NULL, NULL);
}
