/* drawings FOLDER - writes the drawings of the documents, and a table of passes, to a folder. */
#include "drawings.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name;
    drawing *draw;
} drawings[] = {
    {"context.svg", draw_context},
    {"layouts.svg", draw_layouts},
    {"pass.svg", draw_pass},
    {"product.svg", draw_product},
    {"reduction.svg", draw_reduction},
    {"training_step.svg", draw_training_step},
    {"stream.svg", draw_stream},
    {"shader.svg", draw_shader},
    {"convolution.svg", draw_convolution},
    {"lenet_passes.md", write_lenet_passes},
};

int main(int count, char **arguments)
{
    bool is_good = true;
    if (count != 2) {
        fprintf(stderr, "usage: drawings FOLDER\n");
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < sizeof drawings / sizeof *drawings; ++i) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", arguments[1], drawings[i].name);
        is_good = drawings[i].draw(path) && is_good;
    }
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
