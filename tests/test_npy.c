#include <glnn/npy.h>

#include "io/npy_header.h"
#include "support/files.h"

#include <float.h>
#include <math.h>

static glnn_status reader(const char *path)
{
    glnn_npy npy = {.size = sizeof npy};
    glnn_status status = glnn_npy_read(path, &npy);
    if (status) {
        assert_null(npy.data);
    } else {
        size_t elements = 1;
        for (int d = 0; d < GLNN_NPY_MAX_DIMENSIONS; ++d)
            elements *= npy.shape[d];
        assert_int_equal(npy.rows * npy.columns, elements);
    }
    glnn_npy_free(&npy);
    return status;
}

static glnn_status writer(const char *path)
{
    const float values[6] = {1, 2, 3, 4, 5, 6};
    return glnn_npy_write(path, 2, 3, values, 0);
}

/* A file of a version with this dictionary and these elements. */
static file_path file_of(int version, const char *dictionary, const void *elements, size_t size)
{
    unsigned char bytes[1024] = "\x93NUMPY";
    size_t length = strlen(dictionary), used = version == 1 ? 10 : 12;
    bytes[6] = (unsigned char)version;
    bytes[8] = (unsigned char)length;
    bytes[9] = (unsigned char)(length >> 8);
    assert_true(used + length + size <= sizeof bytes);
    memcpy(bytes + used, dictionary, length);
    memcpy(bytes + used + length, elements, size);
    return file_write("given.npy", bytes, used + length + size);
}

static glnn_npy array_of(int version, const char *dictionary, const void *elements, size_t size)
{
    glnn_npy npy = {.size = sizeof npy};
    if (glnn_npy_read(file_of(version, dictionary, elements, size).text, &npy))
        fail_msg("%s", glnn_last_error());
    return npy;
}

/* The numbers 1, 0 and the last of each type, in both orders of bytes. */
static const struct {
    const char *descr;
    size_t width;
    unsigned char big[24]; /* big-endian */
    double last;
} types[GLNN_NPY_TYPE_COUNT] = {
    [GLNN_NPY_BOOL] = {"b1", 1, {1, 0, 2}, 1},
    [GLNN_NPY_INT8] = {"i1", 1, {1, 0, 0x80}, -128},
    [GLNN_NPY_INT16] = {"i2", 2, {0, 1, 0, 0, 0xFF, 0xFE}, -2},
    [GLNN_NPY_INT32] = {"i4", 4, {0, 0, 0, 1, 0, 0, 0, 0, 0x80}, -2147483648.0},
    [GLNN_NPY_INT64] = {"i8", 8, {[7] = 1, [16] = 0x80}, -0x1p63},
    [GLNN_NPY_UINT8] = {"u1", 1, {1, 0, 255}, 255},
    [GLNN_NPY_UINT16] = {"u2", 2, {0, 1, 0, 0, 0x80, 0}, 32768},
    [GLNN_NPY_UINT32] = {"u4", 4, {0, 0, 0, 1, 0, 0, 0, 0, 0x80}, 0x1p31},
    [GLNN_NPY_UINT64] = {"u8", 8, {[7] = 1, [16] = 0x80}, 0x1p63},
    [GLNN_NPY_FLOAT32] = {"f4", 4, {0x3F, 0x80, 0, 0, 0, 0, 0, 0, 0xC0, 0x20}, -2.5},
    [GLNN_NPY_FLOAT64] = {"f8", 8, {0x3F, 0xF0, [16] = 0xC0, 0x04}, -2.5},
};

static void every_type_is_read_in_both_byte_orders(void **state)
{
    (void)state;
    for (int type = 0; type < GLNN_NPY_TYPE_COUNT; ++type) {
        for (const char *order = types[type].width > 1 ? "<>" : "<>|"; *order; ++order) {
            size_t width = types[type].width;
            unsigned char bytes[24];
            for (size_t i = 0; i < 3 * width; ++i)
                bytes[i] =
                    types[type].big[*order == '>' ? i : i / width * width + width - 1 - i % width];
            char text[128];
            snprintf(text, sizeof text,
                     "{'descr': '%c%s', 'fortran_order': False, 'shape': (3,), }\n", *order,
                     types[type].descr);
            glnn_npy npy = array_of(1, text, bytes, 3 * width);
            float values[3];
            assert_int_equal(npy.type, type);
            assert_true(npy.dimensions == 1 && npy.rows == 3 && npy.columns == 1);
            assert_int_equal(glnn_npy_get_floats(&npy, 0.5f, values), GLNN_OK);
            if (values[0] != 0.5f || values[1] != 0 || (double)values[2] != 0.5 * types[type].last)
                fail_msg("%c%s: %g %g %g", *order, types[type].descr, (double)values[0],
                         (double)values[1], (double)values[2]);
            glnn_npy_free(&npy);
            assert_null(npy.data);
        }
    }
}

