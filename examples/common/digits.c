#include "digits.h"

#include <glnn/idx.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "folder.h"
#include "mnist.h"
#include "random.h"
#include "strokes.h"

enum { PIECES = 6, SEGMENTS_MAX = SHAPE_POINTS_MAX * PIECES, PIXELS = DIGITS_SIDE * DIGITS_SIDE };

/* Side of the square that a digit fills, as in MNIST. */
static const double box = 20.0;

typedef struct segment {
    point from, to;
} segment;

typedef struct drawing {
    int count;
    segment segments[SEGMENTS_MAX];
} drawing;

static double uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(random_word(state) >> 32) / 4294967296.0;
}

/* Nearly normal with standard deviation 1, and at most 3: the sum of three uniform numbers. C
 * leaves the order of calls within an expression open, so no expression here draws two numbers. */
static double normal(uint64_t *state)
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
        sum += uniform(state, -1.0, 1.0);
    return sum;
}

static bool same(point a, point b)
{
    return a.x == b.x && a.y == b.y;
}

/* Moves each point at random; both points of a corner move together. */
static int wobble_shape(uint64_t *state, const shape *from, point points[SHAPE_POINTS_MAX])
{
    double strength = uniform(state, 1.0, 4.5);
    for (int i = 0; i < from->count; ++i) {
        const signed char *place = from->points[i];
        if (i > 0 && memcmp(place, from->points[i - 1], 2) == 0) {
            points[i] = points[i - 1];
            continue;
        }
        points[i].x = place[0] < 0 ? NAN : place[0] + strength * normal(state);
        points[i].y = place[1] + strength * normal(state);
    }
    return from->count;
}

/* Turns, slants and squeezes around the middle of the square. */
static void warp_points(uint64_t *state, int digit, point *points, int count)
{
    double angle = 0.11 * normal(state), slant = 0.08 + 0.14 * normal(state);
    /* The width of a one cannot vary, so it leans more than the others. */
    double squeeze = digit == 1 ? 0.8 : 0.82 + 0.11 * normal(state);
    if (digit == 1)
        slant += 0.12 * normal(state);
    for (int i = 0; i < count; ++i) {
        double y = points[i].y - 50.0, x = squeeze * (points[i].x - 50.0) - slant * y;
        points[i] = (point){cos(angle) * x - sin(angle) * y, sin(angle) * x + cos(angle) * y};
    }
}

static void add_curve(drawing *into, point a, point b, point c, point d)
{
    point from = b;
    for (int piece = 1; piece <= PIECES; ++piece) {
        point to = curve_point(a, b, c, d, (double)piece / PIECES);
        into->segments[into->count++] = (segment){from, to};
        from = to;
    }
}

static void trace_strokes(const point *points, int count, drawing *out)
{
    out->count = 0;
    for (int i = 0; i + 1 < count; ++i) {
        point b = points[i], c = points[i + 1];
        if (isnan(b.x) || isnan(c.x) || same(b, c))
            continue;
        point a = i > 0 && !isnan(points[i - 1].x) ? points[i - 1] : b;
        point d = i + 2 < count && !isnan(points[i + 2].x) ? points[i + 2] : c;
        add_curve(out, a, b, c, d);
    }
}

static void move(drawing *ink, double scale, double x, double y)
{
    for (int i = 0; i < ink->count; ++i) {
        segment *part = &ink->segments[i];
        part->from = (point){scale * part->from.x + x, scale * part->from.y + y};
        part->to = (point){scale * part->to.x + x, scale * part->to.y + y};
    }
}

/* Scales so that the larger side of the ink fills the box, or a little less of it. */
static void fit_box(drawing *ink, double side)
{
    point low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int i = 0; i < ink->count; ++i) {
        point at = ink->segments[i].to, from = ink->segments[i].from;
        low = (point){fmin(low.x, fmin(at.x, from.x)), fmin(low.y, fmin(at.y, from.y))};
        high = (point){fmax(high.x, fmax(at.x, from.x)), fmax(high.y, fmax(at.y, from.y))};
    }
    move(ink, side / fmax(high.x - low.x, high.y - low.y), 0.0, 0.0);
}

/* Puts the centre of the ink's mass at (x, y). */
static void centre_mass(drawing *ink, double x, double y)
{
    double mass = 0.0, sum_x = 0.0, sum_y = 0.0;
    for (int i = 0; i < ink->count; ++i) {
        const segment *part = &ink->segments[i];
        double length = hypot(part->to.x - part->from.x, part->to.y - part->from.y);
        mass += length;
        sum_x += length * 0.5 * (part->from.x + part->to.x);
        sum_y += length * 0.5 * (part->from.y + part->to.y);
    }
    move(ink, 1.0, x - sum_x / mass, y - sum_y / mass);
}

static double distance(const segment *part, double x, double y)
{
    double dx = part->to.x - part->from.x, dy = part->to.y - part->from.y;
    double length = dx * dx + dy * dy;
    double t = length > 0.0 ? ((x - part->from.x) * dx + (y - part->from.y) * dy) / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return hypot(x - part->from.x - t * dx, y - part->from.y - t * dy);
}

static int clamp_pixel(double at)
{
    return at < 0.0 ? 0 : at > DIGITS_SIDE - 1 ? DIGITS_SIDE - 1 : (int)at;
}

