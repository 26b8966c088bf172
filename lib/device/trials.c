#include "device/trials.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "device/blending.h"
#include "device/compilers.h"
#include "gl/fences.h"
#include "gl/limits.h"
#include "pass/embedded.h"
#include "pass/list.h"

#include <stdio.h>
#include <string.h>

/* ---- Textures to try on */

/* Texels along a side. Work groups of the trials have a side of 8. */
#define SIDE   64
#define TEXELS (SIDE * SIDE)
#define LAYERS 3

#define PARTS                                                                                      \
    (GLNN__PARTS_COPY | GLNN__PART_DRAWING | GLNN__PART_PROGRAM | GLNN__PART_IMAGE(0) |            \
     GLNN__PART_IMAGE(1))

/* A texture, which is bound to unit 0, and a framebuffer to clear and to read its layers. */
typedef struct canvas {
    GLenum target;
    GLuint texture, framebuffer;
} canvas;

static canvas canvas_create(GLenum target, GLenum format)
{
    canvas c = {.target = target};
    glGenTextures(1, &c.texture);
    glGenFramebuffers(1, &c.framebuffer);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(target, c.texture);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    if (target == GL_TEXTURE_2D_ARRAY)
        glTexStorage3D(target, 1, format, SIDE, SIDE, LAYERS);
    else
        glTexStorage2D(target, 1, format, SIDE, SIDE);
    return c;
}

static void canvas_attach(const canvas *c, int layer)
{
    glBindFramebuffer(GL_FRAMEBUFFER, c->framebuffer);
    if (c->target == GL_TEXTURE_2D_ARRAY)
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, c->texture, 0, layer);
    else
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, c->target, c->texture, 0);
}

static void canvas_clear(glnn_context *ctx, const canvas *c, int layer, float number)
{
    const GLfloat color[4] = {number, number, number, number};
    canvas_attach(c, layer);
    glnn__fences_before_draw(ctx);
    glClearBufferfv(GL_COLOR, 0, color);
}

/* Reads the four components of all texels of a layer. */
static void canvas_read(const canvas *c, int layer, float *texels)
{
    canvas_attach(c, layer);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_FLOAT, texels);
}

static bool canvas_holds(const canvas *c, int layer, float number)
{
    float texels[4 * TEXELS];
    for (int i = 0; i < 4 * TEXELS; ++i)
        texels[i] = number - 1;
    canvas_read(c, layer, texels);
    for (int i = 0; i < 4 * TEXELS; ++i)
        if (texels[i] != number)
            return false;
    return true;
}

static void canvas_destroy(glnn_context *ctx, canvas *c)
{
    glDeleteFramebuffers(1, &c->framebuffer);
    glDeleteTextures(1, &c->texture);
    ++ctx->bindings_age;
}

/* ---- Clears */

/* Clears the layers of an array to different numbers. */
static void clear_layers(glnn_context *ctx, const canvas *c)
{
    for (int i = 0; i < LAYERS; ++i)
        canvas_clear(ctx, c, i, (float)(i + 1));
}

static glnn_status try_layer_clears(glnn_context *ctx, bool *has)
{
    canvas c = canvas_create(GL_TEXTURE_2D_ARRAY, GL_RGBA32F);
    clear_layers(ctx, &c);
    for (int i = 0; i < LAYERS && *has; ++i)
        *has = canvas_holds(&c, i, (float)(i + 1));
    canvas_destroy(ctx, &c);
    return GLNN_OK;
}

static glnn_status try_texture_clears(glnn_context *ctx, bool *has)
{
    canvas c = canvas_create(GL_TEXTURE_2D_ARRAY, GL_RGBA32F);
    clear_layers(ctx, &c);
    glClearTexImage(c.texture, 0, GL_RGBA, GL_FLOAT, NULL);
    for (int i = 0; i < LAYERS && *has; ++i)
        *has = canvas_holds(&c, i, 0);
    canvas_destroy(ctx, &c);
    return GLNN_OK;
}

/* ---- Fences and queries */

/* Clears that keep the device busy for a moment. */
#define CLEARS 64

