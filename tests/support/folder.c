#include "folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char here[64];

int folder_enter(void **state)
{
    (void)state;
    strcpy(here, "/tmp/glnn-examples-XXXXXX");
    unsetenv("GLNN_DATA_DIR");
    return mkdtemp(here) != NULL ? chdir(here) : -1;
}

int folder_leave(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", here);
    return chdir("/") != 0 || system(command) != 0;
}