/* cover[p] = how much of pixel p a pen of this radius blackens, from its distance to the strokes */
static void draw_segment(const segment *part, double radius, double soft, double cover[PIXELS])
{
    double reach = radius + soft;
    int left = clamp_pixel(floor(fmin(part->from.x, part->to.x) - reach));
    int right = clamp_pixel(ceil(fmax(part->from.x, part->to.x) + reach));
    int top = clamp_pixel(floor(fmin(part->from.y, part->to.y) - reach));
    int bottom = clamp_pixel(ceil(fmax(part->from.y, part->to.y) + reach));
    for (int y = top; y <= bottom; ++y) {
        for (int x = left; x <= right; ++x) {
            double part_cover = 0.5 + (radius - distance(part, x, y)) / (2.0 * soft);
            double *pixel = &cover[y * DIGITS_SIDE + x];
            *pixel = fmax(*pixel, fmin(part_cover, 1.0));
        }
    }
}

/* Makes the ink uneven and adds a few specks. */
static void add_noise(uint64_t *state, const double cover[PIXELS], uint8_t *pixels)
{
    double ink = uniform(state, 215.0, 255.0);
    int specks = random_below(state, 4);
    for (int i = 0; i < PIXELS; ++i) {
        double level = cover[i] > 0.0 ? cover[i] * ink + 9.0 * normal(state) : 0.0;
        pixels[i] = (uint8_t)lround(fmin(fmax(level, 0.0), 255.0));
    }
    for (int i = 0; i < specks; ++i) {
        int at = random_below(state, PIXELS), level = 20 + random_below(state, 80);
        if (pixels[at] < level)
            pixels[at] = (uint8_t)level;
    }
}

void digits_draw(uint64_t seed, uint64_t number, int digit, uint8_t pixels[PIXELS])
{
    uint64_t state = seed;
    state = random_word(&state) ^ number;
    state = random_word(&state);
    point points[SHAPE_POINTS_MAX];
    drawing ink;
    double cover[PIXELS] = {0.0};

    const shape *way = shape_get(digit, random_below(&state, SHAPE_WAYS));
    int count = wobble_shape(&state, way, points);
    warp_points(&state, digit, points, count);
    trace_strokes(points, count, &ink);
    double radius = 1.25 + 0.28 * normal(&state), soft = uniform(&state, 0.5, 0.9);
    fit_box(&ink, uniform(&state, 0.84, 1.0) * (box - 2.0 * radius));
    double shift = 0.5 * normal(&state), drop = 0.5 * normal(&state);
    centre_mass(&ink, (DIGITS_SIDE - 1) / 2.0 + shift, (DIGITS_SIDE - 1) / 2.0 + drop);
    for (int i = 0; i < ink.count; ++i)
        draw_segment(&ink.segments[i], radius, soft, cover);
    add_noise(&state, cover, pixels);
}

/* Gives all digits equal counts in random order, as Fisher and Yates do. */
static void shuffle_labels(uint64_t state, int count, uint8_t *labels)
{
    for (int i = 0; i < count; ++i) {
        int other = random_below(&state, i + 1);
        labels[i] = labels[other];
        labels[other] = (uint8_t)(i % DIGITS_CLASSES);
    }
}

static bool write_part(const char *folder, const char *name, const glnn_idx *idx)
{
    char path[PATH_CAPACITY];
    if (!path_join(path, folder, name))
        return false;
    return glnn_idx_write(path, idx) == GLNN_OK || refuse("%s", glnn_last_error());
}

/* Writes pictures `first` to first + count - 1 and their labels into two files. */
static bool write_pair(const char *folder, const char *const names[2], uint64_t seed, int first,
                       int count)
{
    uint8_t *pixels = malloc((size_t)count * PIXELS), *labels = malloc((size_t)count);
    bool done = pixels != NULL && labels != NULL;
    if (!done)
        refuse("no memory for %d generated digits", count);
    if (done) {
        size_t images = (size_t)count;
        shuffle_labels(seed + (uint64_t)first, count, labels);
        for (size_t i = 0; i < images; ++i)
            digits_draw(seed, (uint64_t)first + i, labels[i], pixels + i * PIXELS);
        done = write_part(folder, names[0],
                          &(glnn_idx){.size = sizeof(glnn_idx),
                                      .type = GLNN_IDX_UINT8,
                                      .dimensions = 3,
                                      .shape = {images, DIGITS_SIDE, DIGITS_SIDE, 1},
                                      .elements = images * PIXELS,
                                      .data = pixels}) &&
               write_part(folder, names[1],
                          &(glnn_idx){.size = sizeof(glnn_idx),
                                      .type = GLNN_IDX_UINT8,
                                      .dimensions = 1,
                                      .shape = {images, 1, 1, 1},
                                      .elements = images,
                                      .data = labels});
    }
    free(pixels);
    free(labels);
    return done;
}

bool digits_write(const char *folder, uint64_t seed, int train, int test)
{
    static const char *const train_names[] = {MNIST_TRAIN_IMAGES, MNIST_TRAIN_LABELS};
    static const char *const test_names[] = {MNIST_TEST_IMAGES, MNIST_TEST_LABELS};
    return folder_create(folder) && write_pair(folder, train_names, seed, 0, train) &&
           write_pair(folder, test_names, seed, train, test);
}