/* Whether a buffer that is mapped all the time has what was read into it before a fence. `mapped`
 * begins as zeros. */
static bool fence_tells(glnn_context *ctx, const canvas *c, const volatile float *mapped)
{
    static const GLuint64 second = 1000000000;
    for (int i = 0; i < CLEARS; ++i)
        canvas_clear(ctx, c, 0, (float)i);
    glReadPixels(0, 0, SIDE, SIDE, GL_RED, GL_FLOAT, NULL);
    const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    const GLenum state = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, second);
    bool tells = state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
    for (int i = 0; i < TEXELS && tells; ++i)
        tells = mapped[i] == CLEARS - 1;
    glDeleteSync(fence);
    return tells;
}

/* Without buffers that stay mapped, a result that is late cannot be seen. */
static glnn_status try_fences(glnn_context *ctx, bool *has)
{
    const GLbitfield access = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const GLsizeiptr bytes = TEXELS * sizeof(float);
    canvas c = canvas_create(GL_TEXTURE_2D, GL_R32F);
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glBufferStorage(GL_PIXEL_PACK_BUFFER, bytes, NULL, access);
    const volatile float *mapped = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, bytes, access);
    *has = mapped && fence_tells(ctx, &c, mapped);
    glDeleteBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    canvas_destroy(ctx, &c);
    return GLNN_OK;
}

/* glnn__timer_end compares the query with the clock, and stops using queries if they disagree. On a
 * busy machine the clock goes on while the work waits, so the trial has several attempts. */
static glnn_status try_timer_queries(glnn_context *ctx, bool *has)
{
    enum { ATTEMPTS = 8 };
    canvas c = canvas_create(GL_TEXTURE_2D, GL_R32F);
    *has = false;
    for (int attempt = 0; attempt < ATTEMPTS && !*has; ++attempt) {
        glnn__timer timer;
        ctx->info.timer_queries = true;
        glnn__timer_begin(ctx, &timer);
        for (int i = 0; i < CLEARS; ++i)
            canvas_clear(ctx, &c, 0, (float)i);
        glnn__timer_end(ctx, &timer);
        *has = ctx->info.timer_queries;
    }
    canvas_destroy(ctx, &c);
    return GLNN_OK;
}

/* The textures of a software renderer are in main memory. */
static glnn_status try_memory_size(glnn_context *ctx, bool *has)
{
    *has = !ctx->info.software || glnn__gl_reported_memory() <= glnn__memory_size();
    return GLNN_OK;
}

/* ---- Compute shaders: contexts that do not use them have the properties */

static GLuint program_of(const glnn_context *ctx, const char *defines, const char *file)
{
    const char *const texts[] = {glnn__gl_shader_head(ctx), defines, glnn__embedded_text(file)};
    return glCreateShaderProgramv(GL_COMPUTE_SHADER, 3, texts);
}

static void bind_image(GLuint unit, const canvas *c, GLenum access)
{
    glBindImageTexture(unit, c->texture, 0, GL_FALSE, 0, access, GL_R32F);
}

/* Runs a pass that stores to `to` and, with LOADS or FETCHES, reads `from`. */
static void store(glnn_context *ctx, GLuint program, const canvas *from, const canvas *to)
{
    glnn__gl_use_program(ctx, program);
    glBindTexture(GL_TEXTURE_2D, from->texture);
    bind_image(0, to, GL_WRITE_ONLY);
    bind_image(1, from, GL_READ_ONLY);
    glDispatchCompute(SIDE / 8, SIDE / 8, 1);
}

/* An even number, after which each number is at its first place. */
#define READS 4

/* Runs a chain of passes with this barrier after each one. The last result is read after
 * `last_barrier`. */
