#include "exports.h"

#include <glnn/kernel.h>

/* The network is called n0, n1 and so on. */
static int networks;

/* A kernel of the text: the outputs of a sample, and its class in one more column. */
static void add_element(int number, char *text, size_t room)
{
    const size_t size = strlen(text);
    snprintf(text + size, room - size,
             "float element(int row, int column)\n"
             "{\n"
             "    float inputs[N%d_FEATURES], outputs[N%d_OUTPUTS];\n"
             "    for (int i = 0; i < N%d_FEATURES; ++i)\n"
             "        inputs[i] = X_at(row, i);\n"
             "    if (column >= N%d_OUTPUTS)\n"
             "        return float(n%d_classify(inputs));\n"
             "    n%d_predict(inputs, outputs);\n"
             "    return outputs[column];\n"
             "}\n",
             number, number, number, number, number, number);
}

/* The results of the kernel for all samples. */
static const float *run(const char *text, int features, int outputs, const float *inputs)
{
    glnn_kernel *kernel;
    glnn_matrix *x =
        matrix_of(array_of_floats(EXPORT_SAMPLES, features, inputs), GLNN_LAYOUT_UNPACKED);
    glnn_matrix *results = matrix_zero(EXPORT_SAMPLES, outputs + 1, GLNN_LAYOUT_UNPACKED);
    expect_ok(glnn_kernel_create(glnn_test_context(),
                                 &(glnn_kernel_desc){.source = text, .operands = {"X"}}, &kernel));
    expect_ok(
        glnn_kernel_run(kernel, &(glnn_kernel_run_desc){.operands = {{.matrix = x}}}, results));
    glnn_kernel_destroy(kernel);
    return floats_of(values_of(results));
}

/* Adds the text, and code that calls it, to the shader of all texts. */
static void join(const char *text, int number)
{
    FILE *all = fopen(path_of("all.glsl").text, "a");
    assert_non_null(all);
    fprintf(all,
            "%s\n"
            "float use_n%d(float number)\n"
            "{\n"
            "    float inputs[N%d_FEATURES], outputs[N%d_OUTPUTS];\n"
            "    inputs[N%d_FEATURES - 1] = number;\n"
            "    n%d_predict(inputs, outputs);\n"
            "    return outputs[N%d_OUTPUTS - 1] + float(n%d_classify(inputs));\n"
            "}\n\n",
            text, number, number, number, number, number, number, number);
    assert_int_equal(fclose(all), 0);
}

void expect_same_shader(glnn_learner *network, int features, const float *inputs,
                        const predicted *wanted, const char *what)
{
    static char text[GLNN_EXPORT_MAX_GLSL + 1024];
    char name[16], title[128];
    const file_path path = path_of("net.glsl");
    const int outputs = glnn_learner_get_outputs(network), number = networks++;
    snprintf(name, sizeof name, "n%d", number);
    snprintf(title, sizeof title, "%s in GLSL", what);
    expect_ok(glnn_network_export_glsl(network, path.text, name));
    text[file_read(path.text, text, GLNN_EXPORT_MAX_GLSL)] = '\0';
    join(text, number);
    add_element(number, text, sizeof text);
    const float *results = run(text, features, outputs, inputs);
    for (int i = 0; i < EXPORT_SAMPLES; ++i) {
        const float *got = results + (ptrdiff_t)i * (outputs + 1);
        expect_same_sample(i, outputs, got, wanted->outputs + (ptrdiff_t)i * outputs,
                           (int)got[outputs], wanted->classes[i], title);
    }
}

/* Writes a shader of all texts for the validator, which knows its stage by the name. */
static file_path write_shader(const char *name, const char *version)
{
    char command[3 * sizeof(file_path)];
    const file_path path = path_of(name);
    snprintf(command, sizeof command, "(echo '#version %s'; cat %s; echo 'void main() { }') >%s",
             version, path_of("all.glsl").text, path.text);
    assert_int_equal(system(command), 0);
    return path;
}

void all_shaders_are_accepted(void **state)
{
    char command[3 * sizeof(file_path)];
    (void)state;
    assert_true(networks > 0);
    const file_path desktop = write_shader("desktop.frag", "430 core"),
                    es = write_shader("es.frag", "300 es");
    snprintf(command, sizeof command, "glslangValidator %s %s >&2", desktop.text, es.text);
    assert_int_equal(system(command), 0);
}
