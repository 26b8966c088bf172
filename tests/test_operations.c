/* Every row of the table of operations: all layouts, storages and sizes, in place, twice, and as
 * a gradient. Cases of single operations have tests of their own. */
#include "support/problems.h"

static const glnn_layout layouts[] = {GLNN_LAYOUT_TILED, GLNN_LAYOUT_PACKED, GLNN_LAYOUT_UNPACKED,
                                      GLNN_LAYOUT_PAGED};
enum { LAYOUTS = COUNT_OF(layouts), RENDERED = LAYOUTS - 1 };

/* Makes one of a list of settings, numbered from 0; false where there are no more. */
typedef bool make_fn(const glnn__operation *op, int number, glnn__sizes *size, setting *s);

/* Where programs are many, because a family has many rows, the rows take the layouts in turn. Mixed
 * pairs bring the others to each family. Returns how many there are. */
static int layouts_of(const glnn__operation *op, glnn_layout out[RENDERED])
{
    const turn t = turn_of(op);
    if (t.rows == 1 || all_cases_are_run()) {
        memcpy(out, layouts, RENDERED * sizeof *out);
        return RENDERED;
    }
    out[0] = layouts[t.place % RENDERED];
    return 1;
}

/* Checks an operation of some size on all of its layouts. */
static void check_size(const glnn__operation *op, glnn__sizes of)
{
    glnn_layout own[RENDERED];
    for (int i = 0, count = layouts_of(op, own); i < count; ++i) {
        const setting s = setting_of(own[i]);
        check_operation(op, of, &s);
    }
}

/* Checks each of the settings with one row of each family. */
static void check_in_turn(make_fn *make)
{
    for (int i = 0; i < glnn__operation_count; ++i) {
        glnn__sizes of = {0};
        setting s = {0};
        for (int number = 0; make(&glnn__operations[i], number, &of, &s); ++number)
            if (is_its_turn(&glnn__operations[i], number) &&
                !case_is_left_out(i + number + number / LAYOUTS))
                check_operation(&glnn__operations[i], of, &s);
    }
}

/* Also where all matrices have one element, in one of the ways to run this. */
static void every_operation_agrees_with_reference(void **state)
{
    (void)state;
    for (int i = 0; i < glnn__operation_count; ++i) {
        check_size(&glnn__operations[i], (glnn__sizes){9, 13, 7});
        if (!case_is_left_out(i))
            check_size(&glnn__operations[i], (glnn__sizes){1, 1, 1});
    }
}

static void every_family_agrees_with_reference_on_every_size(void **state)
{
    (void)state;
    static const glnn__sizes products[] = {
        {1, 1, 37},   {1, 33, 1},   {31, 1, 1},   {2, 3, 5},    {3, 4, 8},   {4, 8, 4},
        {4, 8, 8},    {5, 9, 7},    {7, 5, 3},    {8, 3, 31},   {9, 31, 4},  {31, 33, 9},
        {33, 31, 8},  {32, 64, 16}, {3, 7, 257},  {8, 16, 100}, {65, 3, 33}, {1, 100, 64},
        {100, 1, 64}, {64, 64, 1},  {67, 71, 73},
    };
    static const glnn__sizes others[] = {
        {1, 2, 0},   {2, 1, 0},    {1, 9, 0},    {9, 1, 0},   {3, 4, 0},    {3, 5, 0},
        {4, 5, 0},   {4, 8, 0},    {5, 7, 0},    {5, 31, 0},  {7, 3, 0},    {7, 8, 0},
        {8, 9, 0},   {8, 33, 0},   {13, 17, 0},  {31, 33, 0}, {33, 31, 0},  {32, 32, 0},
        {64, 16, 0}, {2, 257, 0},  {3, 512, 0},  {5, 513, 0}, {1, 1000, 0}, {1000, 1, 0},
        {129, 3, 0}, {3, 1025, 0}, {9, 1027, 0}, {33, 65, 0},
    };
    for (int i = 0; i < glnn__operation_count; ++i) {
        const bool is_product = glnn__operations[i].kind == GLNN__KIND_PRODUCT;
        const int count = is_product ? COUNT_OF(products) : COUNT_OF(others);
        for (int j = 0; j < count; ++j)
            if (is_its_turn(&glnn__operations[i], j) && !shape_is_left_out(j))
                check_size(&glnn__operations[i], is_product ? products[j] : others[j]);
    }
}

