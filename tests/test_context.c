/* Own contexts: the ways to one, what they refuse, and what they tell. */
#include "support/foreign.h"

#include "gl/limits.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Refusal */

/* Making a context of this description fails with this status and these words. */
static void expect_refusal(const glnn_context_desc *desc, glnn_status status, const char *words)
{
    glnn_context *ctx = NULL;
    expect_error(glnn_context_create(desc, &ctx), status, words);
    assert_null(ctx);
}

static void null_arguments_are_refused(void **state)
{
    (void)state;
    int count = 0;
    assert_int_equal(glnn_context_create(NULL, NULL), GLNN_E_ARG);
    assert_int_equal(glnn_context_finish(NULL), GLNN_E_ARG);
    assert_int_equal(glnn_context_get_info(NULL, NULL), GLNN_E_ARG);
    assert_int_equal(glnn_context_get_counters(NULL, NULL), GLNN_E_ARG);
    assert_int_equal(glnn_device_list(NULL, 0, NULL), GLNN_E_ARG);
    assert_int_equal(glnn_device_list(NULL, 1, &count), GLNN_E_ARG);
    assert_int_equal(glnn_device_list(NULL, -1, &count), GLNN_E_ARG);
    glnn_context_destroy(NULL);
    glnn_context_reset_counters(NULL);
}

static void device_past_the_list_is_refused_with_both_numbers(void **state)
{
    (void)state;
    int count = 0;
    char words[64];
    expect_ok(glnn_device_list(NULL, 0, &count));
    snprintf(words, sizeof words, "device %d: EGL lists %d", count + 6, count);
    expect_refusal(&(glnn_context_desc){.device = count + 6}, GLNN_E_LIMIT, words);
}

static void senseless_descriptions_are_refused(void **state)
{
    (void)state;
    expect_refusal(&(glnn_context_desc){.device = -3}, GLNN_E_ARG, "-3");
    expect_refusal(&(glnn_context_desc){.platform = (glnn_platform)17}, GLNN_E_ARG, "17");
    expect_refusal(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT, .device = 1}, GLNN_E_ARG,
                   "only EGL");
    expect_refusal(&(glnn_context_desc){.pass_limit_ms = -1}, GLNN_E_ARG, "-1");
}

static void adopting_nothing_is_refused(void **state)
{
    (void)state;
    expect_refusal(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, GLNN_E_STATE, "current");
}

/* Mesa reads its overrides once a process, so this runs in one of its own. */
static int run_with_old_opengl(void)
{
    const glnn_platform platforms[] = {GLNN_PLATFORM_EGL, GLNN_PLATFORM_GLFW};
    glnn_device device = {.size = sizeof device};
    int count = 0;
    if (glnn_device_list(&device, 1, &count) != GLNN_OK || device.usable || !device.renderer[0])
        return 1;
    for (int i = 0; i < 2; ++i) {
        glnn_context *ctx = NULL;
        glnn_status status =
            glnn_context_create(&(glnn_context_desc){.platform = platforms[i]}, &ctx);
        const char *sentence = glnn_last_error();
        if (status != GLNN_E_UNSUPPORTED || !strstr(sentence, "4.3") || !strstr(sentence, "3.3") ||
            !strstr(sentence, device.renderer) || eglGetCurrentContext() != EGL_NO_CONTEXT) {
            fprintf(stderr, "platform %d: %s: %s\n", i, glnn_status_name(status), sentence);
            return 1;
        }
    }
    return 0;
}

static const char *program_path;

static void opengl_3_3_is_refused_by_name(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("MESA_GL_VERSION_OVERRIDE", "3.3", 1);
        setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
        execl(program_path, program_path, "--old-opengl", (char *)NULL);
        _exit(127);
    }
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), 0);
}

/* Own contexts */

static void devices_are_listed_and_nothing_stays_current(void **state)
{
    (void)state;
    glnn_device devices[16] = {{.size = sizeof devices[0]}};
    int count = 0;
    int usable = 0;
    expect_ok(glnn_device_list(devices, 16, &count));
    assert_in_range(count, 1, 16);
    for (int i = 0; i < count; ++i) {
        assert_int_equal(devices[i].index, i);
        if (!devices[i].usable)
            continue;
        ++usable;
        assert_true(devices[i].renderer[0]);
        assert_true(devices[i].version[0]);
    }
    assert_true(usable >= 1);
    assert_ptr_equal(eglGetCurrentContext(), EGL_NO_CONTEXT);
}

