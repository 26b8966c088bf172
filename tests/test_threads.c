/* Several threads at once, each with a context of its own, and what they share: the log, sentences
 * of errors, the cache folder, and files. */
#include "support/support.h"
#include "support/tree.h"

#include "base/status.h"

#include <fcntl.h>
#include <glnn/glnn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SAMPLES = 150, FEATURES = 7, CLASSES = 3, NUMBERS = 1 << 14, WRITERS = 2 };

/* ---- Work that a thread does in a context of its own */

typedef struct job {
    int number; /* jobs have different samples and seeds */
    const glnn_context_desc *desc;
    pthread_barrier_t *start; /* of several jobs; NULL: this one is alone */
    atomic_bool is_done;
    glnn_status status;
    char sentence[512];
    size_t count;
    float numbers[NUMBERS]; /* all results */
} job;

static const glnn_context_desc usual_desc = {.tuning = GLNN_TUNING_OFF, .cache_dir = ""};

/* An assertion in a thread of a job would end the program without a sentence, so errors have a
 * status. */
static glnn_status find_room(job *of, size_t count, float **room)
{
    if (count > NUMBERS - of->count)
        return glnn__fail(GLNN_E_LIMIT, "%zu numbers after %zu of %d", count, of->count, NUMBERS);
    *room = of->numbers + of->count;
    of->count += count;
    return GLNN_OK;
}

static glnn_status take_matrix(job *of, glnn_context *ctx, glnn_matrix *matrix)
{
    const int rows = glnn_matrix_get_rows(matrix), columns = glnn_matrix_get_columns(matrix);
    float *room;
    GLNN__TRY(find_room(of, (size_t)rows * (size_t)columns, &room));
    return glnn_matrix_download(ctx, matrix, NULL, room, 0);
}

enum { OPERANDS = 5 };

static glnn_status operate(job *of, glnn_context *ctx)
{
    static const int rows[OPERANDS] = {37, 41, 37, 37, 37}, columns[OPERANDS] = {41, 29, 29, 29, 1};
    glnn_matrix *of_all[OPERANDS];
    for (int i = 0; i < OPERANDS; ++i)
        GLNN__TRY(glnn_matrix_create(ctx,
                                     &(glnn_matrix_desc){.rows = rows[i],
                                                         .columns = columns[i],
                                                         .layout = rendered_layout(of->number + i)},
                                     &of_all[i]));
    glnn_matrix *a = of_all[0], *b = of_all[1], *product = of_all[2], *shares = of_all[3];
    const uint64_t seed = 2 * (uint64_t)of->number;
    GLNN__TRY(glnn_fill_uniform(ctx, seed, -1, 1, a));
    GLNN__TRY(glnn_fill_normal(ctx, seed + 1, 0, 1, b));
    GLNN__TRY(glnn_gemm(ctx, NULL, 1, a, b, 0, product));
    GLNN__TRY(glnn_softmax(ctx, product, shares));
    GLNN__TRY(glnn_reduce(ctx, GLNN_REDUCTION_ARGMAX, GLNN_AXIS_ROWS, shares, of_all[4]));
    GLNN__TRY(glnn_map_apply_expression(ctx, "x * x - 0.5", product, product));
    for (int i = 0; i < OPERANDS; ++i) {
        GLNN__TRY(take_matrix(of, ctx, of_all[i]));
        glnn_matrix_destroy(of_all[i]);
    }
    return GLNN_OK;
}

/* The inputs of a data set. The threads of a stream call it. */
static glnn_status read_samples(void *user, const int *samples, int count, float *inputs)
{
    const job *of = user;
    for (int i = 0; i < count; ++i)
        for (int f = 0; f < FEATURES; ++f)
            inputs[i * FEATURES + f] =
                (float)sin(samples[i] * (f + 1) + of->number) + (float)(samples[i] % CLASSES == f);
    return GLNN_OK;
}

static glnn_status create_data(job *of, glnn_context *ctx, size_t budget, glnn_dataset **out)
{
    int labels[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i)
        labels[i] = i % CLASSES;
    return glnn_dataset_create(ctx,
                               &(glnn_dataset_desc){.samples = SAMPLES,
                                                    .features = FEATURES,
                                                    .labels = labels,
                                                    .classes = CLASSES,
                                                    .texture_budget = budget,
                                                    .read = read_samples,
                                                    .user = of},
                               out);
}

