/* A guest that keeps the context of its host between glnn_context_begin and glnn_context_end. */
#include "support/gl_calls.h"
#include "support/guest.h"
#include "support/odd_state.h"

#include <glnn/map.h>

#include <stdio.h>

enum { SIDE = 8 };

static glnn_matrix *new_matrix(glnn_context *ctx)
{
    glnn_matrix *matrix = NULL;
    expect_ok(
        glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = SIDE, .columns = SIDE}, &matrix));
    return matrix;
}

static void a_single_call_makes_at_most_150_calls_of_opengl(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = new_matrix(guest);
    expect_ok(glnn_fill(guest, 1, matrix));
    count_gl_calls(true);
    expect_ok(glnn_fill(guest, 2, matrix));
    const int single = gl_calls;
    printf("single %d\n", single);
    gl_calls = 0;
    expect_ok(glnn_context_begin(guest));
    printf("begin %d\n", gl_calls);
    expect_ok(glnn_fill(guest, 2, matrix));
    printf("fill %d\n", gl_calls);
    expect_ok(glnn_fill(guest, 2, matrix));
    printf("fill %d\n", gl_calls);
    expect_ok(glnn_context_end(guest));
    printf("end %d\n", gl_calls);
    count_gl_calls(false);
    assert_in_range(single, 20, 150);
    glnn_matrix_destroy(matrix);
    leave_host();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_single_call_makes_at_most_150_calls_of_opengl),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
