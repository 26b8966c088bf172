/* Files of learners, projections and checkpoints. */
#include "target.h"

#include "support/layer_checks.h"
#include "support/layer_reference.h"
#include "support/runs.h"

#include <glnn/projection.h>

#include "learn/train/checkpointer.h"

#include <stdio.h>

/* ---- Learners */

void fuzz_run_learner(const unsigned char *bytes, size_t size)
{
    const char *path = fuzz_file("input", bytes, size);
    const glnn_load_desc how = {.capacity = 4};
    glnn_learner *learner = NULL;
    const glnn_status status = glnn_learner_load(glnn_test_context(), path, &how, &learner);
    fuzz_expect_sentence(status);
    assert_true((status == GLNN_OK) == (learner != NULL));
    glnn_learner_destroy(learner);
}

static void seed_learner(glnn_learner *learner)
{
    expect_ok(glnn_learner_save(learner, fuzz_seed_path()));
}

/* A network with a preparation: columns of a table, and a scale. */
static glnn_learner *prepared_network(void)
{
    static const char text[] = "a,b,kind,price\n1,rough,x,3\n2,smooth,y,4\n5,rough,x,5\n";
    static const char *const price[] = {"price"};
    static const glnn_csv_choice category = {.column = "b", .type = GLNN_CSV_TYPE_CATEGORY};
    const glnn_csv_desc how = {.label = "kind",
                               .dropped = price,
                               .dropped_count = 1,
                               .choices = &category,
                               .choice_count = 1};
    glnn_csv table = {.size = sizeof table};
    const char *path = fuzz_file("table", (const unsigned char *)text, sizeof text - 1);
    expect_ok(glnn_csv_read(path, &how, &table));
    glnn_preparation preparation = {.columns = table.columns};
    expect_ok(glnn_scale_fit(GLNN_SCALE_STANDARD, table.rows, table.columns.features, table.inputs,
                             &preparation.scale));
    glnn_learner *learner = network_of(
        &(glnn_network_desc){.features = table.columns.features, .layers = {{.units = 2}}});
    expect_ok(glnn_learner_set_preparation(learner, &preparation));
    glnn_scale_free(&preparation.scale);
    glnn_csv_free(&table);
    return learner;
}

void fuzz_seed_network(void)
{
    seed_learner(network_of(
        &(glnn_network_desc){.features = 3,
                             .layers = {{.units = 4, .activation = GLNN_ACTIVATION_RELU},
                                        {.kind = GLNN_LAYER_DROPOUT, .rate = 0.3f},
                                        {.units = 2, .activation = GLNN_ACTIVATION_IDENTITY}},
                             .loss = GLNN_LOSS_CROSS_ENTROPY,
                             .optimizer = {.kind = GLNN_OPTIMIZER_ADAM}}));
    seed_learner(network_of(&(glnn_network_desc){
        .shape = {1, 6, 6},
        .layers =
            {{.kind = GLNN_LAYER_CONVOLUTION, .units = 2, .kernel = {3, 3}, .padding = {1, 1}},
             {.kind = GLNN_LAYER_BATCH_NORM},
             {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}, .stride = {2, 2}},
             {.kind = GLNN_LAYER_FLATTEN},
             {.units = 2, .activation = GLNN_ACTIVATION_IDENTITY}},
        .loss = GLNN_LOSS_CROSS_ENTROPY}));
    seed_learner(prepared_network());
    for (glnn_layer_kind kind = 0; kind < GLNN_LAYER_COUNT; ++kind) {
        const layer_reference *of = layer_reference_of(kind);
        const glnn_network_desc desc =
            network_of_layers(layer_reference_shape(kind), of->layers, of->count, false);
        seed_learner(network_of(&desc));
    }
}

/* All learners of a kind that the tests of checkpoints train, after a few steps, so that they have
 * parameters. */
static void seed_runs(learner_kind kind)
{
    for (int i = 0; i < run_count; ++i) {
        const subject of = runs[i].make(runs[i].choice);
        if (of.kind != kind)
            continue;
        glnn_trainer *former = trainer_of(&of, data_of(&runs[i]), &runs[i].how);
        advance(former, 2, true);
        seed_learner(of.learner);
    }
}

