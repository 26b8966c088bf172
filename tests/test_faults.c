/* Calls of the library in which an allocation, a call of OpenGL or a call on a file fails: each
 * call ends with right results or with an error, leaves nothing behind, and the next one works. */
#include "support/fault_runs.h"
#include "support/learner_files.h"
#include "support/tree.h"

#include <glnn/export.h>
#include <glnn/gemm.h>
#include <glnn/list.h>
#include <glnn/map.h>
#include <glnn/npy.h>
#include <glnn/trainer.h>

enum { FEATURES = 5, CLASSES = 3, SAMPLES = 32, BATCH = 8, PARAMETERS = 2 };

/* Bytes of texture that the data set takes in part only. */
enum { STREAM_BUDGET = 1000 };

static const char *const parameter_names[PARAMETERS] = {"0.weight", "2.weight"};

/* Greatest difference of parameters: where OpenGL fails, the library may take another way. */
#define TOLERANCE 1e-4f

static glnn_context *ctx;
static glnn_dataset *data;
static glnn_learner *network;
static glnn_trainer *trainer;
static const char *cache = "";
static glnn_api api;

static float inputs[SAMPLES * FEATURES];
static int labels[SAMPLES];

/* ---- Objects */

static void begin_context(void)
{
    expect_ok(glnn_context_create(
        &(glnn_context_desc){.cache_dir = cache, .tuning = GLNN_TUNING_OFF, .api = api}, &ctx));
}

static void end_context(void)
{
    glnn_context_destroy(ctx);
    ctx = NULL;
}

static glnn_status create_network(void)
{
    return glnn_network_create(
        ctx,
        &(glnn_network_desc){
            .features = FEATURES,
            .layers = {{.units = 4, .activation = GLNN_ACTIVATION_TANH}, {.units = CLASSES}},
            .optimizer = {.momentum = 0.9f},
            .capacity = BATCH},
        &network);
}

static glnn_status create_data(void)
{
    return glnn_dataset_create(ctx,
                               &(glnn_dataset_desc){.samples = SAMPLES,
                                                    .features = FEATURES,
                                                    .inputs = inputs,
                                                    .labels = labels,
                                                    .classes = CLASSES},
                               &data);
}

static glnn_status create_trainer(void)
{
    return glnn_trainer_create(
        network, data, &(glnn_train_desc){.batch = BATCH, .epochs = 3, .validation_split = 0.25f},
        &trainer);
}

static void begin_network(void)
{
    begin_context();
    expect_ok(create_network());
}

static void begin_trainer(void)
{
    begin_network();
    expect_ok(create_data());
    expect_ok(create_trainer());
}

static void end_trainer(void)
{
    glnn_trainer_destroy(trainer);
    glnn_dataset_destroy(data);
    glnn_learner_destroy(network);
    trainer = NULL;
    data = NULL;
    network = NULL;
    end_context();
}

/* ---- Parameters */

enum { MOST_NUMBERS = 64 };

/* The parameters that the same calls have given before. */
typedef struct learnt {
    bool is_known;
    float numbers[PARAMETERS][MOST_NUMBERS];
} learnt;

static const char *find_other(const float *wanted, const float *got, size_t count)
{
    static char text[128];
    for (size_t i = 0; i < count; ++i)
        if (!(fabsf(wanted[i] - got[i]) <= TOLERANCE)) {
            snprintf(text, sizeof text, "number %zu is %g instead of %g", i, (double)got[i],
                     (double)wanted[i]);
            return text;
        }
    return NULL;
}

static const char *compare_parameters(learnt *known, const glnn_learner *of)
{
    for (int i = 0; i < PARAMETERS; ++i) {
        float numbers[MOST_NUMBERS] = {0};
        const glnn_status status = read_tensor(of, parameter_names[i], numbers);
        if (status)
            return glnn_last_error();
        if (!known->is_known)
            memcpy(known->numbers[i], numbers, sizeof numbers);
        const char *wrong = find_other(known->numbers[i], numbers, MOST_NUMBERS);
        if (wrong)
            return wrong;
    }
    known->is_known = true;
    return NULL;
}

