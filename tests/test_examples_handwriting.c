/* The program train on files of handwritten characters, and on gradients of images. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <glnn/image.h>

#include "support/folder.h"
#include "support/trainer.h"

enum { KINDS = 4 };

/* Codes in GBK, sorted, and the characters in UTF-8: I, X, a box, and a bar. */
static const unsigned char codes[KINDS][2] = {{'I', 0}, {'X', 0}, {0xbf, 0xda}, {0xd2, 0xbb}};
static const char *const names[KINDS] = {"I", "X", "\xe5\x8f\xa3", "\xe4\xb8\x80"};

static unsigned next_random(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* Whether a stroke covers a pixel. The other kinds are one stroke. */
static int is_ink(int kind, int width, int height, int pen, int x, int y)
{
    const int left = abs(x * height - y * width);
    const int right = abs((width - 1 - x) * height - y * width);
    if (kind == 1)
        return left < pen * height || right < pen * height;
    if (kind == 2)
        return x < pen || y < pen || x >= width - pen || y >= height - pen;
    return 1;
}

static void put_character(FILE *file, int kind, unsigned *state)
{
    int width = 30 + (int)next_random(state, 30), height = 30 + (int)next_random(state, 30);
    const int pen = 3 + (int)next_random(state, 4);
    if (kind == 0)
        width = pen;
    if (kind == 3)
        height = pen;
    const int size = 10 + width * height;
    for (int i = 0; i < 4; ++i)
        fputc(size >> (8 * i) & 0xff, file);
    fwrite(codes[kind], 1, 2, file);
    for (int i = 0; i < 2; ++i)
        fputc(width >> (8 * i) & 0xff, file);
    for (int i = 0; i < 2; ++i)
        fputc(height >> (8 * i) & 0xff, file);
    for (int i = 0; i < width * height; ++i)
        fputc(is_ink(kind, width, height, pen, i % width, i / width) ? (int)next_random(state, 100)
                                                                     : 255,
              file);
}

/* A file of one writer, who writes each character `each` times. */
static void write_gnt(const char *path, int each, unsigned seed)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int i = 0; i < each * KINDS; ++i)
        put_character(file, (i * 3 + i / KINDS) % KINDS, &seed);
    assert_int_equal(fclose(file), 0);
}

static void write_writers(const char *folder, int each, unsigned seed)
{
    char path[64];
    assert_int_equal(mkdir(folder, 0755), 0);
    for (unsigned i = 0; i < 3; ++i) {
        snprintf(path, sizeof path, "%s/%u-c.gnt", folder, 1001 + i);
        write_gnt(path, each, seed + i);
    }
}

static void expect_perfect(const char *arguments)
{
    does(arguments);
    if (printed("test accuracy ") < 99)
        fail_msg("%s: %s", arguments, said);
}

static void a_folder_of_handwriting_is_learnt_with_one_command(void **state)
{
    char text[TEXT_CAPACITY], loaded[TEXT_CAPACITY];
    (void)state;
    write_writers("writers", 8, 1);
    write_writers("others", 2, 9);
    expect_perfect("--data writers --test others --features gradient --lda 3 --learner glvq "
                   "--save m --predict a");
    assert_non_null(strstr(said, "96 samples for training, 24 for the test, 64 x 64 pixels"));
    assert_non_null(strstr(said, "64 x 64 pixels to gradients in 8 directions at 8 x 8 points"));
    assert_non_null(strstr(said, "projection 512 features to 3 components"));
    read_text("a", text);
    assert_int_equal(count_lines("a"), 25);
    for (int i = 0; i < KINDS; ++i)
        assert_non_null(strstr(text, names[i]));
    expect_perfect("--load m --data others --predict b");
    read_text("b", loaded);
    assert_string_equal(text, loaded);
    expect_perfect("--data writers/1001-c.gnt --test others/1002-c.gnt --features gradient "
                   "--hidden 16 --epochs 20");
}

/* As those of a table. */
static void characters_that_training_has_not_seen_count_as_wrong(void **state)
{
    unsigned seed = 5;
    (void)state;
    write_writers("writers", 6, 1);
    FILE *file = fopen("test.gnt", "wb");
    assert_non_null(file);
    for (int i = 0; i < KINDS; ++i)
        put_character(file, i, &seed);
    fwrite("\x0b\0\0\0Q\0\1\0\1\0\0", 1, 11, file);
    assert_int_equal(fclose(file), 0);
    does("--data writers --test test.gnt --features gradient --learner glvq");
    assert_non_null(strstr(said, "1 of 5 test samples"));
    assert_non_null(strstr(said, "'Q'"));
    assert_true(printed("test accuracy ") == 80);
}

