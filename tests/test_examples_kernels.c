/* The pictures of examples/kernels against the same calculations in plain C. */
#include "support/folder.h"
#include "support/reference.h"
#include "support/trainer.h"

#include <glnn/image.h>

#include <stdio.h>

static int leave(void **state)
{
    release_all();
    return folder_leave(state);
}

#define PICTURE_TEST(test) cmocka_unit_test_setup_teardown(test, folder_enter, leave)

/* The picture that a program writes, with its planes one below the other, from 0 to 1. */
static array picture_of(const char *program, int channels)
{
    float *pixels;
    int width, height;
    assert_int_equal(trainer_find(program), 0);
    does("picture.png");
    expect_ok(glnn_image_read("picture.png", channels, &width, &height, &pixels));
    const array picture = array_of_floats(channels * height, width, pixels);
    free(pixels);
    return picture;
}

/* One of two pictures of a sheet. */
static array picture_in(array sheet, int number, int side)
{
    array picture = array_new(side, side);
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
            *at(picture, i, j) = *at(sheet, 1 + i, 1 + number * (side + 1) + j);
    return picture;
}

/* The edges of a world meet those on the other side. */
static void next_generation(array x, array next)
{
    const int side = x.rows;
    for (int i = 0; i < side; ++i) {
        const double *above = at(x, (i + side - 1) % side, 0), *row = at(x, i, 0),
                     *below = at(x, (i + 1) % side, 0);
        for (int j = 0; j < side; ++j) {
            const int left = (j + side - 1) % side, right = (j + 1) % side;
            const double neighbours = above[left] + above[j] + above[right] + row[left] +
                                      row[right] + below[left] + below[j] + below[right];
            *at(next, i, j) = neighbours == 3 || (neighbours == 2 && row[j] > 0);
        }
    }
}

static void the_game_of_life_has_every_cell_right(void **state)
{
    (void)state;
    enum { SIDE = 256, GENERATIONS = 500 };
    array worlds[] = {reference_uniform(1, SIDE, SIDE), array_new(SIDE, SIDE)};
    for (size_t i = 0; i < length_of(worlds[0]); ++i)
        worlds[0].data[i] = worlds[0].data[i] < 0.3;
    for (int i = 0; i < GENERATIONS; ++i)
        next_generation(worlds[i % 2], worlds[(i + 1) % 2]);
    const array got = picture_of("kernels/life", 1);
    for (size_t i = 0; i < length_of(got); ++i)
        assert_true(got.data[i] == worlds[GENERATIONS % 2].data[i]);
}

static void heat_flows_through_the_gap_of_the_wall(void **state)
{
    (void)state;
    const array got = picture_of("kernels/heat", 1);
    for (int i = 0; i < got.rows; ++i) {
        assert_true(*at(got, i, 0) == 1 && *at(got, i, got.columns - 1) == 0);
        assert_true(*at(got, i, 40) > 0.3 && *at(got, i, 60) < 0.3);
    }
    assert_true(*at(got, 30, 52) > 4 * *at(got, 90, 52) + 0.05);
}

static double weight_of(int i)
{
    return exp(-i * i / 128.0);
}

/* Along the columns; the result is transposed. */
static array reference_blur(array x)
{
    array blurred = array_new(x.columns, x.rows);
    for (int i = 0; i < x.rows; ++i)
        for (int j = 0; j < x.columns; ++j) {
            double sum = 0, weights = 0;
            for (int k = -24; k <= 24; ++k) {
                const int row = i + k < 0 ? 0 : i + k < x.rows ? i + k : x.rows - 1;
                sum += weight_of(k) * *at(x, row, j);
                weights += weight_of(k);
            }
            *at(blurred, j, i) = sum / weights;
        }
    return blurred;
}

static void the_blur_is_a_gaussian_filter(void **state)
{
    (void)state;
    const array sheet = picture_of("kernels/blur", 1);
    const array want = reference_blur(reference_blur(picture_in(sheet, 0, 256)));
    const array got = picture_in(sheet, 1, 256);
    for (size_t i = 0; i < length_of(got); ++i)
        assert_true(fabs(got.data[i] - want.data[i]) < 0.6 / 255);
}

/* Single precision may move a value to the next bin. */
static void the_bars_of_the_histogram_have_the_heights_of_the_counts(void **state)
{
    (void)state;
    enum { SIDE = 128, BINS = 64 };
    const array bars = picture_in(picture_of("kernels/histogram", 1), 1, SIDE);
    int counts[BINS] = {0}, most = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const double y = i / SIDE / (double)SIDE - 0.5, x = i % SIDE / (double)SIDE - 0.5;
        ++counts[(int)(BINS * (0.5 + 0.45 * sin(80 * (x * x + y * y))))];
    }
    for (int i = 0; i < BINS; ++i)
        most = counts[i] > most ? counts[i] : most;
    for (int j = 0; j < SIDE; ++j) {
        double height = 0;
        for (int i = 0; i < SIDE; ++i)
            height += *at(bars, i, j);
        assert_true(fabs(height - (double)counts[j * BINS / SIDE] * SIDE / most) < 4);
    }
}

/* The number of points of a class among the five that are nearest to a place; 5 on a point. */
static int votes_of(array points, double y, double x, int class)
{
    double distances[5] = {9, 9, 9, 9, 9};
    int nearest[5] = {0}, votes = 0;
    for (int i = 0; i < points.rows; ++i) {
        const double distance = hypot(*at(points, i, 0) - y, *at(points, i, 1) - x);
        int k = 5;
        for (; k > 0 && distance < distances[k - 1]; --k)
            if (k < 5) {
                distances[k] = distances[k - 1];
                nearest[k] = nearest[k - 1];
            }
        if (k < 5) {
            distances[k] = distance;
            nearest[k] = i;
        }
    }
    for (int k = 0; k < 5; ++k)
        votes += nearest[k] % 3 == class;
    return distances[0] < 0.01 ? 5 : votes;
}

/* At the borders single precision may decide otherwise. */
static void places_have_the_colours_of_their_nearest_points(void **state)
{
    (void)state;
    enum { SIDE = 256 };
    const array points = reference_uniform(7, 96, 2), got = picture_of("kernels/neighbours", 3);
    int wrong = 0;
    for (int class = 0; class < 3; ++class)
        for (int i = 0; i < SIDE; ++i)
            for (int j = 0; j < SIDE; ++j) {
                const double want =
                    votes_of(points, i / (double)SIDE, j / (double)SIDE, class) / 5.0;
                wrong += fabs(*at(got, class * SIDE + i, j) - want) > 1.0 / 255;
            }
    assert_true(wrong < 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PICTURE_TEST(the_game_of_life_has_every_cell_right),
        PICTURE_TEST(heat_flows_through_the_gap_of_the_wall),
        PICTURE_TEST(the_blur_is_a_gaussian_filter),
        PICTURE_TEST(the_bars_of_the_histogram_have_the_heights_of_the_counts),
        PICTURE_TEST(places_have_the_colours_of_their_nearest_points),
    };
    if (trainer_find("kernels/life") != 0)
        return 1;
    return cmocka_run_group_tests_name("examples kernels", tests, NULL, NULL);
}
