/* Files of handwritten characters, which the tests write. */
#include <glnn/handwriting.h>

#include "support/fault_runs.h"
#include "support/tree.h"

#include <stdio.h>
#include <sys/stat.h>

/* GBK codes of three characters, and the characters in UTF-8. */
#define AH      0xb0a1
#define LOVE    0xb0ae
#define ONE     0xd2bb
#define AH_TEXT "\xe5\x95\x8a"

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

/* ---- Files */

typedef struct bytes {
    size_t size;
    unsigned char data[1 << 14];
} bytes;

static void put(bytes *to, uint64_t value, int count)
{
    for (int i = 0; i < count; ++i)
        to->data[to->size++] = (unsigned char)(value >> (8 * i));
}

static void put_text(bytes *to, const char *text, int count)
{
    for (int i = 0; i < count; ++i)
        to->data[to->size++] = (unsigned char)(i < (int)strlen(text) ? text[i] : 0);
}

static void put_code(bytes *to, unsigned code)
{
    put(to, code >> 8, 1);
    put(to, code & 0xff, 1);
}

static void put_head(bytes *to, unsigned code, unsigned width, unsigned height, unsigned size)
{
    put(to, size, 4);
    put_code(to, code);
    put(to, width, 2);
    put(to, height, 2);
}

/* A picture whose pixels are `gray`, and count up from it by `step`. */
static void put_picture(bytes *to, unsigned code, unsigned width, unsigned height, unsigned gray,
                        unsigned step)
{
    put_head(to, code, width, height, 10 + width * height);
    for (unsigned i = 0; i < width * height; ++i)
        put(to, gray + i * step, 1);
}

typedef struct header {
    const char *format, *illustration, *type;
    unsigned code_bytes, samples, features;
    int more; /* bytes that the header is said to have too many */
} header;

static void put_header(bytes *to, header h)
{
    const int length = (int)strlen(h.illustration) + 1;
    put(to, (unsigned)(62 + length + h.more), 4);
    put_text(to, h.format, 8);
    put_text(to, h.illustration, length);
    put_text(to, "GB", 20);
    put(to, h.code_bytes, 2);
    put_text(to, h.type, 20);
    put(to, h.samples, 4);
    put(to, h.features, 4);
}

static void write_file(const char *name, const bytes *of)
{
    tree_write(tree_path(folder, name), of->data, of->size);
}

static glnn_status open_set(const char *name, int side, glnn_handwriting *out)
{
    *out = (glnn_handwriting){.size = sizeof *out};
    return glnn_handwriting_open(name ? tree_path(folder, name) : folder, side, NULL, out);
}

static void expect_labels(const glnn_handwriting *set, int count, const int *labels)
{
    assert_int_equal(set->samples, count);
    for (int i = 0; i < count; ++i)
        assert_int_equal(set->labels[i], labels[i]);
}

/* Fails with a sentence that has both parts, and leaves the structure empty. */
static void refused(const char *name, glnn_status wanted, const char *part, const char *other)
{
    glnn_handwriting set;
    expect_error(open_set(name, 8, &set), wanted, part);
    if (!strstr(glnn_last_error(), other))
        fail_msg("\"%s\" lacks \"%s\"", glnn_last_error(), other);
    assert_true(set.samples == 0 && !set.labels && !set.class_names && !set.files);
    assert_true(set.classes == 0 && set.features == 0 && set.size == sizeof set);
}

/* ---- Pictures */

static void characters_are_in_the_order_of_files_and_classes_in_that_of_codes(void **state)
{
    static const int labels[] = {3, 1, 1, 0, 2};
    static const char *const names[] = {"!", AH_TEXT, "\xe7\x88\xb1", "\xe4\xb8\x80"};
    bytes first = {0}, second = {0}, other = {0};
    glnn_handwriting set;
    (void)state;
    put_picture(&first, ONE, 2, 3, 0, 0);
    put_picture(&first, AH, 1, 1, 255, 0);
    put_picture(&second, AH, 5, 4, 51, 0);
    put_picture(&second, 0x2100, 3, 3, 102, 0);
    put_picture(&second, LOVE, 1, 7, 204, 0);
    write_file("0.GNT", &first);
    write_file("1.gnt", &second);
    write_file("2.txt", &other);
    write_file(".3.gnt", &other);
    assert_int_equal(mkdir(tree_path(folder, "4.gnt"), 0755), 0);
    expect_ok(open_set(NULL, 0, &set));
    expect_labels(&set, 5, labels);
    assert_true(set.side == 64 && set.features == 64 * 64 && set.classes == 4);
    for (int i = 0; i < 4; ++i)
        assert_string_equal(set.class_names[i], names[i]);
    glnn_handwriting_close(&set);
    assert_true(set.samples == 0 && !set.files && set.size == sizeof set);
    expect_ok(open_set("1.gnt", 0, &set));
    expect_labels(&set, 3, (const int[]){1, 0, 2});
    glnn_handwriting_close(&set);
}

