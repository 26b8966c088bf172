#include <glnn/safetensors.h>

#include "support/files.h"

#include <math.h>

static glnn_status reader(const char *path)
{
    glnn_safetensors *file;
    glnn_status status = glnn_safetensors_read(path, &file);
    if (status) {
        assert_null(file);
        return status;
    }
    for (int i = 0; i < glnn_safetensors_get_count(file); ++i) {
        const glnn_tensor *tensor = glnn_safetensors_get_tensor(file, i);
        assert_in_range(tensor->dimensions, 0, GLNN_TENSOR_MAX_DIMENSIONS);
        assert_ptr_equal(glnn_safetensors_find_tensor(file, tensor->name), tensor);
        size_t count = 1;
        for (int d = 0; d < tensor->dimensions; ++d)
            count *= tensor->shape[d];
        size_t negative = 0;
        for (size_t e = 0; e < count; ++e)
            negative += tensor->data[e] < 0;
        assert_in_range(negative, 0, count);
    }
    glnn_safetensors_free(file);
    return status;
}

static const float matrix[] = {1, -2.5f, 3, 4, 5, 6}, scalar[] = {7}, wide[] = {8, 9};

static const glnn_tensor tensors[] = {
    {"layers.0.weight", 2, {2, 3}, matrix},
    {"scalar \xC3\xA9", 0, {0}, scalar},
    {"nothing", 3, {4, 0, 5}, NULL},
    {"four", 4, {1, 2, 1, 1}, wide},
};
static const glnn_metadata metadata[] = {{"format", "test \"quoted\""}, {"empty", ""}};
enum { TENSORS = 4, METADATA = 2 };

static glnn_status writer(const char *path)
{
    return glnn_safetensors_write(path, tensors, TENSORS, metadata, METADATA);
}

static file_path small_file(void)
{
    file_path path = path_of("small");
    assert_int_equal(writer(path.text), GLNN_OK);
    return path;
}

static void arrays_and_texts_come_back(void **state)
{
    (void)state;
    glnn_safetensors *file;
    assert_int_equal(glnn_safetensors_read(small_file().text, &file), GLNN_OK);
    assert_int_equal(glnn_safetensors_get_count(file), TENSORS);
    for (int i = 0; i < TENSORS; ++i) {
        const glnn_tensor *tensor = glnn_safetensors_find_tensor(file, tensors[i].name);
        size_t count = 1;
        assert_non_null(tensor);
        assert_int_equal(tensor->dimensions, tensors[i].dimensions);
        for (int d = 0; d < tensor->dimensions; ++d) {
            assert_int_equal(tensor->shape[d], tensors[i].shape[d]);
            count *= tensor->shape[d];
        }
        assert_non_null(tensor->data);
        if (count > 0)
            assert_memory_equal(tensor->data, tensors[i].data, count * sizeof(float));
    }
    assert_string_equal(glnn_safetensors_get_metadata(file, "format"), "test \"quoted\"");
    assert_string_equal(glnn_safetensors_get_metadata(file, "empty"), "");
    assert_null(glnn_safetensors_get_metadata(file, "missing"));
    assert_null(glnn_safetensors_find_tensor(file, "missing"));
    assert_null(glnn_safetensors_get_tensor(file, TENSORS));
    assert_null(glnn_safetensors_get_tensor(file, -1));
    glnn_safetensors_free(file);
}

static void every_bit_of_a_float_is_kept(void **state)
{
    (void)state;
    const float special[] = {-0.0f, INFINITY, NAN, 1e-45f};
    file_path path = path_of("special");
    const glnn_tensor tensor = {"x", 1, {4}, special};
    glnn_safetensors *file;
    assert_int_equal(glnn_safetensors_write(path.text, &tensor, 1, NULL, 0), GLNN_OK);
    assert_int_equal(glnn_safetensors_read(path.text, &file), GLNN_OK);
    assert_memory_equal(glnn_safetensors_get_tensor(file, 0)->data, special, sizeof special);
    glnn_safetensors_free(file);
}

static void nothing_at_all_is_a_file(void **state)
{
    (void)state;
    glnn_safetensors *file;
    file_path path = path_of("none");
    assert_int_equal(glnn_safetensors_write(path.text, NULL, 0, NULL, 0), GLNN_OK);
    assert_int_equal(glnn_safetensors_read(path.text, &file), GLNN_OK);
    assert_int_equal(glnn_safetensors_get_count(file), 0);
    assert_null(glnn_safetensors_get_metadata(file, "format"));
    glnn_safetensors_free(file);
}