/* A learner can be used: it predicts, and its parameters are finite. */
static const char *predict(void)
{
    float outputs[BATCH * CLASSES];
    if (glnn_learner_predict(network, BATCH, inputs, outputs, NULL))
        return glnn_last_error();
    for (size_t i = 0; i < COUNT_OF(outputs); ++i)
        if (!isfinite(outputs[i]))
            return "predictions are not finite";
    return NULL;
}

/* ---- The faults themselves */

static void calls_are_counted_fail_and_are_missed_when_they_are_not_given_back(void **state)
{
    (void)state;
#ifdef OWN_ALLOCATOR
    skip();
#endif
    faults_count(FAULT_MEMORY);
    char *kept = malloc(1);
    free(malloc(1));
    assert_int_equal(faults_end(), 2);
    assert_int_equal(faults_kept(), 1);
    free(kept);
    assert_int_equal(faults_kept(), 0);
    faults_arm(FAULT_MEMORY, 1, false);
    char *first = malloc(1), *second = malloc(1), *third = malloc(1);
    assert_int_equal(faults_end(), 1);
    assert_true(first && !second && third);
    free(first);
    free(third);
    faults_arm(FAULT_FILE, 0, true);
    assert_int_equal(access(".", F_OK), -1);
    assert_int_equal(access(".", F_OK), -1);
    assert_int_equal(faults_end(), 2);
    assert_non_null(strstr(faults_failed(), "access, call 0"));
}

static void objects_of_opengl_are_counted(void **state)
{
    (void)state;
    const int before = faults_objects();
    begin_trainer();
    assert_true(faults_objects() > before);
    end_trainer();
    assert_int_equal(faults_objects(), before);
}

/* ---- A context */

static glnn_status create_context(void)
{
    return glnn_context_create(&(glnn_context_desc){.cache_dir = ""}, &ctx);
}

/* A product of small whole numbers. */
static const char *compute(void)
{
    static const float a[] = {1, 2, 3, 4, 5, 6}, wanted[] = {14, 32, 32, 77};
    float got[4];
    glnn_matrix *left = NULL, *product = NULL;
    const glnn_matrix_desc like = {.rows = 2, .columns = 3, .data = a};
    glnn_status status = glnn_matrix_create(ctx, &like, &left);
    if (!status)
        status = glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 2}, &product);
    if (!status)
        status = glnn_gemm(ctx, &(glnn_gemm_desc){.transpose_b = true}, 1, left, left, 0, product);
    if (!status)
        status = glnn_matrix_download(ctx, product, NULL, got, 0);
    glnn_matrix_destroy(left);
    glnn_matrix_destroy(product);
    return status ? glnn_last_error() : find_other(wanted, got, 4);
}

static const char *find_context(void)
{
    return ctx ? "there is a context" : NULL;
}

static const fault_scenario creating_a_context = {
    .name = "creating a context",
    .call = create_context,
    .find_wrong = compute,
    .find_damage = find_context,
    .end = end_context,
    .losing = 1u << FAULT_OPENGL, /* the context cannot be made current */
    .keeps = 1,
};

static void creating_a_context_fails_cleanly(void **state)
{
    (void)state;
    fault_scenario_run(&creating_a_context, 20);
}

/* ---- Steps */

static glnn_status end_epoch(void)
{
    const glnn_status status = glnn_trainer_step(trainer, 0, 0, NULL, NULL);
    return status ? status : glnn_trainer_end_epoch(trainer);
}

static glnn_status step(void)
{
    const glnn_status status = glnn_trainer_step(trainer, 2, 0, NULL, NULL);
    return status ? status : end_epoch();
}

static const char *find_wrong_step(void)
{
    static learnt after;
    return compare_parameters(&after, network);
}

/* An error of a step ends the training. The learner stays, and can have another one. */
static const char *train_again(void)
{
    if (!glnn_trainer_is_finished(trainer))
        return "the training is not over";
    if (glnn_trainer_step(trainer, 1, 0, NULL, NULL) != GLNN_E_STATE)
        return "a further step does not say that training is over";
    glnn_trainer_destroy(trainer);
    trainer = NULL;
    if (create_trainer() || step())
        return glnn_last_error();
    return predict();
}

