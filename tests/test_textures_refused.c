/* Textures that are refused: by their descriptions, or because the host has deleted or changed them
 * since they were adopted. The library leaves all state of the host as it was. */
#include "support/host_textures.h"
#include "support/odd_state.h"

#include <glnn/copy.h>
#include <glnn/map.h>

static const host_kind packed = {.format = GL_RGBA8, .target = GL_TEXTURE_2D};
static const host_kind loose = {.format = GL_R32F, .target = GL_TEXTURE_2D, .is_mutable = true};
static const host_kind layered = {
    .format = GL_RGBA32F, .target = GL_TEXTURE_2D_ARRAY, .layer = 1, .level = 1};

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

static int make_host(void **state)
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

static int end_host(void **state)
{
    release_all();
    host_textures_end();
    leave_host();
    return leave_nothing_current(state) || reported > 0;
}

#define HOST_TEST(function) cmocka_unit_test_setup_teardown(function, make_host, end_host)

static void expect_refused(glnn_texture_desc desc, const char *part)
{
    glnn_matrix *matrix = (glnn_matrix *)&desc;
    expect_error(glnn_matrix_adopt(guest, &desc, &matrix), GLNN_E_ARG, part);
    assert_null(matrix);
    if (strncmp(glnn_last_error(), "glnn_matrix_adopt: ", 19) != 0)
        fail_msg("\"%s\" does not name the function", glnn_last_error());
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

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
        const char *part;
    } refused[] = {
        {GL_SRGB8_ALPHA8, "is GL_SRGB8_ALPHA8; it must be GL_RGBA32F, GL_RGBA16F, GL_RGBA8, "
                          "GL_R32F or GL_R8. glTextureView makes"},
        {GL_RGB8, "is GL_RGB8; it must be GL_RGBA32F"},
        {GL_RGBA16, "is GL_RGBA16; it must be GL_RGBA32F"},
        {GL_RGBA8_SNORM, "is GL_RGBA8_SNORM; it must be GL_RGBA32F"},
        {GL_RGBA8UI, "is GL_RGBA8UI; it must be GL_RGBA32F"},
        {GL_R16F, "is GL_R16F; it must be GL_RGBA32F"},
        {GL_RG32F, "is GL_RG32F; it must be GL_RGBA32F"},
        {GL_DEPTH_COMPONENT24, "is GL_DEPTH_COMPONENT24; it must be GL_RGBA32F"},
        {GL_RGB10_A2, "is GL_RGB10_A2; it must be GL_RGBA32F"},
        {GL_RGB10_A2UI, "is 0x906f; it must be GL_RGBA32F"},
    };
    for (size_t i = 0; i < COUNT_OF(refused); ++i) {
        const GLuint name = texture_with(refused[i].format);
        expect_refused((glnn_texture_desc){.texture = name}, refused[i].part);
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

static void set_parameter(const host_texture *texture, GLenum name, GLint value)
{
    glBindTexture(texture->kind.target, texture->name);
    glTexParameteri(texture->kind.target, name, value);
    glBindTexture(texture->kind.target, 0);
}

/* Each call that uses the matrix is refused, with this in its sentence. OpenGL sees no error. */
static void expect_unusable(glnn_matrix *matrix, const char *part)
{
    const int rows = glnn_matrix_get_rows(matrix), columns = glnn_matrix_get_columns(matrix);
    float *floats = floats_new((size_t)rows * (size_t)columns);
    glnn_matrix *own = matrix_zero(rows, columns, GLNN_LAYOUT_TILED);
    glnn_texture_info info = {.size = sizeof info};
    glnn_download *download = NULL;
    expect_error(glnn_fill(guest, 1, matrix), GLNN_E_STATE, part);
    expect_error(glnn_copy(guest, matrix, own), GLNN_E_STATE, part);
    expect_error(glnn_copy(guest, own, matrix), GLNN_E_STATE, part);
    expect_error(glnn_axpby(guest, 1, own, 1, matrix), GLNN_E_STATE, part);
    expect_error(glnn_matrix_upload(guest, matrix, NULL, floats, 0), GLNN_E_STATE, part);
    expect_error(glnn_matrix_download(guest, matrix, NULL, floats, 0), GLNN_E_STATE, part);
    expect_error(glnn_download_begin(guest, matrix, NULL, &download), GLNN_E_STATE, part);
    assert_null(download);
    expect_error(glnn_matrix_get_texture(matrix, &info), GLNN_E_STATE, part);
    expect_ok(glnn_context_begin(guest));
    expect_error(glnn_fill(guest, 1, matrix), GLNN_E_STATE, part);
    expect_ok(glnn_context_end(guest));
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void expect_usable(glnn_matrix *matrix, const host_texture *texture)
{
    expect_ok(glnn_fill(guest, 0.4f, matrix));
    const array got = read_by_host(texture);
    for (size_t i = 0; i < length_of(got); ++i)
        assert_true(fabs(got.data[i] - 0.4) < 1e-6);
}

/* Some drivers of GPUs keep the name of a deleted texture while a framebuffer has it attached. */
static const char *deleted(void)
{
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(guest, &info));
    return info.software ? "was deleted" : "texture";
}

static void a_deleted_texture_is_refused_until_another_one_like_it_has_its_name(void **state)
{
    (void)state;
    static const host_kind *const kinds[] = {&packed, &loose, &layered};
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const host_texture texture = host_texture_new(kinds[i], 4, 6);
        glnn_matrix *matrix = adopted(&texture);
        expect_usable(matrix, &texture);
        host_texture_end(&texture);
        expect_unusable(matrix, deleted());
        const host_texture next = host_texture_new(kinds[i], 4, 6);
        if (next.name != texture.name)
            continue;
        expect_usable(matrix, &next);
        expect_rest_unchanged(&next, true);
        host_texture_end(&next);
        const host_texture small = host_texture_new(kinds[i], 2, 6);
        assert_int_equal(small.name, texture.name);
        expect_unusable(matrix, "had 4 x 6 texels when it was adopted, and has 2 x 6");
        host_texture_end(&small);
        glBindTexture(GL_TEXTURE_CUBE_MAP, texture.name);
        expect_unusable(matrix, "is not a GL_TEXTURE_2D");
        glBindTexture(GL_TEXTURE_CUBE_MAP, 0);
        host_texture_end(&texture);
    }
}

