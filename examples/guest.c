/* guest - a program that draws trains a network between its frames.
 *
 * The program is the host: it owns the window, the OpenGL context and the scene. The library is its
 * guest, and computes in the same context, on the same textures. In each frame a network learns for
 * a few milliseconds what colour an image of the host has at each place. It writes the colours that
 * it predicts to another texture of the host. The left cube shows the image, the right one the
 * prediction. No pixel passes through main memory.
 *
 * This file needs no other one of the examples. */
#include <GL/glew.h>
#include <GLFW/glfw3.h>

#include <cglm/cglm.h>

#include <glnn/glnn.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 64, PLACES = SIDE * SIDE, OCTAVES = 5, FEATURES = 4 * OCTAVES, UNITS = 48 };

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "guest: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != GLNN_OK)                                                                     \
            fail(#call, glnn_last_error());                                                        \
    } while (0)

/* ---- The host: window and scene */

static const char full_triangle[] =
    "#version 430\n"
    "out vec2 place;\n"
    "void main() {\n"
    "    place = vec2(gl_VertexID == 1 ? 2 : 0, gl_VertexID == 2 ? 2 : 0);\n"
    "    gl_Position = vec4(2 * place - 1, 0, 1);\n"
    "}\n";

static const char pattern[] =
    "#version 430\n"
    "in vec2 place;\n"
    "out vec4 colour;\n"
    "void main() {\n"
    "    vec2 p = 2 * place - 1;\n"
    "    float petals = cos(6 * atan(p.y, p.x)) * smoothstep(0.1, 0.4, length(p));\n"
    "    colour = vec4(0.5 + 0.5 * cos(vec3(0, 1, 2) + 5 * length(p) - petals), 1);\n"
    "}\n";

/* Each instance is a side of the cube. */
static const char cube[] =
    "#version 430\n"
    "layout(location = 0) uniform mat4 to_clip;\n"
    "layout(location = 1) uniform mat4 to_world;\n"
    "out vec2 place;\n"
    "out float light;\n"
    "void main() {\n"
    "    const mat3 turns[3] = mat3[](mat3(1), mat3(0, 0, -1, 0, 1, 0, 1, 0, 0),\n"
    "                                 mat3(1, 0, 0, 0, 0, -1, 0, 1, 0));\n"
    "    const mat3 opposite = mat3(-1, 0, 0, 0, 1, 0, 0, 0, -1);\n"
    "    mat3 turn = turns[gl_InstanceID % 3] * (gl_InstanceID < 3 ? mat3(1) : opposite);\n"
    "    place = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
    "    light = 0.55 + 0.45 * max(dot(mat3(to_world) * turn[2], vec3(0.27, 0.53, 0.8)), 0);\n"
    "    gl_Position = to_clip * to_world * vec4(turn * vec3(2 * place - 1, 1), 1);\n"
    "}\n";

static const char lit[] = "#version 430\n"
                          "layout(binding = 0) uniform sampler2D image;\n"
                          "in vec2 place;\n"
                          "in float light;\n"
                          "out vec4 colour;\n"
                          "void main() { colour = vec4(light * texture(image, place).rgb, 1); }\n";

static GLuint link_program(const char *vertex, const char *fragment)
{
    GLint linked;
    char log[2048];
    const char *const sources[] = {vertex, fragment};
    const GLuint program = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        glShaderSource(shader, 1, &sources[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!linked)
        fail("a program of the scene", log);
    return program;
}

static GLFWwindow *open_window(void)
{
    if (!glfwInit())
        fail("GLFW", "there is no display");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SAMPLES, 4);
    GLuint corners;
    GLFWwindow *window = glfwCreateWindow(960, 540, "guest", NULL, NULL);
    if (window == NULL)
        fail("GLFW", "a window with OpenGL 4.3 cannot be created");
    glfwMakeContextCurrent(window);
    glewExperimental = GL_TRUE;
    if (glewInit() != GLEW_OK)
        fail("GLEW", "the functions of OpenGL cannot be loaded");
    glGetError(); /* GLEW leaves one in a core profile */
    glGenVertexArrays(1, &corners);
    glBindVertexArray(corners);
    return window;
}

static GLuint create_texture(void)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIDE, SIDE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

/* Renders the pattern into a texture. */
static GLuint draw_image(void)
{
    GLuint framebuffer;
    const GLuint texture = create_texture(), program = link_program(full_triangle, pattern);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glViewport(0, 0, SIDE, SIDE);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUseProgram(0); /* the library refuses to compute while a deleted program is in use */
    glDeleteProgram(program);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    return texture;
}

static void draw_cube(GLuint image, float aspect, float x, float seconds)
{
    mat4 projection, view, to_clip, to_world;
    glm_perspective(glm_rad(30.0f), aspect, 0.1f, 100.0f, projection);
    glm_lookat((vec3){0.0f, 0.0f, 9.0f * glm_max(1.0f, 1.8f / aspect)}, GLM_VEC3_ZERO, GLM_YUP,
               view);
    glm_mat4_mul(projection, view, to_clip);
    glm_translate_make(to_world, (vec3){x, 0.0f, 0.0f});
    glm_rotate(to_world, glm_rad(25.0f), GLM_XUP);
    glm_rotate(to_world, 0.5f * seconds - 0.6f, GLM_YUP);
    glUniformMatrix4fv(0, 1, GL_FALSE, to_clip[0]);
    glUniformMatrix4fv(1, 1, GL_FALSE, to_world[0]);
    glBindTexture(GL_TEXTURE_2D, image);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 6);
}