static glnn_status take_learner(job *of, const glnn_learner *learner)
{
    glnn_tensor_info info = {.size = sizeof info};
    float *room;
    for (int i = 0; i < glnn_learner_get_tensor_count(learner); ++i) {
        GLNN__TRY(glnn_learner_get_tensor_info(learner, i, &info));
        GLNN__TRY(find_room(of, info.count, &room));
        GLNN__TRY(glnn_learner_get_tensor(learner, info.name, info.count, room));
    }
    return GLNN_OK;
}

static glnn_status train(job *of, glnn_learner *learner, const glnn_dataset *data)
{
    glnn_train_result result = {.size = sizeof result};
    const glnn_train_desc how = {.epochs = 3, .batch = 16, .seed = (uint64_t)of->number};
    GLNN__TRY(glnn_learner_train(learner, data, &how, &result));
    GLNN__TRY(take_learner(of, learner));
    glnn_learner_destroy(learner);
    return GLNN_OK;
}

/* A network and a classifier learn samples that are resident, and then samples that stream. */
static glnn_status learn(job *of, glnn_context *ctx)
{
    const glnn_network_desc network_desc = {
        .features = FEATURES,
        .layers = {{.units = 9}, {.units = CLASSES, .activation = GLNN_ACTIVATION_IDENTITY}},
        .loss = GLNN_LOSS_CROSS_ENTROPY,
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
        .capacity = 32,
        .seed = (uint64_t)of->number,
    };
    const glnn_lvq_desc lvq_desc = {
        .features = FEATURES,
        .classes = CLASSES,
        .prototypes = 2,
        .capacity = 32,
        .seed = (uint64_t)of->number,
    };
    static const size_t budgets[] = {0, 4096};
    for (size_t i = 0; i < COUNT_OF(budgets); ++i) {
        glnn_dataset *data;
        glnn_learner *learner;
        GLNN__TRY(create_data(of, ctx, budgets[i], &data));
        if (glnn_dataset_is_streamed(data) != (budgets[i] > 0))
            return glnn__fail(GLNN_E_STATE, "with a budget of %zu, is_streamed is wrong",
                              budgets[i]);
        GLNN__TRY(glnn_network_create(ctx, &network_desc, &learner));
        GLNN__TRY(train(of, learner, data));
        GLNN__TRY(glnn_lvq_create(ctx, &lvq_desc, &learner));
        GLNN__TRY(train(of, learner, data));
        glnn_dataset_destroy(data);
    }
    return GLNN_OK;
}

static glnn_status work_in(job *of, glnn_context *ctx)
{
    GLNN__TRY(operate(of, ctx));
    return learn(of, ctx);
}

static void *run_job(void *argument)
{
    job *of = argument;
    glnn_context *ctx;
    if (of->start)
        pthread_barrier_wait(of->start);
    of->status = glnn_context_create(of->desc, &ctx);
    if (!of->status)
        of->status = work_in(of, ctx);
    snprintf(of->sentence, sizeof of->sentence, "%s", of->status ? glnn_last_error() : "");
    glnn_context_destroy(ctx);
    of->is_done = true;
    return NULL;
}

static job *new_job(int number, const glnn_context_desc *desc, pthread_barrier_t *start)
{
    job *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->number = number;
    made->desc = desc;
    made->start = start;
    return made;
}

static pthread_t start_thread(void *(*run)(void *argument), void *argument)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run, argument), 0);
    return thread;
}

static void end_thread(pthread_t thread)
{
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void expect_success(const job *of)
{
    if (of->status)
        fail_at(__FILE__, __LINE__, "job %d: %s: %s", of->number, glnn_status_name(of->status),
                of->sentence);
}

/* Frees the first one. */
static void expect_bits(job *got, const job *want)
{
    expect_success(got);
    expect_success(want);
    assert_int_equal(got->count, want->count);
    assert_memory_equal(got->numbers, want->numbers, want->count * sizeof *want->numbers);
    free(got);
}

static job *done_alone(int number, const glnn_context_desc *desc)
{
    job *alone = new_job(number, desc, NULL);
    end_thread(start_thread(run_job, alone));
    return alone;
}

/* Both jobs are in threads of their own. */
static void run_both(job *both[2])
{
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        threads[i] = start_thread(run_job, both[i]);
    for (int i = 0; i < 2; ++i)
        end_thread(threads[i]);
}

static void two_contexts_at_once_give_the_bits_of_each_alone(void **state)
{
    (void)state;
    job *alone[2] = {done_alone(0, &usual_desc), done_alone(1, &usual_desc)};
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, 2);
    job *both[2] = {new_job(0, &usual_desc, &start), new_job(1, &usual_desc, &start)};
    run_both(both);
    pthread_barrier_destroy(&start);
    assert_memory_not_equal(both[0]->numbers, both[1]->numbers, sizeof both[0]->numbers);
    for (int i = 0; i < 2; ++i) {
        expect_bits(both[i], alone[i]);
        free(alone[i]);
    }
}

