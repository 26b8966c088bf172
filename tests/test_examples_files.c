/* The files that the examples write: the old one stays until the new one is complete. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <glnn/image.h>

#include "support/folder.h"
#include "support/trainer.h"

#include "../examples/common/failure.h"
#include "../examples/common/folder.h"
#include "../examples/common/gnuplot.h"
#include "../examples/common/plot.h"
#include "../examples/common/whole_file.h"

static const char old_text[] = "what stood here before\n";

static void assert_text(const char *path, const char *wanted)
{
    char text[TEXT_CAPACITY];
    read_text(path, text);
    assert_string_equal(text, wanted);
}

static void assert_no_temporary_file(void)
{
    assert_int_equal(system("! ls -AR | grep glnn-saving"), 0);
}

/* Writes a file of two lines and more, and returns whether it was put in place. */
static bool replace(const char *path, int bytes)
{
    whole_file file;
    if (!whole_file_open(path, &file))
        return false;
    for (int i = 0; i < bytes; ++i)
        fputc('x', file.stream);
    return whole_file_close(&file);
}

/* Files of this process may have so many bytes until `end_limit`. */
static struct rlimit former_limit;

static void begin_limit(rlim_t bytes)
{
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &former_limit), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, former_limit.rlim_max}), 0);
}

static void end_limit(void)
{
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &former_limit), 0);
    signal(SIGXFSZ, SIG_DFL);
}

static void a_file_is_replaced_when_the_new_one_is_complete(void **state)
{
    whole_file file;
    (void)state;
    write_text("f", old_text);
    assert_true(whole_file_open("f", &file));
    fputs("new", file.stream);
    assert_text("f", old_text);
    assert_true(whole_file_close(&file));
    assert_text("f", "new");
    assert_true(whole_file_open("f", &file));
    fputs("other", file.stream);
    whole_file_discard(&file);
    assert_text("f", "new");
    assert_no_temporary_file();
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    write_text("f", old_text);
    for (int bytes = 100; bytes <= 100000; bytes *= 10) {
        begin_limit(64);
        const bool old_is_replaced = replace("f", bytes), new_is_written = replace("new", bytes);
        end_limit();
        assert_false(old_is_replaced || new_is_written);
        assert_string_equal(failure(), "new: cannot be written: File too large");
        assert_text("f", old_text);
        assert_int_equal(access("new", F_OK), -1);
        assert_no_temporary_file();
    }
}

static void a_link_stays_and_a_file_keeps_its_mode(void **state)
{
    struct stat info;
    (void)state;
    assert_true(folder_create("sub"));
    write_text("sub/f", old_text);
    assert_int_equal(chmod("sub/f", 0640), 0);
    assert_int_equal(symlink("sub/f", "link"), 0);
    assert_int_equal(symlink("sub/absent", "ahead"), 0);
    assert_true(replace("link", 3) && replace("ahead", 2));
    assert_true(lstat("link", &info) == 0 && S_ISLNK(info.st_mode));
    assert_true(stat("sub/f", &info) == 0 && (info.st_mode & 07777) == 0640);
    assert_text("sub/f", "xxx");
    assert_text("sub/absent", "xx");
    const mode_t former = umask(027);
    assert_true(replace("new", 1));
    umask(former);
    assert_true(stat("new", &info) == 0 && (info.st_mode & 07777) == 0640);
}

static void a_pipe_or_a_device_is_written_in_place(void **state)
{
    char text[8] = "";
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    FILE *reader = fopen("pipe", "r+");
    assert_non_null(reader);
    assert_true(replace("pipe", 3));
    assert_int_equal(fread(text, 1, 3, reader), 3);
    assert_string_equal(text, "xxx");
    fclose(reader);
    assert_true(replace("/dev/null", 3));
    assert_false(replace("/dev/full", 3));
    assert_string_equal(failure(), "cannot write /dev/full: No space left on device");
}

/* As with --predict /dev/stdout. */
static void standard_output_continues_where_it_is(void **state)
{
    (void)state;
    fflush(stdout);
    const int own = dup(STDOUT_FILENO);
    FILE *file = fopen("log", "w");
    assert_true(own >= 0 && file != NULL && dup2(fileno(file), STDOUT_FILENO) >= 0);
    printf("before ");
    const bool is_written = replace("/dev/stdout", 3);
    printf(" after");
    fflush(stdout);
    assert_true(dup2(own, STDOUT_FILENO) >= 0);
    close(own);
    fclose(file);
    assert_true(is_written);
    assert_text("log", "before xxx after");
}

