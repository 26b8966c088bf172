#include "support.h"

#include <stdio.h>

enum { LOG_LEVELS = GLNN_LOG_PROGRESS + 1 };

static glnn_context *shared_context;
static glnn_context *current_context;

static struct {
    int count;
    char text[16384];
} logged[LOG_LEVELS];

static void record(void *user, glnn_log_level level, const char *message)
{
    (void)user;
    size_t used = strlen(logged[level].text);
    snprintf(logged[level].text + used, sizeof logged[level].text - used, "%s\n", message);
    ++logged[level].count;
}

int log_count(glnn_log_level level)
{
    return logged[level].count;
}

const char *log_text(glnn_log_level level)
{
    return logged[level].text;
}

void log_clear(void)
{
    memset(logged, 0, sizeof logged);
}

void log_resume(void)
{
    glnn_log_set(record, NULL);
}

static const glnn_context_desc context_desc = {.debug = true, .cache_dir = ""};

void let_driver_have_threads(void)
{
    unsetenv("LP_NUM_THREADS");
}

int test_group_setup(void **state)
{
    (void)state;
    log_resume();
    if (glnn_context_create(&context_desc, &shared_context) != GLNN_OK) {
        print_error("no context: %s\n%s", glnn_last_error(), log_text(GLNN_LOG_ERROR));
        return -1;
    }
    current_context = shared_context;
    return 0;
}

int test_group_teardown(void **state)
{
    (void)state;
    glnn_context_destroy(shared_context);
    if (log_count(GLNN_LOG_WARNING) > 0)
        print_error("warnings while the context was destroyed:\n%s", log_text(GLNN_LOG_WARNING));
    return log_count(GLNN_LOG_WARNING) > 0 ? -1 : 0;
}

int test_teardown(void **state)
{
    (void)state;
    release_all();
    glnn_status status = glnn_context_finish(shared_context);
    int errors = log_count(GLNN_LOG_ERROR);
    if (status != GLNN_OK)
        print_error("the test leaves %s: %s\n", glnn_status_name(status), glnn_last_error());
    if (errors > 0)
        print_error("the test logged %d errors:\n%s", errors, log_text(GLNN_LOG_ERROR));
    log_clear();
    return status != GLNN_OK || errors > 0 ? -1 : 0;
}

glnn_context *glnn_test_context(void)
{
    return current_context;
}

void fail_at(const char *file, int line, const char *format, ...)
{
    char sentence[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    print_error("%s\n", sentence);
    _fail(file, line);
}

void expect_ok_at(glnn_status status, const char *call, const char *file, int line)
{
    if (status != GLNN_OK)
        fail_at(file, line, "%s gives %s: %s", call, glnn_status_name(status), glnn_last_error());
}

void expect_no_logged_error(const char *file, int line)
{
    if (log_count(GLNN_LOG_ERROR) > 0)
        fail_at(file, line, "errors were logged:\n%s", log_text(GLNN_LOG_ERROR));
}

void expect_error_at(glnn_status got, glnn_status status, const char *part, const char *call,
                     const char *file, int line)
{
    if (got != status)
        fail_at(file, line, "%s gives %s (%s), expected %s", call, glnn_status_name(got),
                got == GLNN_OK ? "no error" : glnn_last_error(), glnn_status_name(status));
    if (strstr(glnn_last_error(), part) == NULL)
        fail_at(file, line, "%s says \"%s\", which lacks \"%s\"", call, glnn_last_error(), part);
    log_clear();
}

glnn_counters counters_of(glnn_context *ctx)
{
    glnn_counters counters = {.size = sizeof counters};
    expect_ok(glnn_context_get_counters(ctx, &counters));
    return counters;
}

/* One thing that release_all gives back; the newest comes first, contexts after their matrices. */
typedef struct held {
    struct held *next;
    glnn_matrix *matrix;
    glnn_context *context;
    void *memory;
} held;

static held *newest;

static void hold(held thing)
{
    held *node = malloc(sizeof *node);
    if (node == NULL)
        fail_at(__FILE__, __LINE__, "no memory for a test");
    *node = thing;
    node->next = newest;
    newest = node;
}

void release_all(void)
{
    while (newest != NULL) {
        held *node = newest;
        newest = node->next;
        glnn_matrix_destroy(node->matrix);
        glnn_context_destroy(node->context);
        free(node->memory);
        free(node);
    }
    current_context = shared_context;
}

glnn_context *context_new(size_t texture_budget, double pass_limit_ms)
{
    glnn_context_desc desc = context_desc;
    desc.texture_budget = texture_budget;
    desc.pass_limit_ms = pass_limit_ms;
    glnn_context *ctx = NULL;
    expect_ok(glnn_context_create(&desc, &ctx));
    hold((held){.context = ctx});
    return ctx;
}

void context_use(glnn_context *ctx)
{
    current_context = ctx;
}

static void *memory_new(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        fail_at(__FILE__, __LINE__, "no memory for %zu elements of a test", count);
    hold((held){.memory = memory});
    return memory;
}

float *floats_new(size_t count)
{
    return memory_new(count, sizeof(float));
}

array array_new(int rows, int columns)
{
    array values = {rows, columns, NULL};
    values.data = memory_new(length_of(values), sizeof(double));
    return values;
}

glnn_matrix *matrix_kept(glnn_matrix *matrix)
{
    hold((held){.matrix = matrix});
    return matrix;
}

glnn_matrix *matrix_stored(array values, glnn_layout layout, glnn_storage storage)
{
    const glnn_matrix_desc desc = {.rows = values.rows,
                                   .columns = values.columns,
                                   .layout = layout,
                                   .storage = storage,
                                   .data = values.data ? floats_of(values) : NULL};
    glnn_matrix *matrix = NULL;
    expect_ok(glnn_matrix_create(current_context, &desc, &matrix));
    return matrix_kept(matrix);
}

glnn_matrix *matrix_of(array values, glnn_layout layout)
{
    return matrix_stored(values, layout, GLNN_STORAGE_FLOAT32);
}

/* The place of this way among those to run a test: render targets, compute shaders, images, the
 * tier targets. A program without a context of its own is run in the first one. */
static int way(void)
{
    if (!shared_context)
        return 0;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(shared_context, &info));
    if (info.tier != GLNN_TIER_FULL)
        return 3;
    return info.stage == GLNN_STAGE_COMPUTE ? 1 : info.writes == GLNN_WRITES_IMAGES ? 2 : 0;
}

bool all_cases_are_run(void)
{
    return getenv("GLNN_TEST_ALL") != NULL;
}

bool case_is_left_out(int number)
{
    return !all_cases_are_run() && number % 3 != way() % 3;
}

bool shape_is_left_out(int number)
{
    return !all_cases_are_run() && way() > 0 && number % 2 != (way() - 1) % 2;
}

#ifdef __SANITIZE_ADDRESS__
int dlclose(void *library);

/* Libraries stay loaded: what one has leaked can be told from our leaks by its name only. */
int dlclose(void *library)
{
    (void)library;
    return 0;
}
#endif
