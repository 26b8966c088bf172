#include "exports.h"

#include <ctype.h>
#include <dlfcn.h>

#define WARNINGS "-Wall -Wextra -pedantic -Wshadow -Wconversion -Wdouble-promotion -Werror"

enum { MOST = 32 };
static void *opened[MOST];
static int opened_count;

void release_exports(void)
{
    while (opened_count > 0)
        dlclose(opened[--opened_count]);
}

int export_teardown(void **state)
{
    release_exports();
    return learning_teardown(state);
}

static void *symbol_of(void *library, const char *name, const char *suffix)
{
    char text[96];
    snprintf(text, sizeof text, "%s%s", name, suffix);
    void *symbol = dlsym(library, text);
    if (!symbol)
        fail_msg("%s", dlerror());
    return symbol;
}

/* A file that uses the declarations alone. */
static file_path write_user(const char *path, const char *name)
{
    char upper[64] = "", text[2048];
    for (size_t i = 0; name[i]; ++i)
        upper[i] = (char)toupper((unsigned char)name[i]);
    snprintf(text, sizeof text,
             "#define %s_DECLARATIONS_ONLY\n"
             "#include \"%s\"\n"
             "extern const int %s_sizes[2];\n"
             "const int %s_sizes[2] = {%s_FEATURES, %s_OUTPUTS};\n"
             "int %s_use(const float *input, float *output);\n"
             "int %s_use(const float *input, float *output)\n"
             "{\n"
             "    %s_predict(input, output);\n"
             "    return %s_classify(input);\n"
             "}\n",
             upper, path, name, name, upper, upper, name, name, name, name);
    return file_write("user.c", text, strlen(text));
}

exported export_open(const char *path, const char *name)
{
    static int count;
    char command[4096], library[32];
    const char *compiler = getenv("CC");
    const file_path user = write_user(path, name);
    snprintf(library, sizeof library, "export%d.so", count++);
    const file_path out = path_of(library);
    snprintf(command, sizeof command, "%s -std=c99 " WARNINGS " -O0 -shared -fPIC -o %s %s %s -lm",
             compiler ? compiler : "cc", out.text, path, user.text);
    if (system(command) != 0)
        fail_msg("does not compile: %s", command);
    assert_true(opened_count < MOST);
    exported of = {.library = dlopen(out.text, RTLD_NOW | RTLD_LOCAL)};
    if (!of.library)
        fail_msg("%s", dlerror());
    opened[opened_count++] = of.library;
    *(void **)&of.predict = symbol_of(of.library, name, "_predict");
    *(void **)&of.classify = symbol_of(of.library, name, "_classify");
    snprintf(library, sizeof library, "%.20s_encode", name);
    *(void **)&of.encode = dlsym(of.library, library);
    snprintf(library, sizeof library, "%.20s_classes", name);
    of.classes = dlsym(of.library, library);
    const int *sizes = symbol_of(of.library, name, "_sizes");
    of.features = sizes[0];
    of.outputs = sizes[1];
    return of;
}

static bool is_near(float got, float wanted)
{
    return got == wanted || fabsf(got - wanted) <= 1e-5f * fmaxf(1, fabsf(wanted));
}

void expect_same_sample(int sample, int outputs, const float *got, const float *wanted,
                        int got_class, int wanted_class, const char *what)
{
    for (int j = 0; j < outputs; ++j)
        if (!is_near(got[j], wanted[j]))
            fail_msg("%s: output %d of sample %d is %.9g instead of %.9g", what, j, sample,
                     (double)got[j], (double)wanted[j]);
    if (got_class != wanted_class)
        fail_msg("%s: sample %d is of class %d instead of %d", what, sample, got_class,
                 wanted_class);
}

void expect_same_outputs(const exported *of, int count, const float *inputs, const float *outputs,
                         const int *classes, const char *what)
{
    float *found = floats_new((size_t)of->outputs);
    for (int i = 0; i < count; ++i) {
        const float *input = inputs + (ptrdiff_t)i * of->features;
        of->predict(input, found);
        expect_same_sample(i, of->outputs, found, outputs + (ptrdiff_t)i * of->outputs,
                           of->classify(input), classes[i], what);
    }
}

static predicted room_for(int outputs)
{
    return (predicted){.outputs = floats_new((size_t)(EXPORT_SAMPLES * outputs))};
}

predicted predicted_by_network(glnn_learner *network, const float *inputs)
{
    predicted of = room_for(glnn_learner_get_outputs(network));
    expect_ok(glnn_learner_predict(network, EXPORT_SAMPLES, inputs, of.outputs, of.classes));
    return of;
}

predicted predicted_by_lvq(glnn_learner *lvq, const float *inputs)
{
    predicted of = room_for(glnn_learner_get_outputs(lvq));
    expect_ok(glnn_learner_predict(lvq, EXPORT_SAMPLES, inputs, of.outputs, of.classes));
    return of;
}

predicted predicted_by_kmeans(glnn_learner *kmeans, const float *inputs)
{
    predicted of = room_for(glnn_learner_get_outputs(kmeans));
    expect_ok(glnn_learner_predict(kmeans, EXPORT_SAMPLES, inputs, of.outputs, of.classes));
    return of;
}

glnn_learner *exported_network(const glnn_network_desc *desc)
{
    glnn_learner *network = network_of(desc);
    glnn_tensor_info info = {.size = sizeof info};
    for (int i = 0; i < glnn_learner_get_tensor_count(network); ++i) {
        expect_ok(glnn_learner_get_tensor_info(network, i, &info));
        const array moves = array_random(1, (int)info.count, -0.25, 0.25);
        float *values = floats_new(info.count);
        expect_ok(read_tensor(network, info.name, values));
        for (size_t k = 0; k < info.count; ++k)
            values[k] += (float)moves.data[k];
        expect_ok(write_tensor(network, info.name, values));
    }
    return network;
}
