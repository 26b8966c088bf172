/* WAV files, and folders of them as labelled samples. */
#include <glnn/sound.h>

#include "base/folder.h"
#include "support/files.h"
#include "support/tree.h"
#include "support/wav.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- Files */

static glnn_status reader(const char *path)
{
    int rate, length;
    float *samples;
    const glnn_status status = glnn_sound_read(path, 1, &rate, &length, &samples);
    assert_true(status ? !samples && rate == 0 && length == 0 : samples && length > 0 && rate > 0);
    for (int i = 0; i < length; ++i)
        assert_true(isfinite(samples[i]));
    free(samples);
    return status;
}

static const file_format format = {.reader = reader};

/* A file in the program's folder, without the last `missing` bytes. */
static file_path put_kind(const char *name, wav_kind kind, int channels, int count,
                          const float *samples, size_t missing)
{
    static wav made;
    wav_make(&made, kind, 8000, channels, count, samples);
    return file_write(name, made.bytes, made.size - missing);
}

static void samples_of_every_width_are_read(void **state)
{
    static const float from[] = {0, 0.5f, -0.5f, 1, -1, 0.25f};
    static const double errors[] = {1.0 / 100, 1.0 / 30000, 0};
    (void)state;
    for (wav_kind kind = WAV_BYTES; kind <= WAV_FLOATS; ++kind) {
        int rate, length;
        float *samples;
        const file_path path = put_kind("a.wav", kind, 1, 6, from, 0);
        expect_ok(glnn_sound_read(path.text, 1, &rate, &length, &samples));
        assert_int_equal(rate, 8000);
        assert_int_equal(length, 6);
        for (int i = 0; i < 6; ++i)
            assert_true(fabs((double)(samples[i] - from[i])) <= errors[kind]);
        free(samples);
    }
}

static void channels_are_mixed_or_read_by_themselves(void **state)
{
    static const float from[] = {0.5f, 0.25f, -1, 0, 0.75f, 0.25f};
    static const float mixed[] = {0.375f, -0.5f, 0.5f};
    static const float rows[] = {0.5f, -1, 0.75f, 0.25f, 0, 0.25f};
    const file_path path = put_kind("stereo.wav", WAV_FLOATS, 2, 3, from, 0);
    int rate, length;
    float *samples;
    (void)state;
    expect_ok(glnn_sound_read(path.text, 1, &rate, &length, &samples));
    assert_int_equal(length, 3);
    assert_memory_equal(samples, mixed, sizeof mixed);
    free(samples);
    expect_ok(glnn_sound_read(path.text, 2, &rate, &length, &samples));
    assert_int_equal(length, 3);
    assert_memory_equal(samples, rows, sizeof rows);
    free(samples);
    expect_error(glnn_sound_read(path.text, 3, &rate, &length, &samples), GLNN_E_FORMAT,
                 "stereo.wav: 2 channels, but `channels` is 3");
    assert_null(samples);
    expect_error(glnn_sound_read(path.text, 0, &rate, &length, &samples), GLNN_E_ARG,
                 "glnn_sound_read: `channels` is 0; it must be at least 1");
}

static void files_that_end_early_are_refused(void **state)
{
    float tone[40];
    (void)state;
    wav_tone(tone, 40, 0, 8000, 440);
    assert_truncations_fail(reader, put_kind("whole.wav", WAV_INTEGERS, 1, 40, tone, 0).text);
    assert_fails(reader(put_kind("cut.wav", WAV_INTEGERS, 1, 40, tone, 30).text), GLNN_E_FORMAT,
                 "cut.wav: the WAV file is cut off: it promises 80 bytes more, but has 50");
}

/* Whatever a bit does, the call returns and its numbers are finite. */
static void damaged_files_are_read_or_explained(void **state)
{
    float tone[16];
    (void)state;
    wav_tone(tone, 16, 0, 8000, 440);
    assert_true(refused_flips(reader, put_kind("a.wav", WAV_FLOATS, 1, 16, tone, 0).text) > 100);
}

/* A file whose bytes at a place are others. */
static file_path put_changed(size_t place, const void *bytes, size_t count)
{
    static wav made;
    static const float samples[4] = {0};
    wav_make(&made, WAV_FLOATS, 8000, 1, 4, samples);
    memcpy(made.bytes + place, bytes, count);
    return file_write("changed.wav", made.bytes, made.size);
}

