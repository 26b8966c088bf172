/* A table of the passes of a step of LeNet-5 in both stages, recorded from steps that run. */
#include "drawings.h"
#include "net/network.h"
#include "recorder.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 28, FEATURES = SIDE * SIDE, CLASSES = 10, BATCH = 64, SAMPLES = 4 * BATCH };
enum { CELL = 160 };

/* The batch is small enough for one part on every device. */
static const glnn_network_desc lenet5 = {
    .shape = {1, SIDE, SIDE},
    .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 6, .kernel = {5, 5}, .padding = {2, 2}},
               {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
               {.kind = GLNN_LAYER_CONVOLUTION, .units = 16, .kernel = {5, 5}},
               {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
               {.kind = GLNN_LAYER_FLATTEN},
               {.units = 120},
               {.units = 84},
               {.units = CLASSES}},
    .optimizer = {.momentum = 0.9f},
    .capacity = BATCH,
    .layout = GLNN_LAYOUT_TILED,
};

static void record_lenet(glnn_stage stage, passes *out)
{
    glnn_context *ctx = recorder_context_of(stage);
    glnn_dataset *data = recorder_data(ctx, SAMPLES, FEATURES, CLASSES);
    glnn_learner *network;
    require(glnn_network_create(ctx, &lenet5, &network));
    record_step(network, data, BATCH, out);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
}

/* The kernels of a layer's part; layer -1: of no layer. */
static void list_kernels(const passes *p, int layer, const char *part, char out[CELL])
{
    out[0] = '\0';
    for (int i = 0; i < p->count; ++i) {
        const recorded_pass *pass = &p->passes[i];
        const size_t length = strlen(out);
        if (pass->layer == layer && strcmp(pass->part, part) == 0)
            snprintf(out + length, CELL - length, "%s`%s`", length ? ", " : "", pass->kernel);
    }
}

/* If the stages differ, the second one is named. */
static void write_cell(FILE *file, const passes stages[2], int layer, const char *part)
{
    char cells[2][CELL];
    for (int i = 0; i < 2; ++i)
        list_kernels(&stages[i], layer, part, cells[i]);
    fprintf(file, " %s", cells[0]);
    if (strcmp(cells[0], cells[1]) != 0)
        fprintf(file, "; compute: %s", cells[1]);
    fprintf(file, " |");
}

static void write_layer(FILE *file, const passes stages[2], int number)
{
    static const char *const parts[] = {"forward", "backward", "gradient"};
    const glnn_layer_desc *layer = &lenet5.layers[number];
    fprintf(file, "| %d %s", number, glnn_layer_kind_name(layer->kind));
    if (layer->units > 0)
        fprintf(file, ", %d %s", layer->units,
                layer->kind == GLNN_LAYER_CONVOLUTION ? "maps" : "units");
    fprintf(file, " |");
    for (int i = 0; i < 3; ++i)
        write_cell(file, stages, number, parts[i]);
    fprintf(file, "\n");
}

bool write_lenet_passes(const char *path)
{
    static passes stages[2];
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "drawings: %s cannot be written\n", path);
        return false;
    }
    record_lenet(GLNN_STAGE_FRAGMENT, &stages[0]);
    record_lenet(GLNN_STAGE_COMPUTE, &stages[1]);
    fprintf(file, "| layer | forward | backward | gradient and update |\n|---|---|---|---|\n");
    fprintf(file, "| samples |");
    write_cell(file, stages, -1, "gather a batch");
    fprintf(file, " | |\n");
    for (int i = 0; lenet5.layers[i].units > 0 || lenet5.layers[i].kind; ++i)
        write_layer(file, stages, i);
    fprintf(file, "| loss | |");
    write_cell(file, stages, -1, "loss");
    fprintf(file, " |\n");
    return fclose(file) == 0;
}
