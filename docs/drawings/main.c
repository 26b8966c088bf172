/* drawings FOLDER - writes the drawings of the documents to a folder. */
#include "drawings.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name;
    drawing *draw;
} drawings[] = {
    {"context", draw_context}, {"layouts", draw_layouts},     {"pass", draw_pass},
    {"product", draw_product}, {"reduction", draw_reduction}, {"training_step", draw_training_step},
    {"stream", draw_stream},   {"shader", draw_shader},       {"convolution", draw_convolution},
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
        snprintf(path, sizeof path, "%s/%s.svg", arguments[1], drawings[i].name);
        is_good = drawings[i].draw(path) && is_good;
    }
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