/* The format's description, followed by hand on a file of ours. */
static void bytes_are_those_of_the_published_format(void **state)
{
    (void)state;
    static unsigned char bytes[1024];
    size_t size = file_read(small_file().text, bytes, sizeof bytes);
    size_t header = 0;
    for (int i = 0; i < 8; ++i)
        header |= (size_t)bytes[i] << 8 * i;
    assert_int_equal(header % 8, 0);
    assert_int_equal(size, 8 + header + 9 * sizeof(float));
    static const char wanted[] =
        "{\"__metadata__\":{\"format\":\"test \\\"quoted\\\"\",\"empty\":\"\"},"
        "\"layers.0.weight\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
        "\"scalar \xC3\xA9\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[24,28]},"
        "\"nothing\":{\"dtype\":\"F32\",\"shape\":[4,0,5],\"data_offsets\":[28,28]},"
        "\"four\":{\"dtype\":\"F32\",\"shape\":[1,2,1,1],\"data_offsets\":[28,36]}}";
    assert_memory_equal(bytes + 8, wanted, sizeof wanted - 1);
    for (size_t i = sizeof wanted - 1; i < header; ++i)
        assert_int_equal(bytes[8 + i], ' ');
    static const unsigned char minus_two_and_a_half[] = {0, 0, 0x20, 0xC0};
    assert_memory_equal(bytes + 8 + header + 4, minus_two_and_a_half, 4);
}

static void another_reader_agrees(void **state)
{
    (void)state;
    if (system("python3 -c 'import safetensors' 2>/dev/null") != 0) {
        print_message("Python has no module safetensors: checked by hand only\n");
        skip();
    }
    static const char script[] =
        "import struct, sys, safetensors\n"
        "of = dict(safetensors.deserialize(open(sys.argv[1], 'rb').read()))\n"
        "assert len(of) == 4\n"
        "weight = of['layers.0.weight']\n"
        "assert weight['dtype'] == 'F32' and list(weight['shape']) == [2, 3]\n"
        "assert struct.unpack('<6f', bytes(weight['data'])) == (1, -2.5, 3, 4, 5, 6)\n"
        "assert list(of['nothing']['shape']) == [4, 0, 5]\n"
        "assert struct.unpack('<f', bytes(of['scalar \\u00e9']['data'])) == (7,)\n";
    char command[2048];
    file_path check = file_write("check.py", script, sizeof script - 1);
    snprintf(command, sizeof command, "python3 '%s' '%s'", check.text, small_file().text);
    assert_int_equal(system(command), 0);
}

/* A file of this header with `data_size` bytes after it that count up from 0. */
static file_path file_of(const char *header, size_t data_size)
{
    static unsigned char bytes[2048];
    size_t size = strlen(header);
    assert_true(8 + size + data_size <= sizeof bytes);
    memset(bytes, 0, 8);
    bytes[0] = (unsigned char)size;
    bytes[1] = (unsigned char)(size >> 8);
    memcpy(bytes + 8, header, size);
    for (size_t i = 0; i < data_size; ++i)
        bytes[8 + size + i] = (unsigned char)i;
    return file_write("given", bytes, 8 + size + data_size);
}

static void other_types_are_left_out_and_floats_aligned(void **state)
{
    (void)state;
    const char *header =
        "{\"last\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[11,15],\"more\":1},"
        "\"deep\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1],\"data_offsets\":[7,11]},"
        "\"bytes\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
        "\"first\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[3,7]},"
        "\"half\":{\"dtype\":\"F4\",\"shape\":[2],\"data_offsets\":[15,16]}} \n";
    glnn_safetensors *file;
    assert_int_equal(glnn_safetensors_read(file_of(header, 16).text, &file), GLNN_OK);
    assert_int_equal(glnn_safetensors_get_count(file), 2);
    assert_string_equal(glnn_safetensors_get_tensor(file, 0)->name, "first");
    assert_string_equal(glnn_safetensors_get_tensor(file, 1)->name, "last");
    for (int i = 0; i < 2; ++i) {
        const glnn_tensor *tensor = glnn_safetensors_get_tensor(file, i);
        unsigned char bytes[4];
        memcpy(bytes, tensor->data, 4);
        assert_int_equal((uintptr_t)tensor->data % sizeof(float), 0);
        assert_int_equal(bytes[0], i ? 11 : 3);
    }
    glnn_safetensors_free(file);
}

