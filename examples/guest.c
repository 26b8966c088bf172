/* guest - a program that draws trains a network between its frames.
 *
 * The program is the host: it owns the window, the OpenGL context and the scene. The library is its
 * guest, and computes in the same context, on the same textures. In each frame a network learns for
 * a few milliseconds what colour an image of the host has at each place. The left cube shows the
 * image, the right one what the network predicts.
 *
 *     build/examples/guest [FRAMES [pole]]
 *
 * With `pole` the scene has 16 carts that learn to balance poles (common/pole.c) in the time of the
 * frames. Those whose pole fell are not drawn until the next round. FRAMES 0 goes on until the
 * window is closed. */
#include <GL/glew.h>
#include <GLFW/glfw3.h>
#include <cglm/cglm.h>
#include <glnn/glnn.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/pole.h"

enum { SIDE = 64, PLACES = SIDE * SIDE, FEATURES = 24 };

#define CHECK(call) ((call) == GLNN_OK ? (void)0 : fail(glnn_last_error()))

static void fail(const char *sentence)
{
    fprintf(stderr, "guest: %s\n", sentence);
    exit(EXIT_FAILURE);
}

/* ---- The host: window and scene */

static const char *const vertex_source = "#version 430\n"
                                         "layout(location = 0) uniform mat4 to_clip;\n"
                                         "out vec2 place;\n"
                                         "void main() {\n"
                                         "    place = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                         "    gl_Position = to_clip * vec4(2 * place - 1, 1, 1);\n"
                                         "}\n";

static const char *const fragment_source = "#version 430\n"
                                           "uniform sampler2D image;\n"
                                           "in vec2 place;\n"
                                           "out vec4 colour;\n"
                                           "void main() { colour = texture(image, place); }\n";

static GLFWwindow *open_window(void)
{
    glfwInit();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow *window = glfwCreateWindow(960, 540, "guest", NULL, NULL);
    glfwMakeContextCurrent(window);
    if (window == NULL || glewInit() != GLEW_OK)
        fail("a window with OpenGL 4.3 cannot be opened");
    return window;
}

