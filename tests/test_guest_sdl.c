/* A host that is a program of SDL2. The excerpts of docs/guests.md for such programs are from this
 * file. */
#include <SDL.h>

#include <stdio.h>

#include <glnn/network.h>
#include <glnn/trainer.h>

#include "support/host_scene.h"
#include "support/support.h"

static SDL_Window *window;
static SDL_GLContext context;

static bool open_window_of(int profile, int major, int minor, char why[256])
{
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
        fail_at(__FILE__, __LINE__, "SDL_Init: %s", SDL_GetError());
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, major);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, minor);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, profile);
    window = SDL_CreateWindow("host", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, 640, 480,
                              SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
    context = window ? SDL_GL_CreateContext(window) : NULL;
    snprintf(why, 256, "%s", context ? "" : SDL_GetError());
    if (context == NULL)
        SDL_Quit();
    return context != NULL;
}

static bool open_window(int minor, bool compatibility, char why[256])
{
    const int profile =
        compatibility ? SDL_GL_CONTEXT_PROFILE_COMPATIBILITY : SDL_GL_CONTEXT_PROFILE_CORE;
    return open_window_of(profile, 4, minor, why);
}

static const host_functions *load_functions(void)
{
    static host_functions gl;
#define LOAD(capitals, name)                                                                       \
    memcpy(&gl.name, &(void *){SDL_GL_GetProcAddress("gl" #name)}, sizeof gl.name);
    HOST_FUNCTIONS(LOAD)
    return &gl;
}

static void close_window(void)
{
    SDL_GL_DeleteContext(context);
    SDL_DestroyWindow(window);
    SDL_Quit();
}

static void a_program_of_sdl_can_be_the_host(void **state)
{
    (void)state;
    check_host(&(host_program){"SDL2", open_window, load_functions, close_window});
}

/* Frames */

static glnn_trainer *trainer_of(glnn_context *ctx, glnn_dataset **data, glnn_learner **network)
{
    static const float inputs[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    static const int labels[4] = {0, 1, 1, 0};
    glnn_trainer *trainer = NULL;
    expect_ok(glnn_dataset_create(
        ctx,
        &(glnn_dataset_desc){
            .samples = 4, .features = 2, .inputs = inputs[0], .labels = labels, .classes = 2},
        data));
    expect_ok(glnn_network_create(
        ctx, &(glnn_network_desc){.features = 2, .layers = {{.units = 8}, {.units = 2}}}, network));
    expect_ok(glnn_trainer_create(*network, *data, &(glnn_train_desc){.epochs = 100000, .batch = 4},
                                  &trainer));
    return trainer;
}

/* A user can do this to a window that learns. */
static void disturb(int frame)
{
    if (frame == 10)
        SDL_SetWindowSize(window, 1, 1);
    if (frame == 20)
        SDL_MinimizeWindow(window);
    if (frame == 30)
        SDL_RestoreWindow(window);
    if (frame == 40)
        SDL_SetWindowSize(window, 300, 20);
    if (frame == 50)
        SDL_HideWindow(window);
}

static void run_frames(glnn_context *ctx, glnn_trainer *trainer, const host_functions *gl)
{
    for (int frame = 0; frame < 60; ++frame) {
        SDL_Event event;
        while (SDL_PollEvent(&event))
            assert_int_not_equal(event.type, SDL_QUIT);
        disturb(frame);
        expect_ok(glnn_context_begin(ctx));
        expect_ok(glnn_trainer_step(trainer, 0, 1, NULL, NULL));
        expect_ok(glnn_context_end(ctx));
        gl->Clear(GL_COLOR_BUFFER_BIT);
        SDL_GL_SwapWindow(window);
        assert_int_equal(gl->GetError(), GL_NO_ERROR);
    }
}

static void learn_in_a_window(bool is_es)
{
    char why[256];
    glnn_context *ctx = NULL;
    glnn_dataset *data = NULL;
    glnn_learner *network = NULL;
    if (is_es)
        assert_true(open_window_of(SDL_GL_CONTEXT_PROFILE_ES, 3, 1, why));
    else
        assert_true(open_window(3, false, why));
    SDL_ShowWindow(window);
    const host_functions *gl = load_functions();
    expect_ok(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &ctx));
    glnn_trainer *trainer = trainer_of(ctx, &data, &network);
    run_frames(ctx, trainer, gl);
    assert_true(glnn_trainer_get_report(trainer)->epoch > 1);
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    close_window();
}

static void a_window_of_sdl_that_is_resized_and_hidden_goes_on_learning(void **state)
{
    (void)state;
    learn_in_a_window(false);
}

static void a_window_of_sdl_with_opengl_es_learns(void **state)
{
    (void)state;
    learn_in_a_window(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_of_sdl_can_be_the_host),
        cmocka_unit_test(a_window_of_sdl_that_is_resized_and_hidden_goes_on_learning),
        cmocka_unit_test(a_window_of_sdl_with_opengl_es_learns),
    };
    SDL_SetMainReady();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
