/* Loops over arrays that several threads share: each place is visited once, whatever the number of
 * threads and of places, and the calling thread keeps its cores. */
#define _GNU_SOURCE
#include "support/support.h"

#include "base/cores.h"
#include "base/pool.h"

#ifdef __linux__
#include <sched.h>
#endif

enum { MOST_THREADS = 5, BYTES_OF_PLACE = 8192, MOST_BYTES = 1000003 };

/* Adds 1 to each place. */
static void visit(const void *work, size_t begin, size_t end)
{
    unsigned char *visits = *(unsigned char *const *)work;
    for (size_t i = begin; i < end; ++i)
        ++visits[i];
}

static void each_place_is_visited_once(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 47, 48, 63, 64, 65, 1000};
    for (int threads = 0; threads <= MOST_THREADS; ++threads) {
        glnn__pool *pool = glnn__pool_create(threads);
        assert_non_null(pool);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            unsigned char visits[1001] = {0}, *const places = visits;
            glnn__pool_run(pool, visit, &places, counts[i], BYTES_OF_PLACE);
            for (size_t place = 0; place < sizeof visits; ++place)
                assert_int_equal(visits[place], place < counts[i]);
        }
        glnn__pool_destroy(pool);
    }
}

static void a_copy_has_all_bytes_and_no_more(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 196607, 196608, MOST_BYTES - 1};
    unsigned char *from = malloc(MOST_BYTES), *to = malloc(MOST_BYTES);
    glnn__pool *pool = glnn__pool_create(3);
    assert_true(from && to && pool);
    for (size_t i = 0; i < MOST_BYTES; ++i)
        from[i] = (unsigned char)(i * 7 % 251);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        memset(to, 255, MOST_BYTES);
        glnn__pool_copy(pool, to, from, sizes[i]);
        assert_memory_equal(to, from, sizes[i]);
        assert_int_equal(to[sizes[i]], 255);
    }
    glnn__pool_destroy(pool);
    free(from);
    free(to);
}

static void a_share_of_the_cores_needs_no_core_for_each_process(void **state)
{
    (void)state;
    for (int processes = 0; processes <= 4096; processes = processes * 4 + 1) {
        glnn__pool *pool = glnn__pool_create_share(processes);
        assert_non_null(pool);
        glnn__pool_destroy(pool);
    }
}

static void counting_the_cores_leaves_the_thread_on_its_own(void **state)
{
    (void)state;
#ifdef __linux__
    cpu_set_t before, one, after;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    const int count = glnn__cores_count();
    size_t core = 0;
    while (!CPU_ISSET(core, &before))
        ++core;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(glnn__cores_count(), count);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&one, &after));
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
#endif
    assert_true(glnn__cores_count() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_place_is_visited_once),
        cmocka_unit_test(a_copy_has_all_bytes_and_no_more),
        cmocka_unit_test(a_share_of_the_cores_needs_no_core_for_each_process),
        cmocka_unit_test(counting_the_cores_leaves_the_thread_on_its_own),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
