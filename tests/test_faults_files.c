/* Files of every kind while an allocation, a call of OpenGL or a call on files fails: the old file
 * or the new one is there, whole, and a call that fails says so. */
#include "support/clusters.h"
#include "support/fault_runs.h"
#include "support/learner_files.h"
#include "support/prototypes.h"

#include <glnn/codebook.h>
#include <glnn/idx.h>
#include <glnn/image.h>
#include <glnn/npy.h>
#include <glnn/projection.h>

/* A kind of file. Its content is made before memory runs out. */
typedef struct file_kind {
    const char *name;
    void (*prepare)(void); /* NULL: nothing to do */
    glnn_status (*save)(const char *path);
    glnn_status (*load)(const char *path);
    bool has_context;
} file_kind;

static const float numbers[12] = {1, 0.5f, 0.25f, 0, 1, 0.75f, 0, 0.125f, 1, 1, 0, 0.5f};

static glnn_status save_tensors(const char *path)
{
    const glnn_tensor tensors[] = {{"first", 2, {3, 4}, numbers}, {"second", 1, {5}, numbers}};
    const glnn_metadata texts[] = {{"format", "test"}, {"name", "\"quoted\"\n"}};
    return glnn_safetensors_write(path, tensors, 2, texts, 2);
}

static glnn_status load_tensors(const char *path)
{
    glnn_safetensors *file;
    const glnn_status status = glnn_safetensors_read(path, &file);
    if (!status)
        assert_string_equal(glnn_safetensors_get_metadata(file, "name"), "\"quoted\"\n");
    glnn_safetensors_free(file);
    return status;
}

/* Long enough for the stream that it is printed to, to grow. */
static glnn_status save_codebook(const char *path)
{
    enum { COUNT = 500 };
    static float vectors[COUNT * 4];
    static int labels[COUNT];
    static char first[] = "a", second[] = "b", *names[] = {first, second};
    for (int i = 0; i < COUNT * 4; ++i)
        vectors[i] = numbers[i % 12] / 3;
    labels[COUNT - 1] = 1;
    return glnn_codebook_write(path, &(glnn_codebook){.size = sizeof(glnn_codebook),
                                                      .features = 4,
                                                      .count = COUNT,
                                                      .vectors = vectors,
                                                      .labels = labels,
                                                      .classes = 2,
                                                      .class_names = names});
}

static glnn_status load_codebook(const char *path)
{
    glnn_codebook codebook = {.size = sizeof codebook};
    const glnn_status status = glnn_codebook_read(path, &codebook);
    glnn_codebook_free(&codebook);
    return status;
}

static glnn_status save_npy(const char *path)
{
    return glnn_npy_write(path, 3, 4, numbers, 0);
}

static glnn_status load_npy(const char *path)
{
    glnn_npy npy = {.size = sizeof npy};
    const glnn_status status = glnn_npy_read(path, &npy);
    glnn_npy_free(&npy);
    return status;
}

static glnn_status save_idx(const char *path)
{
    unsigned char bytes[12] = {0};
    const glnn_idx idx = {.size = sizeof idx,
                          .type = GLNN_IDX_UINT8,
                          .dimensions = 2,
                          .shape = {3, 4},
                          .data = bytes};
    return glnn_idx_write(path, &idx);
}

static glnn_status load_idx(const char *path)
{
    glnn_idx idx = {.size = sizeof idx};
    const glnn_status status = glnn_idx_read(path, &idx);
    glnn_idx_free(&idx);
    return status;
}

static glnn_status save_image(const char *path)
{
    return glnn_image_write(path, 1, 4, 3, numbers, 0, 1);
}

static glnn_status load_image(const char *path)
{
    int width, height;
    float *pixels;
    const glnn_status status = glnn_image_read(path, 1, &width, &height, &pixels);
    free(pixels);
    return status;
}

/* Saving and loading a learner. */
static glnn_learner *learner;

static glnn_status save_learner(const char *path)
{
    return glnn_learner_save(learner, path);
}

static glnn_status load_learner(const char *path)
{
    glnn_learner *loaded;
    const glnn_status status =
        glnn_learner_load(glnn_test_context(), path, &(glnn_load_desc){.capacity = 8}, &loaded);
    glnn_learner_destroy(loaded);
    return status;
}

static void prepare_network(void)
{
    learner = network_of(
        &(glnn_network_desc){.features = 3,
                             .layers = {{.units = 4, .activation = GLNN_ACTIVATION_RELU},
                                        {.units = 2, .activation = GLNN_ACTIVATION_IDENTITY}},
                             .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                             .capacity = 8});
}

static void prepare_lvq(void)
{
    static const int classes[] = {0, 1, 1};
    learner = lvq_of(&(glnn_lvq_desc){.kind = GLNN_LVQ_GMLVQ,
                                      .features = 4,
                                      .classes = 2,
                                      .prototypes_of = (int[]){1, 2},
                                      .capacity = 8});
    expect_ok(lvq_write(learner, numbers, classes));
}

