#include "export/c_preparation.h"

#include "io/preparation.h"

int glnn__c_features(const glnn_preparation *preparation, int features)
{
    return preparation ? preparation->columns.features : features;
}

static glnn__c_numbers add_gradients(glnn__c_file *file, const glnn_shape *image)
{
    const glnn__c_numbers gradients = glnn__c_scratch(file, 0, GLNN_IMAGE_GRADIENTS);
    glnn__c_use(file, "gradients");
    glnn__text_print(&file->code, "    gradients(%d, %d, input, %s);\n", image->height,
                     image->width, gradients.text);
    return gradients;
}

/* The scratch memory may hold the numbers already. */
static glnn__c_numbers add_scale(glnn__c_file *file, const glnn_scale *scale,
                                 const glnn__c_numbers *from)
{
    const size_t features = (size_t)scale->features;
    const glnn__c_numbers scaled = glnn__c_scratch(file, 0, features);
    glnn__c_use(file, "scale");
    glnn__c_floats(file, scale->offset, features, "feature_offset");
    glnn__c_floats(file, scale->factor, features, "feature_factor");
    glnn__text_print(&file->code, "    scale(%zu, feature_offset, feature_factor, %s, %s);\n",
                     features, from->text, scaled.text);
    return scaled;
}

/* The scratch memory may hold the numbers already, which are then replaced. */
static glnn__c_numbers add_projection(glnn__c_file *file, const glnn_preparation *of,
                                      const glnn__c_numbers *from)
{
    const size_t features = (size_t)glnn__preparation_features(of);
    const size_t components = (size_t)of->components;
    const glnn__c_numbers centred = glnn__c_scratch(file, 0, features);
    const glnn__c_numbers projected = glnn__c_scratch(file, features, components);
    glnn__c_use(file, "subtract");
    glnn__c_use(file, "product");
    glnn__c_floats(file, of->mean, features, "projection_mean");
    glnn__c_floats(file, of->directions, components * features, "projection");
    glnn__text_print(&file->code, "    subtract(%zu, projection_mean, %s, %s);\n", features,
                     from->text, centred.text);
    glnn__text_print(&file->code, "    product(%zu, %zu, projection, %s, %s);\n", components,
                     features, centred.text, projected.text);
    return projected;
}

glnn__c_numbers glnn__c_prepare(glnn__c_file *file, const glnn_preparation *preparation)
{
    glnn__c_numbers numbers = glnn__c_input;
    if (preparation && preparation->gradients.width > 0)
        numbers = add_gradients(file, &preparation->gradients);
    if (preparation && preparation->scale.features > 0)
        numbers = add_scale(file, &preparation->scale, &numbers);
    if (preparation && preparation->components > 0)
        numbers = add_projection(file, preparation, &numbers);
    return numbers;
}

void glnn__c_unscale_targets(glnn__c_file *file, const glnn_preparation *preparation,
                             const char *numbers)
{
    if (!preparation || preparation->target_scale.features == 0)
        return;
    const glnn_scale *scale = &preparation->target_scale;
    const size_t targets = (size_t)scale->features;
    glnn__c_use(file, "unscale");
    glnn__c_floats(file, scale->offset, targets, "target_offset");
    glnn__c_floats(file, scale->factor, targets, "target_factor");
    glnn__text_print(&file->code, "    unscale(%zu, target_offset, target_factor, %s);\n", targets,
                     numbers);
}