static void a_texture_that_was_specified_anew_is_refused_until_it_is_as_it_was(void **state)
{
    (void)state;
    const host_texture texture = host_texture_new(&loose, 5, 3);
    glnn_matrix *matrix = adopted(&texture);
    static const float zeros[7 * 3];
    glBindTexture(GL_TEXTURE_2D, texture.name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 7, 3, 0, GL_RED, GL_FLOAT, zeros);
    expect_unusable(matrix,
                    "had 5 x 3 texels when it was adopted, and has 7 x 3 now; adopt it anew");
    glBindTexture(GL_TEXTURE_2D, texture.name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 5, 3, 0, GL_RED, GL_FLOAT, zeros);
    expect_unusable(matrix, "was GL_R32F when it was adopted, and is GL_RGBA8 now");
    glBindTexture(GL_TEXTURE_2D, texture.name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 5, 3, 0, GL_RED, GL_FLOAT, zeros);
    glBindTexture(GL_TEXTURE_2D, 0);
    expect_usable(matrix, &texture);
}

static void a_texture_that_has_lost_the_layer_is_refused(void **state)
{
    (void)state;
    const host_kind kind = {
        .format = GL_R8, .target = GL_TEXTURE_2D_ARRAY, .layer = 3, .is_mutable = true};
    const host_texture texture = host_texture_new(&kind, 4, 4);
    glnn_matrix *matrix = adopted(&texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture.name);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R8, 4, 4, 2, 0, GL_RED, GL_FLOAT, NULL);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    expect_unusable(matrix, "had 4 layers when it was adopted, and has 2 now");
}

