/* Mistakes of a host that keeps its context between glnn_context_begin and glnn_context_end: pairs
 * that do not match, another context, drawing and deleted objects in a pair. */
#include "support/guest.h"
#include "support/guest_work.h"
#include "support/odd_state.h"

#include <glnn/map.h>

static void an_end_needs_a_begin(void **state)
{
    (void)state;
    glnn_context *own = NULL;
    adopt();
    expect_error(glnn_context_end(guest), GLNN_E_STATE, "no pair is open");
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_context_end(guest));
    expect_error(glnn_context_end(guest), GLNN_E_STATE, "glnn_context_begin");
    expect_error(glnn_context_begin(NULL), GLNN_E_ARG, "ctx");
    expect_error(glnn_context_end(NULL), GLNN_E_ARG, "ctx");
    expect_ok(glnn_context_create(NULL, &own));
    expect_ok(glnn_context_begin(own));
    expect_ok(glnn_context_end(own));
    expect_error(glnn_context_end(own), GLNN_E_STATE, "no pair is open");
    glnn_context_destroy(own);
    expect_error(glnn_context_begin(own), GLNN_E_STATE, "destroyed");
    expect_error(glnn_context_end(own), GLNN_E_STATE, "destroyed");
    foreign_make_current(&host);
    leave_host();
}

static void a_pair_does_not_begin_where_calls_are_refused(void **state)
{
    (void)state;
    adopt();
    const GLuint query = failed_query();
    glBeginConditionalRender(query, GL_QUERY_WAIT);
    expect_error(glnn_context_begin(guest), GLNN_E_STATE, "conditional render");
    glEndConditionalRender();
    expect_error(glnn_context_end(guest), GLNN_E_STATE, "no pair is open");
    glDeleteQueries(1, &query);
    leave_host();
}

static void a_context_is_not_created_where_calls_are_refused(void **state)
{
    (void)state;
    host = foreign_headless();
    glnn_context *ctx = NULL;
    const GLuint query = failed_query();
    glBeginConditionalRender(query, GL_QUERY_WAIT);
    expect_error(adopt_current(&ctx), GLNN_E_STATE,
                 "glnn_context_create: a conditional render is active");
    assert_null(ctx);
    glEndConditionalRender();
    glDeleteQueries(1, &query);
    expect_ok(adopt_current(&guest));
    leave_host();
}

static void a_pair_stays_open_while_another_context_is_current(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = new_square(guest);
    set_odd_state();
    snapshot *before = snapshot_take();
    const foreign other = foreign_sharing(&host);
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_fill(guest, 5, matrix));
    foreign_make_current(&other);
    snapshot *of_other = snapshot_take();
    expect_error(glnn_fill(guest, 6, matrix), GLNN_E_STATE, "not current");
    expect_error(glnn_context_begin(guest), GLNN_E_STATE, "not current");
    expect_error(glnn_context_end(guest), GLNN_E_STATE, "not current");
    snapshot_check(of_other);
    foreign_make_current(&host);
    expect_square(guest, matrix, 5);
    expect_ok(glnn_context_end(guest));
    snapshot_check(before);
    expect_error(glnn_context_end(guest), GLNN_E_STATE, "no pair is open");
    leave_odd_state();
    snapshot_free(of_other);
    snapshot_free(before);
    glnn_matrix_destroy(matrix);
    eglDestroyContext(host.display, other.context);
    leave_host();
}

static void destroying_a_context_ends_its_pairs(void **state)
{
    (void)state;
    adopt();
    set_odd_state();
    snapshot *before = snapshot_take();
    watch_log();
    for (int pairs = 1; pairs < 3; ++pairs) {
        glnn_context *ctx = NULL;
        expect_ok(adopt_current(&ctx));
        for (int i = 0; i < pairs; ++i)
            expect_ok(glnn_context_begin(ctx));
        compute_something(ctx);
        glnn_context_destroy(ctx);
        snapshot_check(before);
        expect_error(glnn_context_end(ctx), GLNN_E_STATE, "destroyed");
    }
    assert_int_equal(watched_messages(GLNN_LOG_WARNING), 0);
    snapshot_free(before);
    leave_odd_state();
    leave_host();
}

static void a_host_that_destroys_its_context_first_can_be_adopted_again(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = new_square(guest);
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_fill(guest, 5, matrix));
    glnn_matrix_destroy(matrix);
    foreign_end(&host);
    glnn_context *former = guest;
    adopt(); /* often at the same address */
    set_odd_state();
    snapshot *before = snapshot_take();
    compute_something(guest);
    snapshot_check(before);
    snapshot_free(before);
    leave_odd_state();
    leave_host();
    watch_log();
    glnn_context_destroy(former);
    assert_int_equal(watched_messages(GLNN_LOG_WARNING), 1);
}