static void values_of_other_programs_are_skipped_and_texts_unescaped(void **state)
{
    (void)state;
    const char *header =
        "{\"__metadata__\" : {\"k\\u00e9\\ud83d\\ude00\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u20AC\"},\n"
        "\"a\":{\"x\":[1,-2.5e+3,true,false,null,\"s\",{},[]],\"y\":{\"z\":{\"dtype\":1}},"
        "\"dtype\":null,\"dtype\":\"F32\",\"shape\":[ 1 ],\"data_offsets\":[0 , 4]}}";
    glnn_safetensors *file;
    assert_int_equal(glnn_safetensors_read(file_of(header, 4).text, &file), GLNN_OK);
    assert_string_equal(glnn_safetensors_get_metadata(file, "k\xC3\xA9\xF0\x9F\x98\x80"),
                        "\"\\/\b\f\n\r\t\xE2\x82\xAC");
    assert_int_equal(glnn_safetensors_get_count(file), 1);
    assert_string_equal(glnn_safetensors_get_tensor(file, 0)->name, "a");
    glnn_safetensors_free(file);
}

static void every_character_of_a_text_comes_back(void **state)
{
    (void)state;
    char all[300];
    size_t used = 0;
    for (int c = 1; c < 128; ++c)
        all[used++] = (char)c;
    strcpy(all + used, "\xC3\xA9\xF0\x9F\x98\x80");
    const glnn_metadata text = {all, all};
    const file_path path = path_of("characters");
    glnn_safetensors *file;
    assert_int_equal(glnn_safetensors_write(path.text, NULL, 0, &text, 1), GLNN_OK);
    assert_int_equal(glnn_safetensors_read(path.text, &file), GLNN_OK);
    assert_string_equal(glnn_safetensors_get_metadata(file, all), all);
    glnn_safetensors_free(file);
}

#define ARRAY(name, type, shape, offsets)                                                          \
    "\"" name "\":{\"dtype\":\"" type "\",\"shape\":[" shape "],\"data_offsets\":[" offsets "]}"
static const struct {
    const char *header;
    size_t data_size;
    const char *part;
} damaged_headers[] = {
    {"", 0, "begin with '{'"},
    {" {}", 0, "begin with '{'"},
    {"[]", 0, "begin with '{'"},
    {"{", 0, "not JSON"},
    {"{}x", 0, "not JSON"},
    {"{\"__metadata__\":{},}", 0, "a name is expected"},
    {"{\"__metadata__\":{\"a\":\"1\" \"b\":\"2\"}}", 0, "',' or '}' is expected"},
    {"{\"a\nb\":{}}", 0, "not JSON"},
    {"{\"a\\qb\":{}}", 0, "not JSON"},
    {"{\"a\\u12G4\":{}}", 0, "four digits"},
    {"{\"a\\uD83Dx\":{}}", 0, "surrogate"},
    {"{\"a\":{\"more\":[1,nul]}}", 0, "a value is expected"},
    {"{\"\xFF\":1}", 0, "not JSON"},
    {"{}", 4, "4 bytes after the header"},
    {"{\"a\":1}", 0, "'a' has no dtype"},
    {"{\"a\":{}}", 0, "'a' has no dtype"},
    {"{\"__metadata__\":1}", 0, "not an object"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "'a' is not a text"},
    {"{" ARRAY("a", "F33", "1", "0,4") "}", 4, "dtype 'F33' is unknown"},
    {"{" ARRAY("a", "F32", "-1", "0,4") "}", 4, "size 0 is not a count"},
    {"{" ARRAY("a", "F32", "1.0", "0,4") "}", 4, "size 0 is not a count"},
    {"{" ARRAY("a", "F32", "99999999999999999999", "0,4") "}", 4, "size 0 is not a count"},
    {"{" ARRAY("a", "F32", "[1]", "0,4") "}", 4, "size 0 is not a count"},
    {"{" ARRAY("a", "F32", "1", "0,\"4\"") "}", 4, "are not two counts"},
    {"{" ARRAY("a", "F32", "4611686018427387904,4", "0,4") "}", 4, "is too large"},
    {"{" ARRAY("a", "F32", "1", "0") "}", 4, "are not two counts"},
    {"{" ARRAY("a", "F32", "1", "0,4,8") "}", 4, "are not two counts"},
    {"{" ARRAY("a", "F32", "1", "-4,0") "}", 4, "are not two counts"},
    {"{" ARRAY("a", "F32", "1", "4,0") "}", 4, "offsets 4 to 0 do not ascend"},
    {"{" ARRAY("a", "F32", "1", "4,8") "}", 4,
     "ends 8 bytes after the header, but the file has only 4"},
    {"{" ARRAY("a", "F32", "2", "0,4") "}", 4,
     "its shape needs 64 bits of F32, but the offsets 0 to 4 hold 4"},
    {"{" ARRAY("a", "F4", "1", "0,1") "}", 1, "needs 4 bits of F4"},
    {"{" ARRAY("a", "F32", "1", "4,8") "}", 8, "leaves a gap"},
    {"{" ARRAY("a", "F32", "1", "0,4") "}", 8, "arrays end at 4"},
    {"{" ARRAY("a", "F32", "1", "0,4") "," ARRAY("b", "F32", "1", "0,4") "}", 4, "overlaps"},
    {"{" ARRAY("a", "F32", "1", "0,4") "," ARRAY("b", "F32", "1", "8,12") "}", 12, "gap"},
    {"{" ARRAY("a", "F32", "1", "0,4") "," ARRAY("a", "F32", "1", "4,8") "}", 8,
     "two arrays have the name 'a'"},
    {"{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0, "have the key 'a'"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0, "__metadata__ is given twice"},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0, "'a' has dtype twice"},
    {"{\"__metadata__\":{\"a\":\"\\u0000\"}}", 0, "zero character"},
    {"{\"__metadata__\":{\"\\uDC00\":\"\"}}", 0, "surrogate"},
    {"{\"\xC0\x80\":{}}", 0, "not JSON"},
    {"{\"\xED\xA0\x80\":{}}", 0, "not JSON"},
    {"{\"\xF4\x90\x80\x80\":{}}", 0, "not JSON"},
    {"{\"\xE2\x82\":{}}", 0, "not JSON"},
};
#undef ARRAY

static void damaged_headers_are_explained(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damaged_headers / sizeof *damaged_headers; ++i) {
        file_path path = file_of(damaged_headers[i].header, damaged_headers[i].data_size);
        assert_fails(reader(path.text), GLNN_E_FORMAT, damaged_headers[i].part);
        assert_non_null(strstr(glnn_last_error(), path.text));
    }
}