static void draw_scene(GLuint image, GLuint prediction, int width, int height, float seconds)
{
    const float aspect = (float)width / (float)height;
    glViewport(0, 0, width, height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_cube(image, aspect, -2.0f, seconds);
    draw_cube(prediction, aspect, 2.0f, seconds);
    if (glGetError() != GL_NO_ERROR)
        fail("a frame", "OpenGL reports an error");
}

/* ---- The guest: a network that learns the colours of places */

typedef struct learner {
    glnn_context *ctx;
    glnn_matrix *places;             /* the features of each pixel             */
    glnn_matrix *image, *prediction; /* the colours of each pixel, in textures */
    glnn_dataset *data;
    glnn_network *network;
    glnn_trainer *trainer;
    double warmth; /* of the trainer; below 1: it compiles programs */
} learner;

/* The features of a pixel are waves of its coordinates (Tancik et al., 2020). The library computes
 * them where they stay, on the GPU. */
static glnn_matrix *describe_places(glnn_context *ctx)
{
    char expression[256];
    glnn_matrix *places;
    snprintf(expression, sizeof expression,
             "sin(radians(180.0) * (exp2(float(column / 4)) * "
             "(float(column %% 2 == 0 ? row %% %d : row / %d) + 0.5) / %d.0 + "
             "0.5 * float(column / 2 %% 2)))",
             SIDE, SIDE, SIDE);
    CHECK(
        glnn_matrix_create(ctx, &(glnn_matrix_desc){.rows = PLACES, .columns = FEATURES}, &places));
    CHECK(glnn_map_apply_expression(ctx, expression, places, places));
    return places;
}

static glnn_matrix *adopt_texture(glnn_context *ctx, GLuint texture)
{
    glnn_matrix *matrix;
    CHECK(glnn_matrix_adopt(
        ctx, &(glnn_texture_desc){.texture = texture, .pixels = GLNN_PIXELS_AS_ROWS, .channels = 3},
        &matrix));
    return matrix;
}

static void create_network(learner *out)
{
    CHECK(glnn_network_create(
        out->ctx,
        &(glnn_network_desc){.features = FEATURES,
                             .layers = {{.units = UNITS, .activation = GLNN_ACTIVATION_RELU},
                                        {.units = UNITS, .activation = GLNN_ACTIVATION_RELU},
                                        {.units = 3, .activation = GLNN_ACTIVATION_SIGMOID}},
                             .loss = GLNN_LOSS_SQUARED,
                             .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                             .capacity = PLACES,
                             .seed = 1},
        &out->network));
    CHECK(glnn_network_trainer_create(
        out->network, out->data,
        &(glnn_train_desc){.epochs = INT_MAX, .batch = 256, .schedule = {.rate = 0.003f}},
        &out->trainer));
}

/* The textures stay the host's. */
static void start_learning(learner *out, GLuint image, GLuint prediction)
{
    *out = (learner){.warmth = 0};
    CHECK(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &out->ctx));
    out->places = describe_places(out->ctx);
    out->image = adopt_texture(out->ctx, image);
    out->prediction = adopt_texture(out->ctx, prediction);
    CHECK(glnn_dataset_create_from_matrices(
        out->ctx, &(glnn_dataset_matrices_desc){.inputs = out->places, .targets = out->image},
        &out->data));
    create_network(out);
}

/* Makes as many steps as fit, and writes what the network predicts now. The first frames compile
 * programs instead. */
static void learn(learner *of, double milliseconds)
{
    CHECK(glnn_context_begin(of->ctx));
    if (of->warmth < 1)
        CHECK(glnn_trainer_warm_up(of->trainer, milliseconds, &of->warmth));
    else
        CHECK(glnn_trainer_step(of->trainer, 0, milliseconds, NULL, NULL));
    CHECK(glnn_network_predict_matrix(of->network, of->places, of->prediction));
    CHECK(glnn_context_end(of->ctx));
}

static void stop_learning(learner *of)
{
    glnn_trainer_destroy(of->trainer);
    glnn_network_destroy(of->network);
    glnn_dataset_destroy(of->data);
    glnn_matrix_destroy(of->prediction);
    glnn_matrix_destroy(of->image);
    glnn_matrix_destroy(of->places);
    glnn_context_destroy(of->ctx);
}

/* Draws as many frames as the command line says, or until the window is closed. */
int main(int argc, char **argv)
{
    const int frames = argc > 1 ? atoi(argv[1]) : INT_MAX;
    learner network;
    GLFWwindow *window = open_window();
    const GLuint image = draw_image(), prediction = create_texture();
    start_learning(&network, image, prediction);
    glUseProgram(link_program(cube, lit));
    glEnable(GL_DEPTH_TEST);
    glClearColor(0.12f, 0.13f, 0.16f, 1.0f);
    glfwSwapInterval(argc > 1 ? 0 : 1);
    for (int frame = 1; frame <= frames && !glfwWindowShouldClose(window); ++frame) {
        int width, height;
        learn(&network, 4.0);
        glfwGetFramebufferSize(window, &width, &height);
        if (width > 0 && height > 0) /* both are 0 while the window is minimised */
            draw_scene(image, prediction, width, height, (float)frame / 60.0f);
        if (frame % 100 == 0) {
            printf("frame %d: loss %.5f\n", frame,
                   glnn_trainer_get_report(network.trainer)->training.loss);
            fflush(stdout);
        }
        glfwSwapBuffers(window);
        glfwPollEvents();
    }
    stop_learning(&network);
    glfwTerminate();
    return EXIT_SUCCESS;
}
