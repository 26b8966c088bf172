/* Operand views: what they map where, and how a shader follows them. */
#include "support/support.h"

#include "pass/view.h"

typedef struct place {
    int row, column;
} place;

static place follow(const glnn__view *view, int row, int column)
{
    const glnn__view v = glnn__view_resolve(view);
    return (place){v.row[0] * row + v.row[1] * column + v.row[2],
                   v.column[0] * row + v.column[1] * column + v.column[2]};
}

static void expect_place(const glnn__view *view, int row, int column)
{
    const place got = follow(view, 3, 5);
    if (got.row != row || got.column != column)
        fail_at(__FILE__, __LINE__, "element (3, 5) lies over (%d, %d), expected (%d, %d)", got.row,
                got.column, row, column);
}

static void views_map_rows_and_columns_as_they_say(void **state)
{
    (void)state;
    const struct {
        glnn__view view;
        int row, column;
    } views[] = {
        {{.is_given = false}, 3, 5},
        {glnn__view_shifted(0, 0), 3, 5},
        {glnn__view_transposed(), 5, 3},
        {glnn__view_shifted(10, 100), 13, 105},
        {glnn__view_shifted(-2, -4), 1, 1},
        {glnn__view_broadcast(false, false), 3, 5},
        {glnn__view_broadcast(true, false), 0, 5},
        {glnn__view_broadcast(false, true), 3, 0},
        {glnn__view_broadcast(true, true), 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(views); ++i)
        expect_place(&views[i].view, views[i].row, views[i].column);
}

/* All pairs: following the composition is following one view after the other. */
static void composed_views_are_followed_one_after_the_other(void **state)
{
    (void)state;
    const glnn__view views[] = {
        glnn__view_shifted(0, 0),          glnn__view_transposed(),
        glnn__view_shifted(7, 0),          glnn__view_shifted(-3, 16),
        glnn__view_broadcast(true, false), glnn__view_broadcast(false, true),
    };
    for (size_t i = 0; i < COUNT_OF(views); ++i)
        for (size_t j = 0; j < COUNT_OF(views); ++j) {
            const glnn__view both = glnn__view_compose(&views[i], &views[j]);
            const place middle = follow(&views[j], 3, 5);
            const place want = follow(&views[i], middle.row, middle.column);
            expect_place(&both, want.row, want.column);
        }
}

/* Odd numbers beyond 2^24, which no float holds. */
static void shifts_that_no_float_holds_are_exact(void **state)
{
    (void)state;
    const glnn__view far = glnn__view_shifted(16777217, 33554431);
    const glnn__view down = glnn__view_shifted(2, 0), transposed = glnn__view_transposed();
    const glnn__view farther = glnn__view_compose(&far, &down);
    const glnn__view turned = glnn__view_compose(&transposed, &farther);
    expect_place(&far, 16777220, 33554436);
    expect_place(&farther, 16777222, 33554436);
    expect_place(&turned, 33554436, 16777222);
}

typedef struct reading_case {
    glnn__view view;
    glnn_layout operand, output;
    bool is_covered;
    glnn__reading want;
} reading_case;

#define T GLNN_LAYOUT_TILED
#define P GLNN_LAYOUT_PACKED
#define U GLNN_LAYOUT_UNPACKED
#define G GLNN_LAYOUT_PAGED

static void readings_are_the_fastest_that_a_view_allows(void **state)
{
    (void)state;
    const glnn__view identity = glnn__view_shifted(0, 0), transposed = glnn__view_transposed();
    const glnn__view down = glnn__view_broadcast(true, false);
    const glnn__view across = glnn__view_broadcast(false, true);
    const reading_case cases[] = {
        {identity, T, T, true, GLNN__READING_SAME},
        {identity, P, P, true, GLNN__READING_SAME},
        {identity, U, U, true, GLNN__READING_SAME},
        {{.is_given = false}, T, T, true, GLNN__READING_SAME},
        {identity, T, T, false, GLNN__READING_TEXELS},
        {identity, P, T, true, GLNN__READING_TEXELS},
        {identity, U, T, true, GLNN__READING_TEXELS},
        {identity, G, P, true, GLNN__READING_TEXELS},
        {identity, T, U, true, GLNN__READING_TEXELS},
        {glnn__view_shifted(3, 0), T, T, true, GLNN__READING_TEXELS},
        {glnn__view_shifted(0, 4), P, T, true, GLNN__READING_TEXELS},
        {glnn__view_shifted(0, -8), T, P, true, GLNN__READING_TEXELS},
        {glnn__view_shifted(0, 3), T, U, true, GLNN__READING_TEXELS},
        {glnn__view_shifted(0, 3), T, T, true, GLNN__READING_ELEMENTS},
        {glnn__view_shifted(0, -2), U, P, true, GLNN__READING_ELEMENTS},
        {glnn__view_broadcast(true, false), T, T, false, GLNN__READING_ROW},
        {glnn__view_broadcast(false, true), T, T, false, GLNN__READING_COLUMN},
        {glnn__view_broadcast(true, true), P, P, false, GLNN__READING_ELEMENTS},
        {transposed, T, T, true, GLNN__READING_SQUARES},
        {transposed, U, T, true, GLNN__READING_SQUARES},
        {transposed, T, P, true, GLNN__READING_SQUARES},
        {transposed, U, P, true, GLNN__READING_SQUARES},
        {transposed, T, U, true, GLNN__READING_SQUARES},
        {glnn__view_compose(&transposed, &identity), G, T, true, GLNN__READING_SQUARES},
        {glnn__view_compose(&transposed, &down), T, T, false, GLNN__READING_LINE},
        {glnn__view_compose(&transposed, &across), P, U, false, GLNN__READING_ELEMENTS},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const reading_case *c = &cases[i];
        const glnn__reading got =
            glnn__view_reading(&c->view, c->operand, c->output, c->is_covered);
        if (got != c->want)
            fail_at(__FILE__, __LINE__, "case %zu, %s to %s: reading %d, expected %d", i,
                    glnn_layout_name(c->operand), glnn_layout_name(c->output), (int)got,
                    (int)c->want);
    }
}

/* A shifted, transposed view has neither the texels nor the squares of its operand in place. */
static void mixed_views_are_read_by_elements(void **state)
{
    (void)state;
    const glnn__view transposed = glnn__view_transposed(), shifted = glnn__view_shifted(4, 4);
    const glnn__view mixed[] = {glnn__view_compose(&transposed, &shifted),
                                glnn__view_compose(&shifted, &transposed)};
    for (size_t i = 0; i < COUNT_OF(mixed); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            assert_int_equal(glnn__view_reading(&mixed[i], layout, layout, true),
                             GLNN__READING_ELEMENTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_map_rows_and_columns_as_they_say),
        cmocka_unit_test(composed_views_are_followed_one_after_the_other),
        cmocka_unit_test(shifts_that_no_float_holds_are_exact),
        cmocka_unit_test(readings_are_the_fastest_that_a_view_allows),
        cmocka_unit_test(mixed_views_are_read_by_elements),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
