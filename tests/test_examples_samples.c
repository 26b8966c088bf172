/* Samples as the program train loads them, from tables, arrays and images. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <glnn/image.h>
#include <glnn/npy.h>

#include "support/folder.h"

#include "../examples/common/digits.h"
#include "../examples/common/failure.h"
#include "../examples/common/folder.h"
#include "../examples/train/settings.h"

enum { WORDS_MAX = 16 };

/* Parses words separated by blanks, as a shell would pass them. */
static bool parse_words(const char *line, settings *out)
{
    static char text[512];
    char *words[WORDS_MAX] = {(char[]){"train"}};
    int count = 1;
    bool help;
    option_table options = settings_table("build/examples/train");
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    return options_parse(&options, count, words, out, &help);
}

static settings parsed(const char *line)
{
    settings result;
    if (!parse_words(line, &result))
        fail_msg("%s: %s", line, failure());
    return result;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static samples loaded(const char *line)
{
    samples data = {0};
    settings with = parsed(line);
    if (!samples_load(&with.data.from, &data))
        fail_msg("%s: %s", line, failure());
    return data;
}

static void not_loaded(const char *line, samples *data, const char *part, const char *other)
{
    settings with = parsed(line);
    if (samples_load(&with.data.from, data))
        fail_msg("%s: loaded", line);
    if (strstr(failure(), part) == NULL || strstr(failure(), other) == NULL)
        fail_msg("%s: \"%s\" lacks \"%s\" or \"%s\"", line, failure(), part, other);
    assert_null(data->train.inputs);
    assert_null(data->test.inputs);
    samples_free(data);
}

/* `each` samples of class a, half as many of b, and one of c; the first feature numbers them. */
static int write_uneven(const char *path, int each)
{
    FILE *file = fopen(path, "w");
    int count = 0;
    assert_non_null(file);
    for (int i = 0; i < each; ++i)
        fprintf(file, "%d,0,a\n", count++);
    for (int i = 0; i < each / 2; ++i)
        fprintf(file, "%d,1,b\n", count++);
    fprintf(file, "%d,2,c\n", count++);
    assert_int_equal(fclose(file), 0);
    return count;
}

static void a_share_of_each_class_is_held_out_and_no_sample_is_lost(void **state)
{
    int of_class[2][3] = {{0}};
    bool seen[64] = {false};
    (void)state;
    const int count = write_uneven("u.csv", 20);
    samples data = loaded("--data u.csv --holdout 0.25");
    assert_int_equal(data.test.samples, 7);
    assert_int_equal(data.train.samples, count - 7);
    for (int part = 0; part < 2; ++part) {
        const samples_part *of = part ? &data.test : &data.train;
        for (int i = 0; i < of->samples; ++i) {
            const int number = (int)of->inputs[2 * i];
            assert_false(seen[number]);
            seen[number] = true;
            assert_int_equal(of->labels[i], (int)of->inputs[2 * i + 1]);
            ++of_class[part][of->labels[i]];
        }
    }
    assert_int_equal(of_class[1][0], 5);
    assert_int_equal(of_class[1][1], 2);
    assert_int_equal(of_class[1][2], 0);
    samples again = loaded("--data u.csv --holdout 0.25"),
            other = loaded("--data u.csv --holdout 0.25 --seed 2");
    assert_memory_equal(data.test.inputs, again.test.inputs, 14 * sizeof(float));
    assert_memory_not_equal(data.test.inputs, other.test.inputs, 14 * sizeof(float));
    samples_free(&data);
    samples_free(&again);
    samples_free(&other);
}

static void some_training_samples_are_drawn_at_random(void **state)
{
    bool seen[64] = {false};
    (void)state;
    const int count = write_uneven("u.csv", 20);
    samples all = loaded("--data u.csv --holdout 0.25"),
            some = loaded("--data u.csv --holdout 0.25 --samples 9"),
            again = loaded("--data u.csv --holdout 0.25 --samples 9"),
            other = loaded("--data u.csv --holdout 0.25 --samples 9 --seed 2"),
            more = loaded("--data u.csv --holdout 0.25 --samples 1000");
    assert_int_equal(some.train.samples, 9);
    assert_int_equal(some.classes.count, all.classes.count);
    assert_int_equal(some.test.samples, 7);
    assert_memory_equal(some.test.inputs, all.test.inputs, 14 * sizeof(float));
    assert_memory_equal(some.train.inputs, again.train.inputs, 18 * sizeof(float));
    assert_memory_not_equal(some.train.inputs, other.train.inputs, 18 * sizeof(float));
    assert_memory_not_equal(some.train.inputs, all.train.inputs, 18 * sizeof(float));
    for (int i = 0; i < 9; ++i) {
        const int number = (int)some.train.inputs[2 * i];
        assert_false(seen[number]);
        seen[number] = true;
        assert_int_equal(some.train.labels[i], (int)some.train.inputs[2 * i + 1]);
    }
    assert_int_equal(more.train.samples, count - 7);
    samples_free(&all);
    samples_free(&some);
    samples_free(&again);
    samples_free(&other);
    samples_free(&more);
}

static void a_share_that_holds_out_no_sample_is_refused(void **state)
{
    samples data = {0};
    (void)state;
    write_text("a.csv", "1,p\n2,p\n3,q\n");
    not_loaded("--data a.csv --holdout 0.4", &data, "--holdout 0.4", "3 samples of 2 classes");
    data = loaded("--data a.csv --holdout 0.5");
    assert_int_equal(data.test.samples, 1);
    samples_free(&data);
    data = loaded("--data a.csv");
    assert_int_equal(data.test.samples, 0);
    samples_free(&data);
}

static void labels_mean_the_same_class_in_every_file(void **state)
{
    (void)state;
    write_text("a.csv", "x;name\n1;pear\n2;fig\n");
    write_text("b.csv", "x;name\n3;fig\n4;plum\n5;pear\n");
    samples data = loaded("--data a.csv --test b.csv --label name --separator ;");
    assert_int_equal(data.classes.count, 2);
    assert_string_equal(data.classes.names[0], "fig");
    assert_int_equal(data.train.labels[0], 1);
    assert_int_equal(data.test.labels[0], 0);
    assert_int_equal(data.test.labels[1], -1);
    assert_int_equal(data.test.labels[2], 1);
    assert_int_equal(data.unknown, 1);
    samples_free(&data);
}

static void classes_that_are_given_are_the_only_ones(void **state)
{
    samples data = {0};
    (void)state;
    write_text("a.csv", "1,pear\n2,fig\n");
    assert_int_equal(classes_add(&data.classes, "fig"), 0);
    not_loaded("--data a.csv", &data, "a.csv", "'pear'");
    assert_true(digits_write("digits", 1, 30, 10));
    assert_int_equal(classes_add(&data.classes, "3"), 0);
    settings with = parsed("--load m --data digits");
    assert_true(samples_load(&with.data.from, &data));
    assert_int_equal(data.unknown, 9);
    assert_int_equal(data.train.samples, 0);
    samples_free(&data);
}

static void arrays_of_numpy_have_any_integers_for_labels(void **state)
{
    const float inputs[8] = {1, 2, 3, 4, 5, 6, 7, 8}, labels[4] = {70000, 3, 3, 12};
    samples data;
    (void)state;
    assert_int_equal(glnn_npy_write("x.npy", 4, 2, inputs, 0), 0);
    assert_int_equal(glnn_npy_write("y.npy", 4, 1, labels, 0), 0);
    data = loaded("--data x.npy --labels y.npy --holdout 0");
    assert_int_equal(data.train.samples, 4);
    assert_int_equal(data.test.samples, 0);
    assert_int_equal(data.classes.count, 3);
    assert_string_equal(data.classes.names[2], "70000");
    assert_int_equal(data.train.labels[0], 2);
    assert_int_equal(data.train.labels[3], 1);
    samples_free(&data);
}

/* A picture of one gray in FOLDER/CLASS. */
static void put(const char *folder, const char *class, const char *name, int width, float gray)
{
    char path[PATH_CAPACITY], inner[PATH_CAPACITY];
    const float pixels[8] = {gray, gray, gray, gray, gray, gray, gray, gray};
    assert_true(path_join(inner, folder, class) && folder_create(inner) &&
                path_join(path, inner, name));
    assert_int_equal(glnn_image_write(path, 1, width, 2, pixels, 0, 1), 0);
}

/* Writes a .npy file of these sizes; element i is i. */
static void write_array(const char *path, int dimensions, const int *size)
{
    char header[128], sizes[64] = "";
    int count = 1;
    for (int d = 0; d < dimensions; ++d) {
        snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), "%d,", size[d]);
        count *= size[d];
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    snprintf(header, sizeof header, "{'descr': '|u1', 'fortran_order': False, 'shape': (%s)}",
             sizes);
    fprintf(file, "%cNUMPY%c%c%c%c%-117s\n", 0x93, 1, 0, 118, 0, header);
    for (int i = 0; i < count; ++i)
        fputc(i, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_shape(const samples *of, int channels, int height, int width)
{
    assert_int_equal(of->shape.channels, channels);
    assert_int_equal(of->shape.height, height);
    assert_int_equal(of->shape.width, width);
}

static void write_labels(int count)
{
    const float labels[8] = {0, 1, 0, 1, 0, 1, 0, 1};
    assert_int_equal(glnn_npy_write("y.npy", count, 1, labels, 0), 0);
}

static void arrays_of_images_keep_their_shape(void **state)
{
    const char *line = "--data x.npy --labels y.npy --holdout 0";
    (void)state;
    write_labels(2);
    write_array("x.npy", 3, (int[]){2, 4, 5});
    samples data = loaded(line);
    expect_shape(&data, 1, 4, 5);
    assert_true(data.features == 20 && data.train.inputs[39] == 39);
    samples_free(&data);

    write_array("x.npy", 4, (int[]){2, 3, 4, 5});
    data = loaded(line);
    expect_shape(&data, 3, 4, 5);
    assert_true(data.train.inputs[20] == 20 && data.train.inputs[119] == 119);
    samples_free(&data);

    /* Channels become planes. */
    write_array("x.npy", 4, (int[]){2, 4, 5, 3});
    data = loaded(line);
    expect_shape(&data, 3, 4, 5);
    for (int c = 0; c < 3; ++c)
        for (int p = 0; p < 20; ++p)
            assert_true(data.train.inputs[60 + c * 20 + p] == (float)(60 + p * 3 + c));
    samples_free(&data);

    write_array("x.npy", 2, (int[]){2, 20});
    data = loaded(line);
    expect_shape(&data, 0, 0, 0);
    samples_free(&data);
}

static void a_shape_is_given_to_features(void **state)
{
    (void)state;
    write_labels(2);
    write_array("x.npy", 2, (int[]){2, 24});
    samples data = loaded("--data x.npy --labels y.npy --holdout 0 --shape 3x4x2");
    expect_shape(&data, 2, 3, 4);
    assert_true(data.train.inputs[12] == 12);
    samples_free(&data);
    write_text("a.csv", "1,2,3,4,5,6,p\n1,2,3,4,5,7,q\n");
    data = loaded("--data a.csv --shape 3x2");
    expect_shape(&data, 1, 3, 2);
    samples_free(&data);
    /* It tells channels apart from rows. */
    write_array("x.npy", 4, (int[]){2, 3, 4, 3});
    data = loaded("--data x.npy --labels y.npy --holdout 0 --shape 3x4x3");
    expect_shape(&data, 3, 3, 4);
    assert_true(data.train.inputs[1] == 3);
    samples_free(&data);
    write_array("x.npy", 4, (int[]){2, 2, 4, 3});
    data = loaded("--data x.npy --labels y.npy --holdout 0 --shape 2x4x3");
    expect_shape(&data, 3, 2, 4);
    samples_free(&data);
}

static void shapes_that_do_not_fit_are_refused(void **state)
{
    static const char *const texts[] = {"28",        "28x",    "x28",  "0x28",   "28x28x0",
                                        "28x28x1x1", "28x28y", "-3x3", "28 x 28"};
    char line[64];
    samples data = {0};
    settings with;
    (void)state;
    write_text("a.csv", "1,2,3,p\n1,2,4,q\n");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        snprintf(line, sizeof line, "--data a.csv --shape %s", texts[i]);
        assert_false(parse_words(line, &with));
    }
    assert_false(parse_words("--data a.csv --shape 2by3", &with));
    assert_non_null(strstr(failure(), "--shape '2by3': give height x width"));
    not_loaded("--data a.csv --shape 2x2", &data, "--shape 2x2x1 is a shape of 4", "3 features");
    not_loaded("--data a.csv --shape 50000x50000x50000", &data, "125000000000000", "3 features");
    write_labels(2);
    write_array("x.npy", 4, (int[]){2, 3, 4, 3});
    not_loaded("--data x.npy --labels y.npy", &data, "3 x 4 x 3", "use --shape HxWxC");
    write_array("x.npy", 3, (int[]){2, 3, 4});
    not_loaded("--data x.npy --labels y.npy --shape 4x3", &data, "images of 3 x 4 with 1 channel,",
               "--shape says 4x3x1");
    write_array("z.npy", 3, (int[]){2, 4, 3});
    not_loaded("--data x.npy --labels y.npy --test z.npy --test-labels y.npy", &data,
               "z.npy: images of 4 x 3", "training have 3 x 4");
    put("p", "a", "1.png", 3, 0.2f);
    assert_false(parse_words("--data p --shape 3x2x2", &with));
    assert_non_null(strstr(failure(), "pictures have 1 channel, or 3 in colour"));
    assert_false(parse_words("--shape 3x2", &with));
    assert_non_null(strstr(failure(), "images of IDX files have a shape of their own"));
}

static void files_that_do_not_fit_together_are_refused(void **state)
{
    const float numbers[6] = {1, 2, 3, 4, 5, 6};
    samples data = {0};
    (void)state;
    write_text("a.csv", "1,2,p\n2,3,q\n");
    write_text("b.csv", "1,2,3,p\n2,3,4,q\n");
    not_loaded("--data a.csv --test b.csv", &data, "b.csv: line 1 has 3", "must be 2");
    assert_int_equal(glnn_npy_write("x.npy", 3, 2, numbers, 0), 0);
    assert_int_equal(glnn_npy_write("y.npy", 2, 1, numbers, 0), 0);
    not_loaded("--data x.npy --labels y.npy", &data, "2 labels", "3 samples");
    not_loaded("--data x.npy", &data, "no labels", "--labels");
    write_text("n.csv", "1,2\n2,3\n");
    not_loaded("--data n.csv --label none", &data, "n.csv", "no labels");
    not_loaded("--data a.csv --label r", &data, "a.csv", "'r'");
    not_loaded("--data a.csv --separator ,,", &data, "--separator", "one character");
    not_loaded("--data nowhere.csv", &data, "nowhere.csv", "");
}

static void a_file_names_the_classes_of_idx_files(void **state)
{
    samples data = {0};
    (void)state;
    assert_true(digits_write("d", 1, 20, 10));
    write_text("d/classes.txt", "zero\none\ntwo\r\n3\n4\n5\n6\n7\n8\nnine");
    data = loaded("--data d");
    assert_int_equal(data.classes.count, 10);
    for (int i = 0; i < 20; ++i)
        assert_in_range(data.train.labels[i], 0, 9);
    assert_true(classes_find(&data.classes, "two") >= 0 && classes_find(&data.classes, "3") >= 0);
    assert_true(classes_find(&data.classes, "nine") >= 0);
    samples_free(&data);
    write_text("d/classes.txt", "zero\none\n");
    not_loaded("--data d", &data, "d/classes.txt", "has 2 names");
    write_text("d/classes.txt", "zero\none\none\n");
    not_loaded("--data d", &data, "d/classes.txt", "'one' twice");
}

static void folders_of_pictures_are_classes_and_hold_out_a_share(void **state)
{
    char name[16];
    (void)state;
    for (int i = 0; i < 6; ++i) {
        snprintf(name, sizeof name, "%d.png", i);
        put("p", "pear", name, 3, 0.2f);
        put("p", "fig", name, 3, 0.4f);
    }
    samples data = loaded("--data p --holdout 0.34");
    assert_int_equal(data.train.samples, 8);
    assert_int_equal(data.test.samples, 4);
    assert_true(data.shape.channels == 1 && data.shape.height == 2 && data.shape.width == 3);
    assert_int_equal(data.features, 6);
    assert_string_equal(data.classes.names[0], "fig");
    assert_string_equal(data.classes.names[1], "pear");
    for (int i = 0; i < 8; ++i)
        assert_true(data.train.inputs[6 * i] == (data.train.labels[i] ? 51 : 102) / 255.0f);
    samples_free(&data);
}

static void pictures_in_train_and_test_are_parts_of_their_own(void **state)
{
    (void)state;
    put("p/train", "b", "1.png", 3, 0.2f);
    put("p/train", "a", "1.png", 3, 0.4f);
    put("p/test", "c", "1.png", 3, 0.4f);
    put("p/test", "b", "1.png", 3, 0.4f);
    samples data = loaded("--data p --predict out");
    assert_true(data.train.samples == 2 && data.test.samples == 2 && data.classes.count == 2);
    assert_int_equal(data.test.labels[0], 1);
    assert_int_equal(data.test.labels[1], -1);
    assert_int_equal(data.unknown, 1);
    samples_free(&data);
    samples named = loaded("--data p/train --test p/test");
    assert_true(named.train.samples == 2 && named.test.samples == 2);
    samples_free(&named);
}

static void pictures_that_do_not_fit_are_refused(void **state)
{
    samples data = {0};
    (void)state;
    put("p", "a", "1.png", 3, 0.2f);
    assert_true(folder_create("p/c"));
    not_loaded("--data p", &data, "p/c", ".png");
    assert_true(folder_create("none"));
    not_loaded("--data none", &data, "none", "train-images");
    settings with;
    assert_true(parse_words("--data p", &with));
    assert_false(parse_words("--data p --predict out", &with));
    assert_non_null(strstr(failure(), "--predict out"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_share_of_each_class_is_held_out_and_no_sample_is_lost),
        IN_FOLDER(some_training_samples_are_drawn_at_random),
        IN_FOLDER(a_share_that_holds_out_no_sample_is_refused),
        IN_FOLDER(labels_mean_the_same_class_in_every_file),
        IN_FOLDER(classes_that_are_given_are_the_only_ones),
        IN_FOLDER(arrays_of_numpy_have_any_integers_for_labels),
        IN_FOLDER(arrays_of_images_keep_their_shape),
        IN_FOLDER(a_shape_is_given_to_features),
        IN_FOLDER(shapes_that_do_not_fit_are_refused),
        IN_FOLDER(files_that_do_not_fit_together_are_refused),
        IN_FOLDER(a_file_names_the_classes_of_idx_files),
        IN_FOLDER(folders_of_pictures_are_classes_and_hold_out_a_share),
        IN_FOLDER(pictures_in_train_and_test_are_parts_of_their_own),
        IN_FOLDER(pictures_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
