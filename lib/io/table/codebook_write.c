#include <glnn/codebook.h>

#include "base/file.h"
#include "base/locale.h"
#include "base/sized.h"
#include "io/growing_text.h"
#include "io/table/labels.h"

#include <glnn/csv.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float *vector_of(const glnn_codebook *codebook, int64_t index)
{
    return codebook->vectors + (size_t)index * (size_t)codebook->features;
}

static glnn_status check_vectors(const glnn_codebook *codebook)
{
    if (codebook->count < 1 || codebook->features < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%" PRId64 " vectors of dimension %d; both must be at least 1",
                          codebook->count, codebook->features);
    if (codebook->features >= GLNN_CSV_MAX_COLUMNS)
        return glnn__fail(GLNN_E_LIMIT, "vectors of dimension %d; it must be below %d",
                          codebook->features, GLNN_CSV_MAX_COLUMNS);
    for (int64_t i = 0; i < codebook->count; ++i) {
        for (int c = 0; c < codebook->features; ++c) {
            if (!isfinite(vector_of(codebook, i)[c]))
                return glnn__fail(GLNN_E_FORMAT,
                                  "component %d of vector %" PRId64 " is %g; it must be finite", c,
                                  i, (double)vector_of(codebook, i)[c]);
        }
    }
    return GLNN_OK;
}

static glnn_status check_labels(const glnn_codebook *codebook)
{
    for (int64_t i = 0; i < codebook->count; ++i) {
        if (codebook->labels[i] < 0 || codebook->labels[i] >= codebook->classes)
            return glnn__fail(GLNN_E_ARG,
                              "the label of vector %" PRId64 " is %d; there are %d classes", i,
                              codebook->labels[i], codebook->classes);
    }
    return GLNN_OK;
}

/* A name must be read back as one word, and be that of one class. */
static glnn_status check_name(char **names, int class, glnn__labels *seen)
{
    const char *name = names[class];
    int first;
    if (!name || !*name || strpbrk(name, " \t\r\n\v\f"))
        return glnn__fail(GLNN_E_ARG, "the name of class %d is '%s'; it must be one word", class,
                          name ? name : "");
    GLNN__TRY(glnn__labels_index(seen, name, &first));
    if (first != class)
        return glnn__fail(GLNN_E_ARG, "classes %d and %d are both named '%s'", first, class, name);
    return GLNN_OK;
}

static glnn_status check_names(const glnn_codebook *codebook)
{
    glnn__labels seen = {0};
    glnn_status status = GLNN_OK;
    for (int c = 0; !status && c < codebook->classes; ++c)
        status = check_name(codebook->class_names, c, &seen);
    glnn__labels_free(&seen);
    return status;
}

static glnn_status check(const glnn_codebook *codebook)
{
    GLNN__TRY(check_vectors(codebook));
    if (codebook->labels)
        GLNN__TRY(check_labels(codebook));
    if (codebook->labels && codebook->class_names)
        GLNN__TRY(check_names(codebook));
    return GLNN_OK;
}

static void print_vector(glnn__growing_text *to, const glnn_codebook *codebook, int64_t index)
{
    const float *vector = vector_of(codebook, index);
    /* Nine digits distinguish all floats. */
    for (int c = 0; c < codebook->features; ++c)
        glnn__text_print(to, c ? " %.9g" : "%.9g", (double)vector[c]);
    if (codebook->labels && codebook->class_names)
        glnn__text_print(to, " %s", codebook->class_names[codebook->labels[index]]);
    else if (codebook->labels)
        glnn__text_print(to, " %d", codebook->labels[index]);
    glnn__text_print(to, "\n");
}

static glnn_status write_file(const char *path, const glnn_codebook *codebook)
{
    glnn__c_locale locale;
    glnn__growing_text text = {0};
    GLNN__TRY(check(codebook));
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn__text_print(&text, "%d\n", codebook->features);
    for (int64_t i = 0; !text.is_cut && i < codebook->count; ++i)
        print_vector(&text, codebook, i);
    glnn__c_locale_leave(&locale);
    const glnn_status status =
        text.is_cut ? glnn__fail(GLNN_E_NOMEM, "%s: no memory for the text of %" PRId64 " vectors",
                                 path, codebook->count)
                    : glnn__file_replace(path, &(glnn__span){text.text, text.size}, 1);
    free(text.text);
    return status;
}

glnn_status glnn_codebook_write(const char *path, const glnn_codebook *codebook)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(codebook);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_codebook, class_names, codebook));
    GLNN__NOT_NULL(codebook->vectors);
    return glnn__fail_in(__func__, write_file(path, codebook));
}
