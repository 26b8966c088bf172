#include <glnn/image.h>

#include "support/files.h"

#include <math.h>
#include <png.h>

static glnn_status reader(const char *path)
{
    int width, height;
    float *pixels;
    glnn_status status = glnn_image_read(path, 1, &width, &height, &pixels);
    if (status) {
        assert_null(pixels);
        assert_true(width == 0 && height == 0);
    }
    for (int i = 0; i < width * height; ++i)
        assert_true(pixels[i] >= 0 && pixels[i] <= 1);
    free(pixels);
    return status;
}

enum { SIDE = 20 };

/* Noise, which does not compress to less than a full disk takes. */
static glnn_status writer(const char *path)
{
    float pixels[SIDE * SIDE];
    uint32_t random = 1;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        random = random * 1664525u + 1013904223u;
        pixels[i] = (float)(random >> 16) / 65536;
    }
    return glnn_image_write(path, 1, SIDE, SIDE, pixels, 0, 1);
}

static void drop_message(void *user, glnn_log_level level, const char *message)
{
    (void)user;
    (void)level;
    (void)message;
}

static int setup(void **state)
{
    glnn_log_set(drop_message, NULL);
    return folder_make(state);
}

static void grays_come_back_clamped_and_rounded(void **state)
{
    (void)state;
    const float pixels[] = {-1, 1, 2, 3, 4, NAN, INFINITY, -INFINITY, 1.5f};
    const int wanted[] = {0, 0, 128, 255, 255, 0, 255, 0, 64};
    file_path path = path_of("gray.png");
    float *read;
    int width, height;
    assert_int_equal(glnn_image_write(path.text, 1, 3, 3, pixels, 1, 3), GLNN_OK);
    assert_int_equal(glnn_image_read(path.text, 1, &width, &height, &read), GLNN_OK);
    assert_true(width == 3 && height == 3);
    for (int i = 0; i < 9; ++i)
        assert_true(read[i] == (float)(wanted[i] / 255.0));
    free(read);
}

/* A file made with libpng directly: one pass over `rows` of raw bytes. */
static file_path png_of(const char *name, uint32_t width, uint32_t height, int depth, int type,
                        int interlace, const unsigned char *bytes, size_t row_size,
                        const png_color *palette, int colors)
{
    file_path path = path_of(name);
    FILE *file = fopen(path.text, "wb");
    png_struct *png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_info *info = png_create_info_struct(png);
    assert_true(file && png && info);
    if (setjmp(png_jmpbuf(png)))
        fail_msg("libpng cannot write %s", name);
    png_init_io(png, file);
    png_set_IHDR(png, info, width, height, depth, type, interlace, 0, 0);
    if (palette)
        png_set_PLTE(png, info, palette, colors);
    png_write_info(png, info);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; ++pass)
        for (uint32_t y = 0; y < height; ++y)
            png_write_row(png, bytes + y * row_size);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(file);
    return path;
}

static void assert_pixels(const char *path, int width, int height, const double *wanted)
{
    float *read;
    int has_width, has_height;
    if (glnn_image_read(path, 1, &has_width, &has_height, &read))
        fail_msg("%s", glnn_last_error());
    assert_true(has_width == width && has_height == height);
    for (int i = 0; i < width * height; ++i)
        if (fabs((double)read[i] - wanted[i]) > 1e-7)
            fail_msg("%s: pixel %d is %.9g instead of %.9g", path, i, (double)read[i], wanted[i]);
    free(read);
}