static void parameters_that_hide_the_matrix_are_refused(void **state)
{
    (void)state;
    const host_texture texture = host_texture_new(&layered, 4, 4);
    glnn_matrix *matrix = adopted(&texture);
    set_parameter(&texture, GL_TEXTURE_SWIZZLE_G, GL_ZERO);
    expect_unusable(matrix, "is GL_ZERO; it must be GL_GREEN");
    expect_refused(described(&texture), "GL_TEXTURE_SWIZZLE_G of texture");
    set_parameter(&texture, GL_TEXTURE_SWIZZLE_G, GL_GREEN);
    set_parameter(&texture, GL_TEXTURE_BASE_LEVEL, 2);
    expect_unusable(matrix, "level 1 of texture");
    set_parameter(&texture, GL_TEXTURE_BASE_LEVEL, 1);
    expect_usable(matrix, &texture);
    set_parameter(&texture, GL_TEXTURE_BASE_LEVEL, 0);
    set_parameter(&texture, GL_TEXTURE_MAX_LEVEL, 0);
    expect_unusable(matrix, "0 (GL_TEXTURE_BASE_LEVEL) to 0 (GL_TEXTURE_MAX_LEVEL)");
    set_parameter(&texture, GL_TEXTURE_MAX_LEVEL, 2);
    expect_usable(matrix, &texture);
}

static void a_swizzle_of_a_channel_that_is_no_column_does_not_matter(void **state)
{
    (void)state;
    const host_kind kind = {
        .format = GL_RGBA8, .target = GL_TEXTURE_2D, .pixels = GLNN_PIXELS_AS_ROWS, .channels = 3};
    const host_texture texture = host_texture_new(&kind, 4, 4);
    glnn_texture_desc all = described(&texture);
    set_parameter(&texture, GL_TEXTURE_SWIZZLE_A, GL_ONE);
    glnn_matrix *matrix = adopted(&texture);
    expect_usable(matrix, &texture);
    all.channels = 4;
    expect_refused(all, "GL_TEXTURE_SWIZZLE_A of texture");
    set_parameter(&texture, GL_TEXTURE_SWIZZLE_B, GL_RED);
    expect_unusable(matrix, "is GL_RED; it must be GL_BLUE");
}

static void levels_of_a_mipmap_that_lacks_one_are_refused(void **state)
{
    (void)state;
    const host_kind kind = {
        .format = GL_RGBA8, .target = GL_TEXTURE_2D, .level = 1, .is_mutable = true};
    const host_texture texture = host_texture_new(&kind, 16, 16);
    set_parameter(&texture, GL_TEXTURE_MAX_LEVEL, 1000);
    expect_refused(described(&texture), "is missing; set GL_TEXTURE_MAX_LEVEL");
    set_parameter(&texture, GL_TEXTURE_MAX_LEVEL, 2);
    expect_usable(adopted(&texture), &texture);
}

static void one_image_is_not_read_and_written_as_two_matrices(void **state)
{
    (void)state;
    const host_texture texture = host_texture_new(&packed, 4, 4);
    const glnn_matrix *first = adopted(&texture);
    glnn_matrix *second = adopted(&texture);
    expect_error(glnn_copy(guest, first, second), GLNN_E_ARG, "must be adopted once");
}

static size_t texture_bytes(void)
{
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(guest, &info));
    return info.texture_bytes;
}

