/* Which barriers passes wait for, by what they and those before them do with textures. */
#include "support/support.h"

#include "tex/texture.h"

/* Uses of the textures of a pass that begins; the barriers that it waited for, a bit a use. */
static unsigned pass(glnn__barriers *all, glnn__uses *read, glnn__use reading, glnn__uses *written,
                     glnn__use writing)
{
    if (read)
        glnn__barrier_note(all, read, reading);
    if (written)
        glnn__barrier_note(all, written, writing);
    const unsigned needed = all->needed;
    glnn__barrier_wait(all);
    assert_int_equal(all->needed, 0);
    return needed;
}

#define FETCH GLNN__USE_FETCH
#define IMAGE GLNN__USE_IMAGE
#define FIXED GLNN__USE_FIXED

static void each_use_of_what_was_stored_waits_once(void **state)
{
    (void)state;
    for (glnn__use use = 0; use < GLNN__USE_COUNT; ++use) {
        glnn__barriers all = {0};
        glnn__uses t = {0};
        assert_int_equal(pass(&all, NULL, FETCH, &t, IMAGE), 0);
        assert_int_equal(pass(&all, &t, use, NULL, IMAGE), 1u << use);
        /* Loads and stores of an image are ordered only by barriers, whatever they find. */
        assert_int_equal(pass(&all, &t, use, NULL, IMAGE), use == IMAGE ? 1u << IMAGE : 0);
    }
}

static void a_barrier_for_one_texture_serves_all_that_were_stored_before(void **state)
{
    (void)state;
    glnn__barriers all = {0};
    glnn__uses a = {0}, b = {0}, c = {0};
    pass(&all, NULL, FETCH, &a, IMAGE);
    pass(&all, NULL, FETCH, &b, IMAGE);
    assert_int_equal(pass(&all, &a, FETCH, &c, IMAGE), 1u << FETCH);
    assert_int_equal(pass(&all, &b, FETCH, NULL, IMAGE), 0);
    assert_int_equal(pass(&all, &c, FETCH, NULL, IMAGE), 1u << FETCH);
}

static void a_store_waits_for_what_reads_the_texture(void **state)
{
    (void)state;
    for (glnn__use use = 0; use < GLNN__USE_COUNT; ++use) {
        glnn__barriers all = {0};
        glnn__uses a = {0}, b = {0};
        pass(&all, &a, use, NULL, IMAGE);
        assert_int_equal(pass(&all, NULL, FETCH, &b, IMAGE), 0);
        assert_int_equal(pass(&all, &b, FETCH, &a, IMAGE), 1u << FETCH | 1u << IMAGE);
        assert_int_equal(pass(&all, NULL, FETCH, &b, IMAGE), 1u << IMAGE);
    }
}

static void what_opengl_orders_by_itself_waits_for_nothing(void **state)
{
    (void)state;
    glnn__barriers all = {0};
    glnn__uses a = {0}, b = {0};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(pass(&all, &a, FETCH, &b, FIXED), 0);
        assert_int_equal(pass(&all, &b, FETCH, &a, FIXED), 0);
    }
    /* Passes that read the same and write apart do not wait for each other. */
    glnn__uses outputs[3] = {{0}};
    for (int i = 0; i < 3; ++i)
        assert_int_equal(pass(&all, &a, FETCH, &outputs[i], IMAGE), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_use_of_what_was_stored_waits_once),
        TEST(a_barrier_for_one_texture_serves_all_that_were_stored_before),
        TEST(a_store_waits_for_what_reads_the_texture),
        TEST(what_opengl_orders_by_itself_waits_for_nothing),
    };
    return cmocka_run_group_tests_name("barriers", tests, test_group_setup, test_group_teardown);
}
