/* Files replaced whole: rights, links, what killed savers left, and disks that fail. */
#include "support/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/file.h"

#include <glnn/file.h>

/* The system calls in order: 'w' for a write, 'f' and 'd' for the flush of a file and of a folder,
 * 'r' for renaming. The call that `failing` names fails; a write of 'x' keeps another byte. */
static char calls[256];
static char failing;

static bool note(char call)
{
    const size_t used = strlen(calls);
    if (used + 1 < sizeof calls && (used == 0 || calls[used - 1] != call))
        calls[used] = call;
    errno = EIO;
    return call != failing;
}

ssize_t write(int file, const void *bytes, size_t size)
{
    const long written = syscall(SYS_write, file, bytes, size);
    if (!note('w'))
        return -1;
    if (failing == 'x')
        assert_int_equal(syscall(SYS_pwrite64, file, "?", 1, 0), 1);
    return written;
}

int fsync(int file)
{
    struct stat info;
    return fstat(file, &info) == 0 && note(S_ISDIR(info.st_mode) ? 'd' : 'f') ? 0 : -1;
}

int rename(const char *from, const char *to)
{
    return note('r') ? (int)syscall(SYS_rename, from, to) : -1;
}

static glnn_status replace(const char *path, const char *text)
{
    const size_t half = strlen(text) / 2;
    const glnn__span parts[] = {{text, half}, {text + half, strlen(text) - half}};
    return glnn__file_replace(path, parts, 2);
}

static void expect_text(const char *path, const char *wanted)
{
    char found[64] = "";
    file_read(path, found, sizeof found - 1);
    assert_string_equal(found, wanted);
}

static void expect_replaced(const char *path, const char *text)
{
    if (replace(path, text))
        fail_msg("%s", glnn_last_error());
    expect_text(path, text);
}

static mode_t mode_of(const char *path)
{
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    return info.st_mode & 07777;
}

static void a_new_file_gets_its_rights_from_the_umask(void **state)
{
    (void)state;
    static const mode_t masks[] = {0, 022, 027, 077};
    const mode_t own = umask(0);
    for (size_t i = 0; i < sizeof masks / sizeof *masks; ++i) {
        const file_path path = path_of("new");
        umask(masks[i]);
        expect_replaced(path.text, "text");
        assert_int_equal(mode_of(path.text), 0666 & ~masks[i]);
        remove(path.text);
    }
    umask(own);
}

static void an_old_file_keeps_its_rights_and_owner(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0666, 0444};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        struct stat info;
        const file_path path = file_write("old", "old", 3);
        assert_int_equal(chmod(path.text, modes[i]), 0);
        const bool is_given = chown(path.text, 4321, 4322) == 0; /* root alone can */
        expect_replaced(path.text, "text");
        assert_int_equal(mode_of(path.text), modes[i]);
        assert_int_equal(stat(path.text, &info), 0);
        assert_int_equal(info.st_uid, is_given ? 4321 : getuid());
        assert_int_equal(info.st_gid, is_given ? 4322 : getgid());
        remove(path.text);
    }
}

static void links_stay_and_their_targets_are_replaced(void **state)
{
    (void)state;
    const file_path folder = path_of("below"), target = path_of("below/target");
    const file_path first = path_of("first"), second = path_of("second");
    assert_int_equal(mkdir(folder.text, 0700), 0);
    assert_int_equal(symlink("below/second", first.text), 0);
    assert_int_equal(symlink("target", path_of("below/second").text), 0);
    assert_int_equal(symlink(target.text, second.text), 0);
    expect_replaced(first.text, "into nothing");
    expect_text(target.text, "into nothing");
    expect_replaced(second.text, "over a file");
    expect_text(target.text, "over a file");
    char link[64] = "";
    assert_true(readlink(first.text, link, sizeof link - 1) > 0);
    assert_string_equal(link, "below/second");
    remove(target.text);
    remove(path_of("below/second").text);
    remove(folder.text);
    assert_fails(replace(first.text, "text"), GLNN_E_IO, first.text);
    remove(first.text);
    remove(second.text);
    assert_int_equal(symlink("loop", path_of("loop").text), 0);
    assert_fails(replace(path_of("loop").text, "text"), GLNN_E_IO, "symbolic links");
    remove(path_of("loop").text);
}

