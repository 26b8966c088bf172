#include "distortions/distorter.h"

#include "base/integers.h"
#include "base/random.h"
#include "base/status.h"
#include "distortions/distortion.h"
#include "ops/sample.h"
#include "pass/list.h"

#include <glnn/map.h>

#include <math.h>
#include <stdlib.h>

/* The elastic displacements of 64 steps come from one field of 512 x 512 cells, which repeats at
 * its edges. A cell has four independent numbers. */
#define FIELD_STEPS 64
#define FIELD_SIDE  512

/* The largest standard deviation of a smoothed field, in cells. */
#define FIELD_SIGMA 8.0f

/* A Gaussian ends at so many standard deviations. */
#define REACH 3

/* ---- Kernels */

enum { CHANNELS, HEIGHT, WIDTH };

/* Of kernels that read images. */
#define SHAPE_NAMES [CHANNELS] = "CHANNELS", [HEIGHT] = "HEIGHT", [WIDTH] = "WIDTH"

typedef struct shape_constants {
    int of[GLNN__MAX_CONSTANTS];
} shape_constants;

static shape_constants constants_of(const glnn_shape *shape)
{
    return (shape_constants){
        {[CHANNELS] = shape->channels, [HEIGHT] = shape->height, [WIDTH] = shape->width}};
}

enum { ATLAS_X };
enum { ATLAS_STRIPS, ATLAS_IMAGES, ATLAS_BACKGROUND };

static const glnn__kernel atlas_kernel = {
    .name = "distortions/atlas",
    .operands = {[ATLAS_X] = "X"},
    .unviewed = 1,
    .constants = {SHAPE_NAMES},
    .uniforms = {[ATLAS_STRIPS] = "int strips",
                 [ATLAS_IMAGES] = "int images",
                 [ATLAS_BACKGROUND] = "float background"},
};

enum { SMOOTH_AXIS };
enum { SMOOTH_RADIUS, SMOOTH_FALLOFF };
enum { AXIS_X, AXIS_Y };

static const glnn__enumerator axes[] = {GLNN__ENUMERATOR(AXIS_X), GLNN__ENUMERATOR(AXIS_Y), {0}};

static const glnn__kernel smooth_kernel = {
    .name = "distortions/smooth",
    .operands = {"X"},
    .options = {[SMOOTH_AXIS] = "AXIS"},
    .uniforms = {[SMOOTH_RADIUS] = "int radius", [SMOOTH_FALLOFF] = "float falloff"},
    .enumerations = {axes},
    .unviewed = 1,
};

enum { DISTORT_ATLAS, DISTORT_FIELD, DISTORT_INDEX };
enum { IS_AFFINE, DISPLACEMENT };
enum { DISPLACEMENT_NONE, DISPLACEMENT_CELLS, DISPLACEMENT_BETWEEN };

static const glnn__enumerator displacements[] = {GLNN__ENUMERATOR(DISPLACEMENT_NONE),
                                                 GLNN__ENUMERATOR(DISPLACEMENT_CELLS),
                                                 GLNN__ENUMERATOR(DISPLACEMENT_BETWEEN),
                                                 {0}};

static const glnn__enumerator marks[] = {GLNN__ENUMERATOR(GLNN__DISTORTION_MARK), {0}};

enum {
    KEY_LOW = GLNN__AFTER_SAMPLE,
    KEY_HIGH,
    TRAINING_STEP,
    PLACE,
    STRIPS,
    SHIFT,
    ROTATION,
    SCALE,
    SHEAR,
    PROBABILITY,
    ELASTIC,
    CELLS
};

static const glnn__kernel distort_kernel = {
    .name = "distortions/distort",
    .operands = {[DISTORT_ATLAS] = "ATLAS", [DISTORT_FIELD] = "FIELD", [DISTORT_INDEX] = "INDEX"},
    .unviewed = 3,
    .options = {[IS_AFFINE] = "IS_AFFINE", [DISPLACEMENT] = "DISPLACEMENT"},
    .uniforms =
        {GLNN__SAMPLE_UNIFORMS, [KEY_LOW] = "int key_low", [KEY_HIGH] = "int key_high",
         [TRAINING_STEP] = "int training_step", [PLACE] = "int place", [STRIPS] = "int strips",
         [SHIFT] = "float shift", [ROTATION] = "float rotation", [SCALE] = "float scale",
         [SHEAR] = "float shear", [PROBABILITY] = "float probability", [ELASTIC] = "float elastic",
         [CELLS] = "float cells"},
    .enumerations = {displacements, marks},
    .constants = {SHAPE_NAMES},
};

/* ---- The atlas */

/* A strip of an atlas has the channels of an image side by side, each after a column of the
 * background and below a row of it. */
typedef struct atlas_size {
    int width, height; /* powers of two, so that the coordinates of pixels are exact */
    int strips;        /* next to each other */
} atlas_size;

