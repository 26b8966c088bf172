/* Textures of a host that are matrices. A host can delete or change them at any time between calls,
 * so each call looks at them before their first use. */
#ifndef GLNN__TEX_ADOPTED_H
#define GLNN__TEX_ADOPTED_H

#include "tex/texture.h"

/* Fills in the size, format and adoption of a texture, but for its channels. The name, the target,
 * the level and the layer are known. Claims unit 0 and leaves the texture bound there. E_ARG: it
 * cannot be a matrix; `what` begins the sentence. */
glnn_status glnn__adopted_describe(glnn_context *ctx, const char *what, glnn__texture *texture);

/* Follows glnn__adopted_describe when the channels are known. E_ARG: the texture's parameters hide
 * elements. */
glnn_status glnn__adopted_check_parameters(const char *what, glnn__texture *texture);

/* Precedes the uses of a texture, adopted or not. Once in each call it looks whether the texture
 * still is as it was when it was adopted. E_STATE: it is not. */
glnn_status glnn__adopted_check(glnn_context *ctx, const char *what, glnn__texture *texture);

/* Precedes a pass that renders to the texture. The framebuffer is claimed. */
void glnn__adopted_attach(glnn_context *ctx, glnn__texture *texture);

/* Copies all texels between an adopted texture and one of the same layout and storage. */
glnn_status glnn__adopted_copy(glnn_context *ctx, glnn__texture *from, glnn__texture *to);

#endif
