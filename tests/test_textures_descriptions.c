/* Which textures can be adopted: descriptions, targets and formats. */
#include "support/host_textures.h"

#include <glnn/copy.h>
#include <glnn/map.h>

#include <stdio.h>

static const host_kind packed = {.format = GL_RGBA8, .target = GL_TEXTURE_2D};
static const host_kind layered = {
    .format = GL_RGBA32F, .target = GL_TEXTURE_2D_ARRAY, .layer = 1, .level = 1};

#define HOST_TEST(function)                                                                        \
    cmocka_unit_test_setup_teardown(function, watched_host_begin, watched_host_end)

static void descriptions_that_no_texture_fits_are_refused(void **state)
{
    (void)state;
    const host_texture texture = host_texture_new(&packed, 6, 5);
    glnn_texture_desc d = described(&texture);
    expect_refused((glnn_texture_desc){0}, "`texture` is 0");
    d.texture = 99999;
    expect_refused(d, "texture 99999 does not exist, or its name has never been bound");
    d = described(&texture);
    d.target = GL_TEXTURE_3D;
    expect_refused(d, "`target` is 0x806f");
    d.target = GL_TEXTURE_2D_ARRAY;
    expect_refused(d, "is a GL_TEXTURE_2D, not a GL_TEXTURE_2D_ARRAY; set `target`");
    d = described(&texture);
    d.level = -1;
    expect_refused(d, "`level` is -1");
    d.level = 31;
    expect_refused(d, "`level` is 31");
    d.level = 7;
    expect_refused(d, "has no level 7");
    d = described(&texture);
    d.layer = 1;
    expect_refused(d, "`layer` is 1; it must be 0 for GL_TEXTURE_2D");
    d.layer = -1;
    expect_refused(d, "`layer` is -1");
    d = described(&texture);
    d.pixels = GLNN_PIXELS_COUNT;
    expect_refused(d, "`pixels` is 2");
    d.pixels = GLNN_PIXELS_AS_ROWS;
    d.name = "sky";
    expect_refused(d, "sky: the texture is 6 texels wide");
    d.pixels = GLNN_PIXELS_AS_COLUMNS;
    d.channels = 3;
    expect_refused(d, "`channels` is 3; pixels that are columns have all 4");
    d.channels = 5;
    expect_refused(d, "`channels` is 5; it must be from 0 to 4");
    d.channels = -1;
    expect_refused(d, "`channels` is -1; it must be from 0 to 4");
    const host_texture stack = host_texture_new(&layered, 4, 4);
    d = described(&stack);
    d.layer = 4;
    expect_refused(d, "does not exist; it has layers 0 to 3");
    d.target = 0;
    d.layer = 0;
    expect_refused(d, "is a GL_TEXTURE_2D_ARRAY, not a GL_TEXTURE_2D; set `target`");
}

static GLuint texture_with(GLenum format)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexStorage2D(GL_TEXTURE_2D, 3, format, 8, 8);
    return name;
}

static void formats_other_than_the_five_are_refused(void **state)
{
    (void)state;
    static const struct {
        GLenum format;
        const char *name;
        bool is_encoded; /* a view of it has a format that is taken */
    } refused[] = {
        {GL_SRGB8, "GL_SRGB8", true},
        {GL_SRGB8_ALPHA8, "GL_SRGB8_ALPHA8", true},
        {GL_RGB8, "GL_RGB8", false},
        {GL_RGBA16, "GL_RGBA16", false},
        {GL_RGBA8_SNORM, "GL_RGBA8_SNORM", false},
        {GL_RGBA8UI, "GL_RGBA8UI", false},
        {GL_R16F, "GL_R16F", false},
        {GL_RG32F, "GL_RG32F", false},
        {GL_DEPTH_COMPONENT24, "GL_DEPTH_COMPONENT24", false},
        {GL_RGB10_A2, "GL_RGB10_A2", false},
        {GL_RGB10_A2UI, "0x906f", false},
    };
    for (size_t i = 0; i < COUNT_OF(refused); ++i) {
        const GLuint name = texture_with(refused[i].format);
        char part[128];
        snprintf(part, sizeof part,
                 "is %s; it must be GL_RGBA32F, GL_RGBA16F, GL_RGBA8, GL_R32F or GL_R8",
                 refused[i].name);
        expect_refused((glnn_texture_desc){.texture = name}, part);
        assert_int_equal(strstr(glnn_last_error(), "glTextureView makes") != NULL,
                         refused[i].is_encoded);
        glDeleteTextures(1, &name);
    }
}

