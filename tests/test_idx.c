#include <glnn/idx.h>

#include "support/files.h"

#include <zlib.h>

static const glnn_idx_type types[] = {GLNN_IDX_UINT8, GLNN_IDX_INT8,    GLNN_IDX_INT16,
                                      GLNN_IDX_INT32, GLNN_IDX_FLOAT32, GLNN_IDX_FLOAT64};
static const size_t widths[] = {1, 1, 2, 4, 4, 8};
enum { TYPES = sizeof types / sizeof *types };

static glnn_status reader(const char *path)
{
    glnn_idx idx = {.size = sizeof idx};
    glnn_status status = glnn_idx_read(path, &idx);
    if (status)
        assert_null(idx.data);
    else
        assert_int_equal(idx.elements, idx.shape[0] * idx.shape[1] * idx.shape[2] * idx.shape[3]);
    glnn_idx_free(&idx);
    return status;
}

static glnn_status writer(const char *path)
{
    unsigned char pixels[500] = {1, 2, 3};
    return glnn_idx_write(path, &(glnn_idx){.size = sizeof(glnn_idx),
                                            .type = GLNN_IDX_UINT8,
                                            .dimensions = 2,
                                            .shape = {20, 25},
                                            .data = pixels});
}

/* A plain file and a compressed one of a few labels. */
static file_path small_file(const char *name)
{
    unsigned char labels[5] = {0, 1, 2, 3, 4};
    file_path path = path_of(name);
    assert_int_equal(glnn_idx_write(path.text, &(glnn_idx){.size = sizeof(glnn_idx),
                                                           .type = GLNN_IDX_UINT8,
                                                           .dimensions = 1,
                                                           .shape = {5},
                                                           .data = labels}),
                     GLNN_OK);
    return path;
}

static void roundtrip(int type, int dimensions, const char *name)
{
    static const size_t sizes[GLNN_IDX_MAX_DIMENSIONS] = {3, 2, 5, 4};
    unsigned char bytes[3 * 2 * 5 * 4 * 8];
    glnn_idx idx = {.size = sizeof idx,
                    .type = types[type],
                    .dimensions = dimensions,
                    .elements = 1,
                    .data = bytes};
    for (int d = 0; d < dimensions; ++d) {
        idx.shape[d] = sizes[d];
        idx.elements *= sizes[d];
    }
    for (size_t i = 0; i < sizeof bytes; ++i)
        bytes[i] = (unsigned char)(i * 37 + 11);

    glnn_idx read = {.size = sizeof read};
    file_path path = path_of(name);
    assert_int_equal(glnn_idx_write(path.text, &idx), GLNN_OK);
    assert_int_equal(glnn_idx_read(path.text, &read), GLNN_OK);
    assert_int_equal(read.type, idx.type);
    assert_int_equal(read.dimensions, dimensions);
    assert_int_equal(read.elements, idx.elements);
    for (int d = 0; d < GLNN_IDX_MAX_DIMENSIONS; ++d)
        assert_int_equal(read.shape[d], d < dimensions ? sizes[d] : 1);
    assert_memory_equal(read.data, bytes, idx.elements * widths[type]);
    glnn_idx_free(&read);
    assert_null(read.data);
}

static void every_type_and_shape_comes_back_plain_and_compressed(void **state)
{
    (void)state;
    for (int type = 0; type < TYPES; ++type) {
        for (int dimensions = 1; dimensions <= GLNN_IDX_MAX_DIMENSIONS; ++dimensions) {
            roundtrip(type, dimensions, "plain");
            roundtrip(type, dimensions, "packed.gz");
        }
    }
}

static void bytes_are_those_of_the_format(void **state)
{
    (void)state;
    static const unsigned char file[] = {0, 0, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0xFF, 0xFE, 1, 2};
    glnn_idx idx = {.size = sizeof idx};
    assert_int_equal(glnn_idx_read(file_write("given", file, sizeof file).text, &idx), GLNN_OK);
    assert_int_equal(((int16_t *)idx.data)[0], -2);
    assert_int_equal(((int16_t *)idx.data)[1], 258);
    unsigned char written[32];
    file_path path = path_of("written");
    assert_int_equal(glnn_idx_write(path.text, &idx), GLNN_OK);
    assert_int_equal(file_read(path.text, written, sizeof written), sizeof file);
    assert_memory_equal(written, file, sizeof file);
    glnn_idx_free(&idx);
}

