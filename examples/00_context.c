/* 00_context - lists the devices, creates a context on the first and prints what it is. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"
#include "common/device.h"

int main(void)
{
    glnn_context *ctx;
    glnn_context_info info = {.size = sizeof info};

    printf("libglnn %s\n", glnn_version());
    device_list();

    CHECK(glnn_context_create(NULL, &ctx));
    CHECK(glnn_context_get_info(ctx, &info));
    printf("vendor            %s\n", info.vendor);
    printf("renderer          %s\n", info.renderer);
    printf("version           %s\n", info.version);
    printf("largest texture   %d x %d texels, %d layers\n", info.max_texture_size,
           info.max_texture_size, info.max_array_layers);
    printf("render targets    %d\n", info.max_draw_buffers);
    printf("texture budget    %.0f MiB\n", (double)info.texture_budget / (1 << 20));
    printf("timer queries     %s\n", info.timer_queries ? "yes" : "no, wall clock instead");

    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