/* A byte that begins a character, a second byte that does not end one, and zeros. */
static void codes_without_a_character_are_named_by_their_digits(void **state)
{
    bytes file = {0};
    glnn_handwriting set;
    (void)state;
    put_picture(&file, 0xff00, 1, 1, 0, 0);
    put_picture(&file, 0xb001, 1, 1, 0, 0);
    put_picture(&file, 0x0000, 1, 1, 0, 0);
    write_file("a.gnt", &file);
    expect_ok(open_set(NULL, 8, &set));
    expect_labels(&set, 3, (const int[]){2, 1, 0});
    assert_string_equal(set.class_names[0], "00");
    assert_string_equal(set.class_names[1], "B001");
    assert_string_equal(set.class_names[2], "FF");
    glnn_handwriting_close(&set);
}

/* Pixel (x, y) of an image of a picture that takes `across` x `down` pixels of it. */
static double resampled(const unsigned char *pixels, int width, int height, int across, int down,
                        int x, int y)
{
    const double sx = (double)width / across, sy = (double)height / down;
    const double px = (x + 0.5) * sx - 0.5, py = (y + 0.5) * sy - 0.5;
    double sum = 0, weights = 0;
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            const double weight =
                fmax(0, 1 - fabs(i - px) / fmax(sx, 1)) * fmax(0, 1 - fabs(j - py) / fmax(sy, 1));
            sum += weight * (255 - pixels[j * width + i]) / 255;
            weights += weight;
        }
    return sum / weights;
}

static void pictures_keep_their_aspect_ratio_in_the_middle_of_images(void **state)
{
    static const struct {
        int width, height, side, across, down;
    } cases[] = {{4, 4, 4, 4, 4}, {8, 4, 16, 16, 8},  {30, 41, 16, 12, 16}, {3, 90, 8, 1, 8},
                 {1, 1, 5, 5, 5}, {64, 5, 16, 16, 1}, {17, 13, 64, 64, 49}, {50, 1, 7, 7, 1}};
    bytes file = {0};
    glnn_handwriting set;
    float image[64 * 64];
    (void)state;
    for (size_t c = 0; c < COUNT_OF(cases); ++c) {
        const int width = cases[c].width, height = cases[c].height, side = cases[c].side;
        const int left = (side - cases[c].across) / 2, top = (side - cases[c].down) / 2;
        file.size = 0;
        put_picture(&file, AH, (unsigned)width, (unsigned)height, 7, 37);
        write_file("a.gnt", &file);
        expect_ok(open_set("a.gnt", side, &set));
        assert_true(set.side == side && set.features == side * side);
        expect_ok(glnn_handwriting_read(&set, 0, 1, image));
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                const bool inside =
                    x >= left && x < left + cases[c].across && y >= top && y < top + cases[c].down;
                const double wanted =
                    inside ? resampled(file.data + 10, width, height, cases[c].across,
                                       cases[c].down, x - left, y - top)
                           : 0;
                if (!(fabs((double)image[y * side + x] - wanted) <= 1e-5))
                    fail_msg("pixel (%d, %d) of case %zu is %g, not %g", x, y, c,
                             (double)image[y * side + x], wanted);
            }
        glnn_handwriting_close(&set);
    }
}

static void any_part_of_a_set_is_read(void **state)
{
    enum { FILES = 3, EACH = 4, COUNT = FILES * EACH, SIDE = 3, PIXELS = SIDE * SIDE };
    glnn_handwriting set;
    float all[COUNT * PIXELS], part[COUNT * PIXELS];
    (void)state;
    for (unsigned f = 0; f < FILES; ++f) {
        bytes file = {0};
        for (unsigned i = 0; i < EACH; ++i)
            put_picture(&file, AH + f * i, 3 + i, 7 - i, 10 * f + i, 3);
        write_file(f == 0 ? "a.gnt" : f == 1 ? "b.gnt" : "c.gnt", &file);
    }
    expect_ok(open_set(NULL, SIDE, &set));
    expect_ok(glnn_handwriting_read(&set, 0, COUNT, all));
    for (int first = 0; first < COUNT; ++first)
        for (int count = 1; count <= COUNT - first; ++count) {
            expect_ok(glnn_handwriting_read(&set, first, count, part));
            assert_memory_equal(part, all + first * PIXELS,
                                (size_t)(count * PIXELS) * sizeof *part);
        }
    glnn_handwriting_close(&set);
}