/* Each layout of an operand meets each of the next one and of the result. */
static bool make_mixed(const glnn__operation *op, int number, glnn__sizes *of, setting *s)
{
    const bool is_pair = op->operands[1].rows != GLNN__SIDE_NONE;
    const int first = number % LAYOUTS, second = number / LAYOUTS;
    if (op->operands[0].rows == GLNN__SIDE_NONE || second >= (is_pair ? LAYOUTS : RENDERED))
        return false;
    *of = (glnn__sizes){13, 17, 6};
    *s = (setting){
        .operands = {layouts[first], layouts[second], layouts[first], layouts[second]},
        .out = layouts[is_pair ? (first + second) % RENDERED : second],
    };
    return true;
}

static void every_family_agrees_with_reference_on_every_pair_of_layouts(void **state)
{
    (void)state;
    check_in_turn(make_mixed);
}

/* Each of the operands and the result in a wrapped texture, and all together, in sizes that do and
 * do not fill its last row of texels. */
static bool make_wrapped(const glnn__operation *op, int number, glnn__sizes *of, setting *s)
{
    static const glnn__sizes sizes[] = {{13, 17, 22}, {67, 9, 41}, {5, 33, 70}, {41, 1, 9}};
    static const unsigned sets[] = {1, 2, 1u << GLNN__MOST_OPERANDS,
                                    (2u << GLNN__MOST_OPERANDS) - 1};
    const int set = number / RENDERED;
    if (set >= (int)COUNT_OF(sets))
        return false;
    *of = sizes[(turn_of(op).place + number) % (int)COUNT_OF(sizes)];
    *s = setting_of(layouts[number % RENDERED]);
    s->operands[1] = layouts[(number + set) % RENDERED];
    s->wrapped = sets[set];
    s->wrap = 1 + (number + turn_of(op).place) % 4;
    return true;
}

static void every_family_agrees_with_reference_in_wrapped_textures(void **state)
{
    (void)state;
    check_in_turn(make_wrapped);
}

/* Each mix of storages; they take the pairs of layouts in turn, unless all cases are run. */
static bool make_storage(const glnn__operation *op, int number, glnn__sizes *of, setting *s)
{
    static const glnn_layout pairs[][2] = {
        {GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED},
        {GLNN_LAYOUT_UNPACKED, GLNN_LAYOUT_UNPACKED},
        {GLNN_LAYOUT_PAGED, GLNN_LAYOUT_PACKED},
    };
    const int halves = 1 + (all_cases_are_run() ? number / (int)COUNT_OF(pairs) : number);
    if (halves > 7)
        return false;
    *of = op->kind == GLNN__KIND_REDUCTION ? (glnn__sizes){41, 37, 0} : (glnn__sizes){13, 17, 22};
    *s = setting_of(pairs[number % 3][0]);
    s->out = pairs[number % 3][1];
    s->operands_in = (glnn_storage)(halves & 1);
    s->second_in = (glnn_storage)(halves >> 1 & 1);
    s->out_in = (glnn_storage)(halves >> 2);
    return true;
}

static void every_family_agrees_with_reference_on_every_mix_of_storages(void **state)
{
    (void)state;
    check_in_turn(make_storage);
}

/* Whether all operands in the set have the shape of the result. */
static bool can_be_out(const glnn__problem *p, unsigned operands)
{
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        if (operands >> i & 1 &&
            (p->operand[i].rows != p->out.rows || p->operand[i].columns != p->out.columns))
            return false;
    return (operands & ~p->op->in_place) == 0;
}