struct glnn__distorter {
    glnn_context *ctx;
    glnn_distortion desc;
    uint64_t seed;
    glnn_matrix *atlas; /* NULL: none yet */
    atlas_size size;
    int capacity;               /* images of the atlas         */
    const glnn_matrix *pixels;  /* that are in it; NULL: none  */
    uint64_t version;           /* of them                     */
    glnn_matrix *field, *noise; /* NULL without displacements  */
    uint64_t field_number;      /* counted from 1; 0: none yet */
};

static int strip_width(const glnn_shape *shape)
{
    return shape->channels * (shape->width + 1);
}

/* The height of an atlas of this width, or 0 if no image fits. */
static int64_t atlas_height(const glnn_shape *shape, int images, int width, int *strips)
{
    *strips = (width - 1) / strip_width(shape);
    if (*strips == 0)
        return 0;
    const int64_t needed = (int64_t)glnn__ceil_div(images, *strips) * (shape->height + 1) + 1;
    int64_t height = 1;
    while (height < needed)
        height *= 2;
    return height;
}

/* The smallest atlas; its width is 0 if there is none. */
static atlas_size choose_size(const glnn_shape *shape, int images, int most)
{
    atlas_size best = {0};
    for (int width = 1; width <= most; width *= 2) {
        int strips;
        const int64_t height = atlas_height(shape, images, width, &strips);
        if (height == 0 || height > most)
            continue;
        if (best.width == 0 || (int64_t)width * height < (int64_t)best.width * best.height)
            best = (atlas_size){width, (int)height, strips};
    }
    return best;
}

static glnn_status reserve(glnn__distorter *d, int images, glnn_storage storage)
{
    const glnn_shape *s = &d->desc.shape;
    const int most = d->ctx->info.max_texture_size;
    glnn_matrix_destroy(d->atlas);
    d->atlas = NULL;
    d->capacity = 0;
    d->pixels = NULL;
    d->size = choose_size(s, images, most);
    if (d->size.width == 0)
        return glnn__fail(GLNN_E_LIMIT,
                          "%d images of %d channels of %d x %d pixels, with a border of one pixel, "
                          "do not fit one texture of %d x %d texels to distort them from; with a "
                          "texture_budget the data set streams",
                          images, s->channels, s->height, s->width, most, most);
    GLNN__TRY(glnn__matrix_create_filtered(d->ctx, GLNN_LAYOUT_UNPACKED, storage, d->size.height,
                                           d->size.width, "images to distort", &d->atlas));
    d->capacity = images;
    return GLNN_OK;
}

glnn_status glnn__distorter_reserve(glnn__distorter *d, const glnn_matrix *pixels)
{
    if (d->atlas && d->capacity == pixels->rows && d->atlas->storage == pixels->storage)
        return GLNN_OK;
    return reserve(d, pixels->rows, pixels->storage);
}

/* The texels that are written. One column and one row more than needed, so that the filter finds no
 * undefined texel next to a border. */
static glnn__blocks used_part(const glnn__distorter *d, int images)
{
    const glnn_shape *s = &d->desc.shape;
    const int width = d->size.strips * strip_width(s) + 2;
    const int height = glnn__ceil_div(images, d->size.strips) * (s->height + 1) + 2;
    return (glnn__blocks){0, 0, glnn__least(width, d->size.width),
                          glnn__least(height, d->size.height)};
}

static glnn_status note_images(void *self, const void *what)
{
    glnn__distorter *d = self;
    const glnn__images *of = what;
    d->pixels = of->pixels;
    d->version = of->version;
    return GLNN_OK;
}

/* Copies the images to the atlas, unless they are there. */
static glnn_status fill(glnn__distorter *d, const glnn__images *from)
{
    const shape_constants constants = constants_of(&d->desc.shape);
    GLNN__TRY(glnn__distorter_reserve(d, from->pixels));
    if (d->pixels == from->pixels && d->version == from->version)
        return GLNN_OK;
    GLNN__TRY(
        glnn__pass_run(d->ctx, &(glnn__pass){
                                   .kernel = &atlas_kernel,
                                   .operands = {[ATLAS_X] = {.matrix = from->pixels}},
                                   .output = d->atlas,
                                   .region = used_part(d, from->count),
                                   .constants = constants.of,
                                   .uniforms = {[ATLAS_STRIPS] = {.i = d->size.strips},
                                                [ATLAS_IMAGES] = {.i = from->count},
                                                [ATLAS_BACKGROUND] = {.f = d->desc.background}},
                               }));
    return glnn__list_call(d->ctx, note_images, d, from, sizeof *from);
}

/* ---- The field of displacements */

/* Pixels from one cell to the next. */
static float cell_size(const glnn__distorter *d)
{
    return fmaxf(1, d->desc.sigma / FIELD_SIGMA);
}

static glnn_status smooth(const glnn__distorter *d, unsigned axis, const glnn_matrix *x,
                          glnn_matrix *out)
{
    const float sigma = d->desc.sigma / cell_size(d);
    return glnn__pass_run(d->ctx,
                          &(glnn__pass){
                              .kernel = &smooth_kernel,
                              .operands = {{.matrix = x}},
                              .output = out,
                              .options = {[SMOOTH_AXIS] = axis},
                              .uniforms = {[SMOOTH_RADIUS] = {.i = (int)ceilf(REACH * sigma)},
                                           [SMOOTH_FALLOFF] = {.f = glnn__falloff(sigma)}},
                          });
}

