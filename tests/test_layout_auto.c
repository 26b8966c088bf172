/* The layout that the library chooses, of matrices and of learners. */
#include "support/tuned.h"

#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>
#include <glnn/network.h>

#include "pass/program.h"
#include "pass/tuning_store.h"

static glnn_layout layout_of_matrix(glnn_context *ctx, int rows, int columns)
{
    glnn_matrix *m;
    expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns}, &m));
    const glnn_layout layout = glnn_matrix_get_layout(m);
    glnn_matrix_destroy(m);
    return layout;
}

static glnn_layout layout_for_batches(glnn_context *ctx, int inputs, int units, int capacity,
                                      glnn_layout asked)
{
    glnn_learner *network;
    const glnn_network_desc desc = {.features = inputs,
                                    .layer_count = 2,
                                    .layers = {{.units = units}, {.units = 10}},
                                    .layout = asked,
                                    .capacity = capacity};
    expect_ok(glnn_network_create(ctx, &desc, &network));
    const glnn_layout layout = glnn_network_get_desc(network)->layout;
    glnn_learner_destroy(network);
    return layout;
}

static glnn_layout layout_of_network(glnn_context *ctx, int inputs, int units, glnn_layout asked)
{
    return layout_for_batches(ctx, inputs, units, 128, asked);
}

/* A context of the compute stage that takes its device for a GPU. */
static glnn_context *gpu_context(const char *cache, glnn_tuning tuning)
{
    glnn_context *ctx;
    const glnn_context_desc desc = {
        .stage = GLNN_STAGE_COMPUTE, .cache_dir = cache, .tuning = tuning};
    expect_ok(glnn_context_create(&desc, &ctx));
    ctx->info.software = false;
    return ctx;
}

static void fragments_and_software_rasterisers_compute_tiles(void **state)
{
    (void)state;
    glnn_context *ctx = context_with("", GLNN_TUNING_OFF);
    ctx->info.stage = GLNN_STAGE_FRAGMENT;
    assert_int_equal(layout_of_matrix(ctx, 600, 700), GLNN_LAYOUT_TILED);
    assert_int_equal(layout_of_network(ctx, 784, 800, GLNN_LAYOUT_AUTO), GLNN_LAYOUT_TILED);
    ctx->info.stage = GLNN_STAGE_COMPUTE;
    ctx->info.software = true;
    assert_int_equal(layout_of_matrix(ctx, 600, 700), GLNN_LAYOUT_TILED);
    assert_int_equal(layout_of_network(ctx, 784, 800, GLNN_LAYOUT_AUTO), GLNN_LAYOUT_TILED);
    glnn_context_destroy(ctx);
}

/* The built-in profile is that of a GPU that reads the transposed factor of a tiled product
 * slowly. */
static void large_products_of_work_groups_are_packed(void **state)
{
    (void)state;
    glnn_context *ctx = gpu_context("", GLNN_TUNING_OFF);
    assert_int_equal(layout_of_matrix(ctx, 512, 513), GLNN_LAYOUT_PACKED);
    assert_int_equal(layout_of_matrix(ctx, 511, 4000), GLNN_LAYOUT_TILED);
    assert_int_equal(counters_of(ctx).waits, 0);
    assert_int_equal(layout_of_network(ctx, 784, 256, GLNN_LAYOUT_AUTO), GLNN_LAYOUT_PACKED);
    assert_int_equal(layout_of_network(ctx, 784, 63, GLNN_LAYOUT_AUTO), GLNN_LAYOUT_TILED);
    for (glnn_layout asked = GLNN_LAYOUT_TILED; asked < RENDERED_END; ++asked)
        assert_int_equal(layout_of_network(ctx, 784, 256, asked), asked);
    glnn_context_destroy(ctx);
}