static void every_kind_of_pixel_becomes_gray(void **state)
{
    (void)state;
    const unsigned char rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255};
    assert_pixels(png_of("rgb", 3, 1, 8, PNG_COLOR_TYPE_RGB, 0, rgb, 9, NULL, 0).text, 3, 1,
                  (double[]){0.299, 0.587, 0.114});
    const unsigned char rgba[] = {255, 255, 255, 51};
    assert_pixels(png_of("rgba", 1, 1, 8, PNG_COLOR_TYPE_RGBA, 0, rgba, 4, NULL, 0).text, 1, 1,
                  (double[]){0.2});
    const unsigned char gray_alpha[] = {102, 255, 255, 0};
    assert_pixels(
        png_of("alpha", 2, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, 0, gray_alpha, 4, NULL, 0).text, 2, 1,
        (double[]){0.4, 0});
    const unsigned char deep[] = {0x12, 0x34, 0, 1};
    assert_pixels(png_of("deep", 2, 1, 16, PNG_COLOR_TYPE_GRAY, 0, deep, 4, NULL, 0).text, 2, 1,
                  (double[]){0x1234 / 65535.0, 1 / 65535.0});
    const unsigned char bits[] = {0xA0};
    assert_pixels(png_of("bits", 3, 1, 1, PNG_COLOR_TYPE_GRAY, 0, bits, 1, NULL, 0).text, 3, 1,
                  (double[]){1, 0, 1});
    const png_color palette[] = {{0, 0, 0}, {255, 255, 255}, {0, 255, 0}};
    const unsigned char indices[] = {2, 1, 0};
    assert_pixels(
        png_of("palette", 3, 1, 8, PNG_COLOR_TYPE_PALETTE, 0, indices, 3, palette, 3).text, 3, 1,
        (double[]){0.587, 1, 0});
}

static void interlaced_files_are_read(void **state)
{
    (void)state;
    unsigned char gray[9 * 10];
    double wanted[9 * 10];
    for (int i = 0; i < 90; ++i) {
        gray[i] = (unsigned char)(2 * i);
        wanted[i] = gray[i] / 255.0;
    }
    file_path path =
        png_of("interlaced", 9, 10, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, gray, 9, NULL, 0);
    assert_pixels(path.text, 9, 10, wanted);
    assert_true(refused_flips(reader, path.text) > 0);
}

