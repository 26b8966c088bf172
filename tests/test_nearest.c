/* Searches of the nearest prototypes against a comparison in double precision. */
#include "support/search.h"

#include "device/profiler.h"

/* All ways of searching; the kinds alternate, beginning with `kind`. */
static void check_searches(const problem *p, glnn_layout samples, glnn_layout prototypes,
                           size_t kind)
{
    vectors v = vectors_of(p);
    for (glnn_search search = GLNN_SEARCH_TILES; search < GLNN_SEARCH_COUNT; ++search)
        check_search(&v, &(way){(glnn__nearest_kind)((kind + search) % 2), search, samples,
                                prototypes, .norms = search != GLNN_SEARCH_TILES, .order = true});
    release_all();
}

/* Scores that are stored are those of glnn_gemm, which is tested on every pair itself. */
static void searches_agree_with_reference_on_every_pair_of_layouts(void **state)
{
    (void)state;
    for (glnn_layout samples = GLNN_LAYOUT_TILED; samples < GLNN_LAYOUT_COUNT; ++samples)
        for (glnn_layout prototypes = GLNN_LAYOUT_TILED; prototypes < GLNN_LAYOUT_COUNT;
             ++prototypes) {
            if (case_is_left_out((int)samples + (int)prototypes))
                continue;
            vectors v = vectors_of(&(problem){3, 37, 11, 4, false});
            const glnn__nearest_kind kind = (samples + prototypes) % 2;
            check_search(&v, &(way){kind, GLNN_SEARCH_FUSED, samples, prototypes, .norms = true,
                                    .order = true});
            release_all();
        }
    check_searches(&(problem){9, 37, 11, 4, false}, GLNN_LAYOUT_PAGED, GLNN_LAYOUT_PAGED, 0);
}

static const problem shapes[] = {
    {1, 1, 1, 1, false},      {1, 2, 3, 2, false},     {2, 3, 4, 2, false},
    {3, 7, 5, 3, false},      {4, 8, 8, 3, false},     {5, 9, 7, 3, false},
    {1, 129, 16, 10, false},  {17, 31, 33, 5, false},  {64, 64, 4, 8, false},
    {33, 257, 13, 20, false}, {7, 1031, 6, 50, false}, {3, 2048, 3, 2, false},
    {37, 307, 33, 20, false},
};

static void searches_agree_with_reference_on_every_shape(void **state)
{
    (void)state;
    static const glnn_layout others[] = {GLNN_LAYOUT_PACKED, GLNN_LAYOUT_UNPACKED};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
        check_searches(&shapes[i], GLNN_LAYOUT_TILED, GLNN_LAYOUT_TILED, i);
        check_searches(&shapes[i], others[i % 2], others[i % 2], i + 1);
    }
}

static void equal_scores_have_the_lowest_index(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i += 2) {
        problem p = shapes[i];
        p.is_exact = true;
        p.features = p.features % 5 + 1;
        check_searches(&p, GLNN_LAYOUT_TILED, rendered_layout(i / 2), i / 2);
    }
}

static void duplicate_prototypes_take_both_places(void **state)
{
    (void)state;
    vectors v = vectors_of(&(problem){6, 300, 5, 3, true});
    for (int i = 0; i < v.m.rows; ++i)
        for (int j = 0; j < v.m.columns; ++j)
            *at(v.m, i, j) = *at(v.m, 0, j);
    for (glnn_search search = GLNN_SEARCH_TILES; search < GLNN_SEARCH_COUNT; ++search) {
        array winners = check_search(&v, &(way){.search = search});
        for (int i = 0; i < v.x.rows; ++i) {
            assert_true(*at(winners, i, 0) == 0.0);
            assert_true(*at(winners, i, 2) == 1.0);
        }
        check_search(&v, &(way){GLNN__NEAREST_LABELLED, search, 0, 0, .norms = true});
    }
}

static void a_class_without_prototypes_has_no_winner(void **state)
{
    (void)state;
    static const double all[] = {0.0, 3.0};
    for (glnn_search search = GLNN_SEARCH_TILES; search < GLNN_SEARCH_COUNT; ++search)
        for (size_t i = 0; i < COUNT_OF(all); ++i) {
            vectors v = vectors_of(&(problem){12, 150, 9, 3, false});
            for (size_t j = 0; j < length_of(v.labels); ++j)
                v.labels.data[j] = all[i];
            for (size_t j = 0; j < length_of(v.classes) && i == 0; ++j)
                v.classes.data[j] = 0.0;
            check_search(&v, &(way){GLNN__NEAREST_LABELLED, search, 0, 0, .norms = true});
            release_all();
        }
}

