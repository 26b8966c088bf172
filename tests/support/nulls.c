#include "nulls.h"

#include <stdio.h>

static int failures;

void expect_null_refused(glnn_status status, const char *function, const char *pointer, int line)
{
    char sentence[128];
    snprintf(sentence, sizeof sentence, "%s: `%s` is null", function, pointer);
    if (status == GLNN_E_ARG && strcmp(glnn_last_error(), sentence) == 0)
        return;
    print_error("line %d: %s without `%s` gives %s: %s\n", line, function, pointer,
                glnn_status_name(status), status ? glnn_last_error() : "");
    ++failures;
}

int nulls_accepted(void)
{
    return failures;
}
