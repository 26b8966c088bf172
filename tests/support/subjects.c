#include "subjects.h"

static const char *const kind_names[KINDS] = {"network",      "svm",   "lvq",
                                              "mini-batches", "lloyd", "mixture"};

glnn_learner *small_network(int capacity)
{
    return network_of(&(glnn_network_desc){.features = FEATURES,
                                           .layers = {{.units = 6}, {.units = CLASSES}},
                                           .optimizer = {.momentum = 0.9f},
                                           .capacity = capacity,
                                           .seed = 4});
}

subject subject_of(learner_kind kind)
{
    subject made = {.kind = kind};
    if (kind == NETWORK)
        made.learner = small_network(4);
    else if (kind == SVM)
        made.learner = svm_of(&(glnn_svm_desc){
            .features = FEATURES, .classes = CLASSES, .momentum = 0.9f, .capacity = 4});
    else if (kind == LVQ)
        made.learner = lvq_of(&(glnn_lvq_desc){.kind = GLNN_LVQ_GRLVQ,
                                               .features = FEATURES,
                                               .classes = CLASSES,
                                               .xi_growth = 1,
                                               .capacity = 4,
                                               .seed = 2});
    else if (kind == MIXTURE)
        made.learner = gmm_of(&(glnn_gmm_desc){.features = FEATURES,
                                               .components = 2,
                                               .classes = CLASSES,
                                               .covariance = GLNN_COVARIANCE_DIAGONAL,
                                               .tolerance = 0.02f,
                                               .capacity = 64,
                                               .seed = 5});
    else
        made.learner = kmeans_of(&(glnn_kmeans_desc){
            .features = FEATURES, .centres = 4, .tolerance = -1, .capacity = 4, .seed = 3});
    return made;
}

samples some_samples(void)
{
    random_seed(7);
    return samples_clustered(SAMPLES, FEATURES, CLASSES, 2, CLASSES);
}

glnn_train_desc training_of(learner_kind kind)
{
    return (glnn_train_desc){
        .epochs = 3,
        .batch = kind == LLOYD || kind == MIXTURE ? GLNN_FULL_BATCH : 8,
        .schedule =
            kind <= LVQ
                ? (glnn_schedule){.kind = GLNN_SCHEDULE_LINEAR, .rate = 0.1f, .final_rate = 0.01f}
                : (glnn_schedule){0},
        .seed = 9,
        .validation_split = 0.2f,
        .restore_best = true,
    };
}

/* Mixtures take no batch but the whole set. */
static glnn_train_desc fit(const subject *of, const glnn_train_desc *how)
{
    glnn_train_desc fitting = how ? *how : (glnn_train_desc){0};
    if (glnn_learner_get_kind(of->learner) == GLNN_LEARNER_GMM)
        fitting.batch = GLNN_FULL_BATCH;
    return fitting;
}

glnn_status train_subject(const subject *of, const glnn_dataset *data, const glnn_train_desc *how,
                          glnn_train_result *result)
{
    const glnn_train_desc fitting = fit(of, how);
    if (glnn_learner_get_kind(of->learner) == GLNN_LEARNER_LVQ)
        expect_ok(glnn_learner_initialise(of->learner, data));
    return glnn_learner_train(of->learner, data, &fitting, result);
}

void destroy_trainer(void *trainer)
{
    glnn_trainer_destroy(trainer);
}

glnn_trainer *trainer_of(const subject *of, const glnn_dataset *data, const glnn_train_desc *how)
{
    const glnn_train_desc fitting = fit(of, how);
    glnn_trainer *trainer = NULL;
    if (glnn_learner_get_kind(of->learner) == GLNN_LEARNER_LVQ)
        expect_ok(glnn_learner_initialise(of->learner, data));
    expect_ok(glnn_trainer_create(of->learner, data, &fitting, &trainer));
    learning_own(trainer, destroy_trainer);
    return trainer;
}

void run_by(glnn_trainer *trainer, int steps, double milliseconds)
{
    while (!glnn_trainer_is_finished(trainer)) {
        int done = 0;
        bool epoch_ended = false;
        expect_ok(glnn_trainer_step(trainer, steps, milliseconds, &done, &epoch_ended));
        assert_true(done >= 1 || epoch_ended || milliseconds > 0);
        assert_true(steps == 0 || done <= steps);
        if (epoch_ended)
            expect_ok(glnn_trainer_end_epoch(trainer));
    }
}

void expect_same_subjects(const subject *left, const subject *right, const char *what)
{
    const glnn_learner_kind kind = glnn_learner_get_kind(left->learner);
    const char *name = kind_names[left->kind];
    if (kind == GLNN_LEARNER_NETWORK)
        expect_same_networks(left->learner, right->learner, what);
    else if (kind == GLNN_LEARNER_SVM)
        expect_same_bits(hyperplanes_of(left->learner), hyperplanes_of(right->learner), "%s: %s",
                         what, name);
    else if (kind == GLNN_LEARNER_LVQ)
        expect_same_classifiers(left->learner, right->learner, what);
    else if (kind == GLNN_LEARNER_KMEANS)
        expect_same_bits(centres_of(left->learner), centres_of(right->learner), "%s: %s", what,
                         name);
    else
        expect_same_bits(gmm_reference_of(left->learner).means,
                         gmm_reference_of(right->learner).means, "%s: %s", what, name);
}
