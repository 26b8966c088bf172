#include "pass/kernel.h"

static const glnn__kernel_info kernels[GLNN__KERNEL_COUNT] = {
    [GLNN__KERNEL_ADAM_MOMENT] = {.name = "adam_moment", .operands = {"NEW_MEAN", "OLD_MEAN"}},
    [GLNN__KERNEL_ADAM_STEP] = {.name = "adam_step", .operands = {"MEAN", "SQUARE"}},
    [GLNN__KERNEL_BINARY] = {.name = "binary", .operands = {"X", "Y"}, .options = {"OPERATION"}},
    [GLNN__KERNEL_COPY] = {.name = "copy", .operands = {"X", "OLD"}},
    [GLNN__KERNEL_DELTA] = {.name = "delta",
                            .operands = {"Z", "TARGET", "INDEX", "STATS"},
                            .unviewed = 4,
                            .options = {"LOSS", "LABELS", "ACTIVATION"}},
    [GLNN__KERNEL_DERIVATIVE] = {.name = "derivative", .operands = {"Y", "DY"}, .options = {"MAP"}},
    [GLNN__KERNEL_FILL] = {.name = "fill", .options = {"RANDOM"}},
    [GLNN__KERNEL_FOLD] = {.name = "fold",
                           .operands = {"P", "C", "BIAS", "Y"},
                           .options = {"ACTIVATION", "DERIVATIVE"}},
    [GLNN__KERNEL_GATHER] = {.name = "gather", .operands = {"X", "INDEX"}, .unviewed = 2},
    [GLNN__KERNEL_GEMM] = {.name = "gemm",
                           .operands = {"A", "B", "C", "BIAS", "Y"},
                           .unviewed = 2,
                           .options = {"TRANSPOSE_A", "TRANSPOSE_B", "AUGMENT", "PARTIAL",
                                       "ACTIVATION", "DERIVATIVE"}},
    [GLNN__KERNEL_GEMM_SHARED] = {.name = "gemm_shared",
                                  .operands = {"A", "B", "C", "BIAS", "Y"},
                                  .unviewed = 2,
                                  .has_main = true,
                                  .options = {"TRANSPOSE_A", "TRANSPOSE_B", "AUGMENT", "PARTIAL",
                                              "ACTIVATION", "DERIVATIVE"}},
    [GLNN__KERNEL_MAP] = {.name = "map", .operands = {"X"}, .options = {"MAP"}},
    [GLNN__KERNEL_REDUCE] = {.name = "reduce",
                             .operands = {"X", "INDEX"},
                             .unviewed = 2,
                             .options = {"REDUCTION", "AXIS", "FLAT", "LINE"}},
    [GLNN__KERNEL_ROW_STATS] = {.name = "row_stats",
                                .operands = {"Z", "PARTS"},
                                .unviewed = 2,
                                .options = {"CHUNKS"}},
    [GLNN__KERNEL_SCORE] = {.name = "score",
                            .operands = {"Z", "TARGET", "INDEX", "STATS"},
                            .unviewed = 4,
                            .options = {"LOSS", "LABELS"}},
    [GLNN__KERNEL_SOFTMAX] = {.name = "softmax", .operands = {"X", "STATS"}},
};

const glnn__kernel_info *glnn__kernel_get(glnn__kernel kernel)
{
    return &kernels[kernel];
}