static void files_that_are_something_else_are_refused(void **state)
{
    static const unsigned char nan[] = {0, 0, 0xC0, 0x7F}, huge[] = {0xF0, 0xFF, 0xFF, 0x7F};
    static const char png[] = "\x89PNG\r\n\x1A\n and so on, and on, and on, and on, and on";
    enum { FORMAT = 20, CHANNELS = 22, DATA = 36, DATA_SIZE = 40, SECOND = 48 };
    (void)state;
    assert_fails(reader(file_write("picture.wav", png, sizeof png).text), GLNN_E_FORMAT,
                 "picture.wav: is not a WAV file");
    assert_fails(reader(file_write("noise.gsm", png, sizeof png).text), GLNN_E_FORMAT,
                 "noise.gsm: is not a WAV file");
    assert_fails(reader(put_changed(FORMAT, "\xEE\xEE", 2).text), GLNN_E_FORMAT,
                 "changed.wav: libsndfile: ");
    assert_fails(reader(put_changed(CHANNELS, "\0", 2).text), GLNN_E_FORMAT, "changed.wav: ");
    assert_fails(reader(put_changed(DATA, "else", 4).text), GLNN_E_FORMAT,
                 "changed.wav: the WAV file has no samples");
    assert_fails(reader(put_changed(DATA_SIZE, huge, 4).text), GLNN_E_FORMAT,
                 "it promises 2147483632 bytes more, but has 16");
    assert_fails(reader(put_changed(SECOND, nan, 4).text), GLNN_E_FORMAT,
                 "changed.wav: sample 1 is not finite");
    assert_fails(reader(put_kind("none.wav", WAV_INTEGERS, 1, 0, NULL, 0).text), GLNN_E_FORMAT,
                 "none.wav: the WAV file has no samples");
}

/* ---- Folders */

/* A folder that each test works in. */
static char folder[TREE_PATH];

static int enter(void **state)
{
    (void)state;
    tree_make(folder);
    return 0;
}

static int leave(void **state)
{
    (void)state;
    tree_remove(folder);
    return 0;
}

/* Writes a recording of `count` samples of one height, and the folder that it lies in. */
static void put(const char *name, int rate, int count, float height)
{
    char path[TREE_PATH], parent[TREE_PATH];
    float samples[32];
    snprintf(path, sizeof path, "%s", tree_path(folder, name));
    snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(path, '/') - path), path);
    expect_ok(glnn__folder_make(parent));
    for (int i = 0; i < count; ++i)
        samples[i] = height;
    wav_write(path, rate, count, samples);
}

static glnn_status read_folder(int rate, int length, glnn_sound_folder *out)
{
    *out = (glnn_sound_folder){.size = sizeof *out};
    return glnn_sound_folder_read(folder, rate, length, out);
}

static void refused(int rate, int length, glnn_status wanted, const char *part, const char *other)
{
    glnn_sound_folder read;
    expect_error(read_folder(rate, length, &read), wanted, part);
    if (!strstr(glnn_last_error(), other))
        fail_msg("\"%s\" lacks \"%s\"", glnn_last_error(), other);
    assert_true(read.samples == 0 && read.classes == 0 && read.inputs == NULL && read.rate == 0);
    assert_true(read.labels == NULL && read.class_names == NULL && read.paths == NULL);
}

static void expect_labels(const glnn_sound_folder *read, int count, const int *labels)
{
    assert_int_equal(read->samples, count);
    for (int i = 0; i < count; ++i)
        assert_int_equal(read->labels[i], labels[i]);
}

static void classes_are_the_names_of_folders(void **state)
{
    static const int labels[] = {0, 1, 1};
    glnn_sound_folder read;
    (void)state;
    put("yes/b.WAV", 8000, 3, 0.5f);
    put("yes/a.wav", 8000, 5, -0.5f);
    put("no/a.wav", 8000, 4, 0.25f);
    put("skipped_1.wav", 8000, 4, 0.25f);
    tree_write(tree_path(folder, "yes/notes.txt"), "x", 1);
    expect_ok(read_folder(0, 0, &read));
    expect_labels(&read, 3, labels);
    assert_int_equal(read.classes, 2);
    assert_string_equal(read.class_names[0], "no");
    assert_string_equal(read.class_names[1], "yes");
    assert_true(read.rate == 8000 && read.length == 5);
    assert_non_null(strstr(read.paths[1], "yes/a.wav"));
    glnn_sound_folder_free(&read);
    assert_true(read.size == sizeof read && read.paths == NULL);
}

