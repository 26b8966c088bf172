/* guest - a program that draws trains a network between its frames.
 *
 * The program is the host: it owns the window, the OpenGL context and the scene. The library is its
 * guest, and computes in the same context; each call leaves the state of OpenGL as it was. In each
 * frame the network learns for a few milliseconds what colour an image has at each place. The left
 * cube shows the image, and the right one the colours that the network predicts.
 *
 * This file needs no other one of the examples. */
#include <GL/glew.h>
#include <GLFW/glfw3.h>

#include <cglm/cglm.h>

#include <glnn/glnn.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, FREQUENCIES = 4, FEATURES = 2 + 4 * FREQUENCIES, UNITS = 48, BATCH = 256 };

typedef struct settings {
    int frames; /* 0: until the window is closed */
    int width, height, side;
    double training_ms;
    const char *screenshot;
    int profile, minor; /* of OpenGL */
} settings;

/* ---- Errors */

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

static void check_opengl(const char *when)
{
    const GLenum error = glGetError();
    char text[32];
    snprintf(text, sizeof text, "OpenGL error 0x%04X", error);
    if (error != GL_NO_ERROR)
        fail(when, text);
}

/* ---- The host: shaders, window and scene */

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
    "    float radius = length(p), angle = atan(p.y, p.x);\n"
    "    float petals = smoothstep(-0.15, 0.15, 0.62 + 0.22 * cos(6 * angle) - radius);\n"
    "    float heart = smoothstep(-0.05, 0.05, 0.25 - radius);\n"
    "    vec3 ground = mix(vec3(0.05, 0.25, 0.40), vec3(0.10, 0.55, 0.45), place.y);\n"
    "    vec3 petal = mix(vec3(0.95, 0.75, 0.20), vec3(0.85, 0.15, 0.35), radius);\n"
    "    colour = vec4(mix(mix(ground, petal, petals), vec3(0.98, 0.94, 0.80), heart), 1);\n"
    "}\n";

/* The 36 corners of a cube, from their numbers. */
static const char cube[] =
    "#version 430\n"
    "layout(location = 0) uniform mat4 to_clip;\n"
    "layout(location = 1) uniform mat4 to_world;\n"
    "out vec2 place;\n"
    "out vec3 normal;\n"
    "void main() {\n"
    "    const vec3 outward[3] = vec3[](vec3(0, 0, 1), vec3(1, 0, 0), vec3(0, 1, 0));\n"
    "    const vec3 right[3] = vec3[](vec3(1, 0, 0), vec3(0, 0, -1), vec3(1, 0, 0));\n"
    "    const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(1, 1),\n"
    "                                   vec2(0, 0), vec2(1, 1), vec2(0, 1));\n"
    "    int axis = gl_VertexID / 6 % 3;\n"
    "    float side = gl_VertexID < 18 ? 1 : -1;\n"
    "    place = corners[gl_VertexID % 6];\n"
    "    normal = mat3(to_world) * outward[axis] * side;\n"
    "    vec3 up = cross(outward[axis], right[axis]);\n"
    "    vec3 at = outward[axis] * side + (2 * place.x - 1) * right[axis] * side\n"
    "            + (2 * place.y - 1) * up;\n"
    "    gl_Position = to_clip * to_world * vec4(at, 1);\n"
    "}\n";

static const char lit[] =
    "#version 430\n"
    "layout(binding = 0) uniform sampler2D image;\n"
    "in vec2 place;\n"
    "in vec3 normal;\n"
    "out vec4 colour;\n"
    "void main() {\n"
    "    float light = 0.55 + 0.45 * max(dot(normalize(normal), normalize(vec3(1, 2, 3))), 0);\n"
    "    colour = vec4(light * texture(image, place).rgb, 1);\n"
    "}\n";

static GLuint compile(GLenum kind, const char *source)
{
    GLint done;
    char log[2048];
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!done)
        fail("a shader of the scene", log);
    return shader;
}

static GLuint link_program(const char *vertex, const char *fragment)
{
    GLint done;
    const GLuint program = glCreateProgram();
    const GLuint shaders[] = {compile(GL_VERTEX_SHADER, vertex),
                              compile(GL_FRAGMENT_SHADER, fragment)};
    for (int i = 0; i < 2; ++i) {
        glAttachShader(program, shaders[i]);
        glDeleteShader(shaders[i]);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (!done)
        fail("a shader of the scene", "it cannot be linked");
    return program;
}

static GLFWwindow *open_window(const settings *with)
{
    if (!glfwInit())
        fail("GLFW", "there is no display");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, with->minor);
    glfwWindowHint(GLFW_OPENGL_PROFILE, with->profile);
    glfwWindowHint(GLFW_SAMPLES, 4);
    GLFWwindow *window = glfwCreateWindow(with->width, with->height, "guest", NULL, NULL);
    if (window == NULL)
        fail("GLFW", "a window with this version of OpenGL cannot be created");
    glfwMakeContextCurrent(window);
    glewExperimental = GL_TRUE;
    if (glewInit() != GLEW_OK)
        fail("GLEW", "the functions of OpenGL cannot be loaded");
    glGetError(); /* GLEW leaves one in a core profile */
    return window;
}

