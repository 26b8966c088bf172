#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glnn/file.h>

#include "failure.h"

static bool fail(const char *path)
{
    return refuse("cannot write %s: %s", path, strerror(errno));
}

/* The stream of a pipe or a device, or that of standard output, which continues where it is. */
static FILE *open_in_place(const char *path, bool is_output)
{
    fflush(stdout);
    return is_output ? fdopen(dup(STDOUT_FILENO), "w") : fopen(path, "w");
}

bool whole_file_open(const char *path, whole_file *out)
{
    struct stat info, output;
    *out = (whole_file){.stream = NULL};
    if (strlen(path) >= sizeof out->path)
        return refuse("the path %.80s... is longer than %zu bytes", path, sizeof out->path - 1);
    strcpy(out->path, path);
    const bool exists = stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
    const bool is_output = exists && fstat(STDOUT_FILENO, &output) == 0 &&
                           info.st_dev == output.st_dev && info.st_ino == output.st_ino;
    out->is_in_place = is_output || (exists && !S_ISREG(info.st_mode));
    out->stream =
        out->is_in_place ? open_in_place(path, is_output) : open_memstream(&out->text, &out->size);
    return out->stream != NULL || fail(path);
}

bool whole_file_open_in(const char *folder, const char *name, whole_file *out)
{
    char path[PATH_CAPACITY];
    return path_join(path, folder, name) && whole_file_open(path, out);
}

bool whole_file_close(whole_file *of)
{
    bool done = !ferror(of->stream);
    done = fclose(of->stream) == 0 && done;
    if (!done)
        fail(of->path);
    else if (!of->is_in_place && glnn_file_write(of->path, of->text, of->size) != GLNN_OK)
        done = refuse("%s", glnn_last_error());
    free(of->text);
    return done;
}

void whole_file_discard(whole_file *of)
{
    fclose(of->stream);
    free(of->text);
}

bool whole_file_uses(const char *path, const char *other, char name[PATH_CAPACITY])
{
    enum { MOST = 64, NAME_PART = 200 }; /* see glnn/file.h */
    char target[PATH_CAPACITY];
    if (!path_follow(path, target))
        return false;
    const char *slash = strrchr(target, '/');
    const int folder = slash ? (int)(slash - target) + 1 : 0;
    for (int i = 0; i < MOST; ++i)
        if (snprintf(name, PATH_CAPACITY, "%.*s%.*s.glnn-saving-%d", folder, target, (int)NAME_PART,
                     target + folder, i) < PATH_CAPACITY &&
            path_same(name, other))
            return true;
    return false;
}