static void a_folder_that_cannot_be_written_is_named(void **state)
{
    (void)state;
    assert_true(folder_create("sub"));
    assert_false(replace("absent/f", 1));
    assert_non_null(strstr(failure(), "absent/f: cannot be written: "));
    assert_false(replace("sub", 1));
    assert_non_null(strstr(failure(), "sub: cannot be written: "));
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_false(replace("loop", 1));
    assert_non_null(strstr(failure(), "loop: cannot be written: "));
}

static void a_picture_that_gnuplot_cannot_finish_leaves_the_old_one(void **state)
{
    const int64_t confusion[4] = {3, 1, 0, 2};
    int width, height;
    float *pixels;
    FILE *script;
    (void)state;
    if (!gnuplot_is_installed())
        skip();
    assert_true(plot_confusion(".", confusion, 2, NULL));
    assert_int_equal(glnn_image_read("confusion.png", 1, &width, &height, &pixels), GLNN_OK);
    assert_int_equal(width, 860);
    free(pixels);
    assert_non_null(script = gnuplot_script());
    fputs("this is no command\n", script);
    assert_false(gnuplot_draw(script, "confusion.png"));
    assert_string_equal(failure(), "gnuplot failed to draw confusion.png");
    begin_limit(4000);
    const bool drawn = plot_confusion(".", confusion, 2, NULL);
    end_limit();
    assert_false(drawn);
    assert_string_equal(failure(), "./confusion.png: cannot be written: File too large");
    assert_int_equal(glnn_image_read("confusion.png", 1, &width, &height, &pixels), GLNN_OK);
    free(pixels);
    assert_no_temporary_file();
}

/* The user's own gnuplot draws the file that the script names. */
static void the_script_of_a_picture_draws_it_again(void **state)
{
    const int64_t confusion[4] = {3, 1, 0, 2};
    (void)state;
    if (!gnuplot_is_installed())
        skip();
    assert_true(plot_confusion(".", confusion, 2, NULL));
    assert_int_equal(rename("confusion.png", "former.png"), 0);
    assert_int_equal(system("gnuplot confusion.gp"), 0);
    assert_int_equal(system("cmp -s confusion.png former.png"), 0);
}

static void the_trainer_keeps_each_old_file_on_a_full_disk(void **state)
{
    static const char *const outputs[] = {"--predict f.csv", "--predict f.jsonl", "--predict f.npy",
                                          "--save f.st", "--metrics f.json"};
    char line[256];
    (void)state;
    write_trees("t.csv", 700, 1);
    does("--data t.csv --label kind --epochs 1 --save m");
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; ++i) {
        const char *path = strrchr(outputs[i], ' ') + 1;
        write_text(path, old_text);
        snprintf(line, sizeof line, "--load m --data t.csv --scores %s%s", outputs[i],
                 strstr(outputs[i], "--predict") ? "" : " --predict p.csv");
        /* Only the output of the program may have more than 512 bytes. */
        trainer_launch_by("sh -c '(ulimit -f 1; exec \"$0\" \"$@\" 2>&1) | cat'");
        trainer_run(line);
        trainer_launch_by("");
        if (strstr(said, "File too large") == NULL)
            fail_msg("%s: %s", outputs[i], said);
        assert_text(path, old_text);
        assert_no_temporary_file();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_is_replaced_when_the_new_one_is_complete),
        IN_FOLDER(a_full_disk_leaves_the_old_file),
        IN_FOLDER(a_link_stays_and_a_file_keeps_its_mode),
        IN_FOLDER(a_pipe_or_a_device_is_written_in_place),
        IN_FOLDER(standard_output_continues_where_it_is),
        IN_FOLDER(a_folder_that_cannot_be_written_is_named),
        IN_FOLDER(a_picture_that_gnuplot_cannot_finish_leaves_the_old_one),
        IN_FOLDER(the_script_of_a_picture_draws_it_again),
        IN_FOLDER(the_trainer_keeps_each_old_file_on_a_full_disk),
    };
    if (trainer_find("train") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
