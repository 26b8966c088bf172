/* Compiled programs kept on disk: used by the next context, and only if they are sound. */
#include "support/tree.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/kmeans.h>

#include "pass/disk_cache.h"
#include "pass/pass.h"

enum { MOST_FILES = 32 };

/* A folder for everything, and in it one for compiled programs. */
static char folder[TREE_PATH], cache[TREE_PATH];

static int make_folder(void **state)
{
    (void)state;
    tree_make(folder);
    snprintf(cache, sizeof cache, "%s", tree_path(folder, "cache"));
    return 0;
}

static int remove_folder(void **state)
{
    tree_remove(folder);
    return test_teardown(state);
}

#define CACHE_TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

typedef struct visit {
    uint64_t compiled, loaded;
} visit;

/* Computes with a few programs in a context of its own, and checks the results. */
static visit compute(const char *cache_dir)
{
    const glnn_context_desc desc = {.debug = true, .cache_dir = cache_dir};
    glnn_context *ctx = NULL;
    expect_ok(glnn_context_create(&desc, &ctx));
    static const float a[] = {1, 2, 3, 4}, want[] = {49, 100, 225, 484};
    float got[4];
    glnn_matrix *x = NULL, *y = NULL;
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 2, .data = a}, &x));
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 2}, &y));
    expect_ok(glnn_gemm(ctx, NULL, 1, x, x, 0, y));
    expect_ok(glnn_binary_apply(ctx, GLNN_BINARY_MULTIPLY, y, y, y));
    expect_ok(glnn_map_apply(ctx, GLNN_MAP_RELU, y, y));
    expect_ok(glnn_matrix_download(ctx, y, NULL, got, 0));
    const glnn_counters counters = counters_of(ctx);
    glnn_matrix_destroy(x);
    glnn_matrix_destroy(y);
    glnn_context_destroy(ctx);
    assert_memory_equal(got, want, sizeof want);
    return (visit){counters.programs_compiled, counters.programs_loaded};
}

/* The files of programs. The verdicts of trials and the device profile have another one. */
static int list_programs(const char *path, char names[MOST_FILES][256])
{
    const int all = tree_list(path, names, MOST_FILES);
    int count = 0;
    for (int i = 0; i < all; ++i)
        if (!strstr(names[i], ".tuning"))
            memmove(names[count++], names[i], sizeof names[i]);
    return count;
}

static int files_in(const char *path)
{
    char names[MOST_FILES][256];
    return list_programs(path, names);
}

static void expect_visit(const char *cache_dir, uint64_t compiled, uint64_t loaded,
                         const char *what)
{
    const visit got = compute(cache_dir);
    if (got.compiled != compiled || got.loaded != loaded)
        fail_at(__FILE__, __LINE__, "%s: %d compiled and %d loaded, expected %d and %d", what,
                (int)got.compiled, (int)got.loaded, (int)compiled, (int)loaded);
}

static void the_second_context_loads_what_the_first_compiled(void **state)
{
    (void)state;
    const visit first = compute(cache);
    assert_true(first.compiled >= 3);
    assert_int_equal(first.loaded, 0);
    assert_int_equal(files_in(cache), first.compiled);
    expect_visit(cache, 0, first.compiled, "a warm cache");
    expect_visit(cache, 0, first.compiled, "a warm cache once more");
}

/* Ways to damage a file of a cache. */
typedef enum damage {
    DAMAGE_EMPTY,
    DAMAGE_ONE_BYTE,
    DAMAGE_HALF_A_HEADER,
    DAMAGE_HEADER_ALONE,
    DAMAGE_HALF,
    DAMAGE_LAST_BYTE_GONE,
    DAMAGE_ONE_BYTE_MORE,
    DAMAGE_GARBAGE,
    DAMAGE_BIT_OF_MAGIC,
    DAMAGE_BIT_OF_KEY,
    DAMAGE_BIT_OF_FORMAT,
    DAMAGE_BIT_OF_SIZE,
    DAMAGE_BIT_OF_CHECKSUM,
    DAMAGE_FIRST_BIT_OF_BINARY,
    DAMAGE_BIT_IN_THE_MIDDLE,
    DAMAGE_LAST_BIT,
    DAMAGE_COUNT
} damage;

enum { HEADER = 40 };