static const fault_scenario training_steps = {
    .name = "training steps",
    .begin = begin_trainer,
    .call = step,
    .find_wrong = find_wrong_step,
    .go_on = train_again,
    .end = end_trainer,
};

static void training_steps_fail_cleanly(void **state)
{
    (void)state;
    fault_scenario_run(&training_steps, 100);
}

/* ---- Other use of a trainer and of a learner */

static glnn_status warm_up(void)
{
    double progress = 0;
    glnn_status status = GLNN_OK;
    while (!status && progress < 1)
        status = glnn_trainer_warm_up(trainer, 1e-6, &progress);
    return status;
}

/* Warming up changes nothing that is learnt. */
static const char *find_wrong_after_warm_up(void)
{
    static learnt after;
    return step() ? glnn_last_error() : compare_parameters(&after, network);
}

static const fault_scenario warming_up = {
    .name = "warming up",
    .begin = begin_trainer,
    .call = warm_up,
    .find_wrong = find_wrong_after_warm_up,
    .end = end_trainer,
};

static void warming_up_fails_cleanly(void **state)
{
    (void)state;
    fault_scenario_run(&warming_up, 100);
}

static double measured_loss;
static float predicted[SAMPLES * CLASSES];

static glnn_status use_network(void)
{
    glnn_metrics metrics = {0};
    glnn_status status = create_network();
    if (!status)
        status = create_data();
    if (!status)
        status = glnn_learner_evaluate(network, data, &metrics, NULL);
    if (!status)
        status = glnn_learner_predict(network, SAMPLES, inputs, predicted, NULL);
    measured_loss = metrics.loss;
    return status;
}

static const char *find_wrong_use(void)
{
    static bool is_known;
    static float known_loss, known[SAMPLES * CLASSES];
    const float loss = (float)measured_loss;
    if (!is_known) {
        known_loss = loss;
        memcpy(known, predicted, sizeof known);
    }
    is_known = true;
    const char *wrong = find_other(&known_loss, &loss, 1);
    return wrong ? wrong : find_other(known, predicted, COUNT_OF(known));
}

/* The same calls, with objects of their own. */
static const char *use_network_again(void)
{
    glnn_dataset_destroy(data);
    glnn_learner_destroy(network);
    data = NULL;
    network = NULL;
    return use_network() ? glnn_last_error() : find_wrong_use();
}

static const fault_scenario using_a_network = {
    .name = "a network, a data set, evaluation and prediction",
    .begin = begin_context,
    .call = use_network,
    .find_wrong = find_wrong_use,
    .go_on = use_network_again,
    .end = end_trainer,
};

/* Without maps and fences, as in a browser. */
static void begin_webgl(void)
{
    api = GLNN_API_WEBGL;
    begin_context();
    api = GLNN_API_DEFAULT;
}

static const fault_scenario using_webgl = {
    .name = "the same in WebGL",
    .begin = begin_webgl,
    .call = use_network,
    .find_wrong = find_wrong_use,
    .go_on = use_network_again,
    .end = end_trainer,
};

static void using_a_network_fails_cleanly(void **state)
{
    (void)state;
    fault_scenario_run(&using_a_network, 100);
    faults_see_callers(2);
    fault_scenario_run(&using_webgl, 100);
}

/* ---- A list of the program */

static glnn_matrix *factor, *sum;
static glnn_list *list;
static float listed[9];

static void begin_matrices(void)
{
    static const float numbers[] = {1, 2, 3, 0, 1, 4, 5, 6, 0};
    begin_context();
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 3, .columns = 3, .data = numbers},
                                 &factor));
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 3, .columns = 3}, &sum));
}

static void end_matrices(void)
{
    glnn_list_destroy(list);
    glnn_matrix_destroy(factor);
    glnn_matrix_destroy(sum);
    list = NULL;
    end_context();
}

static glnn_status record_list(void)
{
    glnn_status status = glnn_list_begin(ctx, &list);
    if (!status)
        status = glnn_gemm(ctx, NULL, 1, factor, factor, 0, sum);
    if (!status)
        status = glnn_axpy(ctx, 1, factor, sum);
    if (!status)
        status = glnn_list_end(list);
    if (!status)
        status = glnn_list_run(list);
    if (!status)
        status = glnn_list_run(list);
    return status ? status : glnn_matrix_download(ctx, sum, NULL, listed, 0);
}

