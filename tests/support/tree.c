#include "tree.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

void tree_make(char path[TREE_PATH])
{
    const char *parent = getenv("TMPDIR");
    snprintf(path, TREE_PATH, "%s/glnn-test-XXXXXX", parent && *parent ? parent : "/tmp");
    assert_non_null(mkdtemp(path));
}

const char *tree_path(const char *folder, const char *name)
{
    static char paths[4][TREE_PATH];
    static int next;
    char *path = paths[next++ % 4];
    assert_true(snprintf(path, TREE_PATH, "%s/%s", folder, name) < TREE_PATH);
    return path;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Hidden files too, but neither the folder itself nor the one above it. */
static bool is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

void tree_remove(const char *path)
{
    DIR *stream = is_folder(path) ? opendir(path) : NULL;
    for (struct dirent *entry = stream ? readdir(stream) : NULL; entry != NULL;
         entry = readdir(stream)) {
        char inner[TREE_PATH];
        if (!is_entry(entry))
            continue;
        snprintf(inner, sizeof inner, "%s", tree_path(path, entry->d_name));
        tree_remove(inner);
    }
    if (stream != NULL)
        closedir(stream);
    remove(path);
}

unsigned char *tree_read(const char *path, size_t *size)
{
    unsigned char *bytes = NULL;
    expect_ok(glnn__file_read(path, &bytes, size));
    return bytes;
}

void tree_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void copy_file(const char *from, const char *to)
{
    size_t size = 0;
    unsigned char *bytes = tree_read(from, &size);
    tree_write(to, bytes, size);
    free(bytes);
}

void tree_copy(const char *from, const char *to)
{
    DIR *stream = opendir(from);
    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        char source[TREE_PATH], target[TREE_PATH];
        if (!is_entry(entry))
            continue;
        snprintf(source, sizeof source, "%s", tree_path(from, entry->d_name));
        snprintf(target, sizeof target, "%s", tree_path(to, entry->d_name));
        if (is_folder(source)) {
            assert_int_equal(mkdir(target, 0755), 0);
            tree_copy(source, target);
        } else {
            copy_file(source, target);
        }
    }
    closedir(stream);
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(left, right);
}

int tree_list(const char *folder, char names[][256], int capacity)
{
    int count = 0;
    DIR *stream = opendir(folder);
    for (struct dirent *entry = stream ? readdir(stream) : NULL; entry != NULL;
         entry = readdir(stream)) {
        if (!is_entry(entry) || is_folder(tree_path(folder, entry->d_name)))
            continue;
        assert_true(count < capacity);
        snprintf(names[count++], 256, "%s", entry->d_name);
    }
    if (stream != NULL)
        closedir(stream);
    qsort(names, (size_t)count, 256, compare_names);
    return count;
}
