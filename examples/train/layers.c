#include "layers.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"

/* The numbers that a layer can have. */
typedef enum number {
    UNITS,
    KERNEL,
    STRIDE,
    PADDING,
    DILATION,
    GROUPS,
    SKIP,
    FIRST,
    SIZE,
    SHAPE,
    WINDOW,
    SAMPLE_RATE,
    INPUTS,
    RATE,
    ALPHA,
    BETA,
    K,
    ALL_STATES, /* a word without a number */
    NUMBERS
} number;

static const char *const number_names[NUMBERS] = {[UNITS] = "units",
                                                  [KERNEL] = "kernel",
                                                  [STRIDE] = "stride",
                                                  [PADDING] = "padding",
                                                  [DILATION] = "dilation",
                                                  [GROUPS] = "groups",
                                                  [SKIP] = "skip",
                                                  [FIRST] = "first",
                                                  [SIZE] = "size",
                                                  [SHAPE] = "shape",
                                                  [SAMPLE_RATE] = "sample_rate",
                                                  [INPUTS] = "inputs",
                                                  [RATE] = "rate",
                                                  [ALPHA] = "alpha",
                                                  [BETA] = "beta",
                                                  [K] = "k",
                                                  [WINDOW] = "window",
                                                  [ALL_STATES] = "all_states"};

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
    [GLNN_LAYER_ADD] = {1, {INPUTS}},
    [GLNN_LAYER_MULTIPLY] = {1, {INPUTS}},
    [GLNN_LAYER_CONCATENATE] = {1, {INPUTS}},
    [GLNN_LAYER_UPSAMPLE] = {1, {STRIDE}},
    [GLNN_LAYER_TRANSPOSED_CONVOLUTION] = {2, {UNITS, KERNEL}},
    [GLNN_LAYER_SLICE] = {2, {UNITS, FIRST}},
    [GLNN_LAYER_UNFLATTEN] = {1, {SHAPE}},
    [GLNN_LAYER_RECURRENT] = {1, {UNITS}},
    [GLNN_LAYER_GRU] = {1, {UNITS}},
    [GLNN_LAYER_SPECTROGRAM] = {2, {UNITS, KERNEL}},
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

/* Names to choose from, and what each stands for. */
typedef struct choice {
    int count;
    const char *names[NUMBERS + GLNN_ACTIVATION_COUNT + GLNN_LAYER_COUNT];
    int values[NUMBERS + GLNN_ACTIVATION_COUNT + GLNN_LAYER_COUNT];
} choice;

static void add_name(choice *to, const char *name, int value)
{
    to->names[to->count] = name;
    to->values[to->count++] = value;
}

static bool begins_with(const char *name, const char *word)
{
    return strncmp(name, word, strlen(word)) == 0;
}

enum { NOT_FOUND = -1, AMBIGUOUS = -2 };

/* The value of the name that is the word, or is the only one to begin with it. */
static int find_name(const choice *among, const char *word)
{
    int found = NOT_FOUND;
    for (int i = 0; i < among->count; ++i) {
        if (strcmp(among->names[i], word) == 0)
            return among->values[i];
        if (begins_with(among->names[i], word))
            found = found == NOT_FOUND ? among->values[i] : AMBIGUOUS;
    }
    return found;
}

/* "a, b or c", of the names that begin with the word; "" begins each. */
static void list_names(const choice *among, const char *word, char *text, size_t size)
{
    int left = 0;
    size_t used = 0;
    for (int i = 0; i < among->count; ++i)
        left += begins_with(among->names[i], word);
    for (int i = 0; i < among->count && used < size; ++i)
        if (begins_with(among->names[i], word))
            used += (size_t)snprintf(text + used, size - used, "%s%s", among->names[i],
                                     --left == 0 ? ""
                                     : left == 1 ? " or "
                                                 : ", ");
}

