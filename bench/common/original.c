#include "common/original.h"

#include <stdio.h>
#include <string.h>

#include "common/arrays.h"
#include "common/published_programs.h"
#include "common/texture.h"
#include "gl/fences.h"

/* Columns of a partial product, and partial products of a sum. */
enum { COLUMNS = 12, SUMMANDS = 8 };

typedef enum operation {
    PRODUCTS,
    SUMS,
    SIGMOID,
    OUTPUT_DELTA,
    HIDDEN_DELTA,
    OUTER,
    TRANSPOSE,
    UPDATE,
    OPERATIONS
} operation;

static const char *const names[OPERATIONS] = {
    [PRODUCTS] = "PRODUCTS",         [SUMS] = "SUMS",
    [SIGMOID] = "SIGMOID",           [OUTPUT_DELTA] = "OUTPUT_DELTA",
    [HIDDEN_DELTA] = "HIDDEN_DELTA", [OUTER] = "OUTER",
    [TRANSPOSE] = "TRANSPOSE",       [UPDATE] = "UPDATE",
};

/* The uniforms of rectangles.glsl and original.frag. */
enum { UNIFORM_TO, UNIFORM_FROM, UNIFORM_PARAMETER = 4 };

/* Passes read and write these places. The rows of weights and gradients are units, so that the
 * partial products of a unit lie in a row. */
typedef enum place {
    WEIGHTS_1,
    WEIGHTS_2,
    TRANSPOSED, /* WEIGHTS_2 without the thresholds */
    GRADIENT_1,
    GRADIENT_2,
    PARTS,
    HIDDEN,
    OUTPUTS,
    DELTA_1,
    DELTA_2,
    RECTANGLES,          /* the places before this one are rectangles of the work textures */
    INPUTS = RECTANGLES, /* of the pattern that is the present one */
    TARGETS,
} place;

typedef struct rectangle {
    int y, width, height;
    unsigned latest; /* a bit for each work texture that has the latest contents */
} rectangle;

struct original {
    glnn_context *ctx;
    net_case of;
    int passes;  /* of the latest step */
    int pattern; /* the present one */
    rectangle rectangles[RECTANGLES];
    GLuint programs[OPERATIONS], vertex_array;
    GLuint work[2], framebuffers[2];
    GLuint patterns; /* a column for each: the inputs, a 1, the targets */
};

/* ---- Textures */

static int parts_of(int count, int size)
{
    return (count + size - 1) / size;
}

/* Rectangles lie one above another. */
static void make_work(original *o)
{
    const int inputs = o->of.inputs + 1, units = o->of.hidden, outputs = o->of.outputs;
    const int widest = inputs > units + 1 ? inputs : units + 1;
    const int longest = units > outputs ? units : outputs;
    const int sizes[RECTANGLES][2] = {
        [WEIGHTS_1] = {inputs, units},
        [GRADIENT_1] = {inputs, units},
        [WEIGHTS_2] = {units + 1, outputs},
        [GRADIENT_2] = {units + 1, outputs},
        [TRANSPOSED] = {outputs, units},
        [PARTS] = {parts_of(widest, COLUMNS), longest},
        [HIDDEN] = {1, units + 1},
        [OUTPUTS] = {1, outputs},
        [DELTA_1] = {1, units},
        [DELTA_2] = {1, outputs},
    };
    int width = widest > outputs ? widest : outputs, height = 0;
    for (int i = 0; i < RECTANGLES; ++i) {
        o->rectangles[i] = (rectangle){height, sizes[i][0], sizes[i][1], 3};
        height += sizes[i][1];
    }
    glGenFramebuffers(2, o->framebuffers);
    for (int i = 0; i < 2; ++i) {
        o->work[i] = texture_new(GL_R32F, width, height);
        glBindFramebuffer(GL_FRAMEBUFFER, o->framebuffers[i]);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, o->work[i], 0);
        glClearBufferfv(GL_COLOR, 0, (const float[]){0, 0, 0, 0});
    }
}

static void upload(const original *o, place to, const float *values)
{
    const rectangle *r = &o->rectangles[to];
    for (int i = 0; i < 2; ++i) {
        glBindTexture(GL_TEXTURE_2D, o->work[i]);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, r->y, r->width, r->height, GL_RED, GL_FLOAT, values);
    }
}

static void transpose(const float *values, int rows, int columns, float *out)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            out[j * rows + i] = values[i * columns + j];
}

