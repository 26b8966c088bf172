/* A program against a library that was built without GLFW, LAPACK, libpng and libsndfile: functions
 * that need one of them say so, and the others work. */
#include <glnn/glnn.h>

#include <stdio.h>
#include <string.h>

static int failures;

static void expect_missing(const char *library, glnn_status status)
{
    if (status == GLNN_E_UNSUPPORTED && strstr(glnn_last_error(), library))
        return;
    fprintf(stderr, "without: %s does not name %s: %s\n", glnn_status_name(status), library,
            glnn_last_error());
    ++failures;
}

int main(void)
{
    const glnn_context_desc window = {.platform = GLNN_PLATFORM_GLFW};
    const float samples[6] = {1, 2, 2, 5, 3, 1};
    float *pixels = NULL;
    int width, height;
    glnn_context *ctx = NULL;
    glnn_projection *projection = NULL;

    expect_missing("GLFW", glnn_context_create(&window, &ctx));
    if (glnn_context_create(NULL, &ctx)) {
        fprintf(stderr, "without: %s\n", glnn_last_error());
        return 1;
    }
    expect_missing("LAPACK", glnn_pca_fit(ctx, NULL, 3, 2, samples, &projection));
    expect_missing("libpng", glnn_image_write("picture.png", 1, 3, 2, samples, 0, 5));
    expect_missing("libpng", glnn_image_read("picture.png", 1, &width, &height, &pixels));
    expect_missing("libsndfile", glnn_sound_read("sound.wav", 1, &width, &height, &pixels));
    glnn_context_destroy(ctx);
    return failures > 0;
}
