/* Which stage of the pipeline runs passes, where that is left to the library. */
#ifndef GLNN__PASS_STAGE_H
#define GLNN__PASS_STAGE_H

#include "gl/gl.h"

/* Where the context's stage is AUTO, measures both and takes the faster one. */
glnn_status glnn__stage_resolve(glnn_context *ctx);

#endif
