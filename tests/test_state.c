/* Numbers of checkpoints, which are lines of a name and a number. */
#include "support/files.h"

#include "learn/state.h"

#include <math.h>

/* A state that loads these lines. */
static glnn__state state_of(const char *lines)
{
    static const glnn__state saved = {0};
    return (glnn__state){.path = "run.safetensors", .saved = &saved, .left = lines};
}

static void numbers_come_back_in_their_order(void **state)
{
    (void)state;
    int number = -12;
    bool is_set = true;
    uint64_t count = UINT64_MAX;
    double tenth = -0.1, infinite = INFINITY, nothing = NAN;
    glnn__state kept = {.path = "run.safetensors"};
    for (int i = 0; i < 2; ++i) {
        glnn__state loads = glnn__state_from(&kept), *to = i == 0 ? &kept : &loads;
        glnn__state_int(to, &number, "number %d", 7);
        glnn__state_bool(to, &is_set, "is_set");
        glnn__state_count(to, &count, "count");
        glnn__state_double(to, &tenth, "tenth");
        glnn__state_double(to, &infinite, "infinite");
        glnn__state_double(to, &nothing, "nothing");
        assert_int_equal(to->status, GLNN_OK);
        assert_true(number == -12 && is_set && count == UINT64_MAX && tenth == -0.1);
        assert_true(infinite == INFINITY && isnan(nothing));
        if (i == 1)
            assert_string_equal(loads.left, "");
        number = 0;
        is_set = false;
        count = 0;
        tenth = infinite = nothing = 0;
    }
    glnn__state_free(&kept);
}

static void a_line_of_another_form_is_refused(void **state)
{
    static const struct {
        const char *lines, *sentence;
    } cases[] = {
        {"", "the checkpoint has '' where 'step' is needed"},
        {"rate 1\nstep 2\n", "has 'rate 1' where 'step' is needed"},
        {"steps 1\n", "has 'steps 1' where 'step' is needed"},
        {"step_1\n", "has 'step_1' where 'step' is needed"},
        {"step\n1\n", "has 'step' where 'step' is needed"},
        {"step 1", "has 'step 1' where 'step' is needed"},
        {"step 00000000000000000000000000000001\n", "where 'step' is needed"},
        {"step 1.5\n", "'step' is '1.5' in the checkpoint"},
        {"step \n", "'step' is '' in the checkpoint"},
        {"step many\n", "'step' is 'many' in the checkpoint"},
        {"step 2147483648\n", "'step' is '2147483648' in the checkpoint"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        glnn__state loads = state_of(cases[i].lines);
        int step = 0;
        glnn__state_int(&loads, &step, "step");
        assert_fails(loads.status, GLNN_E_FORMAT, cases[i].sentence);
    }
}

static void a_number_has_at_most_31_characters(void **state)
{
    (void)state;
    glnn__state loads = state_of("step 0000000000000000000000000000001\nrate 0.5\n");
    int step = 0;
    double rate = 0;
    glnn__state_int(&loads, &step, "step");
    glnn__state_double(&loads, &rate, "rate");
    assert_int_equal(loads.status, GLNN_OK);
    assert_true(step == 1 && rate == 0.5);
}

static void nothing_changes_after_the_first_error(void **state)
{
    (void)state;
    glnn__state loads = state_of("step x\nrate 0.5\ncount 3\n");
    int step = 1;
    double rate = 1;
    uint64_t count = 1;
    glnn__state_int(&loads, &step, "step");
    glnn__state_double(&loads, &rate, "rate");
    glnn__state_count(&loads, &count, "count");
    assert_fails(loads.status, GLNN_E_FORMAT, "run.safetensors: 'step' is 'x' in the checkpoint");
    assert_true(rate == 1 && count == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back_in_their_order),
        cmocka_unit_test(a_line_of_another_form_is_refused),
        cmocka_unit_test(a_number_has_at_most_31_characters),
        cmocka_unit_test(nothing_changes_after_the_first_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