static file_path link_number(int number)
{
    char name[16];
    snprintf(name, sizeof name, "link%d", number);
    return path_of(name);
}

/* The kernel follows 40 links in a row. */
static void as_many_links_are_followed_as_by_the_kernel(void **state)
{
    enum { LINKS = 41 };
    (void)state;
    const file_path target = path_of("link0");
    for (int i = 1; i <= LINKS; ++i)
        assert_int_equal(symlink(link_number(i - 1).text, link_number(i).text), 0);
    expect_replaced(link_number(LINKS - 1).text, "by 40 links");
    expect_text(target.text, "by 40 links");
    assert_int_equal(access(link_number(LINKS - 1).text, F_OK), 0);
    assert_int_equal(access(link_number(LINKS).text, F_OK), -1);
    assert_fails(replace(link_number(LINKS).text, "text"), GLNN_E_IO, "symbolic links");
    expect_text(target.text, "by 40 links");
    for (int i = 0; i <= LINKS; ++i)
        remove(link_number(i).text);
}

static void files_that_killed_savers_left_are_removed(void **state)
{
    (void)state;
    const file_path path = path_of("model"), busy = path_of("model.glnn-saving-1");
    file_write("model.glnn-saving-0", "cut", 3);
    file_write("model.glnn-saving-63", "cut", 3);
    file_write("model.glnn-saving-", "the user's", 10);
    file_write("model.bin", "the user's", 10);
    const int file = open(file_write("model.glnn-saving-1", "cut", 3).text, O_RDWR);
    assert_int_equal(flock(file, LOCK_EX), 0);
    expect_replaced(path.text, "text");
    assert_int_equal(files_in_folder(), 4);
    expect_text(busy.text, "cut");
    assert_int_equal(close(file), 0);
    expect_replaced(path.text, "text");
    assert_int_equal(files_in_folder(), 3);
    remove(path.text);
    remove(path_of("model.bin").text);
    remove(path_of("model.glnn-saving-").text);
}

static void names_of_any_length_can_be_replaced(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'n', sizeof name - 1);
    name[255] = 0;
    expect_replaced(path_of(name).text, "text");
    remove(path_of(name).text);
}

/* Each child replaces the file by texts of its own, over and over. */
static void save_often(const char *path, int child)
{
    char text[32];
    memset(text, 'a' + child, sizeof text - 1);
    text[sizeof text - 1] = 0;
    for (int i = 0; i < 20; ++i) {
        if (replace(path, text))
            _exit(1);
    }
    _exit(0);
}

static void savers_of_one_file_do_not_disturb_each_other(void **state)
{
    (void)state;
    enum { CHILDREN = 4 };
    const file_path path = path_of("shared");
    char text[64] = "";
    for (int child = 0; child < CHILDREN; ++child) {
        const pid_t process = fork();
        assert_true(process >= 0);
        if (process == 0)
            save_often(path.text, child);
    }
    for (int child = 0; child < CHILDREN; ++child) {
        int status = -1;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(file_read(path.text, text, sizeof text), 31);
    assert_int_equal(strspn(text, (char[]){text[0], 0}), 31);
    assert_int_equal(files_in_folder(), 1);
    remove(path.text);
}

static void the_folder_is_flushed_after_the_renaming(void **state)
{
    (void)state;
    memset(calls, 0, sizeof calls);
    expect_replaced(path_of("flushed").text, "text");
    assert_string_equal(calls, "wfrd");
    remove(path_of("flushed").text);
}

static void a_disk_that_fails_keeps_the_old_file(void **state)
{
    (void)state;
    static const struct {
        char call;
        const char *part;
    } cases[] = {{'w', "Input/output"},
                 {'f', "Input/output"},
                 {'r', "Input/output"},
                 {'x', "read back from the disk differ"}};
    const file_path path = file_write("old", "the old file", 12);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        failing = cases[i].call;
        const glnn_status status = replace(path.text, "text");
        failing = 0;
        assert_fails(status, GLNN_E_IO, cases[i].part);
        expect_text(path.text, "the old file");
        assert_int_equal(files_in_folder(), 1);
    }
    failing = 'd';
    const glnn_status status = replace(path.text, "text");
    failing = 0;
    assert_fails(status, GLNN_E_IO, "written, but its folder");
    expect_text(path.text, "text");
    remove(path.text);
}

