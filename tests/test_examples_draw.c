/* The example draw as its user sees it: strokes of the pointer, keys, buttons, files of models, the
 * sizes of its window, and its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <glnn/dataset.h>
#include <glnn/image.h>
#include <glnn/lvq.h>
#include <glnn/network.h>

#include "common/digits.h"
#include "display/user.h"
#include "support/folder.h"
#include "support/trainer.h"

enum { PIXELS = 784, CLASSES = 10, SAMPLES = 500 };

/* The tests know where the paper, the buttons Clear and 0 and others lie in this window. */
#define WINDOW "--width 640 --height 400 "

/* A small network that can tell generated digits apart. */
static void write_network(const char *path)
{
    static float inputs[SAMPLES][PIXELS];
    uint8_t bytes[PIXELS];
    int labels[SAMPLES];
    glnn_context *ctx;
    glnn_dataset *data;
    glnn_learner *network;
    for (int i = 0; i < SAMPLES; ++i) {
        labels[i] = i % CLASSES;
        digits_draw(2, (uint64_t)i, labels[i], bytes);
        for (int j = 0; j < PIXELS; ++j)
            inputs[i][j] = (float)bytes[j] / 255.0f;
    }
    assert_int_equal(glnn_context_create(NULL, &ctx), GLNN_OK);
    const glnn_dataset_desc desc = {.samples = SAMPLES,
                                    .features = PIXELS,
                                    .inputs = inputs[0],
                                    .labels = labels,
                                    .classes = CLASSES};
    assert_int_equal(glnn_dataset_create(ctx, &desc, &data), GLNN_OK);
    assert_int_equal(
        glnn_network_create(
            ctx,
            &(glnn_network_desc){.features = PIXELS, .layers = {{.units = CLASSES}}, .seed = 1},
            &network),
        GLNN_OK);
    assert_int_equal(
        glnn_learner_train(network, data, &(glnn_train_desc){.epochs = 5, .batch = 50}, NULL),
        GLNN_OK);
    assert_int_equal(glnn_learner_save(network, path), GLNN_OK);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
}

/* A network for other samples. */
static void write_other_network(const char *path)
{
    const glnn_network_desc desc = {.features = 9, .layers = {{.units = CLASSES}}};
    glnn_context *ctx;
    glnn_learner *network;
    assert_int_equal(glnn_context_create(NULL, &ctx), GLNN_OK);
    assert_int_equal(glnn_network_create(ctx, &desc, &network), GLNN_OK);
    assert_int_equal(glnn_learner_save(network, path), GLNN_OK);
    glnn_learner_destroy(network);
    glnn_context_destroy(ctx);
}

/* The prototype of a class is an image with two bright rows. */
static void write_prototypes(const char *path)
{
    static float vectors[CLASSES][PIXELS];
    glnn_context *ctx;
    glnn_learner *lvq;
    for (int i = 0; i < CLASSES; ++i)
        for (int j = 0; j < 2 * 28; ++j)
            vectors[i][28 * (4 + 2 * i) + j] = 1.0f;
    assert_int_equal(glnn_context_create(NULL, &ctx), GLNN_OK);
    assert_int_equal(
        glnn_lvq_create(
            ctx, &(glnn_lvq_desc){.features = PIXELS, .classes = CLASSES, .scale = 100.0f}, &lvq),
        GLNN_OK);
    assert_int_equal(glnn_learner_set_tensor(lvq, "prototypes", CLASSES * PIXELS, vectors[0]),
                     GLNN_OK);
    assert_int_equal(glnn_learner_save(lvq, path), GLNN_OK);
    glnn_learner_destroy(lvq);
    glnn_context_destroy(ctx);
}

/* A curve between two places, with a frame for each point. */
static void write_strokes(const char *path, int points)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < points; ++i)
        fprintf(file, "%f %f\n", 0.2 + 0.006 * (i % 100), 0.2 + 0.6 * (i % 7) / 7.0);
    fprintf(file, "-\n");
    fclose(file);
}

static void write_line(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "0.5 0.1\n0.5 0.5\n0.55 0.9\n-\n");
    fclose(file);
}

static void draw_a_line(void)
{
    user_drags(120, 60, 140, 250);
}

/* Reads the class, and returns the key of another one. */
static const char *other_class(void)
{
    static const char *const keys[CLASSES] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    const int class = atoi(user_reads("Read "));
    return keys[(class + 3) % CLASSES];
}

static void expect_to_learn_a_line(void)
{
    char text[64];
    write_line("line");
    user_starts(WINDOW "--model model --save corrected --strokes line");
    const char *other = other_class();
    user_presses(other);
    snprintf(text, sizeof text, "Learnt %s", other);
    user_reads(text);
    user_presses("s");
    user_reads("Saved corrected");
    user_closes();
    user_reads("recognitions ");
    user_sees_the_end();
    user_starts(WINDOW "--model corrected --strokes line");
    snprintf(text, sizeof text, "Read %s", other);
    user_reads(text);
    user_closes();
    user_sees_the_end();
}

static void a_network_learns_a_line_that_it_has_read_wrongly(void **state)
{
    (void)state;
    write_network("model");
    expect_to_learn_a_line();
}

static void prototypes_learn_a_line_that_they_have_read_wrongly(void **state)
{
    (void)state;
    write_prototypes("model");
    expect_to_learn_a_line();
}

