#include "io/table/labels.h"

#include "base/hash.h"
#include "base/status.h"
#include "base/string.h"
#include "io/table/names.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The slot of a text, or the free slot for it. The number of slots is a power of two. */
static size_t find_slot(const glnn__labels *labels, const char *text)
{
    size_t slot = glnn__hash(text, strlen(text)) & (labels->slot_count - 1);
    while (labels->slots[slot] && strcmp(labels->names[labels->slots[slot] - 1], text) != 0)
        slot = (slot + 1) & (labels->slot_count - 1);
    return slot;
}

/* Keeps at least half of the slots free. */
static glnn_status grow(glnn__labels *labels)
{
    if (2 * ((size_t)labels->count + 1) <= labels->slot_count)
        return GLNN_OK;
    glnn__labels grown = *labels;
    grown.slot_count = labels->slot_count ? 2 * labels->slot_count : 32;
    grown.slots = calloc(grown.slot_count, sizeof *grown.slots);
    char **names = realloc(labels->names, grown.slot_count / 2 * sizeof *names);
    if (names)
        labels->names = grown.names = names;
    if (!names || !grown.slots) {
        free(grown.slots);
        return glnn__fail(GLNN_E_NOMEM, "no memory for more than %d classes", labels->count);
    }
    for (int i = 0; i < labels->count; ++i)
        grown.slots[find_slot(&grown, names[i])] = i + 1;
    free(labels->slots);
    *labels = grown;
    return GLNN_OK;
}

glnn_status glnn__labels_index(glnn__labels *labels, const char *text, int *index)
{
    GLNN__TRY(grow(labels));
    size_t slot = find_slot(labels, text);
    if (!labels->slots[slot]) {
        if (labels->count == INT_MAX)
            return glnn__fail(GLNN_E_LIMIT, "there are more than %d classes", INT_MAX);
        char *name = glnn__string_copy(text);
        if (!name)
            return glnn__fail(GLNN_E_NOMEM, "no memory for the name of class %d", labels->count);
        labels->names[labels->count] = name;
        labels->slots[slot] = ++labels->count;
    }
    *index = labels->slots[slot] - 1;
    return GLNN_OK;
}

int glnn__labels_find(const glnn__labels *labels, const char *text)
{
    return labels->count > 0 ? labels->slots[find_slot(labels, text)] - 1 : -1;
}

typedef struct ranked_name {
    long long value;
    int index;
    char *name;
} ranked_name;

static bool parse_integer(const char *text, long long *value)
{
    const char *digits = text + (*text == '-' || *text == '+');
    size_t count = strspn(digits, "0123456789");
    if (count < 1 || count > 18 || digits[count] != 0)
        return false;
    *value = strtoll(text, NULL, 10);
    return true;
}

static int compare(const void *left, const void *right)
{
    const ranked_name *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void rank_names(const glnn__labels *labels, ranked_name *ranked)
{
    bool integers = true;
    for (int i = 0; i < labels->count; ++i) {
        ranked[i] = (ranked_name){.index = i, .name = labels->names[i]};
        integers = integers && parse_integer(labels->names[i], &ranked[i].value);
    }
    for (int i = 0; !integers && i < labels->count; ++i)
        ranked[i].value = 0;
    qsort(ranked, (size_t)labels->count, sizeof *ranked, compare);
}

glnn_status glnn__labels_sort(glnn__labels *labels, int *classes, size_t count)
{
    ranked_name *ranked = calloc((size_t)labels->count + 1, sizeof *ranked);
    int *place = calloc((size_t)labels->count + 1, sizeof *place);
    bool memory = ranked && place;
    if (memory) {
        rank_names(labels, ranked);
        for (int i = 0; i < labels->count; ++i) {
            labels->names[i] = ranked[i].name;
            place[ranked[i].index] = i;
        }
        for (size_t i = 0; i < count; ++i)
            classes[i] = place[classes[i]];
    }
    free(ranked);
    free(place);
    if (!memory)
        return glnn__fail(GLNN_E_NOMEM, "no memory to sort %d classes", labels->count);
    return GLNN_OK;
}

void glnn__labels_take(glnn__labels *labels, int *count, char ***names)
{
    *count = labels->count;
    *names = labels->names;
    labels->count = 0;
    labels->names = NULL;
}

void glnn__labels_free(glnn__labels *labels)
{
    glnn__names_free(labels->names, labels->count);
    free(labels->slots);
    *labels = (glnn__labels){0};
}