static const char *find_wrong_sum(void)
{
    static const float wanted[] = {17, 24, 14, 20, 26, 8, 10, 22, 39};
    return find_other(wanted, listed, 9);
}

static const char *record_again(void)
{
    glnn_list_destroy(list);
    list = NULL;
    return record_list() ? glnn_last_error() : find_wrong_sum();
}

static const fault_scenario recording_a_list = {
    .name = "recording and running a list",
    .begin = begin_matrices,
    .call = record_list,
    .find_wrong = find_wrong_sum,
    .go_on = record_again,
    .end = end_matrices,
};

static void recording_a_list_fails_cleanly(void **state)
{
    (void)state;
    fault_scenario_run(&recording_a_list, 50);
}

/* ---- Files that are replaced */

enum { FILE_CAPACITY = 1 << 15 };

/* A file that is replaced, and how its new content is loaded. */
typedef struct replaced {
    const char *name;
    const char *(*load)(const char *path); /* returns what is wrong with it, or NULL */
} replaced;

static replaced file;

static const char old_bytes[] = "the old file";

static void begin_file(replaced of)
{
    file = of;
    file_write(of.name, old_bytes, sizeof old_bytes);
}

static bool is_old(const char *name)
{
    unsigned char found[FILE_CAPACITY];
    return file_read(path_of(name).text, found, sizeof found) == sizeof old_bytes &&
           memcmp(found, old_bytes, sizeof old_bytes) == 0;
}

static const char *find_wrong_file(void)
{
    return file.load(path_of(file.name).text);
}

/* The old file is whole, or the new one. */
static const char *find_damaged_file(void)
{
    return is_old(file.name) ? NULL : find_wrong_file();
}

static const char *load_network(const char *path)
{
    static learnt known;
    glnn_learner *loaded;
    if (glnn_learner_load(ctx, path, &(glnn_load_desc){.capacity = BATCH}, &loaded))
        return glnn_last_error();
    const char *wrong = compare_parameters(&known, loaded);
    glnn_learner_destroy(loaded);
    return wrong;
}

static void begin_saving(void)
{
    begin_network();
    begin_file((replaced){"network", load_network});
}

static glnn_status save_network(void)
{
    return glnn_learner_save(network, path_of("network").text);
}

static const fault_scenario saving_a_network = {
    .name = "saving a network",
    .begin = begin_saving,
    .call = save_network,
    .find_wrong = find_wrong_file,
    .find_damage = find_damaged_file,
    .end = end_trainer,
};

static glnn_status load(void)
{
    return glnn_learner_load(ctx, path_of("network").text, &(glnn_load_desc){.capacity = BATCH},
                             &network);
}

static const char *find_wrong_network(void)
{
    static learnt known;
    return compare_parameters(&known, network);
}

static const char *find_network(void)
{
    return network ? "there is a network" : NULL;
}

static const fault_scenario loading_a_network = {
    .name = "loading a network",
    .begin = begin_context,
    .call = load,
    .find_wrong = find_wrong_network,
    .find_damage = find_network,
    .end = end_trainer,
};

static void networks_are_saved_and_loaded_whole_or_not_at_all(void **state)
{
    (void)state;
    fault_scenario_run(&saving_a_network, 100);
    begin_network();
    expect_ok(save_network());
    end_trainer();
    fault_scenario_run(&loading_a_network, 100);
}

static const char *find_wrong_source(const char *path)
{
    static unsigned char known[FILE_CAPACITY];
    static size_t known_size;
    unsigned char found[FILE_CAPACITY];
    const size_t size = file_read(path, found, sizeof found);
    if (known_size == 0) {
        known_size = size;
        memcpy(known, found, size);
    }
    return size == known_size && memcmp(found, known, size) == 0 ? NULL : "it has other bytes";
}

static void begin_export(void)
{
    begin_network();
    begin_file((replaced){"network.c", find_wrong_source});
}

static glnn_status export_network(void)
{
    return glnn_learner_export_c(network, path_of("network.c").text, "net");
}

