/* A support vector machine in files and as C source, and the texts by which checkpoints recognise
 * it. */
#include "svm/svm.h"

#include "base/names.h"
#include "base/status.h"
#include "export/file.h"
#include "export/preparation.h"
#include "layers/layer_arrays.h"
#include "learn/learner_file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Files of the library */

static const char *const losses[] = {
    [GLNN_SVM_HINGE] = "hinge",
    [GLNN_SVM_SQUARED_HINGE] = "squared_hinge",
};

GLNN__DEFINE_NAMES(glnn_svm_loss, losses)

GLNN__DECLARE_NAMES(glnn_layout)

#define AT(member) offsetof(glnn_svm_desc, member)

static const glnn__field fields[] = {
    GLNN__ROW(INT, features, GLNN__IN_FILES, .least = 1),
    GLNN__ROW(INT, classes, GLNN__IN_FILES, .least = 2),
    GLNN__ROW(CHOICE, loss, GLNN__IN_FILES, .names = &glnn__names_of_glnn_svm_loss),
    GLNN__ROW(FLOAT, lambda, GLNN__IN_FILES, .standard = 1e-4, .above = true),
    GLNN__ROW(FLOAT, momentum, GLNN__IN_FILES, .most = 1, .below = true),
    GLNN__ROW(CHOICE, layout, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_layout,
              .most = GLNN_LAYOUT_UNPACKED),
    GLNN__ROW(INT, capacity, GLNN__NOT_KEPT, .standard = 1024, .least = 1),
};

const glnn__fields glnn__svm_fields = GLNN__DESCRIPTION(glnn_svm_desc, fields);

static void describe(const void *self, void *description)
{
    *(glnn_svm_desc *)description = ((const glnn__svm *)self)->desc;
}

static void print_shape(const void *description, char *text, size_t size)
{
    const glnn_svm_desc *desc = description;
    snprintf(text, size, "%d classes of %d features, %s momentum", desc->classes, desc->features,
             desc->momentum > 0 ? "with" : "without");
}

static void add_arrays(const void *description, glnn__arrays *out)
{
    const glnn_svm_desc *desc = description;
    const size_t classes = (size_t)desc->classes, features = (size_t)desc->features;
    glnn__arrays_add(out, 2, (const size_t[]){classes, features}, "weight");
    glnn__arrays_add(out, 1, &classes, "bias");
    if (desc->momentum > 0)
        glnn__arrays_add(out, 2, (const size_t[]){features + 1, classes}, "velocity");
}

static glnn__tensor_place place(const void *self, int number)
{
    return glnn__layer_place(&((const glnn__svm *)self)->layer, number);
}

static glnn_status read(const void *self, int number, float *values)
{
    const glnn__svm *svm = self;
    return glnn__layer_read(svm->ctx, &svm->layer, number, values);
}

static glnn_status write(void *self, int number, const float *values)
{
    const glnn__svm *svm = self;
    return glnn__layer_write(svm->ctx, &svm->layer, number, values);
}

const glnn__file_form glnn__svm_file = {
    .size = sizeof(glnn_svm_desc),
    .layout = offsetof(glnn_svm_desc, layout),
    .capacity = offsetof(glnn_svm_desc, capacity),
    .fields = &glnn__svm_fields,
    .describe = describe,
    .print_shape = print_shape,
    .add_arrays = add_arrays,
    .place = place,
    .read = read,
    .write = write,
};

/* ---- C source */

static glnn_status add_code(const glnn__svm *svm, int raw, glnn__export_file *file)
{
    const size_t features = (size_t)svm->desc.features, classes = (size_t)svm->desc.classes;
    float *weights = calloc((features + 1) * classes, sizeof *weights);
    if (!weights)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the weights of %zu classes", classes);
    float *biases = weights + features * classes;
    const glnn_status status =
        glnn__layer_download(svm->ctx, &svm->layer, (float *const[]){weights, biases});
    const glnn__export_text weight =
        glnn__export_floats(file, weights, features * classes, "class_weights");
    const glnn__export_text bias = glnn__export_floats(file, biases, classes, "class_biases");
    free(weights);
    const glnn__export_numbers sample = file->language->begin_predict(file, raw);
    const glnn__export_numbers x =
        glnn__export_prepare(file, glnn_learner_get_preparation(&svm->learner), &sample);
    const glnn__export_numbers y = glnn__export_output(file);
    glnn__export_call(file, "dense", "%zu, %zu, %s, %s, %s, %s", features, classes, weight.text,
                      bias.text, x.text, y.text);
    file->language->end_predict(file, &y);
    const glnn__export_numbers output = file->language->begin_classify(file, &y, svm->desc.classes);
    glnn__export_return(file, "greatest", "%zu, %s", classes, output.text);
    glnn__text_print(&file->code, "}\n");
    glnn__export_texts(file, glnn_learner_get_preparation(&svm->learner), svm->desc.classes);
    return status;
}

glnn_status glnn__svm_export_c(const void *self, const char *path, const char *name)
{
    const glnn__svm *svm = self;
    glnn__export_file file;
    char what[96];
    GLNN__TRY(glnn__export_begin(&glnn__c_language, name, &file));
    snprintf(what, sizeof what, "a support vector machine of %d classes", svm->desc.classes);
    const int features =
        glnn__export_features(glnn_learner_get_preparation(&svm->learner), svm->desc.features);
    return glnn__export_end(&file, path, what, features, svm->desc.classes,
                            add_code(svm, features, &file));
}
