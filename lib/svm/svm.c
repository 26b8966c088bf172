/* A linear support vector machine as a learner, and its weights as a program sees them. */
#include "svm/svm.h"

#include "base/status.h"
#include "data/check.h"
#include "data/sequence.h"
#include "layers/layer_arrays.h"
#include "layers/layer_types.h"
#include "learn/learner_file.h"
#include "learn/predict.h"
#include "ops/map.h"
#include "ops/sample.h"
#include "pass/pass.h"
#include "tex/matrices.h"

#include <glnn/map.h>
#include <glnn/reduce.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_RATE         0.1f
#define DEFAULT_SQUARED_RATE 0.02f

/* ---- Making and unmaking */

static void fill_learner(glnn__svm *svm)
{
    const glnn_svm_desc *desc = &svm->desc;
    glnn_learner *learner = &svm->learner;
    learner->features = desc->features;
    learner->outputs = learner->predicted = desc->classes;
    learner->labelled = "a support vector machine";
    learner->capacity = desc->capacity;
    learner->layout = desc->layout;
    learner->rate_limit = 1 / desc->lambda;
    learner->default_rate =
        fminf(desc->loss == GLNN_SVM_SQUARED_HINGE ? DEFAULT_SQUARED_RATE : DEFAULT_RATE,
              learner->rate_limit / 2);
    learner->records_losses = true;
    learner->optimizer = &svm->optimizer;
    learner->is_checked = true;
}

static glnn_status build(void *self, const void *desc)
{
    glnn__svm *svm = self;
    glnn__layer *layer = &svm->layer;
    glnn__layout_use uses[GLNN__LAYER_PRODUCTS];
    svm->ctx = svm->learner.ctx;
    svm->desc = *(const glnn_svm_desc *)desc;
    GLNN__TRY(glnn__fields_check(&glnn__svm_fields, &svm->desc));
    if (svm->desc.features == INT_MAX || svm->desc.classes == INT_MAX)
        return glnn__fail(GLNN_E_LIMIT, "%d features and %d classes; there can be %d of each",
                          svm->desc.features, svm->desc.classes, INT_MAX - 1);
    svm->optimizer.momentum = svm->desc.momentum;
    layer->type = &glnn__dense_layer;
    layer->parameters = &layer->own;
    layer->desc.units = svm->desc.classes;
    layer->input = (glnn_shape){svm->desc.features, 1, 1};
    GLNN__TRY(layer->type->shape(layer, layer));
    const int count = layer->type->products(layer, svm->desc.capacity, uses);
    GLNN__TRY(glnn__layout_choose(svm->ctx, uses, count, &svm->desc.layout));
    fill_learner(svm);
    GLNN__TRY(glnn__layer_create_parameters(svm->ctx, svm->desc.layout, &svm->optimizer, layer));
    return glnn__learner_create_metrics(&svm->learner, 4);
}

static glnn__matrices matrices_of_batch(glnn__svm *svm, int rows)
{
    const glnn_svm_desc *desc = &svm->desc;
    glnn__signal *out = &svm->layer.out;
    return (glnn__matrices){{
        {&svm->input.values, desc->layout, rows, desc->features, "input"},
        {&out->values, desc->layout, rows, desc->classes, "output"},
        {&out->delta, desc->layout, rows, desc->classes, "delta"},
    }};
}

static void destroy(void *self)
{
    glnn__svm *svm = self;
    const glnn__matrices batch = matrices_of_batch(svm, 0);
    glnn__matrices_destroy(&batch);
    glnn__layer_destroy(&svm->layer);
}

/* ---- Passes */

static glnn_status prepare(void *self, int rows, int group)
{
    glnn__svm *svm = self;
    (void)group;
    svm->kept.f = 1 - svm->learner.rate.f * svm->desc.lambda;
    if (rows == svm->rows)
        return GLNN_OK;
    const glnn__matrices batch = matrices_of_batch(svm, rows);
    svm->rows = 0;
    GLNN__TRY(glnn__matrices_create(svm->ctx, glnn__matrix_create_scratch, &batch));
    svm->rows = rows;
    return GLNN_OK;
}