/* A result that is an operand begins as numbers that the operand may hold. */
static void begin_as_operand(glnn__problem *p, unsigned operands)
{
    for (int i = GLNN__MOST_OPERANDS - 1; i >= 0; --i)
        if (operands >> i & 1)
            memcpy(p->former.data, p->operand[i].data,
                   glnn__elements_count(p->former) * sizeof(float));
}

static void the_result_may_be_an_operand(void **state)
{
    (void)state;
    static const glnn__sizes sizes[] = {{9, 9, 9}, {33, 33, 33}, {1, 9, 9}};
    static const unsigned sets[] = {1, 2, 3, 4, 8};
    for (int i = 0; i < glnn__operation_count; ++i)
        for (size_t j = 0; j < COUNT_OF(sizes) * COUNT_OF(sets); ++j) {
            const glnn__operation *op = &glnn__operations[i];
            glnn_layout own[RENDERED];
            glnn__problem p = problem_new(op, sizes[j / COUNT_OF(sets)]);
            const unsigned operands = sets[j % COUNT_OF(sets)];
            setting s = setting_of(own[j % (size_t)layouts_of(op, own)]);
            s.in_place = operands;
            s.operands_in = s.second_in = s.out_in =
                (glnn_storage)(turn_of(op).place == 0 && sizes[j / COUNT_OF(sets)].m == 33);
            if (can_be_out(&p, operands) && !case_is_left_out(i + (int)j)) {
                begin_as_operand(&p, operands);
                check_problem(&p, &s);
            }
            glnn__problem_free(&p);
            release_all();
        }
}

/* In each way to run this, rows of each family. */
static void two_runs_give_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; i < glnn__operation_count; ++i) {
        const turn t = turn_of(&glnn__operations[i]);
        if (t.rows >= 3 && case_is_left_out(t.place))
            continue;
        glnn_layout own[RENDERED];
        layouts_of(&glnn__operations[i], own);
        const setting s = setting_of(own[0]);
        glnn__problem p = problem_new(&glnn__operations[i], (glnn__sizes){33, 35, 65});
        const array once = values_of(check_problem(&p, &s));
        expect_same_bits(values_of(check_problem(&p, &s)), once, "%s", p.op->name);
        glnn__problem_free(&p);
        release_all();
    }
}

/* ---- Gradients */

static const double step = 0x1p-12;

/* Makes operands multiples of four steps, none of them 0, and divisors and their like no less than
 * a quarter, where their fifth derivatives are small. */
static void round_to_steps(const glnn__argument *of, glnn__elements values)
{
    const double least =
        of->range == GLNN__RANGE_POSITIVE || of->range == GLNN__RANGE_DIVISOR ? 0.25 : 4 * step;
    for (size_t i = 0; i < glnn__elements_count(values); ++i) {
        const double x = rint((double)values.data[i] / (4 * step)) * 4 * step;
        values.data[i] = (float)(fabs(x) < least ? copysign(least, x) : x);
    }
}

/* Values two steps and one step before a place, and one and two behind it. */
enum { PLACES = 4 };
static const double places[PLACES] = {-2, -1, 1, 2};

/* A difference of fourth order: it is off by step^4 times the fifth derivative. */
static double difference(const double values[PLACES])
{
    return (8 * (values[2] - values[1]) - (values[3] - values[0])) / (12 * step);
}

static double map_slope(glnn_map map, double x)
{
    double values[PLACES];
    for (int i = 0; i < PLACES; ++i)
        values[i] = glnn__reference_map(map, x + places[i] * step);
    return difference(values);
}