static void floats_are_scaled_from_every_type(void **state)
{
    (void)state;
    int8_t i8[] = {-128, 7};
    uint8_t u8[] = {255, 7};
    int16_t i16[] = {-32768, 7};
    int32_t i32[] = {INT32_MIN, 7};
    float f32[] = {-0.5f, 7};
    double f64[] = {1e-3, 7};
    void *data[TYPES] = {u8, i8, i16, i32, f32, f64};
    const float first[TYPES] = {127.5f, -64, -16384, -1073741824.0f, -0.25f, 0.0005f};
    for (int type = 0; type < TYPES; ++type) {
        glnn_idx idx = {sizeof idx, types[type], 1, {2, 1, 1, 1}, 2, data[type]};
        float out[2];
        assert_int_equal(glnn_idx_get_floats(&idx, 0.5f, out), GLNN_OK);
        assert_true(out[0] == first[type] && out[1] == 3.5f);
    }
    float out[2];
    assert_fails(glnn_idx_get_floats(NULL, 1, out), GLNN_E_ARG, "idx");
}

static void labels_are_checked(void **state)
{
    (void)state;
    int16_t values[] = {0, 9, 3};
    int out[3];
    glnn_idx idx = {sizeof idx, GLNN_IDX_INT16, 1, {3, 1, 1, 1}, 3, values};
    assert_int_equal(glnn_idx_get_labels(&idx, 10, out), GLNN_OK);
    assert_true(out[0] == 0 && out[1] == 9 && out[2] == 3);
    assert_fails(glnn_idx_get_labels(&idx, 9, out), GLNN_E_FORMAT, "row 1 is 9");
    values[2] = -1;
    assert_fails(glnn_idx_get_labels(&idx, 10, out), GLNN_E_FORMAT, "row 2 is -1");
    assert_fails(glnn_idx_get_labels(&idx, 0, out), GLNN_E_ARG,
                 "glnn_idx_get_labels: `classes` is 0");
    idx.dimensions = 2;
    assert_fails(glnn_idx_get_labels(&idx, 10, out), GLNN_E_FORMAT, "3 x 1");
    float real[] = {0, 1, 2};
    idx = (glnn_idx){sizeof(glnn_idx), GLNN_IDX_FLOAT32, 1, {3, 1, 1, 1}, 3, real};
    assert_fails(glnn_idx_get_labels(&idx, 10, out), GLNN_E_FORMAT, "float32");
}

static void damaged_headers_are_explained(void **state)
{
    (void)state;
    static const struct {
        unsigned char bytes[12];
        size_t size;
        const char *part;
    } cases[] = {
        {{0}, 3, "3 bytes"},
        {{1, 0, 8, 1}, 4, "01 00"},
        {{0, 0, 7, 1}, 4, "0x07"},
        {{0, 0, 8, 0}, 4, "0 dimensions"},
        {{0, 0, 8, 5}, 4, "5 dimensions"},
        {{0, 0, 8, 2, 0, 0, 0, 1}, 8, "sizes of its 2 dimensions"},
        {{0, 0, 8, 1, 0, 0, 0, 0}, 8, "size of dimension 0 is 0"},
        {{0, 0, 8, 1, 0, 0, 0, 2, 9}, 9, "require 2 bytes"},
        {{0, 0, 8, 1, 0, 0, 0, 2, 9, 9, 9}, 11, "there are"},
        {{0, 0, 8, 1, 0xFF, 0xFF, 0xFF, 0xFF, 1}, 9, "4294967295"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        file_path path = file_write("damaged", cases[i].bytes, cases[i].size);
        assert_fails(reader(path.text), GLNN_E_FORMAT, cases[i].part);
        assert_non_null(strstr(glnn_last_error(), path.text));
    }
}

static void gzip_write(const char *path, const void *bytes, unsigned size, const char *mode)
{
    gzFile file = gzopen(path, mode);
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, size), size);
    assert_int_equal(gzclose(file), Z_OK);
}

static void huge_sizes_are_refused_before_memory_is_asked_for(void **state)
{
    (void)state;
    unsigned char header[20] = {0, 0, 0x0E, 4};
    memset(header + 4, 0xFF, 16);
    assert_fails(reader(file_write("huge", header, 20).text), GLNN_E_LIMIT, "address");
    file_path packed = path_of("huge.gz");
    gzip_write(packed.text, header, sizeof header, "wb");
    assert_fails(reader(packed.text), GLNN_E_LIMIT, "address");
    header[3] = 1;
    gzip_write(packed.text, header, 8, "wb");
    assert_fails(reader(packed.text), GLNN_E_FORMAT, "4294967295");
}