/* The least file with such sizes: a signature, the header with its checksum, no pixels. */
static file_path header_of(uint32_t width, uint32_t height)
{
    unsigned char file[33] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    for (int i = 0; i < 4; ++i) {
        file[16 + i] = (unsigned char)(width >> (24 - 8 * i));
        file[20 + i] = (unsigned char)(height >> (24 - 8 * i));
    }
    file[24] = 8;
    uint32_t crc = UINT32_MAX;
    for (int i = 12; i < 29; ++i) {
        crc ^= file[i];
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    for (int i = 0; i < 4; ++i)
        file[29 + i] = (unsigned char)(~crc >> (24 - 8 * i));
    /* The head of the pixels' chunk, up to which libpng reads before it tells the size. */
    unsigned char whole[33 + 8];
    memcpy(whole, file, 33);
    memcpy(whole + 33, "\0\0\1\0IDAT", 8);
    return file_write("header", whole, sizeof whole);
}

static void sizes_past_the_limit_are_refused_before_memory_is_asked_for(void **state)
{
    (void)state;
    assert_fails(reader(header_of(16385, 1).text), GLNN_E_LIMIT, "16385 x 1 pixels");
    assert_fails(reader(header_of(1, 0x7FFFFFFF).text), GLNN_E_LIMIT, "2147483647");
    assert_fails(reader(header_of(16384, 4097).text), GLNN_E_LIMIT, "16384 x 4097 pixels");
    assert_fails(reader(header_of(16384, 4096).text), GLNN_E_FORMAT, "do not fit");
    assert_fails(reader(header_of(0, 1).text), GLNN_E_FORMAT, "libpng: ");
    assert_fails(reader(header_of(4, 4).text), GLNN_E_FORMAT, "libpng: the file is cut off");
}

static void flipped_bits_never_crash(void **state)
{
    (void)state;
    file_path path = path_of("flip.png");
    const float pixels[] = {0, 0.25f, 0.5f, 1};
    assert_int_equal(glnn_image_write(path.text, 1, 2, 2, pixels, 0, 1), GLNN_OK);
    assert_true(refused_flips(reader, path.text) > 0);
}

static void other_files_are_explained(void **state)
{
    (void)state;
    assert_fails(reader(file_write("text", "this is a text", 14).text), GLNN_E_FORMAT, "not a PNG");
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    int width, height;
    float *read;
    const float pixel = 0;
    const file_path path = path_of("nonsense");
    const char *kept = path.text;
    assert_fails(glnn_image_read(NULL, 1, &width, &height, &read), GLNN_E_ARG, "path");
    assert_fails(glnn_image_read(kept, 1, NULL, &height, &read), GLNN_E_ARG, "width");
    assert_fails(glnn_image_read(kept, 1, &width, NULL, &read), GLNN_E_ARG, "height");
    assert_fails(glnn_image_read(kept, 1, &width, &height, NULL), GLNN_E_ARG, "pixels");
    assert_fails(glnn_image_write(NULL, 1, 1, 1, &pixel, 0, 1), GLNN_E_ARG, "path");
    assert_fails(glnn_image_write(kept, 1, 1, 1, NULL, 0, 1), GLNN_E_ARG, "pixels");
    assert_fails(glnn_image_write(kept, 1, 0, 1, &pixel, 0, 1), GLNN_E_ARG, "0 x 1");
    assert_fails(glnn_image_write(kept, 1, 1, 1, &pixel, 1, 1), GLNN_E_ARG, "`high` is 1; both");
    assert_fails(glnn_image_write(kept, 1, 1, 1, &pixel, NAN, 1), GLNN_E_ARG, "`low` is nan");
    assert_fails(glnn_image_write(kept, 1, 16385, 1, &pixel, 0, 1), GLNN_E_LIMIT, "16385");
    assert_fails(glnn_image_write(kept, 1, 16384, 4097, &pixel, 0, 1), GLNN_E_LIMIT, "67108864");
    assert_fails(glnn_image_read(kept, 2, &width, &height, &read), GLNN_E_ARG, "`channels` is 2");
    assert_fails(glnn_image_write(kept, 0, 1, 1, &pixel, 0, 1), GLNN_E_ARG, "`channels` is 0");
    assert_fails(glnn_image_write_sheet(NULL, 1, 1, 1, 1, 1, &pixel, 0, 1), GLNN_E_ARG, "path");
    assert_fails(glnn_image_write_sheet(kept, 1, 1, 1, 1, 1, NULL, 0, 1), GLNN_E_ARG, "samples");
    assert_fails(glnn_image_write_sheet(kept, 0, 1, 1, 1, 1, &pixel, 0, 1), GLNN_E_ARG,
                 "glnn_image_write_sheet: 0 pictures in 1 column of 1 x 1");
    assert_fails(glnn_image_write_sheet(kept, 1, 1, 4, 1, 1, &pixel, 0, 1), GLNN_E_ARG,
                 "`channels` is 4");
    assert_fails(glnn_image_write_sheet(kept, 1, 1, 1, 1, 1, &pixel, 2, 1), GLNN_E_ARG,
                 "glnn_image_write_sheet: `low` is 2");
    assert_fails(glnn_image_write_sheet(kept, 9, 9, 1, 4000, 1, &pixel, 0, 1), GLNN_E_LIMIT,
                 "36010");
    assert_fails(glnn_image_write_grid(NULL, 1, 1, 1, 1, &pixel, 1, 1), GLNN_E_ARG, "path");
    assert_fails(glnn_image_write_grid(kept, 1, 1, 1, 1, NULL, 1, 1), GLNN_E_ARG, "pictures");
    assert_fails(glnn_image_write_grid(kept, 1, 0, 1, 1, &pixel, 1, 1), GLNN_E_ARG, "0 columns");
    assert_fails(glnn_image_write_grid(kept, 1, INT32_MAX, INT32_MAX, 1, &pixel, 1, 1),
                 GLNN_E_LIMIT, "pixels");
    assert_int_not_equal(access(kept, F_OK), 0);
}

static void assert_color(const unsigned char *image, int width, int x, int y, uint32_t wanted)
{
    const unsigned char *pixel = image + 3 * (y * width + x);
    uint32_t color = (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
    if (color != wanted)
        fail_msg("(%d, %d) is %06x instead of %06x", x, y, color, wanted);
}

/* Reads a file as rows of pixels with their channels, and checks its size. */
static void read_bytes(const char *path, uint32_t width, uint32_t height, uint32_t form,
                       unsigned char *bytes)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&png, path));
    assert_true(png.width == width && png.height == height && png.format == form);
    assert_true(png_image_finish_read(&png, NULL, bytes, 0, NULL));
}