static const fault_scenario exporting_c = {
    .name = "exporting C",
    .begin = begin_export,
    .call = export_network,
    .find_wrong = find_wrong_file,
    .find_damage = find_damaged_file,
    .end = end_trainer,
};

static void exports_are_whole_or_not_there(void **state)
{
    (void)state;
    fault_scenario_run(&exporting_c, 100);
}

/* ---- Checkpoints */

/* The training goes on from the checkpoint as it always does. */
static const char *resume_and_compare(const char *path)
{
    static learnt known;
    if (glnn_trainer_load_checkpoint(trainer, path) || end_epoch())
        return glnn_last_error();
    return compare_parameters(&known, network);
}

static void begin_checkpoint(void)
{
    begin_trainer();
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    remove(path_of("checkpoint.1").text);
    begin_file((replaced){"checkpoint", resume_and_compare});
}

static glnn_status save_checkpoint(void)
{
    return glnn_trainer_save_checkpoint(trainer, path_of("checkpoint").text);
}

/* The old checkpoint has its name or the one that it gets when it is replaced. */
static const char *find_damaged_checkpoint(void)
{
    return is_old("checkpoint") || is_old("checkpoint.1") ? NULL : "the old file is lost";
}

static const fault_scenario saving_a_checkpoint = {
    .name = "saving a checkpoint",
    .begin = begin_checkpoint,
    .call = save_checkpoint,
    .find_wrong = find_wrong_file,
    .find_damage = find_damaged_checkpoint,
    .end = end_trainer,
};

static glnn_status resume(void)
{
    return glnn_trainer_load_checkpoint(trainer, path_of("checkpoint").text);
}

static const char *find_wrong_resumed(void)
{
    static learnt known;
    int steps = 0;
    if (glnn_trainer_step(trainer, 0, 0, &steps, NULL) || glnn_trainer_end_epoch(trainer))
        return glnn_last_error();
    return steps == 2 ? compare_parameters(&known, network) : "it begins anew";
}

/* Without the checkpoint the training goes on as before, or says that it is over. */
static const char *go_on_without(void)
{
    static learnt known;
    if (glnn_trainer_is_finished(trainer))
        return strstr(glnn_last_error(), "over") ? NULL : glnn_last_error();
    return step() ? glnn_last_error() : compare_parameters(&known, network);
}

static const fault_scenario resuming = {
    .name = "resuming",
    .begin = begin_trainer,
    .call = resume,
    .find_wrong = find_wrong_resumed,
    .go_on = go_on_without,
    .end = end_trainer,
};

/* A trainer finds the checkpoint by itself, and never begins anew instead. */
static glnn_status create_resumed(void)
{
    const file_path path = path_of("checkpoint");
    return glnn_trainer_create(network, data,
                               &(glnn_train_desc){.batch = BATCH,
                                                  .epochs = 3,
                                                  .validation_split = 0.25f,
                                                  .checkpoint = path.text,
                                                  .checkpoint_every = 1000,
                                                  .resume = true},
                               &trainer);
}

static void begin_data(void)
{
    begin_network();
    expect_ok(create_data());
}

static void begin_stored(void)
{
    begin_data();
    expect_ok(create_resumed());
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    expect_ok(save_checkpoint());
    end_trainer();
}

static const fault_scenario creating_a_resumed_trainer = {
    .name = "creating a trainer that resumes",
    .begin = begin_data,
    .call = create_resumed,
    .find_wrong = find_wrong_resumed,
    .end = end_trainer,
};

static void checkpoints_are_saved_and_loaded_whole_or_not_at_all(void **state)
{
    (void)state;
    fault_scenario_run(&saving_a_checkpoint, 100);
    remove(path_of("checkpoint.1").text);
    begin_checkpoint();
    expect_ok(save_checkpoint());
    end_trainer();
    fault_scenario_run(&resuming, 100);
    remove(path_of("checkpoint").text);
    remove(path_of("checkpoint.1").text);
    begin_stored();
    fault_scenario_run(&creating_a_resumed_trainer, 100);
}

/* ---- Data that stream from a file, by threads */

