/* Runs the self-test in a page. The exit status tells whether a result failed. */
#include <glnn/glnn.h>

#include <stdio.h>

static void write_line(void *user, const char *line)
{
    (void)user;
    puts(line);
}

static int fail(void)
{
    puts(glnn_last_error());
    return 1;
}

int main(void)
{
    glnn_context *ctx;
    glnn_selftest_report report = {.size = sizeof report};
    if (glnn_context_create(NULL, &ctx) != GLNN_OK)
        return fail();
    if (glnn_selftest(ctx, write_line, NULL, &report) != GLNN_OK)
        return fail();
    glnn_context_destroy(ctx);
    return report.failed > 0;
}
