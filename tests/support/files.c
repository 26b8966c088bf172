#include "files.h"

#include <dirent.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Where the files of this program are. */
static char folder[FOLDER_CAPACITY];

int folder_make(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/glnn-test-XXXXXX", parent && *parent ? parent : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

file_path path_of(const char *name)
{
    file_path path;
    snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
    return path;
}

/* Counts the files of a folder, and removes them where `remove_them` is set: of the program's
 * folder. */
static int folder_files(const char *path, bool remove_them)
{
    int count = 0;
    DIR *stream = opendir(path);
    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
        if (entry->d_name[0] == '.')
            continue;
        ++count;
        if (remove_them)
            remove(path_of(entry->d_name).text);
    }
    closedir(stream);
    return count;
}

int files_in_folder(void)
{
    return folder_files(folder, false);
}

int files_open(void)
{
    return folder_files("/proc/self/fd", false);
}

int folder_remove(void **state)
{
    (void)state;
    folder_files(folder, true);
    return rmdir(folder);
}

file_path file_write(const char *name, const void *bytes, size_t size)
{
    file_path path = path_of(name);
    remove(path.text); /* some file systems flush a file that is shortened and written anew */
    FILE *file = fopen(path.text, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

size_t file_read(const char *path, void *bytes, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, capacity, file);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    return size;
}

void assert_fails(glnn_status status, glnn_status wanted, const char *part)
{
    if (status != wanted || !strstr(glnn_last_error(), part))
        fail_msg("%s: \"%s\" instead of %s with \"%s\"", glnn_status_name(status),
                 glnn_last_error(), glnn_status_name(wanted), part);
}

glnn_status read_or_explain(file_reader reader, const char *path)
{
    glnn_status status = reader(path);
    if (status) {
        assert_int_not_equal(status, GLNN_E_ARG);
        assert_non_null(strstr(glnn_last_error(), path));
    }
    return status;
}

void assert_truncations_fail(file_reader reader, const char *path)
{
    static unsigned char bytes[1u << 16];
    size_t size = file_read(path, bytes, sizeof bytes);
    for (size_t length = 0; length < size; ++length) {
        file_path cut = file_write("cut", bytes, length);
        assert_int_equal(read_or_explain(reader, cut.text), GLNN_E_FORMAT);
    }
}

int refused_flips(file_reader reader, const char *path)
{
    static unsigned char bytes[1u << 16];
    size_t size = file_read(path, bytes, sizeof bytes);
    int refused = 0;
    for (size_t bit = 0; bit < 8 * size; ++bit) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        file_path flipped = file_write("flipped", bytes, size);
        refused += read_or_explain(reader, flipped.text) != GLNN_OK;
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    return refused;
}

void assert_odd_paths_fail(file_reader reader)
{
    assert_int_equal(read_or_explain(reader, path_of("missing").text), GLNN_E_IO);
    assert_int_equal(read_or_explain(reader, folder), GLNN_E_IO);
    assert_int_equal(read_or_explain(reader, file_write("empty", "", 0).text), GLNN_E_FORMAT);
    assert_fails(reader(""), GLNN_E_ARG, "the path is empty");
    /* Its first bytes show that it is of no format, so the others are not read. */
    const file_path huge = file_write("huge", "", 0);
    if (truncate(huge.text, (off_t)1 << 40) == 0)
        assert_int_equal(read_or_explain(reader, huge.text), GLNN_E_FORMAT);
    remove(huge.text);
}

static void assert_full_disk_keeps_old_file(file_writer writer)
{
    char old[] = "what stood here before", found[sizeof old];
    folder_files(folder, true);
    file_path path = file_write("kept", old, sizeof old);
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){64, limit.rlim_max}), 0);
    glnn_status status = writer(path.text);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, handler);
    assert_fails(status, GLNN_E_IO, path.text);
    assert_int_equal(file_read(path.text, found, sizeof found), sizeof old);
    assert_memory_equal(found, old, sizeof old);
    assert_int_equal(files_in_folder(), 1);
}

void locale_with_comma(void)
{
    const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    const char *set = NULL;
    for (size_t i = 0; !set && i < sizeof names / sizeof *names; ++i)
        set = setlocale(LC_NUMERIC, names[i]);
    if (!set) {
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
    char text[16];
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
}

void locale_end(void)
{
    setlocale(LC_NUMERIC, "C");
}

static void assert_odd_targets_fail(file_writer writer)
{
    assert_fails(writer(path_of("no/such/folder").text), GLNN_E_IO, "no/such/folder");
    assert_fails(writer(folder), GLNN_E_IO, folder);
    assert_fails(writer(""), GLNN_E_ARG, "the path is empty");
}

void truncated_files_are_refused(void **state)
{
    const file_format *format = *state;
    const file_path path = path_of("whole");
    assert_int_equal(format->writer(path.text), GLNN_OK);
    assert_truncations_fail(format->reader, path.text);
}

void odd_paths_are_explained(void **state)
{
    const file_format *format = *state;
    assert_odd_paths_fail(format->reader);
    if (format->writer)
        assert_odd_targets_fail(format->writer);
}

void a_full_disk_keeps_the_old_file(void **state)
{
    const file_format *format = *state;
    assert_full_disk_keeps_old_file(format->writer);
}
