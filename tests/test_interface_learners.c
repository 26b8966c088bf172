/* Null pointers in every public function of learners and trainers: status or result, and the
 * sentence. scripts/check_symbols.sh checks that no function is missing. */
#include "support/nulls.h"

/* The functions that every learner has. */
static void every(world *w, glnn_learner *learner)
{
    glnn_context *ctx = w->ctx;
    const glnn_dataset *data = w->data;
    const float *inputs = w->inputs;
    const char *path = "absent";
    {
        glnn_learner *made, **out = &made;
        NEEDS(glnn_learner_load, (ctx, path, NULL, out), ctx, path, out);
    }
    NEEDS(glnn_learner_load_parameters, (learner, path), learner, path);
    NEEDS(glnn_learner_save, (learner, path), learner, path);
    NEEDS(glnn_learner_train, (learner, data, NULL, NULL), learner, data);
    NEEDS(glnn_learner_evaluate, (learner, data, NULL, NULL), learner, data);
    NEEDS(glnn_learner_predict, (learner, 1, inputs, w->floats, NULL), learner, inputs);
    NEEDS(glnn_learner_set_preparation, (learner, NULL), learner);
    NEEDS(glnn_learner_initialise, (learner, data), learner, data);
    {
        glnn_trainer *made, **out = &made;
        NEEDS(glnn_trainer_create, (learner, data, NULL, out), learner, data, out);
    }
    {
        glnn_tensor_info info = {.size = sizeof info}, *out = &info;
        NEEDS(glnn_learner_get_tensor_info, (learner, 0, out), learner, out);
        const char *name = info.name;
        NEEDS(glnn_learner_find_tensor, (learner, name, out), learner, name, out);
        float *values = w->floats;
        NEEDS(glnn_learner_get_tensor, (learner, name, 1, values), learner, name, values);
        NEEDS(glnn_learner_set_tensor, (learner, name, 1, values), learner, name, values);
    }
    {
        const char *name = "0.weight";
        const glnn_matrix *lent, **out = &lent;
        NEEDS(glnn_learner_get_tensor_matrix, (learner, name, out), learner, name, out);
    }
    assert_int_equal(glnn_learner_get_tensor_count(NULL), 0);
    assert_int_equal(glnn_learner_get_kind(NULL), GLNN_LEARNER_KIND_COUNT);
    assert_int_equal(glnn_learner_get_features(NULL), 0);
    assert_int_equal(glnn_learner_get_outputs(NULL), 0);
    assert_null(glnn_learner_get_preparation(NULL));
    glnn_learner_destroy(NULL);
}

