/* Pictures, sounds and handwriting, and folders of them. */
#include "target.h"

#include <glnn/handwriting.h>
#include <glnn/image.h>
#include <glnn/sound.h>

#include "support/wav.h"

#include "base/file.h"
#include "io/png_file.h"

#include <zlib.h>

/* ---- PNG */

/* A file is read by itself, and with another one in a folder. */
void fuzz_run_png(const unsigned char *bytes, size_t size)
{
    static const unsigned char gray[6] = {0, 50, 100, 150, 200, 250};
    const char *path = fuzz_file("png/a/1.png", bytes, size);
    for (int channels = 0; channels <= 3; ++channels) {
        int width, height;
        float *pixels;
        const glnn_status status = glnn_image_read(path, channels, &width, &height, &pixels);
        fuzz_expect_sentence(status);
        assert_true((status == GLNN_OK) == (pixels != NULL));
        if (!status)
            fuzz_touch(pixels, (size_t)width * (size_t)height);
        free(pixels);
    }
    if (!glnn__file_is_readable(fuzz_path("png/a/2.png")))
        expect_ok(glnn__png_write(fuzz_path("png/a/2.png"), 3, 2, 1, gray));
    glnn_image_folder folder = {.size = sizeof folder};
    const glnn_status status = glnn_image_folder_read(fuzz_path("png"), 0, &folder);
    fuzz_expect_sentence(status);
    if (!status)
        fuzz_touch(folder.inputs, (size_t)folder.samples * (size_t)folder.width *
                                      (size_t)folder.height * (size_t)folder.channels);
    glnn_image_folder_free(&folder);
}

/* The checksums of the chunks. */
void fuzz_repair_png(unsigned char *bytes, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        const size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 |
                              (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (length > size - at - 12)
            return;
        fuzz_put_high_first(bytes + at + 8 + length, crc32(0, bytes + at + 4, (unsigned)length + 4),
                            4);
        at += 12 + length;
    }
}

/* A picture of 4 x 4 pixels of `bits` bits in this colour type. */
static void seed_png(int bits, int type, int interlace)
{
    unsigned char bytes[512] = "\x89PNG\r\n\x1a\n", rows[256] = {0}, packed[256];
    static const int samples[] = {1, 0, 3, 1, 2, 0, 4};
    const size_t row = 1 + ((size_t)(4 * bits * samples[type]) + 7) / 8;
    uLongf packed_size = sizeof packed;
    size_t size = 8;
    for (size_t i = 0; i < sizeof rows; ++i)
        rows[i] = interlace || i % row == 0 ? 0 : (unsigned char)(i * 3);
    assert_int_equal(compress(packed, &packed_size, rows, interlace ? 64 : 4 * row), Z_OK);
    const unsigned char head[13] = {0,
                                    0,
                                    0,
                                    4,
                                    0,
                                    0,
                                    0,
                                    4,
                                    (unsigned char)bits,
                                    (unsigned char)type,
                                    0,
                                    0,
                                    (unsigned char)interlace};
    const struct {
        const char *name;
        const void *data;
        size_t size;
    } chunks[] = {{"IHDR", head, 13},
                  {type == 3 ? "PLTE" : "tEXt", "abcdefghijkl", 12},
                  {"tRNS", "abcdef", type == 2 ? 6 : 2},
                  {"IDAT", packed, packed_size},
                  {"IEND", "", 0}};
    for (size_t i = 0; i < COUNT_OF(chunks); ++i) {
        if (i == 2 && type > 3) /* these have transparency in their pixels */
            continue;
        fuzz_put_high_first(bytes + size, chunks[i].size, 4);
        memcpy(bytes + size + 4, chunks[i].name, 4);
        memcpy(bytes + size + 8, chunks[i].data, chunks[i].size);
        size += 12 + chunks[i].size;
    }
    fuzz_repair_png(bytes, size);
    fuzz_seed(bytes, size);
}

void fuzz_seed_png(void)
{
    static const unsigned char colors[12] = {0, 50, 100, 150, 200, 250, 1, 2, 3, 4, 5, 6};
    expect_ok(glnn__png_write(fuzz_seed_path(), 2, 2, 3, colors));
    expect_ok(glnn__png_write(fuzz_seed_path(), 4, 3, 1, colors));
    seed_png(1, 0, 0);
    seed_png(16, 2, 0);
    seed_png(2, 3, 0);
    seed_png(8, 4, 0);
    seed_png(8, 6, 1);
}