static void damage_file(const char *path, damage how)
{
    size_t size = 0;
    unsigned char *old = tree_read(path, &size);
    unsigned char *bytes = calloc(size + 2, 1);
    assert_non_null(bytes);
    assert_true(size > 2 * HEADER);
    memcpy(bytes, old, size);
    free(old);
    const struct {
        size_t length, flip; /* a byte, from 1; 0: none */
    } ways[DAMAGE_COUNT] = {
        [DAMAGE_EMPTY] = {0, 0},
        [DAMAGE_ONE_BYTE] = {1, 0},
        [DAMAGE_HALF_A_HEADER] = {HEADER / 2, 0},
        [DAMAGE_HEADER_ALONE] = {HEADER, 0},
        [DAMAGE_HALF] = {size / 2, 0},
        [DAMAGE_LAST_BYTE_GONE] = {size - 1, 0},
        [DAMAGE_ONE_BYTE_MORE] = {size + 1, 0},
        [DAMAGE_GARBAGE] = {size, 0},
        [DAMAGE_BIT_OF_MAGIC] = {size, 1},
        [DAMAGE_BIT_OF_KEY] = {size, 12},
        [DAMAGE_BIT_OF_FORMAT] = {size, 26},
        [DAMAGE_BIT_OF_SIZE] = {size, 30},
        [DAMAGE_BIT_OF_CHECKSUM] = {size, HEADER},
        [DAMAGE_FIRST_BIT_OF_BINARY] = {size, HEADER + 1},
        [DAMAGE_BIT_IN_THE_MIDDLE] = {size, size / 2},
        [DAMAGE_LAST_BIT] = {size, size},
    };
    for (size_t i = 0; how == DAMAGE_GARBAGE && i < size; ++i)
        bytes[i] = (unsigned char)(i * 37 + 11);
    if (ways[how].flip > 0)
        bytes[ways[how].flip - 1] ^= 4;
    tree_write(path, bytes, ways[how].length);
    free(bytes);
}

static void damaged_files_are_compiled_anew_and_rewritten(void **state)
{
    (void)state;
    char names[MOST_FILES][256];
    const uint64_t programs = compute(cache).compiled;
    const int count = list_programs(cache, names);
    for (damage how = 0; how < DAMAGE_COUNT; ++how) {
        char what[64];
        snprintf(what, sizeof what, "damage number %d", (int)how);
        for (int i = 0; i < count; ++i)
            damage_file(tree_path(cache, names[i]), how);
        expect_visit(cache, programs, 0, what);
        expect_visit(cache, 0, programs, "the file written anew");
    }
    assert_int_equal(files_in(cache), count);
}

static void one_damaged_file_costs_one_program(void **state)
{
    (void)state;
    char names[MOST_FILES][256];
    const uint64_t programs = compute(cache).compiled;
    list_programs(cache, names);
    damage_file(tree_path(cache, names[1]), DAMAGE_BIT_IN_THE_MIDDLE);
    expect_visit(cache, 1, programs - 1, "one damaged file");
    assert_int_equal(remove(tree_path(cache, names[2])), 0);
    expect_visit(cache, 1, programs - 1, "one missing file");
}

static void a_file_under_the_name_of_another_is_not_used(void **state)
{
    (void)state;
    char names[MOST_FILES][256];
    const uint64_t programs = compute(cache).compiled;
    list_programs(cache, names);
    size_t size = 0;
    unsigned char *bytes = tree_read(tree_path(cache, names[0]), &size);
    tree_write(tree_path(cache, names[1]), bytes, size);
    free(bytes);
    expect_visit(cache, 1, programs - 1, "an exchanged file");
}

/* FNV-1a, with which the cache checks its files; eight bytes in the header are the hash itself. */
static uint64_t hash_of(const unsigned char *bytes, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; ++i)
        if (i < HEADER - sizeof hash || i >= HEADER)
            hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

/* A file that the library takes for sound, but the driver does not: what an update of the driver
 * that keeps its version would leave behind. */