static void a_texture_outlives_its_matrix_and_the_guest(void **state)
{
    (void)state;
    glnn_matrix *matrix = NULL;
    const host_texture texture = host_texture_new(&packed, 64, 64);
    const glnn_texture_desc desc = described(&texture);
    glnn_context *second = NULL;
    matrix_zero(1, 1, GLNN_LAYOUT_PACKED);
    const size_t before = texture_bytes();
    for (int i = 0; i < 50; ++i) {
        expect_ok(glnn_matrix_adopt(guest, &desc, &matrix));
        expect_ok(glnn_fill(guest, 0.4f, matrix));
        glnn_matrix_destroy(matrix);
    }
    assert_int_equal(texture_bytes(), before);
    expect_ok(adopt_current(&second));
    expect_ok(glnn_matrix_adopt(second, &desc, &matrix));
    expect_ok(glnn_fill(second, 0.2f, matrix));
    watch_log();
    glnn_context_destroy(second);
    assert_int_equal(watched_messages(GLNN_LOG_WARNING), 1);
    glnn_matrix_destroy(matrix);
    assert_true(glIsTexture(texture.name));
    assert_true(fabs(read_by_host(&texture).data[0] - 0.2) < 1e-6);
}

static void get_parameters(const host_texture *texture, GLint values[12])
{
    static const GLenum names[] = {
        GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER, GL_TEXTURE_WRAP_S,      GL_TEXTURE_WRAP_T,
        GL_TEXTURE_BASE_LEVEL, GL_TEXTURE_MAX_LEVEL,  GL_TEXTURE_COMPARE_MODE};
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        glGetTextureParameteriv(texture->name, names[i], &values[i]);
    glGetTextureParameteriv(texture->name, GL_TEXTURE_SWIZZLE_RGBA, &values[8]);
}

/* Reads, writes, adds, maps in place, uploads and downloads. */
static void use(glnn_matrix *matrix, const snapshot *before)
{
    const int rows = glnn_matrix_get_rows(matrix), columns = glnn_matrix_get_columns(matrix);
    float *floats = floats_new((size_t)rows * (size_t)columns);
    glnn_matrix *own = matrix_zero(rows, columns, GLNN_LAYOUT_TILED);
    glnn_texture_info info = {.size = sizeof info};
    snapshot_check(before);
    expect_ok(glnn_copy(guest, matrix, own));
    snapshot_check(before);
    expect_ok(glnn_copy(guest, own, matrix));
    snapshot_check(before);
    expect_ok(glnn_axpby(guest, 1, own, 1, matrix));
    snapshot_check(before);
    expect_ok(glnn_map_apply(guest, GLNN_MAP_TANH, matrix, matrix));
    snapshot_check(before);
    expect_ok(glnn_matrix_upload(guest, matrix, NULL, floats, 0));
    expect_ok(glnn_matrix_upload(guest, matrix, &(glnn_rect){1, 1, 1, 1}, floats, 0));
    snapshot_check(before);
    expect_ok(glnn_matrix_download(guest, matrix, NULL, floats, 0));
    expect_ok(glnn_matrix_get_texture(matrix, &info));
    snapshot_check(before);
}

static void no_state_and_no_parameter_changes(void **state)
{
    (void)state;
    static const host_kind *const kinds[] = {&packed, &loose, &layered};
    host_texture textures[COUNT_OF(kinds)];
    for (size_t i = 0; i < COUNT_OF(kinds); ++i)
        textures[i] = host_texture_new(kinds[i], 4, 6);
    set_odd_state();
    snapshot *before = snapshot_take();
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        GLint values[12] = {0}, after[12] = {0};
        get_parameters(&textures[i], values);
        glnn_matrix *matrix = adopted(&textures[i]);
        use(matrix, before);
        expect_refused((glnn_texture_desc){.texture = 99999}, "does not exist");
        snapshot_check(before);
        get_parameters(&textures[i], after);
        assert_memory_equal(values, after, sizeof values);
    }
    release_all();
    snapshot_check(before);
    snapshot_free(before);
    leave_odd_state();
}

/* The barriers that were issued. */
static GLbitfield barriers;
static PFNGLMEMORYBARRIERPROC real_barrier;

static void GLAPIENTRY note_barrier(GLbitfield bits)
{
    barriers |= bits;
    real_barrier(bits);
}