static void try_chain(glnn_context *ctx, const char *reading, int reads, GLbitfield barrier,
                      GLbitfield last_barrier, bool *has)
{
    const canvas c[] = {canvas_create(GL_TEXTURE_2D, GL_R32F),
                        canvas_create(GL_TEXTURE_2D, GL_R32F)};
    const GLuint first = program_of(ctx, "", "trials/stores.glsl"),
                 next = program_of(ctx, reading, "trials/stores.glsl");
    float texels[4 * TEXELS] = {0};
    store(ctx, first, &c[1], &c[0]);
    for (int i = 0; i < reads; ++i) {
        glMemoryBarrier(barrier);
        store(ctx, next, &c[i % 2], &c[(i + 1) % 2]);
    }
    glMemoryBarrier(last_barrier);
    canvas_read(&c[0], 0, texels);
    for (int i = 0; i < TEXELS && *has; ++i)
        *has = texels[4 * i] == (float)(i + reads);
    glnn__gl_use_program(ctx, 0);
    glDeleteProgram(first);
    glDeleteProgram(next);
    for (int i = 0; i < 2; ++i)
        canvas_destroy(ctx, &(canvas){c[i].target, c[i].texture, c[i].framebuffer});
}

static glnn_status try_stores_fetched(glnn_context *ctx, bool *has)
{
    try_chain(ctx, "#define FETCHES 1\n", READS, GL_TEXTURE_FETCH_BARRIER_BIT, GL_ALL_BARRIER_BITS,
              has);
    return GLNN_OK;
}

static glnn_status try_stores_loaded(glnn_context *ctx, bool *has)
{
    try_chain(ctx, "#define LOADS 1\n", READS, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT,
              GL_ALL_BARRIER_BITS, has);
    return GLNN_OK;
}

static glnn_status try_stores_read(glnn_context *ctx, bool *has)
{
    try_chain(ctx, "", 0, 0, GL_FRAMEBUFFER_BARRIER_BIT, has);
    return GLNN_OK;
}

#define PROGRAMS 2

/* Dispatches the programs in turn, the first one with this number of turns before and after the
 * other one. Returns the result of the last dispatch. */
static float alternate(glnn_context *ctx, const canvas *c, const GLuint programs[PROGRAMS],
                       int turns)
{
    float texels[4 * TEXELS] = {0};
    bind_image(0, c, GL_WRITE_ONLY);
    for (int i = 0; i <= PROGRAMS; ++i) {
        const bool is_other = i == 1;
        glnn__gl_use_program(ctx, programs[is_other]);
        glUniform1i(0, is_other ? 1 : turns);
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        glDispatchCompute(1, 1, 1);
    }
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    canvas_read(c, 0, texels);
    return texels[0];
}

/* Mesa's zink 22.3 and 25.0 on a software rasteriser compile values of uniforms into programs, and
 * can then take a program with an earlier value. */
static glnn_status try_uniforms(glnn_context *ctx, bool *has)
{
    canvas c = canvas_create(GL_TEXTURE_2D, GL_R32F);
    GLuint programs[PROGRAMS];
    for (int i = 0; i < PROGRAMS; ++i)
        programs[i] = program_of(ctx, "", "trials/uniforms.glsl");
    const float once = alternate(ctx, &c, programs, 1), twice = alternate(ctx, &c, programs, 2);
    *has = once == 1 && twice == 1.5f;
    glnn__gl_use_program(ctx, 0);
    for (int i = 0; i < PROGRAMS; ++i)
        glDeleteProgram(programs[i]);
    canvas_destroy(ctx, &c);
    return GLNN_OK;
}

/* ---- The table */

static const char no_images[] = "passes write render targets alone, as in the tier targets";

