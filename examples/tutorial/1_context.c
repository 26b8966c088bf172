/* 1_context - opens the GPU and says what it is. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"

int main(void)
{
    glnn_context *ctx;
    glnn_context_info info = {.size = sizeof info};

    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_context_get_info(ctx, &info));
    printf("device           %s\n", info.renderer);
    printf("OpenGL           %s\n", info.version);
    printf("largest texture  %d x %d texels\n", info.max_texture_size, info.max_texture_size);
    printf("render targets   %d\n", info.max_draw_buffers);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
