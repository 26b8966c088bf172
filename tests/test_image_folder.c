/* Folders of PNG files as labelled samples. */
#include <glnn/image.h>

#include "base/folder.h"
#include "io/png_file.h"
#include "support/fault_runs.h"
#include "support/tree.h"

#include <png.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WIDTH = 3, HEIGHT = 2, PIXELS = WIDTH * HEIGHT };

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

/* Writes a picture, and the folder that it lies in. All pixels of a channel are equal. */
static void put(const char *name, int width, int height, int channels, const unsigned char *color)
{
    char path[TREE_PATH], parent[TREE_PATH];
    unsigned char pixels[64];
    snprintf(path, sizeof path, "%s", tree_path(folder, name));
    snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(path, '/') - path), path);
    expect_ok(glnn__folder_make(parent));
    for (int i = 0; i < width * height * channels; ++i)
        pixels[i] = color[i % channels];
    expect_ok(glnn__png_write(path, width, height, channels, pixels));
}

static void put_gray(const char *name, unsigned char gray)
{
    put(name, WIDTH, HEIGHT, 1, &gray);
}

static glnn_status read_pictures(int channels, glnn_image_folder *out)
{
    *out = (glnn_image_folder){.size = sizeof *out};
    return glnn_image_folder_read(folder, channels, out);
}

/* Fails with a sentence that has both parts, and leaves the structure empty. */
static void refused(int channels, glnn_status wanted, const char *part, const char *other)
{
    glnn_image_folder read;
    expect_error(read_pictures(channels, &read), wanted, part);
    if (!strstr(glnn_last_error(), other))
        fail_msg("\"%s\" lacks \"%s\"", glnn_last_error(), other);
    assert_true(read.samples == 0 && read.classes == 0 && read.inputs == NULL);
    assert_true(read.labels == NULL && read.class_names == NULL && read.size == sizeof read);
}

static void classes_and_pictures_are_sorted_by_name(void **state)
{
    static const char *const classes[] = {"10", "9", "pear"};
    static const unsigned char grays[] = {30, 20, 51, 40, 0};
    static const int labels[] = {0, 1, 1, 1, 2};
    glnn_image_folder read;
    (void)state;
    put_gray("pear/a.png", 0);
    put_gray("9/b.png", 51);
    put_gray("9/c.PNG", 40);
    put_gray("9/a.png", 20);
    put_gray("10/z.png", 30);
    expect_ok(read_pictures(0, &read));
    assert_true(read.samples == 5 && read.classes == 3);
    assert_true(read.channels == 1 && read.width == WIDTH && read.height == HEIGHT);
    for (int i = 0; i < 3; ++i)
        assert_string_equal(read.class_names[i], classes[i]);
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(read.labels[i], labels[i]);
        for (int p = 0; p < PIXELS; ++p)
            assert_true(read.inputs[i * PIXELS + p] == (float)(grays[i] / 255.0));
    }
    glnn_image_folder_free(&read);
    assert_true(read.samples == 0 && read.inputs == NULL && read.size == sizeof read);
}

static void other_files_are_skipped(void **state)
{
    glnn_image_folder read;
    (void)state;
    put_gray("a/1.png", 1);
    put_gray(".hidden/1.png", 3);
    put_gray("top.png", 4);
    tree_write(tree_path(folder, "a/.1.png"), "no", 2);
    tree_write(tree_path(folder, "a/labels.txt"), "no", 2);
    tree_write(tree_path(folder, "a/png"), "no", 2);
    tree_write(tree_path(folder, "readme"), "no", 2);
    expect_ok(read_pictures(0, &read));
    assert_true(read.samples == 1 && read.classes == 1);
    assert_string_equal(read.class_names[0], "a");
    glnn_image_folder_free(&read);
}