const glnn__driver_trial glnn__driver_trials[GLNN__PROPERTIES] = {
    [GLNN__PROPERTY_BLEND_FACTORS] = {"blend factors",
                                      "blending takes a factor that changes between two draws",
                                      "shaders add instead of blending", glnn__try_blend_factors,
                                      NULL},
    [GLNN__PROPERTY_BLEND_ROUNDING] =
        {"blend rounding", "blending rounds product and sum, each to the nearest number",
         "shaders add instead of blending", glnn__try_blend_rounding, NULL},
    [GLNN__PROPERTY_FENCES] = {"fences",
                               "the work before a fence is done when the fence has passed",
                               "none; downloads still wait when they map their buffer", try_fences,
                               NULL},
    [GLNN__PROPERTY_LAYER_CLEARS] = {"layer clears",
                                     "a clear of one layer of an array texture leaves the others",
                                     "none", try_layer_clears, NULL},
    [GLNN__PROPERTY_TEXTURE_CLEARS] = {"texture clears", "glClearTexImage clears all layers",
                                       "each layer is cleared as a render target",
                                       try_texture_clears, NULL},
    [GLNN__PROPERTY_MEMORY_SIZE] =
        {"memory size", "the memory of a software renderer is no larger than main memory",
         "main memory bounds the texture budget", try_memory_size, NULL},
    [GLNN__PROPERTY_TIMER_QUERIES] = {"timer queries", "timer queries agree with the clock",
                                      "passes are timed by the clock", try_timer_queries, NULL},
    [GLNN__PROPERTY_STORES_FETCHED] = {"stores fetched",
                                       "after a barrier, a pass fetches what the former one stored",
                                       no_images, try_stores_fetched, NULL},
    [GLNN__PROPERTY_STORES_LOADED] = {"stores loaded",
                                      "after a barrier, a pass loads what the former one stored",
                                      no_images, try_stores_loaded, NULL},
    [GLNN__PROPERTY_STORES_READ] = {"stores read",
                                    "after a barrier, a framebuffer reads what a pass stored",
                                    no_images, try_stores_read, NULL},
    [GLNN__PROPERTY_UNIFORMS] = {"uniforms",
                                 "compute shaders take new values of uniforms after other programs",
                                 "fragment shaders compute", try_uniforms, NULL},
    [GLNN__PROPERTY_COPY_LOOPS] =
        {"copy loops", "loops that copy arrays store each number in its place",
         "none; kernels of the program that copy so compute wrong numbers", glnn__try_copy_loops,
         "stores to[i] = from[i + 1] in the wrong place"},
    [GLNN__PROPERTY_ROUNDING_ERRORS] =
        {"rounding errors", "compilers keep the rounding error of a sum",
         "none; parameters in two parts are no more precise than in one", glnn__try_rounding_errors,
         "loses the rounding error of a sum"},
};

bool glnn__driver_needs(const glnn_context *ctx, glnn__property property)
{
    switch (property) {
    case GLNN__PROPERTY_FENCES:
        return glnn__gl_offers(ctx, GLNN__OFFERS_MAPPED_BUFFERS);
    case GLNN__PROPERTY_TEXTURE_CLEARS:
        return glnn__gl_offers(ctx, GLNN__OFFERS_TEXTURE_CLEARS);
    case GLNN__PROPERTY_TIMER_QUERIES:
        return glnn__gl_offers(ctx, GLNN__OFFERS_CLOCK);
    case GLNN__PROPERTY_STORES_FETCHED:
    case GLNN__PROPERTY_STORES_LOADED:
    case GLNN__PROPERTY_STORES_READ:
    case GLNN__PROPERTY_UNIFORMS:
        return ctx->has_compute;
    default:
        return true;
    }
}

/* ---- Verdicts */

typedef enum verdict { UNTRIED = 0, PRESENT, ABSENT } verdict;

typedef struct verdicts {
    verdict of[GLNN__PROPERTIES];
    bool is_warned[GLNN__PROPERTIES];
} verdicts;

static glnn__slot slot = {.holds = "the trials of the driver", .size = sizeof(verdicts)};

static const char *const words[] = {[PRESENT] = "passed", [ABSENT] = "failed"};

static void write_key(const glnn__driver_trial *trial, char key[GLNN__TUNING_TEXT])
{
    snprintf(key, GLNN__TUNING_TEXT, "trial of %s", trial->name);
}

static glnn_status read_verdict(glnn_context *ctx, const glnn__driver_trial *trial, verdict *out)
{
    char key[GLNN__TUNING_TEXT];
    glnn__programs *programs;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    write_key(trial, key);
    const char *text = glnn__tuning_get(ctx, &programs->tuning, key);
    for (verdict v = PRESENT; v <= ABSENT && text; ++v)
        if (strcmp(text, words[v]) == 0)
            *out = v;
    return GLNN_OK;
}