#define LEARNER(kind)                                                                              \
    static void every_##kind(world *w)                                                             \
    {                                                                                              \
        glnn_context *ctx = w->ctx;                                                                \
        const glnn_##kind##_desc *desc = glnn_##kind##_get_desc(w->kind);                          \
        glnn_learner *made, **out = &made;                                                         \
        NEEDS(glnn_##kind##_create, (ctx, desc, out), ctx, desc, out);                             \
        assert_null(glnn_##kind##_get_desc(NULL));                                                 \
        every(w, w->kind);                                                                         \
    }

LEARNER(network)
LEARNER(lvq)
LEARNER(kmeans)
LEARNER(gmm)
LEARNER(svm)

static void predictions_in_matrices(world *w)
{
    const glnn_matrix *inputs = w->a;
    glnn_matrix *predictions = w->c;
    glnn_learner *learner = w->network;
    NEEDS(glnn_learner_predict_matrix, (learner, inputs, predictions), learner, inputs,
          predictions);
}

/* A function of one kind refuses a learner of another one. */
#define REFUSES(call, kind)                                                                        \
    do {                                                                                           \
        assert_int_equal(call, GLNN_E_ARG);                                                        \
        assert_non_null(strstr(glnn_last_error(), "is for learners of kind " kind));               \
    } while (0)

static void other_kinds(world *w)
{
    double loss;
    glnn_metrics metrics;
    float *f = w->floats;
    const glnn_matrix *lent;
    glnn_learner *not_network = w->gmm, *not_lvq = w->network, *not_kmeans = w->lvq,
                 *not_gmm = w->kmeans, *not_svm = w->network;
    REFUSES(glnn_network_compute_gradient(not_network, w->data, 1, 0, &loss, f), "network");
    REFUSES(glnn_network_get_activation_matrix(not_network, 0, &lent), "network");
    REFUSES(glnn_network_set_precision(not_network, GLNN_PRECISION_FLOAT32), "network");
    REFUSES(glnn_network_set_steps(not_network, 1), "network");
    REFUSES(glnn_network_forward(not_network, w->a, true, NULL), "network");
    REFUSES(glnn_network_backward(not_network, w->c, NULL), "network");
    REFUSES(glnn_network_backward_to_inputs(not_network, w->c, w->c), "network");
    REFUSES(glnn_network_update(not_network, 0.1f), "network");
    REFUSES(glnn_network_export_glsl(not_network, "absent", "name"), "network");
    assert_null(glnn_network_get_desc(not_network));
    assert_int_equal(glnn_network_get_shape(not_network, 0).channels, 0);
    assert_int_equal(glnn_network_get_steps(not_network), 0);
    REFUSES(glnn_lvq_set_epochs(not_lvq, 1), "lvq");
    REFUSES(glnn_lvq_backward(not_lvq, w->a, w->column, NULL), "lvq");
    REFUSES(glnn_lvq_update(not_lvq, 0.1f), "lvq");
    REFUSES(glnn_lvq_take_metrics(not_lvq, &metrics), "lvq");
    assert_null(glnn_lvq_get_desc(not_lvq));
    assert_true(glnn_lvq_get_epochs(not_lvq) == 0);
    assert_null(glnn_kmeans_get_desc(not_kmeans));
    REFUSES(glnn_gmm_compute_densities(not_gmm, 1, w->inputs, f, NULL), "gmm");
    assert_null(glnn_gmm_get_desc(not_gmm));
    assert_null(glnn_svm_get_desc(not_svm));
    assert_int_equal(glnn_learner_find_nearest(w->network, 1, w->inputs, 1, w->ints, NULL),
                     GLNN_E_ARG);
    assert_int_equal(glnn_learner_initialise(w->network, w->data), GLNN_E_UNSUPPORTED);
    assert_int_equal(glnn_learner_export_c(w->gmm, "absent", "name"), GLNN_E_UNSUPPORTED);
}

static void networks(world *w)
{
    glnn_learner *learner = w->network;
    const glnn_dataset *data = w->data;
    const char *path = "absent", *name = "name";
    double number, *loss = &number;
    float *gradient = w->floats;
    NEEDS(glnn_learner_export_c, (learner, path, name), learner, path, name);
    NEEDS(glnn_network_export_glsl, (learner, path, name), learner, path, name);
    NEEDS(glnn_network_compute_gradient, (learner, data, 1, 0, loss, gradient), learner, data, loss,
          gradient);
    {
        const glnn_matrix *lent, **out = &lent;
        NEEDS(glnn_network_get_activation_matrix, (learner, 0, out), learner, out);
    }
    NEEDS(glnn_network_set_precision, (learner, GLNN_PRECISION_FLOAT32), learner);
    NEEDS(glnn_network_set_steps, (learner, 1), learner);
    {
        const glnn_matrix *inputs = w->a, *output_gradient = w->c;
        glnn_matrix *input_gradient = w->a;
        NEEDS(glnn_network_forward, (learner, inputs, true, NULL), learner, inputs);
        NEEDS(glnn_network_backward, (learner, output_gradient, NULL), learner, output_gradient);
        NEEDS(glnn_network_backward_to_inputs, (learner, output_gradient, input_gradient), learner,
              output_gradient, input_gradient);
        NEEDS(glnn_network_update, (learner, 0.1f), learner);
    }
    assert_int_equal(glnn_network_get_shape(NULL, 0).channels, 0);
    assert_int_equal(glnn_network_get_steps(NULL), 0);
}

static void classifiers(world *w)
{
    glnn_learner *learner = w->lvq;
    const glnn_dataset *data = w->data;
    const float *inputs = w->inputs;
    const char *path = "absent", *name = "name";
    NEEDS(glnn_learner_export_c, (learner, path, name), learner, path, name);
    NEEDS(glnn_learner_initialise, (learner, data), learner, data);
    NEEDS(glnn_learner_find_nearest, (learner, 1, inputs, 1, w->ints, NULL), learner, inputs);
}

static void parameters_of_classifiers(world *w)
{
    glnn_learner *learner = w->lvq;
    NEEDS(glnn_lvq_set_epochs, (learner, 1), learner);
    {
        glnn_metrics metrics, *out = &metrics;
        const glnn_matrix *inputs = w->a, *classes = w->column;
        NEEDS(glnn_lvq_backward, (learner, inputs, classes, NULL), learner, inputs, classes);
        NEEDS(glnn_lvq_update, (learner, 0.1f), learner);
        NEEDS(glnn_lvq_take_metrics, (learner, out), learner, out);
    }
    assert_true(glnn_lvq_get_epochs(NULL) == 0);
}

static void clusters(world *w)
{
    glnn_learner *learner = w->kmeans;
    const glnn_dataset *data = w->data;
    const float *inputs = w->inputs;
    const char *path = "absent", *name = "name";
    NEEDS(glnn_learner_export_c, (learner, path, name), learner, path, name);
    NEEDS(glnn_learner_initialise, (learner, data), learner, data);
    NEEDS(glnn_learner_find_nearest, (learner, 1, inputs, 1, w->ints, NULL), learner, inputs);
}

static void mixtures(world *w)
{
    glnn_learner *learner = w->gmm;
    const glnn_dataset *data = w->data;
    const float *inputs = w->inputs;
    NEEDS(glnn_learner_initialise, (learner, data), learner, data);
    NEEDS(glnn_gmm_compute_densities, (learner, 1, inputs, w->floats, NULL), learner, inputs);
}

static void support_vector_machines(world *w)
{
    glnn_learner *learner = w->svm;
    const char *path = "absent", *name = "name";
    NEEDS(glnn_learner_export_c, (learner, path, name), learner, path, name);
}

static void trainers(world *w)
{
    glnn_trainer *trainer = w->trainer;
    const glnn_dataset *data = w->data;
    const char *path = "absent";
    NEEDS(glnn_trainer_step, (trainer, 1, 0, NULL, NULL), trainer);
    NEEDS(glnn_trainer_warm_up, (trainer, 0, NULL), trainer);
    NEEDS(glnn_trainer_end_epoch, (trainer), trainer);
    {
        glnn_exchange_plan plan = {.size = sizeof plan}, *out = &plan;
        NEEDS(glnn_trainer_get_exchange_plan, (trainer, out), trainer, out);
    }
    NEEDS(glnn_trainer_evaluate, (trainer, data, NULL, NULL), trainer, data);
    {
        glnn_advice advice = {.size = sizeof advice}, *out = &advice;
        const glnn_learner *learner = w->network;
        NEEDS(glnn_learner_get_advice, (learner, 1, true, out), learner, out);
    }
    NEEDS(glnn_trainer_set_learning_rate, (trainer, 0.1f), trainer);
    NEEDS(glnn_trainer_update_report, (trainer), trainer);
    {
        glnn_pass_info pass = {.size = sizeof pass}, *out = &pass;
        const glnn_inspection *inspection = w->inspection;
        NEEDS(glnn_trainer_get_pass, (trainer, 0, out), trainer, out);
        NEEDS(glnn_inspection_get_pass, (inspection, 0, out), inspection, out);
    }
    {
        glnn_inspection *inspection = w->inspection, *made, **out = &made;
        const char *line, **text = &line;
        NEEDS(glnn_inspection_create, (trainer, out), trainer, out);
        NEEDS(glnn_inspection_get_shader, (inspection, 0, text), inspection, text);
    }
    {
        const glnn_inspection *inspection = w->inspection;
        glnn_rect block, *out = &block;
        NEEDS(glnn_inspection_get_block, (inspection, 0, 0, 0, out), inspection, out);
    }
    {
        glnn_inspection *inspection = w->inspection;
        glnn_matrix *out = w->a;
        NEEDS(glnn_inspection_find_fetches, (inspection, 0, 0, 0, 0, out), inspection, out);
    }
    NEEDS(glnn_trainer_snapshot, (trainer), trainer);
    NEEDS(glnn_trainer_restore, (trainer), trainer);
    NEEDS(glnn_trainer_save, (trainer, path), trainer, path);
    NEEDS(glnn_trainer_save_checkpoint, (trainer, path), trainer, path);
    NEEDS(glnn_trainer_load_checkpoint, (trainer, path), trainer, path);
    assert_true(glnn_trainer_is_finished(NULL));
    assert_null(glnn_trainer_get_report(NULL));
    assert_null(glnn_trainer_get_result(NULL));
    assert_int_equal(glnn_trainer_get_pass_count(NULL), 0);
    assert_int_equal(glnn_inspection_get_pass_count(NULL), 0);
    assert_true(glnn_schedule_get_rate(NULL, 0, 1, 0) == 0);
    assert_int_equal(glnn_batch_schedule_get_batch(NULL, 3, 1), 3);
    glnn_inspection_destroy(NULL);
    glnn_trainer_destroy(NULL);
}

static void null_pointers_are_refused_by_name(void **state)
{
    (void)state;
    static void (*const parts[])(world *) = {every_network, every_lvq,   every_kmeans,
                                             every_gmm,     every_svm,   predictions_in_matrices,
                                             networks,      classifiers, parameters_of_classifiers,
                                             clusters,      mixtures,    support_vector_machines,
                                             trainers};
    world *w = world_create();
    for (size_t i = 0; i < COUNT_OF(parts); ++i)
        parts[i](w);
    world_destroy(w);
    assert_int_equal(nulls_accepted(), 0);
}

static void functions_of_a_kind_refuse_other_kinds(void **state)
{
    (void)state;
    world *w = world_create();
    other_kinds(w);
    world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(null_pointers_are_refused_by_name),
        TEST(functions_of_a_kind_refuse_other_kinds),
    };
    return cmocka_run_group_tests_name("interface_learners", tests, test_group_setup,
                                       test_group_teardown);
}
