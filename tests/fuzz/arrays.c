/* Files of arrays: IDX, .npy and safetensors. */
#include "target.h"

#include <glnn/idx.h>
#include <glnn/npy.h>
#include <glnn/safetensors.h>

/* ---- IDX, compressed or not */

static void use_idx(const glnn_idx *idx)
{
    float *floats = malloc(idx->elements * sizeof *floats);
    int *labels = malloc(idx->elements * sizeof *labels);
    assert_true(floats && labels);
    fuzz_expect_sentence(glnn_idx_get_floats(idx, 1.0f / 255, floats));
    fuzz_expect_sentence(glnn_idx_get_labels(idx, 10, labels));
    free(labels);
    free(floats);
}

void fuzz_run_idx(const unsigned char *bytes, size_t size)
{
    glnn_idx idx = {.size = sizeof idx};
    const glnn_status status = glnn_idx_read(fuzz_file("input", bytes, size), &idx);
    fuzz_expect_sentence(status);
    assert_true((status == GLNN_OK) == (idx.data != NULL));
    if (!status)
        use_idx(&idx);
    glnn_idx_free(&idx);
}

void fuzz_seed_idx(void)
{
    static const glnn_idx_type types[] = {GLNN_IDX_UINT8, GLNN_IDX_INT8,    GLNN_IDX_INT16,
                                          GLNN_IDX_INT32, GLNN_IDX_FLOAT32, GLNN_IDX_FLOAT64};
    unsigned char elements[96] = {0};
    for (size_t i = 0; i < sizeof elements; ++i)
        elements[i] = (unsigned char)(i % 5);
    for (size_t i = 0; i < 2 * COUNT_OF(types); ++i) {
        const glnn_idx idx = {.size = sizeof idx,
                              .type = types[i / 2],
                              .dimensions = 1 + (int)(i % 4),
                              .shape = {i % 4 ? 2 : 12, 3, 2, 1},
                              .data = elements};
        const char *path = i % 2 ? fuzz_path("packed.gz") : fuzz_seed_path();
        expect_ok(glnn_idx_write(path, &idx));
        if (i % 2) {
            size_t size;
            unsigned char *packed = tree_read(path, &size);
            fuzz_seed(packed, size);
            free(packed);
        }
    }
}

/* ---- .npy */

static void use_npy(const glnn_npy *npy)
{
    const size_t elements = npy->rows * npy->columns;
    float *floats = malloc(elements * sizeof *floats + 1);
    int *labels = malloc(elements * sizeof *labels + 1);
    assert_true(floats && labels);
    fuzz_expect_sentence(glnn_npy_get_floats(npy, 2, floats));
    fuzz_expect_sentence(glnn_npy_get_labels(npy, 10, labels));
    free(labels);
    free(floats);
}

void fuzz_run_npy(const unsigned char *bytes, size_t size)
{
    glnn_npy npy = {.size = sizeof npy};
    const glnn_status status = glnn_npy_read(fuzz_file("input", bytes, size), &npy);
    fuzz_expect_sentence(status);
    assert_true(!status || !npy.data);
    if (!status)
        use_npy(&npy);
    glnn_npy_free(&npy);
}

/* A file of version `version` with this dictionary and 24 bytes of elements. */
static void seed_npy(int version, const char *dictionary)
{
    unsigned char bytes[256] = "\x93NUMPY";
    const size_t length = strlen(dictionary), start = version == 1 ? 10 : 12;
    bytes[6] = (unsigned char)version;
    fuzz_put_low_first(bytes + 8, length, version == 1 ? 2 : 4);
    memcpy(bytes + start, dictionary, length);
    fuzz_seed(bytes, start + length + 24);
}

void fuzz_seed_npy(void)
{
    const float values[6] = {1, 2, 3, 4, 5, 6};
    expect_ok(glnn_npy_write(fuzz_seed_path(), 2, 3, values, 0));
    seed_npy(1, "{'descr': '>i8', 'fortran_order': False, 'shape': (3,), }\n");
    seed_npy(1, "{'descr': '|b1', 'fortran_order': True, 'shape': (2, 3, 4), }\n");
    seed_npy(2, "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 1), }\n");
    seed_npy(3, "{\"shape\": (2, 6), 'descr': '>u2', 'fortran_order': True}\n");
    seed_npy(1, "{'descr': '<u4', 'fortran_order': False, 'shape': (6, 1), }\n");
}

/* ---- safetensors */

void fuzz_run_safetensors(const unsigned char *bytes, size_t size)
{
    glnn_safetensors *file = NULL;
    const glnn_status status = glnn_safetensors_read(fuzz_file("input", bytes, size), &file);
    fuzz_expect_sentence(status);
    assert_true((status == GLNN_OK) == (file != NULL));
    for (int i = 0; i < glnn_safetensors_get_count(file); ++i) {
        const glnn_tensor *tensor = glnn_safetensors_get_tensor(file, i);
        size_t elements = 1;
        for (int d = 0; d < tensor->dimensions; ++d)
            elements *= tensor->shape[d];
        fuzz_touch(tensor->data, elements);
        assert_ptr_equal(glnn_safetensors_find_tensor(file, tensor->name), tensor);
    }
    glnn_safetensors_get_metadata(file, "format");
    glnn_safetensors_free(file);
}

/* The length of the header. Files of less than 2^16 bytes end their header with a brace, after
 * which there may be blanks and then come the arrays. */
void fuzz_repair_safetensors(unsigned char *bytes, size_t size)
{
    size_t end = 8;
    int depth = 0;
    bool is_text = false;
    for (size_t i = 8; i < size; ++i) {
        is_text ^= bytes[i] == '"' && bytes[i - 1] != '\\';
        depth += !is_text && bytes[i] == '{';
        depth -= !is_text && bytes[i] == '}';
        if (!is_text && bytes[i] == '}' && depth <= 0) {
            end = i + 1;
            break;
        }
    }
    while (end > 8 && end < size && bytes[end] == ' ')
        ++end;
    if (end > 8)
        fuzz_put_low_first(bytes, end - 8, 8);
}

/* A header and zeros for its arrays. */
static void seed_header(const char *header, size_t data)
{
    unsigned char bytes[512] = {0};
    const size_t length = strlen(header);
    fuzz_put_low_first(bytes, length, 8);
    memcpy(bytes + 8, header, length);
    fuzz_seed(bytes, 8 + length + data);
}

void fuzz_seed_safetensors(void)
{
    const float values[6] = {1, 2, 3, 4, 5, 6};
    const glnn_tensor tensors[] = {{"a", 2, {2, 3}, values}, {"b.c", 0, {0}, values}};
    const glnn_metadata texts[] = {{"format", "pt"}, {"k\n\"\\", "\xc3\xa4 \x01"}};
    expect_ok(glnn_safetensors_write(fuzz_seed_path(), tensors, 2, texts, 2));
    expect_ok(glnn_safetensors_write(fuzz_seed_path(), NULL, 0, NULL, 0));
    seed_header("{\"h\":{\"dtype\":\"F16\",\"shape\":[2,1],\"data_offsets\":[0,4]},"
                "\"b\":{\"dtype\":\"BF16\",\"shape\":[3],\"data_offsets\":[4,10]}}",
                10);
    seed_header("{\"i\":{\"data_offsets\":[0,8],\"dtype\":\"I64\",\"shape\":[1],\"x\":[1e3,null,"
                "{\"y\":true}]},\"__metadata__\":{\"\\u00e4\\ud83c\\udf33\":\"\\/\"}}  ",
                8);
}
