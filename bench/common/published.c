#include "common/published.h"

#include "common/arrays.h"
#include "common/check.h"
#include "common/failure.h"
#include "common/published_programs.h"
#include "common/texture.h"
#include "gl/fences.h"

/* Patterns of a texel, packed. */
enum { GROUP = 4 };

/* The textures. Inputs and hidden units have the constant 1 as one unit more, and the weights of
 * that unit are the thresholds. */
typedef enum place {
    SUMS_1,
    SUMS_2,
    HIDDEN_DELTA,
    GRADIENT_1,
    GRADIENT_2,
    WEIGHTS_1,
    WEIGHTS_2,
    SPARED, /* places before this one have a spare texture, to be written while they are read */
    INPUTS = SPARED,
    TARGETS,
    HIDDEN,
    OUTPUTS,
    PLACES
} place;

/* The texture unit of the sum that a pass adds to. */
enum { SUM_UNIT = 4 };

typedef struct texture {
    GLuint name, framebuffer;
    int width, height;
} texture;

struct published {
    const published_programs *programs;
    net_case of;
    int limit;  /* of the rows and columns of a texture */
    int rows;   /* texels of a unit */
    int passes; /* of the latest step */
    texture textures[PLACES], spares[SPARED];
};

/* ---- Textures */

static texture target_new(int width, int height, bool is_packed)
{
    texture t = {.width = width, .height = height};
    t.name = texture_new(is_packed ? GL_RGBA32F : GL_R32F, width, height);
    glGenFramebuffers(1, &t.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, t.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t.name, 0);
    glClearBufferfv(GL_COLOR, 0, (const float[]){0, 0, 0, 0});
    return t;
}

static void target_delete(const texture *t)
{
    glDeleteFramebuffers(1, &t->framebuffer);
    glDeleteTextures(1, &t->name);
}

static void upload(const texture *t, GLenum format, const float *values)
{
    glBindTexture(GL_TEXTURE_2D, t->name);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, t->width, t->height, format, GL_FLOAT, values);
}

/* Writes units of all patterns, from values that are patterns x units, with a unit more that is 1
 * where the texture has room for one. `values` may be null: then that unit alone is not 0. */
static void upload_patterns(const published *p, place to, const float *values, int units)
{
    const texture *t = &p->textures[to];
    const int width = t->width, group = p->programs->is_packed ? GROUP : 1;
    float *texels = allocate((size_t)width * (size_t)t->height * (size_t)group, sizeof *texels);
    for (int i = 0; i < p->of.batch; ++i)
        for (int u = 0; u < width; ++u) {
            const size_t texel = (size_t)(i / group) * (size_t)width + (size_t)u;
            const float value = u == units ? 1.0f
                                : values   ? values[(size_t)i * (size_t)units + (size_t)u]
                                           : 0.0f;
            texels[texel * (size_t)group + (size_t)(i % group)] = value;
        }
    upload(t, p->programs->is_packed ? GL_RGBA : GL_RED, texels);
    free(texels);
}

static void make_textures(published *p)
{
    const net_case *of = &p->of;
    const int inputs = of->inputs + 1, units = of->hidden, outputs = of->outputs;
    const struct {
        int width;
        int height; /* 0: a row for each texel of a unit */
    } sizes[PLACES] = {
        [INPUTS] = {inputs, 0},
        [TARGETS] = {outputs, 0},
        [SUMS_1] = {units, 0},
        [HIDDEN] = {units + 1, 0},
        [SUMS_2] = {outputs, 0},
        [OUTPUTS] = {outputs, 0},
        [HIDDEN_DELTA] = {units, 0},
        [GRADIENT_1] = {units, inputs},
        [GRADIENT_2] = {outputs, units + 1},
        [WEIGHTS_1] = {units, inputs},
        [WEIGHTS_2] = {outputs, units + 1},
    };
    for (int i = 0; i < PLACES; ++i) {
        const bool has_patterns = sizes[i].height == 0;
        const int height = has_patterns ? p->rows : sizes[i].height;
        const bool is_packed = has_patterns && p->programs->is_packed;
        REQUIRE((sizes[i].width <= p->limit && height <= p->limit) ||
                refuse("a texture of %d x %d texels is larger than the limit of %d", height,
                       sizes[i].width, p->limit));
        p->textures[i] = target_new(sizes[i].width, height, is_packed);
        if (i < SPARED)
            p->spares[i] = target_new(sizes[i].width, height, is_packed);
    }
}

static void upload_values(published *p, const net_data *data)
{
    net_weights w = net_weights_new(&p->of);
    upload_patterns(p, INPUTS, data->inputs, p->of.inputs);
    upload_patterns(p, TARGETS, data->targets, p->of.outputs);
    upload_patterns(p, HIDDEN, NULL, p->of.hidden);
    upload(&p->textures[WEIGHTS_1], GL_RED, w.layer[0]);
    upload(&p->textures[WEIGHTS_2], GL_RED, w.layer[1]);
    net_weights_free(&w);
}

published *published_new(const published_programs *programs, const net_case *of,
                         const net_data *data, int limit)
{
    published *p = allocate(1, sizeof *p);
    const int group = programs->is_packed ? GROUP : 1;
    *p = (published){
        .programs = programs, .of = *of, .limit = limit, .rows = (of->batch + group - 1) / group};
    published_enter(programs->ctx);
    make_textures(p);
    upload_values(p, data);
    published_leave(programs->ctx);
    return p;
}

