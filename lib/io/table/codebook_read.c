#include <glnn/codebook.h>

#include "base/locale.h"
#include "base/memory.h"
#include "base/sized.h"
#include "io/table/labels.h"
#include "io/table/names.h"
#include "io/table/number.h"
#include "io/table/rows.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The word for a missing component in LVQ_PAK. */
#define MISSING "x"

/* A codebook that is being read. */
typedef struct reading {
    glnn__rows rows;
    size_t vector_capacity, label_capacity;
    bool has_labels;
    glnn__labels labels;
    glnn_codebook codebook;
} reading;

static glnn_status read_dimension(reading *in)
{
    bool found;
    GLNN__TRY(glnn__rows_next(&in->rows, &found));
    if (!found)
        return glnn__fail(GLNN_E_FORMAT, "%s: the file has no dimension", in->rows.path);
    const char *word = in->rows.fields[0];
    const long long dimension =
        strspn(word, "0123456789") == strlen(word) ? strtoll(word, NULL, 10) : 0;
    if (dimension < 1 || dimension > INT_MAX)
        return glnn__rows_fail(&in->rows,
                               ": the dimension is '%.60s'; it must be an integer in 1 .. %d", word,
                               INT_MAX);
    in->codebook.features = (int)dimension;
    return GLNN_OK;
}

/* The first vector decides whether there are labels. */
static glnn_status check_words(reading *in)
{
    const size_t words = in->rows.count, features = (size_t)in->codebook.features;
    if (in->codebook.count == 0)
        in->has_labels = words > features;
    if (words != features + in->has_labels)
        return glnn__rows_fail(
            &in->rows, " has %zu words; it must have %zu: %zu %s", words, features + in->has_labels,
            features, in->has_labels ? "components and a label" : "components and no label");
    return GLNN_OK;
}

static glnn_status grow(reading *in)
{
    glnn_codebook *codebook = &in->codebook;
    const size_t count = (size_t)codebook->count, features = (size_t)codebook->features;
    if (!glnn__memory_grow(&codebook->vectors, count, &in->vector_capacity,
                           features * sizeof(float)) ||
        !glnn__memory_grow(&codebook->labels, count, &in->label_capacity, sizeof(int)))
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for more than %zu vectors of dimension %zu",
                          in->rows.path, count, features);
    return GLNN_OK;
}

static glnn_status read_component(const reading *in, int component, const char *word, float *value)
{
    glnn__number kind = glnn__number_parse(word, value);
    if (kind == GLNN__NUMBER_FINITE)
        return GLNN_OK;
    if (strcmp(word, MISSING) == 0)
        return glnn__rows_fail(
            &in->rows,
            ", column %d: the component is missing ('%s'); a vector needs all components",
            component + 1, word);
    return glnn__rows_fail(&in->rows, ", column %d: '%.60s' is not a finite number", component + 1,
                           word);
}

static glnn_status add_vector(reading *in)
{
    glnn_codebook *codebook = &in->codebook;
    GLNN__TRY(check_words(in));
    GLNN__TRY(grow(in));
    float *vector = codebook->vectors + (size_t)codebook->count * (size_t)codebook->features;
    for (int c = 0; c < codebook->features; ++c)
        GLNN__TRY(read_component(in, c, in->rows.fields[c], &vector[c]));
    if (in->has_labels)
        GLNN__TRY(glnn__labels_index(&in->labels, in->rows.fields[codebook->features],
                                     &codebook->labels[codebook->count]));
    ++codebook->count;
    return GLNN_OK;
}

static glnn_status read_codebook(reading *in)
{
    glnn_codebook *codebook = &in->codebook;
    GLNN__TRY(read_dimension(in));
    for (bool found = true; found;) {
        GLNN__TRY(glnn__rows_next(&in->rows, &found));
        if (found)
            GLNN__TRY(add_vector(in));
    }
    if (codebook->count == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: the file has no vector of dimension %d",
                          in->rows.path, codebook->features);
    if (in->has_labels) {
        GLNN__TRY(glnn__labels_sort(&in->labels, codebook->labels, (size_t)codebook->count));
    } else {
        free(codebook->labels);
        codebook->labels = NULL;
    }
    return GLNN_OK;
}

static glnn_status read_file(const char *path, reading *in)
{
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn_status status = glnn__rows_open(path, 0, &in->rows);
    if (!status) {
        status = read_codebook(in);
        glnn__rows_close(&in->rows);
    }
    glnn__c_locale_leave(&locale);
    return status;
}

glnn_status glnn_codebook_read(const char *path, glnn_codebook *out)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_codebook, class_names, out));
    reading in = {.codebook.size = sizeof in.codebook};
    glnn__sized_fill(out, &in.codebook, sizeof in.codebook);
    const glnn_status status = glnn__fail_in(__func__, read_file(path, &in));
    if (!status) {
        glnn__labels_take(&in.labels, &in.codebook.classes, &in.codebook.class_names);
        glnn__sized_fill(out, &in.codebook, sizeof in.codebook);
    } else {
        glnn_codebook_free(&in.codebook);
    }
    glnn__labels_free(&in.labels);
    return status;
}

void glnn_codebook_free(glnn_codebook *codebook)
{
    if (!codebook)
        return;
    free(codebook->vectors);
    free(codebook->labels);
    glnn__names_free(codebook->class_names, codebook->classes);
    glnn__sized_fill(codebook, &(glnn_codebook){0}, sizeof *codebook);
}
