#include <glnn/projection.h>

#include "base/status.h"
#include "gl/lifetime.h"
#include "io/safetensors/description.h"
#include "io/safetensors/safetensors.h"
#include "projections/projection.h"

#include <limits.h>

static const glnn_metadata texts[] = {{"format", "glnn-projection"}, {"version", "1"}};

enum { TEXTS = sizeof texts / sizeof *texts };

glnn_status glnn_projection_save(const glnn_projection *projection, const char *path)
{
    GLNN__HELD(projection);
    GLNN__NOT_NULL(path);
    size_t features = (size_t)projection->features, components = (size_t)projection->components;
    const glnn_tensor tensors[] = {
        {"mean", 1, {features}, projection->mean},
        {"directions", 2, {components, features}, projection->directions},
        {"eigenvalues", 1, {components}, projection->eigenvalues},
    };
    return glnn__fail_in(
        __func__,
        glnn__safetensors_write(path, tensors, sizeof tensors / sizeof *tensors, texts, TEXTS));
}

static glnn_status find(const glnn__described_file *in, const char *name, int dimensions,
                        const glnn_tensor **out)
{
    GLNN__TRY(glnn__safetensors_find(in->file, in->path, name, out));
    if ((*out)->dimensions != dimensions)
        return glnn__fail(GLNN_E_FORMAT, "%s: array '%s' has %d dimensions; it must have %d",
                          in->path, name, (*out)->dimensions, dimensions);
    return GLNN_OK;
}

static glnn_status check_sizes(const char *path, const glnn_tensor *mean,
                               const glnn_tensor *directions, const glnn_tensor *eigenvalues)
{
    size_t components = directions->shape[0], features = directions->shape[1];
    if (components < 1 || components > INT_MAX || features < 1 || features > INT_MAX)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: array 'directions' is %zu x %zu; both sizes must be in 1 .. %d",
                          path, components, features, INT_MAX);
    if (mean->shape[0] != features || eigenvalues->shape[0] != components)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: array 'directions' is %zu x %zu, but 'mean' has %zu numbers and "
                          "'eigenvalues' %zu",
                          path, components, features, mean->shape[0], eigenvalues->shape[0]);
    return GLNN_OK;
}

static glnn_status read_projection(glnn_context *ctx, const glnn__described_file *in,
                                   glnn_projection **out)
{
    const glnn_tensor *mean, *directions, *eigenvalues;
    for (int i = 0; i < TEXTS; ++i)
        GLNN__TRY(glnn__read_expect(in, texts[i].key, texts[i].value));
    GLNN__TRY(find(in, "mean", 1, &mean));
    GLNN__TRY(find(in, "directions", 2, &directions));
    GLNN__TRY(find(in, "eigenvalues", 1, &eigenvalues));
    GLNN__TRY(check_sizes(in->path, mean, directions, eigenvalues));
    return glnn__projection_from(ctx, in->path, (int)directions->shape[1],
                                 (int)directions->shape[0], mean->data, directions->data,
                                 eigenvalues->data, out);
}

glnn_status glnn_projection_load(glnn_context *ctx, const char *path, glnn_projection **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(path);
    glnn__described_file in = {path, "projection", NULL};
    GLNN__TRY(glnn__fail_in(__func__, glnn__safetensors_read(path, &in.file)));
    const glnn_status status = read_projection(ctx, &in, out);
    glnn_safetensors_free(in.file);
    return glnn__fail_in(__func__, status);
}
