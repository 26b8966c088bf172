/* Seeded random numbers on the CPU. */
#include "support/support.h"

#include "base/random.h"

/* Known answers of the authors' own library, Random123. */
static void philox_gives_the_published_numbers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], want[4];
    } answers[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < COUNT_OF(answers); ++i) {
        const uint64_t key = (uint64_t)answers[i].key[1] << 32 | answers[i].key[0];
        uint32_t words[4];
        glnn__philox(key, answers[i].counter, words);
        assert_memory_equal(words, answers[i].want, sizeof words);
    }
}

static void a_stream_is_a_function_of_its_key(void **state)
{
    (void)state;
    glnn__random a, b, c;
    glnn__random_start(&a, 42);
    glnn__random_start(&b, 42);
    glnn__random_start(&c, UINT64_C(42) << 32);
    int equal = 0;
    for (int i = 0; i < 1000; ++i) {
        const uint32_t number = glnn__random_next(&a);
        assert_int_equal(number, glnn__random_next(&b));
        equal += number == glnn__random_next(&c);
    }
    assert_true(equal < 3);
}

static void a_stream_does_not_repeat_itself(void **state)
{
    (void)state;
    glnn__random random;
    glnn__random_start(&random, 1);
    uint32_t first[8], next[8];
    for (int i = 0; i < 8; ++i)
        first[i] = glnn__random_next(&random);
    for (int block = 0; block < 1000; ++block) {
        for (int i = 0; i < 8; ++i)
            next[i] = glnn__random_next(&random);
        assert_memory_not_equal(first, next, sizeof next);
    }
}

static void numbers_below_a_bound_are_in_range(void **state)
{
    (void)state;
    static const uint32_t bounds[] = {1, 2, 3, 7, 1000, 0x80000000, 0x80000001, 0xffffffff};
    glnn__random random;
    glnn__random_start(&random, 3);
    for (size_t b = 0; b < COUNT_OF(bounds); ++b)
        for (int i = 0; i < 1000; ++i)
            assert_true(glnn__random_below(&random, bounds[b]) < bounds[b]);
}

/* Ten classes, 100 000 draws: chi squared with 9 degrees of freedom exceeds 34 for one seed in
 * 10 000. */
static void numbers_below_a_small_bound_are_equally_frequent(void **state)
{
    (void)state;
    int counts[10] = {0};
    glnn__random random;
    glnn__random_start(&random, 4);
    for (int i = 0; i < 100000; ++i)
        counts[glnn__random_below(&random, 10)]++;
    double chi = 0;
    for (int i = 0; i < 10; ++i)
        chi += (counts[i] - 10000.0) * (counts[i] - 10000.0) / 10000.0;
    assert_true(chi < 34);
}

/* Of the numbers below 3 * 2^30 a third is below 2^30; by a mere remainder it would be half. Six
 * deviations of 30 000 draws are 490. */
static void a_bound_that_does_not_divide_2_to_the_32_makes_no_bias(void **state)
{
    (void)state;
    glnn__random random;
    glnn__random_start(&random, 5);
    int low = 0;
    for (int i = 0; i < 30000; ++i)
        low += glnn__random_below(&random, 3u << 30) < 1u << 30;
    assert_true(abs(low - 10000) < 490);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_numbers),
        cmocka_unit_test(a_stream_is_a_function_of_its_key),
        cmocka_unit_test(a_stream_does_not_repeat_itself),
        cmocka_unit_test(numbers_below_a_bound_are_in_range),
        cmocka_unit_test(numbers_below_a_small_bound_are_equally_frequent),
        cmocka_unit_test(a_bound_that_does_not_divide_2_to_the_32_makes_no_bias),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