static void rows_without_a_sample_have_no_winner(void **state)
{
    (void)state;
    static const int counts[] = {1, 3, 4, 8, 12};
    for (size_t i = 0; i < COUNT_OF(counts); ++i)
        for (glnn_search search = GLNN_SEARCH_TILES; search < GLNN_SEARCH_COUNT; ++search) {
            vectors v = vectors_of(&(problem){13, 140, 6, 3, false});
            v.count = counts[i];
            check_search(&v, &(way){GLNN__NEAREST_TWO, search, 0, 0, .norms = true});
            check_search(&v, &(way){GLNN__NEAREST_LABELLED, search, 0, 0, .order = true});
            release_all();
        }
}

static void scores_that_are_no_numbers_never_win(void **state)
{
    (void)state;
    static const double bad[] = {NAN, 1e30};
    for (size_t i = 0; i < COUNT_OF(bad); ++i)
        for (glnn_search search = GLNN_SEARCH_TILES; search < GLNN_SEARCH_COUNT; ++search) {
            vectors v = vectors_of(&(problem){5, 70, 6, 2, true});
            for (int p = 0; p < 66; ++p)
                *at(v.m, p, p % 6) = bad[i];
            glnn__nearest nearest = nearest_of(&v, &(way){.search = search});
            expect_ok(glnn__nearest_run(glnn_test_context(), &nearest));
            array winners = values_of(nearest.winners);
            for (int r = 0; r < v.x.rows; ++r)
                assert_true(*at(winners, r, 0) >= 66.0 && *at(winners, r, 2) >= 66.0);
            release_all();
        }
}

static void a_search_is_chosen_for_every_shape(void **state)
{
    (void)state;
    static const problem few[] = {
        {2, 300, 5, 3, false}, {9, 20, 5, 3, false}, {9, 300, 5, 3, false}};
    for (size_t i = 0; i < COUNT_OF(few); ++i) {
        vectors v = vectors_of(&few[i]);
        check_search(&v, &(way){GLNN__NEAREST_LABELLED, GLNN_SEARCH_AUTO, 0, 0, .order = true});
        release_all();
    }
}

/* Plans by a device on which a pass takes `pass_us`, and the speed is in proportion to the
 * fragments. */
static void plan_by(double pass_us)
{
    static const double speeds[GLNN__OCCUPANCIES] = {16, 128, 1024, 8192, 65536};
    glnn__planning planning;
    expect_ok(glnn__profiler_give(glnn_test_context(), &planning));
    for (int layout = 0; layout < GLNN__RENDERED_LAYOUTS; ++layout)
        memcpy(planning.profile.products[layout].speeds, speeds, sizeof speeds);
    for (int i = 0; i < 2; ++i)
        memcpy(planning.profile.shared[i], speeds, sizeof speeds);
    planning.profile.targets = planning.profile.images = (glnn__writing){pass_us, 1e6};
    planning.tuning = GLNN_TUNING_QUICK;
    expect_ok(glnn__profiler_take(glnn_test_context(), &planning));
}

static uint64_t passes_of(const problem *p, glnn_search search)
{
    glnn_context *ctx = glnn_test_context();
    vectors v = vectors_of(p);
    const glnn__nearest nearest = nearest_of(&v, &(way){.search = search});
    const uint64_t before = counters_of(ctx).passes;
    expect_ok(glnn__nearest_run(ctx, &nearest));
    return counters_of(ctx).passes - before;
}

/* Some passes, or a slow device with few fragments, make another way slow, which has another number
 * of passes. */
