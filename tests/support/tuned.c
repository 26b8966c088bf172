#include "tuned.h"

#include <glnn/advice.h>
#include <glnn/map.h>

glnn_context *context_with(const char *cache, glnn_tuning tuning)
{
    glnn_context *ctx;
    expect_ok(
        glnn_context_create(&(glnn_context_desc){.cache_dir = cache, .tuning = tuning}, &ctx));
    return ctx;
}

glnn_matrix *random_matrix(glnn_context *ctx, glnn_layout layout, int rows, int columns,
                           uint64_t seed)
{
    glnn_matrix *m;
    expect_ok(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = rows, .columns = columns, .layout = layout}, &m));
    expect_ok(glnn_fill_uniform(ctx, seed, -1, 1, m));
    return m;
}

void run_long_product(glnn_context *ctx, char *plan, size_t size)
{
    glnn_matrix *a = random_matrix(ctx, GLNN_LAYOUT_TILED, 16, 1024, 1);
    glnn_matrix *b = random_matrix(ctx, GLNN_LAYOUT_TILED, 1024, 64, 2);
    glnn_matrix *c = random_matrix(ctx, GLNN_LAYOUT_TILED, 16, 64, 3);
    expect_ok(glnn_gemm(ctx, NULL, 1, a, b, 0, c));
    expect_ok(glnn_gemm_get_plan(ctx, NULL, 1, a, b, 0, c, plan, size));
    glnn_matrix_destroy(a);
    glnn_matrix_destroy(b);
    glnn_matrix_destroy(c);
}

const char *tuning_path(const char *cache)
{
    char names[256][256];
    const int count = tree_list(cache, names, COUNT_OF(names));
    for (int file = 0; file < count; ++file)
        if (strstr(names[file], ".tuning"))
            return tree_path(cache, names[file]);
    fail();
    return NULL;
}
