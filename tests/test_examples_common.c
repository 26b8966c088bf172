/* The helpers of the examples that need no OpenGL: generated digits, folders of images, and
 * pictures to classify. The command line is in test_examples_options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <glnn/idx.h>
#include <glnn/image.h>

#include "support/folder.h"

#include "../examples/common/digits.h"
#include "../examples/common/failure.h"
#include "../examples/common/mnist.h"
#include "../examples/train/images.h"
#include "../examples/train/picture.h"

enum { PIXELS = DIGITS_SIDE * DIGITS_SIDE };

static void the_same_seed_draws_the_same_digits(void **state)
{
    uint8_t first[PIXELS], second[PIXELS];
    (void)state;
    for (int digit = 0; digit < 10; ++digit) {
        digits_draw(7, 3, digit, first);
        digits_draw(7, 3, digit, second);
        assert_memory_equal(first, second, PIXELS);
        digits_draw(8, 3, digit, second);
        assert_memory_not_equal(first, second, PIXELS);
        digits_draw(7, 4, digit, second);
        assert_memory_not_equal(first, second, PIXELS);
    }
}

/* FNV-1a over the first digits, so that another compiler or a changed shape is noticed: files in
 * data/digits would be stale then. */
static void digits_are_those_of_every_other_machine(void **state)
{
    uint8_t pixels[PIXELS];
    uint64_t hash = 0xCBF29CE484222325u;
    (void)state;
    for (int digit = 0; digit < 100; ++digit) {
        digits_draw(DIGITS_SEED, (uint64_t)digit, digit % 10, pixels);
        /* A last bit of the mathematics library may turn a rounding: only ink or none counts. */
        for (int i = 0; i < PIXELS; ++i)
            hash = (hash ^ (pixels[i] > 127)) * 0x100000001B3u;
    }
    assert_true(hash == 0x47A8DD4324B91949u);
}

static void digits_lie_in_the_middle_with_enough_ink(void **state)
{
    uint8_t pixels[PIXELS];
    (void)state;
    for (int number = 0; number < 500; ++number) {
        double mass = 0.0, x = 0.0, y = 0.0;
        digits_draw(1, (uint64_t)number, number % 10, pixels);
        for (int i = 0; i < PIXELS; ++i) {
            mass += pixels[i];
            x += pixels[i] * (i % DIGITS_SIDE);
            y += pixels[i] * (i / DIGITS_SIDE);
        }
        assert_true(mass / 255.0 > 20.0 && mass / 255.0 < 350.0);
        assert_true(x / mass > 10.5 && x / mass < 16.5);
        assert_true(y / mass > 10.5 && y / mass < 16.5);
    }
}

static void assert_balanced(const images_part *part)
{
    int counts[DIGITS_CLASSES] = {0};
    for (int i = 0; i < part->samples; ++i)
        ++counts[part->labels[i]];
    for (int i = 0; i < DIGITS_CLASSES; ++i)
        assert_int_equal(counts[i], part->samples / DIGITS_CLASSES);
}

static void generated_files_load_and_are_balanced(void **state)
{
    images data;
    (void)state;
    assert_true(digits_write("a/b", 1, 200, 50));
    assert_true(images_load("a/b", &data));
    assert_int_equal(data.train.samples, 200);
    assert_int_equal(data.test.samples, 50);
    assert_int_equal(data.width * data.height, PIXELS);
    assert_balanced(&data.train);
    assert_balanced(&data.test);
    for (size_t i = 0; i < (size_t)200 * PIXELS; ++i)
        assert_true(data.train.inputs[i] >= 0.0f && data.train.inputs[i] <= 1.0f);
    assert_memory_not_equal(data.train.inputs, data.test.inputs, PIXELS * sizeof(float));
    images_free(&data);
}

static void the_same_seed_writes_the_same_files(void **state)
{
    (void)state;
    assert_true(digits_write("a", 5, 60, 20));
    assert_true(digits_write("b", 5, 60, 20));
    assert_int_equal(system("diff -r a b"), 0);
}

static void without_any_data_digits_are_generated_once(void **state)
{
    images data;
    (void)state;
    assert_true(images_load(NULL, &data));
    assert_string_equal(data.folder, "data/digits");
    assert_int_equal(data.train.samples, DIGITS_TRAIN);
    assert_int_equal(data.test.samples, DIGITS_TEST);
    images_free(&data);
    assert_int_equal(access("data/digits/" MNIST_TRAIN_IMAGES, R_OK), 0);
}

static void the_usual_places_are_searched_in_order(void **state)
{
    images data;
    (void)state;
    assert_true(digits_write("data/mnist", 1, 30, 10));
    assert_true(digits_write("other", 1, 40, 10));
    assert_true(images_load(NULL, &data));
    assert_int_equal(data.train.samples, 30);
    images_free(&data);
    setenv("GLNN_DATA_DIR", "other", 1);
    assert_true(images_load(NULL, &data));
    assert_int_equal(data.train.samples, 40);
    images_free(&data);
    assert_true(images_load("data/mnist", &data));
    assert_int_equal(data.train.samples, 30);
    images_free(&data);
}