static void auto_takes_the_way_that_is_fastest_by_the_profile(void **state)
{
    (void)state;
    static const struct {
        int samples;
        double pass_us;
        glnn_search fastest, other;
    } cases[] = {
        {9, 1e6, GLNN_SEARCH_FUSED, GLNN_SEARCH_REDUCTION},
        {9, 1e-6, GLNN_SEARCH_REDUCTION, GLNN_SEARCH_FUSED},
        {40, 1e6, GLNN_SEARCH_TILES, GLNN_SEARCH_REDUCTION},
        {40, 1e-6, GLNN_SEARCH_REDUCTION, GLNN_SEARCH_TILES},
    };
    context_use(context_new(0, 0.0));
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const problem p = {cases[i].samples, 1000, 300, 3, false};
        plan_by(cases[i].pass_us);
        const uint64_t passes = passes_of(&p, GLNN_SEARCH_AUTO);
        assert_int_equal(passes, passes_of(&p, cases[i].fastest));
        assert_int_not_equal(passes, passes_of(&p, cases[i].other));
    }
}

static void two_runs_give_the_same_bits(void **state)
{
    (void)state;
    for (glnn_search search = 0; search < GLNN_SEARCH_COUNT; ++search) {
        vectors v = vectors_of(&(problem){67, 301, 23, 7, false});
        glnn__nearest nearest =
            nearest_of(&v, &(way){GLNN__NEAREST_LABELLED, search, 0, 0, .order = true});
        expect_ok(glnn__nearest_run(glnn_test_context(), &nearest));
        array once = values_of(nearest.winners);
        expect_ok(glnn__nearest_run(glnn_test_context(), &nearest));
        expect_same_bits(values_of(nearest.winners), once, "%s", glnn_search_name(search));
    }
}

static void repeated_searches_make_nothing_and_wait_for_nothing(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    for (glnn_search search = 0; search < GLNN_SEARCH_COUNT; ++search) {
        vectors v = vectors_of(&(problem){40, 500, 12, 3, false});
        glnn__nearest nearest = nearest_of(&v, &(way){.search = search});
        expect_ok(glnn__nearest_run(ctx, &nearest));
        glnn_counters before = counters_of(ctx);
        expect_ok(glnn__nearest_run(ctx, &nearest));
        glnn_counters after = counters_of(ctx);
        assert_true(after.passes > before.passes);
        assert_int_equal(after.textures_created, before.textures_created);
        assert_int_equal(after.programs_compiled, before.programs_compiled);
        assert_int_equal(after.waits, before.waits);
        assert_int_equal(after.bytes_downloaded, before.bytes_downloaded);
        release_all();
    }
}

static void scores_without_room_are_not_stored(void **state)
{
    (void)state;
    vectors v = vectors_of(&(problem){2050, 2100, 1, 3, false});
    context_use(context_new(1 << 24, 0.0));
    check_search(&v, &(way){.search = GLNN_SEARCH_AUTO});
    check_search(&v, &(way){.search = GLNN_SEARCH_FUSED});
    glnn__nearest nearest = nearest_of(&v, &(way){.search = GLNN_SEARCH_TILES});
    expect_error(glnn__nearest_run(glnn_test_context(), &nearest), GLNN_E_LIMIT,
                 "scores of prototypes");
    expect_error(glnn__nearest_list(glnn_test_context(), &nearest, 1, nearest.winners),
                 GLNN_E_LIMIT, "scores of prototypes");
}

/* The k nearest of every sample. */
static void check_list(const problem *p, int k, const way *w, glnn_layout to)
{
    vectors v = vectors_of(p);
    glnn__nearest nearest = nearest_of(&v, w);
    glnn_matrix *out = matrix_of(array_numbered(p->samples, 2 * k), to);
    find_scores(&v, false);
    expect_ok(glnn__nearest_list(glnn_test_context(), &nearest, k, out));
    array list = values_of(out);
    int *taken = calloc((size_t)k, sizeof *taken);
    for (int i = 0; i < p->samples; ++i)
        for (int j = 0; j < k; ++j)
            taken[j] = check_winner(&v, i, ANY, taken, j < p->prototypes ? j : p->prototypes,
                                    *at(list, i, 2 * j), *at(list, i, 2 * j + 1), "a list");
    free(taken);
    release_all();
}