static GLuint create_texture(int side)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, side, side);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

/* Renders the pattern into a texture. */
static GLuint draw_image(int side)
{
    GLuint framebuffer;
    const GLuint texture = create_texture(side), program = link_program(full_triangle, pattern);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glViewport(0, 0, side, side);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUseProgram(0); /* the library refuses to compute while a deleted program is in use */
    glDeleteProgram(program);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    return texture;
}

/* One of two cubes, at -2 or 2 along the longer side of the window. */
static void draw_cube(GLuint program, float aspect, float offset, float seconds)
{
    mat4 projection, view, to_clip, to_world;
    const bool wide = aspect > 1.0f;
    const float extent = wide ? fmaxf(2.0f, 3.9f / aspect) : fmaxf(3.9f, 2.0f / aspect);
    const float distance = 1.2f + extent / tanf(glm_rad(15.0f));
    glm_perspective(glm_rad(30.0f), aspect, 0.1f, 10.0f * distance, projection);
    glm_lookat((vec3){0.0f, 0.0f, distance}, GLM_VEC3_ZERO, GLM_YUP, view);
    glm_mat4_mul(projection, view, to_clip);
    glm_translate_make(to_world, (vec3){wide ? offset : 0.0f, wide ? 0.0f : -offset, 0.0f});
    glm_rotate(to_world, glm_rad(25.0f), GLM_XUP);
    glm_rotate(to_world, 0.5f * seconds - 0.6f, GLM_YUP);
    glUseProgram(program);
    glUniformMatrix4fv(0, 1, GL_FALSE, to_clip[0]);
    glUniformMatrix4fv(1, 1, GL_FALSE, to_world[0]);
    glDrawArrays(GL_TRIANGLES, 0, 36);
}

/* OpenGL counts rows from below, and a picture has planes of channels. */
static void save_screenshot(const char *path, int width, int height)
{
    static const GLenum channels[] = {GL_RED, GL_GREEN, GL_BLUE};
    float *pixels = malloc(3 * sizeof *pixels * (size_t)width * (size_t)height), *row = pixels;
    if (pixels == NULL)
        fail(path, "no memory");
    for (int channel = 0; channel < 3; ++channel)
        for (int y = height - 1; y >= 0; --y, row += width)
            glReadPixels(0, y, width, 1, channels[channel], GL_FLOAT, row);
    CHECK(glnn_image_write(path, 3, width, height, pixels, 0.0f, 1.0f));
    free(pixels);
}

/* ---- The guest: a network that learns the colours of places */

typedef struct learner {
    glnn_context *ctx;
    glnn_dataset *data;
    glnn_network *network;
    glnn_trainer *trainer;
    int side;
    float *places;  /* the features of all pixels                     */
    float *colours; /* of all pixels: the image's, then the network's */
    GLuint texture; /* the colours that the network predicts          */
    double warmth;  /* of the trainer; below 1: it compiles programs  */
} learner;

/* A place in the square from 0 to 1 as the network sees it: its coordinates, and waves of them that
 * help with fine detail (Tancik et al., 2020). */
static void describe_place(float x, float y, float features[FEATURES])
{
    *features++ = 2.0f * x - 1.0f;
    *features++ = 2.0f * y - 1.0f;
    for (int i = 0; i < FREQUENCIES; ++i) {
        const float frequency = GLM_PIf * (float)(1 << i);
        *features++ = sinf(frequency * x);
        *features++ = cosf(frequency * x);
        *features++ = sinf(frequency * y);
        *features++ = cosf(frequency * y);
    }
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
                             .capacity = out->side * out->side,
                             .seed = 1},
        &out->network));
    CHECK(glnn_network_trainer_create(
        out->network, out->data,
        &(glnn_train_desc){.epochs = INT_MAX, .batch = BATCH, .schedule = {.rate = 0.003f}},
        &out->trainer));
}

static void start_learning(learner *out, GLuint image, int side)
{
    const size_t pixels = (size_t)side * (size_t)side;
    *out = (learner){.side = side, .texture = create_texture(side)};
    out->places = malloc(FEATURES * pixels * sizeof *out->places);
    out->colours = malloc(3 * pixels * sizeof *out->colours);
    if (out->places == NULL || out->colours == NULL)
        fail("the image", "no memory");
    for (int i = 0; i < side * side; ++i)
        describe_place(((float)(i % side) + 0.5f) / (float)side,
                       ((float)(i / side) + 0.5f) / (float)side, out->places + FEATURES * i);
    glBindTexture(GL_TEXTURE_2D, image);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGB, GL_FLOAT, out->colours);
    CHECK(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &out->ctx));
    CHECK(glnn_dataset_create(out->ctx,
                              &(glnn_dataset_desc){.samples = side * side,
                                                   .features = FEATURES,
                                                   .inputs = out->places,
                                                   .targets = out->colours,
                                                   .outputs = 3},
                              &out->data));
    create_network(out);
}

