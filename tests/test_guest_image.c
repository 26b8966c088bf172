/* A host without a window and the library on the same textures: an image that the host renders is
 * learnt and shown by the host again, frame by frame. */
#include "support/guest.h"
#include "support/odd_state.h"

#include <glnn/glnn.h>

enum { SIDE = 32, PLACES = SIDE * SIDE, FEATURES = 16, CHANNELS = 3 };

/* The host */

typedef struct scene {
    GLuint image, prediction; /* textures on the same screen */
    GLuint screen, programs[2];
} scene;

static const char vertex_source[] =
    "#version 430\n"
    "out vec2 place;\n"
    "void main() {\n"
    "    place = vec2(gl_VertexID == 1 ? 2 : 0, gl_VertexID == 2 ? 2 : 0);\n"
    "    gl_Position = vec4(2 * place - 1, 0, 1);\n"
    "}\n";

static const char *const fragment_sources[] = {
    "#version 430\n"
    "in vec2 place;\n"
    "out vec4 colour;\n"
    "void main() {\n"
    "    colour = vec4(0.5 + 0.5 * cos(vec3(0, 1, 2) + 6 * length(place - 0.4)), 1);\n"
    "}\n",
    "#version 430\n"
    "layout(binding = 0) uniform sampler2D image;\n"
    "in vec2 place;\n"
    "out vec4 colour;\n"
    "void main() { colour = vec4(texture(image, place).rgb, 1); }\n",
};

static GLuint link_program(const char *fragment_source)
{
    const char *const sources[] = {vertex_source, fragment_source};
    const GLuint program = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &sources[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    return program;
}

static GLuint new_texture(void)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIDE, SIDE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    return texture;
}