static void lists_agree_with_reference(void **state)
{
    (void)state;
    static const int lengths[] = {1, 2, 3, 5, 8};
    for (size_t i = 0; i < COUNT_OF(lengths); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            for (int exact = 0; exact < 2; ++exact) {
                const way w = {.search = (glnn_search)(i % GLNN_SEARCH_COUNT),
                               .samples = layout,
                               .prototypes = layout,
                               .norms = exact};
                check_list(&(problem){5, 270, 9, 2, exact}, lengths[i], &w, layout);
                check_list(&(problem){1, 3, 2, 2, exact}, lengths[i], &w, layout);
            }
}

/* The least of the winners of some parts: of the own class, or of others. */
static void join_candidates(array candidates, double winners[4])
{
    for (int e = 0; e < 4; e += 2) {
        winners[e] = -1;
        winners[e + 1] = INFINITY;
        for (int i = e; i < candidates.columns; i += 4)
            if (*at(candidates, 0, i + 1) < winners[e + 1]) {
                winners[e] = *at(candidates, 0, i);
                winners[e + 1] = *at(candidates, 0, i + 1);
            }
    }
}

static void a_sample_is_found_in_its_data_set_and_candidates_hold_its_winners(void **state)
{
    (void)state;
    static const int prototypes[] = {1, 3, 255, 256, 257, 1031, 8200};
    for (size_t i = 0; i < COUNT_OF(prototypes); ++i) {
        vectors v = vectors_of(&(problem){12, prototypes[i], 13, 3, false});
        const way w = {GLNN__NEAREST_LABELLED, GLNN_SEARCH_FUSED, GLNN_LAYOUT_PAGED,
                       rendered_layout(i), .order = true};
        glnn__nearest nearest = nearest_of(&v, &w);
        const int columns = 4 * glnn__nearest_candidates(prototypes[i]);
        const int sample = (int)*at(v.order, v.first, 0) % v.x.rows;
        double winners[4];
        find_scores(&v, true);
        nearest.is_in_dataset = true;
        nearest.count = 1;
        nearest.dataset_samples = v.x.rows;
        nearest.winners = matrix_of(array_numbered(1, columns), GLNN_LAYOUT_PACKED);
        *at(v.order, v.first, 0) = sample;
        nearest.order = matrix_of(v.order, GLNN_LAYOUT_PAGED);
        expect_ok(glnn__nearest_run(glnn_test_context(), &nearest));
        join_candidates(values_of(nearest.winners), winners);
        for (int e = 0; e < 4; e += 2) {
            double least = INFINITY;
            for (int p = 0; p < prototypes[i]; ++p) {
                const bool is_own = *at(v.classes, 0, p) == *at(v.labels, sample, 0);
                if (is_own == (e == 0))
                    least = fmin(least, *at(v.scores.value, sample, p));
            }
            if (least == INFINITY ? winners[e] != -1
                                  : !(fabs(winners[e + 1] - least) <= EPS * (13 / 4 + 6) * least))
                fail_at(__FILE__, __LINE__, "%d prototypes: winner %d is %g at %.9g, not at %.9g",
                        prototypes[i], e / 2, winners[e], winners[e + 1], least);
        }
        release_all();
    }
}

static void searches_have_names(void **state)
{
    (void)state;
    assert_string_equal(glnn_search_name(GLNN_SEARCH_AUTO), "auto");
    assert_string_equal(glnn_search_name(GLNN_SEARCH_TILES), "tiles");
    assert_string_equal(glnn_search_name(GLNN_SEARCH_REDUCTION), "reduction");
    assert_string_equal(glnn_search_name(GLNN_SEARCH_FUSED), "fused");
    assert_string_equal(glnn_search_name(GLNN_SEARCH_COUNT), "unknown");
    assert_string_equal(glnn_search_name((glnn_search)-1), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(searches_agree_with_reference_on_every_pair_of_layouts),
        TEST(searches_agree_with_reference_on_every_shape),
        TEST(equal_scores_have_the_lowest_index),
        TEST(duplicate_prototypes_take_both_places),
        TEST(a_class_without_prototypes_has_no_winner),
        TEST(rows_without_a_sample_have_no_winner),
        TEST(scores_that_are_no_numbers_never_win),
        TEST(a_search_is_chosen_for_every_shape),
        TEST(auto_takes_the_way_that_is_fastest_by_the_profile),
        TEST(two_runs_give_the_same_bits),
        TEST(repeated_searches_make_nothing_and_wait_for_nothing),
        TEST(scores_without_room_are_not_stored),
        TEST(lists_agree_with_reference),
        TEST(a_sample_is_found_in_its_data_set_and_candidates_hold_its_winners),
        TEST(searches_have_names),
    };
    return cmocka_run_group_tests_name("nearest", tests, test_group_setup, test_group_teardown);
}
