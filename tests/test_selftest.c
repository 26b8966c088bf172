/* glnn_selftest: its table, and what it finds where a driver has a defect. */
#include "support/support.h"

#include <stdio.h>

#include <GL/glew.h>

#include <glnn/selftest.h>

#include "selftest/cell.h"

/* The text of a report. */
enum { TEXT = 1 << 17 };

static void keep_line(void *user, const char *line)
{
    char *text = user;
    const size_t used = strlen(text);
    snprintf(text + used, TEXT - used, "%s\n", line);
}

static glnn_selftest_report run(glnn_context *ctx, char *text)
{
    glnn_selftest_report report = {.size = sizeof report};
    text[0] = '\0';
    expect_ok(glnn_selftest(ctx, keep_line, text, &report));
    assert_true(strlen(text) < TEXT - 1);
    return report;
}

/* How often a text has a word. */
static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        ++count;
    return count;
}

/* The line that begins with a name. */
static const char *row_of(const char *text, const char *name)
{
    static char line[1024];
    char begin[128];
    snprintf(begin, sizeof begin, "\n%s ", name);
    const char *at = strstr(text, begin);
    if (!at)
        fail_msg("the report has no row %s:\n%s", name, text);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
    return line;
}

/* The numbers of a row, and words in their place. */
static int columns_of(const char *row)
{
    char words[4][64];
    const size_t name = 40;
    assert_true(strlen(row) > name);
    return sscanf(row + name, "%63s%63s%63s%63s", words[0], words[1], words[2], words[3]);
}

static char first[TEXT], second[TEXT];
static glnn_selftest_report first_report;

/* The context before the first run and after it. */
static glnn_context_info infos[2] = {{.size = sizeof infos[0]}, {.size = sizeof infos[0]}};
static glnn_counters counters[2];

static void note_context(int when)
{
    expect_ok(glnn_context_get_info(glnn_test_context(), &infos[when]));
    counters[when] = counters_of(glnn_test_context());
}

/* Several tests look at one run. */
static int run_once(void **state)
{
    if (test_group_setup(state) != 0)
        return -1;
    note_context(0);
    first_report = run(glnn_test_context(), first);
    note_context(1);
    return 0;
}

static void each_operation_has_a_row_with_a_column_for_each_way(void **state)
{
    (void)state;
    const bool computes = strstr(first, "trial of uniforms         passed") != NULL;
    assert_int_equal(first_report.ways, computes ? 4 : 3);
    for (int i = 0; i < glnn__operation_count; ++i)
        assert_int_equal(columns_of(row_of(first, glnn__operations[i].name)), first_report.ways);
    for (int i = 0; i < glnn__subject_count; ++i)
        assert_int_equal(columns_of(row_of(first, glnn__subjects[i].name)), first_report.ways);
}

static void a_device_without_defects_passes(void **state)
{
    (void)state;
    if (first_report.failed > 0)
        fail_msg("%s", first);
    assert_true(first_report.results > 2 * first_report.ways * glnn__operation_count);
    assert_true(first_report.worst > 0.01 && first_report.worst <= 1);
    assert_true(first_report.seconds > 0);
    assert_int_equal(count_of(first, "\ntrial of "), first_report.trials);
    assert_int_equal(count_of(first, "FAILED"), first_report.trials_failed);
    assert_non_null(strstr(first, "\npassed: 0 of "));
}

/* Its verdicts replace those that contexts have stored. */
static void the_self_test_tries_the_driver_as_contexts_do(void **state)
{
    (void)state;
    glnn_context_info info = {.size = sizeof info};
    const glnn_context *ctx = glnn_test_context();
    glnn_context *later = NULL;
    expect_ok(glnn_context_get_info(ctx, &info));
    const glnn_tier tier = info.tier;
    expect_ok(glnn_context_create(&(glnn_context_desc){0}, &later));
    expect_ok(glnn_context_get_info(later, &info));
    assert_int_equal(info.tier, tier);
    const bool is_llvmpipe = strncmp(info.renderer, "llvmpipe", strlen("llvmpipe")) == 0;
    glnn_context_destroy(later);
    if (is_llvmpipe && first_report.trials_failed)
        fail_msg("llvmpipe has all properties:\n%s", first);
}

/* The last line has the time. */
static void cut_last_line(char *text)
{
    text[strlen(text) - 1] = '\0';
    *strrchr(text, '\n') = '\0';
}

static void two_runs_give_the_same_table(void **state)
{
    (void)state;
    run(glnn_test_context(), second);
    cut_last_line(first);
    cut_last_line(second);
    assert_string_equal(first, second);
}

/* ---- A driver that forgets the last layer when it uploads eight */

static PFNGLTEXSUBIMAGE3DPROC true_upload;

static void GLAPIENTRY forget_last_layer(GLenum target, GLint level, GLint x, GLint y, GLint z,
                                         GLsizei width, GLsizei height, GLsizei depth,
                                         GLenum format, GLenum type, const void *pixels)
{
    true_upload(target, level, x, y, z, width, height, depth == 8 ? 7 : depth, format, type,
                pixels);
}

static void a_defect_is_found_and_named(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    true_upload = glTexSubImage3D;
    glTexSubImage3D = forget_last_layer;
    const glnn_selftest_report report = run(ctx, first);
    glTexSubImage3D = true_upload;
    assert_true(report.failed > 0 && report.failed < report.results);
    assert_true(report.worst > 1);
    /* One of the ways makes trainings alone. */
    assert_int_equal(count_of(row_of(first, "copy"), "FAILED"), report.ways - 1);
    assert_int_equal(count_of(row_of(first, "fill"), "FAILED"), 0);
    assert_non_null(strstr(first, "the first: m 41, n 37, k 22; tiled float32"));
    assert_non_null(strstr(first, "\nFAILED: "));
}

static void the_context_keeps_its_counters_and_its_tuning(void **state)
{
    (void)state;
    assert_memory_equal(&counters[0], &counters[1], sizeof counters[0]);
    assert_int_equal(infos[0].tuning, infos[1].tuning);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_operation_has_a_row_with_a_column_for_each_way),
        TEST(a_device_without_defects_passes),
        TEST(the_self_test_tries_the_driver_as_contexts_do),
        TEST(two_runs_give_the_same_table),
        TEST(a_defect_is_found_and_named),
        TEST(the_context_keeps_its_counters_and_its_tuning),
    };
    return cmocka_run_group_tests_name("self-test", tests, run_once, test_group_teardown);
}
