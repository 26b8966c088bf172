/* The example frames as its user runs it. */
#include <stdlib.h>
#include <string.h>

#include "support/folder.h"
#include "support/trainer.h"

static void frames_train_a_network_and_show_it(void **state)
{
    (void)state;
    does("");
    assert_true(printed(" epochs, accuracy ") > 95.0);
    assert_true(printed(" frames trained for ") > 0.0);
    assert_non_null(strstr(said, "....####"));
    assert_non_null(strstr(said, "####...."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(frames_train_a_network_and_show_it),
    };
    if (trainer_find("frames") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
