/* The drawings of the documents, a file for each. All of them are made from answers of the library:
 * where its layouts put elements, and which passes it runs. */
#ifndef DRAWINGS_DRAWINGS_H
#define DRAWINGS_DRAWINGS_H

#include <stdbool.h>

/* Draws to a file; false with a message on stderr if the drawing is not as it should be. */
typedef bool drawing(const char *path);

drawing draw_context, draw_convolution, draw_layouts, draw_pass, draw_product, draw_reduction,
    draw_training_step, draw_stream, draw_shader;

/* The table of passes in docs/architecture.md. */
drawing write_lenet_passes;

#endif