/* ---- Features */

static void features_of_each_type_are_read(void **state)
{
    static const struct {
        const char *type;
        int width;
        uint64_t stored[3];
        float wanted[3];
    } cases[] = {
        {"unsigned char", 1, {0, 7, 255}, {0, 7, 255}},
        {"char", 1, {0, 7, 255}, {0, 7, -1}},
        {"short", 2, {0x0102, 0xffff, 3}, {258, -1, 3}},
        {"int", 4, {0x01000000, 0xfffffffe, 3}, {16777216, -2, 3}},
        {"float", 4, {0x3fc00000, 0xc0000000, 0}, {1.5f, -2, 0}},
        {"double", 8, {0x3ff8000000000000, 0xc000000000000000, 0}, {1.5f, -2, 0}},
    };
    (void)state;
    for (size_t c = 0; c < COUNT_OF(cases); ++c)
        for (unsigned code_bytes = 1; code_bytes <= 4; ++code_bytes) {
            bytes file = {0};
            glnn_handwriting set;
            float numbers[6];
            put_header(&file, (header){"MPF", "gradients", cases[c].type, code_bytes, 2, 3, 0});
            for (unsigned i = 0; i < 2; ++i) {
                put(&file, i == 0 ? 'b' : 'a', (int)code_bytes);
                for (int j = 0; j < 3; ++j)
                    put(&file, cases[c].stored[j], cases[c].width);
            }
            write_file("a.mpf", &file);
            expect_ok(open_set("a.mpf", 9, &set));
            assert_true(set.side == 0 && set.features == 3 && set.classes == 2);
            expect_labels(&set, 2, (const int[]){1, 0});
            assert_string_equal(set.class_names[0], "a");
            expect_ok(glnn_handwriting_read(&set, 0, 2, numbers));
            for (int j = 0; j < 6; ++j)
                assert_true(numbers[j] == cases[c].wanted[j % 3]);
            glnn_handwriting_close(&set);
        }
}

static void pictures_and_features_have_the_same_classes(void **state)
{
    bytes pictures = {0}, features = {0};
    glnn_handwriting a, b;
    (void)state;
    put_picture(&pictures, ONE, 1, 1, 0, 0);
    put_picture(&pictures, AH, 1, 1, 0, 0);
    put_header(&features, (header){"MPF", "", "unsigned char", 2, 2, 1, 0});
    for (int i = 0; i < 2; ++i) {
        put_code(&features, i == 0 ? ONE : AH);
        put(&features, 9, 1);
    }
    write_file("a.gnt", &pictures);
    write_file("b.mpf", &features);
    expect_ok(open_set("a.gnt", 4, &a));
    expect_ok(open_set("b.mpf", 0, &b));
    assert_true(a.classes == 2 && b.classes == 2);
    for (int i = 0; i < 2; ++i)
        assert_string_equal(a.class_names[i], b.class_names[i]);
    expect_labels(&a, 2, b.labels);
    glnn_handwriting_close(&a);
    glnn_handwriting_close(&b);
    refused(NULL, GLNN_E_FORMAT, "a.gnt and ", "b.mpf have different formats");
}

static glnn_status open_like(const char *name, int side, const glnn_handwriting *like,
                             glnn_handwriting *out)
{
    *out = (glnn_handwriting){.size = sizeof *out};
    return glnn_handwriting_open(tree_path(folder, name), side, like, out);
}