static void upload_layer(const original *o, place to, const float *weights)
{
    const rectangle *r = &o->rectangles[to];
    float *rows = allocate((size_t)r->width * (size_t)r->height, sizeof *rows);
    transpose(weights, r->width, r->height, rows);
    upload(o, to, rows);
    free(rows);
}

static void upload_values(const original *o)
{
    const int units = o->of.hidden;
    const net_weights w = net_weights_new(&o->of);
    float *hidden = allocate((size_t)units + 1, sizeof *hidden);
    memset(hidden, 0, (size_t)units * sizeof *hidden);
    hidden[units] = 1;
    upload_layer(o, WEIGHTS_1, w.layer[0]);
    upload_layer(o, WEIGHTS_2, w.layer[1]);
    upload(o, HIDDEN, hidden);
    free(hidden);
    net_weights_free(&w);
}

static void make_patterns(original *o, const net_data *data)
{
    const int batch = o->of.batch, inputs = o->of.inputs, outputs = o->of.outputs;
    const int height = inputs + 1 + outputs;
    float *values = allocate((size_t)batch * (size_t)height, sizeof *values);
    float *ones = values + batch * inputs;
    transpose(data->inputs, batch, inputs, values);
    for (int i = 0; i < batch; ++i)
        ones[i] = 1;
    transpose(data->targets, batch, outputs, ones + batch);
    o->patterns = texture_new(GL_R32F, batch, height);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, batch, height, GL_RED, GL_FLOAT, values);
    free(values);
}

static void make_programs(original *o)
{
    for (int i = 0; i < OPERATIONS; ++i) {
        char defines[96];
        snprintf(defines, sizeof defines, "#define %s\n#define COLUMNS %d\n#define SUMMANDS %d\n",
                 names[i], COLUMNS, SUMMANDS);
        o->programs[i] = published_program_new(defines, "rectangles.glsl", "original.frag");
    }
    glGenVertexArrays(1, &o->vertex_array);
}

original *original_new(glnn_context *ctx, const net_case *of, const net_data *data)
{
    original *o = allocate(1, sizeof *o);
    *o = (original){.ctx = ctx, .of = *of};
    published_enter(ctx);
    make_programs(o);
    make_work(o);
    upload_values(o);
    make_patterns(o, data);
    published_leave(ctx);
    return o;
}

void original_free(original *o)
{
    published_enter(o->ctx);
    for (int i = 0; i < OPERATIONS; ++i)
        glDeleteProgram(o->programs[i]);
    glDeleteVertexArrays(1, &o->vertex_array);
    glDeleteFramebuffers(2, o->framebuffers);
    glDeleteTextures(2, o->work);
    glDeleteTextures(1, &o->patterns);
    published_leave(o->ctx);
    free(o);
}

/* ---- Passes */

/* The work texture that has the latest contents. */
static int side_of(const rectangle *r)
{
    return r->latest & 1u ? 0 : 1;
}

static void copy_to(original *o, int side, rectangle *r)
{
    if (r->latest >> side & 1u)
        return;
    glnn__fences_before_draw(o->ctx);
    glCopyImageSubData(o->work[!side], GL_TEXTURE_2D, 0, 0, r->y, 0, o->work[side], GL_TEXTURE_2D,
                       0, 0, r->y, 0, r->width, r->height, 1);
    r->latest = 3;
}

/* Lets the pass read a place through this texture unit. */
static void read_from(original *o, int unit, place at, int side)
{
    GLint corner[] = {0, 0};
    GLuint texture = o->patterns;
    if (at < RECTANGLES) {
        copy_to(o, side, &o->rectangles[at]);
        texture = o->work[side];
        corner[1] = o->rectangles[at].y;
    } else {
        corner[0] = o->pattern;
        corner[1] = at == TARGETS ? o->of.inputs + 1 : 0;
    }
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glUniform2iv(UNIFORM_FROM + unit, 1, corner);
}

/* One pass, which writes width x height texels of a place. The first one that it reads is a
 * rectangle, and the largest, because that one is not copied. */
static void draw(original *o, operation what, place at, int width, int height, float parameter,
                 int count, const place reads[])
{
    rectangle *to = &o->rectangles[at];
    const int side = side_of(&o->rectangles[reads[0]]);
    glUseProgram(o->programs[what]);
    for (int i = 0; i < count; ++i)
        read_from(o, i, reads[i], side);
    glUniform2i(UNIFORM_TO, 0, to->y);
    glUniform1f(UNIFORM_PARAMETER, parameter);
    glViewport(0, to->y, width, height);
    glnn__fences_before_draw(o->ctx);
    glBindFramebuffer(GL_FRAMEBUFFER, o->framebuffers[!side]);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    to->latest = 1u << !side;
    ++o->passes;
}