static void gzip_in_two_members_is_one_content(void **state)
{
    (void)state;
    static const unsigned char file[] = {0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3};
    file_path path = path_of("members");
    gzip_write(path.text, file, 6, "wb");
    gzip_write(path.text, file + 6, sizeof file - 6, "ab");
    assert_int_equal(reader(path.text), GLNN_OK);
    FILE *stream = fopen(path.text, "ab");
    assert_non_null(stream);
    fputs("tail", stream);
    fclose(stream);
    assert_fails(reader(path.text), GLNN_E_FORMAT, "4 other bytes follow");
}

static void large_content_is_unpacked_in_steps(void **state)
{
    (void)state;
    enum { SIDE = 1500 };
    unsigned char *pixels = calloc(SIDE, SIDE);
    glnn_idx read = {.size = sizeof read},
             idx = {sizeof idx, GLNN_IDX_UINT8, 2, {SIDE, SIDE}, 0, pixels};
    pixels[SIDE * SIDE - 1] = 77;
    file_path path = path_of("large.gz");
    assert_int_equal(glnn_idx_write(path.text, &idx), GLNN_OK);
    assert_int_equal(glnn_idx_read(path.text, &read), GLNN_OK);
    assert_memory_equal(read.data, pixels, SIDE * SIDE);
    glnn_idx_free(&read);
    free(pixels);
}

static void truncated_small_files_are_refused(void **state)
{
    (void)state;
    assert_truncations_fail(reader, small_file("small").text);
    assert_truncations_fail(reader, small_file("small.gz").text);
}

static void flipped_bits_never_crash(void **state)
{
    (void)state;
    /* Of the plain file of 8 + 5 bytes only the elements and the signed or unsigned type can
     * change without notice. */
    assert_int_equal(refused_flips(reader, small_file("small").text), 8 * 8 - 1);
    /* Of the compressed one only time, system and the like, which nothing depends on. */
    assert_true(refused_flips(reader, small_file("small.gz").text) >= 8 * 20);
}

static void null_arguments_are_refused(void **state)
{
    (void)state;
    glnn_idx idx = {.size = sizeof idx};
    assert_fails(glnn_idx_read(NULL, &idx), GLNN_E_ARG, "path");
    assert_fails(glnn_idx_read("x", NULL), GLNN_E_ARG, "out");
    glnn_idx_free(NULL);
}

static void nonsense_is_not_written(void **state)
{
    (void)state;
    unsigned char byte = 0;
    file_path path = path_of("nonsense");
    const glnn_idx good = {sizeof good, GLNN_IDX_UINT8, 1, {1, 0, 0, 0}, 1, &byte};
    glnn_idx idx = good;
    assert_fails(glnn_idx_write(NULL, &idx), GLNN_E_ARG, "path");
    assert_fails(glnn_idx_write(path.text, NULL), GLNN_E_ARG, "idx");
    idx.data = NULL;
    assert_fails(glnn_idx_write(path.text, &idx), GLNN_E_ARG, "data");
    idx = good;
    idx.type = (glnn_idx_type)1;
    assert_fails(glnn_idx_write(path.text, &idx), GLNN_E_ARG, "type");
    idx = good;
    idx.dimensions = 5;
    assert_fails(glnn_idx_write(path.text, &idx), GLNN_E_ARG, "idx->dimensions is 5");
    idx = good;
    idx.shape[0] = 0;
    assert_fails(glnn_idx_write(path.text, &idx), GLNN_E_ARG, "idx->shape[0] is 0");
    idx.shape[0] = (size_t)UINT32_MAX + 1;
    assert_fails(glnn_idx_write(path.text, &idx), GLNN_E_LIMIT, "32 bits");
    idx.shape[0] = 2;
    assert_fails(glnn_idx_write(path.text, &idx), GLNN_E_ARG, "idx->elements is 1");
    assert_int_not_equal(access(path.text, F_OK), 0);
}

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_and_shape_comes_back_plain_and_compressed),
        cmocka_unit_test(bytes_are_those_of_the_format),
        cmocka_unit_test(floats_are_scaled_from_every_type),
        cmocka_unit_test(labels_are_checked),
        cmocka_unit_test(damaged_headers_are_explained),
        cmocka_unit_test(huge_sizes_are_refused_before_memory_is_asked_for),
        cmocka_unit_test(gzip_in_two_members_is_one_content),
        cmocka_unit_test(large_content_is_unpacked_in_steps),
        cmocka_unit_test(truncated_small_files_are_refused),
        FILE_TESTS(format),
        cmocka_unit_test(flipped_bits_never_crash),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(nonsense_is_not_written),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
