/* 02_pass - operations are passes of fragment shaders: one from an expression of our own, a
 * reduction that takes several, and the counters that tell.
 *
 * Run it as `GLNN_TRACE=1 02_pass` to see each pass with its operands and its time. */
#include <glnn/glnn.h>

#include <inttypes.h>
#include <stdio.h>

#include "common/check.h"

enum { ROWS = 300, COLUMNS = 200 };

static void report(glnn_context *ctx, const char *title)
{
    glnn_counters counters = {.size = sizeof counters};
    CHECK(glnn_context_get_counters(ctx, &counters));
    printf("%-28s %2" PRIu64 " passes, %2" PRIu64 " programs compiled, %2" PRIu64
           " from the cache, %2" PRIu64 " textures made, %2" PRIu64 " waits\n",
           title, counters.passes, counters.programs_compiled, counters.programs_loaded,
           counters.textures_created, counters.waits);
    glnn_context_reset_counters(ctx);
}

int main(void)
{
    glnn_context *ctx;
    glnn_matrix *x, *y, *mean;
    float value;

    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = ROWS, .columns = COLUMNS, .name = "x"}, &x));
    CHECK(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = ROWS, .columns = COLUMNS, .name = "y"}, &y));
    CHECK(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 1, .columns = 1, .name = "mean"},
                             &mean));
    report(ctx, "creating three matrices");

    CHECK(glnn_fill_uniform(ctx, 1, -1.0f, 1.0f, x));
    report(ctx, "random numbers");

    /* Any GLSL expression of the element x and its place is a pass. */
    for (int time = 1; time <= 2; ++time) {
        CHECK(glnn_map_apply_expression(ctx, "row == column ? 1.0 : x * x", x, y));
        report(ctx, time == 1 ? "an expression" : "the same again");
    }

    CHECK(glnn_reduce(ctx, GLNN_REDUCTION_MEAN, GLNN_AXIS_ALL, y, mean));
    report(ctx, "the mean of all elements");
    CHECK(glnn_matrix_download(ctx, mean, NULL, &value, 0));
    report(ctx, "reading it");
    printf("mean of x^2, with ones on the diagonal: %.5f (1/3 expected, and a little more)\n",
           (double)value);
    if (getenv("GLNN_TRACE") == NULL)
        printf("GLNN_TRACE=1 in the environment shows every pass\n");

    glnn_matrix_destroy(x);
    glnn_matrix_destroy(y);
    glnn_matrix_destroy(mean);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
