/* The types of elements in safetensors files: F32, F16 and BF16 are read. */
#include <glnn/safetensors.h>

#include "support/files.h"

#include <math.h>

enum { HALVES = 65536, ODD = 3 };

/* A file of this header, followed by `size` bytes. */
static file_path file_of(const char *header, const void *data, size_t size)
{
    static unsigned char bytes[8 + 512 + 5 * HALVES];
    const size_t length = strlen(header);
    assert_true(length <= 512 && 8 + length + size <= sizeof bytes);
    memset(bytes, 0, 8);
    bytes[0] = (unsigned char)length;
    bytes[1] = (unsigned char)(length >> 8);
    memcpy(bytes + 8, header, length);
    memcpy(bytes + 8 + length, data, size);
    return file_write("given", bytes, 8 + length + size);
}

/* A number of sign, exponent and mantissa, as the standards define it. */
static double value_of(unsigned bits, unsigned mantissa_bits, int bias, unsigned special)
{
    const double sign = bits & 0x8000 ? -1 : 1;
    const unsigned mantissa = bits & ((1u << mantissa_bits) - 1);
    const unsigned exponent = (bits & 0x7FFF) >> mantissa_bits;
    if (exponent == special)
        return mantissa ? NAN : sign * INFINITY;
    const double digits = mantissa + (exponent ? ldexp(1, (int)mantissa_bits) : 0);
    return sign * ldexp(digits, (int)(exponent ? exponent : 1) - bias - (int)mantissa_bits);
}

static void expect_number(float got, double want)
{
    assert_int_equal(isnan(got) != 0, isnan(want) != 0);
    if (isnan(want))
        return;
    assert_true((double)got == want);
    assert_int_equal(signbit(got) != 0, signbit(want) != 0);
}

/* Arrays that are skipped and others of float32 lie between them. */
static const char mixed_header[] =
    "{\"skipped\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
    "\"brain\":{\"dtype\":\"BF16\",\"shape\":[65536],\"data_offsets\":[3,131075]},"
    "\"single\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[131075,131079]},"
    "\"half\":{\"dtype\":\"F16\",\"shape\":[256,256],\"data_offsets\":[131079,262151]},"
    "\"none\":{\"dtype\":\"F16\",\"shape\":[0],\"data_offsets\":[262151,262151]}}";

static void numbers_of_16_bits_are_read_exactly(void **state)
{
    (void)state;
    enum { SIZE = ODD + 2 * HALVES + 4 + 2 * HALVES };
    static unsigned char data[SIZE];
    const unsigned char one[] = {0, 0, 0x80, 0x3F};
    for (size_t i = 0; i < HALVES; ++i)
        for (size_t k = 0; k < 2; ++k)
            data[ODD + 2 * i + k] = data[ODD + 2 * HALVES + 4 + 2 * i + k] =
                (unsigned char)(i >> 8 * k);
    memcpy(data + ODD + 2 * HALVES, one, sizeof one);
    glnn_safetensors *file;
    assert_int_equal(glnn_safetensors_read(file_of(mixed_header, data, SIZE).text, &file), GLNN_OK);
    assert_int_equal(glnn_safetensors_get_count(file), 4);
    const glnn_tensor *brain = glnn_safetensors_find_tensor(file, "brain");
    const glnn_tensor *half = glnn_safetensors_find_tensor(file, "half");
    assert_int_equal(half->dimensions, 2);
    assert_int_equal(half->shape[1], 256);
    for (unsigned i = 0; i < HALVES; ++i) {
        expect_number(brain->data[i], value_of(i, 7, 127, 255));
        expect_number(half->data[i], value_of(i, 10, 15, 31));
    }
    assert_true(glnn_safetensors_find_tensor(file, "single")->data[0] == 1);
    assert_int_equal(glnn_safetensors_find_tensor(file, "none")->shape[0], 0);
    glnn_safetensors_free(file);
}

static glnn_status reader(const char *path)
{
    glnn_safetensors *file;
    const glnn_status status = glnn_safetensors_read(path, &file);
    glnn_safetensors_free(file);
    return status;
}

static const char small_header[] =
    "{\"a\":{\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[0,6]},"
    "\"b\":{\"dtype\":\"BF16\",\"shape\":[1],\"data_offsets\":[6,8]}}";

static void damaged_files_of_16_bits_are_refused(void **state)
{
    (void)state;
    const unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const file_path path = file_of(small_header, data, sizeof data);
    assert_int_equal(reader(path.text), GLNN_OK);
    assert_truncations_fail(reader, path.text);
    assert_true(refused_flips(reader, path.text) > 0);
}

static void arrays_of_each_type_take_their_bits(void **state)
{
    static const struct {
        const char *name;
        int bits;
    } types[] = {
        {"F32", 32},    {"F16", 16},    {"BF16", 16},   {"F64", 64},    {"I64", 64},
        {"I32", 32},    {"I16", 16},    {"I8", 8},      {"U64", 64},    {"U32", 32},
        {"U16", 16},    {"U8", 8},      {"BOOL", 8},    {"C64", 64},    {"F8_E4M3", 8},
        {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},
    };
    static const char data[8 * 8 + 1] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        for (int more = -1; more <= 1; ++more) {
            char header[128];
            const int size = types[i].bits + more; /* of 8 elements */
            snprintf(header, sizeof header,
                     "{\"a\":{\"dtype\":\"%s\",\"shape\":[8],\"data_offsets\":[0,%d]}}",
                     types[i].name, size);
            const file_path path = file_of(header, data, (size_t)size);
            assert_int_equal(reader(path.text), more == 0 ? GLNN_OK : GLNN_E_FORMAT);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_16_bits_are_read_exactly),
        cmocka_unit_test(damaged_files_of_16_bits_are_refused),
        cmocka_unit_test(arrays_of_each_type_take_their_bits),
    };
    return cmocka_run_group_tests_name("safetensors types", tests, folder_make, folder_remove);
}