/* The operation, the place that it writes, width, height, the parameter; then what it reads. */
#define DRAW(o, what, to, width, height, parameter, ...)                                           \
    draw(o, what, to, width, height, parameter, sizeof((place[]){__VA_ARGS__}) / sizeof(place),    \
         (const place[]){__VA_ARGS__})

/* Leaves the product of a matrix and a vector in the first column of PARTS. */
static void multiply(original *o, place matrix, int rows, int columns, place vector)
{
    int parts = parts_of(columns, COLUMNS);
    DRAW(o, PRODUCTS, PARTS, parts, rows, (float)columns, matrix, vector);
    while (parts > 1) {
        const int sums = parts_of(parts, SUMMANDS);
        DRAW(o, SUMS, PARTS, sums, rows, (float)parts, PARTS);
        parts = sums;
    }
}

static void learn_pattern(original *o)
{
    const int inputs = o->of.inputs + 1, units = o->of.hidden, outputs = o->of.outputs;
    const float former = o->pattern > 0 ? 1 : 0;
    multiply(o, WEIGHTS_1, units, inputs, INPUTS);
    DRAW(o, SIGMOID, HIDDEN, 1, units, 0, PARTS);
    multiply(o, WEIGHTS_2, outputs, units + 1, HIDDEN);
    DRAW(o, SIGMOID, OUTPUTS, 1, outputs, 0, PARTS);
    DRAW(o, OUTPUT_DELTA, DELTA_2, 1, outputs, 0, OUTPUTS, TARGETS);
    multiply(o, TRANSPOSED, units, outputs, DELTA_2);
    DRAW(o, HIDDEN_DELTA, DELTA_1, 1, units, 0, PARTS, HIDDEN);
    DRAW(o, OUTER, GRADIENT_2, units + 1, outputs, former, GRADIENT_2, DELTA_2, HIDDEN);
    DRAW(o, OUTER, GRADIENT_1, inputs, units, former, GRADIENT_1, DELTA_1, INPUTS);
}

void original_step(original *o)
{
    const int inputs = o->of.inputs + 1, units = o->of.hidden, outputs = o->of.outputs;
    const float factor = -NET_RATE / (float)o->of.batch;
    published_enter(o->ctx);
    glBindVertexArray(o->vertex_array);
    o->passes = 0;
    DRAW(o, TRANSPOSE, TRANSPOSED, outputs, units, 0, WEIGHTS_2);
    for (o->pattern = 0; o->pattern < o->of.batch; ++o->pattern)
        learn_pattern(o);
    DRAW(o, UPDATE, WEIGHTS_2, units + 1, outputs, factor, WEIGHTS_2, GRADIENT_2);
    DRAW(o, UPDATE, WEIGHTS_1, inputs, units, factor, WEIGHTS_1, GRADIENT_1);
    published_leave(o->ctx);
}

static void download(original *o, place from, float *out)
{
    const rectangle *r = &o->rectangles[from];
    float *values = allocate((size_t)r->width * (size_t)r->height, sizeof *values);
    glBindFramebuffer(GL_FRAMEBUFFER, o->framebuffers[side_of(r)]);
    glReadPixels(0, r->y, r->width, r->height, GL_RED, GL_FLOAT, values);
    transpose(values, r->height, r->width, out);
    free(values);
}

void original_weights(original *o, net_weights *out)
{
    published_enter(o->ctx);
    download(o, WEIGHTS_1, out->layer[0]);
    download(o, WEIGHTS_2, out->layer[1]);
    published_leave(o->ctx);
}

/* ---- The count of passes */

int original_passes(const original *o)
{
    return o->passes;
}

/* ceil(log_8(ceil(columns / 12))), without rounding: the least n with 12 * 8^n >= columns. */
static int sums_of(int columns)
{
    int sums = 0;
    for (long reach = COLUMNS; reach < columns; reach *= SUMMANDS)
        ++sums;
    return sums;
}

int original_formula(const net_case *of)
{
    const int sums = sums_of(of->inputs + 1) + sums_of(of->hidden + 1) + sums_of(of->outputs);
    return of->batch * (9 + sums) + 3;
}
