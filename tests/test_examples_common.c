/* The helpers of the examples that need no OpenGL: command line, generated digits, the loader of
 * MNIST and its sentences, pictures to classify. */
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
#include "../examples/common/picture.h"
#include "../examples/common/settings.h"

enum { WORDS_MAX = 16, PIXELS = DIGITS_SIDE * DIGITS_SIDE };

/* Parses words separated by blanks, as a shell would pass them. */
static bool parse_words(const char *line, settings *out, bool *help)
{
    static char text[512];
    char *words[WORDS_MAX] = {(char[]){"mnist_mlp"}};
    int count = 1;
    option_table table = settings_table("build/examples/mnist_mlp");
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    return options_parse(&table, count, words, out, help);
}

static settings parsed(const char *line)
{
    settings result;
    bool help;
    if (!parse_words(line, &result, &help))
        fail_msg("%s: %s", line, failure());
    assert_false(help);
    return result;
}

/* The line is refused with a sentence that has all of these parts. */
static void refused(const char *line, const char *const parts[3])
{
    settings result;
    bool help;
    if (parse_words(line, &result, &help))
        fail_msg("'%s' was accepted", line);
    for (int i = 0; i < 3 && parts[i]; ++i)
        if (strstr(failure(), parts[i]) == NULL)
            fail_msg("'%s': \"%s\" lacks \"%s\"", line, failure(), parts[i]);
}

static void an_empty_command_line_gives_the_defaults(void **state)
{
    (void)state;
    settings with = parsed("");
    assert_null(with.data);
    assert_int_equal(with.hidden.count, 1);
    assert_int_equal(with.hidden.values[0], 128);
    assert_int_equal(with.activation, GLNN_MAP_RELU);
    assert_int_equal(with.loss, GLNN_LOSS_CROSS_ENTROPY);
    assert_int_equal(with.optimizer, GLNN_OPTIMIZER_SGD);
    assert_float_equal(with.momentum, 0.9f, 1e-7);
    assert_int_equal(with.batch, 128);
    assert_int_equal(with.epochs, 10);
    assert_int_equal(with.on.layout, GLNN_LAYOUT_TILED);
    assert_int_equal(with.precision, GLNN_PRECISION_FLOAT32);
    assert_int_equal(with.seed, 1);
    assert_true(with.train && with.needs_data);
}

static void every_kind_of_value_is_read(void **state)
{
    (void)state;
    settings with = parsed("--hidden 300,100,7 --rate 1e-2 --loss=squared --activation scaled_tanh "
                           "--seed 18446744073709551615 --save /tmp/x --list-devices");
    assert_int_equal(with.hidden.count, 3);
    assert_int_equal(with.hidden.values[2], 7);
    assert_float_equal(with.rate, 0.01f, 1e-9);
    assert_int_equal(with.loss, GLNN_LOSS_SQUARED);
    assert_int_equal(with.activation, GLNN_MAP_SCALED_TANH);
    assert_true(with.seed == UINT64_MAX);
    assert_string_equal(with.save, "/tmp/x");
    assert_true(with.on.list);
}

static void what_is_trained_follows_from_load_epochs_and_predict(void **state)
{
    (void)state;
    settings with = parsed("--load a");
    assert_true(!with.train && with.needs_data);
    with = parsed("--load a --epochs 3");
    assert_true(with.train);
    with = parsed("--load a --predict b");
    assert_true(!with.train && !with.needs_data);
    with = parsed("--optimizer adam");
    assert_float_equal(with.rate, 0.001f, 1e-9);
    assert_float_equal(with.momentum, 0.0f, 0.0f);
}