static void every_version_and_spelling_of_the_header_is_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }          \n",
        "{\"shape\":(2,3),\"descr\":\"|u1\",\"fortran_order\":False}",
        " { 'fortran_order' : False , 'shape' : ( 2L , 3L , ) , 'descr' : '<u1' } \t\r\n",
    };
    for (int version = 1; version <= 3; ++version) {
        for (int i = 0; i < 3; ++i) {
            glnn_npy npy = array_of(version, texts[i], "abcdef", 6);
            assert_true(npy.dimensions == 2 && npy.rows == 2 && npy.columns == 3);
            assert_memory_equal(npy.data, "abcdef", 6);
            glnn_npy_free(&npy);
        }
    }
}

static void fortran_order_becomes_row_major(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        size_t rows, columns;
        const char *elements, *wanted;
    } cases[] = {
        {"(4,)", 4, 1, "abcd", "abcd"},
        {"(1, 4)", 1, 4, "abcd", "abcd"},
        {"(2, 3)", 2, 3, "adbecf", "abcdef"},
        {"(2, 3, 2)", 2, 6, "agciekbhdjfl", "abcdefghijkl"},
        {"(3, 1, 1, 2)", 3, 2, "acebdf", "abcdef"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[128];
        snprintf(text, sizeof text, "{'descr': '|u1', 'fortran_order': True, 'shape': %s, }\n",
                 cases[i].shape);
        size_t size = strlen(cases[i].elements);
        glnn_npy npy = array_of(1, text, cases[i].elements, size);
        assert_true(npy.rows == cases[i].rows && npy.columns == cases[i].columns);
        assert_memory_equal(npy.data, cases[i].wanted, size);
        glnn_npy_free(&npy);
    }
    const unsigned char wide[] = {0, 1, 0, 3, 0, 2, 0, 4};
    glnn_npy npy = array_of(2, "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }\n", wide,
                            sizeof wide);
    for (int i = 0; i < 4; ++i)
        assert_int_equal(((int16_t *)npy.data)[i], i + 1);
    glnn_npy_free(&npy);
}

static void floats_come_back_bit_by_bit(void **state)
{
    (void)state;
    enum { ROWS = 7, COLUMNS = 5, LD = 6 };
    float values[ROWS * LD], dense[ROWS * COLUMNS], read[ROWS * COLUMNS];
    static const float odd[] = {0.0f, -0.0f, FLT_TRUE_MIN, -FLT_MIN, FLT_MAX, INFINITY, 0.1f};
    for (int i = 0; i < ROWS * LD; ++i)
        values[i] = i < 7 ? odd[i] : (float)i / 7;
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        dense[i] = values[i / COLUMNS * LD + i % COLUMNS];
    file_path path = path_of("floats.npy");
    for (int ld = 0; ld <= LD; ld += LD) {
        glnn_npy npy = {.size = sizeof npy};
        assert_int_equal(glnn_npy_write(path.text, ROWS, COLUMNS, ld ? values : dense, ld),
                         GLNN_OK);
        assert_int_equal(glnn_npy_read(path.text, &npy), GLNN_OK);
        assert_true(npy.type == GLNN_NPY_FLOAT32 && npy.dimensions == 2);
        assert_true(npy.rows == ROWS && npy.columns == COLUMNS);
        assert_int_equal(glnn_npy_get_floats(&npy, 1, read), GLNN_OK);
        assert_memory_equal(read, dense, sizeof dense);
        glnn_npy_free(&npy);
    }
}

static void what_is_written_is_what_numpy_writes(void **state)
{
    (void)state;
    static const char header[] = "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, "
                                 "'shape': (2, 3), }";
    unsigned char bytes[256];
    file_path path = path_of("written.npy");
    assert_int_equal(writer(path.text), GLNN_OK);
    assert_int_equal(file_read(path.text, bytes, sizeof bytes), 128 + 24);
    assert_memory_equal(bytes, header, sizeof header - 1);
    for (size_t i = sizeof header - 1; i < 127; ++i)
        assert_int_equal(bytes[i], ' ');
    assert_int_equal(bytes[127], '\n');
    assert_memory_equal(bytes + 128, ((unsigned char[]){0, 0, 0x80, 0x3F}), 4);
    unsigned char longest[GLNN__NPY_HEADER_CAPACITY];
    assert_int_equal(glnn__npy_header_write(INT32_MAX, INT32_MAX, longest), sizeof longest);
}