static void a_header_longer_than_the_file_shows_another_kind_of_file(void **state)
{
    (void)state;
    static const char table[] = "sepal_length,species\n5.1,setosa\n";
    unsigned char bytes[10] = {3, 0, 0, 0, 0, 0, 0, 0, '{', '}'};
    assert_fails(reader(file_write("table.csv", table, sizeof table - 1).text), GLNN_E_FORMAT,
                 "not a safetensors file");
    assert_fails(reader(file_write("huge", bytes, 10).text), GLNN_E_FORMAT, "3 bytes");
    memset(bytes, 0xFF, 8);
    assert_fails(reader(file_write("huge", bytes, 10).text), GLNN_E_FORMAT, "18446744073709551615");
}

static void headers_past_the_format_s_limit_are_refused(void **state)
{
    (void)state;
    const unsigned char bytes[9] = {1, 0xE1, 0xF5, 5, 0, 0, 0, 0, '{'};
    const file_path path = file_write("huge", bytes, sizeof bytes);
    assert_int_equal(truncate(path.text, 8 + 100000001), 0);
    assert_fails(reader(path.text), GLNN_E_LIMIT, "100000001");
}

/* Each level is one more list. */
static void values_nested_without_end_are_refused(void **state)
{
    (void)state;
    enum { DEPTH = 300 };
    char header[DEPTH + 16] = "{\"a\":{\"x\":";
    memset(header + strlen(header), '[', DEPTH);
    assert_fails(reader(file_of(header, 0).text), GLNN_E_FORMAT, "nested more than 64 deep");
}

static void truncated_small_files_are_refused(void **state)
{
    (void)state;
    assert_truncations_fail(reader, small_file().text);
}

static void flipped_bits_never_crash(void **state)
{
    (void)state;
    assert_true(refused_flips(reader, small_file().text) > 0);
}