static void targets_other_than_the_two_are_refused(void **state)
{
    (void)state;
    GLuint cube, data, never_bound;
    glGenTextures(1, &cube);
    glBindTexture(GL_TEXTURE_CUBE_MAP, cube);
    expect_refused((glnn_texture_desc){.texture = cube}, "is a GL_TEXTURE_CUBE_MAP; only");
    glDeleteTextures(1, &cube);
    glGenTextures(1, &never_bound);
    expect_refused((glnn_texture_desc){.texture = never_bound}, "has never been bound");
    glDeleteTextures(1, &never_bound);
    glDisable(GL_DEBUG_OUTPUT); /* Mesa refuses to name the target of a buffer texture */
    glGenTextures(1, &data);
    glBindTexture(GL_TEXTURE_BUFFER, data);
    expect_refused((glnn_texture_desc){.texture = data}, "is a GL_TEXTURE_BUFFER; only");
    glDeleteTextures(1, &data);
}

/* OpenGL does not tell the target there. */
static void a_wrong_target_is_refused_in_a_compatibility_profile(void **state)
{
    (void)state;
    const foreign old = foreign_headless_of(true);
    glnn_context *ctx = NULL;
    glnn_matrix *matrix = NULL;
    GLuint cube;
    expect_ok(adopt_current(&ctx));
    glGenTextures(1, &cube);
    glBindTexture(GL_TEXTURE_CUBE_MAP, cube);
    expect_error(glnn_matrix_adopt(ctx, &(glnn_texture_desc){.texture = cube}, &matrix), GLNN_E_ARG,
                 "is not a GL_TEXTURE_2D; set `target`");
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteTextures(1, &cube);
    glnn_context_destroy(ctx);
    foreign_end(&old);
    foreign_make_current(&host);
}

static void formats_without_a_size_are_taken_if_they_have_8_bits(void **state)
{
    (void)state;
    const host_kind kinds[] = {
        {.format = GL_RGBA, .target = GL_TEXTURE_2D, .is_mutable = true},
        {.format = GL_RED, .target = GL_TEXTURE_2D_ARRAY, .layer = 2, .is_mutable = true}};
    for (int i = 0; i < 2; ++i) {
        const host_texture texture = host_texture_new(&kinds[i], 3, 5);
        glnn_matrix *matrix = adopted(&texture);
        assert_int_equal(glnn_matrix_get_storage(matrix), GLNN_STORAGE_UNORM8);
        expect_ok(glnn_fill(guest, 0.2f, matrix));
        expect_ok(glnn_axpby(guest, 1, matrix, 1, matrix));
        const array got = read_by_host(&texture);
        for (size_t k = 0; k < length_of(got); ++k)
            assert_true(fabs(got.data[k] - 0.4) < 1e-6);
        expect_rest_unchanged(&texture, true);
    }
}

/* Its numbers are the encoded ones. */
static void a_view_without_encoding_of_an_srgb_texture_is_taken(void **state)
{
    (void)state;
    static const GLubyte texels[8 * 8 * 4] = {51, 102, 204, 255};
    const GLuint encoded = texture_with(GL_SRGB8_ALPHA8);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    GLuint view;
    float elements[3];
    glnn_matrix *matrix = NULL;
    glGenTextures(1, &view);
    glTextureView(view, GL_TEXTURE_2D, encoded, GL_RGBA8, 0, 1, 0, 1);
    expect_ok(glnn_matrix_adopt(guest, &(glnn_texture_desc){.texture = view}, &matrix));
    glnn_matrix *copy = matrix_zero(8, 32, GLNN_LAYOUT_TILED);
    expect_ok(glnn_copy(guest, matrix_kept(matrix), copy));
    expect_ok(glnn_matrix_download(guest, copy, &(glnn_rect){0, 0, 1, 3}, elements, 0));
    for (int i = 0; i < 3; ++i)
        assert_true(fabs((double)elements[i] - texels[i] / 255.0) < 1e-6);
    glDeleteTextures(1, &view);
    glDeleteTextures(1, &encoded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOST_TEST(descriptions_that_no_texture_fits_are_refused),
        HOST_TEST(formats_other_than_the_five_are_refused),
        HOST_TEST(targets_other_than_the_two_are_refused),
        HOST_TEST(a_wrong_target_is_refused_in_a_compatibility_profile),
        HOST_TEST(formats_without_a_size_are_taken_if_they_have_8_bits),
        HOST_TEST(a_view_without_encoding_of_an_srgb_texture_is_taken),
    };
    return cmocka_run_group_tests_name("descriptions of textures", tests, keep_driver_loaded, NULL);
}