static void not_loaded(const char *folder, const char *part, const char *other)
{
    images data;
    if (images_load(folder, &data))
        fail_msg("%s was loaded", folder ? folder : "the usual place");
    if (strstr(failure(), part) == NULL || strstr(failure(), other) == NULL)
        fail_msg("\"%s\" lacks \"%s\" or \"%s\"", failure(), part, other);
    assert_null(data.train.inputs);
}

static void a_folder_that_was_named_must_have_the_files(void **state)
{
    (void)state;
    not_loaded("nowhere", "nowhere", MNIST_TRAIN_IMAGES);
    setenv("GLNN_DATA_DIR", "elsewhere", 1);
    not_loaded(NULL, "elsewhere", MNIST_TRAIN_IMAGES);
    unsetenv("GLNN_DATA_DIR");
    assert_true(digits_write("data/mnist", 1, 30, 10));
    assert_int_equal(remove("data/mnist/" MNIST_TEST_LABELS), 0);
    not_loaded(NULL, "data/mnist", MNIST_TEST_LABELS);
}

/* Writes one file of the set in folder `a` anew. */
static void replace(const char *name, int dimensions, size_t count, size_t side, glnn_idx_type type)
{
    char path[PATH_CAPACITY];
    size_t pixels = dimensions == 3 ? side * side : 1;
    uint8_t *bytes = calloc(count * pixels, 4);
    assert_non_null(bytes);
    glnn_idx idx = {.size = sizeof idx,
                    .type = type,
                    .dimensions = dimensions,
                    .shape = {count, dimensions == 3 ? side : 1, dimensions == 3 ? side : 1, 1},
                    .elements = count * pixels,
                    .data = bytes};
    assert_true(path_join(path, "a", name));
    assert_int_equal(glnn_idx_write(path, &idx), GLNN_OK);
    free(bytes);
}

static void files_that_do_not_fit_together_are_refused(void **state)
{
    (void)state;
    assert_true(digits_write("a", 1, 30, 10));
    replace(MNIST_TRAIN_LABELS, 1, 29, 1, GLNN_IDX_UINT8);
    not_loaded("a", "29 labels", "30 images");
    assert_true(digits_write("a", 1, 30, 10));
    replace(MNIST_TEST_IMAGES, 3, 10, 20, GLNN_IDX_UINT8);
    not_loaded("a", "20 x 20", "28 x 28");
    replace(MNIST_TRAIN_IMAGES, 1, 30, 1, GLNN_IDX_UINT8);
    not_loaded("a", MNIST_TRAIN_IMAGES, "3 dimensions");
    replace(MNIST_TRAIN_IMAGES, 3, 30, 28, GLNN_IDX_FLOAT32);
    not_loaded("a", MNIST_TRAIN_IMAGES, "0x0d");
}

static void labels_may_be_of_any_number_of_classes(void **state)
{
    images data;
    (void)state;
    assert_true(digits_write("a", 1, 30, 10));
    FILE *file = fopen("a/" MNIST_TRAIN_LABELS, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 8 + 17, SEEK_SET), 0);
    assert_int_equal(fputc(61, file), 61);
    assert_int_equal(fclose(file), 0);
    assert_true(images_load("a", &data));
    assert_int_equal(data.classes, 62);
    assert_int_equal(data.train.labels[17], 61);
    images_free(&data);
}

static void a_truncated_file_is_refused(void **state)
{
    (void)state;
    assert_true(digits_write("a", 1, 30, 10));
    assert_int_equal(truncate("a/" MNIST_TRAIN_IMAGES, 5000), 0);
    not_loaded("a", MNIST_TRAIN_IMAGES, "");
    assert_int_equal(truncate("a/" MNIST_TRAIN_IMAGES, 0), 0);
    not_loaded("a", MNIST_TRAIN_IMAGES, "");
}

static void a_picture_on_paper_is_scaled_and_inverted(void **state)
{
    enum { WIDE = 112, TALL = 56 };
    const glnn_shape digit = {1, 28, 28};
    float drawn[TALL * WIDE];
    pictures seen;
    (void)state;
    for (int i = 0; i < TALL * WIDE; ++i)
        drawn[i] = i % WIDE >= 48 && i % WIDE < 64 ? 0.0f : 1.0f;
    assert_int_equal(glnn_image_write("p.png", 1, WIDE, TALL, drawn, 0.0f, 1.0f), GLNN_OK);
    assert_true(pictures_read("p.png", digit, false, &seen));
    assert_non_null(strstr(seen.note, "bright background (--invert"));
    assert_float_equal(seen.pixels[0], 1.0f, 1e-5);
    pictures_free(&seen);
    assert_true(pictures_read("p.png", digit, true, &seen));
    assert_int_equal(seen.count, 1);
    assert_non_null(strstr(seen.note, "112 x 56"));
    assert_non_null(strstr(seen.note, "28 x 28"));
    assert_non_null(strstr(seen.note, "inverted"));
    /* The aspect is kept: the picture fills rows 7 to 20, the stroke columns 12 to 15. */
    for (int y = 0; y < 28; ++y)
        for (int x = 0; x < 28; ++x)
            assert_float_equal(seen.pixels[y * 28 + x],
                               y >= 7 && y < 21 && x >= 12 && x < 16 ? 1.0f : 0.0f, 1e-5);
    pictures_free(&seen);
}

