#include "common/published.h"

#include "common/arrays.h"
#include "common/published_programs.h"

/* Patterns of a texel, packed. */
enum { GROUP = 4 };

/* The textures. Inputs and hidden units have the constant 1 as one unit more, and the weights of
 * that unit are the thresholds. */
typedef enum place {
    INPUTS,
    TARGETS,
    SUMS_1,
    HIDDEN,
    SUMS_2,
    OUTPUTS,
    HIDDEN_DELTA,
    GRADIENT_1,
    GRADIENT_2,
    WEIGHTS_1,
    WEIGHTS_2,
    NEW_WEIGHTS_1, /* change places with WEIGHTS_1 at the end of a step */
    NEW_WEIGHTS_2,
    PLACES
} place;

typedef struct texture {
    GLuint name, framebuffer;
    int width, height;
} texture;

struct published {
    const published_programs *programs;
    net_case of;
    int rows;   /* texels of a unit */
    int passes; /* of the latest step */
    texture textures[PLACES];
};

/* ---- Textures */

static texture texture_new(int width, int height, bool is_packed)
{
    texture t = {.width = width, .height = height};
    glGenTextures(1, &t.name);
    glBindTexture(GL_TEXTURE_2D, t.name);
    glTexStorage2D(GL_TEXTURE_2D, 1, is_packed ? GL_RGBA32F : GL_R32F, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &t.framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, t.framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t.name, 0);
    glClearBufferfv(GL_COLOR, 0, (const float[]){0, 0, 0, 0});
    return t;
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
        [NEW_WEIGHTS_1] = {units, inputs},
        [NEW_WEIGHTS_2] = {outputs, units + 1},
    };
    for (int i = 0; i < PLACES; ++i) {
        const bool has_patterns = sizes[i].height == 0;
        p->textures[i] = texture_new(sizes[i].width, has_patterns ? p->rows : sizes[i].height,
                                     has_patterns && p->programs->is_packed);
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
                         const net_data *data)
{
    published *p = allocate(1, sizeof *p);
    const int group = programs->is_packed ? GROUP : 1;
    *p = (published){.programs = programs, .of = *of, .rows = (of->batch + group - 1) / group};
    published_enter(programs->ctx);
    make_textures(p);
    upload_values(p, data);
    published_leave(programs->ctx);
    return p;
}

void published_free(published *p)
{
    published_enter(p->programs->ctx);
    for (int i = 0; i < PLACES; ++i) {
        glDeleteFramebuffers(1, &p->textures[i].framebuffer);
        glDeleteTextures(1, &p->textures[i].name);
    }
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

/* The passes from here on use this program, read `reads` through texture units 0, 1, ... and write
 * to the first `width` units of `to`. */
static void begin(const published *p, published_program program, place to, int width, int count,
                  const place reads[])
{
    glUseProgram(p->programs->names[program]);
    glBindFramebuffer(GL_FRAMEBUFFER, p->textures[to].framebuffer);
    glViewport(0, 0, width, p->textures[to].height);
    for (int i = 0; i < count; ++i) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(GL_TEXTURE_2D, p->textures[reads[i]].name);
    }
}

#define BEGIN(p, program, to, width, ...)                                                          \
    begin(p, program, to, width, sizeof((place[]){__VA_ARGS__}) / sizeof(place),                   \
          (const place[]){__VA_ARGS__})

/* One pass; pass.vert turns the first vertex into the number. */
static void draw(published *p, int number)
{
    glDrawArrays(GL_TRIANGLES, 3 * number, 3);
    ++p->passes;
}

/* Passes 0 to count - 1: the first overwrites what the output held, the others add to it. */
static void draw_sum(published *p, int count)
{
    if (count > 0)
        draw(p, 0);
    glEnable(GL_BLEND);
    for (int i = 1; i < count; ++i)
        draw(p, i);
    glDisable(GL_BLEND);
}

static void forward(published *p, place inputs, int input_count, place weights, place sums,
                    place activations)
{
    const int units = p->textures[sums].width;
    BEGIN(p, PROGRAM_PRODUCT, sums, units, inputs, weights);
    draw_sum(p, input_count + 1);
    BEGIN(p, PROGRAM_SIGMOID, activations, units, sums);
    glUniform1i(0, p->of.batch);
    draw(p, 0);
}

static void update(published *p, int layer)
{
    const place gradient = GRADIENT_1 + layer, weights = WEIGHTS_1 + layer;
    const place to = NEW_WEIGHTS_1 + layer;
    const int width = p->textures[weights].width;
    /* The hidden layer reads nothing through unit 2. */
    const place hidden_reads[] = {INPUTS, HIDDEN_DELTA, HIDDEN_DELTA, gradient, weights};
    const place output_reads[] = {HIDDEN, OUTPUTS, TARGETS, gradient, weights};
    const place *reads = layer == 0 ? hidden_reads : output_reads;
    begin(p, PROGRAM_UPDATE_1 + (published_program)layer, gradient, width, 3, reads);
    draw_sum(p, p->rows - 1);
    begin(p, PROGRAM_LAST_1 + (published_program)layer, to, width, 5, reads);
    glUniform1f(0, -NET_RATE / (float)p->of.batch);
    draw(p, p->rows - 1);
    const texture former = p->textures[weights];
    p->textures[weights] = p->textures[to];
    p->textures[to] = former;
}

void published_step(published *p)
{
    published_enter(p->programs->ctx);
    glBindVertexArray(p->programs->vertex_array);
    glBlendFunc(GL_ONE, GL_ONE);
    p->passes = 0;
    forward(p, INPUTS, p->of.inputs, WEIGHTS_1, SUMS_1, HIDDEN);
    forward(p, HIDDEN, p->of.hidden, WEIGHTS_2, SUMS_2, OUTPUTS);
    BEGIN(p, PROGRAM_BACK, HIDDEN_DELTA, p->of.hidden, OUTPUTS, TARGETS, WEIGHTS_2, HIDDEN);
    draw_sum(p, p->of.outputs);
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
