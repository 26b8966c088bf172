/* The choice of the stage that runs passes, if the caller leaves it to the library. */
#ifndef GLNN__DEVICE_STAGE_H
#define GLNN__DEVICE_STAGE_H

#include "gl/gl.h"

/* Sets the context's stage to the faster one by the device profile. */
glnn_status glnn__stage_choose(glnn_context *ctx);

#endif