static void draw_to(GLuint texture)
{
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Sets all of the state of the scene, and renders the image. */
static scene open_scene(void)
{
    scene s = {.image = new_texture(), .screen = new_texture(), .prediction = new_texture()};
    GLuint framebuffer, vertex_array;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    glViewport(0, 0, SIDE, SIDE);
    for (int i = 0; i < 2; ++i)
        s.programs[i] = link_program(fragment_sources[i]);
    glUseProgram(s.programs[0]);
    draw_to(s.image);
    glUseProgram(s.programs[1]);
    return s;
}

/* Draws a texture on the screen, which is read into `pixels`. */
static void show(const scene *s, GLuint texture, unsigned char pixels[PLACES][4])
{
    glBindTexture(GL_TEXTURE_2D, texture);
    draw_to(s->screen);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* The mean squared difference of colours from 0 to 1 on the screen. */
static double difference_on_screen(const scene *s)
{
    static unsigned char image[PLACES][4], prediction[PLACES][4];
    double sum = 0;
    show(s, s->image, image);
    show(s, s->prediction, prediction);
    for (int i = 0; i < PLACES; ++i)
        for (int c = 0; c < CHANNELS; ++c) {
            const double difference = (image[i][c] - prediction[i][c]) / 255.0;
            sum += difference * difference;
        }
    return sum / (PLACES * CHANNELS);
}

/* The guest */

typedef struct learner {
    glnn_matrix *places, *image, *prediction;
    glnn_dataset *data;
    glnn_learner *network;
    glnn_trainer *trainer;
} learner;

static glnn_matrix *describe_places(void)
{
    glnn_matrix *places = NULL;
    expect_ok(glnn_matrix_create(guest, &(glnn_matrix_desc){.rows = PLACES, .columns = FEATURES},
                                 &places));
    expect_ok(glnn_map_apply_expression(
        guest,
        "sin(radians(180.0) * (exp2(float(column / 4)) * "
        "float(column % 2 == 0 ? row % 32 : row / 32) / 32.0 + 0.5 * float(column / 2 % 2)))",
        places, places));
    return places;
}

static glnn_matrix *adopt_texture(GLuint texture)
{
    glnn_matrix *matrix = NULL;
    expect_ok(glnn_matrix_adopt(guest,
                                &(glnn_texture_desc){.texture = texture,
                                                     .pixels = GLNN_PIXELS_AS_ROWS,
                                                     .channels = CHANNELS},
                                &matrix));
    return matrix;
}

/* In a host that adopt() has made. */
static learner new_learner_of(const scene *s, int capacity)
{
    learner l = {.places = describe_places(),
                 .image = adopt_texture(s->image),
                 .prediction = adopt_texture(s->prediction)};
    expect_ok(glnn_dataset_create_from_matrices(
        guest, &(glnn_dataset_matrices_desc){.inputs = l.places, .targets = l.image}, &l.data));
    expect_ok(glnn_network_create(
        guest,
        &(glnn_network_desc){.features = FEATURES,
                             .layers = {{.units = 32, .activation = GLNN_ACTIVATION_RELU},
                                        {.units = CHANNELS, .activation = GLNN_ACTIVATION_SIGMOID}},
                             .loss = GLNN_LOSS_SQUARED,
                             .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                             .capacity = capacity,
                             .seed = 1},
        &l.network));
    expect_ok(glnn_trainer_create(
        l.network, l.data,
        &(glnn_train_desc){.epochs = 1000000, .batch = 128, .schedule = {.rate = 0.01f}},
        &l.trainer));
    return l;
}

static learner new_learner(const scene *s)
{
    return new_learner_of(s, PLACES);
}

static void end_learner(learner *l)
{
    glnn_trainer_destroy(l->trainer);
    glnn_learner_destroy(l->network);
    glnn_dataset_destroy(l->data);
    glnn_matrix_destroy(l->prediction);
    glnn_matrix_destroy(l->image);
    glnn_matrix_destroy(l->places);
}

/* One epoch, and a prediction. */
static void learn(const learner *l)
{
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_trainer_step(l->trainer, PLACES / 128, 0, NULL, NULL));
    expect_ok(glnn_trainer_end_epoch(l->trainer));
    expect_ok(glnn_learner_predict_matrix(l->network, l->places, l->prediction));
    expect_ok(glnn_context_end(guest));
}

/* As many steps as fit, and a prediction, as in a frame of a program. */
static void learn_for_a_while(const learner *l)
{
    expect_ok(glnn_context_begin(guest));
    expect_ok(glnn_trainer_step(l->trainer, 0, 1, NULL, NULL));
    expect_ok(glnn_learner_predict_matrix(l->network, l->places, l->prediction));
    expect_ok(glnn_context_end(guest));
}

static void adopt_in(glnn_stage stage)
{
    host = foreign_headless();
    expect_ok(glnn_context_create(
        &(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT, .stage = stage}, &guest));
}

/* Tests */

static void check_both_ways(glnn_stage stage)
{
    adopt_in(stage);
    const scene s = open_scene();
    learner l = new_learner(&s);
    learn(&l);
    const double first = difference_on_screen(&s);
    for (int frame = 0; frame < 60; ++frame)
        learn(&l);
    const double last = difference_on_screen(&s);
    print_message("mean squared error on screen: %.5f, %.5f at last\n", first, last);
    assert_true(first > 0.02 && last < 0.001);
    end_learner(&l);
    leave_host();
}

static void an_image_of_the_host_is_rendered_back_by_a_network_of_fragments(void **state)
{
    (void)state;
    check_both_ways(GLNN_STAGE_FRAGMENT);
}

static void an_image_of_the_host_is_rendered_back_by_a_network_of_compute_shaders(void **state)
{
    (void)state;
    check_both_ways(GLNN_STAGE_COMPUTE);
}

/* The textures, framebuffers, buffers and programs that exist. */
static int count_objects(void)
{
    int count = 0;
    for (GLuint name = 1; name < 10000; ++name)
        count += glIsTexture(name) + glIsFramebuffer(name) + glIsBuffer(name) + glIsProgram(name);
    return count;
}

static void frames_leave_the_state_create_nothing_and_wait_for_nothing(void **state)
{
    (void)state;
    enum { FRAMES = 200, WARM = 20 };
    adopt();
    const scene s = open_scene();
    learner l = new_learner(&s);
    snapshot *before = snapshot_take();
    expect_ok(glnn_trainer_warm_up(l.trainer, 0, NULL));
    for (int frame = 0; frame < WARM; ++frame)
        learn_for_a_while(&l);
    const int objects = count_objects();
    glnn_context_reset_counters(guest);
    for (int frame = 0; frame < FRAMES; ++frame) {
        learn_for_a_while(&l);
        if (frame % 50 == 0)
            snapshot_check(before);
        draw_to(s.screen);
    }
    const glnn_counters counters = counters_of(guest);
    /* A device that is late with its metrics needs some more buffers for them. */
    assert_in_range(count_objects(), 1, objects + 4);
    assert_int_equal(counters.textures_created, 0);
    assert_int_equal(counters.programs_compiled, 0);
    assert_int_equal(counters.waits, 0);
    snapshot_check(before);
    snapshot_free(before);
    end_learner(&l);
    leave_host();
}

static uint64_t programs(void)
{
    const glnn_counters counters = counters_of(guest);
    return counters.programs_compiled + counters.programs_loaded;
}

/* Frames that warm up and do not predict yet. */
static void warm_up(const learner *l)
{
    double warmth = 0;
    while (warmth < 1) {
        expect_ok(glnn_context_begin(guest));
        expect_ok(glnn_trainer_warm_up(l->trainer, 1, &warmth));
        expect_ok(glnn_context_end(guest));
    }
}

/* The second learner predicts more samples than it has room for at once. */
static void check_warm_frames(glnn_stage stage)
{
    for (int capacity = PLACES; capacity > 0; capacity -= PLACES / 2) {
        host = foreign_headless();
        expect_ok(glnn_context_create(
            &(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT, .stage = stage, .cache_dir = ""},
            &guest));
        const scene s = open_scene();
        learner l = new_learner_of(&s, capacity);
        const uint64_t cold = programs();
        warm_up(&l);
        const uint64_t warm = programs();
        assert_true(warm > cold);
        for (int frame = 0; frame < 2 * PLACES / 128; ++frame)
            learn_for_a_while(&l);
        assert_int_equal(programs(), warm);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        end_learner(&l);
        leave_host();
    }
}

static void no_frame_compiles_after_the_warm_up_of_fragments(void **state)
{
    (void)state;
    check_warm_frames(GLNN_STAGE_FRAGMENT);
}

static void no_frame_compiles_after_the_warm_up_of_compute_shaders(void **state)
{
    (void)state;
    check_warm_frames(GLNN_STAGE_COMPUTE);
}

static void a_texture_that_the_host_deletes_is_refused_by_name(void **state)
{
    (void)state;
    adopt();
    scene s = open_scene();
    learner l = new_learner(&s);
    learn(&l);
    glDeleteTextures(1, &s.prediction);
    expect_error(glnn_learner_predict_matrix(l.network, l.places, l.prediction), GLNN_E_STATE,
                 "texture");
    expect_ok(glnn_trainer_step(l.trainer, 1, 0, NULL, NULL));
    glDeleteTextures(1, &s.image);
    expect_error(glnn_trainer_step(l.trainer, 1, 0, NULL, NULL), GLNN_E_STATE, "texture");
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glnn_matrix_destroy(l.prediction);
    s.prediction = new_texture();
    l.prediction = adopt_texture(s.prediction);
    expect_ok(glnn_learner_predict_matrix(l.network, l.places, l.prediction));
    end_learner(&l);
    leave_host();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(an_image_of_the_host_is_rendered_back_by_a_network_of_fragments),
        CONTEXT_TEST(an_image_of_the_host_is_rendered_back_by_a_network_of_compute_shaders),
        CONTEXT_TEST(frames_leave_the_state_create_nothing_and_wait_for_nothing),
        CONTEXT_TEST(no_frame_compiles_after_the_warm_up_of_fragments),
        CONTEXT_TEST(no_frame_compiles_after_the_warm_up_of_compute_shaders),
        CONTEXT_TEST(a_texture_that_the_host_deletes_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, keep_driver_loaded, NULL);
}