/* A call that waits for the other end of a pipe is ended by the alarm. */
static void only_regular_files_are_read_and_replaced(void **state)
{
    (void)state;
    const file_path pipe = path_of("pipe"), folder = path_of("folder");
    const char *const paths[] = {pipe.text, folder.text, "/dev/null"};
    struct stat info;
    assert_int_equal(mkfifo(pipe.text, 0600), 0);
    assert_int_equal(mkdir(folder.text, 0700), 0);
    alarm(20);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
        unsigned char *bytes;
        size_t size;
        assert_fails(glnn__file_read(paths[i], &bytes, &size), GLNN_E_IO, "not a regular file");
        assert_fails(replace(paths[i], "text"), GLNN_E_IO, "not a regular file");
    }
    alarm(0);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    remove(pipe.text);
    remove(folder.text);
}

/* The list of mappings has a line for each range of equal rights. */
static void lengthen_list_of_mappings(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    enum { PAGES = 256 };
    char *pages = mmap(NULL, PAGES * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    for (size_t i = 0; i < PAGES; i += 2)
        assert_int_equal(mprotect(pages + i * page, page, PROT_READ), 0);
}

static void files_without_a_length_are_read_to_their_end(void **state)
{
    (void)state;
    unsigned char *bytes;
    size_t size;
    lengthen_list_of_mappings();
    assert_int_equal(glnn__file_read("/proc/self/maps", &bytes, &size), GLNN_OK);
    assert_true(size > 4096);
    assert_int_equal(strlen((char *)bytes), size);
    free(bytes);
}

static void a_program_replaces_its_own_files(void **state)
{
    (void)state;
    const file_path path = path_of("own");
    unsigned char *got;
    size_t size;
    for (size_t i = 0; i < 3; ++i) {
        assert_int_equal(glnn_file_write(path.text, "text", i * 2), GLNN_OK);
        assert_int_equal(glnn__file_read(path.text, &got, &size), GLNN_OK);
        assert_int_equal(size, i * 2);
        assert_memory_equal(got, "text", size);
        free(got);
    }
    assert_int_equal(glnn_file_write("", "text", 4), GLNN_E_ARG);
    assert_non_null(strstr(glnn_last_error(), "the path is empty"));
    assert_int_equal(glnn_file_write(path_of(".").text, "text", 4), GLNN_E_IO);
    assert_non_null(strstr(glnn_last_error(), "not a regular file"));
    remove(path.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_replaces_its_own_files),
        cmocka_unit_test(a_new_file_gets_its_rights_from_the_umask),
        cmocka_unit_test(an_old_file_keeps_its_rights_and_owner),
        cmocka_unit_test(links_stay_and_their_targets_are_replaced),
        cmocka_unit_test(as_many_links_are_followed_as_by_the_kernel),
        cmocka_unit_test(files_that_killed_savers_left_are_removed),
        cmocka_unit_test(names_of_any_length_can_be_replaced),
        cmocka_unit_test(savers_of_one_file_do_not_disturb_each_other),
        cmocka_unit_test(the_folder_is_flushed_after_the_renaming),
        cmocka_unit_test(a_disk_that_fails_keeps_the_old_file),
        cmocka_unit_test(only_regular_files_are_read_and_replaced),
        cmocka_unit_test(files_without_a_length_are_read_to_their_end),
    };
    return cmocka_run_group_tests_name("file", tests, folder_make, folder_remove);
}