static void pictures_in_further_folders_are_of_the_class_of_the_first(void **state)
{
    static const float values[] = {3, 1, 2, 4};
    glnn_image_folder read;
    char link[TREE_PATH];
    (void)state;
    put_gray("a/one/1.png", 1);
    put_gray("a/one/deeper.png/1.png", 2);
    put_gray("a/1.png", 3);
    put_gray("b/two/three/1.png", 4);
    put_gray("b/.two/1.png", 5);
    expect_ok(read_pictures(0, &read));
    assert_true(read.samples == 4 && read.classes == 2);
    for (int i = 0; i < 4; ++i) {
        assert_true(fabsf(read.inputs[i * read.width * read.height] - values[i] / 255) < 1e-6f);
        assert_int_equal(read.labels[i], i == 3);
    }
    assert_non_null(strstr(read.paths[2], "a/one/deeper.png/1.png"));
    glnn_image_folder_free(&read);
    snprintf(link, sizeof link, "%s", tree_path(folder, "a/one/back"));
    assert_int_equal(symlink("..", link), 0);
    refused(0, GLNN_E_LIMIT, "a/one/back/one", "more than 16 deep");
}

static void colours_become_planes_or_gray(void **state)
{
    static const unsigned char color[] = {255, 51, 0};
    glnn_image_folder read;
    (void)state;
    put("a/1.png", WIDTH, HEIGHT, 3, color);
    expect_ok(read_pictures(0, &read));
    assert_int_equal(read.channels, 3);
    for (int p = 0; p < PIXELS; ++p) {
        assert_true(read.inputs[p] == 1.0f && read.inputs[2 * PIXELS + p] == 0.0f);
        assert_true(read.inputs[PIXELS + p] == (float)(51 / 255.0));
    }
    glnn_image_folder_free(&read);
    expect_ok(read_pictures(1, &read));
    assert_int_equal(read.channels, 1);
    assert_float_equal(read.inputs[0], 0.4164f, 1e-6f);
    glnn_image_folder_free(&read);
}

static void transparent_pixels_are_blended_with_black(void **state)
{
    static const unsigned char half_clear[] = {255, 102, 0, 51};
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = 1, .height = 1, .format = PNG_FORMAT_RGBA};
    glnn_image_folder read;
    (void)state;
    assert_int_equal(mkdir(tree_path(folder, "a"), 0755), 0);
    assert_true(
        png_image_write_to_file(&image, tree_path(folder, "a/1.png"), 0, half_clear, 0, NULL));
    expect_ok(read_pictures(0, &read));
    assert_int_equal(read.channels, 3);
    assert_float_equal(read.inputs[0], 0.2f, 1e-7f);
    assert_float_equal(read.inputs[1], 0.08f, 1e-7f);
    assert_float_equal(read.inputs[2], 0.0f, 0.0f);
    glnn_image_folder_free(&read);
}

static void gray_and_colour_are_mixed_only_if_channels_are_named(void **state)
{
    static const unsigned char color[] = {255, 51, 0};
    glnn_image_folder read;
    (void)state;
    put_gray("a/gray.png", 102);
    put("b/colour.png", WIDTH, HEIGHT, 3, color);
    refused(0, GLNN_E_FORMAT, "b/colour.png: 3 channels", "a/gray.png has 1");
    expect_ok(read_pictures(3, &read));
    for (int i = 0; i < 3 * PIXELS; ++i)
        assert_true(read.inputs[i] == (float)(102 / 255.0));
    glnn_image_folder_free(&read);
    expect_ok(read_pictures(1, &read));
    assert_true(read.inputs[0] == (float)(102 / 255.0));
    glnn_image_folder_free(&read);
}

static void mixed_sizes_are_refused_with_both_files_and_sizes(void **state)
{
    const unsigned char gray = 7;
    (void)state;
    put_gray("a/1.png", 1);
    put_gray("b/1.png", 2);
    put("b/2.png", 4, HEIGHT, 1, &gray);
    refused(0, GLNN_E_FORMAT, "b/2.png: 4 x 2 pixels", "a/1.png has 3 x 2");
}

