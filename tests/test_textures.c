/* Textures of matrices, which a host samples with the library's GLSL. */
#include "support/host_textures.h"
#include "support/sampling.h"

#include <glnn/copy.h>
#include <glnn/map.h>
#include <glnn/texture.h>

static int make_host(void **state)
{
    (void)state;
    adopt();
    context_use(guest);
    return 0;
}

static int end_host(void **state)
{
    release_all();
    host_textures_end();
    leave_host();
    return leave_nothing_current(state);
}

#define HOST_TEST(function) cmocka_unit_test_setup_teardown(function, make_host, end_host)

static glnn_texture_info texture_of(const glnn_matrix *matrix)
{
    glnn_texture_info info = {.size = sizeof info};
    expect_ok(glnn_matrix_get_texture(matrix, &info));
    return info;
}

static void expect_sampled(const glnn_matrix *matrix, array want, const char *what)
{
    expect_same_bits(sampled_by_host(matrix), want, "%s, %s, %s, %d x %d", what,
                     glnn_layout_name(glnn_matrix_get_layout(matrix)),
                     glnn_storage_name(glnn_matrix_get_storage(matrix)), want.rows, want.columns);
}

static void a_host_samples_each_element_of_each_layout_and_storage(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {5, 9}, {31, 17}};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout)
        for (size_t i = 0; i < 2 * COUNT_OF(sizes); ++i) {
            const glnn_storage storage = i % 2 ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
            const array values = array_numbered(sizes[i / 2][0], sizes[i / 2][1]);
            expect_sampled(matrix_stored(values, layout, storage), values, "uploaded");
        }
}

static void a_host_samples_the_elements_of_wrapped_textures(void **state)
{
    (void)state;
    const array values = array_numbered(67, 10);
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        glnn_matrix *matrix = matrix_wrapped(matrix_of(values, rendered_layout(i)), 3);
        assert_int_equal(texture_of(matrix).wrap, 3);
        expect_sampled(matrix, values, "wrapped");
    }
}

/* In the compute stage, passes store the elements to images. */
static void a_host_samples_the_result_of_a_pass_after_the_call_or_the_pair(void **state)
{
    (void)state;
    const array values = array_numbered(33, 21);
    for (int i = 0; i < 2 * RENDERED_COUNT; ++i) {
        const glnn_matrix *x = matrix_of(values, rendered_layout(i / 2));
        glnn_matrix *copy = matrix_zero(33, 21, rendered_layout(i / 2));
        if (i % 2)
            expect_ok(glnn_context_begin(guest));
        expect_ok(glnn_copy(guest, x, copy));
        if (i % 2)
            expect_ok(glnn_context_end(guest));
        expect_sampled(copy, values, "copied");
    }
}

/* The copy could overtake the host's fetches if the library did not know of them. */
static void what_a_host_has_sampled_is_not_overtaken_by_a_later_pass(void **state)
{
    (void)state;
    const array first = array_numbered(64, 64);
    glnn_matrix *matrix = matrix_of(first, GLNN_LAYOUT_PACKED);
    for (int i = 0; i < 8; ++i) {
        expect_ok(glnn_fill(guest, (float)i, matrix));
        const array sampled = sampled_by_host(matrix);
        expect_ok(glnn_fill(guest, -1, matrix));
        for (size_t k = 0; k < length_of(sampled); ++k)
            assert_true(sampled.data[k] == i);
    }
}

static void the_texture_is_described_as_opengl_knows_it(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_COUNT; ++layout)
        for (int half = 0; half < 2; ++half) {
            const glnn_storage storage = half ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
            const glnn_texture_info info =
                texture_of(matrix_stored(array_numbered(9, 30), layout, storage));
            static const GLenum names[] = {GL_TEXTURE_INTERNAL_FORMAT, GL_TEXTURE_WIDTH,
                                           GL_TEXTURE_HEIGHT, GL_TEXTURE_DEPTH};
            GLint values[4];
            assert_true(glIsTexture(info.texture));
            assert_true(info.layout == layout);
            glBindTexture(info.target, info.texture);
            for (int k = 0; k < 4; ++k)
                glGetTexLevelParameteriv(info.target, 0, names[k], &values[k]);
            glBindTexture(info.target, 0);
            assert_int_equal(values[0], info.format);
            assert_int_equal(values[1], info.width);
            assert_int_equal(values[2], info.height);
            assert_int_equal(values[3], info.layers);
            assert_int_equal(glGetError(), GL_NO_ERROR);
        }
}

static void an_adopted_texture_is_described_with_its_level_and_layer(void **state)
{
    (void)state;
    static const host_kind kinds[] = {
        {.format = GL_RGBA8, .target = GL_TEXTURE_2D_ARRAY, .level = 1, .layer = 2},
        {.format = GL_R8, .target = GL_TEXTURE_2D, .level = 1},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const host_texture texture = host_texture_new(&kinds[i], 6, 5);
        const glnn_texture_info info = texture_of(adopted(&texture));
        assert_int_equal(info.texture, texture.name);
        assert_int_equal(info.target, kinds[i].target);
        assert_int_equal(info.format, kinds[i].format);
        assert_int_equal(info.width, 6);
        assert_int_equal(info.height, 5);
        assert_int_equal(info.layers, i == 0 ? 4 : 1);
        assert_int_equal(info.level, 1);
        assert_int_equal(info.layer, kinds[i].layer);
    }
    const glnn_texture_info own = texture_of(matrix_zero(3, 3, GLNN_LAYOUT_TILED));
    assert_int_equal(own.level, 0);
    assert_int_equal(own.layer, 0);
}

static void a_host_samples_an_adopted_texture_at_its_base_level(void **state)
{
    (void)state;
    static const host_kind kinds[] = {
        {.format = GL_RGBA8, .target = GL_TEXTURE_2D},
        {.format = GL_R32F, .target = GL_TEXTURE_2D, .level = 1},
        {.format = GL_RGBA16F,
         .target = GL_TEXTURE_2D,
         .pixels = GLNN_PIXELS_AS_ROWS,
         .channels = 3,
         .level = 1},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const host_texture texture = host_texture_new(&kinds[i], 8, 5);
        glBindTexture(GL_TEXTURE_2D, texture.name);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, kinds[i].level);
        glBindTexture(GL_TEXTURE_2D, 0);
        expect_sampled(adopted(&texture), read_by_host(&texture), "adopted");
    }
}

static void layouts_that_no_matrix_has_have_no_text(void **state)
{
    (void)state;
    assert_null(glnn_layout_glsl(GLNN_LAYOUT_AUTO));
    assert_null(glnn_layout_glsl(GLNN_LAYOUT_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOST_TEST(a_host_samples_each_element_of_each_layout_and_storage),
        HOST_TEST(a_host_samples_the_elements_of_wrapped_textures),
        HOST_TEST(a_host_samples_the_result_of_a_pass_after_the_call_or_the_pair),
        HOST_TEST(what_a_host_has_sampled_is_not_overtaken_by_a_later_pass),
        HOST_TEST(the_texture_is_described_as_opengl_knows_it),
        HOST_TEST(an_adopted_texture_is_described_with_its_level_and_layer),
        HOST_TEST(a_host_samples_an_adopted_texture_at_its_base_level),
        HOST_TEST(layouts_that_no_matrix_has_have_no_text),
    };
    let_driver_have_threads();
    return cmocka_run_group_tests_name("textures", tests, keep_driver_loaded, NULL);
}