static void an_error_leaves_the_pair_open(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = new_square(guest);
    set_odd_state();
    snapshot *before = snapshot_take();
    expect_ok(glnn_context_begin(guest));
    expect_error(glnn_fill(guest, 1, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_matrix_upload(guest, matrix, &(glnn_rect){0, 0, 9, 9}, (float[81]){0}, 0),
                 GLNN_E_SHAPE, "9 x 9");
    expect_ok(glnn_fill(guest, 2, matrix));
    glEnable(0xdead);
    expect_error(glnn_context_end(guest), GLNN_E_GL,
                 "GL_INVALID_ENUM in the adopted context between glnn_context_begin and "
                 "glnn_context_end; a command of the host inside the pair may have caused it");
    snapshot_check(before);
    expect_error(glnn_context_end(guest), GLNN_E_STATE, "no pair is open");
    expect_square(guest, matrix, 2);
    leave_odd_state();
    snapshot_free(before);
    glnn_matrix_destroy(matrix);
    leave_host();
}

static void a_host_that_draws_in_a_pair_is_told_so(void **state)
{
    (void)state;
    adopt();
    glnn_matrix *matrix = new_square(guest);
    const GLuint program = feedback_program(), other = feedback_program();
    glUseProgram(program);
    snapshot *before = snapshot_take();
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_fill(guest, 3, matrix));
    glUseProgram(other);
    expect_error(glnn_fill(guest, 4, matrix), GLNN_E_STATE, "call glnn_context_end before drawing");
    expect_ok(glnn_context_end(guest));
    snapshot_check(before);
    expect_square(guest, matrix, 3);
    snapshot_free(before);
    glnn_matrix_destroy(matrix);
    leave_host();
}

static void objects_that_the_host_deletes_in_a_pair_are_not_bound_again(void **state)
{
    (void)state;
    adopt();
    GLuint textures[2], framebuffer, sampler, buffer, vertex_array;
    const GLuint program = feedback_program();
    glGenTextures(2, textures);
    glGenFramebuffers(1, &framebuffer);
    glGenSamplers(1, &sampler);
    glGenBuffers(1, &buffer);
    glGenVertexArrays(1, &vertex_array);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glBindImageTexture(1, textures[0], 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32F);
    glBindTexture(GL_TEXTURE_2D_ARRAY, textures[1]);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindSampler(0, sampler);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glBindVertexArray(vertex_array);
    glUseProgram(program);
    expect_ok(glnn_context_begin(guest));
    compute_something(guest);
    glDeleteTextures(2, textures);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteSamplers(1, &sampler);
    glDeleteBuffers(1, &buffer);
    glDeleteVertexArrays(1, &vertex_array);
    glDeleteProgram(program);
    compute_something(guest);
    expect_ok(glnn_context_end(guest));
    static const GLenum bindings[] = {
        GL_TEXTURE_BINDING_2D,       GL_TEXTURE_BINDING_2D_ARRAY, GL_FRAMEBUFFER_BINDING,
        GL_READ_FRAMEBUFFER_BINDING, GL_SAMPLER_BINDING,          GL_PIXEL_PACK_BUFFER_BINDING,
        GL_VERTEX_ARRAY_BINDING,     GL_CURRENT_PROGRAM,
    };
    for (size_t i = 0; i < COUNT_OF(bindings); ++i) {
        GLint name = 1;
        glGetIntegerv(bindings[i], &name);
        assert_int_equal(name, 0);
    }
    leave_host();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_end_needs_a_begin),
        CONTEXT_TEST(a_pair_does_not_begin_where_calls_are_refused),
        CONTEXT_TEST(a_context_is_not_created_where_calls_are_refused),
        CONTEXT_TEST(a_pair_stays_open_while_another_context_is_current),
        CONTEXT_TEST(destroying_a_context_ends_its_pairs),
        CONTEXT_TEST(a_host_that_destroys_its_context_first_can_be_adopted_again),
        CONTEXT_TEST(an_error_leaves_the_pair_open),
        CONTEXT_TEST(a_host_that_draws_in_a_pair_is_told_so),
        CONTEXT_TEST(objects_that_the_host_deletes_in_a_pair_are_not_bound_again),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