static glnn_status write_verdict(glnn_context *ctx, const glnn__driver_trial *trial, verdict v)
{
    char key[GLNN__TUNING_TEXT];
    glnn__programs *programs;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    write_key(trial, key);
    const char *former = glnn__tuning_get(ctx, &programs->tuning, key);
    if (!former || strcmp(former, words[v]) != 0)
        glnn__tuning_put(ctx, &programs->tuning, key, former, words[v]);
    glnn__log(GLNN_LOG_INFO, "trial of %s: %s%s%s", trial->name, words[v], v == ABSENT ? "; " : "",
              v == ABSENT ? trial->workaround : "");
    return GLNN_OK;
}

/* Runs a trial outside of lists that are being recorded, and leaves the counters and the trace as
 * they were: whether there is a stored verdict must not show in them. */
static glnn_status run(glnn_context *ctx, const glnn__driver_trial *trial, bool *has)
{
    glnn__programs *programs;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    const glnn_counters counters = ctx->counters;
    struct glnn__trace *trace = programs->trace;
    glnn__list *list = glnn__list_pause(ctx);
    programs->trace = NULL;
    const glnn__label former = glnn__label_part(ctx, "measure the device");
    ctx->label.step = 0; /* the passes are not those of a training step */
    glnn_status status = glnn__gl_claim(ctx, PARTS);
    *has = true;
    if (!status)
        status = trial->run(ctx, has);
    if (!status)
        status = glnn__gl_check(ctx, "the trial of %s", trial->name);
    glnn__label_end(ctx, former, status);
    glnn__list_resume(ctx, list);
    programs->trace = trace;
    ctx->counters = counters;
    return status;
}

glnn_status glnn__driver_try(glnn_context *ctx, glnn__property property, bool *out)
{
    const glnn__driver_trial *trial = &glnn__driver_trials[property];
    verdicts *known;
    GLNN__TRY(glnn__slot_get(ctx, &slot, &known));
    GLNN__TRY(run(ctx, trial, out));
    known->of[property] = *out ? PRESENT : ABSENT;
    return write_verdict(ctx, trial, known->of[property]);
}

glnn_status glnn__driver_has(glnn_context *ctx, glnn__property property, bool *out)
{
    verdicts *known;
    *out = true;
    if (!glnn__driver_needs(ctx, property))
        return GLNN_OK;
    GLNN__TRY(glnn__slot_get(ctx, &slot, &known));
    if (known->of[property] == UNTRIED)
        GLNN__TRY(read_verdict(ctx, &glnn__driver_trials[property], &known->of[property]));
    *out = known->of[property] != ABSENT;
    if (known->of[property] != UNTRIED)
        return GLNN_OK;
    const glnn_status status = glnn__driver_try(ctx, property, out);
    if (status != GLNN_E_LIMIT && status != GLNN_E_NOMEM)
        return status;
    *out = true;
    return GLNN_OK;
}

glnn_status glnn__driver_expect(glnn_context *ctx, glnn__property property)
{
    const glnn__driver_trial *trial = &glnn__driver_trials[property];
    verdicts *known;
    bool has;
    GLNN__TRY(glnn__driver_has(ctx, property, &has));
    GLNN__TRY(glnn__slot_get(ctx, &slot, &known));
    if (has || known->is_warned[property])
        return GLNN_OK;
    known->is_warned[property] = true;
    glnn__log(GLNN_LOG_WARNING, "the compiler of %s %s; workaround: %s", ctx->info.renderer,
              trial->fault, trial->workaround);
    return GLNN_OK;
}

glnn_status glnn__blending_is_exact(glnn_context *ctx, bool *out)
{
    GLNN__TRY(glnn__driver_has(ctx, GLNN__PROPERTY_BLEND_FACTORS, out));
    return *out ? glnn__driver_has(ctx, GLNN__PROPERTY_BLEND_ROUNDING, out) : GLNN_OK;
}

glnn_status glnn__stores_are_seen(glnn_context *ctx, bool *out)
{
    *out = true;
    for (int p = GLNN__PROPERTY_STORES_FETCHED; p <= GLNN__PROPERTY_STORES_READ && *out; ++p)
        GLNN__TRY(glnn__driver_has(ctx, (glnn__property)p, out));
    return GLNN_OK;
}