static void prepare_scene(void)
{
    GLint linked;
    GLuint corners;
    const GLuint program = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        glShaderSource(shader, 1, i == 0 ? &vertex_source : &fragment_source, NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        fail("the shaders of the scene cannot be linked");
    glUseProgram(program);
    glGenVertexArrays(1, &corners);
    glBindVertexArray(corners);
    glEnable(GL_DEPTH_TEST);
}

/* A flower in colours, or only grey without contrast. */
static GLuint create_image(float contrast)
{
    static GLubyte pixels[PLACES][4];
    GLuint texture;
    for (int i = 0; i < PLACES; ++i) {
        const float x = (float)(i % SIDE) - SIDE / 2, y = (float)(i / SIDE) - SIDE / 2;
        const float phase = 10.0f / SIDE * hypotf(x, y) - cosf(6.0f * atan2f(y, x));
        for (int c = 0; c < 3; ++c)
            pixels[i][c] = (GLubyte)(127.5f + contrast * cosf((float)c + phase));
    }
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    return texture;
}

/* Looks at the origin in a part of the window; false while the window is minimised. */
static bool look(int left, int width, int height, float distance, mat4 to_clip)
{
    if (width == 0 || height == 0)
        return false;
    const float aspect = (float)width / (float)height;
    glViewport(left, 0, width, height);
    glm_perspective(glm_rad(30.0f), aspect, 0.1f, 100.0f, to_clip);
    glm_translate(to_clip, (vec3){0.0f, 0.0f, -distance * glm_max(1.0f, 1.0f / aspect)});
    glm_rotate(to_clip, glm_rad(25.0f), GLM_XUP);
    return true;
}

/* Draws a cube of side 2. Quarter turns around y and x in turn bring one side to the places of
 * all. */
static void draw_cube(GLuint image, mat4 to_clip)
{
    glBindTexture(GL_TEXTURE_2D, image);
    for (int side = 0; side < 6; ++side) {
        glUniformMatrix4fv(0, 1, GL_FALSE, to_clip[0]);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glm_rotate(to_clip, GLM_PI_2f, side % 2 == 0 ? GLM_YUP : GLM_XUP);
    }
    if (glGetError() != GL_NO_ERROR)
        fail("OpenGL reports an error in a frame");
}

static void draw_turning_cube(GLuint image, int left, int width, int height, float angle)
{
    mat4 to_clip;
    if (!look(left, width, height, 6.5f, to_clip))
        return;
    glm_rotate(to_clip, angle, GLM_YUP);
    draw_cube(image, to_clip);
}

/* A cart and its pole are cubes of other sides. Carts stand one behind the other. */
static void draw_carts(const pole_agent *agent, GLuint image, int width, int height)
{
    mat4 to_clip, part;
    for (int i = 0; i < POLE_CARTS && look(0, width, height, 10.0f, to_clip); ++i) {
        const pole_cart *cart = &agent->carts[i];
        if (agent->lengths[i] < POLE_MOMENTS)
            continue;
        glm_rotate(to_clip, 0.5f, GLM_YUP);
        glm_translate(to_clip, (vec3){cart->position, -0.8f, 0.4f * (float)(POLE_CARTS / 2 - i)});
        glm_mat4_copy(to_clip, part);
        glm_scale(part, (vec3){0.25f, 0.1f, 0.12f});
        draw_cube(image, part);
        glm_rotate(to_clip, -cart->angle, GLM_ZUP);
        glm_translate(to_clip, (vec3){0.0f, 0.6f, 0.0f});
        glm_scale(to_clip, (vec3){0.03f, 0.6f, 0.03f});
        draw_cube(image, to_clip);
    }
}

/* ---- The guest: a network that learns the colours of places */

/* The features of a pixel are waves in many directions (Rahimi and Recht, 2007). */
static const char waves[] = "sin(0.02 * float(column) * (float(row % 64) * cos(float(column)) + "
                            "float(row / 64) * sin(float(column))) + float(column))";

typedef struct learner {
    glnn_context *ctx;
    glnn_matrix *places, *image, *prediction; /* a row of features or colours for each pixel */
    glnn_dataset *data;
    glnn_learner *network;
    glnn_trainer *trainer;
    double warmth; /* of the trainer; below 1: it compiles programs */
} learner;

/* The textures stay the host's. */
static void start_learning(learner *out, GLuint image, GLuint prediction)
{
    const glnn_matrix_desc features = {.rows = PLACES, .columns = FEATURES};
    glnn_texture_desc pixels = {.texture = image, .pixels = GLNN_PIXELS_AS_ROWS, .channels = 3};
    const glnn_network_desc network = {
        .features = FEATURES,
        .layers = {{.units = 48},
                   {.units = 48},
                   {.units = 3, .activation = GLNN_ACTIVATION_SIGMOID}},
        .loss = GLNN_LOSS_SQUARED,
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM}};
    const glnn_train_desc train = {.epochs = INT_MAX, .batch = 256, .schedule = {.rate = 0.003f}};
    CHECK(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &out->ctx));
    CHECK(glnn_matrix_adopt(out->ctx, &pixels, &out->image));
    pixels.texture = prediction;
    CHECK(glnn_matrix_adopt(out->ctx, &pixels, &out->prediction));
    CHECK(glnn_matrix_create(out->ctx, &features, &out->places));
    CHECK(glnn_map_apply_expression(out->ctx, waves, out->places, out->places));
    const glnn_dataset_matrices_desc data = {.inputs = out->places, .targets = out->image};
    CHECK(glnn_dataset_create_from_matrices(out->ctx, &data, &out->data));
    CHECK(glnn_network_create(out->ctx, &network, &out->network));
    CHECK(glnn_trainer_create(out->network, out->data, &train, &out->trainer));
}