static void the_pointer_draws_until_the_paper_is_cleared(void **state)
{
    (void)state;
    write_prototypes("model");
    user_starts(WINDOW "--model model");
    user_reads("ready");
    user_presses("3");
    user_reads("Draw a digit first.");
    user_drags(50, 60, 60, 70);
    user_reads("Read ");
    user_drags(40, 250, 230, 260);
    user_reads("class ");
    user_reads("Read ");
    user_presses("c");
    user_reads("Cleared.");
    draw_a_line();
    user_reads("Read ");
    user_clicks(60, 291);
    user_reads("Cleared.");
    user_closes();
    user_sees_the_end();
}

static void the_button_of_a_class_corrects(void **state)
{
    (void)state;
    write_prototypes("model");
    user_starts(WINDOW "--model model");
    user_reads("ready");
    draw_a_line();
    user_reads("Read ");
    user_clicks(285, 315);
    user_reads("Learning that this is 2");
    user_reads("Learnt 2");
    user_clicks(285, 261);
    user_reads("Learning that this is 0");
    draw_a_line(); /* while it learns */
    user_presses("c");
    user_reads("Cleared.");
    user_closes();
    user_sees_the_end();
}

static void drawing_goes_on_in_a_window_of_one_pixel_and_until_it_is_closed(void **state)
{
    (void)state;
    write_network("model");
    write_strokes("strokes", 100000);
    user_starts(WINDOW "--model model --strokes strokes");
    user_reads("class ");
    user_resizes(1, 1);
    user_presses("c");
    user_reads("Cleared.");
    user_reads("class ");
    user_resizes(300, 900);
    user_looks_away();
    user_resizes(640, 400);
    user_closes();
    user_reads("recognitions ");
    user_sees_the_end();
}

static void strokes_are_recognised_while_the_window_is_minimised(void **state)
{
    (void)state;
    write_network("model");
    write_strokes("strokes", 100000);
    user_starts(WINDOW "--model model --strokes strokes");
    user_minimises();
    user_reads("class ");
    user_restores();
    user_sees_a_picture();
    user_presses("c");
    user_reads("Cleared.");
    user_reads("class ");
    user_closes();
    user_sees_the_end();
}

static void the_window_can_be_closed_before_it_is_ready_and_while_it_learns(void **state)
{
    (void)state;
    write_network("model");
    user_starts(WINDOW "--model model");
    user_closes();
    user_sees_the_end();
    user_starts(WINDOW "--model model");
    user_reads("ready");
    draw_a_line();
    user_presses(other_class());
    user_reads("Learning ");
    user_closes();
    user_sees_the_end();
}

static void check_picture(const char *path, int wanted_width, int wanted_height)
{
    int width, height;
    float *pixels;
    assert_int_equal(glnn_image_read(path, 1, &width, &height, &pixels), GLNN_OK);
    assert_int_equal(width, wanted_width);
    assert_int_equal(height, wanted_height);
    free(pixels);
}

static void each_size_and_content_scale_is_drawn(void **state)
{
    (void)state;
    write_network("model");
    write_strokes("strokes", 3);
    does(WINDOW "--model model --strokes strokes --frames 5 --screenshot plain.png");
    check_picture("plain.png", 640, 400);
    does("--width 300 --height 200 --model model --frames 3 --scale 2 --screenshot large.png");
    check_picture("large.png", 600, 400);
    does("--width 1 --height 1 --model model --strokes strokes --frames 5 --screenshot pixel.png");
    check_picture("pixel.png", 1, 1);
    does("--width 90 --height 1100 --model model --frames 3 --screenshot tall.png");
    check_picture("tall.png", 90, 1100);
}

/* The most memory, in KiB, that a program which has ended ever had. */
static long most_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_maxrss;
}

static void many_recognitions_take_no_more_memory_than_some(void **state)
{
    (void)state;
    write_network("model");
    write_strokes("strokes", 1000);
    does("--width 16 --height 16 --model model --strokes strokes --frames 200");
    assert_true(printed("recognitions ") > 150.0);
    const long before = most_memory();
    does("--width 16 --height 16 --model model --strokes strokes --frames 800");
    assert_true(printed("recognitions ") > 700.0);
    assert_true(most_memory() - before < 4096);
}

static void models_that_do_not_fit_are_refused_with_a_sentence(void **state)
{
    (void)state;
    refuses("--pen 0", "--pen", "1");
    fails("--model missing", "missing", "");
    write_other_network("small");
    fails("--model small", "9 features", "784 pixels");
    write_network("model");
    fails("--model model --strokes missing", "missing", "");
    fails("--model model --frames 2 --screenshot missing/picture.png", "missing/picture.png", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_network_learns_a_line_that_it_has_read_wrongly),
        IN_FOLDER(prototypes_learn_a_line_that_they_have_read_wrongly),
        IN_FOLDER(the_pointer_draws_until_the_paper_is_cleared),
        IN_FOLDER(the_button_of_a_class_corrects),
        IN_FOLDER(drawing_goes_on_in_a_window_of_one_pixel_and_until_it_is_closed),
        IN_FOLDER(strokes_are_recognised_while_the_window_is_minimised),
        IN_FOLDER(the_window_can_be_closed_before_it_is_ready_and_while_it_learns),
        IN_FOLDER(each_size_and_content_scale_is_drawn),
        IN_FOLDER(many_recognitions_take_no_more_memory_than_some),
        IN_FOLDER(models_that_do_not_fit_are_refused_with_a_sentence),
    };
    if (trainer_find("draw") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, user_has_display, user_leaves_display);
}