/* "10" sorts before "1_" by its bytes, but after "1". */
static void classes_are_the_beginnings_of_names_without_folders(void **state)
{
    static const int labels[] = {0, 2, 2, 1, 3};
    glnn_sound_folder read;
    (void)state;
    put("0_.wav", 16000, 2, 0.5f);
    put("10_b.wav", 16000, 2, 0.5f);
    put("10_a.wav", 16000, 2, 0.5f);
    put("1_b_3.wav", 16000, 2, 0.5f);
    put("2_.wav", 16000, 2, 0.5f);
    tree_write(tree_path(folder, "README"), "x", 1);
    expect_ok(read_folder(0, 0, &read));
    expect_labels(&read, 5, labels);
    assert_int_equal(read.classes, 4);
    assert_string_equal(read.class_names[2], "10");
    assert_int_equal(read.rate, 16000);
    glnn_sound_folder_free(&read);
}

static void short_recordings_end_with_zeros_and_long_ones_are_cut(void **state)
{
    static const float rows[] = {0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0.5f, 0.5f};
    glnn_sound_folder read;
    (void)state;
    put("a_short.wav", 8000, 2, 0.5f);
    put("b_long.wav", 8000, 9, 0.5f);
    expect_ok(read_folder(8000, 4, &read));
    assert_int_equal(read.length, 4);
    for (int i = 0; i < 8; ++i)
        assert_true(fabsf(read.inputs[i] - rows[i]) < 1e-4f);
    glnn_sound_folder_free(&read);
}

static void recordings_of_other_rates_are_refused(void **state)
{
    (void)state;
    put("a_1.wav", 8000, 4, 0.5f);
    refused(16000, 0, GLNN_E_FORMAT, "a_1.wav: a rate of 8000 samples per second; it must be 16000",
            "glnn_sound_folder_read: ");
    put("a_2.wav", 11025, 4, 0.5f);
    refused(0, 0, GLNN_E_FORMAT, "a_2.wav: a rate of 11025 samples per second, but ",
            "a_1.wav has 8000; all files must have one rate");
}

static void folders_without_recordings_of_a_class_are_refused(void **state)
{
    (void)state;
    refused(0, 0, GLNN_E_FORMAT, "must have a folder of WAV files for each class, or such files",
            folder);
    put("nameless.wav", 8000, 4, 0.5f);
    refused(0, 0, GLNN_E_FORMAT, "nameless.wav: the name must begin with a class and an underscore",
            "as in class_1.wav");
    expect_ok(glnn__folder_make(tree_path(folder, "empty")));
    refused(0, 0, GLNN_E_FORMAT, "empty: the folder of a class must have recordings",
            "end in .wav");
    refused(-1, 0, GLNN_E_ARG, "`rate` is -1; it must not be negative", "");
    refused(0, -2, GLNN_E_ARG, "`length` is -2; it must not be negative", "");
}

static void a_damaged_recording_is_named(void **state)
{
    (void)state;
    put("a/1.wav", 8000, 4, 0.5f);
    tree_write(tree_path(folder, "a/2.wav"), "RIFF", 4);
    refused(0, 0, GLNN_E_FORMAT, "a/2.wav: is not a WAV file", "glnn_sound_folder_read: ");
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_of_every_width_are_read),
        cmocka_unit_test(channels_are_mixed_or_read_by_themselves),
        cmocka_unit_test(files_that_end_early_are_refused),
        cmocka_unit_test(damaged_files_are_read_or_explained),
        cmocka_unit_test(files_that_are_something_else_are_refused),
        FILE_TEST(odd_paths_are_explained, format),
        IN_TREE(classes_are_the_names_of_folders),
        IN_TREE(classes_are_the_beginnings_of_names_without_folders),
        IN_TREE(short_recordings_end_with_zeros_and_long_ones_are_cut),
        IN_TREE(recordings_of_other_rates_are_refused),
        IN_TREE(folders_without_recordings_of_a_class_are_refused),
        IN_TREE(a_damaged_recording_is_named),
    };
    return cmocka_run_group_tests_name("sound", tests, folder_make, folder_remove);
}