/* The first frames compile programs. Later ones make as many steps as fit. */
static void learn(learner *of, double milliseconds)
{
    CHECK(glnn_context_begin(of->ctx));
    if (of->warmth < 1)
        CHECK(glnn_trainer_warm_up(of->trainer, milliseconds, &of->warmth));
    else if (!glnn_trainer_is_finished(of->trainer))
        CHECK(glnn_trainer_step(of->trainer, 0, milliseconds, NULL, NULL));
    CHECK(glnn_learner_predict_matrix(of->network, of->places, of->prediction));
    CHECK(glnn_context_end(of->ctx));
}

static void end_frame(GLFWwindow *window)
{
    glfwSwapBuffers(window);
    glfwPollEvents();
}

static void show_image(GLFWwindow *window, int frames)
{
    learner guest = {.warmth = 0};
    const GLuint image = create_image(127.0f), prediction = create_image(0.0f);
    start_learning(&guest, image, prediction);
    for (int frame = 1; frame <= frames && !glfwWindowShouldClose(window); ++frame) {
        int width, height;
        learn(&guest, 4.0);
        glfwGetFramebufferSize(window, &width, &height);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        draw_turning_cube(image, 0, width / 2, height, 0.012f * (float)frame);
        draw_turning_cube(prediction, width / 2, width / 2, height, 0.012f * (float)frame);
        if (frame % 100 == 0)
            fprintf(stderr, "frame %d: loss %.5f\n", frame,
                    glnn_trainer_get_report(guest.trainer)->training.loss);
        end_frame(window);
    }
    glnn_trainer_destroy(guest.trainer);
    glnn_learner_destroy(guest.network);
    glnn_dataset_destroy(guest.data);
    glnn_matrix_destroy(guest.prediction);
    glnn_matrix_destroy(guest.image);
    glnn_matrix_destroy(guest.places);
    glnn_context_destroy(guest.ctx);
}

/* ---- Another guest: carts that learn to balance poles */

/* A round of another agent compiles all programs before the first frame. */
static pole_agent *start_balancing(glnn_context *ctx)
{
    pole_agent *first = pole_create(ctx);
    while (!pole_step(first))
        continue;
    pole_destroy(first);
    return pole_create(ctx);
}

/* Makes as many moments as fit into the time, and returns the milliseconds that they took. */
static double balance(pole_agent *agent, double milliseconds)
{
    const double begin = glfwGetTime();
    double passed = 0;
    CHECK(glnn_context_begin(agent->ctx));
    while (passed < milliseconds) {
        pole_step(agent);
        passed = 1e3 * (glfwGetTime() - begin);
    }
    CHECK(glnn_context_end(agent->ctx));
    return passed;
}

static void show_poles(GLFWwindow *window, int frames)
{
    const GLuint image = create_image(127.0f);
    glnn_context *ctx;
    double longest = 0;
    CHECK(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &ctx));
    pole_agent *agent = start_balancing(ctx);
    for (int frame = 1; frame <= frames && !glfwWindowShouldClose(window); ++frame) {
        int width, height;
        longest = fmax(longest, balance(agent, 2.0));
        glfwGetFramebufferSize(window, &width, &height);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        draw_carts(agent, image, width, height);
        if (frame % 100 == 0) {
            fprintf(stderr, "frame %d: poles stood for %.1f of %d moments; up to %.1f ms a frame\n",
                    frame, agent->mean_length, POLE_MOMENTS, longest);
            longest = 0;
        }
        end_frame(window);
    }
    pole_destroy(agent);
    glnn_context_destroy(ctx);
}

int main(int argc, char **argv)
{
    const int frames = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : INT_MAX;
    if (argc > 2 && strcmp(argv[2], "pole") != 0)
        fail("the arguments are a number of frames, and `pole` for the poles");
    GLFWwindow *window = open_window();
    prepare_scene();
    (argc > 2 ? show_poles : show_image)(window, frames);
    glfwTerminate();
    return EXIT_SUCCESS;
}