static void contexts_come_and_go_while_another_one_trains(void **state)
{
    (void)state;
    job *alone = done_alone(2, &usual_desc), *meanwhile = new_job(2, &usual_desc, NULL);
    const pthread_t thread = start_thread(run_job, meanwhile);
    do {
        job *short_lived = new_job(3, &usual_desc, NULL);
        glnn_context *ctx;
        glnn_matrix *left;
        expect_ok(glnn_context_create(&usual_desc, &ctx));
        expect_ok(operate(short_lived, ctx));
        expect_ok(glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = 2, .columns = 2}, &left));
        glnn_context_destroy(ctx);
        assert_int_equal(glnn_fill(ctx, 1, left), GLNN_E_STATE);
        glnn_matrix_destroy(left);
        free(short_lived);
    } while (!meanwhile->is_done);
    end_thread(thread);
    expect_bits(meanwhile, alone);
    free(alone);
}

/* Each part of the device profile is measured once, by the first one. */
static void two_contexts_fill_one_cache_folder(void **state)
{
    (void)state;
    char folder[TREE_PATH];
    tree_make(folder);
    const glnn_context_desc desc = {.tuning = GLNN_TUNING_QUICK, .cache_dir = folder};
    pthread_barrier_t start;
    pthread_barrier_init(&start, NULL, 2);
    job *both[2] = {new_job(4, &desc, &start), new_job(4, &desc, &start)};
    run_both(both);
    pthread_barrier_destroy(&start);
    job *later = done_alone(4, &desc);
    for (int i = 0; i < 2; ++i)
        expect_bits(both[i], later);
    free(later);
    tree_remove(folder);
}

/* ---- Sentences of errors */

enum { FAILURES = 3000 };

typedef struct failing {
    char name[64];
    bool is_wrong;
} failing;

static void *fail_often(void *argument)
{
    failing *of = argument;
    glnn_stage stage;
    for (int i = 0; i < FAILURES; ++i) {
        char name[80];
        snprintf(name, sizeof name, "%s %d", of->name, i);
        const glnn_status status = glnn_stage_from_name(name, &stage);
        of->is_wrong |= status != GLNN_E_ARG || !strstr(glnn_last_error(), name);
    }
    return NULL;
}

static void each_thread_has_its_own_last_error(void **state)
{
    (void)state;
    failing all[WRITERS] = {{.name = "one"}, {.name = "another"}};
    pthread_t threads[WRITERS];
    expect_error(glnn_matrix_upload(glnn_test_context(), NULL, NULL, NULL, 0), GLNN_E_ARG,
                 "glnn_matrix_upload");
    for (int i = 0; i < WRITERS; ++i)
        threads[i] = start_thread(fail_often, &all[i]);
    for (int i = 0; i < WRITERS; ++i) {
        end_thread(threads[i]);
        assert_false(all[i].is_wrong);
    }
    assert_non_null(strstr(glnn_last_error(), "glnn_matrix_upload"));
}

/* ---- The log */

enum { LINES = 400, LENGTH = 900 };

/* Writes lines that consist of one letter. */
static void *write_lines(void *argument)
{
    char line[LENGTH + 1] = {0};
    memset(line, *(const char *)argument, LENGTH);
    for (int i = 0; i < LINES; ++i)
        glnn_log_write(GLNN_LOG_WARNING, line);
    return NULL;
}

static bool is_whole(const char *line)
{
    return line[0] && strspn(line, (char[]){line[0], '\0'}) == LENGTH && !line[LENGTH];
}

/* Counts what a log function receives. Nothing but the library keeps two threads apart. */
typedef struct listener {
    int lines, broken;
    bool is_inside, was_disturbed, has_left;
} listener;

