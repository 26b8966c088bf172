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

GLuint failed_query(void)
{
    GLuint query = 0;
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glEndQuery(GL_SAMPLES_PASSED);
    return query;
}