static void binaries_that_the_driver_refuses_are_compiled_anew(void **state)
{
    (void)state;
    char names[MOST_FILES][256];
    const uint64_t programs = compute(cache).compiled;
    const int count = list_programs(cache, names);
    for (int i = 0; i < count; ++i) {
        size_t size = 0;
        unsigned char *bytes = tree_read(tree_path(cache, names[i]), &size);
        for (size_t b = HEADER; b < size; ++b)
            bytes[b] = (unsigned char)(b * 73 + 5);
        const uint64_t hash = hash_of(bytes, size);
        memcpy(bytes + HEADER - sizeof hash, &hash, sizeof hash);
        tree_write(tree_path(cache, names[i]), bytes, size);
        free(bytes);
    }
    expect_visit(cache, programs, 0, "binaries of another driver");
    expect_visit(cache, 0, programs, "binaries written anew");
}

static void expect_other_key(const glnn_context *driver, const char *text, const char *what)
{
    static const glnn_context usual = {
        .info = {.vendor = "vendor", .renderer = "renderer", .version = "4.5 (1.2)"}};
    const glnn__cache_key one = glnn__disk_cache_key(&usual, "text", 4);
    const glnn__cache_key other = glnn__disk_cache_key(driver ? driver : &usual, text, 4);
    if (one.high == other.high || one.low == other.low)
        fail_at(__FILE__, __LINE__, "programs of another %s have the same key", what);
}

static void each_name_of_the_driver_and_the_text_are_in_a_program_s_key(void **state)
{
    (void)state;
    const glnn_context vendor = {
        .info = {.vendor = "Vendor", .renderer = "renderer", .version = "4.5 (1.2)"}};
    const glnn_context renderer = {
        .info = {.vendor = "vendor", .renderer = "Renderer", .version = "4.5 (1.2)"}};
    const glnn_context version = {
        .info = {.vendor = "vendor", .renderer = "renderer", .version = "4.5 (1.3)"}};
    const glnn_context shifted = {
        .info = {.vendor = "vendorr", .renderer = "enderer", .version = "4.5 (1.2)"}};
    expect_other_key(&vendor, "text", "vendor");
    expect_other_key(&renderer, "text", "renderer");
    expect_other_key(&version, "text", "version");
    expect_other_key(&shifted, "text", "cut between the names");
    expect_other_key(NULL, "test", "text");
}

/* A call that waits for a writer is ended by the alarm. */
static void pipes_in_place_of_programs_are_not_waited_for(void **state)
{
    (void)state;
    char names[MOST_FILES][256];
    const uint64_t programs = compute(cache).compiled;
    const int count = list_programs(cache, names);
    for (int i = 0; i < count; ++i) {
        assert_int_equal(unlink(tree_path(cache, names[i])), 0);
        assert_int_equal(mkfifo(tree_path(cache, names[i]), 0600), 0);
    }
    alarm(60);
    expect_visit(cache, programs, 0, "pipes");
    alarm(0);
}

static void an_empty_name_keeps_no_cache(void **state)
{
    (void)state;
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    const visit first = compute("");
    assert_true(first.compiled >= 3);
    expect_visit("", first.compiled, 0, "no cache");
    assert_int_equal(files_in(tree_path(folder, "glnn")), 0);
}

static void without_a_name_the_cache_is_where_the_user_keeps_caches(void **state)
{
    (void)state;
    assert_int_equal(setenv("XDG_CACHE_HOME", tree_path(folder, "caches"), 1), 0);
    const uint64_t programs = compute(NULL).compiled;
    assert_int_equal(files_in(tree_path(folder, "caches/glnn")), programs);
    expect_visit(NULL, 0, programs, "$XDG_CACHE_HOME/glnn");
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    const char *home = getenv("HOME");
    char *kept = home ? strdup(home) : NULL;
    assert_int_equal(setenv("HOME", folder, 1), 0);
    expect_visit(NULL, programs, 0, "another folder");
    expect_visit(NULL, 0, programs, "$HOME/.cache/glnn");
    assert_int_equal(files_in(tree_path(folder, ".cache/glnn")), programs);
    if (kept != NULL)
        setenv("HOME", kept, 1);
    free(kept);
}

/* A folder below a file cannot be made by anybody; in /proc nobody can make a file. */
static void a_cache_that_cannot_be_written_is_done_without(void **state)
{
    (void)state;
    tree_write(tree_path(folder, "file"), "", 0);
    const char *const places[] = {tree_path(folder, "file/cache"), "/proc", "/proc/no/such"};
    for (size_t i = 0; i < COUNT_OF(places); ++i) {
        const visit first = compute(places[i]);
        assert_true(first.compiled >= 3);
        expect_visit(places[i], first.compiled, 0, places[i]);
    }
}