static void grids_show_the_sign_by_colour(void **state)
{
    (void)state;
    /* Three pictures of 2 x 1 as columns of a matrix with a column more. */
    const float weights[2][4] = {{4, -1, 0, 9}, {-2, NAN, 0, 9}};
    file_path path = path_of("grid.png");
    assert_int_equal(glnn_image_write_grid(path.text, 3, 2, 2, 1, weights[0], 1, 4), GLNN_OK);
    unsigned char image[7 * 5 * 3];
    read_bytes(path.text, 7, 5, PNG_FORMAT_RGB, image);
    assert_color(image, 7, 0, 0, 0x808080);
    assert_color(image, 7, 1, 1, 0xFF0000);
    assert_color(image, 7, 2, 1, 0x8080FF);
    assert_color(image, 7, 3, 1, 0x808080);
    assert_color(image, 7, 4, 1, 0x0000FF);
    assert_color(image, 7, 5, 1, 0x000000);
    assert_color(image, 7, 1, 3, 0xFFFFFF);
    assert_color(image, 7, 4, 3, 0x808080);
}

static void a_picture_in_colour_comes_back_by_planes(void **state)
{
    const float drawn[3][2][3] = {{{0, 1, 0.2f}, {0.4f, 0.6f, 0.8f}},
                                  {{1, 0, 0.2f}, {0, 0, 1}},
                                  {{0.6f, 0.2f, 1}, {0, 1, 0.4f}}};
    const float *numbers = drawn[0][0];
    file_path path = path_of("colour.png");
    int width, height;
    float *read;
    (void)state;
    assert_int_equal(glnn_image_write(path.text, 3, 3, 2, numbers, 0, 1), GLNN_OK);
    assert_int_equal(glnn_image_read(path.text, 3, &width, &height, &read), GLNN_OK);
    assert_true(width == 3 && height == 2);
    for (int i = 0; i < 18; ++i)
        assert_float_equal(read[i], numbers[i], 1e-6);
    free(read);
    assert_int_equal(glnn_image_read(path.text, 1, &width, &height, &read), GLNN_OK);
    for (int i = 0; i < 6; ++i)
        assert_float_equal(read[i],
                           0.299f * numbers[i] + 0.587f * numbers[6 + i] + 0.114f * numbers[12 + i],
                           1e-6);
    free(read);
}

