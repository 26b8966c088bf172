/* Files while memory runs out: each allocation of a call fails in turn. */
#include "support/clusters.h"
#include "support/learner_files.h"
#include "support/prototypes.h"
#include "support/shortage.h"

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
    int least; /* allocations of saving and loading together */
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
    {"tensors", NULL, save_tensors, load_tensors, false, 15},
    {"codebook", NULL, save_codebook, load_codebook, false, 10},
    {"array.npy", NULL, save_npy, load_npy, false, 4},
    {"array.idx.gz", NULL, save_idx, load_idx, false, 10},
    {"image.png", NULL, save_image, load_image, false, 10},
    {"network", prepare_network, save_learner, load_learner, true, 25},
    {"prototypes", prepare_lvq, save_learner, load_learner, true, 25},
    {"centres", prepare_kmeans, save_learner, load_learner, true, 25},
    {"mixture", prepare_gmm, save_learner, load_learner, true, 25},
    {"projection", prepare_projection, save_projection, load_projection, true, 20},
};

/* Calls with the first `before` allocations; true where one failed. */
static bool call_short(const file_kind *kind, glnn_status (*call)(const char *path),
                       const char *path, int before, bool lasts, glnn_status *status)
{
    now = (shortage){
        .is_armed = true, .lasts = lasts, .of_library_only = kind->has_context, .before = before};
    *status = call(path);
    now.is_armed = false;
    if (now.kept != 0 && !kind->has_context)
        fail_msg("%s: %d allocations more than are given back", kind->name, now.kept);
    return now.failures > 0;
}

/* A file and its bytes. */
typedef struct stored {
    file_path path;
    unsigned char bytes[1u << 15];
    size_t size;
} stored;

static void read_stored(stored *of)
{
    of->size = file_read(of->path.text, of->bytes, sizeof of->bytes);
}

static void expect_bytes(const file_kind *kind, int before, const stored *wanted)
{
    stored found = {.path = wanted->path};
    read_stored(&found);
    if (found.size != wanted->size || memcmp(found.bytes, wanted->bytes, found.size) != 0)
        fail_msg("%s: other bytes after %d allocations", kind->name, before);
    assert_int_equal(files_in_folder(), 1);
}

static void expect_shortage(const file_kind *kind, int before, glnn_status status)
{
    if (status != GLNN_E_NOMEM)
        fail_msg("%s: %s after %d allocations: %s", kind->name, glnn_status_name(status), before,
                 glnn_last_error());
}

/* Saves over an old file; returns how many allocations that takes. */
static int save_with_shortages(const file_kind *kind, const stored *wanted, bool lasts)
{
    stored old = {.path = wanted->path, .bytes = "an old file", .size = 12};
    glnn_status status;
    for (int before = 0;; ++before) {
        file_write(kind->name, old.bytes, old.size);
        const bool is_short = call_short(kind, kind->save, old.path.text, before, lasts, &status);
        if (status != GLNN_OK)
            expect_shortage(kind, before, status);
        expect_bytes(kind, before, status ? &old : wanted);
        if (!is_short)
            return before;
    }
}

static int load_with_shortages(const file_kind *kind, const char *path, bool lasts)
{
    glnn_status status;
    for (int before = 0;; ++before) {
        const bool is_short = call_short(kind, kind->load, path, before, lasts, &status);
        if (status != GLNN_OK)
            expect_shortage(kind, before, status);
        if (!is_short)
            return before;
    }
}

static void run_short(const file_kind *kind, bool lasts)
{
    stored wanted = {.path = path_of(kind->name)};
    if (kind->prepare)
        kind->prepare();
    assert_int_equal(kind->save(wanted.path.text), GLNN_OK);
    assert_int_equal(kind->load(wanted.path.text), GLNN_OK);
    read_stored(&wanted);
    const int saving = save_with_shortages(kind, &wanted, lasts);
    const int loading = load_with_shortages(kind, wanted.path.text, lasts);
    if (saving + loading < kind->least)
        fail_msg("%s: only %d allocations were seen", kind->name, saving + loading);
    remove(wanted.path.text);
    release_learning();
}

static void without_memory_files_stay_and_calls_say_so(void **state)
{
    (void)state;
#ifdef OWN_ALLOCATOR
    print_message("the sanitizer's allocator cannot be replaced\n");
    skip();
#endif
    for (size_t k = 0; k < COUNT_OF(kinds); ++k)
        for (int lasts = 0; lasts < 2; ++lasts)
            run_short(&kinds[k], lasts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(without_memory_files_stay_and_calls_say_so),
    };
    return cmocka_run_group_tests_name("shortage", tests, learner_files_setup,
                                       learner_files_teardown);
}