/* Names of files do not fit a path in the innermost folder, which is made all the same. */
static void names_that_are_too_long_are_not_cut(void **state)
{
    (void)state;
    enum { LENGTH = PATH_MAX - 20, STEP = 200 };
    static char deep[PATH_MAX];
    const char *inner = tree_path(folder, "deep");
    size_t length = strlen(inner);
    memset(deep, 'd', LENGTH);
    memcpy(deep, inner, length);
    for (; length < LENGTH - STEP; length += STEP)
        deep[length] = '/';
    deep[LENGTH] = 0;
    const visit first = compute(deep);
    expect_visit(deep, first.compiled, 0, "a folder with a long name");
    assert_int_equal(files_in(deep), 0);
    /* The teardown's paths would be too long. */
    snprintf(deep, sizeof deep, "rm -rf '%s'", inner);
    assert_int_equal(system(deep), 0);
}

static void a_folder_for_texts_of_shaders_may_have_any_length(void **state)
{
    (void)state;
    static char name[2 * PATH_MAX];
    memset(name, 'd', sizeof name - 1);
    const char *value = getenv("GLNN_DUMP_SHADERS");
    char *kept = value ? strdup(value) : NULL;
    assert_int_equal(setenv("GLNN_DUMP_SHADERS", name, 1), 0);
    assert_true(compute("").compiled >= 3);
    assert_non_null(strstr(log_text(GLNN_LOG_WARNING), "the shader's text cannot be written"));
    assert_int_equal(unsetenv("GLNN_DUMP_SHADERS"), 0);
    if (kept != NULL)
        setenv("GLNN_DUMP_SHADERS", kept, 1);
    free(kept);
}

/* A first step compiles its programs together: only what comes before and after it does not. */
static void the_programs_of_a_step_are_compiled_together_and_logged(void **state)
{
    (void)state;
    float inputs[2 * 40];
    glnn_context *ctx;
    glnn_dataset *data;
    glnn_learner *kmeans;
    unsigned logged;
    for (int i = 0; i < 2 * 40; ++i)
        inputs[i] = (float)(i * 37 % 40);
    expect_ok(glnn_context_create(&(glnn_context_desc){.cache_dir = "", .tuning = GLNN_TUNING_OFF},
                                  &ctx));
    expect_ok(glnn_dataset_create(
        ctx, &(glnn_dataset_desc){.samples = 40, .features = 2, .inputs = inputs}, &data));
    expect_ok(glnn_kmeans_create(
        ctx, &(glnn_kmeans_desc){.features = 2, .centres = 3, .capacity = 40}, &kmeans));
    log_clear();
    const uint64_t before = counters_of(ctx).programs_compiled;
    expect_ok(glnn_learner_train(kmeans, data, &(glnn_train_desc){.epochs = 1}, NULL));
    assert_int_equal(sscanf(log_text(GLNN_LOG_PROGRESS), "compiling %u programs", &logged), 1);
    const uint64_t compiled = counters_of(ctx).programs_compiled - before;
    assert_true(2 * logged >= compiled);
    glnn_learner_destroy(kmeans);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CACHE_TEST(the_second_context_loads_what_the_first_compiled),
        CACHE_TEST(damaged_files_are_compiled_anew_and_rewritten),
        CACHE_TEST(one_damaged_file_costs_one_program),
        CACHE_TEST(a_file_under_the_name_of_another_is_not_used),
        CACHE_TEST(binaries_that_the_driver_refuses_are_compiled_anew),
        TEST(each_name_of_the_driver_and_the_text_are_in_a_program_s_key),
        CACHE_TEST(pipes_in_place_of_programs_are_not_waited_for),
        CACHE_TEST(an_empty_name_keeps_no_cache),
        CACHE_TEST(without_a_name_the_cache_is_where_the_user_keeps_caches),
        TEST(the_programs_of_a_step_are_compiled_together_and_logged),
        CACHE_TEST(a_cache_that_cannot_be_written_is_done_without),
        CACHE_TEST(names_that_are_too_long_are_not_cut),
        CACHE_TEST(a_folder_for_texts_of_shaders_may_have_any_length),
    };
    return cmocka_run_group_tests_name("program cache", tests, test_group_setup,
                                       test_group_teardown);
}
