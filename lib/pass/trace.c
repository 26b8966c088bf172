#include "pass/trace.h"

#include "base/log.h"

#include <stdio.h>

static void describe(const glnn_matrix *matrix, char *text, size_t size)
{
    snprintf(text, size, "%s %dx%d %s %s", matrix->name, matrix->rows, matrix->columns,
             glnn_layout_name(matrix->layout), glnn_storage_name(matrix->storage));
}

void glnn__trace_pass(const glnn__pass *pass, double milliseconds)
{
    char operands[512] = "", output[160];
    size_t used = 0;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        char text[160];
        if (!pass->operands[i].matrix || used + 1 >= sizeof operands)
            continue;
        describe(pass->operands[i].matrix, text, sizeof text);
        int written = snprintf(operands + used, sizeof operands - used, "%s%s=(%s)",
                               used ? ", " : "", pass->kernel->operands[i], text);
        used += written > 0 ? (size_t)written : 0;
    }
    describe(pass->output, output, sizeof output);
    glnn__log(GLNN_LOG_TRACE, "pass %-12s %8.3f ms  %s%s -> (%s)", pass->kernel->name, milliseconds,
              operands, pass->blend ? ", blended" : "", output);
}