static void listen(void *user, glnn_log_level level, const char *message)
{
    listener *to = user;
    (void)level;
    to->was_disturbed |= to->is_inside || to->has_left;
    to->is_inside = true;
    ++to->lines;
    to->broken += !is_whole(message);
    to->is_inside = false;
}

static void write_in_threads(pthread_t threads[WRITERS])
{
    static const char letters[WRITERS] = "ab";
    for (int i = 0; i < WRITERS; ++i)
        threads[i] = start_thread(write_lines, (void *)&letters[i]);
}

static void end_threads(const pthread_t threads[WRITERS])
{
    for (int i = 0; i < WRITERS; ++i)
        end_thread(threads[i]);
}

static void the_log_function_gets_whole_lines_one_at_a_time(void **state)
{
    (void)state;
    pthread_t threads[WRITERS];
    listener all = {0};
    glnn_log_set(listen, &all);
    write_in_threads(threads);
    end_threads(threads);
    log_resume();
    assert_int_equal(all.lines, WRITERS * LINES);
    assert_int_equal(all.broken, 0);
    assert_false(all.was_disturbed);
}

static void a_log_function_that_was_replaced_is_not_called(void **state)
{
    (void)state;
    enum { LISTENERS = 50 };
    pthread_t threads[WRITERS];
    listener all[LISTENERS] = {{0}};
    int lines = 0;
    glnn_log_set(listen, &all[0]);
    write_in_threads(threads);
    for (int i = 1; i < LISTENERS; ++i) {
        glnn_log_set(listen, &all[i]);
        all[i - 1].has_left = true;
    }
    end_threads(threads);
    log_resume();
    for (int i = 0; i < LISTENERS; ++i) {
        lines += all[i].lines;
        assert_int_equal(all[i].broken, 0);
        assert_false(all[i].was_disturbed);
    }
    assert_int_equal(lines, WRITERS * LINES);
}

/* Calls `run` while standard error is a file of this path. */
static void with_standard_error_in(const char *path, void (*run)(void))
{
    const int former = dup(STDERR_FILENO), file = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(former >= 0 && file >= 0);
    assert_int_equal(dup2(file, STDERR_FILENO), STDERR_FILENO);
    run();
    assert_int_equal(dup2(former, STDERR_FILENO), STDERR_FILENO);
    close(former);
    close(file);
}

static void write_to_default(void)
{
    pthread_t threads[WRITERS];
    glnn_log_set(NULL, NULL);
    write_in_threads(threads);
    end_threads(threads);
    log_resume();
}

static void lines_of_standard_error_are_whole(void **state)
{
    (void)state;
    static const char prefix[] = "glnn: warning: ";
    char folder[TREE_PATH];
    size_t size;
    int lines = 0;
    tree_make(folder);
    const char *path = tree_path(folder, "log");
    with_standard_error_in(path, write_to_default);
    char *text = (char *)tree_read(path, &size);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), ++lines) {
        assert_memory_equal(line, prefix, sizeof prefix - 1);
        assert_true(is_whole(line + sizeof prefix - 1));
    }
    assert_int_equal(lines, WRITERS * LINES);
    free(text);
    tree_remove(folder);
}

/* ---- Files */

enum { SAVES = 100 };

typedef struct saver {
    const char *path;
    float number;
    glnn_status status;
    bool is_mixed; /* a file had numbers of both */
} saver;

static void *save_and_load(void *argument)
{
    saver *of = argument;
    float numbers[256];
    for (size_t i = 0; i < COUNT_OF(numbers); ++i)
        numbers[i] = of->number;
    for (int i = 0; i < SAVES && !of->status; ++i) {
        glnn_npy got = {.size = sizeof got};
        of->status = glnn_npy_write(of->path, COUNT_OF(numbers), 1, numbers, 0);
        if (!of->status)
            of->status = glnn_npy_read(of->path, &got);
        for (size_t n = 1; n < COUNT_OF(numbers) && !of->status; ++n)
            of->is_mixed |= ((float *)got.data)[n] != ((float *)got.data)[0];
        glnn_npy_free(&got);
    }
    return NULL;
}