static glnn__flow flow_of(const glnn__svm *svm)
{
    return (glnn__flow){.ctx = svm->ctx, .layers = &svm->layer, .input = &svm->input};
}

static glnn_status find_outputs(const glnn__svm *svm)
{
    const glnn__flow flow = flow_of(svm);
    const glnn__label former = glnn__label_part(svm->ctx, "forward");
    return glnn__label_end(svm->ctx, former,
                           svm->layer.type->forward(&flow, &svm->layer, &svm->input));
}

static const glnn__enumerator loss_enumerators[] = {
    GLNN__ENUMERATOR(GLNN_SVM_HINGE), GLNN__ENUMERATOR(GLNN_SVM_SQUARED_HINGE), {0}};

enum { LOSS };
enum { CLASSES = GLNN__AFTER_SAMPLE, ENTRY };
enum { METRICS, LOSSES };

static const glnn__kernel hinge_kernel = {
    .name = "svm/hinge",
    .operands = {"Z", "TARGET", "INDEX", "FACTORS"},
    .unviewed = 4,
    .options = {[LOSS] = "LOSS"},
    .uniforms = {GLNN__SAMPLE_UNIFORMS, [CLASSES] = "int classes", [ENTRY] = "int entry"},
    .side_outputs = {[METRICS] = "METRICS", [LOSSES] = "LOSSES"},
    .enumerations = {loss_enumerators, glnn__map_enumerators, glnn__sequence_enumerators},
};

/* From the samples of a part to the slopes of their losses. */
static glnn_status find_loss(const glnn__svm *svm, const glnn__batch *part,
                             const glnn__metrics *metrics)
{
    const glnn__pass pass = {
        .kernel = &hinge_kernel,
        .operands = {{.matrix = svm->layer.out.values},
                     {.matrix = part->data->targets},
                     {.matrix = part->order},
                     {.matrix = metrics->factors}},
        .output = svm->layer.out.delta,
        .side_outputs = {[METRICS] = metrics->rows, [LOSSES] = metrics->losses},
        .side_adds = {[METRICS] = true},
        .options = {[LOSS] = svm->desc.loss},
        .uniforms = {GLNN__SAMPLE_VALUES(glnn__batch_first(part), part->count, part->data->samples),
                     [CLASSES] = {.i = svm->desc.classes}, [ENTRY] = glnn__batch_entry(part)},
    };
    GLNN__TRY(glnn__batch_gather(part, svm->input.values));
    GLNN__TRY(find_outputs(svm));
    const glnn__label former = glnn__label_part(svm->ctx, "loss");
    return glnn__label_end(svm->ctx, former, glnn__pass_run(svm->ctx, &pass));
}

enum { KEPT, FEATURES };

static const glnn__kernel decay_kernel = {
    .name = "svm/decay",
    .operands = {"W"},
    .uniforms = {[KEPT] = "float kept", [FEATURES] = "int features"},
};

/* The decay of an optimizer would take the biases too. */
static glnn_status decay(const glnn__svm *svm)
{
    glnn_matrix *weights = svm->layer.own.values;
    const glnn__pass pass = {
        .kernel = &decay_kernel,
        .operands = {{.matrix = weights}},
        .output = weights,
        .uniforms = {[KEPT] = {.slot = &svm->kept}, [FEATURES] = {.i = svm->desc.features}},
    };
    const glnn__label former = glnn__label_part(svm->ctx, "penalty");
    return glnn__label_end(svm->ctx, former, glnn__pass_run(svm->ctx, &pass));
}

static glnn_status gradient(void *self, const glnn__batch *part, const glnn__step *step)
{
    glnn__svm *svm = self;
    const glnn__sink sink = glnn__sink_of(&svm->learner, step);
    const glnn__flow flow = flow_of(svm);
    if (part->count > 0)
        GLNN__TRY(find_loss(svm, part, &svm->learner.metrics));
    if (step->is_last && glnn__sink_fuses(&sink))
        GLNN__TRY(decay(svm));
    const glnn__label former = glnn__label_part(svm->ctx, "gradient");
    return glnn__label_end(svm->ctx, former,
                           svm->layer.type->gradient(&flow, &svm->layer, &svm->input, &sink));
}

