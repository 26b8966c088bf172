/* The driver's fences outlive their threads: see lib/gl/fences.h. */
#define _GNU_SOURCE
#include "support/support.h"

#include "gl/gl.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* Of so many broadcasts one is held up. A fence gets one from each thread, so this is odd. */
#define HELD_UP_ONE_IN 7

static _Atomic(pthread_cond_t *) held_up; /* by a thread of the driver that is about to signal it */
static atomic_int broadcasts, destroyed_too_early;

static void wait_milliseconds(long milliseconds)
{
    nanosleep(&(struct timespec){0, 1000000 * milliseconds}, NULL);
}

typedef int call(pthread_cond_t *condition);

static call *find_real(const char *name)
{
    call *function;
    void *address = dlsym(RTLD_NEXT, name);
    memcpy(&function, &address, sizeof function);
    return function;
}

static bool is_rasteriser(void)
{
    char name[32] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    return strncmp(name, "llvmpipe-", strlen("llvmpipe-")) == 0;
}

/* Takes the place of the system's function, and does what a scheduler may do. */
int pthread_cond_broadcast(pthread_cond_t *condition)
{
    if (is_rasteriser() && atomic_fetch_add(&broadcasts, 1) % HELD_UP_ONE_IN == 0) {
        atomic_store(&held_up, condition);
        wait_milliseconds(1);
        atomic_store(&held_up, NULL);
    }
    return find_real("pthread_cond_broadcast")(condition);
}

/* A condition that is still in use is counted, and destroyed when the thread is done with it. */
int pthread_cond_destroy(pthread_cond_t *condition)
{
    if (condition == atomic_load(&held_up)) {
        ++destroyed_too_early;
        wait_milliseconds(5);
    }
    return find_real("pthread_cond_destroy")(condition);
}

static glnn_matrix *cleared_matrix(void)
{
    glnn_matrix *matrix = NULL;
    const glnn_matrix_desc desc = {.rows = 8, .columns = 8, .layout = GLNN_LAYOUT_TILED};
    expect_ok(glnn_matrix_create(glnn_test_context(), &desc, &matrix));
    return matrix;
}

/* False on other drivers. */
static bool watch_fences(void)
{
    broadcasts = destroyed_too_early = 0;
    return strncmp(glnn_test_context()->info.renderer, "llvmpipe", strlen("llvmpipe")) == 0;
}

static void expect_fences_were_kept(void)
{
    expect_ok(glnn_context_finish(glnn_test_context()));
    assert_true(broadcasts > HELD_UP_ONE_IN);
    assert_int_equal(destroyed_too_early, 0);
}

static void no_fence_is_destroyed_while_a_thread_signals_it(void **state)
{
    (void)state;
    if (!watch_fences())
        skip();
    glnn_matrix *a = matrix_of(array_new(8, 8), GLNN_LAYOUT_TILED);
    for (int i = 0; i < 100; ++i) {
        glnn_matrix *b = cleared_matrix();
        expect_ok(glnn_transpose(glnn_test_context(), a, b));
        expect_ok(glnn_transpose(glnn_test_context(), b, a));
        glnn_matrix_destroy(b);
    }
    expect_fences_were_kept();
}

/* Slices that are blended into one target share a scene of the driver, and a fence. */
static void the_fence_of_blended_slices_is_kept_too(void **state)
{
    (void)state;
    if (!watch_fences())
        skip();
    const glnn_gemm_desc slices = {.slice = 16, .accumulate = GLNN_ACCUMULATE_BLEND};
    glnn_matrix *a = matrix_of(array_new(8, 96), GLNN_LAYOUT_TILED);
    glnn_matrix *b = matrix_of(array_new(96, 8), GLNN_LAYOUT_TILED);
    for (int i = 0; i < 50; ++i) {
        glnn_matrix *c = cleared_matrix();
        expect_ok(glnn_gemm(glnn_test_context(), &slices, 1, a, b, 0, c));
        glnn_matrix_destroy(c);
    }
    expect_fences_were_kept();
}

/* Each drawing is handed over to all threads, and by them to each other. */
static void zeros_are_no_work_for_the_threads(void **state)
{
    (void)state;
    enum { MATRICES = 50 };
    expect_ok(glnn_context_finish(glnn_test_context()));
    if (!watch_fences() || !GLEW_ARB_clear_texture)
        skip();
    for (int i = 0; i < MATRICES; ++i)
        glnn_matrix_destroy(cleared_matrix());
    expect_ok(glnn_context_finish(glnn_test_context()));
    assert_true(broadcasts < MATRICES / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(no_fence_is_destroyed_while_a_thread_signals_it),
                                       TEST(the_fence_of_blended_slices_is_kept_too),
                                       TEST(zeros_are_no_work_for_the_threads)};
    let_driver_have_threads();
    return cmocka_run_group_tests_name("fences", tests, test_group_setup, test_group_teardown);
}