static void listing_devices_keeps_the_current_context(void **state)
{
    (void)state;
    glnn_context *ctx = NULL;
    glnn_device device = {.size = sizeof device};
    int count = 0;
    expect_ok(glnn_context_create(NULL, &ctx));
    EGLContext before = eglGetCurrentContext();
    expect_ok(glnn_device_list(&device, 1, &count));
    assert_ptr_equal(eglGetCurrentContext(), before);
    glnn_context_destroy(ctx);
}

static void info_names_the_renderer_and_has_sane_limits(void **state)
{
    (void)state;
    glnn_context *ctx = NULL;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_create(NULL, &ctx));
    expect_ok(glnn_context_get_info(ctx, &info));
    assert_true(info.vendor[0] && info.renderer[0] && info.version[0]);
    assert_true(info.max_texture_size >= 16384);
    assert_true(info.max_array_layers >= 8);
    assert_true(info.max_draw_buffers >= 8);
    assert_true(info.texture_budget > (size_t)1 << 20);
    assert_int_equal(info.texture_bytes, 0);
    assert_int_equal(glnn_context_get_info(ctx, NULL), GLNN_E_ARG);
    glnn_context_destroy(ctx);
    assert_ptr_equal(eglGetCurrentContext(), EGL_NO_CONTEXT);
}

#define GIB 1073741824.0

/* Numbers that drivers have reported, with some of software renderers that report garbage. */
static void a_reported_memory_is_bounded_by_that_of_the_machine(void **state)
{
    (void)state;
    static const struct {
        bool is_software;
        double reported, machine, budget;
    } cases[] = {
        {false, 80 * GIB, 192 * GIB, 40 * GIB}, {false, 141 * GIB, 1024 * GIB, 70.5 * GIB},
        {false, 8 * GIB, 16 * GIB, 4 * GIB},    {false, 24 * GIB, 16 * GIB, 8 * GIB},
        {false, 0, 16 * GIB, 8 * GIB},          {false, 0, INFINITY, GIB / 2},
        {false, 6 * GIB, INFINITY, 3 * GIB},    {true, 264 * GIB, 24 * GIB, 12 * GIB},
        {true, 2047 * GIB, 24 * GIB, 12 * GIB}, {true, GIB / 1024, 24 * GIB, 12 * GIB},
        {true, 0, 24 * GIB, 12 * GIB},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        assert_int_equal(
            glnn__gl_default_budget(cases[i].is_software, cases[i].reported, cases[i].machine),
            (size_t)cases[i].budget);
}

static size_t memory_of_machine(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

static void the_default_texture_budget_is_at_most_half_of_the_memory(void **state)
{
    (void)state;
    glnn_context *ctx = NULL;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_create(NULL, &ctx));
    expect_ok(glnn_context_get_info(ctx, &info));
    if (info.software)
        assert_int_equal(info.texture_budget, memory_of_machine() / 2);
    else
        assert_in_range(info.texture_budget, (size_t)1 << 26, memory_of_machine() / 2);
    glnn_context_destroy(ctx);
}

static void software_renderers_are_known_by_their_names(void **state)
{
    (void)state;
    static const char *const software[] = {
        "llvmpipe (LLVM 15.0.6, 256 bits)",
        "zink Vulkan 1.4(llvmpipe (LLVM 19.1.7, 256 bits) (MESA_LLVMPIPE))",
        "virgl (LLVMPIPE (LLVM 15.0.6, 256 bits))",
        "softpipe",
        "Google SwiftShader",
        "Microsoft Basic Render Driver",
    };
    static const char *const hardware[] = {
        "", "NVIDIA H100 80GB HBM3/PCIe/SSE2", "virgl (Mesa Intel(R) UHD Graphics 620 (KBL GT2))",
        "zink Vulkan 1.3(NVIDIA GeForce RTX 3060 (NVIDIA_PROPRIETARY))",
        "AMD Radeon RX 6800 (radeonsi, navi21, LLVM 15.0.6, DRM 3.49)"};
    for (size_t i = 0; i < COUNT_OF(software); ++i)
        assert_true(glnn__gl_is_software(software[i]));
    for (size_t i = 0; i < COUNT_OF(hardware); ++i)
        assert_false(glnn__gl_is_software(hardware[i]));
}

static void texture_budget_is_the_callers(void **state)
{
    (void)state;
    glnn_context *ctx = NULL;
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_create(&(glnn_context_desc){.texture_budget = 12345}, &ctx));
    expect_ok(glnn_context_get_info(ctx, &info));
    assert_int_equal(info.texture_budget, 12345);
    glnn_context_destroy(ctx);
}

