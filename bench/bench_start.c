/* bench_start - time from the start of a process to its first result, with caches of compiled
 * programs cold and warm. Each measurement is a process of its own. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "common/failure.h"
#include "common/folder.h"
#include "common/race.h"

enum { RUNS = 5, SIDE = 256 };

/* The child reports seconds since its start, and at the end a count. */
enum { CONTEXT, PRODUCT, STEP, COMPILED, FIGURES };

static const char *const names[FIGURES] = {"context", "product 256", "training step"};

static const column columns[] = {
    {"caches", 6, true},   {"until", 18, true},    {"median_ms", 10, false},
    {"low_ms", 10, false}, {"high_ms", 10, false}, {"programs_compiled", 17, false},
};

/* ---- The process that is measured */

static void first_product(glnn_context *ctx, float *out)
{
    glnn_matrix *m[3];
    float *values = random_floats((size_t)SIDE * SIDE, -1, 1);
    for (int i = 0; i < 3; ++i)
        CHECK(glnn_matrix_create(
            ctx, &(glnn_matrix_desc){.rows = SIDE, .columns = SIDE, .data = values}, &m[i]));
    CHECK(glnn_gemm(ctx, NULL, 1, m[0], m[1], 0, m[2]));
    CHECK(glnn_matrix_download(ctx, m[2], NULL, out, 0));
    for (int i = 0; i < 3; ++i)
        glnn_matrix_destroy(m[i]);
    free(values);
}

static void first_step(bench *b)
{
    const net_case of = {784, 256, 10, 128, true, 0};
    float biases[256];
    glnn_dataset *samples;
    net_data data = net_data_new(&of);
    glnn_learner *network = race_network(b, &of, TILED);
    CHECK(glnn_dataset_create(b->ctx,
                              &(glnn_dataset_desc){.samples = of.batch,
                                                   .features = of.inputs,
                                                   .inputs = data.inputs,
                                                   .labels = data.labels,
                                                   .classes = of.outputs},
                              &samples));
    CHECK(glnn_learner_train(network, samples, &(glnn_train_desc){.epochs = 1, .batch = of.batch},
                             NULL));
    CHECK(glnn_learner_get_tensor(network, "0.bias", 256, biases));
    glnn_dataset_destroy(samples);
    glnn_learner_destroy(network);
    net_data_free(&data);
}

static int judge_product(const float *out)
{
    glnn__problem p;
    CHECK(
        glnn__problem_create(glnn__operation_get("gemm_nn"), (glnn__sizes){SIDE, SIDE, SIDE}, &p));
    const size_t bytes = (size_t)SIDE * SIDE * sizeof *out;
    float *values = random_floats((size_t)SIDE * SIDE, -1, 1);
    memcpy(p.operand[0].data, values, bytes);
    memcpy(p.operand[1].data, values, bytes);
    memcpy(p.out.data, out, bytes);
    double worst;
    CHECK(glnn__problem_error(&p, GLNN_STORAGE_FLOAT32, &worst));
    glnn__problem_free(&p);
    free(values);
    return worst <= 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int child(int device, double started)
{
    static float out[SIDE * SIDE];
    double figures[FIGURES];
    glnn_counters counters = {.size = sizeof counters};
    bench b = {.device = device};
    CHECK(glnn_context_create(&(glnn_context_desc){.device = device}, &b.ctx));
    figures[CONTEXT] = glnn__clock_seconds() - started;
    first_product(b.ctx, out);
    figures[PRODUCT] = glnn__clock_seconds() - started;
    first_step(&b);
    figures[STEP] = glnn__clock_seconds() - started;
    CHECK(glnn_context_get_counters(b.ctx, &counters));
    figures[COMPILED] = (double)counters.programs_compiled;
    for (int i = 0; i < FIGURES; ++i)
        printf("%.9f\n", figures[i]);
    glnn_context_destroy(b.ctx);
    return judge_product(out);
}

/* ---- The process that measures */

/* Where the library and the drivers known to keep compiled programs keep them. */
static void set_caches(const char *folder)
{
    static const char *const variables[] = {"XDG_CACHE_HOME", "MESA_SHADER_CACHE_DIR",
                                            "__GL_SHADER_DISK_CACHE_PATH"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i)
        if (setenv(variables[i], folder, 1) != 0)
            REQUIRE(refuse("cannot set %s", variables[i]));
}

static void run_child(bench *b, double figures[FIGURES])
{
    char command[PATH_CAPACITY + 80], self[PATH_CAPACITY];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        REQUIRE(refuse("cannot find the program itself: %s", strerror(errno)));
    self[length] = '\0';
    snprintf(command, sizeof command, "exec '%s' --child %d %.9f", self, b->device,
             glnn__clock_seconds());
    FILE *lines = popen(command, "r");
    if (!lines)
        REQUIRE(refuse("cannot run %s: %s", self, strerror(errno)));
    int read = 0;
    for (int i = 0; i < FIGURES; ++i)
        read += fscanf(lines, "%lf", &figures[i]) == 1;
    if (pclose(lines) != 0 || read != FIGURES)
        bench_wrong(b, "the process that was measured failed, or its product is wrong");
}

static void remove_folder(const char *folder)
{
    char command[PATH_CAPACITY + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "cannot remove the folder %s\n", folder);
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void write_rows(table *t, const char *caches, double figures[RUNS][FIGURES])
{
    for (int p = CONTEXT; p < COMPILED; ++p) {
        double sorted[RUNS];
        for (int i = 0; i < RUNS; ++i)
            sorted[i] = 1e3 * figures[i][p];
        qsort(sorted, RUNS, sizeof sorted[0], compare);
        table_text(t, caches);
        table_text(t, names[p]);
        table_number(t, sorted[RUNS / 2]);
        table_number(t, sorted[0]);
        table_number(t, sorted[RUNS - 1]);
        table_number(t, p == STEP ? figures[RUNS - 1][COMPILED] : NAN);
    }
}

static void measure(bench *b)
{
    double cold[RUNS][FIGURES] = {{0}}, warm[RUNS][FIGURES] = {{0}};
    table t;
    for (int i = 0; i < RUNS; ++i) {
        char folder[] = "/tmp/glnn-bench-XXXXXX";
        if (!mkdtemp(folder))
            REQUIRE(refuse("cannot create a folder in /tmp: %s", strerror(errno)));
        set_caches(folder);
        run_child(b, cold[i]);
        run_child(b, warm[i]);
        remove_folder(folder);
    }
    table_open(&t, b->out, "start", columns, sizeof columns / sizeof columns[0]);
    write_rows(&t, "cold", cold);
    write_rows(&t, "warm", warm);
    table_close(&t);
}

int main(int argc, char **argv)
{
    bench b;
    if (argc == 4 && strcmp(argv[1], "--child") == 0)
        return child(atoi(argv[2]), atof(argv[3]));
    bench_open(&b, "bench_start", "Measures the time to the first result.", argc, argv);
    measure(&b);
    return bench_close(&b);
}