static glnn_status open_stream(void)
{
    return glnn_dataset_open(ctx, path_of("samples.npy").text, GLNN_DATASET_NPY,
                             &(glnn_dataset_desc){.samples = SAMPLES,
                                                  .features = FEATURES,
                                                  .labels = labels,
                                                  .classes = CLASSES,
                                                  .texture_budget = STREAM_BUDGET,
                                                  .threads = 1},
                             &data);
}

static glnn_status train_on_stream(void)
{
    glnn_status status = open_stream();
    if (!status)
        status = create_trainer();
    return status ? status : step();
}

static const char *find_wrong_stream(void)
{
    static learnt known;
    if (!glnn_dataset_is_streamed(data))
        return "the data do not stream";
    return compare_parameters(&known, network);
}

static const char *train_on_stream_again(void)
{
    glnn_trainer_destroy(trainer);
    glnn_dataset_destroy(data);
    trainer = NULL;
    data = NULL;
    return train_on_stream() ? glnn_last_error() : predict();
}

static const fault_scenario streaming = {
    .name = "training on data that stream",
    .begin = begin_network,
    .call = train_on_stream,
    .find_wrong = find_wrong_stream,
    .go_on = train_on_stream_again,
    .end = end_trainer,
};

static void streams_fail_cleanly(void **state)
{
    (void)state;
    expect_ok(glnn_npy_write(path_of("samples.npy").text, SAMPLES, FEATURES, inputs, 0));
    fault_scenario_run(&streaming, 100);
}

/* ---- Programs on disk */

static char folder[TREE_PATH];

static void begin_cold_cache(void)
{
    tree_make(folder);
    cache = tree_path(folder, "cache");
    begin_context();
}

static void end_cold_cache(void)
{
    end_trainer();
    tree_remove(folder);
    cache = "";
}

/* The next context has the same results, whatever was stored. */
static const char *find_wrong_store(void)
{
    const char *wrong = find_wrong_use();
    if (wrong)
        return wrong;
    end_trainer();
    begin_context();
    return use_network_again();
}

static const char *go_on_with_store(void)
{
    const char *wrong = use_network_again();
    return wrong ? wrong : find_wrong_store();
}

/* The context works whether programs can be stored or not. */
static const fault_scenario storing_programs = {
    .name = "storing programs",
    .begin = begin_cold_cache,
    .call = use_network,
    .find_wrong = find_wrong_store,
    .go_on = go_on_with_store,
    .end = end_cold_cache,
};

static void begin_warm_cache(void)
{
    cache = tree_path(folder, "cache");
    begin_context();
}

static const fault_scenario loading_programs = {
    .name = "loading programs",
    .begin = begin_warm_cache,
    .call = use_network,
    .find_wrong = find_wrong_use,
    .go_on = use_network_again,
    .end = end_trainer,
};

static void stored_programs_are_whole_or_not_used(void **state)
{
    (void)state;
    fault_scenario_run(&storing_programs, 100);
    tree_make(folder);
    begin_warm_cache();
    expect_ok(use_network());
    end_trainer();
    fault_scenario_run(&loading_programs, 100);
    tree_remove(folder);
    cache = "";
}

int main(void)
{
    for (int i = 0; i < SAMPLES * FEATURES; ++i)
        inputs[i] = (float)(i * 37 % 101) / 101.0f - 0.5f;
    for (int i = 0; i < SAMPLES; ++i)
        labels[i] = i % CLASSES;
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(calls_are_counted_fail_and_are_missed_when_they_are_not_given_back),
        LEARNING_TEST(objects_of_opengl_are_counted),
        LEARNING_TEST(creating_a_context_fails_cleanly),
        LEARNING_TEST(training_steps_fail_cleanly),
        LEARNING_TEST(warming_up_fails_cleanly),
        LEARNING_TEST(using_a_network_fails_cleanly),
        LEARNING_TEST(recording_a_list_fails_cleanly),
        LEARNING_TEST(networks_are_saved_and_loaded_whole_or_not_at_all),
        LEARNING_TEST(exports_are_whole_or_not_there),
        LEARNING_TEST(checkpoints_are_saved_and_loaded_whole_or_not_at_all),
        LEARNING_TEST(streams_fail_cleanly),
        LEARNING_TEST(stored_programs_are_whole_or_not_used),
    };
    return cmocka_run_group_tests(tests, learner_files_setup, learner_files_teardown);
}