void fuzz_seed_lvq(void)
{
    seed_runs(LVQ);
}

void fuzz_seed_kmeans(void)
{
    seed_runs(KMEANS);
}

void fuzz_seed_gmm(void)
{
    seed_runs(MIXTURE);
}

void fuzz_seed_svm(void)
{
    seed_runs(SVM);
}

/* ---- Parameters for a network that exists, also those of other programs */

static glnn_learner *network;

static void forget_network(void *of)
{
    (void)of;
    network = NULL;
}

static glnn_learner *get_network(void)
{
    if (!network) {
        network = network_of(&(glnn_network_desc){
            .features = 2, .layers = {{.units = 3}, {.units = 2}}, .capacity = 4});
        learning_own(network, forget_network);
    }
    return network;
}

void fuzz_run_parameters(const unsigned char *bytes, size_t size)
{
    const char *path = fuzz_file("input", bytes, size);
    fuzz_expect_sentence(glnn_learner_load_parameters(get_network(), path));
}

void fuzz_seed_parameters(void)
{
    static const float values[6] = {0.5f, -1, 2, 3, -4, 5};
    const glnn_tensor arrays[] = {{"0.bias", 1, {3}, values},
                                  {"0.weight", 2, {3, 2}, values},
                                  {"1.bias", 1, {2}, values},
                                  {"1.weight", 2, {2, 3}, values}};
    const glnn_metadata text = {"format", "pt"};
    expect_ok(glnn_safetensors_write(fuzz_seed_path(), arrays, COUNT_OF(arrays), &text, 1));
    seed_learner(get_network());
}

/* ---- Projections */

void fuzz_run_projection(const unsigned char *bytes, size_t size)
{
    glnn_projection *projection = NULL;
    const glnn_status status =
        glnn_projection_load(glnn_test_context(), fuzz_file("input", bytes, size), &projection);
    fuzz_expect_sentence(status);
    assert_true((status == GLNN_OK) == (projection != NULL));
    glnn_projection_destroy(projection);
}

void fuzz_seed_projection(void)
{
    const float inputs[] = {1, 2, 3, -1, 0, 4, 2, 2, 1, 5, -3, 0};
    glnn_projection *projection = NULL;
    expect_ok(glnn_pca_fit(glnn_test_context(), &(glnn_pca_desc){.components = 2}, 4, 3, inputs,
                           &projection));
    expect_ok(glnn_projection_save(projection, fuzz_seed_path()));
    glnn_projection_destroy(projection);
}

/* ---- Checkpoints */

static glnn_trainer *trainer;
static char whole[TREE_PATH];

static void forget_trainer(void *of)
{
    (void)of;
    trainer = NULL;
}

static void make_trainer(void)
{
    trainer = start_run(&runs[0], &runs[0].how);
    learning_own(trainer, forget_trainer);
    advance(trainer, 4, false);
    snprintf(whole, sizeof whole, "%s", fuzz_path("whole"));
    expect_ok(glnn_trainer_save_checkpoint(trainer, whole));
}

/* After an error the training is as it was. Otherwise it goes back, so that an input acts in the
 * same way whatever came before it. */
void fuzz_run_checkpoint(const unsigned char *bytes, size_t size)
{
    const char *path = fuzz_file("input", bytes, size);
    if (!trainer)
        make_trainer();
    const glnn_status status = glnn_trainer_load_checkpoint(trainer, path);
    fuzz_expect_sentence(status);
    if (!status)
        expect_ok(glnn_trainer_load_checkpoint(trainer, whole));
}

void fuzz_seed_checkpoint(void)
{
    make_trainer();
    for (int i = 0; i < 3; ++i) {
        expect_ok(glnn_trainer_save_checkpoint(trainer, fuzz_seed_path()));
        advance(trainer, 8 + 20 * (uint64_t)i, i == 1);
    }
}

/* The checksum is the last text of the metadata. */
void fuzz_repair_checkpoint(unsigned char *bytes, size_t size)
{
    static const char key[] = "\"checksum\":\"";
    glnn_safetensors *file = NULL;
    fuzz_repair_safetensors(bytes, size);
    if (glnn_safetensors_read(fuzz_file("repaired", bytes, size), &file))
        return;
    const glnn__checkpoint_sum sum = glnn__checkpoint_checksum(file);
    const size_t length = strlen(sum.text);
    for (size_t i = 0; i + sizeof key + length <= size; ++i)
        if (memcmp(bytes + i, key, sizeof key - 1) == 0)
            memcpy(bytes + i + sizeof key - 1, sum.text, length);
    glnn_safetensors_free(file);
}