static void a_set_like_another_has_its_classes_and_its_side(void **state)
{
    bytes training = {0}, test = {0}, foreign = {0}, features = {0};
    glnn_handwriting set, other, like = {.size = sizeof like};
    (void)state;
    put_picture(&training, AH, 1, 1, 0, 0);
    put_picture(&training, LOVE, 1, 1, 0, 0);
    put_picture(&training, ONE, 1, 1, 0, 0);
    put_picture(&test, ONE, 1, 1, 0, 0);
    put_picture(&test, AH, 1, 1, 0, 0);
    put_picture(&foreign, AH, 1, 1, 0, 0);
    put_picture(&foreign, 0x4100, 1, 1, 0, 0);
    put_header(&features, (header){"MPF", "", "unsigned char", 2, 1, 1, 0});
    put_code(&features, AH);
    put(&features, 1, 1);
    write_file("a.gnt", &training);
    write_file("b.gnt", &test);
    write_file("c.gnt", &foreign);
    write_file("d.mpf", &features);
    expect_error(open_like("b.gnt", 0, &like, &other), GLNN_E_ARG, "`like` is not open");
    expect_ok(open_set("a.gnt", 5, &set));
    expect_ok(open_like("b.gnt", 0, &set, &other));
    expect_labels(&other, 2, (const int[]){2, 0});
    assert_true(other.classes == 3 && other.side == 5);
    for (int i = 0; i < 3; ++i)
        assert_string_equal(other.class_names[i], set.class_names[i]);
    glnn_handwriting_close(&other);
    expect_error(open_like("c.gnt", 0, &set, &other), GLNN_E_FORMAT,
                 "c.gnt: record 1 has the code 41, which the set that this one is like lacks");
    expect_error(open_like("b.gnt", 6, &set, &other), GLNN_E_FORMAT,
                 "b.gnt: 36 numbers of each character, but the set that this one is like has 25");
    expect_error(open_like("d.mpf", 0, &set, &other), GLNN_E_FORMAT, "d.mpf: 1 numbers");
    assert_true(other.samples == 0 && !other.labels && !other.class_names && !other.files);
    glnn_handwriting_close(&set);
}

/* ---- Damage */

static void expect_picture_refused(unsigned width, unsigned height, unsigned size, unsigned more,
                                   glnn_status wanted, const char *part)
{
    bytes file = {0};
    put_picture(&file, AH, 1, 1, 0, 0);
    put_head(&file, ONE, width, height, size);
    put_text(&file, "", (int)more);
    write_file("a.gnt", &file);
    refused("a.gnt", wanted, part, "a.gnt: record 1");
}

static void damaged_pictures_are_refused_by_file_and_record(void **state)
{
    (void)state;
    expect_picture_refused(2, 3, 17, 7, GLNN_E_FORMAT,
                           "record 1 at byte 11 has 17 bytes and a picture of 2 x 3 pixels");
    expect_picture_refused(0, 3, 10, 0, GLNN_E_FORMAT,
                           "record 1 at byte 11 has a picture of 0 x 3 pixels; both sides");
    expect_picture_refused(3, 0, 10, 0, GLNN_E_FORMAT,
                           "record 1 at byte 11 has a picture of 3 x 0 pixels; both sides");
    expect_picture_refused(2, 3, 0, 7, GLNN_E_FORMAT, "0 bytes and a picture of 2 x 3 pixels");
    expect_picture_refused(2, 3, 16, 5, GLNN_E_FORMAT,
                           "16 bytes, but the file ends after 15 of them");
    expect_picture_refused(4097, 1, 4107, 4097, GLNN_E_LIMIT,
                           "4097 x 1 pixels; at most 4096 x 4096 can be read");
    expect_picture_refused(65535, 65535, 10 + 65535u * 65535u, 5, GLNN_E_LIMIT, "65535 x 65535");
}

static void expect_header_refused(header h, int more, const char *part)
{
    bytes file = {0};
    put_header(&file, h);
    put_text(&file, "", (int)(h.samples * (h.code_bytes + h.features) & 0xfff) + more);
    write_file("a.mpf", &file);
    refused("a.mpf", GLNN_E_FORMAT, part, "a.mpf: ");
}

