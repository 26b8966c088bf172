/* Convolutional networks, distortions, checkpoints and exports in the programs of the examples, as
 * their user runs them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glnn/image.h>

#include "support/folder.h"
#include "support/trainer.h"

#include "../examples/common/digits.h"
#include "../examples/common/folder.h"

static void find_program(const char *name)
{
    assert_int_equal(trainer_find(name), 0);
}

static void both_nets_of_the_example_learn_digits(void **state)
{
    (void)state;
    find_program("mnist_conv");
    assert_true(digits_write("digits", 1, 300, 100));
    does("--data digits --epochs 4 --save m");
    assert_non_null(strstr(said, "convolution    6 x 28 x 28"));
    assert_non_null(strstr(said, "max_pool      16 x  5 x  5"));
    assert_true(printed("\ntest accuracy ") > 60.0);
    const double accuracy = printed("\ntest accuracy ");
    does("--data digits --epochs 2 --net simard --distort");
    assert_non_null(strstr(said, "convolution   50 x  5 x  5"));
    assert_true(printed("\ntest accuracy ") > 20.0);
    refuses("--net lenet", "--net 'lenet'", "lenet5 or simard");
    find_program("train");
    does("--load m --data digits");
    assert_true(printed("test accuracy ") == accuracy);
}

/* Trains one epoch of so many steps of one image, and returns its seconds without compiling: the
 * line of the epoch ends with the images a second. */
static double train_images(int images)
{
    assert_true(digits_write("digits", 1, images, 10));
    does("--data digits --epochs 1 --batch 1");
    const char *rate = strstr(said, "\n\ntraining took ");
    assert_non_null(rate);
    while (rate > said && rate[-1] != ' ')
        --rate;
    return images / strtod(rate, NULL);
}

/* An epoch that takes longer than two seconds has lines of its own. How many images that takes
 * depends on the device. */
static void the_example_shows_its_progress_within_an_epoch(void **state)
{
    enum { FEW = 500, MOST = 60000 };
    const double enough = 2.5;
    char of[32];
    int images = FEW;
    (void)state;
    find_program("mnist_conv");
    double seconds = train_images(images);
    while (seconds < enough && images < MOST) {
        images = seconds > 0 ? (int)fmin(1.5 * enough / seconds * images, MOST) : MOST;
        seconds = train_images(images);
    }
    if (seconds < enough)
        skip();
    assert_true(printed("batch ") >= 64);
    snprintf(of, sizeof of, " of %d\n", images);
    assert_non_null(strstr(said, of));
}

static void a_network_of_images_is_described_by_text(void **state)
{
    int width, height;
    float *pixels;
    (void)state;
    find_program("train");
    assert_true(digits_write("digits", 1, 400, 100));
    does("--data digits --epochs 4 --rate 0.05 --save m --plot plots --layers "
         "'conv 6 5 pad 2, max 2, conv 8 5 tanh, batch, max 2, flat, dense 20, drop 0.2'");
    assert_non_null(strstr(said, "network    1 x 28 x 28, cross_entropy loss"));
    assert_non_null(strstr(said, "\nlayer 0    convolution 6 5 padding 2 relu"));
    assert_non_null(strstr(said, "\nlayer 2    convolution 8 5 tanh                     8 x 10"));
    assert_non_null(strstr(said, "\nlayer 6    dense 20 relu                            20\n"));
    assert_non_null(strstr(said, "\nlayer 8    dense 10 identity                        10\n"));
    assert_true(printed("test accuracy ") > 40.0);
    /* Six kernels of 5 x 5, four times as large, in two rows. */
    assert_int_equal(glnn_image_read("plots/weights.png", 1, &width, &height, &pixels), GLNN_OK);
    assert_int_equal(width, 1 + 3 * 21);
    assert_int_equal(height, 1 + 2 * 21);
    free(pixels);
    const double accuracy = printed("test accuracy ");
    does("--load m --data digits");
    assert_true(printed("test accuracy ") == accuracy);
    fails("--data digits --layers 'conv 6 29, flatten'", "layer 0", "29");
    fails("--data digits --layers 'conv 6 3'", "flatten", "layer 1 is the one of the outputs");
    refuses("--data digits --pca 5 --layers 'conv 6 3, flat'", "--layers and --pca", "need images");
    refuses("--data digits --hidden 3 --layers 'dense 3'", "--hidden", "--layers");
    refuses("--data digits --layers 'conv 6'", "--layers: layer 'conv 6'", "kernel");
}

