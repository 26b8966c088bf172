#include "host_textures.h"

enum { MOST_TEXTURES = 64, LAYERS = 4 };

static GLuint made[MOST_TEXTURES];
static int made_count;

int channels_of(GLenum format)
{
    return format == GL_R32F || format == GL_R8 || format == GL_RED ? 1 : 4;
}

glnn_storage storage_of(GLenum format)
{
    return format == GL_RGBA32F || format == GL_R32F ? GLNN_STORAGE_FLOAT32
           : format == GL_RGBA16F                    ? GLNN_STORAGE_FLOAT16
                                                     : GLNN_STORAGE_UNORM8;
}

static int columns_of(const host_kind *kind)
{
    return kind->channels ? kind->channels : channels_of(kind->format);
}

static bool is_power_of_two(int n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* The width of a texture whose texels are rows: the largest power of two. */
static int width_for_rows(int rows)
{
    return rows & -rows;
}

bool can_hold(const host_kind *kind, int rows, int columns)
{
    if (kind->pixels == GLNN_PIXELS_AS_ROWS)
        return columns == columns_of(kind) && is_power_of_two(width_for_rows(rows));
    return columns % channels_of(kind->format) == 0;
}

/* The number in a channel before the library writes it: k / 255 for some k, which all formats hold
 * but for the rounding of 16 bits. */
static float canary(const host_texture *t, int level, int layer, size_t i)
{
    return (float)((i * 7 + (size_t)level * 31 + (size_t)layer * 57 + t->name) % 256) / 255;
}

static GLenum pixels_of(GLenum format)
{
    return channels_of(format) == 1 ? GL_RED : GL_RGBA;
}

static int side_at(const host_texture *t, int side, int level)
{
    const int shifted =
        level <= t->kind.level ? side << (t->kind.level - level) : side >> (level - t->kind.level);
    return shifted > 0 ? shifted : 1;
}

static void fill_level(const host_texture *t, int level)
{
    const host_kind *k = &t->kind;
    const int width = side_at(t, t->width, level), height = side_at(t, t->height, level);
    const size_t image = (size_t)width * (size_t)height * (size_t)channels_of(k->format);
    const bool is_array = k->target == GL_TEXTURE_2D_ARRAY;
    float *floats = test_malloc(LAYERS * image * sizeof *floats);
    for (size_t i = 0; i < LAYERS * image; ++i)
        floats[i] = canary(t, level, (int)(i / image), i % image);
    if (k->is_mutable && is_array)
        glTexImage3D(k->target, level, (GLint)k->format, width, height, LAYERS, 0,
                     pixels_of(k->format), GL_FLOAT, floats);
    else if (k->is_mutable)
        glTexImage2D(k->target, level, (GLint)k->format, width, height, 0, pixels_of(k->format),
                     GL_FLOAT, floats);
    else if (is_array)
        glTexSubImage3D(k->target, level, 0, 0, 0, width, height, LAYERS, pixels_of(k->format),
                        GL_FLOAT, floats);
    else
        glTexSubImage2D(k->target, level, 0, 0, width, height, pixels_of(k->format), GL_FLOAT,
                        floats);
    test_free(floats);
}

/* A mutable texture of which level 0 is adopted has no other level, and no other maximum. */
static int levels_of(const host_texture *t)
{
    const bool is_single = (t->kind.level == 0 && t->kind.is_mutable) || t->width * t->height == 1;
    return is_single ? t->kind.level + 1 : t->kind.level + 2;
}

host_texture host_texture_new(const host_kind *kind, int width, int height)
{
    host_texture t = {.kind = *kind, .width = width, .height = height};
    const int levels = levels_of(&t);
    assert_true(made_count < MOST_TEXTURES);
    glGenTextures(1, &t.name);
    made[made_count++] = t.name;
    glBindTexture(kind->target, t.name);
    if (!kind->is_mutable && kind->target == GL_TEXTURE_2D_ARRAY)
        glTexStorage3D(kind->target, levels, kind->format, side_at(&t, width, 0),
                       side_at(&t, height, 0), LAYERS);
    else if (!kind->is_mutable)
        glTexStorage2D(kind->target, levels, kind->format, side_at(&t, width, 0),
                       side_at(&t, height, 0));
    for (int level = 0; level < levels; ++level)
        fill_level(&t, level);
    if (levels > 1)
        glTexParameteri(kind->target, GL_TEXTURE_MAX_LEVEL, levels - 1);
    glBindTexture(kind->target, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return t;
}

void host_texture_end(const host_texture *texture)
{
    glDeleteTextures(1, &texture->name);
}

void host_textures_end(void)
{
    glDeleteTextures(made_count, made);
    made_count = 0;
}

/* All images of a level, in floats; the caller frees them. */
static float *read_level(const host_texture *t, int level, size_t *image)
{
    const GLenum format = t->kind.format;
    *image = (size_t)side_at(t, t->width, level) * (size_t)side_at(t, t->height, level) *
             (size_t)channels_of(format);
    float *floats = test_malloc(LAYERS * *image * sizeof *floats);
    glFinish(); /* llvmpipe can read before it has drawn */
    glBindTexture(t->kind.target, t->name);
    glGetTexImage(t->kind.target, level, pixels_of(format), GL_FLOAT, floats);
    glBindTexture(t->kind.target, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return floats;
}

/* The place of an element among the floats of the image; both arrangements have the texels in the
 * same order. */
static size_t place_of(const host_texture *t, size_t element)
{
    const size_t used = t->kind.pixels == GLNN_PIXELS_AS_ROWS ? (size_t)columns_of(&t->kind)
                                                              : (size_t)channels_of(t->kind.format);
    return element / used * (size_t)channels_of(t->kind.format) + element % used;
}

array read_by_host(const host_texture *t)
{
    const bool as_rows = t->kind.pixels == GLNN_PIXELS_AS_ROWS;
    array values =
        array_new(as_rows ? t->width * t->height : t->height,
                  as_rows ? columns_of(&t->kind) : t->width * channels_of(t->kind.format));
    size_t image;
    float *floats = read_level(t, t->kind.level, &image);
    for (size_t i = 0; i < length_of(values); ++i)
        values.data[i] = (double)floats[(size_t)t->kind.layer * image + place_of(t, i)];
    test_free(floats);
    return values;
}

static void write_by_host(const host_texture *t, array values)
{
    const host_kind *k = &t->kind;
    const int channels = channels_of(k->format);
    float *floats =
        test_malloc((size_t)t->width * (size_t)t->height * (size_t)channels * sizeof *floats);
    for (int i = 0; i < t->width * t->height * channels; ++i)
        floats[i] = 0.6f;
    for (size_t i = 0; i < length_of(values); ++i)
        floats[place_of(t, i)] = (float)values.data[i];
    glBindTexture(k->target, t->name);
    if (k->target == GL_TEXTURE_2D_ARRAY)
        glTexSubImage3D(k->target, k->level, 0, 0, k->layer, t->width, t->height, 1,
                        pixels_of(k->format), GL_FLOAT, floats);
    else
        glTexSubImage2D(k->target, k->level, 0, 0, t->width, t->height, pixels_of(k->format),
                        GL_FLOAT, floats);
    glBindTexture(k->target, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    test_free(floats);
}

host_texture texture_holding(const host_kind *kind, array values)
{
    const int width = kind->pixels == GLNN_PIXELS_AS_ROWS
                          ? width_for_rows(values.rows)
                          : values.columns / channels_of(kind->format);
    const int height = kind->pixels == GLNN_PIXELS_AS_ROWS ? values.rows / width : values.rows;
    assert_true(can_hold(kind, values.rows, values.columns));
    const host_texture t = host_texture_new(kind, width, height);
    write_by_host(&t, values);
    return t;
}

glnn_texture_desc described(const host_texture *texture)
{
    const host_kind *k = &texture->kind;
    return (glnn_texture_desc){.texture = texture->name,
                               .target = k->target,
                               .level = k->level,
                               .layer = k->layer,
                               .pixels = k->pixels,
                               .channels = k->channels};
}

glnn_matrix *adopted(const host_texture *texture)
{
    const glnn_texture_desc desc = described(texture);
    glnn_matrix *matrix = NULL;
    expect_ok(glnn_matrix_adopt(guest, &desc, &matrix));
    return matrix_kept(matrix);
}

static bool is_canary(const host_texture *t, float got, float want)
{
    return fabsf(got - want) <=
           (storage_of(t->kind.format) == GLNN_STORAGE_FLOAT16 ? 0x1p-11f : 0x1p-22f);
}

void expect_rest_unchanged(const host_texture *t, bool is_written)
{
    const int channels = channels_of(t->kind.format), used = columns_of(&t->kind);
    const int layers = t->kind.target == GL_TEXTURE_2D_ARRAY ? LAYERS : 1;
    for (int level = 0; level < levels_of(t); ++level) {
        size_t image;
        float *floats = read_level(t, level, &image);
        for (size_t i = 0; i < (size_t)layers * image; ++i) {
            const int layer = (int)(i / image);
            const bool is_matrix = level == t->kind.level && layer == t->kind.layer;
            if (is_matrix &&
                (t->kind.pixels == GLNN_PIXELS_AS_COLUMNS || (int)(i % (size_t)channels) < used))
                continue;
            const float want = is_matrix && is_written ? 0
                               : is_matrix             ? 0.6f
                                                       : canary(t, level, layer, i % image);
            if (!is_canary(t, floats[i], want))
                fail_msg("level %d, layer %d, float %zu is %g, not %g", level, layer, i % image,
                         (double)floats[i], (double)want);
        }
        test_free(floats);
    }
}

void expect_refused(glnn_texture_desc desc, const char *part)
{
    glnn_matrix *matrix = (glnn_matrix *)&desc;
    expect_error(glnn_matrix_adopt(guest, &desc, &matrix), GLNN_E_ARG, part);
    assert_null(matrix);
    if (strncmp(glnn_last_error(), "glnn_matrix_adopt: ", 19) != 0)
        fail_msg("\"%s\" does not name the function", glnn_last_error());
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Errors that the debug output of the host reports. */
static int reported;

static void GLAPIENTRY count_error(GLenum source, GLenum type, GLuint id, GLenum severity,
                                   GLsizei length, const GLchar *text, const void *user)
{
    (void)source, (void)id, (void)severity, (void)length, (void)user;
    if (type != GL_DEBUG_TYPE_ERROR)
        return;
    ++reported;
    print_error("OpenGL: %s\n", text);
}

int watched_host_begin(void **state)
{
    (void)state;
    adopt();
    context_use(guest);
    reported = 0;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(count_error, NULL);
    return 0;
}

int watched_host_end(void **state)
{
    release_all();
    host_textures_end();
    leave_host();
    return leave_nothing_current(state) || reported > 0;
}