static void prepare_kmeans(void)
{
    learner = kmeans_of(&(glnn_kmeans_desc){.features = 4, .centres = 3, .capacity = 8});
    expect_ok(write_tensor(learner, "centres", numbers));
}

static void prepare_gmm(void)
{
    const float weights[] = {0.5f, 0.5f}, variances[] = {1, 2, 3, 4};
    learner = gmm_of(&(glnn_gmm_desc){
        .features = 2, .components = 2, .covariance = GLNN_COVARIANCE_DIAGONAL, .capacity = 8});
    expect_ok(gmm_write(learner, weights, numbers, variances));
}

static glnn_projection *projection;

static void destroy_projection(void *fitted)
{
    glnn_projection_destroy(fitted);
}

static void prepare_projection(void)
{
    expect_ok(glnn_pca_fit(glnn_test_context(), &(glnn_pca_desc){.components = 2}, 4, 3, numbers,
                           &projection));
    learning_own(projection, destroy_projection);
}

static glnn_status save_projection(const char *path)
{
    return glnn_projection_save(projection, path);
}

static glnn_status load_projection(const char *path)
{
    glnn_projection *loaded;
    const glnn_status status = glnn_projection_load(glnn_test_context(), path, &loaded);
    glnn_projection_destroy(loaded);
    return status;
}

static const file_kind kinds[] = {
    {"tensors", NULL, save_tensors, load_tensors, false},
    {"codebook", NULL, save_codebook, load_codebook, false},
    {"array.npy", NULL, save_npy, load_npy, false},
    {"array.idx.gz", NULL, save_idx, load_idx, false},
    {"image.png", NULL, save_image, load_image, false},
    {"network", prepare_network, save_learner, load_learner, true},
    {"prototypes", prepare_lvq, save_learner, load_learner, true},
    {"centres", prepare_kmeans, save_learner, load_learner, true},
    {"mixture", prepare_gmm, save_learner, load_learner, true},
    {"projection", prepare_projection, save_projection, load_projection, true},
};

/* ---- Saving and loading a kind */

enum { FILE_CAPACITY = 1 << 15, FEWEST_CALLS = 6 };

static const file_kind *kind;
static const char old_bytes[] = "an old file";

/* The bytes that saving gives; none before the first time. */
static unsigned char new_bytes[FILE_CAPACITY];
static size_t new_size;

static const char *path(void)
{
    static file_path of;
    of = path_of(kind->name);
    return of.text;
}

static void begin(void)
{
    if (kind->has_context)
        context_use(context_new(0, 0));
    if (kind->prepare)
        kind->prepare();
}

static void begin_saving(void)
{
    begin();
    file_write(kind->name, old_bytes, sizeof old_bytes);
}

static void begin_loading(void)
{
    begin();
    expect_ok(kind->save(path()));
}

static glnn_status save(void)
{
    return kind->save(path());
}

static glnn_status load(void)
{
    return kind->load(path());
}

static bool has_bytes(const void *wanted, size_t size)
{
    unsigned char found[FILE_CAPACITY];
    return file_read(path(), found, sizeof found) == size && memcmp(found, wanted, size) == 0;
}

static const char *find_wrong_file(void)
{
    if (new_size == 0)
        new_size = file_read(path(), new_bytes, sizeof new_bytes);
    if (files_in_folder() != 1)
        return "there is a further file";
    return has_bytes(new_bytes, new_size) ? NULL : "the file has other bytes";
}

static const char *find_damaged_file(void)
{
    if (files_in_folder() != 1)
        return "a temporary file is left";
    return has_bytes(old_bytes, sizeof old_bytes) ? NULL : find_wrong_file();
}

static void run_kind(const file_kind *of)
{
    char saving[64], loading[64];
    kind = of;
    new_size = 0;
    snprintf(saving, sizeof saving, "saving %s", of->name);
    snprintf(loading, sizeof loading, "loading %s", of->name);
    fault_scenario_run(&(fault_scenario){.name = saving,
                                         .begin = begin_saving,
                                         .call = save,
                                         .find_wrong = find_wrong_file,
                                         .find_damage = find_damaged_file,
                                         .end = release_learning,
                                         .lasts = true},
                       FEWEST_CALLS);
    fault_scenario_run(&(fault_scenario){.name = loading,
                                         .begin = begin_loading,
                                         .call = load,
                                         .end = release_learning,
                                         .lasts = true},
                       FEWEST_CALLS);
    remove(path());
}

static void files_are_whole_and_calls_that_fail_say_so(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); ++k)
        run_kind(&kinds[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(files_are_whole_and_calls_that_fail_say_so),
    };
    return cmocka_run_group_tests(tests, learner_files_setup, learner_files_teardown);
}