/* Images of 6 x 4 pixels, as rows of a table: a horizontal or a vertical bar on noise. */
static void write_bars(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    srand(1);
    for (int i = 0; i < 240; ++i) {
        const int is_row = i % 2, place = rand() % 4;
        for (int p = 0; p < 24; ++p)
            fprintf(file, "%.2f,",
                    rand() / (2.0 * RAND_MAX) + ((is_row ? p / 4 : p % 4) == place ? 1.0 : 0.0));
        fprintf(file, "%s\n", is_row ? "row" : "column");
    }
    assert_int_equal(fclose(file), 0);
}

static void a_convolution_needs_the_shape_of_a_table(void **state)
{
    (void)state;
    find_program("train");
    write_bars("bars.csv");
    fails("--data bars.csv --layers 'conv 8 3 pad 1, flat'", "need images",
          "24 features without a shape; use --shape HxW");
    does("--data bars.csv --shape 6x4 --layers 'conv 8 3 pad 1, flat' --epochs 10 --save m");
    assert_non_null(strstr(said, "6 x 4 pixels, 2 classes"));
    assert_non_null(strstr(said, "network    1 x 6 x 4, cross_entropy loss"));
    assert_true(printed("test accuracy ") > 90.0);
    does("--load m --data bars.csv");
    assert_true(printed("test accuracy ") > 90.0);
    fails("--data bars.csv --shape 4x4", "--shape 4x4x1", "24 features");
}

static void images_are_distorted_and_drawn(void **state)
{
    int width, height;
    float *pixels;
    (void)state;
    find_program("train");
    assert_true(digits_write("digits", 1, 60, 20));
    does("--data digits --epochs 1 --distort affine,elastic --contact-sheet sheet.png");
    assert_non_null(strstr(said, "sheet.png: 12 images"));
    assert_int_equal(glnn_image_read("sheet.png", 1, &width, &height, &pixels), GLNN_OK);
    assert_int_equal(width, 1 + 12 * 29);
    assert_int_equal(height, 1 + 12 * 29);
    /* The first column has the images as they are, and the second one distorts them. */
    double difference = 0, ink = 0;
    for (int y = 1; y < 29; ++y)
        for (int x = 1; x < 29; ++x) {
            ink += (double)pixels[y * width + x];
            difference += fabs((double)(pixels[y * width + x] - pixels[y * width + x + 29]));
        }
    assert_true(ink > 10 && difference > 0.05 * ink);
    free(pixels);
    write_trees("trees.csv", 10, 1);
    fails("--data trees.csv --distort affine", "--distort affine", "not images");
    refuses("--contact-sheet s.png", "--contact-sheet s.png", "--distort");
    refuses("--distort wild", "--distort: 'wild'", "affine or elastic");
}

static void folders_of_pictures_are_learnt(void **state)
{
    char path[PATH_CAPACITY];
    float pixels[64];
    (void)state;
    find_program("train");
    for (int class = 0; class < 2; ++class)
        for (int i = 0; i < 20; ++i) {
            for (int p = 0; p < 64; ++p)
                pixels[p] = ((class ? p % 8 : p / 8) + i) % 4 < 2 ? 0.9f : 0.1f;
            snprintf(path, sizeof path, "p/%s", class ? "columns" : "rows");
            assert_true(folder_create(path));
            snprintf(path, sizeof path, "p/%s/%d.png", class ? "columns" : "rows", i);
            assert_int_equal(glnn_image_write(path, 1, 8, 8, pixels, 0, 1), GLNN_OK);
        }
    does("--data p --epochs 20 --batch 8 --rate 0.02 --layers 'conv 4 3, flat, dense 8' --save m");
    assert_non_null(
        strstr(said, "32 samples for training, 8 for the test, 8 x 8 pixels, 2 classes"));
    assert_true(printed("test accuracy ") == 100.0);
    does("--load m --classify p/columns/3.png");
    assert_non_null(strstr(said, "class columns"));
}