/* The seed of a field: another one for each number. */
static uint64_t field_seed(const glnn__distorter *d, uint64_t number)
{
    const uint32_t counter[4] = {(uint32_t)number, (uint32_t)(number >> 32), 3,
                                 GLNN__DISTORTION_MARK};
    uint32_t words[4];
    glnn__philox(d->seed, counter, words);
    return (uint64_t)words[1] << 32 | words[0];
}

static glnn_status note_field(void *self, const void *number)
{
    ((glnn__distorter *)self)->field_number = *(const uint64_t *)number;
    return GLNN_OK;
}

/* Draws the field of a step, unless it is there. */
static glnn_status draw_field(glnn__distorter *d, uint64_t step)
{
    const uint64_t number = step / FIELD_STEPS + 1;
    if (!d->field || d->field_number == number)
        return GLNN_OK;
    GLNN__TRY(glnn_fill_uniform(d->ctx, field_seed(d, number), -1, 1, d->field));
    GLNN__TRY(smooth(d, AXIS_X, d->field, d->noise));
    GLNN__TRY(smooth(d, AXIS_Y, d->noise, d->field));
    return glnn__list_call(d->ctx, note_field, d, &number, sizeof number);
}

glnn_status glnn__distorter_prepare(glnn__distorter *d, const glnn__images *from, uint64_t step)
{
    GLNN__TRY(fill(d, from));
    return draw_field(d, step);
}

/* ---- Distorters */

static glnn_status create_field(glnn__distorter *d)
{
    if (d->desc.elastic == 0)
        return GLNN_OK;
    GLNN__TRY(glnn__matrix_create_filtered(d->ctx, GLNN_LAYOUT_PACKED, GLNN_STORAGE_FLOAT32,
                                           FIELD_SIDE, 4 * FIELD_SIDE, "displacements", &d->field));
    return glnn__matrix_create_scratch(d->ctx, GLNN_LAYOUT_PACKED, FIELD_SIDE, 4 * FIELD_SIDE,
                                       "displacements along x", &d->noise);
}

glnn_status glnn__distorter_create(glnn_context *ctx, const glnn_distortion *desc, uint64_t seed,
                                   glnn__distorter **out)
{
    glnn__distorter *d = *out = calloc(1, sizeof *d);
    if (!d)
        return glnn__fail(GLNN_E_NOMEM, "no memory to distort images");
    d->ctx = ctx;
    d->desc = *desc;
    d->seed = seed;
    const glnn_status status = create_field(d);
    if (status) {
        glnn__distorter_destroy(d);
        *out = NULL;
    }
    return status;
}

void glnn__distorter_destroy(glnn__distorter *d)
{
    if (!d)
        return;
    glnn_matrix_destroy(d->atlas);
    glnn_matrix_destroy(d->field);
    glnn_matrix_destroy(d->noise);
    free(d);
}

static unsigned displacement_of(const glnn__distorter *d)
{
    if (!d->field)
        return DISPLACEMENT_NONE;
    return cell_size(d) > 1 ? DISPLACEMENT_BETWEEN : DISPLACEMENT_CELLS;
}

static float radians(float degrees)
{
    return degrees * 0.017453292519943295f;
}

glnn_status glnn__distorter_gather(const glnn__distorter *d, int images,
                                   const glnn__presentation *what, glnn_matrix *out)
{
    const glnn_distortion *desc = &d->desc;
    const shape_constants constants = constants_of(&desc->shape);
    return glnn__pass_run(
        d->ctx,
        &(glnn__pass){
            .kernel = &distort_kernel,
            .constants = constants.of,
            .operands = {[DISTORT_ATLAS] = {.matrix = d->atlas, .is_filtered = true},
                         [DISTORT_FIELD] = {.matrix = d->field,
                                            .is_filtered =
                                                displacement_of(d) == DISPLACEMENT_BETWEEN},
                         [DISTORT_INDEX] = {.matrix = what->index}},
            .output = out,
            .options = {[IS_AFFINE] = glnn__distortion_is_affine(desc),
                        [DISPLACEMENT] = displacement_of(d)},
            .uniforms =
                {GLNN__SAMPLE_VALUES(what->first, what->count, images),
                 [KEY_LOW] = {.i = (int)(uint32_t)d->seed},
                 [KEY_HIGH] = {.i = (int)(uint32_t)(d->seed >> 32)}, [TRAINING_STEP] = what->step,
                 [PLACE] = what->place, [STRIPS] = {.i = d->size.strips},
                 [SHIFT] = {.f = desc->shift}, [ROTATION] = {.f = radians(desc->rotation)},
                 [SCALE] = {.f = desc->scale}, [SHEAR] = {.f = radians(desc->shear)},
                 [PROBABILITY] = {.f = desc->probability}, [ELASTIC] = {.f = desc->elastic},
                 [CELLS] = {.f = 1 / cell_size(d)}},
        });
}
