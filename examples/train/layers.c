#include "layers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"

enum { LAYER_TEXT = 128 };

/* The numbers that a layer can have. */
typedef enum number { UNITS, KERNEL, STRIDE, PADDING, GROUPS, SKIP, RATE, NUMBERS } number;

static const char *const number_names[NUMBERS] = {
    [UNITS] = "units",   [KERNEL] = "kernel", [STRIDE] = "stride", [PADDING] = "padding",
    [GROUPS] = "groups", [SKIP] = "skip",     [RATE] = "rate"};

/* The numbers that follow the name of a kind. */
static const struct {
    int count;
    number of[2];
} needed[GLNN_LAYER_COUNT] = {
    [GLNN_LAYER_DENSE] = {1, {UNITS}},
    [GLNN_LAYER_DROPOUT] = {1, {RATE}},
    [GLNN_LAYER_CONVOLUTION] = {2, {UNITS, KERNEL}},
    [GLNN_LAYER_MAX_POOL] = {1, {KERNEL}},
    [GLNN_LAYER_AVERAGE_POOL] = {1, {KERNEL}},
    [GLNN_LAYER_RESIDUAL] = {1, {SKIP}},
};

/* The words of one layer. */
typedef struct words {
    char layer[LAYER_TEXT]; /* all of them, for failures */
    char text[LAYER_TEXT];
    char *next;
} words;

static const char *take_word(words *from)
{
    while (*from->next == ' ')
        ++from->next;
    char *word = from->next;
    from->next += strcspn(word, " ");
    if (*from->next)
        *from->next++ = '\0';
    return *word ? word : NULL;
}

/* The number of the name that is the word, or is the only one to begin with it; -1: none; -2:
 * several. */
static int find_name(const char *word, const char *(*name_of)(int), int first, int count)
{
    int found = -1;
    for (int i = first; i < count; ++i) {
        if (strcmp(name_of(i), word) == 0)
            return i;
        if (strncmp(name_of(i), word, strlen(word)) == 0)
            found = found == -1 ? i : -2;
    }
    return found;
}

static void list_names(const char *(*name_of)(int), int first, int count, char *text, size_t size)
{
    size_t used = 0;
    for (int i = first; i < count && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == first       ? ""
                                 : i + 1 == count ? " or "
                                                  : ", ",
                                 name_of(i));
}

static const char *kind_name(int kind)
{
    return glnn_layer_kind_name((glnn_layer_kind)kind);
}

/* The names of numbers, and after them those of activations. */
static const char *word_name(int word)
{
    return word < NUMBERS ? number_names[word]
                          : glnn_activation_name((glnn_activation)(word - NUMBERS + 1));
}

static bool read_integer(const char **text, int *out)
{
    char *end;
    const long value = strtol(*text, &end, 10);
    const bool done = end != *text && **text >= '0' && **text <= '9' && value <= INT_MAX;
    *out = (int)value;
    *text = end;
    return done;
}

/* "5" or "5x3" */
static bool read_size(const char *text, glnn_size *out)
{
    if (!read_integer(&text, &out->height))
        return false;
    out->width = out->height;
    if (*text == 'x' && (++text, !read_integer(&text, &out->width)))
        return false;
    return *text == '\0';
}

static bool read_rate(const char *text, float *out)
{
    char *end;
    *out = strtof(text, &end);
    return end != text && *end == '\0';
}

static bool read_count(const char *text, int *out)
{
    return read_integer(&text, out) && *text == '\0';
}

static bool read_value(number of, const char *text, glnn_layer_desc *out)
{
    switch (of) {
    case UNITS:
        return read_count(text, &out->units);
    case KERNEL:
        return read_size(text, &out->kernel);
    case STRIDE:
        return read_size(text, &out->stride);
    case PADDING:
        return read_size(text, &out->padding);
    case GROUPS:
        return read_count(text, &out->groups);
    case SKIP:
        return read_count(text, &out->skip);
    default:
        return read_rate(text, &out->rate);
    }
}

static bool take_number(words *from, number of, glnn_layer_desc *out)
{
    const char *word = take_word(from);
    if (word && read_value(of, word, out))
        return true;
    return refuse("layer '%s': %s has to be %s%s%s%s", from->layer, number_names[of],
                  of == RATE                                      ? "a number"
                  : of == KERNEL || of == STRIDE || of == PADDING ? "a number or HEIGHTxWIDTH"
                                                                  : "an integer",
                  word ? ", not '" : "", word ? word : "", word ? "'" : "");
}

static bool take_kind(words *from, glnn_layer_desc *out)
{
    char names[256];
    const char *word = take_word(from);
    if (word == NULL)
        return refuse("a layer is empty; commas separate layers");
    const int kind = find_name(word, kind_name, 0, GLNN_LAYER_COUNT);
    list_names(kind_name, 0, GLNN_LAYER_COUNT, names, sizeof names);
    if (kind < 0)
        return refuse("layer '%s': '%s' %s; choose %s", from->layer, word,
                      kind == -1 ? "is not a kind of layer" : "begins several names", names);
    out->kind = (glnn_layer_kind)kind;
    return true;
}

/* The words that may follow the kind: numbers that it does not need, and activations. */
static bool take_option(words *from, const char *word, glnn_layer_desc *out)
{
    enum { WORDS = NUMBERS + GLNN_ACTIVATION_COUNT - 1 };
    char names[256];
    const int found = find_name(word, word_name, 0, WORDS);
    if (found >= NUMBERS)
        out->activation = (glnn_activation)(found - NUMBERS + 1);
    if (found >= 0)
        return found >= NUMBERS || take_number(from, (number)found, out);
    list_names(word_name, STRIDE, WORDS, names, sizeof names);
    return refuse("layer '%s': '%s' %s; choose %s", from->layer, word,
                  found == -1 ? "has no meaning there" : "begins several names", names);
}

static bool has_activation(glnn_layer_kind kind)
{
    return kind == GLNN_LAYER_DENSE || kind == GLNN_LAYER_CONVOLUTION ||
           kind == GLNN_LAYER_BATCH_NORM || kind == GLNN_LAYER_RESIDUAL;
}

static bool parse_layer(words *from, glnn_activation activation, glnn_layer_desc *out)
{
    const char *word;
    *out = (glnn_layer_desc){0};
    if (!take_kind(from, out))
        return false;
    for (int i = 0; i < needed[out->kind].count; ++i)
        if (!take_number(from, needed[out->kind].of[i], out))
            return false;
    while ((word = take_word(from)) != NULL)
        if (!take_option(from, word, out))
            return false;
    if (has_activation(out->kind) && out->activation == GLNN_ACTIVATION_DEFAULT)
        out->activation = activation;
    return true;
}

bool layers_parse(const char *text, glnn_activation activation, layer_list *out)
{
    for (out->count = 0;; ++out->count) {
        const int length = (int)strcspn(text, ",");
        words from;
        if (out->count == GLNN_NETWORK_MAX_LAYERS - 1)
            return refuse("%d layers are possible before the last one",
                          GLNN_NETWORK_MAX_LAYERS - 1);
        if (length >= LAYER_TEXT)
            return refuse("layer '%.20s...' is longer than %d bytes", text, LAYER_TEXT - 1);
        const int blanks = (int)strspn(text, " ");
        snprintf(from.text, sizeof from.text, "%.*s", length, text);
        snprintf(from.layer, sizeof from.layer, "%s", from.text + (blanks < length ? blanks : 0));
        from.next = from.text;
        if (!parse_layer(&from, activation, &out->layers[out->count]))
            return false;
        text += length;
        if (*text == '\0')
            return ++out->count, true;
        ++text;
    }
}