static void null_arguments_are_refused(void **state)
{
    (void)state;
    glnn_safetensors *file;
    assert_fails(glnn_safetensors_read(NULL, &file), GLNN_E_ARG, "path");
    assert_fails(glnn_safetensors_read("x", NULL), GLNN_E_ARG, "out");
    glnn_safetensors_free(NULL);
    assert_int_equal(glnn_safetensors_get_count(NULL), 0);
    assert_null(glnn_safetensors_get_tensor(NULL, 0));
    assert_null(glnn_safetensors_find_tensor(NULL, "x"));
    assert_null(glnn_safetensors_get_metadata(NULL, "x"));
}

static void nonsense_is_not_written(void **state)
{
    (void)state;
    file_path path = path_of("nonsense");
    const struct {
        glnn_tensor tensor;
        glnn_status status;
        const char *part;
    } cases[] = {
        {{NULL, 0, {0}, scalar}, GLNN_E_ARG, "'' cannot be the name"},
        {{"", 0, {0}, scalar}, GLNN_E_ARG, "'' cannot be the name"},
        {{"__metadata__", 0, {0}, scalar}, GLNN_E_ARG, "'__metadata__'"},
        {{"\xFF", 0, {0}, scalar}, GLNN_E_ARG, "UTF-8"},
        {{"a", 0, {0}, NULL}, GLNN_E_ARG, "data of array 'a' is null"},
        {{"a", 5, {0}, scalar}, GLNN_E_ARG, "5 dimensions"},
        {{"a", -1, {0}, scalar}, GLNN_E_ARG, "-1 dimensions"},
        {{"a", 2, {SIZE_MAX, 2}, scalar}, GLNN_E_LIMIT, "'a'"},
        {{"a", 2, {0, SIZE_MAX}, scalar}, GLNN_E_LIMIT, "'a'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        assert_fails(glnn_safetensors_write(path.text, &cases[i].tensor, 1, NULL, 0),
                     cases[i].status, cases[i].part);
    const glnn_tensor twice[] = {tensors[0], tensors[0]};
    assert_fails(glnn_safetensors_write(path.text, twice, 2, NULL, 0), GLNN_E_ARG, "two arrays");
    const glnn_metadata same[] = {metadata[0], metadata[0]}, odd[] = {{NULL, "x"}, {"x", NULL}};
    const glnn_metadata binary = {"x", "\x80"};
    assert_fails(glnn_safetensors_write(path.text, NULL, 0, same, 2), GLNN_E_ARG, "have the key");
    assert_fails(glnn_safetensors_write(path.text, NULL, 0, odd, 1), GLNN_E_ARG, "metadata 0");
    assert_fails(glnn_safetensors_write(path.text, NULL, 0, odd + 1, 1), GLNN_E_ARG, "metadata 0");
    assert_fails(glnn_safetensors_write(path.text, NULL, 0, &binary, 1), GLNN_E_ARG, "UTF-8");
    assert_fails(glnn_safetensors_write(NULL, tensors, 1, NULL, 0), GLNN_E_ARG, "path");
    assert_fails(glnn_safetensors_write(path.text, NULL, 1, NULL, 0), GLNN_E_ARG, "tensors");
    assert_fails(glnn_safetensors_write(path.text, NULL, 0, NULL, 1), GLNN_E_ARG, "metadata");
    assert_fails(glnn_safetensors_write(path.text, NULL, -1, NULL, 0), GLNN_E_ARG,
                 "`count` is -1 and `metadata_count` is 0");
    assert_int_not_equal(access(path.text, F_OK), 0);
}

static const file_format format = {reader, writer};

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_and_texts_come_back),
        cmocka_unit_test(every_bit_of_a_float_is_kept),
        cmocka_unit_test(nothing_at_all_is_a_file),
        cmocka_unit_test(bytes_are_those_of_the_published_format),
        cmocka_unit_test(another_reader_agrees),
        cmocka_unit_test(other_types_are_left_out_and_floats_aligned),
        cmocka_unit_test(values_of_other_programs_are_skipped_and_texts_unescaped),
        cmocka_unit_test(every_character_of_a_text_comes_back),
        cmocka_unit_test(damaged_headers_are_explained),
        cmocka_unit_test(a_header_longer_than_the_file_shows_another_kind_of_file),
        cmocka_unit_test(headers_past_the_format_s_limit_are_refused),
        cmocka_unit_test(values_nested_without_end_are_refused),
        cmocka_unit_test(truncated_small_files_are_refused),
        FILE_TESTS(format),
        cmocka_unit_test(flipped_bits_never_crash),
        cmocka_unit_test(null_arguments_are_refused),
        cmocka_unit_test(nonsense_is_not_written),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
