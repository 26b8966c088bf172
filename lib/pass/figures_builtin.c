#include "pass/figures_builtin.h"

/* A middling GPU, or a fast one whose graphics run on a part of it. */
static const glnn__figures middling[GLNN_STAGE_AUTO] = {
    [GLNN_STAGE_FRAGMENT] = {.targets = {8, 100e3},
                             .images = {8, 100e3},
                             .blended = 100e3,
                             .multiply_adds = 800e3,
                             .fetches = 30e3,
                             .shared = {{1e3, 8e3, 64e3, 300e3, 330e3},
                                        {1e3, 8e3, 64e3, 300e3, 330e3}},
                             .products = {{{1e3, 8e3, 64e3, 300e3, 330e3}, 0},
                                          {{130, 1e3, 8e3, 40e3, 60e3}, 0},
                                          {{40, 300, 2.4e3, 15e3, 30e3}, 0}},
                             .combed = 10e3,
                             .in_runs = 5e3},
    [GLNN_STAGE_COMPUTE] = {.targets = {8, 200e3},
                            .images = {8, 200e3},
                            .blended = 200e3,
                            .multiply_adds = 2e6,
                            .fetches = 100e3,
                            .shared = {{2e3, 16e3, 120e3, 1e6, 4e6},
                                       {4e3, 32e3, 240e3, 1.5e6, 3e6}},
                            .products = {{{1e3, 8e3, 64e3, 500e3, 1e6}, 0},
                                         {{130, 1e3, 8e3, 64e3, 200e3}, 0},
                                         {{40, 300, 2.4e3, 20e3, 80e3}, 0}},
                            .combed = 20e3,
                            .in_runs = 10e3},
};

/* Mesa's llvmpipe on two cores, which get 64 x 64 fragments each. */
static const glnn__figures software[GLNN_STAGE_AUTO] = {
    [GLNN_STAGE_FRAGMENT] = {.targets = {30, 12e3},
                             .images = {30, 6e3},
                             .blended = 20e3,
                             .multiply_adds = 26e3,
                             .fetches = 800,
                             .layered = {6.5e3, 12e3},
                             .shared = {{3e3, 3e3, 3.2e3, 6e3, 6e3}, {3e3, 3e3, 3.2e3, 6e3, 6e3}},
                             .products = {{{3e3, 3e3, 3.2e3, 6e3, 6e3}, 10e3},
                                          {{1.2e3, 1.3e3, 1.4e3, 2.7e3, 2.7e3}, 4.5e3},
                                          {{300, 320, 350, 600, 600}, 1e3}},
                             .combed = 1e3,
                             .in_runs = 1e3},
    [GLNN_STAGE_COMPUTE] = {.targets = {30, 6e3},
                            .images = {30, 6e3},
                            .blended = 6e3,
                            .multiply_adds = 26e3,
                            .fetches = 800,
                            .shared = {{1e3, 2e3, 4e3, 4e3, 4e3}, {1e3, 2e3, 4e3, 4e3, 4e3}},
                            .products = {{{3e3, 3e3, 3.2e3, 5e3, 5e3}, 8e3},
                                         {{1.2e3, 1.3e3, 1.4e3, 2.5e3, 2.5e3}, 4e3},
                                         {{300, 320, 350, 500, 500}, 900}},
                            .combed = 1e3,
                            .in_runs = 1e3},
};

const glnn__figures *glnn__figures_builtin(const glnn_context *ctx)
{
    return ctx->info.software ? &software[ctx->info.stage] : &middling[ctx->info.stage];
}
