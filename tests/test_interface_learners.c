/* Null pointers in every public function of learners and trainers: status or result, and the
 * sentence. scripts/check_symbols.sh checks that no function is missing. */
#include "support/nulls.h"

/* The functions that every learner has. */
#define LEARNER(kind)                                                                              \
    static void every_##kind(world *w)                                                             \
    {                                                                                              \
        glnn_context *ctx = w->ctx;                                                                \
        glnn_##kind *kind = w->kind;                                                               \
        const glnn_##kind##_desc *desc = glnn_##kind##_get_desc(kind);                             \
        const glnn_dataset *data = w->data;                                                        \
        const float *inputs = w->inputs;                                                           \
        const char *path = "absent";                                                               \
        {                                                                                          \
            glnn_##kind *made, **out = &made;                                                      \
            NEEDS(glnn_##kind##_create, (ctx, desc, out), ctx, desc, out);                         \
            NEEDS(glnn_##kind##_load, (ctx, path, NULL, out), ctx, path, out);                     \
        }                                                                                          \
        NEEDS(glnn_##kind##_load_parameters, (kind, path), kind, path);                            \
        NEEDS(glnn_##kind##_save, (kind, path), kind, path);                                       \
        NEEDS(glnn_##kind##_train, (kind, data, NULL, NULL), kind, data);                          \
        NEEDS(glnn_##kind##_evaluate, (kind, data, NULL, NULL), kind, data);                       \
        NEEDS(glnn_##kind##_predict, (kind, 1, inputs, w->floats, NULL), kind, inputs);            \
        NEEDS(glnn_##kind##_set_preparation, (kind, NULL), kind);                                  \
        {                                                                                          \
            glnn_trainer *made, **out = &made;                                                     \
            NEEDS(glnn_##kind##_trainer_create, (kind, data, NULL, out), kind, data, out);         \
        }                                                                                          \
        assert_null(glnn_##kind##_get_desc(NULL));                                                 \
        assert_int_equal(glnn_##kind##_get_outputs(NULL), 0);                                      \
        assert_null(glnn_##kind##_get_preparation(NULL));                                          \
        glnn_##kind##_destroy(NULL);                                                               \
    }

LEARNER(network)
LEARNER(lvq)
LEARNER(kmeans)
LEARNER(gmm)

static void predictions_in_matrices(world *w)
{
    const glnn_matrix *inputs = w->a;
    glnn_matrix *outputs = w->c, *classes = w->column;
    glnn_network *network = w->network;
    glnn_lvq *lvq = w->lvq;
    glnn_kmeans *kmeans = w->kmeans;
    glnn_gmm *gmm = w->gmm;
    NEEDS(glnn_network_predict_matrix, (network, inputs, outputs), network, inputs, outputs);
    NEEDS(glnn_lvq_predict_matrix, (lvq, inputs, classes), lvq, inputs, classes);
    NEEDS(glnn_kmeans_predict_matrix, (kmeans, inputs, classes), kmeans, inputs, classes);
    NEEDS(glnn_gmm_predict_matrix, (gmm, inputs, classes), gmm, inputs, classes);
}

static void networks(world *w)
{
    glnn_network *network = w->network;
    const glnn_dataset *data = w->data;
    const char *path = "absent", *name = "name";
    double number, *loss = &number;
    float *gradient = w->floats, *values = w->floats;
    NEEDS(glnn_network_export_c, (network, path, name), network, path, name);
    NEEDS(glnn_network_compute_gradient, (network, data, 1, 0, loss, gradient), network, data, loss,
          gradient);
    {
        const glnn_matrix *lent, **out = &lent;
        NEEDS(glnn_network_get_weight_matrix, (network, 0, out), network, out);
        NEEDS(glnn_network_get_activation_matrix, (network, 0, out), network, out);
    }
    NEEDS(glnn_network_get_weights, (network, 0, w->floats, NULL), network);
    NEEDS(glnn_network_set_weights, (network, 0, w->floats, NULL), network);
    NEEDS(glnn_network_get_statistics, (network, 0, w->floats, NULL), network);
    NEEDS(glnn_network_set_statistics, (network, 0, w->floats, NULL), network);
    NEEDS(glnn_network_set_precision, (network, GLNN_PRECISION_FLOAT32), network);
    NEEDS(glnn_network_set_steps, (network, 1), network);
    NEEDS(glnn_network_get_state, (network, 0, 0, values), network, values);
    NEEDS(glnn_network_set_state, (network, 0, 0, values), network, values);
    assert_int_equal(glnn_network_get_shape(NULL, 0).channels, 0);
    assert_int_equal(glnn_network_get_parameter_shape(NULL, 0).rows, 0);
    assert_int_equal(glnn_network_get_state_count(NULL), 0);
    assert_int_equal(glnn_network_get_steps(NULL), 0);
}

static void classifiers(world *w)
{
    glnn_lvq *lvq = w->lvq;
    const glnn_dataset *data = w->data;
    const float *inputs = w->inputs;
    const char *path = "absent", *name = "name";
    NEEDS(glnn_lvq_export_c, (lvq, path, name), lvq, path, name);
    NEEDS(glnn_lvq_initialise, (lvq, data), lvq, data);
    NEEDS(glnn_lvq_find_nearest, (lvq, 1, inputs, 1, w->ints, NULL), lvq, inputs);
    assert_int_equal(glnn_lvq_get_count(NULL), 0);
}

static void parameters_of_classifiers(world *w)
{
    glnn_lvq *lvq = w->lvq;
    float *relevances = w->floats, *omega = w->floats, *rates = w->floats, *prototypes = w->floats;
    NEEDS(glnn_lvq_get_prototypes, (lvq, prototypes, NULL), lvq);
    NEEDS(glnn_lvq_set_prototypes, (lvq, prototypes, NULL), lvq, prototypes);
    NEEDS(glnn_lvq_get_relevances, (lvq, relevances), lvq, relevances);
    NEEDS(glnn_lvq_set_relevances, (lvq, relevances), lvq, relevances);
    NEEDS(glnn_lvq_get_omega, (lvq, omega), lvq, omega);
    NEEDS(glnn_lvq_set_omega, (lvq, omega), lvq, omega);
    NEEDS(glnn_lvq_get_rates, (lvq, rates), lvq, rates);
    NEEDS(glnn_lvq_set_rates, (lvq, rates), lvq, rates);
    NEEDS(glnn_lvq_set_epochs, (lvq, 1), lvq);
    assert_true(glnn_lvq_get_epochs(NULL) == 0);
}

static void clusters(world *w)
{
    glnn_kmeans *kmeans = w->kmeans;
    const glnn_dataset *data = w->data;
    const float *inputs = w->inputs;
    const char *path = "absent", *name = "name";
    float *centres = w->floats, *sizes = w->floats;
    NEEDS(glnn_kmeans_export_c, (kmeans, path, name), kmeans, path, name);
    NEEDS(glnn_kmeans_initialise, (kmeans, data), kmeans, data);
    NEEDS(glnn_kmeans_find_nearest, (kmeans, 1, inputs, 1, w->ints, NULL), kmeans, inputs);
    NEEDS(glnn_kmeans_get_centres, (kmeans, centres), kmeans, centres);
    NEEDS(glnn_kmeans_set_centres, (kmeans, centres), kmeans, centres);
    NEEDS(glnn_kmeans_get_sizes, (kmeans, sizes), kmeans, sizes);
    NEEDS(glnn_kmeans_set_sizes, (kmeans, sizes), kmeans, sizes);
    assert_int_equal(glnn_kmeans_get_count(NULL), 0);
}

static void mixtures(world *w)
{
    glnn_gmm *gmm = w->gmm;
    const glnn_dataset *data = w->data;
    const float *inputs = w->inputs;
    float *weights = w->floats, *means = w->floats, *covariances = w->floats;
    NEEDS(glnn_gmm_initialise, (gmm, data), gmm, data);
    NEEDS(glnn_gmm_compute_densities, (gmm, 1, inputs, w->floats, NULL), gmm, inputs);
    NEEDS(glnn_gmm_get_parameters, (gmm, NULL, NULL, NULL), gmm);
    NEEDS(glnn_gmm_set_parameters, (gmm, weights, means, covariances), gmm, weights, means,
          covariances);
    assert_int_equal(glnn_gmm_get_count(NULL), 0);
    assert_int_equal(glnn_gmm_get_covariance_size(NULL), 0);
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
    NEEDS(glnn_trainer_set_learning_rate, (trainer, 0.1f), trainer);
    {
        glnn_pass_info pass = {.size = sizeof pass}, *out = &pass;
        NEEDS(glnn_trainer_get_pass, (trainer, 0, out), trainer, out);
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
    assert_true(glnn_schedule_get_rate(NULL, 0, 1, 0) == 0);
    glnn_trainer_destroy(NULL);
}

static void null_pointers_are_refused_by_name(void **state)
{
    (void)state;
    static void (*const parts[])(world *) = {every_network,
                                             every_lvq,
                                             every_kmeans,
                                             every_gmm,
                                             predictions_in_matrices,
                                             networks,
                                             classifiers,
                                             parameters_of_classifiers,
                                             clusters,
                                             mixtures,
                                             trainers};
    world *w = world_create();
    for (size_t i = 0; i < COUNT_OF(parts); ++i)
        parts[i](w);
    world_destroy(w);
    assert_int_equal(nulls_accepted(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(null_pointers_are_refused_by_name),
    };
    return cmocka_run_group_tests_name("interface_learners", tests, test_group_setup,
                                       test_group_teardown);
}