/* A search reads its second factor transposed alone, which tiles are as fast in. */
static void every_learner_tells_its_layout(void **state)
{
    (void)state;
    glnn_learner *lvq;
    glnn_learner *kmeans;
    glnn_learner *gmm;
    glnn_context *ctx = gpu_context("", GLNN_TUNING_OFF);
    expect_ok(glnn_lvq_create(ctx, &(glnn_lvq_desc){.features = 64, .classes = 64}, &lvq));
    expect_ok(glnn_kmeans_create(ctx, &(glnn_kmeans_desc){.features = 64, .centres = 64}, &kmeans));
    expect_ok(glnn_gmm_create(ctx, &(glnn_gmm_desc){.features = 64, .components = 64}, &gmm));
    assert_int_equal(glnn_lvq_get_desc(lvq)->layout, GLNN_LAYOUT_TILED);
    assert_int_equal(glnn_kmeans_get_desc(kmeans)->layout, GLNN_LAYOUT_TILED);
    assert_int_equal(glnn_gmm_get_desc(gmm)->layout, GLNN_LAYOUT_PACKED);
    glnn_learner_destroy(lvq);
    glnn_learner_destroy(kmeans);
    glnn_learner_destroy(gmm);
    glnn_context_destroy(ctx);
}

/* The layout of a network in a context whose profile has these speeds of products: tiled ones
 * without a transposed factor, with the second and with the first one, and the same for packed
 * ones. */
static glnn_layout layout_by(const char *speeds, int samples)
{
    glnn__programs *programs;
    char cache[TREE_PATH];
    tree_make(cache);
    glnn_context *ctx = gpu_context(cache, GLNN_TUNING_QUICK);
    expect_ok(glnn__gl_enter(ctx));
    expect_ok(glnn__programs_get(ctx, &programs));
    glnn__tuning_put(ctx, &programs->tuning, "compute layouts", NULL, speeds);
    expect_ok(glnn__gl_leave(ctx, GLNN_OK));
    const glnn_layout layout = layout_for_batches(ctx, 784, 256, samples, GLNN_LAYOUT_AUTO);
    glnn_context_destroy(ctx);
    tree_remove(cache);
    return layout;
}

static void the_profile_decides_by_the_products_of_a_step(void **state)
{
    (void)state;
    assert_int_equal(layout_by("1000 1000 1000 1200 1200 1200", 128), GLNN_LAYOUT_PACKED);
    assert_int_equal(layout_by("1000 1000 1000 1000 1000 1000", 128), GLNN_LAYOUT_TILED);
    assert_int_equal(layout_by("1000 1000 500 900 900 900", 128), GLNN_LAYOUT_PACKED);
    assert_int_equal(layout_by("1000 500 1000 900 900 900", 128), GLNN_LAYOUT_TILED);
}

static void networks_for_few_samples_are_packed_whatever_the_profile_says(void **state)
{
    (void)state;
    static const char faster_tiles[] = "1000 1000 1000 500 500 500";
    assert_int_equal(layout_by(faster_tiles, 1), GLNN_LAYOUT_PACKED);
    assert_int_equal(layout_by(faster_tiles, 16), GLNN_LAYOUT_PACKED);
    assert_int_equal(layout_by(faster_tiles, 17), GLNN_LAYOUT_TILED);
}

/* They are measured for the first large matrix, and found on the disk by the next context. */
static void speeds_of_layouts_are_measured_once(void **state)
{
    (void)state;
    char cache[TREE_PATH];
    glnn_layout layouts[2];
    tree_make(cache);
    for (int run = 0; run < 2; ++run) {
        glnn_context *ctx = gpu_context(cache, GLNN_TUNING_QUICK);
        layouts[run] = layout_of_matrix(ctx, 512, 512);
        assert_int_equal(counters_of(ctx).waits > 0, run == 0);
        glnn_context_destroy(ctx);
    }
    assert_int_equal(layouts[0], layouts[1]);
    assert_true(layouts[0] == GLNN_LAYOUT_TILED || layouts[0] == GLNN_LAYOUT_PACKED);
    tree_remove(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(fragments_and_software_rasterisers_compute_tiles),
        TEST(large_products_of_work_groups_are_packed),
        TEST(every_learner_tells_its_layout),
        TEST(networks_for_few_samples_are_packed_whatever_the_profile_says),
        TEST(the_profile_decides_by_the_products_of_a_step),
        TEST(speeds_of_layouts_are_measured_once),
    };
    return cmocka_run_group_tests_name("layout auto", tests, test_group_setup, test_group_teardown);
}