/* ---- Trainings that begin with a checkpoint */

/* Trainings of each kind, and the words by which a checkpoint names its learner. */
static const struct resumable {
    const char *name, *words;
} resumables[] = {
    {"emphasis", "learner=network"},
    {"OLVQ1", "learner=olvq1"},
    {"Lloyd with a restart", "learner=kmeans"},
    {"mixtures of classes", "learner=gmm"},
};
enum { RESUMABLES = COUNT_OF(resumables) };

static const run *find_run(const char *name)
{
    int i = 0;
    while (strcmp(runs[i].name, name) != 0)
        ++i;
    return &runs[i];
}

static bool has_words(const unsigned char *bytes, size_t size, const char *words)
{
    const size_t length = strlen(words);
    for (size_t i = 0; i + length <= size; ++i)
        if (memcmp(bytes + i, words, length) == 0)
            return true;
    return false;
}

/* A checkpoint of each training that is not damaged. */
static struct {
    unsigned char *bytes;
    size_t size;
} wholes[RESUMABLES];

/* A checkpoint of this training after some steps. */
static void save_run(int number, uint64_t steps, bool ends_epoch, const char *path)
{
    const run *of = find_run(resumables[number].name);
    glnn_trainer *former = start_run(of, &of->how);
    advance(former, steps, ends_epoch);
    expect_ok(glnn_trainer_save_checkpoint(former, path));
    release_learning();
}

/* Goes on from the checkpoint at `path`, or from the one before it. Makes a few steps, and saves
 * nothing. */
static glnn_status resume(const run *of, const char *path, bool *from_former)
{
    glnn_trainer *made = NULL;
    glnn_train_desc how = of->how;
    how.checkpoint = path;
    how.checkpoint_every = 1 << 30;
    how.resume = true;
    const glnn_status status =
        glnn_trainer_create(of->make(of->choice).learner, data_of(of), &how, &made);
    fuzz_expect_sentence(status);
    assert_true((status == GLNN_OK) == (made != NULL));
    *from_former = made && glnn_trainer_get_result(made)->resumed_former;
    for (int i = 0; i < 2 && made && !glnn_trainer_is_finished(made); ++i) {
        bool has_ended = false;
        glnn_status stepped = glnn_trainer_step(made, 3, 0, NULL, &has_ended);
        if (!stepped && has_ended)
            stepped = glnn_trainer_end_epoch(made);
        fuzz_expect_sentence(stepped);
    }
    glnn_trainer_destroy(made);
    release_learning();
    return status;
}

/* An input that is refused is tried again with a whole checkpoint before it, which takes its place
 * if it is damaged. */
void fuzz_run_resume(const unsigned char *bytes, size_t size)
{
    static const char former[] = "resumed.1";
    char path[TREE_PATH];
    bool from_former;
    int number = RESUMABLES - 1;
    while (number > 0 && !has_words(bytes, size, resumables[number].words))
        --number;
    const run *of = find_run(resumables[number].name);
    if (!wholes[number].bytes) {
        save_run(number, 4, false, fuzz_path("whole"));
        wholes[number].bytes = tree_read(fuzz_path("whole"), &wholes[number].size);
    }
    remove(fuzz_path(former));
    snprintf(path, sizeof path, "%s", fuzz_file("resumed", bytes, size));
    const glnn_status alone = resume(of, path, &from_former);
    assert_false(from_former);
    if (!alone)
        return;
    fuzz_file(former, wholes[number].bytes, wholes[number].size);
    const glnn_status status = resume(of, path, &from_former);
    assert_int_equal(status, from_former ? GLNN_OK : alone);
}

void fuzz_seed_resume(void)
{
    for (int i = 0; i < RESUMABLES; ++i) {
        save_run(i, 2, false, fuzz_seed_path());
        save_run(i, 9, true, fuzz_seed_path());
    }
}
