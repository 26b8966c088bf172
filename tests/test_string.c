/* Strings, compared without regard to capitals. */
#include "support/support.h"

#include "base/string.h"

static void capitals_and_small_letters_of_ascii_are_the_same(void **state)
{
    (void)state;
    assert_true(glnn__string_is("aZ[0", "Az[0"));
    assert_true(glnn__string_begins("WebGL_x", "webgl_"));
    assert_true(glnn__string_ends("one.PNG", ".png"));
    assert_false(glnn__string_is("@[`{", "`{@["));
    assert_false(glnn__string_is("\xC4", "\xE4"));
}

static void a_part_of_a_string_is_not_the_string(void **state)
{
    (void)state;
    assert_false(glnn__string_is("nan", "na"));
    assert_false(glnn__string_is("na", "nan"));
    assert_false(glnn__string_begins("gl", "gl_"));
    assert_false(glnn__string_ends("png", ".png"));
    assert_false(glnn__string_ends(".pngs", ".png"));
}

static void every_string_begins_and_ends_with_the_empty_one(void **state)
{
    (void)state;
    assert_true(glnn__string_begins("a", ""));
    assert_true(glnn__string_ends("", ""));
}

static void a_copy_of_a_start_has_that_length(void **state)
{
    (void)state;
    char *whole = glnn__string_copy("class_1"), *start = glnn__string_copy_start("class_1", 5);
    assert_string_equal(whole, "class_1");
    assert_string_equal(start, "class");
    free(whole);
    free(start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capitals_and_small_letters_of_ascii_are_the_same),
        cmocka_unit_test(a_part_of_a_string_is_not_the_string),
        cmocka_unit_test(every_string_begins_and_ends_with_the_empty_one),
        cmocka_unit_test(a_copy_of_a_start_has_that_length),
    };
    return cmocka_run_group_tests_name("string", tests, NULL, NULL);
}
