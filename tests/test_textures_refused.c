/* Textures that are refused because the host has deleted or changed them, or set parameters that
 * hide elements. The library leaves all state of the host as it was. */
#include "support/host_textures.h"
#include "support/odd_state.h"

#include <glnn/copy.h>
#include <glnn/map.h>

static const host_kind packed = {.format = GL_RGBA8, .target = GL_TEXTURE_2D};
static const host_kind loose = {.format = GL_R32F, .target = GL_TEXTURE_2D, .is_mutable = true};
static const host_kind layered = {
    .format = GL_RGBA32F, .target = GL_TEXTURE_2D_ARRAY, .layer = 1, .level = 1};

#define HOST_TEST(function)                                                                        \
    cmocka_unit_test_setup_teardown(function, watched_host_begin, watched_host_end)

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

/* A later matrix of this size takes a texture that the library has kept, so it does not take the
 * name of a texture that the host deletes. */
static void keep_texture(int rows, int columns)
{
    const glnn_matrix_desc desc = {.rows = rows, .columns = columns, .layout = GLNN_LAYOUT_TILED};
    glnn_matrix *matrix;
    expect_ok(glnn_matrix_create(guest, &desc, &matrix));
    glnn_matrix_destroy(matrix);
}

static void a_deleted_texture_is_refused_until_another_one_like_it_has_its_name(void **state)
{
    (void)state;
    static const host_kind *const kinds[] = {&packed, &loose, &layered};
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const host_texture texture = host_texture_new(kinds[i], 4, 6);
        glnn_matrix *matrix = adopted(&texture);
        expect_usable(matrix, &texture);
        keep_texture(glnn_matrix_get_rows(matrix), glnn_matrix_get_columns(matrix));
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
        GLuint cube = 0;
        glGenTextures(1, &cube);
        assert_int_equal(cube, texture.name);
        glBindTexture(GL_TEXTURE_CUBE_MAP, cube);
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
