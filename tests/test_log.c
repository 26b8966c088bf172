/* The log. */
#include "support/support.h"

static int messages;

static void log_once_more(void *user, glnn_log_level level, const char *message)
{
    (void)user;
    if (messages++ == 0)
        glnn_log_write(level, message);
}

static void a_log_function_that_writes_to_the_log_does_not_hang(void **state)
{
    (void)state;
    messages = 0;
    glnn_log_set(log_once_more, NULL);
    glnn_log_write(GLNN_LOG_INFO, "a message");
    assert_int_equal(messages, 2);
    glnn_log_write(GLNN_LOG_INFO, "a message");
    assert_int_equal(messages, 3);
    glnn_log_set(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_function_that_writes_to_the_log_does_not_hang),
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
