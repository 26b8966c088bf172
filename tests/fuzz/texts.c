/* Texts of programs: names and values of fields, and GLSL. */
#include "target.h"

#include <glnn/fields.h>
#include <glnn/gmm.h>
#include <glnn/kernel.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>
#include <glnn/network.h>
#include <glnn/svm.h>
#include <glnn/train.h>

#include "pass/unroll.h"

/* Cuts the text after its first line, and returns the rest. */
static char *cut_line(char *text)
{
    char *end = text + strcspn(text, "\n");
    if (*end)
        *end++ = 0;
    return end;
}

static char *text_of(const unsigned char *bytes, size_t size)
{
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    memcpy(text, bytes, size);
    return text;
}

/* ---- Fields: the number of a description, a name, a line break and a text */

/* Room for each of the descriptions. */
typedef union descriptions {
    glnn_network_desc network;
    glnn_lvq_desc lvq;
    glnn_kmeans_desc kmeans;
    glnn_gmm_desc gmm;
    glnn_svm_desc svm;
    glnn_train_desc train;
} descriptions;

static void set_field(glnn_description description, const char *name, const char *text)
{
    descriptions desc, again;
    char value[64], copy[64];
    memset(&desc, 0, sizeof desc);
    memset(&again, 0, sizeof again);
    const glnn_status status = glnn_field_set(description, &desc, name, text);
    fuzz_expect_sentence(status);
    if (status)
        return;
    /* The text of a value gives the same value. */
    expect_ok(glnn_field_get(description, &desc, name, value, sizeof value));
    expect_ok(glnn_field_set(description, &again, name, value));
    expect_ok(glnn_field_get(description, &again, name, copy, sizeof copy));
    assert_string_equal(value, copy);
}

void fuzz_run_fields(const unsigned char *bytes, size_t size)
{
    char *name = text_of(bytes, size), *text = cut_line(name);
    if (*name)
        set_field((glnn_description)(*name - '0'), name + 1, text);
    free(name);
}

void fuzz_seed_fields(void)
{
    static const char *const seeds[] = {
        "0label_smoothing\n0.1", "1kind\nconvolution",    "1units\n12",   "1padding[0]\n2",
        "3kind\nadam",           "3momentum\n9e-1",       "4kind\ngmlvq", "4seed\n12345678901",
        "5tolerance\n-1",        "6covariance\ndiagonal", "7loss\nhinge", "8restore_best\ntrue"};
    for (size_t i = 0; i < COUNT_OF(seeds); ++i)
        fuzz_seed_text(seeds[i]);
}

/* ---- Kernels of programs: a name, an operand and a uniform, each with a line break, and GLSL */

void fuzz_run_kernel(const unsigned char *bytes, size_t size)
{
    char *name = text_of(bytes, size), *operand = cut_line(name), *uniform = cut_line(operand);
    glnn_kernel_desc desc = {.name = name, .operands = {operand}, .uniforms = {uniform}};
    glnn_kernel *kernel = NULL;
    desc.source = cut_line(uniform);
    const glnn_status status = glnn_kernel_create(glnn_test_context(), &desc, &kernel);
    fuzz_expect_sentence(status);
    assert_true((status == GLNN_OK) == (kernel != NULL));
    glnn_kernel_destroy(kernel);
    free(name);
}

void fuzz_seed_kernel(void)
{
    fuzz_seed_text("twice\nX\nfloat factor\n/* the element */ float element(int row, int column)\n"
                   "{ return factor * X_at(row, column); } // twice\n");
    fuzz_seed_text("n\nX\nint u\n#define A(x) \\\n (x)\n#if 1\nfloat element(int row, int column) "
                   "{ return A(X_at(row, column)); }\n#endif\n");
    fuzz_seed_text("n\nX\nu\n#version 430\n");
    fuzz_seed_text("n\nX\nu\n# line 3\n@");
}

/* ---- Loops of GLSL */

void fuzz_run_glsl(const unsigned char *bytes, size_t size)
{
    glnn__growing_text out = {0};
    char *shader = text_of(bytes, size);
    glnn__unroll(shader, &out);
    free(out.text);
    free(shader);
}

void fuzz_seed_glsl(void)
{
    fuzz_seed_text(
        "#define ROWS 3 // of a block\nfor (int r = 0; r < ROWS; ++r) {\n  a[r] = 1;\n}\n");
    fuzz_seed_text("for (int i = 0; i < 2; ++i)\n  for (int j = 0; j < 1; ++j)\n    a += b[j];\n");
    fuzz_seed_text("/* c */ #line 7\nfor (int i = 0; i < 4; ++i) { if (i > 2) break; x(); }\n");
}