static void damaged_features_are_refused_by_file(void **state)
{
    const char *const byte = "unsigned char";
    (void)state;
    expect_header_refused((header){"MPG", "x", byte, 2, 2, 3, 0}, 0, "lacks the word MPF");
    expect_header_refused((header){"MPF", "x", "complex", 2, 2, 3, 0}, 0, "the type 'complex'");
    expect_header_refused((header){"MPF", "x", byte, 0, 2, 3, 0}, 0, "codes have 0 bytes");
    expect_header_refused((header){"MPF", "x", byte, 5, 2, 3, 0}, 0, "codes have 5 bytes");
    expect_header_refused((header){"MPF", "x", byte, 2, 0, 3, 0}, 0, "0 characters of 3 numbers");
    expect_header_refused((header){"MPF", "x", byte, 2, 2, 0, 0}, 0, "2 characters of 0 numbers");
    expect_header_refused((header){"MPF", "x", byte, 2, 0xfffffffe, 3, 0}, 0,
                          "4294967294 characters of 3 numbers");
    expect_header_refused((header){"MPF", "x", byte, 2, 2, 3, 0}, 1,
                          "2 characters of 5 bytes, but after the header of 64 bytes there are 11");
    expect_header_refused((header){"MPF", "x", byte, 2, 2, 3, 0}, -1, "there are 9");
    expect_header_refused((header){"MPF", "x", byte, 2, 2, 3, -9}, 0,
                          "the header should have 55 bytes, but it has at least 62");
    expect_header_refused((header){"MPF", "x", byte, 2, 2, 3, 1000}, 0, "and the file has 74");
    expect_header_refused((header){"MPF", "x", byte, 2, 0x7fffffff, 0x7ffffff, 0}, 0,
                          "2147483647 characters of 134217729 bytes");
}

static void features_of_different_counts_are_refused_with_both_files(void **state)
{
    (void)state;
    for (unsigned f = 0; f < 2; ++f) {
        bytes file = {0};
        put_header(&file, (header){"MPF", "", "unsigned char", 2, 1, 3 + f, 0});
        put_text(&file, "a", (int)(5 + f));
        write_file(f == 0 ? "a.mpf" : "b.mpf", &file);
    }
    refused(NULL, GLNN_E_FORMAT, "b.mpf: 4 numbers of each character", "a.mpf has 3");
}

static void numbers_that_are_not_finite_are_refused_by_place(void **state)
{
    bytes file = {0};
    glnn_handwriting set;
    float numbers[4];
    (void)state;
    put_header(&file, (header){"MPF", "", "double", 2, 2, 2, 0});
    put_code(&file, AH);
    put(&file, 0, 8);
    put(&file, 0, 8);
    put_code(&file, AH);
    put(&file, 0, 8);
    put(&file, 0x7fe0000000000000, 8);
    write_file("a.mpf", &file);
    expect_ok(open_set("a.mpf", 0, &set));
    expect_ok(glnn_handwriting_read(&set, 0, 1, numbers));
    expect_error(glnn_handwriting_read(&set, 0, 2, numbers), GLNN_E_FORMAT,
                 "a.mpf: record 1: number 1 is not finite");
    glnn_handwriting_close(&set);
}

/* A file that ends within a record; the ends of the records themselves are ends of a file. */
static void files_that_are_cut_off_are_refused(void **state)
{
    bytes pictures = {0}, features = {0};
    glnn_handwriting set;
    (void)state;
    for (unsigned i = 0; i < 2; ++i)
        put_picture(&pictures, AH, 2, 2, 0, 9);
    put_header(&features, (header){"MPF", "a text", "short", 2, 3, 4, 0});
    put_text(&features, "", 30);
    for (size_t size = 0; size < features.size; ++size) {
        tree_write(tree_path(folder, "a.mpf"), features.data, size);
        refused("a.mpf", GLNN_E_FORMAT, "a.mpf", "");
    }
    for (size_t size = 0; size < pictures.size; ++size) {
        tree_write(tree_path(folder, "a.gnt"), pictures.data, size);
        if (size != 14)
            refused("a.gnt", GLNN_E_FORMAT, "a.gnt", "");
    }
    write_file("a.gnt", &pictures);
    expect_ok(open_set("a.gnt", 4, &set));
    assert_int_equal(set.samples, 2);
    glnn_handwriting_close(&set);
}

static void files_that_change_are_refused(void **state)
{
    bytes file = {0}, other = {0};
    glnn_handwriting set;
    float images[2 * 16];
    (void)state;
    put_picture(&file, AH, 4, 2, 0, 9);
    put_picture(&file, AH, 2, 2, 0, 9);
    put_picture(&other, AH, 2, 2, 0, 9);
    put_picture(&other, AH, 4, 2, 0, 9);
    write_file("a.gnt", &file);
    expect_ok(open_set("a.gnt", 4, &set));
    write_file("a.gnt", &other);
    expect_error(glnn_handwriting_read(&set, 0, 2, images), GLNN_E_FORMAT,
                 "a.gnt: record 0 has changed");
    tree_write(tree_path(folder, "a.gnt"), file.data, 20);
    expect_error(glnn_handwriting_read(&set, 1, 1, images), GLNN_E_IO, "it has become shorter");
    remove(tree_path(folder, "a.gnt"));
    expect_error(glnn_handwriting_read(&set, 1, 1, images), GLNN_E_IO, "a.gnt");
    glnn_handwriting_close(&set);
}

