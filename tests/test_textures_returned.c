/* Adopted textures after their matrices: no framebuffer of the library keeps them. */
#include "support/host_textures.h"

#include <glnn/map.h>

/* Names of framebuffers are small numbers, which drivers give in order. */
static int count_framebuffers(void)
{
    int count = 0;
    for (GLuint name = 1; name < 256; ++name)
        count += glIsFramebuffer(name);
    return count;
}

static const host_kind kind = {.format = GL_RGBA32F, .target = GL_TEXTURE_2D};

/* A texture whose matrix was an output. */
typedef struct written {
    host_texture texture;
    glnn_matrix *matrix;
    int before; /* framebuffers */
} written;

static written write_texture(void)
{
    written w = {.texture = host_texture_new(&kind, 4, 4)};
    glnn_texture_desc desc = described(&w.texture);
    expect_ok(glnn_context_finish(guest));
    w.before = count_framebuffers();
    expect_ok(glnn_matrix_adopt(guest, &desc, &w.matrix));
    expect_ok(glnn_fill(guest, 1, w.matrix));
    assert_int_equal(count_framebuffers(), w.before + 1);
    return w;
}

static int make_host(void **state)
{
    (void)state;
    adopt();
    glnn_matrix_destroy(new_square(guest)); /* the framebuffers that a context keeps */
    return 0;
}

static int make_old_host(void **state)
{
    (void)state;
    host = foreign_headless_of(true);
    expect_ok(adopt_current(&guest));
    glnn_matrix_destroy(new_square(guest));
    return 0;
}

static int end_host(void **state)
{
    host_textures_end();
    leave_host();
    return leave_nothing_current(state);
}

static void a_destroyed_matrix_leaves_no_framebuffer(void **state)
{
    (void)state;
    const written w = write_texture();
    glnn_matrix_destroy(w.matrix);
    assert_int_equal(count_framebuffers(), w.before);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void a_matrix_can_be_destroyed_after_its_texture(void **state)
{
    (void)state;
    const written w = write_texture();
    host_texture_end(&w.texture);
    glnn_matrix_destroy(w.matrix);
    assert_int_equal(count_framebuffers(), w.before);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void a_matrix_that_is_destroyed_in_a_pair_leaves_no_framebuffer(void **state)
{
    (void)state;
    glnn_matrix *other = new_square(guest);
    expect_ok(glnn_context_begin(guest));
    const written w = write_texture();
    glnn_matrix_destroy(w.matrix);
    assert_int_equal(count_framebuffers(), w.before);
    expect_ok(glnn_fill(guest, 2, other));
    expect_ok(glnn_context_end(guest));
    expect_square(guest, other, 2);
    glnn_matrix_destroy(other);
}

/* Another context is current, which has the same names. */
static void without_the_context_the_next_call_deletes_the_framebuffer(void **state)
{
    (void)state;
    const written w = write_texture();
    const foreign other = foreign_headless();
    GLuint names[64];
    glGenFramebuffers(64, names);
    for (int i = 0; i < 64; ++i)
        glBindFramebuffer(GL_FRAMEBUFFER, names[i]);
    const int others = count_framebuffers();
    glnn_matrix_destroy(w.matrix);
    assert_int_equal(count_framebuffers(), others);
    foreign_end(&other);
    foreign_make_current(&host);
    assert_int_equal(count_framebuffers(), w.before + 1);
    expect_ok(glnn_context_finish(guest));
    assert_int_equal(count_framebuffers(), w.before);
}

static void within_a_primitive_of_the_host_the_next_call_deletes_the_framebuffer(void **state)
{
    (void)state;
    GLuint framebuffer;
    const written w = write_texture();
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, w.texture.name, 0);
    glBegin(GL_TRIANGLES);
    glnn_matrix_destroy(w.matrix);
    glEnd();
    glGetError(); /* OpenGL notes that the library has asked */
    expect_ok(glnn_context_finish(guest));
    glDeleteFramebuffers(1, &framebuffer);
    assert_int_equal(count_framebuffers(), w.before);
}

#define HOST_TEST(function)     cmocka_unit_test_setup_teardown(function, make_host, end_host)
#define OLD_HOST_TEST(function) cmocka_unit_test_setup_teardown(function, make_old_host, end_host)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOST_TEST(a_destroyed_matrix_leaves_no_framebuffer),
        HOST_TEST(a_matrix_can_be_destroyed_after_its_texture),
        HOST_TEST(a_matrix_that_is_destroyed_in_a_pair_leaves_no_framebuffer),
        HOST_TEST(without_the_context_the_next_call_deletes_the_framebuffer),
        OLD_HOST_TEST(within_a_primitive_of_the_host_the_next_call_deletes_the_framebuffer),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