static void a_picture_in_colour_is_scaled_to_the_shape_of_a_model(void **state)
{
    /* Columns of two colours, in planes of red, green and blue. */
    const float drawn[3][2][4] = {
        {{1, 1, 0, 0}, {1, 1, 0, 0}}, {{0}}, {{0, 0, 1, 1}, {0, 0, 1, 1}}};
    const glnn_shape shape = {3, 1, 2};
    const float wanted[6] = {1, 0, 0, 0, 0, 1};
    pictures seen;
    (void)state;
    assert_int_equal(glnn_image_write("c.png", 3, 4, 2, drawn[0][0], 0.0f, 1.0f), GLNN_OK);
    assert_true(pictures_read("c.png", shape, false, &seen));
    assert_string_equal(seen.note, "4 x 2 pixels, scaled to 2 x 1");
    for (int i = 0; i < 6; ++i)
        assert_float_equal(seen.pixels[i], wanted[i], 1e-6);
    pictures_free(&seen);
    assert_true(digits_write("a", 1, 30, 10));
    assert_false(pictures_read("a/" MNIST_TEST_IMAGES, shape, false, &seen));
    assert_non_null(strstr(failure(), "images in colour"));
}

static void a_shape_that_is_not_known_is_a_square_in_gray(void **state)
{
    glnn_shape square = {0}, wide = {1, 3, 5}, coloured = {3, 4, 4};
    (void)state;
    assert_true(picture_find_shape(49, &square));
    assert_true(square.channels == 1 && square.height == 7 && square.width == 7);
    assert_true(picture_find_shape(15, &wide));
    assert_true(picture_find_shape(48, &coloured));
    assert_false(picture_find_shape(16, &coloured));
    square = (glnn_shape){0};
    assert_false(picture_find_shape(48, &square));
    assert_non_null(strstr(failure(), "48 features, not for images"));
}

static void images_of_an_idx_file_are_taken_as_they_are(void **state)
{
    const glnn_shape digit = {1, 28, 28};
    pictures seen;
    images data;
    (void)state;
    assert_true(digits_write("a", 1, 30, 10));
    assert_true(images_load("a", &data));
    assert_true(pictures_read("a/" MNIST_TEST_IMAGES, digit, false, &seen));
    assert_int_equal(seen.count, 10);
    for (size_t i = 0; i < (size_t)10 * PIXELS; ++i)
        assert_float_equal(seen.pixels[i], data.test.inputs[i], 1e-6);
    assert_null(strstr(seen.note, "scaled"));
    pictures_free(&seen);
    images_free(&data);
    assert_false(pictures_read("a/" MNIST_TEST_LABELS, digit, false, &seen));
    assert_false(pictures_read("missing.png", digit, false, &seen));
    assert_non_null(strstr(failure(), "missing.png"));
    assert_int_equal(fclose(fopen("empty.png", "w")), 0);
    assert_false(pictures_read("empty.png", digit, false, &seen));
    assert_string_equal(failure(), "empty.png: the file is empty");
    assert_false(pictures_read(".", digit, false, &seen));
    assert_string_equal(failure(), "cannot read .: Is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_draws_the_same_digits),
        cmocka_unit_test(digits_are_those_of_every_other_machine),
        cmocka_unit_test(digits_lie_in_the_middle_with_enough_ink),
        IN_FOLDER(generated_files_load_and_are_balanced),
        IN_FOLDER(the_same_seed_writes_the_same_files),
        IN_FOLDER(without_any_data_digits_are_generated_once),
        IN_FOLDER(the_usual_places_are_searched_in_order),
        IN_FOLDER(a_folder_that_was_named_must_have_the_files),
        IN_FOLDER(files_that_do_not_fit_together_are_refused),
        IN_FOLDER(labels_may_be_of_any_number_of_classes),
        IN_FOLDER(a_truncated_file_is_refused),
        IN_FOLDER(a_picture_on_paper_is_scaled_and_inverted),
        IN_FOLDER(a_picture_in_colour_is_scaled_to_the_shape_of_a_model),
        cmocka_unit_test(a_shape_that_is_not_known_is_a_square_in_gray),
        IN_FOLDER(images_of_an_idx_file_are_taken_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
