/* The textures that a pass writes, which are not always those of its matrices: a pass that reads
 * what it writes gets others, which then become those of the matrices. */
#ifndef GLNN__PASS_DESTINATION_H
#define GLNN__PASS_DESTINATION_H

#include "pass/pass.h"
#include "pass/variant.h"

typedef struct glnn__destination {
    glnn__texture *texture; /* of the output; of the side output if it has rows */
    bool is_other;          /* a texture of the pool */
    glnn__texture *former;  /* that the shader adds to, if it does */
    bool is_copied;         /* the former one is a copy, from the pool */
    GLuint framebuffer;     /* to draw into, unless the pass writes images */
} glnn__destination;

/* Makes the textures. Close or release ends with them. */
glnn_status glnn__destination_open(glnn_context *ctx, const glnn__pass *pass,
                                   const glnn__variant *variant, glnn__destination *out);

/* After a failure, or if nothing was drawn. */
void glnn__destination_release(glnn_context *ctx, const glnn__destination *destination);

/* Gives the matrices what was drawn. After the last part, the side outputs have the textures that
 * the parts wrote. One that has rows has it at once. */
glnn_status glnn__destination_close(glnn_context *ctx, const glnn__pass *pass,
                                    const glnn__variant *variant,
                                    const glnn__destination *destination);

/* Gives back the textures that parts of a pass have written, if the last part does not follow. */
void glnn__destination_drop_parts(glnn_context *ctx, const glnn__pass *pass);

/* The matrix that the draw writes as bit `place` of the part's targets; NULL: none. */
glnn_matrix *glnn__destination_matrix(const glnn__pass *pass, const glnn__variant *variant,
                                      int place);

#endif