static void sheets_show_samples_in_gray_or_in_colour(void **state)
{
    /* Three samples of 2 x 1; as one channel they are six numbers, of which three are left out. */
    const float samples[3][3][2] = {
        {{0, 4}, {2, 2}, {4, 0}}, {{1, 1}, {NAN, 9}, {-9, 4}}, {{4, 4}, {4, 4}, {4, 4}}};
    const unsigned char gray[5 * 7] = {128, 128, 128, 128, 128, 128, 128, 128, 0,   255, 128, 128,
                                       128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 255, 0,
                                       128, 64,  64,  128, 128, 128, 128, 128, 128, 128, 128};
    file_path path = path_of("sheet.png");
    unsigned char bytes[7 * 5 * 3];
    (void)state;
    assert_int_equal(glnn_image_write_sheet(path.text, 4, 2, 1, 2, 1, samples[0][0], 0, 4),
                     GLNN_OK);
    read_bytes(path.text, 7, 5, PNG_FORMAT_GRAY, bytes);
    for (int i = 0; i < 7; ++i)
        assert_int_equal(bytes[i], gray[i]);
    assert_true(bytes[8] == 0 && bytes[9] == 255 && bytes[11] == 128 && bytes[12] == 128);
    assert_true(bytes[22] == 255 && bytes[23] == 0 && bytes[25] == 64 && bytes[26] == 64);
    assert_true(bytes[10] == 128 && bytes[24] == 128 && bytes[34] == 128);
    assert_int_equal(glnn_image_write_sheet(path.text, 3, 2, 3, 2, 1, samples[0][0], 0, 4),
                     GLNN_OK);
    read_bytes(path.text, 7, 5, PNG_FORMAT_RGB, bytes);
    assert_color(bytes, 7, 0, 0, 0x808080);
    assert_color(bytes, 7, 1, 1, 0x0080FF);
    assert_color(bytes, 7, 2, 1, 0xFF8000);
    assert_color(bytes, 7, 3, 1, 0x808080);
    assert_color(bytes, 7, 4, 1, 0x400000);
    assert_color(bytes, 7, 5, 1, 0x40FFFF);
    assert_color(bytes, 7, 1, 3, 0xFFFFFF);
    assert_color(bytes, 7, 4, 3, 0x808080);
}

static void a_scaled_picture_keeps_its_aspect_and_its_background(void **state)
{
    /* Two planes of 4 x 2: a step of 0 and 1 between columns 1 and 2, and the number 5. */
    static const float pixels[] = {0, 0, 1, 1, 0, 0, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5};
    float same[16], small[2 * 2 * 2], large[8 * 8];
    (void)state;
    assert_int_equal(glnn_image_scale(2, 4, 2, pixels, 4, 2, same), GLNN_OK);
    assert_memory_equal(same, pixels, sizeof same);
    /* The background is the median of the corners 0, 1, 0 and 1. The picture has half the height,
     * so each pixel is half background. */
    assert_int_equal(glnn_image_scale(2, 4, 2, pixels, 2, 2, small), GLNN_OK);
    for (int i = 0; i < 8; ++i)
        assert_float_equal(small[i], i > 3 ? 5 : i % 2 ? 0.75f : 0.25f, 1e-6f);
    assert_int_equal(glnn_image_scale(1, 4, 2, pixels, 8, 8, large), GLNN_OK);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
            assert_float_equal(large[8 * y + x], y < 2 || y > 5 ? 0.5f : (float)(x > 3), 1e-6f);
    assert_float_equal(glnn_image_find_background(4, 2, pixels), 0.5f, 0.0f);
    assert_int_equal(glnn_image_scale(1, 4, 0, pixels, 8, 8, large), GLNN_E_ARG);
    assert_non_null(strstr(glnn_last_error(), "1 channels of 4 x 0 pixels to 8 x 8"));
}

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grays_come_back_clamped_and_rounded),
        cmocka_unit_test(every_kind_of_pixel_becomes_gray),
        cmocka_unit_test(interlaced_files_are_read),
        cmocka_unit_test(sizes_past_the_limit_are_refused_before_memory_is_asked_for),
        FILE_TESTS(format),
        cmocka_unit_test(flipped_bits_never_crash),
        cmocka_unit_test(other_files_are_explained),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(a_picture_in_colour_comes_back_by_planes),
        cmocka_unit_test(sheets_show_samples_in_gray_or_in_colour),
        cmocka_unit_test(grids_show_the_sign_by_colour),
        cmocka_unit_test(a_scaled_picture_keeps_its_aspect_and_its_background),
    };
    return cmocka_run_group_tests(tests, setup, folder_remove);
}
