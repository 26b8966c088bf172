/* guest - a program that draws trains a network between its frames.
 *
 * The program is the host: it owns the window, the OpenGL context and the scene. The library is its
 * guest, and computes in the same context, on the same textures. In each frame a network learns for
 * a few milliseconds what colour an image of the host has at each place. The left cube shows the
 * image, the right one what the network predicts. */
#include <GL/glew.h>
#include <GLFW/glfw3.h>
#include <cglm/cglm.h>
#include <glnn/glnn.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

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

/* Draws a cube into a part of the window, which is empty while the window is minimised. Quarter
 * turns around y and x in turn bring one side to the places of all. */
static void draw_cube(GLuint image, int left, int width, int height, float angle)
{
    mat4 to_clip;
    if (width == 0 || height == 0)
        return;
    const float aspect = (float)width / (float)height;
    glViewport(left, 0, width, height);
    glm_perspective(glm_rad(30.0f), aspect, 0.1f, 100.0f, to_clip);
    glm_translate(to_clip, (vec3){0.0f, 0.0f, -6.5f * glm_max(1.0f, 1.0f / aspect)});
    glm_rotate(to_clip, glm_rad(25.0f), GLM_XUP);
    glm_rotate(to_clip, angle, GLM_YUP);
    glBindTexture(GL_TEXTURE_2D, image);
    for (int side = 0; side < 6; ++side) {
        glUniformMatrix4fv(0, 1, GL_FALSE, to_clip[0]);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glm_rotate(to_clip, GLM_PI_2f, side % 2 == 0 ? GLM_YUP : GLM_XUP);
    }
    if (glGetError() != GL_NO_ERROR)
        fail("OpenGL reports an error in a frame");
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

/* Draws as many frames as the command line says, or until the window is closed. */
int main(int argc, char **argv)
{
    const int frames = argc > 1 ? atoi(argv[1]) : INT_MAX;
    learner guest = {.warmth = 0};
    GLFWwindow *window = open_window();
    const GLuint image = create_image(127.0f), prediction = create_image(0.0f);
    prepare_scene();
    start_learning(&guest, image, prediction);
    for (int frame = 1; frame <= frames && !glfwWindowShouldClose(window); ++frame) {
        int width, height;
        learn(&guest, 4.0);
        glfwGetFramebufferSize(window, &width, &height);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        draw_cube(image, 0, width / 2, height, 0.012f * (float)frame);
        draw_cube(prediction, width / 2, width / 2, height, 0.012f * (float)frame);
        if (frame % 100 == 0)
            fprintf(stderr, "frame %d: loss %.5f\n", frame,
                    glnn_trainer_get_report(guest.trainer)->training.loss);
        glfwSwapBuffers(window);
        glfwPollEvents();
    }
    glnn_trainer_destroy(guest.trainer);
    glnn_learner_destroy(guest.network);
    glnn_dataset_destroy(guest.data);
    glnn_matrix_destroy(guest.prediction);
    glnn_matrix_destroy(guest.image);
    glnn_matrix_destroy(guest.places);
    glnn_context_destroy(guest.ctx);
    glfwTerminate();
    return EXIT_SUCCESS;
}