static void parts_of_handwriting_may_have_folders_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(mkdir("set", 0755), 0);
    write_writers("set/train", 6, 3);
    write_writers("set/test", 1, 4);
    expect_perfect("--data set --shape 24x24 --features gradient --learner glvq");
    assert_non_null(strstr(said, "72 samples for training, 12 for the test, 24 x 24 pixels"));
    does("--data set --shape 16x16 --learner glvq --epochs 1");
    assert_non_null(strstr(said, "16 x 16 pixels, 4 classes"));
    fails("--data set --shape 16x17", "set/train: --shape 16x17x1", "square");
}

/* White ink on black: a bar that lies or stands. */
static void write_bar(const char *path, int lies, int channels)
{
    enum { SIDE = 64 };
    static float pixels[3 * SIDE * SIDE];
    for (int i = 0; i < channels * SIDE * SIDE; ++i) {
        const int x = i % SIDE, y = i / SIDE % SIDE, place = lies ? y : x;
        pixels[i] = place > 28 && place < 34;
    }
    assert_int_equal(glnn_image_write(path, channels, SIDE, SIDE, pixels, 0, 1), 0);
}

static void a_picture_is_classified_by_its_gradients(void **state)
{
    char line[64];
    (void)state;
    write_writers("writers", 6, 1);
    does("--data writers --features gradient --lda 3 --learner glvq --save m");
    for (int lies = 0; lies < 2; ++lies)
        for (int channels = 1; channels <= 3; channels += 2) {
            write_bar("bar.png", lies, channels);
            does("--load m --classify bar.png");
            snprintf(line, sizeof line, "image 0: class %s ", names[lies ? 3 : 0]);
            assert_non_null(strstr(said, line));
        }
}

/* Their colours are lost, also where a saved model is used. */
static void pictures_in_colour_become_gray_for_gradients(void **state)
{
    char path[64];
    (void)state;
    assert_int_equal(mkdir("bars", 0755), 0);
    for (int lies = 0; lies < 2; ++lies) {
        snprintf(path, sizeof path, "bars/%d", lies);
        assert_int_equal(mkdir(path, 0755), 0);
        for (int i = 0; i < 5; ++i) {
            snprintf(path, sizeof path, "bars/%d/%d.png", lies, i);
            write_bar(path, lies, 3);
        }
    }
    expect_perfect("--data bars --features gradient --learner glvq --save m");
    expect_perfect("--load m --data bars");
    assert_null(strstr(said, "in colour"));
}

/* As in CASIA's own files, whose features are gradients too. */
static void files_of_features_are_learnt(void **state)
{
    static const unsigned char header[] = {62, 0, 0, 0, 'M', 'P', 'F'};
    char rest[55] = {0};
    (void)state;
    rest[25] = 2;
    memcpy(rest + 27, "unsigned char", 13);
    rest[47] = 40;
    rest[51] = 3;
    FILE *file = fopen("a.mpf", "wb");
    assert_non_null(file);
    fwrite(header, 1, sizeof header, file);
    fwrite(rest, 1, sizeof rest, file);
    for (int i = 0; i < 40; ++i) {
        fwrite(codes[i % KINDS], 1, 2, file);
        for (int j = 0; j < 3; ++j)
            fputc((j == i % KINDS ? 200 : 20) + i, file);
    }
    assert_int_equal(fclose(file), 0);
    expect_perfect("--data a.mpf --standardise --learner glvq");
    assert_non_null(strstr(said, "3 features, 4 classes"));
    fails("--data a.mpf --features gradient --learner glvq", "3 features without a shape",
          "--shape");
}

static void damaged_handwriting_and_images_of_another_size_are_refused(void **state)
{
    (void)state;
    write_writers("writers", 4, 1);
    does("--data writers --features gradient --learner glvq --epochs 1 --save m");
    refuses("--load m --data writers --features gradient", "--features", "m");
    fails("--data writers --features gradient --hidden 3 --distort affine", "--distort affine",
          "learns from gradients");
    write_text("table.csv", "1,2,3,a\n2,3,4,b\n");
    fails("--load m --data table.csv", "3 features", "4096");
    fails("--data table.csv --features gradient", "3 features without a shape", "--shape");
    fails("--data writers --test none.gnt", "none.gnt", "");
    write_text("writers/0.gnt", "this is a text, not a picture");
    fails("--data writers", "writers/0.gnt: record 0", "pixels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_folder_of_handwriting_is_learnt_with_one_command),
        IN_FOLDER(characters_that_training_has_not_seen_count_as_wrong),
        IN_FOLDER(parts_of_handwriting_may_have_folders_of_their_own),
        IN_FOLDER(a_picture_is_classified_by_its_gradients),
        IN_FOLDER(pictures_in_colour_become_gray_for_gradients),
        IN_FOLDER(files_of_features_are_learnt),
        IN_FOLDER(damaged_handwriting_and_images_of_another_size_are_refused),
    };
    if (trainer_find("train") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
