#include "device/compilers.h"

#include "base/status.h"
#include "pass/pass.h"

#include <glnn/matrix.h>

/* ---- One pass over small matrices of one row */

enum { FACTORS = 2 };

/* `values` has a row of `columns` for each operand of the kernel. */
typedef struct trial_pass {
    const glnn__kernel *kernel;
    glnn_layout layout;
    int columns;
    const float *values[FACTORS];
} trial_pass;

static glnn_status draw(glnn_context *ctx, const trial_pass *of, glnn_matrix *const matrices[],
                        glnn_matrix *out, float *results)
{
    const glnn__way way = {GLNN_STAGE_FRAGMENT, GLNN_WRITES_TARGETS};
    glnn__pass pass = {.kernel = of->kernel, .output = out, .way = &way};
    for (int i = 0; i < FACTORS; ++i)
        pass.operands[i].matrix = matrices[i];
    GLNN__TRY(glnn__pass_run(ctx, &pass));
    return glnn_matrix_download(ctx, out, NULL, results, 0);
}

static glnn_status compute(glnn_context *ctx, const trial_pass *of, int columns, float *results)
{
    glnn_matrix *matrices[FACTORS] = {NULL}, *out = NULL;
    glnn_matrix_desc desc = {
        .rows = 1, .columns = of->columns, .layout = of->layout, .name = "trial"};
    glnn_status status = GLNN_OK;
    for (int i = 0; i < FACTORS && of->values[i] && !status; ++i) {
        desc.data = of->values[i];
        status = glnn_matrix_create(ctx, &desc, &matrices[i]);
    }
    desc = (glnn_matrix_desc){
        .rows = 1, .columns = columns, .layout = GLNN_LAYOUT_PACKED, .name = "trial"};
    if (!status)
        status = glnn_matrix_create(ctx, &desc, &out);
    if (!status)
        status = draw(ctx, of, matrices, out, results);
    for (int i = 0; i < FACTORS; ++i)
        glnn_matrix_destroy(matrices[i]);
    glnn_matrix_destroy(out);
    return status;
}

/* ---- Trials */

glnn_status glnn__try_copy_loops(glnn_context *ctx, bool *has)
{
    static const glnn__kernel kernel = {.name = "device/copies", .operands = {"X"}, .unviewed = 1};
    static const float from[] = {3, 5, 7, 11, 13, 17};
    float to[4] = {0};
    const trial_pass pass = {&kernel, GLNN_LAYOUT_UNPACKED, 6, {from}};
    GLNN__TRY(compute(ctx, &pass, 4, to));
    *has = to[0] == from[1] && to[1] == from[2] && to[2] == from[3] && to[3] == from[5];
    return GLNN_OK;
}

/* Each sum and its error together are exact. Doubles hold them. */
glnn_status glnn__try_rounding_errors(glnn_context *ctx, bool *has)
{
    enum { TEXELS = 4, COLUMNS = 4 * TEXELS };
    static const glnn__kernel kernel = {.name = "device/rounding", .operands = {"HIGH", "ADDED"}};
    float high[COLUMNS], added[COLUMNS], results[COLUMNS] = {0};
    for (int i = 0; i < COLUMNS; ++i) {
        high[i] = 1 + (float)i / 17;
        added[i] = 0x1p-20f / (float)(2 * i + 3);
    }
    const trial_pass pass = {&kernel, GLNN_LAYOUT_PACKED, COLUMNS, {high, added}};
    GLNN__TRY(compute(ctx, &pass, COLUMNS, results));
    for (int i = 0; i < COLUMNS && *has; ++i)
        if (i % 4 < 2)
            *has =
                (double)results[i] + (double)results[i + 2] == (double)high[i] + (double)added[i];
    return GLNN_OK;
}