static void nonsense_is_refused(void **state)
{
    bytes file = {0};
    glnn_handwriting set = {0};
    float image[16];
    (void)state;
    put_picture(&file, AH, 4, 2, 0, 9);
    refused(NULL, GLNN_E_FORMAT, "the folder must have files whose names end in .gnt or .mpf", "");
    write_file("a.gnt", &file);
    write_file("a.png", &file);
    expect_error(glnn_handwriting_open(folder, 4, NULL, &set), GLNN_E_ARG,
                 "glnn_handwriting.size is 0");
    refused("a.png", GLNN_E_ARG, "a.png: the name must end in .gnt or .mpf, or be a folder", "");
    refused("b.gnt", GLNN_E_IO, "b.gnt", "");
    expect_error(open_set("a.gnt", -1, &set), GLNN_E_ARG, "`side` is -1");
    expect_error(open_set("a.gnt", 1025, &set), GLNN_E_LIMIT, "`side` is 1025; it may be at most");
    expect_error(glnn_handwriting_open("", 4, NULL, &set), GLNN_E_ARG, "the path is empty");
    expect_error(glnn_handwriting_read(&set, 0, 1, image), GLNN_E_ARG, "the set is not open");
    expect_ok(open_set("a.gnt", 4, &set));
    expect_error(glnn_handwriting_read(&set, 1, 1, image), GLNN_E_ARG,
                 "1 characters from 1 on were asked for, but the set has 1");
    expect_error(glnn_handwriting_read(&set, -1, 1, image), GLNN_E_ARG, "1 characters from -1 on");
    expect_error(glnn_handwriting_read(&set, 0, -1, image), GLNN_E_ARG, "-1 characters from 0 on");
    expect_ok(glnn_handwriting_read(&set, 1, 0, image));
    expect_error(glnn_handwriting_read(&set, 0, INT64_MAX, image), GLNN_E_ARG, "the set has 1");
    glnn_handwriting_close(&set);
    glnn_handwriting_close(NULL);
}

/* Opens and reads a set. Any allocation and any call on the files may be the one that fails. */
static glnn_status use(const char *path)
{
    glnn_handwriting set = {.size = sizeof set}, other = {0};
    float images[2 * 16];
    glnn_status status = glnn_handwriting_open(path, 4, NULL, &set);
    if (!status)
        status = open_like("b.gnt", 4, &set, &other);
    if (!status)
        status = glnn_handwriting_read(&set, 0, 2, images);
    glnn_handwriting_close(&set);
    glnn_handwriting_close(&other);
    return status;
}

static void a_call_that_fails_is_reported_and_leaks_nothing(void **state)
{
    bytes file = {0};
    (void)state;
    put_picture(&file, AH, 4, 2, 0, 9);
    put_picture(&file, ONE, 4, 2, 0, 9);
    write_file("a.gnt", &file);
    write_file("b.gnt", &file);
    expect_ok(use(folder)); /* the system keeps what converts characters */
    fault_try_each(use, folder, 10);
}

#define FOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(characters_are_in_the_order_of_files_and_classes_in_that_of_codes),
        FOLDER_TEST(codes_without_a_character_are_named_by_their_digits),
        FOLDER_TEST(pictures_keep_their_aspect_ratio_in_the_middle_of_images),
        FOLDER_TEST(any_part_of_a_set_is_read),
        FOLDER_TEST(features_of_each_type_are_read),
        FOLDER_TEST(pictures_and_features_have_the_same_classes),
        FOLDER_TEST(a_set_like_another_has_its_classes_and_its_side),
        FOLDER_TEST(damaged_pictures_are_refused_by_file_and_record),
        FOLDER_TEST(damaged_features_are_refused_by_file),
        FOLDER_TEST(features_of_different_counts_are_refused_with_both_files),
        FOLDER_TEST(numbers_that_are_not_finite_are_refused_by_place),
        FOLDER_TEST(files_that_are_cut_off_are_refused),
        FOLDER_TEST(files_that_change_are_refused),
        FOLDER_TEST(nonsense_is_refused),
        FOLDER_TEST(a_call_that_fails_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