/* Makes as many steps as fit, and shows what the network predicts now. The first frames compile
 * programs instead. */
static void learn(learner *of, double milliseconds)
{
    CHECK(glnn_context_begin(of->ctx));
    if (of->warmth < 1)
        CHECK(glnn_trainer_warm_up(of->trainer, milliseconds, &of->warmth));
    else
        CHECK(glnn_trainer_step(of->trainer, 0, milliseconds, NULL, NULL));
    CHECK(glnn_network_predict(of->network, of->side * of->side, of->places, of->colours, NULL));
    CHECK(glnn_context_end(of->ctx));
    glBindTexture(GL_TEXTURE_2D, of->texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, of->side, of->side, GL_RGB, GL_FLOAT, of->colours);
}

static void stop_learning(learner *of)
{
    glnn_trainer_destroy(of->trainer);
    glnn_network_destroy(of->network);
    glnn_dataset_destroy(of->data);
    glnn_context_destroy(of->ctx);
    free(of->places);
    free(of->colours);
}

/* ---- Frames */

static settings read_arguments(int argc, char **argv)
{
    static const char usage[] = "guest [--frames N] [--size WIDTHxHEIGHT] [--side PIXELS] "
                                "[--training MS] [--screenshot FILE] [--opengl 4.MINOR] "
                                "[--profile core|compatibility]";
    settings with = {.width = 960,
                     .height = 540,
                     .side = SIDE,
                     .minor = 3,
                     .training_ms = 4.0,
                     .profile = GLFW_OPENGL_CORE_PROFILE};
    bool good = argc % 2 == 1;
    for (int i = 1; good && i < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (strcmp(name, "--frames") == 0)
            good = sscanf(value, "%d", &with.frames) == 1 && with.frames > 0;
        else if (strcmp(name, "--size") == 0)
            good = sscanf(value, "%dx%d", &with.width, &with.height) == 2 && with.width > 0 &&
                   with.height > 0;
        else if (strcmp(name, "--side") == 0)
            good = sscanf(value, "%d", &with.side) == 1 && with.side > 0 && with.side <= 512;
        else if (strcmp(name, "--training") == 0)
            good = sscanf(value, "%lf", &with.training_ms) == 1 && with.training_ms > 0.0;
        else if (strcmp(name, "--opengl") == 0)
            good = sscanf(value, "4.%d", &with.minor) == 1;
        else if (strcmp(name, "--profile") == 0 && strcmp(value, "compatibility") == 0)
            with.profile = GLFW_OPENGL_COMPAT_PROFILE;
        else if (strcmp(name, "--screenshot") == 0)
            with.screenshot = value;
        else
            good = strcmp(name, "--profile") == 0 && strcmp(value, "core") == 0;
    }
    if (!good)
        fail("usage", usage);
    return with;
}

static void draw_scene(GLuint program, GLuint image, GLuint learnt, int width, int height,
                       float seconds)
{
    const float aspect = (float)width / (float)height;
    glViewport(0, 0, width, height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glBindTexture(GL_TEXTURE_2D, image);
    draw_cube(program, aspect, -2.0f, seconds);
    glBindTexture(GL_TEXTURE_2D, learnt);
    draw_cube(program, aspect, 2.0f, seconds);
    check_opengl("a frame");
}

/* Prints what the last frames have taken. After the first frames the library creates no texture. */
static void report(const learner *of, int frame)
{
    glnn_counters counters = {.size = sizeof counters};
    CHECK(glnn_context_get_counters(of->ctx, &counters));
    printf("frame %d  loss %.5f  textures created %llu\n", frame,
           glnn_trainer_get_report(of->trainer)->training.loss,
           (unsigned long long)counters.textures_created);
    glnn_context_reset_counters(of->ctx);
}

int main(int argc, char **argv)
{
    const settings with = read_arguments(argc, argv);
    learner network;
    GLuint corners;
    GLFWwindow *window = open_window(&with);
    glfwSwapInterval(with.frames ? 0 : 1);
    glEnable(GL_DEPTH_TEST);
    glClearColor(0.12f, 0.13f, 0.16f, 1.0f);
    glGenVertexArrays(1, &corners);
    glBindVertexArray(corners);
    const GLuint image = draw_image(with.side), program = link_program(cube, lit);
    start_learning(&network, image, with.side);

    for (int frame = 1; !glfwWindowShouldClose(window); ++frame) {
        int width, height;
        learn(&network, with.training_ms);
        glfwGetFramebufferSize(window, &width, &height);
        if (width > 0 && height > 0) /* both are 0 while the window is minimised */
            draw_scene(program, image, network.texture, width, height, (float)frame / 60.0f);
        if (frame % 100 == 0 || frame == with.frames)
            report(&network, frame);
        if (frame == with.frames && with.screenshot)
            save_screenshot(with.screenshot, width, height);
        if (frame == with.frames)
            break;
        glfwSwapBuffers(window);
        glfwPollEvents();
    }
    stop_learning(&network);
    check_opengl("the end");
    glfwTerminate();
    return EXIT_SUCCESS;
}