/* A bright stroke that is upright or lies, in pictures of several sizes and depths of folders. */
static void pictures_of_other_sizes_are_scaled_to_one(void **state)
{
    char path[PATH_CAPACITY];
    float pixels[16 * 16];
    (void)state;
    find_program("train");
    for (int class = 0; class < 2; ++class)
        for (int i = 0; i < 20; ++i) {
            const int side = 8 + i % 9, middle = side / 2;
            for (int p = 0; p < side * side; ++p)
                pixels[p] = abs((class ? p % side : p / side) - middle) < 2 ? 0.9f : 0.1f;
            snprintf(path, sizeof path, "p/%s", class ? "upright" : "flat");
            assert_true(folder_create(path));
            snprintf(path, sizeof path, "p/%s/%d", class ? "upright" : "flat", i % 2);
            assert_true(folder_create(path));
            snprintf(path, sizeof path, "p/%s/%d/%d.png", class ? "upright" : "flat", i % 2, i);
            assert_int_equal(glnn_image_write(path, 1, side, side, pixels, 0, 1), GLNN_OK);
        }
    does("--data p --hidden 4");
    assert_non_null(strstr(said, "8 for the test, 8 x 8 pixels, 2 classes"));
    does("--data p --shape 9x12 --hidden 4 --save m");
    assert_non_null(strstr(said, "9 x 12 pixels, 2 classes"));
    assert_true(printed("test accuracy ") == 100.0);
    does("--data p --shape 9x12 --load m");
    assert_true(printed("test accuracy ") == 100.0);
    does("--data p --shape 9x12 --load m --budget 1");
    assert_true(printed("test accuracy ") == 100.0);
    fails("--data p --load m", "pictures of 8 x 8 pixels are samples of 64 features",
          "--shape HxW scales");
}

/* Pictures of 6 x 4 pixels in one colour each, with a pattern on it. */
static void folders_of_coloured_pictures_are_learnt_and_drawn(void **state)
{
    static const char *const names[] = {"red", "green", "blue"};
    char path[PATH_CAPACITY];
    int width, height;
    float pixels[3 * 24], *sheet;
    (void)state;
    find_program("train");
    for (int class = 0; class < 3; ++class)
        for (int i = 0; i < 12; ++i) {
            for (int p = 0; p < 3 * 24; ++p)
                pixels[p] = (p / 24 == class ? 0.6f : 0.1f) + 0.01f * (float)((p + 5 * i) % 24);
            snprintf(path, sizeof path, "p/%s", names[class]);
            assert_true(folder_create(path));
            snprintf(path, sizeof path, "p/%s/%d.png", names[class], i);
            assert_int_equal(glnn_image_write(path, 3, 6, 4, pixels, 0, 1), GLNN_OK);
        }
    does("--data p --epochs 30 --batch 8 --layers 'conv 4 3, flat' --save m --distort 'shift 1' "
         "--contact-sheet s.png --plot plots");
    assert_non_null(strstr(said, "4 x 6 pixels in colour, 3 classes"));
    assert_true(printed("test accuracy ") == 100.0);
    does("--load m --classify p/green/7.png");
    assert_non_null(strstr(said, "class green"));
    assert_int_equal(glnn_image_read("s.png", 3, &width, &height, &sheet), GLNN_OK);
    assert_true(width == 1 + 12 * 7 && height == 1 + 12 * 5);
    /* The first picture is blue, as classes are sorted by their names. */
    assert_true(sheet[2 * width * height + width + 1] > sheet[width + 1] + 0.3f);
    free(sheet);
    /* A row of the kernels of 3 x 3 for three channels, eight times as large, for each of four
     * units. */
    assert_int_equal(glnn_image_read("plots/weights.png", 3, &width, &height, &sheet), GLNN_OK);
    assert_true(width == 1 + 3 * 25 && height == 1 + 4 * 25);
    free(sheet);
}