/* A picture of 4 x 2 pixels fills 3 x 2 to three quarters of its height, as its aspect is kept. */
static void pictures_get_the_size_that_is_set(void **state)
{
    static const unsigned char color[] = {51};
    const int second = 1;
    float numbers[PIXELS];
    glnn_image_folder read = {.size = sizeof read, .width = WIDTH, .height = HEIGHT};
    (void)state;
    put("a/1.png", 4, 2, 1, color);
    put_gray("a/2.png", 102);
    expect_ok(glnn_image_folder_read(folder, 0, &read));
    assert_true(read.samples == 2 && read.width == WIDTH && read.height == HEIGHT && read.scales);
    for (int i = 0; i < 2 * PIXELS; ++i)
        assert_float_equal(read.inputs[i], i < PIXELS ? 0.2f : 0.4f, 1e-6f);
    glnn_image_folder_free(&read);
    read = (glnn_image_folder){.size = sizeof read, .width = WIDTH, .height = HEIGHT};
    expect_ok(glnn_image_folder_open(folder, 0, &read));
    expect_ok(glnn_image_folder_read_samples(&read, &second, 1, numbers));
    assert_float_equal(numbers[PIXELS - 1], 0.4f, 1e-6f);
    glnn_image_folder_free(&read);
    read = (glnn_image_folder){.size = sizeof read, .width = WIDTH};
    expect_error(glnn_image_folder_read(folder, 0, &read), GLNN_E_ARG, "set to 3 x 0");
    read = (glnn_image_folder){.size = sizeof read, .width = 20000, .height = 1};
    expect_error(glnn_image_folder_read(folder, 0, &read), GLNN_E_LIMIT, "20000 x 1");
}

static void folders_without_classes_or_pictures_are_refused(void **state)
{
    (void)state;
    refused(0, GLNN_E_FORMAT, folder, "for each class");
    tree_write(tree_path(folder, "1.png"), "no", 2);
    refused(0, GLNN_E_FORMAT, folder, "for each class");
    put_gray("a/1.png", 1);
    assert_int_equal(mkdir(tree_path(folder, "empty"), 0755), 0);
    refused(0, GLNN_E_FORMAT, "/empty: ", ".png");
}

static void damaged_pictures_are_named(void **state)
{
    size_t size;
    (void)state;
    put_gray("a/1.png", 1);
    put_gray("a/3.png", 1);
    tree_write(tree_path(folder, "a/2.png"), "this is a text", 14);
    refused(0, GLNN_E_FORMAT, "a/2.png", "not a PNG");
    unsigned char *bytes = tree_read(tree_path(folder, "a/1.png"), &size);
    for (size_t length = 0; length < size; ++length) {
        tree_write(tree_path(folder, "a/2.png"), bytes, length);
        refused(0, GLNN_E_FORMAT, "a/2.png", "");
    }
    free(bytes);
}

static void unreadable_places_are_explained(void **state)
{
    char absent[TREE_PATH];
    glnn_image_folder read = {.size = sizeof read};
    (void)state;
    snprintf(absent, sizeof absent, "%s", tree_path(folder, "absent"));
    expect_error(glnn_image_folder_read(absent, 0, &read), GLNN_E_IO, absent);
    tree_write(tree_path(folder, "file"), "no", 2);
    expect_error(glnn_image_folder_read(tree_path(folder, "file"), 0, &read), GLNN_E_IO, "file");
    put_gray("a/1.png", 1);
    assert_int_equal(symlink("nowhere", tree_path(folder, "a/2.png")), 0);
    refused(0, GLNN_E_IO, "a/2.png", "opened");
    assert_int_equal(remove(tree_path(folder, "a/2.png")), 0);
    assert_int_equal(symlink("nowhere", tree_path(folder, "b")), 0);
    refused(0, GLNN_E_IO, "glnn_image_folder_read: ", "/b: the folder cannot be opened");
}

static void nonsense_is_refused(void **state)
{
    glnn_image_folder read = {0};
    (void)state;
    expect_error(glnn_image_folder_read(folder, 0, &read), GLNN_E_ARG, "size is 0");
    read.size = offsetof(glnn_image_folder, inputs);
    expect_error(glnn_image_folder_read(folder, 0, &read), GLNN_E_ARG, "set it to sizeof");
    read.size = sizeof read;
    expect_error(glnn_image_folder_read("", 0, &read), GLNN_E_ARG, "the path is empty");
    refused(2, GLNN_E_ARG, "`channels` is 2", "0, 1 or 3");
    refused(-1, GLNN_E_ARG, "`channels` is -1", "0, 1 or 3");
    refused(4, GLNN_E_ARG, "`channels` is 4", "0, 1 or 3");
    glnn_image_folder_free(NULL);
}

