/* Loops of shaders, a copy of the body for each turn. */
#include "pass/unroll.h"

#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(const char *shader, const char *result)
{
    glnn__growing_text out = {0};
    glnn__unroll(shader, &out);
    assert_false(out.is_cut);
    assert_string_equal(out.text, result);
    free(out.text);
}

static void expect_same(const char *shader)
{
    expect(shader, shader);
}

static void a_loop_becomes_a_copy_for_each_turn(void **state)
{
    (void)state;
    expect("for (int i = 0; i < 2; ++i) a[i] = 1;\n", "{{ const int i = 0; a[i] = 1;}\n"
                                                      "#line 1\n"
                                                      "{ const int i = 1; a[i] = 1;}}\n");
    expect("x;\n    for (int t = 0; t < 1; ++t) {\n        y;\n    }\nz;\n",
           "x;\n    {{ const int t = 0; {\n        y;\n    }}}\nz;\n");
}

static void loops_in_loops_are_unrolled_too(void **state)
{
    (void)state;
    expect("for (int i = 0; i < 2; ++i)\n  for (int j = 0; j < 1; ++j)\n    a[i] += b[j];\n",
           "{{ const int i = 0;\n  {{ const int j = 0;\n    a[i] += b[j];}}}\n"
           "#line 1\n"
           "{ const int i = 1;\n  {{ const int j = 0;\n    a[i] += b[j];}}}}\n");
}

static void a_count_may_be_a_number_that_is_defined_once(void **state)
{
    (void)state;
    expect("#define ROWS 1 // of a block\nfor (int r = 0; r < ROWS; ++r) a;\n",
           "#define ROWS 1 \n{{ const int r = 0; a;}}\n");
    expect_same("#define ROWS 1\n#define ROWS 2\nfor (int r = 0; r < ROWS; ++r) a;\n");
    expect_same("#define ROWS (1)\nfor (int r = 0; r < ROWS; ++r) a;\n");
    expect_same("#define ROWS_LEFT 1\nfor (int r = 0; r < ROWS; ++r) a;\n");
    expect_same("for (int r = 0; r < rows; ++r) a;\n");
}

static void other_loops_stay(void **state)
{
    (void)state;
    expect_same("for (int i = 0; i < 9; ++i) a;\n");
    expect_same("for (int i = 0; i < 0; ++i) a;\n");
    expect_same("for (int i = 1; i < 4; ++i) a;\n");
    expect_same("for (int i = 0; i < 4; i += 2) a;\n");
    expect_same("for (int i = 0; i < 4; ++j) a;\n");
    expect_same("for (int i = 0; i < 4 * n; ++i) a;\n");
    expect_same("for (int i = 0; i < 4; ++i) { if (b) break; }\n");
    expect_same("for (int i = 0; i < 4; ++i) { if (b) continue; a; }\n");
    expect_same("for (int i = 0; i < 4; ++i) { i += 2; }\n");
    expect_same("for (int i = 0; i < 4; ++i) { a[i++] = 0; }\n");
    expect_same("for (int i = 0; i < 4; ++i) { a[--i] = 0; }\n");
    expect_same("for (int i = 0; i < 4; ++i) i = 3;\n");
    expect_same("before (int i = 0; i < 4; ++i) a;\n");
}

static void names_that_hold_such_words_do_not_count(void **state)
{
    (void)state;
    expect("for (int i = 0; i < 1; ++i) { breaks = discontinue; a[i] == i1; i <= 2; }\n",
           "{{ const int i = 0; { breaks = discontinue; a[i] == i1; i <= 2; }}}\n");
}

static void a_body_ends_with_its_statement(void **state)
{
    (void)state;
    expect("for (int i = 0; i < 1; ++i) if (a) b; else { c; } d;\n",
           "{{ const int i = 0; if (a) b; else { c; }}} d;\n");
    expect("for (int i = 0; i < 1; ++i) while (f(x)) { c; } d;\n",
           "{{ const int i = 0; while (f(x)) { c; }}} d;\n");
    expect("for (int i = 0; i < 1; ++i) for (;;) c; d;\n",
           "{{ const int i = 0; for (;;) c;}} d;\n");
}

static void directives_are_copied_with_the_body(void **state)
{
    (void)state;
    expect("for (int i = 0; i < 2; ++i) {\n#if A\n  a;\n#endif\n}\n",
           "{{ const int i = 0; {\n#if A\n  a;\n#endif\n}}\n"
           "#line 1\n"
           "{ const int i = 1; {\n#if A\n  a;\n#endif\n}}}\n");
    expect_same("for (int i = 0; i < 2; ++i)\n#if A\n  a;\n#else\n  b;\n#endif\n");
}

static void macros_stay_as_they_are(void **state)
{
    (void)state;
    expect_same("#define EACH \\\n    for (int i = 0; i < 2; ++i) \\\n        a;\nb;\n");
}

static void lines_keep_their_numbers(void **state)
{
    (void)state;
    expect("a;\n#line 20001\nb;\nfor (int i = 0; i < 2; ++i)\n  c;\nd;\n",
           "a;\n#line 20001\nb;\n{{ const int i = 0;\n  c;}\n"
           "#line 20002\n"
           "{ const int i = 1;\n  c;}}\nd;\n");
}

static void comments_leave_their_lines(void **state)
{
    (void)state;
    expect("a; // for (int i = 0; i < 2; ++i) b;\n/* {\n { */ c / d;\n", "a; \n\n c / d;\n");
    expect("for (int i = 0; i < 1; ++i) { // }\n  a;\n}\n", "{{ const int i = 0; { \n  a;\n}}}\n");
}

static void texts_that_end_too_early_stay(void **state)
{
    (void)state;
    expect_same("");
    expect_same("f");
    expect_same("for (int ");
    expect_same("for (int i = 0; i < 2; ++i)");
    expect_same("for (int i = 0; i < 2; ++i) {");
    expect_same("for (int i = 0; i < 2; ++i) if (a");
    expect_same("for (int i = 0; i < 2; ++i) if (a) b; else");
    expect_same("#define A \\");
    expect_same("#line 7");
    expect("/* a", "");
    expect("a //", "a ");
}

/* Nine loops of eight turns have 8^9 copies of the innermost body. */
static void a_shader_that_would_become_too_long_is_cut(void **state)
{
    char shader[512] = "";
    glnn__growing_text out = {0};
    (void)state;
    for (int i = 0; i < 9; ++i)
        snprintf(shader + strlen(shader), sizeof shader - strlen(shader),
                 "for (int i%d = 0; i%d < 8; ++i%d) ", i, i, i);
    strcat(shader, "a;");
    glnn__unroll(shader, &out);
    assert_true(out.is_cut);
    free(out.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_becomes_a_copy_for_each_turn),
        cmocka_unit_test(loops_in_loops_are_unrolled_too),
        cmocka_unit_test(a_count_may_be_a_number_that_is_defined_once),
        cmocka_unit_test(other_loops_stay),
        cmocka_unit_test(names_that_hold_such_words_do_not_count),
        cmocka_unit_test(a_body_ends_with_its_statement),
        cmocka_unit_test(directives_are_copied_with_the_body),
        cmocka_unit_test(macros_stay_as_they_are),
        cmocka_unit_test(lines_keep_their_numbers),
        cmocka_unit_test(comments_leave_their_lines),
        cmocka_unit_test(texts_that_end_too_early_stay),
        cmocka_unit_test(a_shader_that_would_become_too_long_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