void published_free(published *p)
{
    published_enter(p->programs->ctx);
    for (int i = 0; i < PLACES; ++i)
        target_delete(&p->textures[i]);
    for (int i = 0; i < SPARED; ++i)
        target_delete(&p->spares[i]);
    published_leave(p->programs->ctx);
    free(p);
}

void published_weights(published *p, net_weights *out)
{
    published_enter(p->programs->ctx);
    for (int l = 0; l < 2; ++l) {
        glBindTexture(GL_TEXTURE_2D, p->textures[WEIGHTS_1 + l].name);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, out->layer[l]);
    }
    published_leave(p->programs->ctx);
}

/* ---- Passes */

static void read_from(int unit, const texture *t)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, t->name);
}

/* The passes from here on use this program, read `reads` through texture units 0, 1, ... and write
 * an area as large as the texture at `size`. */
static void begin(const published *p, published_program program, place size, int count,
                  const place reads[])
{
    glUseProgram(p->programs->names[program]);
    glViewport(0, 0, p->textures[size].width, p->textures[size].height);
    for (int i = 0; i < count; ++i)
        read_from(i, &p->textures[reads[i]]);
}

#define BEGIN(p, program, size, ...)                                                               \
    begin(p, program, size, sizeof((place[]){__VA_ARGS__}) / sizeof(place),                        \
          (const place[]){__VA_ARGS__})

static void write_to(const published *p, const texture *t)
{
    glnn__fences_before_draw(p->programs->ctx);
    glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
}

/* One pass; pass.vert turns the first vertex into the number. */
static void draw(published *p, int number)
{
    glDrawArrays(GL_TRIANGLES, 3 * number, 3);
    ++p->passes;
}

/* One pass that reads what is at `at` and replaces it. */
static void draw_anew(published *p, place at, int number)
{
    const texture former = p->textures[at];
    write_to(p, &p->spares[at]);
    draw(p, number);
    p->textures[at] = p->spares[at];
    p->spares[at] = former;
}

static void blend_sum(published *p, place sum, int count)
{
    write_to(p, &p->textures[sum]);
    for (int i = 0; i < count; ++i) {
        if (i == 1)
            glEnable(GL_BLEND);
        draw(p, i);
    }
    glDisable(GL_BLEND);
}

/* Passes 0 to count - 1, each of which adds to the sum; the first one starts it. */
static void draw_sum(published *p, place sum, int count)
{
    if (p->programs->blends) {
        blend_sum(p, sum, count);
        return;
    }
    for (int i = 0; i < count; ++i) {
        read_from(SUM_UNIT, &p->textures[sum]);
        draw_anew(p, sum, i);
    }
}

static void forward(published *p, place inputs, int input_count, place weights, place sums,
                    place activations)
{
    BEGIN(p, PROGRAM_PRODUCT, sums, inputs, weights);
    draw_sum(p, sums, input_count + 1);
    BEGIN(p, PROGRAM_SIGMOID, sums, sums);
    if (p->programs->is_packed)
        glUniform1i(0, p->of.batch);
    write_to(p, &p->textures[activations]);
    draw(p, 0);
}

static void update(published *p, int layer)
{
    const place gradient = GRADIENT_1 + (place)layer, weights = WEIGHTS_1 + (place)layer;
    /* The hidden layer reads nothing through unit 2. */
    const place hidden_reads[] = {INPUTS, HIDDEN_DELTA, HIDDEN_DELTA, weights};
    const place output_reads[] = {HIDDEN, OUTPUTS, TARGETS, weights};
    const place *reads = layer == 0 ? hidden_reads : output_reads;
    begin(p, PROGRAM_UPDATE_1 + (published_program)layer, gradient, 3, reads);
    draw_sum(p, gradient, p->rows - 1);
    begin(p, PROGRAM_LAST_1 + (published_program)layer, weights, 4, reads);
    read_from(SUM_UNIT, &p->textures[gradient]);
    glUniform1f(0, -NET_RATE / (float)p->of.batch);
    draw_anew(p, weights, p->rows - 1);
}

void published_step(published *p)
{
    published_enter(p->programs->ctx);
    glBindVertexArray(p->programs->vertex_array);
    glBlendFunc(GL_ONE, GL_ONE);
    p->passes = 0;
    forward(p, INPUTS, p->of.inputs, WEIGHTS_1, SUMS_1, HIDDEN);
    forward(p, HIDDEN, p->of.hidden, WEIGHTS_2, SUMS_2, OUTPUTS);
    BEGIN(p, PROGRAM_BACK, HIDDEN_DELTA, OUTPUTS, TARGETS, WEIGHTS_2, HIDDEN);
    draw_sum(p, HIDDEN_DELTA, p->of.outputs);
    update(p, 1);
    update(p, 0);
    published_leave(p->programs->ctx);
}

int published_passes(const published *p)
{
    return p->passes;
}

int published_formula(const net_case *of, bool is_packed)
{
    const int patterns = (of->batch + GROUP - 1) / GROUP * GROUP;
    const int updates = is_packed ? patterns / 2 : 2 * of->batch;
    return of->inputs + of->hidden + of->outputs + updates + 4;
}

int published_capacity(const net_case *of, bool is_packed, int limit)
{
    const bool fits = of->inputs < limit && of->hidden < limit && of->outputs <= limit;
    return !fits ? 0 : is_packed ? GROUP * limit : limit;
}
