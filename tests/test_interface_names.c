/* The names of all public enumerations. scripts/check_symbols.sh checks that none is missing. */
#include "support/support.h"

#include <glnn/glnn.h>

#include <stdio.h>

/* Both functions of an enumeration, for any number. */
typedef struct enumeration {
    const char *type;
    const char *(*name)(int value);
    glnn_status (*from_name)(const char *name, int *value);
    const char *names; /* of all values in their order, with spaces between */
} enumeration;

#define FUNCTIONS(type)                                                                            \
    static const char *type##_name_of(int value)                                                   \
    {                                                                                              \
        return type##_name((type)value);                                                           \
    }                                                                                              \
                                                                                                   \
    static glnn_status type##_find(const char *name, int *value)                                   \
    {                                                                                              \
        type found = (type)0;                                                                      \
        const glnn_status status = type##_from_name(name, value ? &found : NULL);                  \
        if (!status)                                                                               \
            *value = (int)found;                                                                   \
        return status;                                                                             \
    }

FUNCTIONS(glnn_accumulate)
FUNCTIONS(glnn_activation)
FUNCTIONS(glnn_axis)
FUNCTIONS(glnn_binary)
FUNCTIONS(glnn_covariance)
FUNCTIONS(glnn_csv_header)
FUNCTIONS(glnn_csv_missing)
FUNCTIONS(glnn_csv_problem)
FUNCTIONS(glnn_csv_role)
FUNCTIONS(glnn_csv_type)
FUNCTIONS(glnn_csv_encoding)
FUNCTIONS(glnn_csv_date)
FUNCTIONS(glnn_dataset_format)
FUNCTIONS(glnn_description)
FUNCTIONS(glnn_distortion_kind)
FUNCTIONS(glnn_event)
FUNCTIONS(glnn_exchange_kind)
FUNCTIONS(glnn_field_type)
FUNCTIONS(glnn_idx_type)
FUNCTIONS(glnn_init)
FUNCTIONS(glnn_kmeans_init)
FUNCTIONS(glnn_layer_kind)
FUNCTIONS(glnn_layout)
FUNCTIONS(glnn_log_level)
FUNCTIONS(glnn_learner_kind)
FUNCTIONS(glnn_loss)
FUNCTIONS(glnn_lvq_init)
FUNCTIONS(glnn_lvq_kind)
FUNCTIONS(glnn_map)
FUNCTIONS(glnn_npy_type)
FUNCTIONS(glnn_optimizer_kind)
FUNCTIONS(glnn_pixels)
FUNCTIONS(glnn_platform)
FUNCTIONS(glnn_precision)
FUNCTIONS(glnn_reduction)
FUNCTIONS(glnn_scale_kind)
FUNCTIONS(glnn_emphasis_kind)
FUNCTIONS(glnn_schedule_kind)
FUNCTIONS(glnn_search)
FUNCTIONS(glnn_stage)
FUNCTIONS(glnn_status)
FUNCTIONS(glnn_storage)
FUNCTIONS(glnn_svm_loss)
FUNCTIONS(glnn_task)
FUNCTIONS(glnn_tuning)
FUNCTIONS(glnn_writes)
FUNCTIONS(glnn_api)
FUNCTIONS(glnn_tier)

/* clang-format off */
#define ENUMERATION(type, names) {#type, type##_name_of, type##_find, names}
/* clang-format on */