static void finish_counts_one_wait_and_reset_clears_it(void **state)
{
    (void)state;
    glnn_context *ctx = NULL;
    glnn_counters counters = {.size = sizeof counters};
    expect_ok(glnn_context_create(NULL, &ctx));
    expect_ok(glnn_context_get_counters(ctx, &counters));
    assert_int_equal(counters.waits, 0);
    expect_ok(glnn_context_finish(ctx));
    expect_ok(glnn_context_get_counters(ctx, &counters));
    assert_int_equal(counters.waits, 1);
    glnn_context_reset_counters(ctx);
    expect_ok(glnn_context_get_counters(ctx, &counters));
    assert_int_equal(counters.waits, 0);
    glnn_context_destroy(ctx);
}

static void opengl_errors_become_a_status_and_a_message(void **state)
{
    (void)state;
    glnn_context *ctx = NULL;
    watch_log();
    expect_ok(glnn_context_create(&(glnn_context_desc){.debug = true}, &ctx));
    glEnable(0xdead);
    expect_error(glnn_context_finish(ctx), GLNN_E_GL, "GL_INVALID_ENUM");
    assert_int_equal(watched_messages(GLNN_LOG_ERROR), 1);
    expect_ok(glnn_context_finish(ctx));
    glnn_context_destroy(ctx);
    glnn_log_set(NULL, NULL);
}

static void use_in_turn(const glnn_context_desc *first, const glnn_context_desc *second)
{
    glnn_context *a = NULL;
    glnn_context *b = NULL;
    expect_ok(glnn_context_create(first, &a));
    expect_ok(glnn_context_create(second, &b));
    for (int i = 0; i < 3; ++i) {
        expect_ok(glnn_context_finish(a));
        expect_ok(glnn_context_finish(b));
    }
    glnn_context_destroy(a);
    expect_ok(glnn_context_finish(b));
    glnn_context_destroy(b);
}

static void two_contexts_are_used_in_turn(void **state)
{
    (void)state;
    const glnn_context_desc egl = {.platform = GLNN_PLATFORM_EGL};
    const glnn_context_desc glfw = {.platform = GLNN_PLATFORM_GLFW};
    use_in_turn(&egl, &egl);
    use_in_turn(&glfw, &glfw);
    use_in_turn(&egl, &glfw);
    use_in_turn(&glfw, &egl);
}

/* The second run finds GLFW ended by the first, and begins anew. */
static void hidden_window_gives_a_context(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        glnn_context *ctx = NULL;
        expect_ok(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_GLFW}, &ctx));
        expect_ok(glnn_context_finish(ctx));
        glnn_context_destroy(ctx);
        glfwGetError(NULL);
        glfwGetTime();
        assert_int_equal(glfwGetError(NULL), GLFW_NOT_INITIALIZED);
    }
}

static void a_program_that_runs_glfw_keeps_it(void **state)
{
    (void)state;
    glnn_context *ctx = NULL;
    assert_true(glfwInit());
    expect_ok(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_GLFW}, &ctx));
    glnn_context_destroy(ctx);
    glfwGetTime();
    assert_int_equal(glfwGetError(NULL), GLFW_NO_ERROR);
    glfwTerminate();
}

int main(int argc, char **argv)
{
    program_path = argv[0];
    if (argc > 1 && strcmp(argv[1], "--old-opengl") == 0)
        return run_with_old_opengl();
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(null_arguments_are_refused),
        CONTEXT_TEST(device_past_the_list_is_refused_with_both_numbers),
        CONTEXT_TEST(senseless_descriptions_are_refused),
        CONTEXT_TEST(adopting_nothing_is_refused),
        CONTEXT_TEST(opengl_3_3_is_refused_by_name),
        CONTEXT_TEST(devices_are_listed_and_nothing_stays_current),
        CONTEXT_TEST(listing_devices_keeps_the_current_context),
        CONTEXT_TEST(info_names_the_renderer_and_has_sane_limits),
        CONTEXT_TEST(a_reported_memory_is_bounded_by_that_of_the_machine),
        CONTEXT_TEST(the_default_texture_budget_is_at_most_half_of_the_memory),
        CONTEXT_TEST(software_renderers_are_known_by_their_names),
        CONTEXT_TEST(texture_budget_is_the_callers),
        CONTEXT_TEST(finish_counts_one_wait_and_reset_clears_it),
        CONTEXT_TEST(opengl_errors_become_a_status_and_a_message),
        CONTEXT_TEST(two_contexts_are_used_in_turn),
        CONTEXT_TEST(hidden_window_gives_a_context),
        CONTEXT_TEST(a_program_that_runs_glfw_keeps_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
