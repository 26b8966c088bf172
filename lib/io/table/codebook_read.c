#include <glnn/codebook.h>

#include "base/status.h"
#include "io/table/labels.h"
#include "io/table/number.h"
#include "io/table/text.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What words and lines may have between them; a CR in front of a LF is one of them. */
#define BLANKS " \t\r\v\f"

/* The word by which LVQ_PAK marks a component that is not known. */
#define MISSING "x"

/* A codebook that is being read. */
typedef struct reading {
    const char *path;
    char *text;
    char *next; /* after the line that is being read        */
    char *line; /* ends in a zero byte                       */
    size_t line_number;
    int capacity; /* vectors that there is room for            */
    bool has_labels;
    glnn__labels labels;
    glnn_codebook codebook;
} reading;

/* Goes to the next line that has words in it. */
static bool next_line(reading *in)
{
    while (*in->next) {
        in->line = in->next + strspn(in->next, BLANKS);
        in->next += strcspn(in->next, "\n");
        if (*in->next)
            *in->next++ = 0;
        ++in->line_number;
        if (*in->line && *in->line != '#')
            return true;
    }
    return false;
}

static size_t count_words(const char *line)
{
    size_t words = 0;
    for (; *line; ++words) {
        line += strcspn(line, BLANKS);
        line += strspn(line, BLANKS);
    }
    return words;
}

static glnn_status read_dimension(reading *in)
{
    if (!next_line(in))
        return glnn__fail(GLNN_E_FORMAT, "%s: holds no dimension", in->path);
    char *rest, *word = strtok_r(in->line, BLANKS, &rest);
    long long dimension = strspn(word, "0123456789") == strlen(word) ? strtoll(word, NULL, 10) : 0;
    if (dimension < 1 || dimension > INT_MAX)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: line %zu: the dimension is '%.60s', but should be an integer in "
                          "1 .. %d",
                          in->path, in->line_number, word, INT_MAX);
    in->codebook.features = (int)dimension;
    return GLNN_OK;
}

/* The first vector decides whether there are labels. */
static glnn_status check_words(reading *in)
{
    size_t words = count_words(in->line), features = (size_t)in->codebook.features;
    if (in->codebook.count == 0)
        in->has_labels = words > features;
    if (words != features + in->has_labels)
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu has %zu words; it should have %zu: %zu %s",
                          in->path, in->line_number, words, features + in->has_labels, features,
                          in->has_labels ? "components and a label" : "components and no label");
    return GLNN_OK;
}

static glnn_status grow(reading *in)
{
    glnn_codebook *codebook = &in->codebook;
    if (codebook->count < in->capacity)
        return GLNN_OK;
    if (codebook->count > INT_MAX / 2)
        return glnn__fail(GLNN_E_LIMIT, "%s: line %zu is past vector %d", in->path, in->line_number,
                          codebook->count);
    int capacity = in->capacity ? 2 * in->capacity : 64;
    size_t size = (size_t)codebook->features * sizeof(float);
    float *vectors = (size_t)capacity <= SIZE_MAX / size
                         ? realloc(codebook->vectors, (size_t)capacity * size)
                         : NULL;
    if (vectors)
        codebook->vectors = vectors;
    int *labels = vectors ? realloc(codebook->labels, (size_t)capacity * sizeof *labels) : NULL;
    if (labels)
        codebook->labels = labels;
    if (!labels)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d vectors of dimension %d", in->path,
                          capacity, codebook->features);
    in->capacity = capacity;
    return GLNN_OK;
}

static glnn_status read_component(const reading *in, int component, const char *word, float *value)
{
    glnn__number kind = glnn__number_parse(word, value);
    if (kind == GLNN__NUMBER_FINITE)
        return GLNN_OK;
    if (strcmp(word, MISSING) == 0)
        return glnn__fail(
            GLNN_E_FORMAT,
            "%s: line %zu, column %d: the component is missing ('%s'); a vector needs "
            "all of them",
            in->path, in->line_number, component + 1, word);
    return glnn__fail(GLNN_E_FORMAT, "%s: line %zu, column %d: '%.60s' is not a finite number",
                      in->path, in->line_number, component + 1, word);
}

static glnn_status add_vector(reading *in)
{
    glnn_codebook *codebook = &in->codebook;
    GLNN__TRY(check_words(in));
    GLNN__TRY(grow(in));
    char *rest, *word = strtok_r(in->line, BLANKS, &rest);
    float *vector = codebook->vectors + (size_t)codebook->count * (size_t)codebook->features;
    for (int c = 0; c < codebook->features; ++c, word = strtok_r(NULL, BLANKS, &rest))
        GLNN__TRY(read_component(in, c, word, &vector[c]));
    if (in->has_labels)
        GLNN__TRY(glnn__labels_index(&in->labels, word, &codebook->labels[codebook->count]));
    ++codebook->count;
    return GLNN_OK;
}

static glnn_status read_codebook(reading *in)
{
    GLNN__TRY(read_dimension(in));
    while (next_line(in))
        GLNN__TRY(add_vector(in));
    glnn_codebook *codebook = &in->codebook;
    if (codebook->count == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: holds no vector of dimension %d", in->path,
                          codebook->features);
    if (in->has_labels) {
        GLNN__TRY(glnn__labels_sort(&in->labels, codebook->labels, (size_t)codebook->count));
    } else {
        free(codebook->labels);
        codebook->labels = NULL;
    }
    return GLNN_OK;
}

glnn_status glnn_codebook_read(const char *path, glnn_codebook *out)
{
    if (!path || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_codebook_read: %s is null", path ? "out" : "path");
    *out = (glnn_codebook){0};
    reading in = {.path = path};
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn_status status = glnn__text_read(path, &in.text, &in.next);
    if (!status) {
        status = read_codebook(&in);
        free(in.text);
    }
    glnn__c_locale_leave(&locale);
    if (!status) {
        *out = in.codebook;
        out->classes = in.labels.count;
        out->class_names = in.labels.names;
        in.labels.names = NULL;
        in.labels.count = 0;
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
    for (int c = 0; codebook->class_names && c < codebook->classes; ++c)
        free(codebook->class_names[c]);
    free(codebook->class_names);
    *codebook = (glnn_codebook){0};
}
