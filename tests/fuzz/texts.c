/* Texts of programs: names and values of fields, and GLSL. */
#include "target.h"

#include <glnn/fields.h>
#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>
#include <glnn/network.h>
#include <glnn/svm.h>
#include <glnn/train.h>

#include "pass/unroll.h"

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
    char *name = calloc(size + 2, 1);
    assert_non_null(name);
    memcpy(name, bytes, size);
    char *text = strchr(name, '\n');
    if (text)
        *text++ = 0;
    if (*name)
        set_field((glnn_description)(*name - '0'), name + 1, text ? text : "");
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

/* ---- GLSL */

void fuzz_run_glsl(const unsigned char *bytes, size_t size)
{
    glnn__growing_text out = {0};
    char *shader = calloc(size + 1, 1);
    assert_non_null(shader);
    memcpy(shader, bytes, size);
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
