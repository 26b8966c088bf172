#include "prototypes/export.h"

#include "base/status.h"
#include "export/preparation.h"
#include "prototypes/use.h"

#include <stdlib.h>

/* The numbers of the file: what samples are compared with, and what they are compared by. */
typedef struct numbers {
    float *values; /* count x columns: prototypes, or their images under Omega                    */
    int columns;
    float *learnt; /* of the metric; NULL: it is plain                                            */
    float *offset; /* 1 x features; NULL: it is not used                                          */
} numbers;

static void free_numbers(numbers *of)
{
    free(of->values);
    free(of->learnt);
    free(of->offset);
}

/* Omega m of each prototype. */
static glnn_status find_images(const glnn__prototypes *p, numbers *of)
{
    const size_t count = (size_t)p->desc.count, rank = (size_t)p->learnt->rows;
    const size_t features = (size_t)p->desc.features;
    float *images = malloc(count * rank * sizeof *images);
    if (!images)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %zu images of prototypes", count);
    for (size_t i = 0; i < count * rank; ++i) {
        const float *m = of->values + i / rank * features, *row = of->learnt + i % rank * features;
        double sum = 0;
        for (size_t j = 0; j < features; ++j)
            sum += (double)row[j] * (double)m[j];
        images[i] = (float)sum;
    }
    free(of->values);
    of->values = images;
    of->columns = p->learnt->rows;
    return GLNN_OK;
}

static glnn_status take_numbers(const glnn__prototypes *p, numbers *out)
{
    const bool has_metric = p->desc.metric != GLNN__METRIC_PLAIN;
    *out = (numbers){.columns = p->desc.features};
    GLNN__TRY(glnn__take_rows(p->ctx, p->values, p->desc.count, &out->values));
    if (p->uses_offset)
        GLNN__TRY(glnn__take_rows(p->ctx, p->offset, 1, &out->offset));
    if (has_metric)
        GLNN__TRY(glnn__take_rows(p->ctx, p->learnt, p->learnt->rows, &out->learnt));
    /* The learner keeps the roots of the relevances. */
    for (int j = 0; p->desc.metric == GLNN__METRIC_ROOTS && j < p->desc.features; ++j)
        out->learnt[j] *= out->learnt[j];
    return p->desc.metric == GLNN__METRIC_OMEGA ? find_images(p, out) : GLNN_OK;
}

/* Adds code that takes the offset from a sample. */
static glnn__export_numbers add_offset(const glnn__prototypes *p, const numbers *of,
                                       const glnn__export_numbers *from, glnn__export_file *file)
{
    const size_t features = (size_t)p->desc.features;
    const glnn__export_numbers shifted = glnn__export_scratch(file, from->end, features);
    const glnn__export_text offset =
        glnn__export_floats(file, of->offset, features, "sample_offset");
    glnn__export_call(file, "subtract", "%zu, %s, %s, %s", features, offset.text, from->text,
                      shifted.text);
    return shifted;
}

/* Adds code that maps a sample by Omega. */
static glnn__export_numbers add_omega(const glnn__prototypes *p, const numbers *of,
                                      const glnn__export_numbers *from, glnn__export_file *file)
{
    const size_t features = (size_t)p->desc.features, rank = (size_t)of->columns;
    const glnn__export_numbers image = glnn__export_scratch(file, from->end, rank);
    const glnn__export_text omega = glnn__export_floats(file, of->learnt, rank * features, "omega");
    glnn__export_call(file, "product", "%zu, %zu, %s, %s, %s", rank, features, omega.text,
                      from->text, image.text);
    return image;
}

/* Adds the function that finds the distances of all prototypes, in the metric that was learnt. */
static void add_distances(const glnn__prototypes *p, const numbers *of, glnn__export_file *file)
{
    const size_t count = (size_t)p->desc.count, columns = (size_t)of->columns;
    const glnn_preparation *preparation = glnn_learner_get_preparation(&p->learner);
    glnn__text_print(&file->code, "\n"
                                  "/* The squared distances of a sample from all prototypes. */\n"
                                  "static const float *find_distances(const float *input)\n"
                                  "{\n");
    glnn__export_numbers x =
        glnn__export_prepare(file, preparation, &(glnn__export_numbers){.text = "input"});
    if (of->offset)
        x = add_offset(p, of, &x, file);
    if (p->desc.metric == GLNN__METRIC_OMEGA)
        x = add_omega(p, of, &x, file);
    const glnn__export_numbers found = glnn__export_scratch(file, x.end, count);
    glnn__export_floats(file, of->values, count * columns, "learnt_prototypes");
    if (p->desc.metric == GLNN__METRIC_ROOTS) {
        glnn__export_floats(file, of->learnt, columns, "learnt_relevances");
        glnn__export_call(file, "weighted_distances",
                          "%zu, %zu, learnt_relevances, learnt_prototypes, %s, %s", count, columns,
                          x.text, found.text);
    } else {
        glnn__export_call(file, "distances", "%zu, %zu, learnt_prototypes, %s, %s", count, columns,
                          x.text, found.text);
    }
    glnn__text_print(&file->code, "    return %s;\n}\n", found.text);
}

static void add_predict(const glnn__prototypes *p, double precision_half, glnn__export_file *file)
{
    const int count = p->desc.count, outputs = glnn__prototypes_outputs(p);
    glnn__text_print(&file->code,
                     "\nvoid %s_predict(const float *input, float *output)\n"
                     "{\n"
                     "    const float *found = find_distances(input);\n",
                     file->name);
    if (precision_half > 0)
        glnn__export_call(file, "posteriors", "%d, %d, class_numbers, %s, found, output", count,
                          outputs, glnn__export_literal((float)precision_half).text);
    else if (p->class_numbers)
        glnn__export_call(file, "class_distances", "%d, %d, class_numbers, found, output", count,
                          outputs);
    else
        glnn__export_call(file, "negate", "%d, found, output", count);
    glnn__text_print(&file->code, "}\n");
}

static void add_classify(const glnn__prototypes *p, glnn__export_file *file)
{
    glnn__export_use(file, "nearest");
    glnn__text_print(&file->code,
                     "\nint %s_classify(const float *input)\n"
                     "{\n"
                     "    const int winner = nearest(%d, find_distances(input));\n"
                     "    return %s;\n"
                     "}\n",
                     file->name, p->desc.count,
                     p->class_numbers ? "winner < 0 ? -1 : class_numbers[winner]" : "winner");
}

static glnn_status add_code(const glnn__prototypes *p, double precision_half,
                            glnn__export_file *file)
{
    numbers of;
    const glnn_status status = take_numbers(p, &of);
    if (!status) {
        add_distances(p, &of, file);
        add_predict(p, precision_half, file);
        add_classify(p, file);
        glnn__export_texts(file, glnn_learner_get_preparation(&p->learner),
                           p->class_numbers ? glnn__prototypes_outputs(p) : 0);
    }
    if (p->class_numbers)
        glnn__export_ints(file, p->class_numbers, (size_t)p->desc.count, "class_numbers");
    free_numbers(&of);
    return status;
}

glnn_status glnn__prototypes_export(const glnn__prototypes *p, double precision_half,
                                    const char *what, const char *path, const char *name)
{
    glnn__export_file file;
    GLNN__TRY(glnn__export_begin(&glnn__c_language, name, &file));
    const int features =
        glnn__export_features(glnn_learner_get_preparation(&p->learner), p->desc.features);
    return glnn__export_end(&file, path, what, features, glnn__prototypes_outputs(p),
                            add_code(p, precision_half, &file));
}
