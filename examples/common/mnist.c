#include "mnist.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "digits.h"
#include "failure.h"

static const char default_folder[] = "data/mnist", digits_folder[] = "data/digits";

static const char *const names[] = {MNIST_TRAIN_IMAGES, MNIST_TRAIN_LABELS, MNIST_TEST_IMAGES,
                                    MNIST_TEST_LABELS};

bool mnist_path(const char *folder, const char *name, char path[PATH_CAPACITY])
{
    char compressed[64];
    snprintf(compressed, sizeof compressed, "%s.gz", name);
    if (!path_join(path, folder, compressed))
        return false;
    if (access(path, F_OK) == 0)
        return true;
    if (!path_join(path, folder, name))
        return false;
    if (access(path, F_OK) == 0)
        return true;
    return refuse("the folder %s has neither %s nor %s", folder, name, compressed);
}

static bool has_all(const char *folder)
{
    char path[PATH_CAPACITY];
    for (int i = 0; i < 4; ++i)
        if (!mnist_path(folder, names[i], path))
            return false;
    return true;
}

bool mnist_has_any(const char *folder)
{
    char path[PATH_CAPACITY];
    for (int i = 0; i < 4; ++i)
        if (mnist_path(folder, names[i], path))
            return true;
    return false;
}

static const char *named_folder(const char *folder)
{
    const char *variable = getenv("GLNN_DATA_DIR");
    return folder ? folder : variable && variable[0] ? variable : NULL;
}

const char *mnist_find(const char *folder)
{
    const char *named = named_folder(folder);
    /* A folder with only some of the files is an incomplete download, which has to be reported. */
    if (named == NULL && mnist_has_any(default_folder))
        named = default_folder;
    if (named != NULL && path_readable(named))
        refuse("%s is a file, not a folder with the files of MNIST; the program train reads tables",
               named);
    else if (named != NULL && has_all(named))
        return named;
    if (named != NULL)
        return NULL;
    if (!has_all(digits_folder) &&
        !digits_write(digits_folder, DIGITS_SEED, DIGITS_TRAIN, DIGITS_TEST))
        return NULL;
    printf("note: MNIST is not in %s, so these are generated digits; scripts/get_mnist.sh "
           "downloads it\n",
           default_folder);
    return digits_folder;
}

bool mnist_read(const char *folder, const char *name, glnn_idx *out)
{
    char path[PATH_CAPACITY];
    return mnist_path(folder, name, path) &&
           (glnn_idx_read(path, out) == GLNN_OK || refuse("%s", glnn_last_error()));
}

static bool is_file_of(const char *folder, const char *path)
{
    char file[PATH_CAPACITY];
    for (int i = 0; i < 4; ++i)
        if (mnist_path(folder, names[i], file) && path_same(file, path))
            return true;
    return false;
}

bool mnist_reads(const char *folder, const char *path)
{
    const char *named = named_folder(folder);
    if (named)
        return is_file_of(named, path);
    return is_file_of(default_folder, path) || is_file_of(digits_folder, path);
}