static void a_file_that_two_threads_save_is_always_that_of_one(void **state)
{
    (void)state;
    char folder[TREE_PATH];
    pthread_t threads[2];
    tree_make(folder);
    const char *path = tree_path(folder, "both.npy");
    saver both[2] = {{.path = path, .number = 1}, {.path = path, .number = 2}};
    for (int i = 0; i < 2; ++i)
        threads[i] = start_thread(save_and_load, &both[i]);
    for (int i = 0; i < 2; ++i) {
        end_thread(threads[i]);
        expect_ok(both[i].status);
        assert_false(both[i].is_mixed);
    }
    tree_remove(folder);
}

/* A file or a folder that several threads read. */
typedef struct reading {
    glnn_dataset_reader read;
    void *user;
    int count, features;
    float *got; /* count x features */
    glnn_status status;
} reading;

static void *read_in_turn(void *argument)
{
    reading *of = argument;
    for (int i = 0; i < of->count && !of->status; ++i) {
        const int sample = i * 7 % of->count; /* each of them once */
        of->status = of->read(of->user, &sample, 1, of->got + sample * of->features);
    }
    return NULL;
}

static void expect_same_in_threads(glnn_dataset_reader read, void *user, int count, int features)
{
    enum { READERS = 3 };
    reading all[READERS];
    pthread_t threads[READERS];
    const size_t size = (size_t)count * (size_t)features * sizeof *all->got;
    for (int i = 0; i < READERS; ++i) {
        all[i] = (reading){read, user, count, features, .got = malloc(size)};
        assert_non_null(all[i].got);
    }
    end_thread(start_thread(read_in_turn, &all[0]));
    for (int i = 1; i < READERS; ++i)
        threads[i] = start_thread(read_in_turn, &all[i]);
    for (int i = 1; i < READERS; ++i) {
        end_thread(threads[i]);
        expect_ok(all[i].status);
        assert_memory_equal(all[i].got, all[0].got, size);
        free(all[i].got);
    }
    free(all[0].got);
}

enum { ROWS = 500, SIDE = 6, PICTURES = 30 };

static void several_threads_read_one_table(void **state)
{
    (void)state;
    char folder[TREE_PATH], text[ROWS * 16] = "a,b,kind\n";
    size_t used = strlen(text);
    glnn_csv csv = {.size = sizeof csv};
    glnn_csv_file *file;
    tree_make(folder);
    for (int i = 0; i < ROWS; ++i)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,%d,%c\n", i, i * i % 97,
                                 'x' + i % 2);
    tree_write(tree_path(folder, "table.csv"), text, used);
    expect_ok(glnn_csv_file_open(tree_path(folder, "table.csv"), &(glnn_csv_desc){.label = "kind"},
                                 &csv, &file));
    expect_same_in_threads(glnn_csv_file_read_samples, file, ROWS, csv.columns.features);
    glnn_csv_file_close(file);
    glnn_csv_free(&csv);
    tree_remove(folder);
}

static void several_threads_read_one_folder_of_pictures(void **state)
{
    (void)state;
    char folder[TREE_PATH], name[32];
    float pixels[SIDE * SIDE];
    glnn_image_folder pictures = {.size = sizeof pictures};
    tree_make(folder);
    assert_int_equal(mkdir(tree_path(folder, "class"), 0700), 0);
    for (int i = 0; i < PICTURES; ++i) {
        for (int p = 0; p < SIDE * SIDE; ++p)
            pixels[p] = (float)((i + 1) * p % 11) / 10;
        snprintf(name, sizeof name, "class/%d.png", i);
        expect_ok(glnn_image_write(tree_path(folder, name), 1, SIDE, SIDE, pixels, 0, 1));
    }
    expect_ok(glnn_image_folder_open(folder, 0, &pictures));
    expect_same_in_threads(glnn_image_folder_read_samples, &pictures, PICTURES, SIDE * SIDE);
    glnn_image_folder_free(&pictures);
    tree_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_contexts_at_once_give_the_bits_of_each_alone),
        TEST(contexts_come_and_go_while_another_one_trains),
        TEST(two_contexts_fill_one_cache_folder),
        TEST(each_thread_has_its_own_last_error),
        TEST(the_log_function_gets_whole_lines_one_at_a_time),
        TEST(a_log_function_that_was_replaced_is_not_called),
        TEST(lines_of_standard_error_are_whole),
        TEST(a_file_that_two_threads_save_is_always_that_of_one),
        TEST(several_threads_read_one_table),
        TEST(several_threads_read_one_folder_of_pictures),
    };
    let_driver_have_threads();
    return cmocka_run_group_tests_name("threads", tests, test_group_setup, test_group_teardown);
}