static void labels_are_checked(void **state)
{
    (void)state;
    const char *column = "{'descr': '<i8', 'fortran_order': False, 'shape': (3, 1), }";
    int64_t values[] = {0, 9, 3};
    int out[3];
    glnn_npy npy = array_of(1, column, values, sizeof values);
    assert_int_equal(glnn_npy_get_labels(&npy, 10, out), GLNN_OK);
    assert_true(out[0] == 0 && out[1] == 9 && out[2] == 3);
    assert_fails(glnn_npy_get_labels(&npy, 9, out), GLNN_E_FORMAT, "row 1 is 9");
    ((int64_t *)npy.data)[2] = -1;
    assert_fails(glnn_npy_get_labels(&npy, 10, out), GLNN_E_FORMAT, "row 2 is -1");
    assert_fails(glnn_npy_get_labels(&npy, 0, out), GLNN_E_ARG,
                 "glnn_npy_get_labels: `classes` is 0");
    npy.rows = 1;
    npy.columns = 3;
    npy.dimensions = 2;
    npy.shape[0] = 1;
    npy.shape[1] = 3;
    assert_fails(glnn_npy_get_labels(&npy, 10, out), GLNN_E_FORMAT, "1 x 3");
    glnn_npy_free(&npy);

    float real[] = {0, 2, 1.5f};
    npy = array_of(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", real, sizeof real);
    assert_fails(glnn_npy_get_labels(&npy, 10, out), GLNN_E_FORMAT, "row 2 is 1.5");
    ((float *)npy.data)[2] = 1;
    assert_int_equal(glnn_npy_get_labels(&npy, 10, out), GLNN_OK);
    assert_int_equal(out[1], 2);
    ((float *)npy.data)[0] = NAN;
    assert_fails(glnn_npy_get_labels(&npy, 10, out), GLNN_E_FORMAT, "row 0");
    glnn_npy_free(&npy);
}

static void values_that_no_float_holds_are_named(void **state)
{
    (void)state;
    double values[] = {1, INFINITY, 3, 4, 5, 1e39};
    float out[6];
    glnn_npy npy = array_of(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", values,
                            sizeof values);
    assert_fails(glnn_npy_get_floats(&npy, 1, out), GLNN_E_LIMIT, "row 1, column 2 is 1e+39");
    assert_int_equal(glnn_npy_get_floats(&npy, 0.1f, out), GLNN_OK);
    assert_true(isinf(out[1]));
    npy.type = GLNN_NPY_TYPE_COUNT;
    assert_fails(glnn_npy_get_floats(&npy, 1, out), GLNN_E_ARG, "type");
    glnn_npy_free(&npy);
    assert_fails(glnn_npy_get_floats(&npy, 1, out), GLNN_E_ARG, "npy");
    assert_fails(glnn_npy_get_labels(NULL, 1, (int *)out), GLNN_E_ARG, "npy");
}

static void damaged_headers_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "'{' is expected"},
        {"nonsense", "'nonsense'"},
        {"{'descr': '<f4', 'fortran_order': False}", "lacks the key 'shape'"},
        {"{'descr': '<f4', 'descr': '<f4'}", "'descr' twice"},
        {"{'color': 1}", "'color', which"},
        {"{'descr': '<c8'}", "'<c8'"},
        {"{'descr': '|f4'}", "'|f4'"},
        {"{'descr': '<f2'}", "'<f2'"},
        {"{'descr': '|O'}", "'|O'"},
        {"{'descr': [('a', '<f4')]}", "records"},
        {"{'descr': 4}", "a type in quotes"},
        {"{'descr': '<f4", "a type in quotes"},
        {"{'descr' '<f4'}", "':' is expected"},
        {"{'fortran_order': 0}", "True or False"},
        {"{'shape': 3}", "'(' is expected"},
        {"{'shape': ()}", "0 dimensions"},
        {"{'shape': (3, 0)}", "size of dimension 1 is 0"},
        {"{'shape': (-1,)}", "a size"},
        {"{'shape': (3 4)}", "',' or ')'"},
        {"{'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
         "32 dimensions"},
        {"{'shape': (3,) 'descr': '<f4'}", "',' or '}'"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} + 1", "'+ 1'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        file_path path = file_of(1, cases[i].text, "", 0);
        assert_fails(reader(path.text), GLNN_E_FORMAT, cases[i].part);
        assert_non_null(strstr(glnn_last_error(), path.text));
    }
    assert_fails(reader(file_write("short", "\x93NUMPY\1", 7).text), GLNN_E_FORMAT, "7 bytes");
    assert_fails(reader(file_write("other", "\x93NUMPI\1\0\0\0", 10).text), GLNN_E_FORMAT, "93");
    assert_fails(reader(file_write("new", "\x93NUMPY\4\0\0\0", 10).text), GLNN_E_FORMAT, "4.0");
    assert_fails(reader(file_write("cut", "\x93NUMPY\2\0\0\0", 10).text), GLNN_E_FORMAT, "length");
    assert_fails(reader(file_write("long", "\x93NUMPY\2\0\0\0\0\x80", 12).text), GLNN_E_FORMAT,
                 "2147483648");
    static const unsigned char wide[12 + 65536] = "\x93NUMPY\2\0\0\0\1";
    assert_fails(reader(file_write("wide", wide, sizeof wide).text), GLNN_E_LIMIT, "65536 bytes");
}

