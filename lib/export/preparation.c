#include "export/preparation.h"

#include "io/preparation.h"

int glnn__export_features(const glnn_preparation *preparation, int features)
{
    return preparation ? preparation->columns.features : features;
}

static glnn__export_numbers add_gradients(glnn__export_file *file, const glnn_shape *image,
                                          const glnn__export_numbers *from)
{
    const glnn__export_numbers gradients =
        glnn__export_scratch(file, from->end, GLNN_IMAGE_GRADIENTS);
    glnn__export_call(file, "gradients", "%d, %d, %s, %s", image->height, image->width, from->text,
                      gradients.text);
    return gradients;
}

/* The scratch memory may hold the numbers already, which are then replaced. */
static glnn__export_numbers add_scale(glnn__export_file *file, const glnn_scale *scale,
                                      const glnn__export_numbers *from)
{
    const size_t features = (size_t)scale->features;
    const glnn__export_numbers scaled = glnn__export_scratch(file, from->first, features);
    const glnn__export_text offset =
        glnn__export_floats(file, scale->offset, features, "feature_offset");
    const glnn__export_text factor =
        glnn__export_floats(file, scale->factor, features, "feature_factor");
    glnn__export_call(file, "scale", "%zu, %s, %s, %s, %s", features, offset.text, factor.text,
                      from->text, scaled.text);
    return scaled;
}

/* As add_scale. */
static glnn__export_numbers add_projection(glnn__export_file *file, const glnn_preparation *of,
                                           const glnn__export_numbers *from)
{
    const size_t features = (size_t)glnn__preparation_features(of);
    const size_t components = (size_t)of->components;
    const glnn__export_numbers centred = glnn__export_scratch(file, from->first, features);
    const glnn__export_numbers projected = glnn__export_scratch(file, centred.end, components);
    const glnn__export_text mean = glnn__export_floats(file, of->mean, features, "projection_mean");
    const glnn__export_text directions =
        glnn__export_floats(file, of->directions, components * features, "projection");
    glnn__export_call(file, "subtract", "%zu, %s, %s, %s", features, mean.text, from->text,
                      centred.text);
    glnn__export_call(file, "product", "%zu, %zu, %s, %s, %s", components, features,
                      directions.text, centred.text, projected.text);
    return projected;
}

glnn__export_numbers glnn__export_prepare(glnn__export_file *file,
                                          const glnn_preparation *preparation,
                                          const glnn__export_numbers *sample)
{
    glnn__export_numbers numbers = *sample;
    if (preparation && preparation->gradients.width > 0)
        numbers = add_gradients(file, &preparation->gradients, &numbers);
    if (preparation && preparation->scale.features > 0)
        numbers = add_scale(file, &preparation->scale, &numbers);
    if (preparation && preparation->components > 0)
        numbers = add_projection(file, preparation, &numbers);
    return numbers;
}

void glnn__export_unscale_targets(glnn__export_file *file, const glnn_preparation *preparation,
                                  const glnn__export_numbers *targets)
{
    if (!preparation || preparation->target_scale.features == 0)
        return;
    const glnn_scale *scale = &preparation->target_scale;
    const size_t count = (size_t)scale->features;
    const glnn__export_text offset =
        glnn__export_floats(file, scale->offset, count, "target_offset");
    const glnn__export_text factor =
        glnn__export_floats(file, scale->factor, count, "target_factor");
    glnn__export_call(file, "unscale", "%zu, %s, %s, %s", count, offset.text, factor.text,
                      targets->text);
}