static glnn_status apply(void *self, const glnn__step *step)
{
    glnn__svm *svm = self;
    const glnn__sink sink = glnn__sink_of(&svm->learner, step);
    if (glnn__sink_fuses(&sink))
        return GLNN_OK;
    GLNN__TRY(decay(svm));
    return glnn__sink_apply(svm->ctx, &sink, NULL, &svm->layer.own);
}

static glnn_status measure(void *self, const glnn__batch *part)
{
    glnn__svm *svm = self;
    return find_loss(svm, part, &svm->learner.measured);
}

static glnn_status take_classes(const glnn__svm *svm, int count, int *classes)
{
    glnn_matrix *column;
    GLNN__TRY(glnn__matrix_create_scratch(svm->ctx, GLNN_LAYOUT_PACKED, svm->rows, 1,
                                          "predicted classes", &column));
    glnn_status status =
        glnn_reduce(svm->ctx, GLNN_REDUCTION_ARGMAX, GLNN_AXIS_ROWS, svm->layer.out.values, column);
    if (!status)
        status = glnn__take_classes(column, 0, count, classes);
    glnn__scratch_destroy(column);
    return status;
}

static glnn_status predict_outputs(const glnn__svm *svm, const glnn__piece *piece)
{
    GLNN__TRY(glnn__piece_copy(piece, svm->input.values));
    return find_outputs(svm);
}

/* Outputs are always read, because their numbers have to be finite for classes too. */
static glnn_status predict(void *self, const glnn__piece *piece, float *outputs, int *classes)
{
    const glnn__svm *svm = self;
    const size_t size = (size_t)piece->count * (size_t)svm->desc.classes;
    float *own = outputs ? NULL : malloc(size * sizeof *own), *to = outputs ? outputs : own;
    glnn_status status = to ? predict_outputs(svm, piece)
                            : glnn__fail(GLNN_E_NOMEM, "no memory for %zu outputs", size);
    if (!status)
        status = glnn__take_outputs(svm->layer.out.values, piece->count, to);
    if (!status)
        status = glnn__check_outputs("outputs", piece->first, piece->count, svm->desc.classes, to);
    if (!status && classes)
        status = take_classes(svm, piece->count, classes);
    free(own);
    return status;
}

static glnn_status store(void *self, const glnn__piece *piece, glnn_matrix *out)
{
    const glnn__svm *svm = self;
    GLNN__TRY(predict_outputs(svm, piece));
    return glnn__piece_store(piece, svm->layer.out.values, 0, svm->desc.classes, out);
}

/* The samples, their losses and the penalty. */
#define STEP_PASSES 3

static void describe_step(const void *self, int samples, glnn__task_work *out)
{
    const glnn__layer *layer = &((const glnn__svm *)self)->layer;
    out->product_count = layer->type->products(layer, samples, out->products);
    out->passes = STEP_PASSES;
}

static void visit(void *self, glnn__visitor *visitor)
{
    glnn__svm *svm = self;
    glnn__layer_visit(&svm->layer, visitor);
}

/* ---- The program's view */

const glnn_svm_desc *glnn_svm_get_desc(const glnn_learner *learner)
{
    const glnn__svm *svm = glnn__svm_of(learner);
    return svm ? &svm->desc : NULL;
}

static void print(const void *self, char *text, size_t size)
{
    const glnn__svm *svm = self;
    snprintf(text, size, "%d classes of %d features", svm->desc.classes, svm->desc.features);
}

const glnn__learner_type glnn__svm_type = {
    .name = "support vector machine",
    .kind = GLNN_LEARNER_SVM,
    .size = sizeof(glnn__svm),
    .build = build,
    .destroy = destroy,
    .print = print,
    .prepare = prepare,
    .gradient = gradient,
    .apply = apply,
    .describe_step = describe_step,
    .measure = measure,
    .predict = predict,
    .store = store,
    .visit = visit,
    .file = &glnn__svm_file,
    .export_c = glnn__svm_export_c,
};

glnn_status glnn_svm_create(glnn_context *ctx, const glnn_svm_desc *desc, glnn_learner **out)
{
    return glnn__learner_create(__func__, ctx, &glnn__svm_type, desc, out);
}