/* ---- WAV */

void fuzz_run_wav(const unsigned char *bytes, size_t size)
{
    const char *path = fuzz_file("wav/a/1.wav", bytes, size);
    for (int channels = 1; channels <= 2; ++channels) {
        int rate, length;
        float *samples;
        const glnn_status status = glnn_sound_read(path, channels, &rate, &length, &samples);
        fuzz_expect_sentence(status);
        assert_true((status == GLNN_OK) == (samples != NULL));
        for (int i = 0; i < length; ++i)
            assert_true(isfinite(samples[i]));
        free(samples);
    }
    glnn_sound_folder folder = {.size = sizeof folder};
    fuzz_expect_sentence(glnn_sound_folder_read(fuzz_path("wav"), 8000, 16, &folder));
    glnn_sound_folder_free(&folder);
}

void fuzz_seed_wav(void)
{
    static wav made;
    float samples[24];
    for (int i = 0; i < 24; ++i)
        samples[i] = (float)(i % 7) / 8 - 0.5f;
    for (int i = 0; i < 6; ++i) {
        wav_make(&made, (wav_kind)(i / 2), i % 2 ? 8000 : 11025, 1 + i % 2, 12, samples);
        fuzz_seed(made.bytes, made.size);
    }
}

/* ---- Handwriting */

static void run_handwriting(const char *name, const unsigned char *bytes, size_t size)
{
    glnn_handwriting set = {.size = sizeof set};
    const glnn_status status = glnn_handwriting_open(fuzz_file(name, bytes, size), 8, NULL, &set);
    fuzz_expect_sentence(status);
    assert_true((status == GLNN_OK) == (set.samples > 0));
    float *inputs = malloc((size_t)set.features * sizeof *inputs + 1);
    assert_non_null(inputs);
    for (int64_t i = 0; i < set.samples && i < 20; ++i) {
        assert_in_range(set.labels[i], 0, set.classes - 1);
        if (glnn_handwriting_read(&set, i, 1, inputs) == GLNN_OK)
            for (int j = 0; j < set.features; ++j)
                assert_true(isfinite(inputs[j]));
    }
    free(inputs);
    glnn_handwriting_close(&set);
}

void fuzz_run_gnt(const unsigned char *bytes, size_t size)
{
    run_handwriting("input.gnt", bytes, size);
}

void fuzz_run_mpf(const unsigned char *bytes, size_t size)
{
    run_handwriting("input.mpf", bytes, size);
}

void fuzz_seed_gnt(void)
{
    unsigned char bytes[128];
    size_t size = 0;
    for (unsigned i = 1; i < 4; ++i) {
        const unsigned width = 2 * i, height = 5 - i;
        fuzz_put_low_first(bytes + size, 10 + width * height, 4);
        fuzz_put_high_first(bytes + size + 4, 0xb0a0 + i, 2);
        fuzz_put_low_first(bytes + size + 6, width, 2);
        fuzz_put_low_first(bytes + size + 8, height, 2);
        memset(bytes + size + 10, (int)(50 * i), width * height);
        size += 10 + width * height;
    }
    fuzz_seed(bytes, size);
    fuzz_seed(bytes, 10 + 2 * 4);
}

void fuzz_seed_mpf(void)
{
    static const struct {
        const char *type;
        unsigned width;
    } types[] = {{"unsigned char", 1}, {"char", 1},  {"short", 2},
                 {"int", 4},           {"float", 4}, {"double", 8}};
    enum { HEADER = 64, CODE = 2, SAMPLES = 2, FEATURES = 3 };
    for (size_t t = 0; t < COUNT_OF(types); ++t) {
        unsigned char bytes[HEADER + SAMPLES * (CODE + FEATURES * 8)] = {0};
        fuzz_put_low_first(bytes, HEADER, 4);
        memcpy(bytes + 4, "MPF", 3);
        memcpy(bytes + 14, "GB", 2);
        fuzz_put_low_first(bytes + 34, CODE, 2);
        memcpy(bytes + 36, types[t].type, strlen(types[t].type));
        fuzz_put_low_first(bytes + 56, SAMPLES, 4);
        fuzz_put_low_first(bytes + 60, FEATURES, 4);
        fuzz_put_high_first(bytes + HEADER, 0xb0a1, 2);
        fuzz_seed(bytes, HEADER + SAMPLES * (CODE + FEATURES * types[t].width));
    }
}