static void sizes_and_bytes_must_agree(void **state)
{
    (void)state;
    const char *text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1)}";
    assert_fails(reader(file_of(1, text, "1234567", 7).text), GLNN_E_FORMAT, "2 x 1 require 8");
    assert_fails(reader(file_of(1, text, "123456789", 9).text), GLNN_E_FORMAT, "there are 9");
}

static void huge_sizes_are_refused_before_memory_is_asked_for(void **state)
{
    (void)state;
    static const char *const shapes[] = {"99999999999999999999999", "4294967296, 4294967296",
                                         "2305843009213693952, 1, 1"};
    for (int i = 0; i < 3; ++i) {
        char text[160];
        snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': True, 'shape': (%s,)}",
                 shapes[i]);
        assert_fails(reader(file_of(1, text, "", 0).text), GLNN_E_LIMIT, "address");
    }
    const char *most = "{'descr': '<f8', 'fortran_order': True, 'shape': (1000000000, 1000)}";
    assert_fails(reader(file_of(1, most, "", 0).text), GLNN_E_FORMAT, "8000000000000");
}

static void flipped_bits_never_crash(void **state)
{
    (void)state;
    file_path path = path_of("whole.npy");
    assert_int_equal(writer(path.text), GLNN_OK);
    /* Nothing depends on the values, and little on blanks, but most of the header counts. */
    assert_true(refused_flips(reader, path.text) >= 8 * 50);
}

static void null_arguments_are_refused(void **state)
{
    (void)state;
    glnn_npy npy = {.size = sizeof npy};
    assert_fails(glnn_npy_read(NULL, &npy), GLNN_E_ARG, "path");
    assert_fails(glnn_npy_read("x", NULL), GLNN_E_ARG, "out");
    glnn_npy_free(NULL);
}

static void nonsense_is_not_written(void **state)
{
    (void)state;
    float value = 0;
    file_path path = path_of("nonsense.npy");
    assert_fails(glnn_npy_write(NULL, 1, 1, &value, 0), GLNN_E_ARG, "path");
    assert_fails(glnn_npy_write(path.text, 1, 1, NULL, 0), GLNN_E_ARG, "data");
    assert_fails(glnn_npy_write(path.text, 0, 1, &value, 0), GLNN_E_ARG, "0 rows");
    assert_fails(glnn_npy_write(path.text, 1, -1, &value, 0), GLNN_E_ARG, "-1 columns");
    assert_fails(glnn_npy_write(path.text, 1, 3, &value, 2), GLNN_E_ARG, "`ld` is 2");
    assert_fails(glnn_npy_write(path.text, INT32_MAX, INT32_MAX, &value, 0), GLNN_E_LIMIT,
                 "2147483647");
    assert_int_not_equal(access(path.text, F_OK), 0);
}

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read_in_both_byte_orders),
        cmocka_unit_test(every_version_and_spelling_of_the_header_is_read),
        cmocka_unit_test(fortran_order_becomes_row_major),
        cmocka_unit_test(floats_come_back_bit_by_bit),
        cmocka_unit_test(what_is_written_is_what_numpy_writes),
        cmocka_unit_test(labels_are_checked),
        cmocka_unit_test(values_that_no_float_holds_are_named),
        cmocka_unit_test(damaged_headers_are_explained),
        cmocka_unit_test(sizes_and_bytes_must_agree),
        cmocka_unit_test(huge_sizes_are_refused_before_memory_is_asked_for),
        FILE_TESTS(format),
        cmocka_unit_test(flipped_bits_never_crash),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(nonsense_is_not_written),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
