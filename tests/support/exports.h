/* Exports, compiled and called: C files, and GLSL in a kernel. */
#ifndef TESTS_EXPORTS_H
#define TESTS_EXPORTS_H

#include "learner_files.h"

#include <glnn/export.h>

/* The functions of a file; a second one can be open at the same time. */
typedef struct exported {
    void *library;
    void (*predict)(const float *input, float *output);
    int (*classify)(const float *input);
    int (*encode)(const char *const *field, float *input); /* NULL: there is none */
    const char *const *classes;                            /* NULL: there are none */
    int features, outputs;                                 /* by the file's macros */
} exported;

/* Compiles a file as C99, without any warning, together with one that includes its declarations.
 * Closed by release_exports(). */
exported export_open(const char *path, const char *name);
void release_exports(void);

/* The teardown of tests that open files, and their entry in a table. */
int export_teardown(void **state);
#define EXPORT_TEST(function) cmocka_unit_test_teardown(function, export_teardown)

/* The outputs and classes that a learner predicts for EXPORT_SAMPLES samples. */
enum { EXPORT_SAMPLES = 40 };
typedef struct predicted {
    float *outputs;
    int classes[EXPORT_SAMPLES];
} predicted;

predicted predicted_by_network(glnn_learner *network, const float *inputs);
predicted predicted_by_lvq(glnn_learner *lvq, const float *inputs);
predicted predicted_by_kmeans(glnn_learner *kmeans, const float *inputs);

/* A network whose biases and statistics are not as they start: all numbers are moved a little. A
 * training would do that too, but its programs take far longer to compile than those of outputs. */
glnn_learner *exported_network(const glnn_network_desc *desc);

/* Outputs of a sample are equal to 1e-5, relative to those above 1, and the class is equal. */
void expect_same_sample(int sample, int outputs, const float *got, const float *wanted,
                        int got_class, int wanted_class, const char *what);

/* The file gives all samples the same outputs and classes. */
void expect_same_outputs(const exported *of, int count, const float *inputs, const float *outputs,
                         const int *classes, const char *what);

/* The network as GLSL gives them too. Each call uses another name, and adds the text to those of
 * all_shaders_are_accepted. `features` are those of a raw sample. */
void expect_same_shader(glnn_learner *network, int features, const float *inputs,
                        const predicted *wanted, const char *what);

/* A test: glslangValidator accepts a shader of all texts, as GLSL 4.30 and as GLSL ES 3.00. */
void all_shaders_are_accepted(void **state);

#endif
