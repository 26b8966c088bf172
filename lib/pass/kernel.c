#include "pass/kernel.h"

static const glnn__kernel_info kernels[GLNN__KERNEL_COUNT] = {
    [GLNN__KERNEL_ADAM_MOMENT] = {"adam_moment", {"NEW_MEAN", "OLD_MEAN"}, {0}},
    [GLNN__KERNEL_ADAM_STEP] = {"adam_step", {"MEAN", "SQUARE"}, {0}},
    [GLNN__KERNEL_BINARY] = {"binary", {"X", "Y"}, {"OPERATION"}},
    [GLNN__KERNEL_COPY] = {"copy", {"X", "OLD"}, {0}},
    [GLNN__KERNEL_DELTA] = {"delta",
                            {"Z", "TARGET", "INDEX", "STATS"},
                            {"LOSS", "LABELS", "ACTIVATION"},
                            4},
    [GLNN__KERNEL_DERIVATIVE] = {"derivative", {"Y", "DY"}, {"MAP"}},
    [GLNN__KERNEL_FILL] = {"fill", {0}, {"RANDOM"}},
    [GLNN__KERNEL_FOLD] = {"fold", {"P", "C", "BIAS", "Y"}, {"ACTIVATION", "DERIVATIVE"}},
    [GLNN__KERNEL_GATHER] = {"gather", {"X", "INDEX"}, {0}, 2},
    [GLNN__KERNEL_GEMM] = {"gemm",
                           {"A", "B", "C", "BIAS", "Y"},
                           {"TRANSPOSE_A", "TRANSPOSE_B", "AUGMENT", "PARTIAL", "ACTIVATION",
                            "DERIVATIVE"},
                           2},
    [GLNN__KERNEL_ROW_STATS] = {"row_stats", {"Z"}, {0}, 1},
    [GLNN__KERNEL_MAP] = {"map", {"X"}, {"MAP"}},
    [GLNN__KERNEL_REDUCE] = {"reduce", {"X", "INDEX"}, {"REDUCTION", "AXIS", "FLAT"}, 2},
    [GLNN__KERNEL_SCORE] = {"score", {"Z", "TARGET", "INDEX", "STATS"}, {"LOSS", "LABELS"}, 4},
    [GLNN__KERNEL_SOFTMAX] = {"softmax", {"X", "STATS"}, {0}},
};

const glnn__kernel_info *glnn__kernel_get(glnn__kernel kernel)
{
    return &kernels[kernel];
}