static void stores_are_shown_to_the_host_when_the_call_or_the_pair_ends(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(guest, &info));
    const bool stores = info.stage == GLNN_STAGE_COMPUTE || info.writes == GLNN_WRITES_IMAGES;
    const GLbitfield all = stores ? GL_ALL_BARRIER_BITS : 0;
    const host_texture texture = host_texture_new(&packed, 4, 4);
    glnn_matrix *matrix = adopted(&texture);
    real_barrier = __glewMemoryBarrier;
    __glewMemoryBarrier = note_barrier;
    barriers = 0;
    expect_ok(glnn_fill(guest, 1, matrix));
    assert_int_equal(barriers, all);
    expect_ok(glnn_context_begin(guest));
    barriers = 0;
    expect_ok(glnn_fill(guest, 1, matrix));
    assert_int_not_equal(barriers, GL_ALL_BARRIER_BITS);
    expect_ok(glnn_context_end(guest));
    assert_int_equal(barriers == GL_ALL_BARRIER_BITS, stores);
    __glewMemoryBarrier = real_barrier;
}

/* A context of the library's own, of which the host has a context that shares objects. */
static void contexts_of_the_librarys_own_take_textures_of_contexts_that_share(void **state)
{
    (void)state;
    glnn_context *own = NULL;
    glnn_matrix *matrix = NULL;
    expect_ok(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_EGL}, &own));
    const foreign library = {.display = eglGetCurrentDisplay(), .context = eglGetCurrentContext()};
    const foreign sharing = foreign_sharing(&library);
    foreign_make_current(&sharing);
    const host_texture texture = host_texture_new(&loose, 7, 5);
    const glnn_texture_desc desc = described(&texture);
    glFinish();
    expect_ok(glnn_matrix_adopt(own, &desc, &matrix));
    for (int i = 1; i < 4; ++i) {
        expect_ok(glnn_fill(own, (float)i, matrix));
        expect_ok(glnn_axpby(own, 1, matrix, 1, matrix));
        expect_ok(glnn_context_finish(own));
        foreign_make_current(&sharing);
        const array got = read_by_host(&texture);
        for (size_t k = 0; k < length_of(got); ++k)
            assert_true(got.data[k] == 2 * i);
    }
    host_texture_end(&texture);
    expect_error(glnn_fill(own, 1, matrix), GLNN_E_STATE, "was deleted");
    glnn_matrix_destroy(matrix);
    glnn_context_destroy(own);
    eglDestroyContext(sharing.display, sharing.context);
    foreign_make_current(&host);
}

static void matrices_are_not_created_in_8_bits(void **state)
{
    (void)state;
    glnn_matrix *matrix = NULL;
    expect_error(glnn_matrix_create(
                     guest,
                     &(glnn_matrix_desc){.rows = 1, .columns = 1, .storage = GLNN_STORAGE_UNORM8},
                     &matrix),
                 GLNN_E_ARG, "unorm8, which only adopted textures have; see glnn_matrix_adopt");
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
        HOST_TEST(a_deleted_texture_is_refused_until_another_one_like_it_has_its_name),
        HOST_TEST(a_texture_that_was_specified_anew_is_refused_until_it_is_as_it_was),
        HOST_TEST(a_texture_that_has_lost_the_layer_is_refused),
        HOST_TEST(parameters_that_hide_the_matrix_are_refused),
        HOST_TEST(a_swizzle_of_a_channel_that_is_no_column_does_not_matter),
        HOST_TEST(levels_of_a_mipmap_that_lacks_one_are_refused),
        HOST_TEST(one_image_is_not_read_and_written_as_two_matrices),
        HOST_TEST(a_texture_outlives_its_matrix_and_the_guest),
        HOST_TEST(no_state_and_no_parameter_changes),
        HOST_TEST(stores_are_shown_to_the_host_when_the_call_or_the_pair_ends),
        HOST_TEST(contexts_of_the_librarys_own_take_textures_of_contexts_that_share),
        HOST_TEST(matrices_are_not_created_in_8_bits),
    };
    return cmocka_run_group_tests_name("refused textures", tests, keep_driver_loaded, NULL);
}
