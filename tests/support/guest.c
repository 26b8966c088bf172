#include "guest.h"

foreign host;
glnn_context *guest;

glnn_status adopt_current(glnn_context **out)
{
    return glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, out);
}

void adopt(void)
{
    host = foreign_headless();
    expect_ok(adopt_current(&guest));
}

void leave_host(void)
{
    glnn_context_destroy(guest);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    foreign_end(&host);
}

glnn_matrix *new_square(glnn_context *ctx)
{
    glnn_matrix *square = NULL;
    expect_ok(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = SQUARE_SIDE, .columns = SQUARE_SIDE}, &square));
    return square;
}

void expect_square(glnn_context *ctx, const glnn_matrix *square, float value)
{
    float values[SQUARE_SIDE * SQUARE_SIDE];
    expect_ok(glnn_matrix_download(ctx, square, NULL, values, 0));
    for (size_t i = 0; i < COUNT_OF(values); ++i)
        assert_true(values[i] == value);
}

GLuint failed_query(void)
{
    GLuint query = 0;
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glEndQuery(GL_SAMPLES_PASSED);
    return query;
}
