/* Hosts with a compatibility profile whose old commands exclude the library's: render modes that
 * draw nothing, and primitives between glBegin and glEnd. */
#include "support/guest.h"
#include "support/snapshot.h"

#include <glnn/map.h>
#include <glnn/texture.h>

static glnn_matrix *square;

/* OpenGL begins primitives only in a complete framebuffer. */
static void bind_framebuffer(void)
{
    GLuint framebuffer, renderbuffer;
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(1, &renderbuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 4, 4);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
}

static int make_host(void **state)
{
    (void)state;
    host = foreign_headless_of(true);
    bind_framebuffer();
    expect_ok(adopt_current(&guest));
    square = new_square(guest);
    expect_ok(glnn_fill(guest, 2, square));
    return 0;
}

static int end_host(void **state)
{
    glnn_matrix_destroy(square);
    leave_host();
    return leave_nothing_current(state);
}

#define OLD_HOST_TEST(function) cmocka_unit_test_setup_teardown(function, make_host, end_host)

/* Calls that draw, transfer, create, adopt and begin a pair. */
static void expect_all_refused(const char *part)
{
    float values[SQUARE_SIDE * SQUARE_SIDE] = {0};
    glnn_matrix *matrix = NULL;
    glnn_context *second = NULL;
    const glnn_matrix_desc desc = {.rows = 2, .columns = 2, .data = values};
    expect_error(glnn_fill(guest, 1, square), GLNN_E_STATE, part);
    expect_error(glnn_matrix_download(guest, square, NULL, values, 0), GLNN_E_STATE, part);
    expect_error(glnn_matrix_upload(guest, square, NULL, values, 0), GLNN_E_STATE, part);
    expect_error(glnn_matrix_create(guest, &desc, &matrix), GLNN_E_STATE, part);
    expect_error(glnn_matrix_adopt(guest, &(glnn_texture_desc){.texture = 1}, &matrix),
                 GLNN_E_STATE, part);
    expect_error(glnn_context_finish(guest), GLNN_E_STATE, part);
    expect_error(glnn_context_begin(guest), GLNN_E_STATE, part);
    expect_error(glnn_context_end(guest), GLNN_E_STATE, "no pair is open");
    expect_error(adopt_current(&second), GLNN_E_STATE, part);
    assert_null(second);
}

/* OpenGL notes that the library has asked, as an error of the host. */
static void end_primitive(void)
{
    glEnd();
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void calls_are_refused_in_render_modes_that_draw_nothing(void **state)
{
    (void)state;
    GLuint selected[16];
    GLfloat fed_back[16];
    glSelectBuffer(COUNT_OF(selected), selected);
    glFeedbackBuffer(COUNT_OF(fed_back), GL_2D, fed_back);
    glRenderMode(GL_SELECT);
    expect_all_refused("is GL_SELECT");
    glRenderMode(GL_FEEDBACK);
    expect_all_refused("is GL_FEEDBACK");
    assert_int_equal(glRenderMode(GL_RENDER), 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    expect_square(guest, square, 2);
    expect_ok(glnn_fill(guest, 3, square));
    expect_square(guest, square, 3);
}

static void a_host_in_such_a_mode_cannot_be_adopted(void **state)
{
    (void)state;
    const foreign other = foreign_headless_of(true);
    glnn_context *ctx = NULL;
    GLuint selected[16];
    bind_framebuffer();
    glSelectBuffer(COUNT_OF(selected), selected);
    glRenderMode(GL_SELECT);
    expect_error(adopt_current(&ctx), GLNN_E_STATE, "glnn_context_create: the render mode");
    glRenderMode(GL_RENDER);
    glBegin(GL_POINTS);
    expect_error(adopt_current(&ctx), GLNN_E_STATE, "glnn_context_create: the adopted context is");
    end_primitive();
    foreign_end(&other);
    foreign_make_current(&host);
}

static void calls_are_refused_between_begin_and_end_of_a_primitive(void **state)
{
    (void)state;
    snapshot *before = snapshot_take();
    watch_log();
    glBegin(GL_TRIANGLES);
    expect_all_refused("between glBegin and glEnd");
    end_primitive();
    snapshot_check(before);
    assert_int_equal(watched_messages(GLNN_LOG_WARNING), 0);
    expect_square(guest, square, 2);
    expect_ok(glnn_fill(guest, 3, square));
    expect_square(guest, square, 3);
    snapshot_free(before);
}

static void a_pair_stays_open_until_the_primitive_has_ended(void **state)
{
    (void)state;
    snapshot *before = snapshot_take();
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_fill(guest, 3, square));
    glBegin(GL_TRIANGLES);
    expect_error(glnn_fill(guest, 4, square), GLNN_E_STATE, "between glBegin and glEnd");
    expect_error(glnn_context_begin(guest), GLNN_E_STATE, "between glBegin and glEnd");
    expect_error(glnn_context_end(guest), GLNN_E_STATE, "between glBegin and glEnd");
    end_primitive();
    expect_ok(glnn_context_end(guest));
    snapshot_check(before);
    expect_error(glnn_context_end(guest), GLNN_E_STATE, "no pair is open");
    expect_square(guest, square, 3);
    snapshot_free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OLD_HOST_TEST(calls_are_refused_in_render_modes_that_draw_nothing),
        OLD_HOST_TEST(a_host_in_such_a_mode_cannot_be_adopted),
        OLD_HOST_TEST(calls_are_refused_between_begin_and_end_of_a_primitive),
        OLD_HOST_TEST(a_pair_stays_open_until_the_primitive_has_ended),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
