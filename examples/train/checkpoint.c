#include "checkpoint.h"

#include <glnn/safetensors.h>

#include <string.h>
#include <unistd.h>

#include "common/failure.h"

bool checkpoint_is_at(const char *path)
{
    glnn_safetensors *file = NULL;
    if (glnn_safetensors_read(path, &file) != GLNN_OK)
        return false;
    const char *format = glnn_safetensors_get_metadata(file, "format");
    const bool is_checkpoint = format && strcmp(format, "glnn-checkpoint") == 0;
    glnn_safetensors_free(file);
    return is_checkpoint;
}

bool checkpoint_find_former(const char *path, char former[PATH_CAPACITY])
{
    const size_t most = PATH_CAPACITY - sizeof ".1";
    if (!path_follow(path, former))
        return false;
    if (strlen(former) > most)
        return refuse("--checkpoint %.80s...: the path is longer than %zu bytes", path, most);
    strcat(former, ".1");
    return true;
}

static bool may_replace(const char *path, bool overwrites)
{
    if (access(path, F_OK) != 0)
        return true;
    if (!overwrites)
        return refuse("--checkpoint: %s exists already; --resume continues from it, and "
                      "--overwrite replaces it",
                      path);
    return checkpoint_is_at(path) ||
           refuse("--checkpoint: %s is not a checkpoint, or is damaged, so --overwrite does not "
                  "replace it; remove it, or give another name",
                  path);
}

bool checkpoint_may_begin(const char *path, bool overwrites)
{
    char former[PATH_CAPACITY];
    return checkpoint_find_former(path, former) && may_replace(path, overwrites) &&
           may_replace(former, overwrites);
}