/* The rows of a curve without the columns that differ from run to run. */
static void read_curve(const char *path, char text[TEXT_CAPACITY])
{
    char command[PATH_CAPACITY];
    snprintf(command, sizeof command, "cut -d, -f 1-11 %s >cut.csv", path);
    assert_int_equal(system(command), 0);
    read_text("cut.csv", text);
}

static void a_resumed_training_ends_with_the_same_files(void **state)
{
    static const char *const training =
        "--data digits --hidden 20 --epochs 6 --schedule constant --distort affine";
    char line[512], whole[TEXT_CAPACITY], resumed[TEXT_CAPACITY];
    (void)state;
    find_program("train");
    assert_true(digits_write("digits", 1, 300, 50));
    snprintf(line, sizeof line, "%s --save a --curve a.csv --checkpoint c --every 2", training);
    does(line);
    assert_null(strstr(said, "resumed"));
    assert_int_equal(access("c", R_OK), 0);
    assert_int_equal(access("c.1", R_OK), 0);
    assert_int_equal(count_lines("a.csv"), 7);
    /* From the last checkpoint but one, as after a run that was killed. */
    assert_int_equal(rename("c.1", "c"), 0);
    assert_int_equal(rename("a.csv", "whole.csv"), 0);
    assert_int_equal(system("head -n 6 whole.csv >a.csv"), 0);
    snprintf(line, sizeof line, "%s --save b --curve a.csv --checkpoint c --every 2 --resume",
             training);
    does(line);
    assert_non_null(strstr(said, "resumed    c: after step 16, in epoch 6 of 6"));
    assert_int_equal(system("cmp a b"), 0);
    read_curve("whole.csv", whole);
    read_curve("a.csv", resumed);
    assert_string_equal(whole, resumed);
    fails("--data digits --hidden 20 --epochs 6 --checkpoint c", "--checkpoint: c exists already",
          "--resume continues from it, and --overwrite replaces it");
    does("--data digits --hidden 20 --epochs 1 --checkpoint new --resume");
    assert_non_null(strstr(said, "note: new does not exist yet, so training begins"));
    refuses("--resume", "--resume", "--checkpoint");
    refuses("--every 3", "--every", "--checkpoint");
}

static void a_training_is_extended(void **state)
{
    static const char *const rest = "--data digits --hidden 20 --schedule constant";
    char line[512];
    (void)state;
    find_program("train");
    assert_true(digits_write("digits", 1, 300, 50));
    snprintf(line, sizeof line, "%s --epochs 5 --save a", rest);
    does(line);
    snprintf(line, sizeof line, "%s --epochs 3 --checkpoint c", rest);
    does(line);
    snprintf(line, sizeof line, "%s --epochs 5 --checkpoint c --resume --save b", rest);
    does(line);
    assert_non_null(strstr(said, "in epoch 3 of 5"));
    assert_int_equal(system("cmp a b"), 0);
    snprintf(line, sizeof line, "%s --epochs 2 --checkpoint c --overwrite", rest);
    does(line);
    assert_non_null(strstr(said, "epoch 1/2"));
}

static void a_model_is_exported_as_a_program_in_c(void **state)
{
    (void)state;
    find_program("train");
    write_trees("trees.csv", 20, 1);
    does("--data trees.csv --standardise --hidden 6 --epochs 10 --export-c tree.c");
    assert_non_null(strstr(said, "tree_predict"));
    assert_int_equal(system("cc -std=c99 -c tree.c -o tree.o"), 0);
    does("--data trees.csv --standardise --hidden 6 --epochs 10 --save m");
    does("--load m --export-c loaded.c");
    assert_int_equal(system("sed s/LOADED/TREE/g loaded.c | sed s/loaded/tree/g | cmp - tree.c"),
                     0);
    refuses("--export-c 9.c", "--export-c 9.c", "the first a letter");
    refuses("--learner gmm --export-c a.c", "--export-c a.c", "mixture");
}