/* The derivative of the sum of a reference's results, each times its delta, by an element. */
static double weighted_slope(const glnn__problem *p, array delta, float *x)
{
    const float former = *x;
    array results[PLACES];
    double sum = 0;
    for (int i = 0; i < PLACES; ++i) {
        *x = (float)((double)former + places[i] * step);
        results[i] = expected_of(p).value;
    }
    *x = former;
    for (size_t j = 0; j < length_of(delta); ++j) {
        const double values[PLACES] = {results[0].data[j], results[1].data[j], results[2].data[j],
                                       results[3].data[j]};
        sum += delta.data[j] * difference(values);
    }
    return sum;
}

/* The operands of a row that is a gradient, from a problem of the row whose gradient it is. */
static glnn__problem gradient_problem(const glnn__operation *op, const glnn__problem *of,
                                      array delta)
{
    const array result = expected_of(of).value;
    const glnn__elements variable = of->operand[op->gradient.wrt];
    const glnn__elements sources[] = {
        [GLNN__FROM_NOTHING] = {0},
        [GLNN__FROM_DELTA] = {delta.rows, delta.columns, floats_of(delta)},
        [GLNN__FROM_RESULT] = {result.rows, result.columns, floats_of(result)},
        [GLNN__FROM_OPERAND_0] = of->operand[0],
        [GLNN__FROM_OPERAND_1] = of->operand[1],
    };
    glnn__problem p = {
        .op = op,
        .former = {variable.rows, variable.columns, floats_new(glnn__elements_count(variable))},
        .out = {variable.rows, variable.columns, NULL}};
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        p.operand[i] = sources[op->gradient.from[i]];
    return p;
}

/* The derivative of the sum of all results, each times a random delta, by each element of the
 * operand: by the library, and by differences of the reference of the row that it belongs to. */
static void check_gradient(const glnn__operation *op)
{
    const glnn__gradient *g = &op->gradient;
    glnn__problem of = problem_new(glnn__operation_get(g->of), (glnn__sizes){5, 9, 7});
    const glnn__elements x = of.operand[g->wrt];
    const array delta = array_random(of.out.rows, of.out.columns, -1, 1);
    array variable = array_new(x.rows, x.columns);
    expected want = {array_new(x.rows, x.columns), array_new(x.rows, x.columns)};
    round_to_steps(&of.op->operands[g->wrt], x);
    for (size_t i = 0; i < glnn__elements_count(x); ++i) {
        variable.data[i] = (double)x.data[i];
        if (g->through)
            x.data[i] = (float)glnn__reference_map(g->through, variable.data[i]);
    }
    for (size_t i = 0; i < glnn__elements_count(x); ++i) {
        want.value.data[i] = weighted_slope(&of, delta, &x.data[i]);
        if (g->through)
            want.value.data[i] *= map_slope(g->through, variable.data[i]);
        want.bound.data[i] = 1e-5 * (1 + fabs(want.value.data[i]));
    }
    glnn__problem p = gradient_problem(op, &of, delta);
    const setting s = setting_of(GLNN_LAYOUT_TILED);
    expect_close(check_problem(&p, &s), want, "%s as a gradient of %s", op->name, g->of);
    glnn__problem_free(&of);
    release_all();
}

static void gradients_agree_with_finite_differences(void **state)
{
    (void)state;
    for (int i = 0; i < glnn__operation_count; ++i)
        if (glnn__operations[i].gradient.of)
            check_gradient(&glnn__operations[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_operation_agrees_with_reference),
        TEST(every_family_agrees_with_reference_on_every_size),
        TEST(every_family_agrees_with_reference_on_every_pair_of_layouts),
        TEST(every_family_agrees_with_reference_in_wrapped_textures),
        TEST(every_family_agrees_with_reference_on_every_mix_of_storages),
        TEST(the_result_may_be_an_operand),
        TEST(two_runs_give_the_same_bits),
        TEST(gradients_agree_with_finite_differences),
    };
    return cmocka_run_group_tests_name("operations", tests, test_group_setup, test_group_teardown);
}