static void wrong_values_are_refused_with_option_value_and_what_is_allowed(void **state)
{
    static const struct {
        const char *line, *parts[3];
    } cases[] = {
        {"--batch 0", {"--batch", "'0'", "from 1 to"}},
        {"--batch 12x", {"--batch", "'12x'", "integer"}},
        {"--epochs 99999999999999999999", {"--epochs", "99999999999999999999", "integer"}},
        {"--rate 0", {"--rate", "'0'", "above 0"}},
        {"--rate nan", {"--rate", "'nan'", "number"}},
        {"--momentum 1", {"--momentum", "'1'", "below 1"}},
        {"--validation -0.1", {"--validation", "'-0.1'", "from 0"}},
        {"--layout paged", {"--layout", "'paged'", "unpacked, packed or tiled"}},
        {"--loss mse", {"--loss", "'mse'", "cross-entropy or squared"}},
        {"--hidden 128,", {"--hidden", "'128,'", "separated by commas"}},
        {"--hidden 0", {"--hidden", "'0'", "from 1"}},
        {"--hidden 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", {"--hidden", "1 to 15"}},
        {"--seed -1", {"--seed", "'-1'", "from 0"}},
        {"--device=-1", {"--device", "'-1'", "from 0"}},
        {"--save", {"--save", "missing"}},
        {"--list-devices=3", {"--list-devices", "takes no value"}},
        {"--wrong", {"--wrong", "unknown"}},
        {"-x", {"-x", "unknown"}},
        {"digit.png", {"digit.png", "unexpected"}},
        {"--patience 3", {"--patience", "3", "--validation"}},
        {"--load a --hidden 3", {"--hidden", "--load", "a"}},
        {"--optimizer adam --momentum 0.5", {"--momentum", "adam"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        refused(cases[i].line, cases[i].parts);
}

static void help_names_every_option_with_its_default(void **state)
{
    static const char *const parts[] = {"--data DIR",
                                        "--hidden N",
                                        "--epochs N",
                                        "--predict",
                                        "--plot DIR",
                                        "(default: 128)",
                                        "unpacked, packed or tiled (default: tiled)",
                                        "--help"};
    char text[8192] = "";
    settings with;
    bool help;
    option_table table = settings_table("build/examples/mnist_mlp");
    (void)state;
    assert_true(parse_words("--help --wrong", &with, &help) && help);
    FILE *file = tmpfile();
    assert_non_null(file);
    options_help(&table, file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
        if (strstr(text, parts[i]) == NULL)
            fail_msg("--help lacks \"%s\"", parts[i]);
}

static void options_spell_maps_layouts_and_precisions_as_the_library_does(void **state)
{
    char line[64];
    (void)state;
    for (int map = 0; map <= GLNN_MAP_LEAKY_RELU; ++map) {
        snprintf(line, sizeof line, "--activation %s", glnn_map_name((glnn_map)map));
        assert_int_equal((int)parsed(line).activation, map);
    }
    for (int layout = 0; layout < GLNN_LAYOUT_PAGED; ++layout) {
        snprintf(line, sizeof line, "--layout %s", glnn_layout_name((glnn_layout)layout));
        assert_int_equal((int)parsed(line).on.layout, layout);
    }
    for (int precision = 0; precision < GLNN_PRECISION_COUNT; ++precision) {
        snprintf(line, sizeof line, "--precision %s",
                 glnn_precision_name((glnn_precision)precision));
        assert_int_equal((int)parsed(line).precision, precision);
    }
}

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

static void assert_balanced(const mnist_part *part)
{
    int counts[MNIST_CLASSES] = {0};
    for (int i = 0; i < part->samples; ++i)
        ++counts[part->labels[i]];
    for (int i = 0; i < MNIST_CLASSES; ++i)
        assert_int_equal(counts[i], part->samples / MNIST_CLASSES);
}

static void generated_files_load_and_are_balanced(void **state)
{
    mnist data;
    (void)state;
    assert_true(digits_write("a/b", 1, 200, 50));
    assert_true(mnist_load("a/b", &data));
    assert_false(data.generated);
    assert_int_equal(data.train.samples, 200);
    assert_int_equal(data.test.samples, 50);
    assert_int_equal(data.width * data.height, PIXELS);
    assert_balanced(&data.train);
    assert_balanced(&data.test);
    for (size_t i = 0; i < (size_t)200 * PIXELS; ++i)
        assert_true(data.train.inputs[i] >= 0.0f && data.train.inputs[i] <= 1.0f);
    assert_memory_not_equal(data.train.inputs, data.test.inputs, PIXELS * sizeof(float));
    mnist_free(&data);
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
    mnist data;
    (void)state;
    assert_true(mnist_load(NULL, &data));
    assert_true(data.generated);
    assert_int_equal(data.train.samples, DIGITS_TRAIN);
    assert_int_equal(data.test.samples, DIGITS_TEST);
    mnist_free(&data);
    assert_int_equal(access("data/digits/" MNIST_TRAIN_IMAGES, R_OK), 0);
}

static void the_usual_places_are_searched_in_order(void **state)
{
    mnist data;
    (void)state;
    assert_true(digits_write("data/mnist", 1, 30, 10));
    assert_true(digits_write("other", 1, 40, 10));
    assert_true(mnist_load(NULL, &data));
    assert_int_equal(data.train.samples, 30);
    mnist_free(&data);
    setenv("GLNN_DATA_DIR", "other", 1);
    assert_true(mnist_load(NULL, &data));
    assert_int_equal(data.train.samples, 40);
    mnist_free(&data);
    assert_true(mnist_load("data/mnist", &data));
    assert_int_equal(data.train.samples, 30);
    mnist_free(&data);
}

static void not_loaded(const char *folder, const char *part, const char *other)
{
    mnist data;
    if (mnist_load(folder, &data))
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
    glnn_idx idx = {.type = type,
                    .dimensions = dimensions,
                    .size = {count, dimensions == 3 ? side : 1, dimensions == 3 ? side : 1, 1},
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

static void a_label_out_of_range_is_refused(void **state)
{
    (void)state;
    assert_true(digits_write("a", 1, 30, 10));
    FILE *file = fopen("a/" MNIST_TRAIN_LABELS, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 8 + 17, SEEK_SET), 0);
    assert_int_equal(fputc(10, file), 10);
    assert_int_equal(fclose(file), 0);
    not_loaded("a", MNIST_TRAIN_LABELS, "10");
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
    float drawn[TALL * WIDE];
    pictures seen;
    (void)state;
    for (int i = 0; i < TALL * WIDE; ++i)
        drawn[i] = i % WIDE >= 48 && i % WIDE < 64 ? 0.0f : 1.0f;
    assert_int_equal(glnn_image_write("p.png", WIDE, TALL, drawn, 0.0f, 1.0f), GLNN_OK);
    assert_true(pictures_read("p.png", 28, 28, &seen));
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

static void images_of_an_idx_file_are_taken_as_they_are(void **state)
{
    pictures seen;
    mnist data;
    (void)state;
    assert_true(digits_write("a", 1, 30, 10));
    assert_true(mnist_load("a", &data));
    assert_true(pictures_read("a/" MNIST_TEST_IMAGES, 28, 28, &seen));
    assert_int_equal(seen.count, 10);
    for (size_t i = 0; i < (size_t)10 * PIXELS; ++i)
        assert_float_equal(seen.pixels[i], data.test.inputs[i], 1e-6);
    assert_null(strstr(seen.note, "scaled"));
    pictures_free(&seen);
    mnist_free(&data);
    assert_false(pictures_read("a/" MNIST_TEST_LABELS, 28, 28, &seen));
    assert_false(pictures_read("missing.png", 28, 28, &seen));
    assert_non_null(strstr(failure(), "missing.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_command_line_gives_the_defaults),
        cmocka_unit_test(every_kind_of_value_is_read),
        cmocka_unit_test(what_is_trained_follows_from_load_epochs_and_predict),
        cmocka_unit_test(wrong_values_are_refused_with_option_value_and_what_is_allowed),
        cmocka_unit_test(help_names_every_option_with_its_default),
        cmocka_unit_test(options_spell_maps_layouts_and_precisions_as_the_library_does),
        cmocka_unit_test(the_same_seed_draws_the_same_digits),
        cmocka_unit_test(digits_are_those_of_every_other_machine),
        cmocka_unit_test(digits_lie_in_the_middle_with_enough_ink),
        IN_FOLDER(generated_files_load_and_are_balanced),
        IN_FOLDER(the_same_seed_writes_the_same_files),
        IN_FOLDER(without_any_data_digits_are_generated_once),
        IN_FOLDER(the_usual_places_are_searched_in_order),
        IN_FOLDER(a_folder_that_was_named_must_have_the_files),
        IN_FOLDER(files_that_do_not_fit_together_are_refused),
        IN_FOLDER(a_label_out_of_range_is_refused),
        IN_FOLDER(a_truncated_file_is_refused),
        IN_FOLDER(a_picture_on_paper_is_scaled_and_inverted),
        IN_FOLDER(images_of_an_idx_file_are_taken_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