static void a_network_is_exported_as_functions_of_a_shader(void **state)
{
    (void)state;
    find_program("train");
    write_trees("trees.csv", 20, 1);
    does("--data trees.csv --standardise --hidden 6 --epochs 10 --save m --export-glsl tree.glsl");
    assert_non_null(strstr(said, "exported   tree.glsl: tree_predict and tree_classify"));
    assert_int_equal(system("(echo '#version 300 es'; cat tree.glsl; echo 'void main() { }') "
                            ">tree.frag; glslangValidator tree.frag >&2"),
                     0);
    does("--load m --export-glsl loaded.glsl");
    assert_int_equal(
        system("sed s/LOADED/TREE/g loaded.glsl | sed s/loaded/tree/g | cmp - tree.glsl"), 0);
    refuses("--export-glsl 9.glsl", "--export-glsl 9.glsl", "the first a letter");
    refuses("--export-glsl gl_a.glsl", "--export-glsl gl_a.glsl", "GLSL reserves");
    refuses("--export-glsl a__b.glsl", "--export-glsl a__b.glsl", "GLSL reserves");
    refuses("--learner svm --export-glsl a.glsl", "--export-glsl a.glsl", "only a network");
    fails("--data trees.csv --hidden 10000 --export-glsl a.glsl", "--export-glsl a.glsl",
          "parameters, but the text may have at most 65536 bytes");
    fails("--data trees.csv --export-glsl absent/a.glsl", "absent/a.glsl", "no folder");
    assert_int_equal(access("a.glsl", F_OK), -1);
}

static void curves_are_tables_or_pictures(void **state)
{
    int width, height;
    float *pixels;
    char text[TEXT_CAPACITY];
    (void)state;
    find_program("train");
    write_trees("trees.csv", 20, 1);
    if (system("command -v gnuplot >/dev/null") == 0) {
        does("--data trees.csv --epochs 3 --curve \"'|exit.png\"");
        assert_int_equal(glnn_image_read("'|exit.png", 1, &width, &height, &pixels), GLNN_OK);
        assert_int_equal(width, 1000);
        free(pixels);
        does("--data trees.csv --epochs 1 --learner gmm --curve c.svg");
        read_text("c.svg", text);
        assert_non_null(strstr(text, "<svg"));
    }
    does("--data trees.csv --epochs 3 --curve c.csv");
    assert_int_equal(count_lines("c.csv"), 4);
    refuses("--load m --data a.csv --curve c.csv", "--curve c.csv", "without --epochs");
}

static void every_optimizer_learns(void **state)
{
    static const char *const optimizers[] = {"sgd --two-parts --gradient-noise 1e-6", "nesterov",
                                             "adam --batch 8", "rmsprop --batch 8", "rprop"};
    char line[256];
    (void)state;
    find_program("train");
    write_trees("trees.csv", 40, 1);
    for (size_t i = 0; i < sizeof optimizers / sizeof optimizers[0]; ++i) {
        snprintf(line, sizeof line,
                 "--data trees.csv --standardise --hidden 8 --epochs 60 --label-smoothing 0.1 "
                 "--optimizer %s",
                 optimizers[i]);
        does(line);
        if (printed("test accuracy ") < 95.0)
            fail_msg("%s: %.2f %%", optimizers[i], printed("test accuracy "));
    }
    refuses("--optimizer rprop --rate 0.1", "--rate", "rprop");
    refuses("--optimizer rprop --momentum 0.1", "--momentum", "rprop");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(both_nets_of_the_example_learn_digits),
        IN_FOLDER(the_example_shows_its_progress_within_an_epoch),
        IN_FOLDER(a_network_of_images_is_described_by_text),
        IN_FOLDER(a_convolution_needs_the_shape_of_a_table),
        IN_FOLDER(images_are_distorted_and_drawn),
        IN_FOLDER(folders_of_pictures_are_learnt),
        IN_FOLDER(pictures_of_other_sizes_are_scaled_to_one),
        IN_FOLDER(folders_of_coloured_pictures_are_learnt_and_drawn),
        IN_FOLDER(a_resumed_training_ends_with_the_same_files),
        IN_FOLDER(a_training_is_extended),
        IN_FOLDER(a_model_is_exported_as_a_program_in_c),
        IN_FOLDER(a_network_is_exported_as_functions_of_a_shader),
        IN_FOLDER(curves_are_tables_or_pictures),
        IN_FOLDER(every_optimizer_learns),
    };
    if (trainer_find("train") != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