/* Refuses a word that is none of the names, or begins several. */
static bool refuse_word(const words *from, const choice *among, const char *word, const char *none)
{
    char names[256] = "";
    const bool begins = find_name(among, word) == AMBIGUOUS;
    list_names(among, begins ? word : "", names, sizeof names);
    return refuse("layer '%s': '%s' %s; choose %s", from->layer, word,
                  begins ? "begins several names" : none, names);
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
static bool read_size(const char *text, int least, glnn_size *out)
{
    if (!read_integer(&text, &out->height))
        return false;
    out->width = out->height;
    if (*text == 'x' && (++text, !read_integer(&text, &out->width)))
        return false;
    return *text == '\0' && out->height >= least && out->width >= least;
}

static bool read_float(const char *text, float *out)
{
    char *end;
    *out = strtof(text, &end);
    return end != text && *end == '\0';
}

static bool read_count(const char *text, int *out)
{
    return read_integer(&text, out) && *out > 0 && *text == '\0';
}

static bool has_inputs(glnn_layer_kind kind)
{
    return kind == GLNN_LAYER_ADD || kind == GLNN_LAYER_MULTIPLY || kind == GLNN_LAYER_CONCATENATE;
}

static bool is_recurrent(glnn_layer_kind kind)
{
    return kind == GLNN_LAYER_RECURRENT || kind == GLNN_LAYER_GRU;
}

/* "3" or "1+3+4": layers counted back. */
static bool read_inputs(const char *text, glnn_layer_desc *of)
{
    const int least = has_inputs(of->kind) ? 2 : 1;
    const int most = has_inputs(of->kind) ? GLNN_LAYER_MAX_INPUTS : is_recurrent(of->kind) ? 2 : 1;
    for (int i = 0; i < most; ++i) {
        if (!read_integer(&text, &of->inputs[i]) || of->inputs[i] == 0)
            return false;
        if (*text == '\0')
            return i + 1 >= least;
        if (*text++ != '+')
            return false;
    }
    return false;
}

/* "3x28x28": channels, height and width. */
static bool read_shape(const char *text, glnn_shape *out)
{
    return read_integer(&text, &out->channels) && *text == 'x' && out->channels > 0 &&
           (++text, read_integer(&text, &out->height)) && *text == 'x' && out->height > 0 &&
           (++text, read_count(text, &out->width));
}

static bool read_value(number of, const char *text, glnn_layer_desc *out)
{
    switch (of) {
    case UNITS:
        return read_count(text, &out->units);
    case KERNEL:
        return read_size(text, 1, &out->kernel);
    case STRIDE:
        return read_size(text, 1, &out->stride);
    case PADDING:
        return read_size(text, 0, &out->padding);
    case DILATION:
        return read_size(text, 1, &out->dilation);
    case GROUPS:
        return read_count(text, &out->groups);
    case SKIP:
        return read_count(text, &out->skip);
    case FIRST:
        return read_integer(&text, &out->first) && *text == '\0';
    case SHAPE:
        return read_shape(text, &out->shape);
    case INPUTS:
        return read_inputs(text, out);
    case SIZE:
        return read_count(text, &out->size);
    case WINDOW:
        return read_count(text, &out->window);
    case SAMPLE_RATE:
        return read_count(text, &out->sample_rate);
    case ALPHA:
        return read_float(text, &out->alpha);
    case BETA:
        return read_float(text, &out->beta);
    case K:
        return read_float(text, &out->k);
    default:
        return read_float(text, &out->rate);
    }
}

/* The name of a number, as --help has it for this kind. */
static const char *name_of(number of, glnn_layer_kind kind)
{
    const bool has_bands = kind == GLNN_LAYER_SPECTROGRAM;
    const bool has_channels = kind == GLNN_LAYER_CONVOLUTION ||
                              kind == GLNN_LAYER_TRANSPOSED_CONVOLUTION || kind == GLNN_LAYER_SLICE;
    return of == UNITS && has_bands      ? "bands"
           : of == UNITS && has_channels ? "channels"
                                         : number_names[of];
}

/* The values that a number can have, for failures. */
static const char *wanted_of(number of, glnn_layer_kind kind)
{
    if (of == INPUTS)
        return has_inputs(kind)     ? "two to four layers counted back, such as 1+3"
               : is_recurrent(kind) ? "one or two layers counted back, such as 1+3"
                                    : "a layer counted back, such as 2";
    return of >= RATE                      ? "a number"
           : of == SHAPE                   ? "CHANNELSxHEIGHTxWIDTH"
           : of == FIRST                   ? "an integer from 0 on"
           : of == PADDING                 ? "a number or HEIGHTxWIDTH"
           : of <= DILATION && of != UNITS ? "a number or HEIGHTxWIDTH, from 1 on"
                                           : "an integer from 1 to 2147483647";
}

static bool take_number(words *from, number of, glnn_layer_desc *out)
{
    const char *word = take_word(from);
    if (word && read_value(of, word, out))
        return true;
    return refuse("layer '%s': %s has to be %s%s%s%s", from->layer, name_of(of, out->kind),
                  wanted_of(of, out->kind), word ? ", not '" : "", word ? word : "",
                  word ? "'" : "");
}

static bool take_kind(words *from, glnn_layer_desc *out)
{
    choice kinds = {0};
    const char *word = take_word(from);
    if (word == NULL)
        return refuse("a layer is empty; commas separate layers");
    for (int i = 0; i < GLNN_LAYER_COUNT; ++i)
        if (i != GLNN_LAYER_FUNCTION) /* a kernel, for which an option has no words */
            add_name(&kinds, glnn_layer_kind_name((glnn_layer_kind)i), i);
    const int kind = find_name(&kinds, word);
    out->kind = (glnn_layer_kind)kind;
    return kind >= 0 || refuse_word(from, &kinds, word, "is not a kind of layer");
}

static bool has_activation(glnn_layer_kind kind)
{
    return kind == GLNN_LAYER_DENSE || kind == GLNN_LAYER_CONVOLUTION ||
           kind == GLNN_LAYER_BATCH_NORM || kind == GLNN_LAYER_RESIDUAL ||
           kind == GLNN_LAYER_LAYER_NORM || kind == GLNN_LAYER_TRANSPOSED_CONVOLUTION ||
           kind == GLNN_LAYER_ADD || kind == GLNN_LAYER_MULTIPLY;
}

/* The words that may follow the numbers of a kind: names of further numbers, and activations, whose
 * values begin at NUMBERS. */
static choice options_of(glnn_layer_kind kind)
{
    const bool is_convolution =
        kind == GLNN_LAYER_CONVOLUTION || kind == GLNN_LAYER_TRANSPOSED_CONVOLUTION;
    const bool has_window =
        is_convolution || kind == GLNN_LAYER_MAX_POOL || kind == GLNN_LAYER_AVERAGE_POOL;
    choice of = {0};
    for (int i = STRIDE; has_window && i <= PADDING; ++i)
        add_name(&of, number_names[i], i);
    if (is_convolution)
        add_name(&of, number_names[DILATION], DILATION);
    if (kind == GLNN_LAYER_CONVOLUTION)
        add_name(&of, number_names[GROUPS], GROUPS);
    if (has_window || is_recurrent(kind) || kind == GLNN_LAYER_DENSE || kind == GLNN_LAYER_SLICE ||
        kind == GLNN_LAYER_UNFLATTEN)
        add_name(&of, number_names[INPUTS], INPUTS);
    if (kind == GLNN_LAYER_LOCAL_RESPONSE_NORM)
        add_name(&of, number_names[SIZE], SIZE);
    if (is_recurrent(kind)) {
        add_name(&of, number_names[WINDOW], WINDOW);
        add_name(&of, number_names[ALL_STATES], ALL_STATES);
    }
    if (kind == GLNN_LAYER_SPECTROGRAM) {
        add_name(&of, number_names[STRIDE], STRIDE);
        add_name(&of, number_names[SAMPLE_RATE], SAMPLE_RATE);
    }
    for (int i = ALPHA; kind == GLNN_LAYER_LOCAL_RESPONSE_NORM && i <= K; ++i)
        add_name(&of, number_names[i], i);
    for (int i = GLNN_ACTIVATION_DEFAULT + 1; has_activation(kind) && i < GLNN_ACTIVATION_COUNT;
         ++i)
        add_name(&of, glnn_activation_name((glnn_activation)i), NUMBERS + i);
    return of;
}

static bool take_option(words *from, const char *word, unsigned *given, glnn_layer_desc *out)
{
    const choice options = options_of(out->kind);
    const int found = find_name(&options, word);
    if (options.count == 0)
        return refuse("layer '%s': '%s' has no meaning there, as %s has no options", from->layer,
                      word, glnn_layer_kind_name(out->kind));
    if (found < 0)
        return refuse_word(from, &options, word, "has no meaning there");
    const unsigned bit = 1u << (found < NUMBERS ? found : NUMBERS);
    if (*given & bit)
        return refuse("layer '%s': it has two %s", from->layer,
                      found < NUMBERS ? "numbers of one name" : "activations");
    *given |= bit;
    if (found == ALL_STATES)
        return out->all_states = true;
    if (found < NUMBERS)
        return take_number(from, (number)found, out);
    out->activation = (glnn_activation)(found - NUMBERS);
    return true;
}

static bool parse_layer(words *from, glnn_activation activation, glnn_layer_desc *out)
{
    const char *word;
    unsigned given = 0;
    *out = (glnn_layer_desc){0};
    if (!take_kind(from, out))
        return false;
    for (int i = 0; i < needed[out->kind].count; ++i)
        if (!take_number(from, needed[out->kind].of[i], out))
            return false;
    while ((word = take_word(from)) != NULL)
        if (!take_option(from, word, &given, out))
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

/* Appends a text, as printf would print it. */
__attribute__((format(printf, 2, 3))) static void add(char text[LAYER_TEXT], const char *format,
                                                      ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, LAYER_TEXT - used, format, arguments);
    va_end(arguments);
}

/* " 1+3" of a kind with several inputs, or " inputs 2" where it is not the layer before. */
static void add_inputs(char text[LAYER_TEXT], const glnn_layer_desc *of)
{
    if (!has_inputs(of->kind) && of->inputs[0] <= 1)
        return;
    add(text, has_inputs(of->kind) ? " %d" : " inputs %d", of->inputs[0]);
    for (int i = 1; i < GLNN_LAYER_MAX_INPUTS && of->inputs[i] > 0; ++i)
        add(text, "+%d", of->inputs[i]);
}

/* " stride 2" or " stride 2x1", unless it is that of a layer without the words. */
static void add_size(char text[LAYER_TEXT], const char *name, glnn_size of, glnn_size unless)
{
    if (of.height == unless.height && of.width == unless.width)
        return;
    add(text, "%s %d", name, of.height);
    if (of.width != of.height)
        add(text, "x%d", of.width);
}

void layers_describe(const glnn_layer_desc *of, char text[LAYER_TEXT])
{
    const bool is_pool = of->kind == GLNN_LAYER_MAX_POOL || of->kind == GLNN_LAYER_AVERAGE_POOL;
    const bool is_sound = of->kind == GLNN_LAYER_SPECTROGRAM;
    const glnn_size none = {0, 0}, one = {1, 1};
    text[0] = '\0';
    add(text, "%s", glnn_layer_kind_name(of->kind));
    if (of->units > 0)
        add(text, " %d", of->units);
    add_size(text, "", of->kernel, none);
    if (of->kind == GLNN_LAYER_SLICE)
        add(text, " %d", of->first);
    if (of->kind == GLNN_LAYER_UNFLATTEN)
        add(text, " %dx%dx%d", of->shape.channels, of->shape.height, of->shape.width);
    if (of->rate > 0)
        add(text, " %g", (double)of->rate);
    if (of->skip > 0)
        add(text, " %d", of->skip);
    if (of->kind == GLNN_LAYER_UPSAMPLE)
        add_size(text, "", of->stride, none);
    else if (of->stride.height > 0)
        add_size(text, " stride", of->stride, is_pool ? of->kernel : is_sound ? none : one);
    add_size(text, " padding", of->padding, none);
    if (of->dilation.height > 0)
        add_size(text, " dilation", of->dilation, one);
    if (of->groups > 1)
        add(text, " groups %d", of->groups);
    add_inputs(text, of);
    if (of->kind == GLNN_LAYER_LOCAL_RESPONSE_NORM)
        add(text, " size %d alpha %g beta %g k %g", of->size, (double)of->alpha, (double)of->beta,
            (double)of->k);
    if (of->window > 0)
        add(text, " window %d", of->window);
    if (of->all_states)
        add(text, " all_states");
    if (of->sample_rate > 0)
        add(text, " sample_rate %d", of->sample_rate);
    if (has_activation(of->kind))
        add(text, " %s", glnn_activation_name(of->activation));
}

bool layers_need_images(const layer_list *list)
{
    for (int i = 0; i < list->count; ++i)
        if (list->layers[i].kernel.height > 0 || list->layers[i].stride.height > 0 ||
            list->layers[i].kind == GLNN_LAYER_RECURRENT || list->layers[i].kind == GLNN_LAYER_GRU)
            return true;
    return false;
}