static void thousands_of_pictures_are_read_in_order(void **state)
{
    enum { EACH = 1500, CLASSES = 3 };
    char name[64], first[TREE_PATH];
    glnn_image_folder read;
    (void)state;
    for (int c = 0; c < CLASSES; ++c) {
        snprintf(name, sizeof name, "%d/0.png", c);
        put_gray(name, (unsigned char)(80 * c));
        snprintf(first, sizeof first, "%s", tree_path(folder, name));
        for (int i = 1; i < EACH; ++i) {
            snprintf(name, sizeof name, "%d/%d.png", c, i);
            assert_int_equal(link(first, tree_path(folder, name)), 0);
        }
    }
    expect_ok(read_pictures(0, &read));
    assert_true(read.samples == CLASSES * EACH && read.classes == CLASSES);
    for (int i = 0; i < CLASSES * EACH; ++i) {
        assert_int_equal(read.labels[i], i / EACH);
        assert_true(read.inputs[i * PIXELS] == (float)(80 * (i / EACH) / 255.0));
    }
    glnn_image_folder_free(&read);
}

static void an_open_folder_reads_its_pictures_when_it_is_asked(void **state)
{
    static const int samples[] = {3, 0, 3, 1};
    float inputs[COUNT_OF(samples) * PIXELS];
    glnn_image_folder read, opened = {.size = sizeof opened};
    (void)state;
    put_gray("a/1.png", 10);
    put_gray("a/2.png", 20);
    put_gray("b/1.png", 30);
    put_gray("b/2.png", 40);
    expect_ok(read_pictures(0, &read));
    tree_write(tree_path(folder, "b/1.png"), "no", 2);
    expect_ok(glnn_image_folder_open(folder, 0, &opened));
    assert_null(opened.inputs);
    assert_true(opened.samples == 4 && opened.classes == 2 && opened.width == WIDTH &&
                opened.height == HEIGHT && opened.channels == 1);
    assert_memory_equal(opened.labels, read.labels, 4 * sizeof *read.labels);
    expect_ok(glnn_image_folder_read_samples(&opened, samples, COUNT_OF(samples), inputs));
    for (size_t i = 0; i < COUNT_OF(samples); ++i)
        assert_memory_equal(inputs + i * PIXELS, read.inputs + samples[i] * PIXELS,
                            PIXELS * sizeof *inputs);
    const int damaged = 2, none = 4;
    expect_error(glnn_image_folder_read_samples(&opened, &damaged, 1, inputs), GLNN_E_FORMAT,
                 "/b/1.png");
    expect_error(glnn_image_folder_read_samples(&opened, &none, 1, inputs), GLNN_E_ARG,
                 "sample 4 of 4");
    glnn_image_folder_free(&opened);
    glnn_image_folder_free(&read);
}

static glnn_status read_and_free(const char *path)
{
    glnn_image_folder read = {.size = sizeof read};
    const glnn_status status = glnn_image_folder_read(path, 0, &read);
    glnn_image_folder_free(&read);
    return status;
}

/* Any allocation and any call on the file may be the one that fails. */
static void a_call_that_fails_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    put_gray("a/1.png", 1);
    put_gray("a/2.png", 2);
    put_gray("b/1.png", 3);
    fault_try_each(read_and_free, folder, 20);
}

#define FOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(classes_and_pictures_are_sorted_by_name),
        FOLDER_TEST(other_files_are_skipped),
        FOLDER_TEST(pictures_in_further_folders_are_of_the_class_of_the_first),
        FOLDER_TEST(colours_become_planes_or_gray),
        FOLDER_TEST(transparent_pixels_are_blended_with_black),
        FOLDER_TEST(gray_and_colour_are_mixed_only_if_channels_are_named),
        FOLDER_TEST(mixed_sizes_are_refused_with_both_files_and_sizes),
        FOLDER_TEST(pictures_get_the_size_that_is_set),
        FOLDER_TEST(folders_without_classes_or_pictures_are_refused),
        FOLDER_TEST(damaged_pictures_are_named),
        FOLDER_TEST(unreadable_places_are_explained),
        FOLDER_TEST(nonsense_is_refused),
        FOLDER_TEST(thousands_of_pictures_are_read_in_order),
        FOLDER_TEST(an_open_folder_reads_its_pictures_when_it_is_asked),
        FOLDER_TEST(a_call_that_fails_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