static const enumeration enumerations[] = {
    ENUMERATION(glnn_accumulate, "auto blend partial"),
    ENUMERATION(glnn_activation, "default sigmoid tanh scaled_tanh relu leaky_relu identity elu "
                                 "softsign"),
    ENUMERATION(glnn_axis, "all rows columns"),
    ENUMERATION(glnn_binary, "add subtract multiply divide maximum minimum"),
    ENUMERATION(glnn_covariance, "full diagonal spherical"),
    ENUMERATION(glnn_csv_header, "auto yes no"),
    ENUMERATION(glnn_csv_missing, "refuse drop fill indicator category"),
    ENUMERATION(glnn_csv_role, "feature label target dropped"),
    ENUMERATION(glnn_csv_type, "auto number category date text row_number empty"),
    ENUMERATION(glnn_csv_encoding, "auto as_is one_hot ordinal date_parts"),
    ENUMERATION(glnn_csv_date, "year_first day_first month_first"),
    ENUMERATION(glnn_csv_problem,
                "none header missing unlabelled real_label separator text date additional class "
                "no_header no_feature"),
    ENUMERATION(glnn_dataset_format, "floats npy"),
    ENUMERATION(glnn_description, "network layer output optimizer lvq kmeans gmm svm train"),
    ENUMERATION(glnn_distortion_kind, "affine elastic"),
    ENUMERATION(glnn_event, "batch epoch"),
    ENUMERATION(glnn_exchange_kind, "auto gradients activations averages"),
    ENUMERATION(glnn_field_type, "int float double uint64 bool choice"),
    ENUMERATION(glnn_idx_type, "uint8 int8 int16 int32 float32 float64"),
    ENUMERATION(glnn_init, "auto glorot he uniform"),
    ENUMERATION(glnn_kmeans_init, "plus_plus samples"),
    ENUMERATION(glnn_layer_kind,
                "dense dropout convolution flatten max_pool average_pool batch_norm residual "
                "add multiply concatenate gelu "
                "layer_norm local_response_norm upsample transposed_convolution "
                "slice unflatten function recurrent gru spectrogram"),
    ENUMERATION(glnn_layout, "auto tiled packed unpacked paged"),
    ENUMERATION(glnn_log_level, "error warning info trace progress"),
    ENUMERATION(glnn_learner_kind, "network lvq kmeans gmm svm"),
    ENUMERATION(glnn_loss, "cross_entropy squared absolute huber hinge binary_cross_entropy "
                           "quantile expression"),
    ENUMERATION(glnn_lvq_init, "auto means kmeans samples"),
    ENUMERATION(glnn_lvq_kind, "glvq grlvq gmlvq rslvq lvq1 olvq1 lvq2.1 lvq3"),
    ENUMERATION(glnn_map,
                "identity sigmoid tanh scaled_tanh relu leaky_relu softplus exp log sqrt threshold "
                "elu softsign"),
    ENUMERATION(glnn_npy_type, "b1 i1 i2 i4 i8 u1 u2 u4 u8 f4 f8"),
    ENUMERATION(glnn_optimizer_kind, "sgd nesterov adam rmsprop rprop"),
    ENUMERATION(glnn_pixels, "as_columns as_rows"),
    ENUMERATION(glnn_platform, "egl glfw adopt"),
    ENUMERATION(glnn_precision, "float32 mixed"),
    ENUMERATION(glnn_reduction, "sum mean sum_of_squares max min argmax argmin logsumexp"),
    ENUMERATION(glnn_scale_kind, "standard range"),
    ENUMERATION(glnn_emphasis_kind, "frequency weight"),
    ENUMERATION(glnn_schedule_kind, "constant step exponential linear cosine inverse"),
    ENUMERATION(glnn_search, "auto tiles reduction fused"),
    ENUMERATION(glnn_stage, "default fragment compute auto"),
    ENUMERATION(glnn_status,
                "GLNN_OK GLNN_E_ARG GLNN_E_SHAPE GLNN_E_LIMIT GLNN_E_NOMEM GLNN_E_UNSUPPORTED "
                "GLNN_E_GL GLNN_E_SHADER GLNN_E_IO GLNN_E_FORMAT GLNN_E_STATE GLNN_E_DIVERGED "
                "GLNN_E_PROCESS GLNN_E_DEVICE_LOST"),
    ENUMERATION(glnn_storage, "float32 float16 unorm8"),
    ENUMERATION(glnn_svm_loss, "hinge squared_hinge"),
    ENUMERATION(glnn_task, "gemm map transpose reduce network_step"),
    ENUMERATION(glnn_tuning, "default off quick again"),
    ENUMERATION(glnn_api, "default gl es webgl"),
    ENUMERATION(glnn_tier, "default full es targets"),
    ENUMERATION(glnn_writes, "default auto targets images"),
};

/* Numbers in and around all lists. */
enum { LEAST = -2, MOST = 300 };

static void names_lead_to_their_enumerators_and_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(enumerations); ++i) {
        const enumeration *of = &enumerations[i];
        char all[1024] = "";
        for (int value = LEAST; value <= MOST; ++value) {
            const char *name = of->name(value);
            int found = MOST + 1;
            if (strcmp(name, "unknown") == 0)
                continue;
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", all[0] ? " " : "", name);
            expect_ok(of->from_name(name, &found));
            assert_int_equal(found, value);
        }
        if (strcmp(all, of->names) != 0)
            fail_at(__FILE__, __LINE__, "%s has the names %s", of->type, all);
    }
}

static void unknown_names_are_refused_with_a_list(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(enumerations); ++i) {
        const enumeration *of = &enumerations[i];
        int value = MOST + 1;
        char sentence[96];
        snprintf(sentence, sizeof sentence, "%s_from_name: \"unknown\" is not one of ", of->type);
        expect_error(of->from_name("unknown", &value), GLNN_E_ARG, sentence);
        snprintf(sentence, sizeof sentence, "%s_from_name: `name` is null", of->type);
        expect_error(of->from_name(NULL, &value), GLNN_E_ARG, sentence);
        snprintf(sentence, sizeof sentence, "%s_from_name: `out` is null", of->type);
        expect_error(of->from_name("unknown", NULL), GLNN_E_ARG, sentence);
        assert_int_equal(value, MOST + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_to_their_enumerators_and_back),
        cmocka_unit_test(unknown_names_are_refused_with_a_list),
    };
    return cmocka_run_group_tests_name("interface_names", tests, NULL, NULL);
}
