/* Contexts that leave a thread: for a context of the program, or for another thread. */
#include "support/guest.h"

#include "gl/current.h"
#include "gl/gl.h"

#include <pthread.h>

#include <glnn/map.h>

static void a_window_becomes_current_after_a_context_of_egl_was_released(void **state)
{
    (void)state;
    glnn_context *own = NULL;
    host = foreign_window(GLFW_OPENGL_CORE_PROFILE);
    expect_ok(adopt_current(&guest));
    glnn_matrix *drawn = new_square(guest);
    expect_ok(glnn_context_create(NULL, &own));
    glnn_matrix *matrix = new_square(own);
    for (int i = 0; i < 3; ++i) {
        expect_ok(glnn_fill(own, (float)i, matrix));
        expect_ok(glnn_context_release(own));
        assert_ptr_equal(eglGetCurrentContext(), EGL_NO_CONTEXT);
        foreign_make_current(&host); /* GLX refuses this while a context of EGL is current */
        expect_ok(glnn_fill(guest, (float)-i, drawn));
        expect_square(guest, drawn, (float)-i);
        expect_square(own, matrix, (float)i);
    }
    expect_ok(glnn_context_release(own));
    foreign_make_current(&host);
    glnn_matrix_destroy(drawn);
    glnn_context_destroy(guest);
    glnn_matrix_destroy(matrix);
    glnn_context_destroy(own);
    foreign_end(&host);
}

static void a_hidden_window_can_be_released(void **state)
{
    (void)state;
    glnn_context *own = NULL;
    expect_ok(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_GLFW}, &own));
    glnn_matrix *matrix = new_square(own);
    expect_ok(glnn_context_release(own));
    host = foreign_headless(); /* EGL refuses this while a context of GLX is current */
    const EGLContext current = eglGetCurrentContext();
    expect_ok(glnn_context_release(own)); /* another one is current */
    assert_ptr_equal(eglGetCurrentContext(), current);
    expect_ok(glnn_fill(own, 4, matrix));
    expect_ok(glnn_context_release(own));
    assert_null(glnn__current_context());
    expect_square(own, matrix, 4);
    glnn_matrix_destroy(matrix);
    glnn_context_destroy(own);
    foreign_make_current(&host);
    foreign_end(&host);
}

static void releasing_an_adopted_context_changes_nothing(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = new_square(guest);
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_context_release(guest));
    assert_ptr_equal(eglGetCurrentContext(), host.context);
    expect_ok(glnn_fill(guest, 5, matrix));
    expect_ok(glnn_context_end(guest));
    expect_square(guest, matrix, 5);
    glnn_matrix_destroy(matrix);
    leave_host();
}

static void a_context_is_not_released_within_a_call(void **state)
{
    (void)state;
    glnn_context *own = NULL;
    expect_ok(glnn_context_create(NULL, &own));
    expect_ok(glnn__gl_enter_for(own, "glnn_fill"));
    expect_error(glnn_context_release(own), GLNN_E_STATE, "glnn_fill is under way");
    assert_ptr_not_equal(eglGetCurrentContext(), EGL_NO_CONTEXT);
    expect_ok(glnn__gl_leave(own, GLNN_OK));
    glnn_context_destroy(own);
}

/* Work of another thread: fills a matrix of a context and leaves no context current. */
typedef struct work {
    glnn_context *ctx;
    glnn_matrix *matrix;
    bool is_adopted;
    glnn_status status;
} work;

static void *fill_in_thread(void *argument)
{
    work *w = argument;
    if (w->is_adopted)
        foreign_make_current(&host);
    w->status = glnn_fill(w->ctx, 6, w->matrix);
    if (w->is_adopted)
        eglMakeCurrent(host.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    else if (!w->status)
        w->status = glnn_context_release(w->ctx);
    return NULL;
}

static void fill_elsewhere(work *w)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fill_in_thread, w), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void a_context_of_the_librarys_own_moves_to_another_thread(void **state)
{
    (void)state;
    work w = {0};
    expect_ok(glnn_context_create(NULL, &w.ctx));
    w.matrix = new_square(w.ctx);
    fill_elsewhere(&w);
    assert_int_equal(w.status, GLNN_E_STATE); /* it was not released */
    expect_ok(glnn_fill(w.ctx, 2, w.matrix));
    expect_ok(glnn_context_release(w.ctx));
    fill_elsewhere(&w);
    expect_ok(w.status);
    expect_square(w.ctx, w.matrix, 6);
    glnn_matrix_destroy(w.matrix);
    glnn_context_destroy(w.ctx);
}

static void an_adopted_context_moves_to_another_thread(void **state)
{
    (void)state;
    adopt();
    work w = {.ctx = guest, .matrix = new_square(guest), .is_adopted = true};
    expect_ok(glnn_fill(guest, 2, w.matrix));
    eglMakeCurrent(host.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    fill_elsewhere(&w);
    expect_ok(w.status);
    foreign_make_current(&host);
    expect_square(guest, w.matrix, 6);
    glnn_matrix_destroy(w.matrix);
    leave_host();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_window_becomes_current_after_a_context_of_egl_was_released),
        CONTEXT_TEST(a_hidden_window_can_be_released),
        CONTEXT_TEST(releasing_an_adopted_context_changes_nothing),
        CONTEXT_TEST(a_context_is_not_released_within_a_call),
        CONTEXT_TEST(a_context_of_the_librarys_own_moves_to_another_thread),
        CONTEXT_TEST(an_adopted_context_moves_to_another_thread),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
