/* Contexts of OpenGL ES: created by the library, adopted from a host, and of drivers that lack what
 * only some versions have. */
#include "support/distortion_reference.h"
#include "support/es.h"
#include "support/headless.h"
#include "support/learning.h"
#include "support/subjects.h"

#include <glnn/glnn.h>

/* ---- Work that has a known result */

enum { SIDE = 11 };

/* y = relu(2 a b + y) in each layout, which takes a product, blending and a map. */
static void expect_work(glnn_context *ctx)
{
    context_use(ctx);
    for (int layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const array a = array_random(SIDE, SIDE, -1, 1), b = array_random(SIDE, SIDE, -1, 1);
        array y = array_random(SIDE, SIDE, -1, 1);
        const array bound = array_new(SIDE, SIDE);
        glnn_matrix *result = matrix_of(y, (glnn_layout)layout);
        expect_ok(glnn_gemm(ctx, NULL, 2, matrix_of(a, (glnn_layout)layout),
                            matrix_of(b, (glnn_layout)layout), 1, result));
        expect_ok(glnn_map_apply(ctx, GLNN_MAP_RELU, result, result));
        for (size_t i = 0; i < length_of(y); ++i) {
            const int row = (int)i / SIDE, column = (int)i % SIDE;
            for (int k = 0; k < SIDE; ++k)
                y.data[i] += 2 * *at(a, row, k) * *at(b, k, column);
            y.data[i] = fmax(y.data[i], 0);
            bound.data[i] = (SIDE + 5) * EPS * 2 * (SIDE + 1);
        }
        expect_close(result, (expected){y, bound}, "%s", glnn_layout_name((glnn_layout)layout));
    }
    release_all();
}

static void expect_es(glnn_context *ctx)
{
    const glnn_context_info info = info_of(ctx);
    assert_int_equal(info.api, GLNN_API_ES);
    assert_int_not_equal(info.tier, GLNN_TIER_FULL);
    assert_int_equal(info.stage, GLNN_STAGE_FRAGMENT);
    assert_int_equal(info.writes, GLNN_WRITES_TARGETS);
    assert_non_null(strstr(info.version, "OpenGL ES 3."));
}

/* ---- Contexts of the library */

static void a_description_or_the_environment_asks_for_opengl_es(void **state)
{
    (void)state;
    const glnn_platform platforms[] = {GLNN_PLATFORM_EGL, GLNN_PLATFORM_GLFW};
    for (size_t i = 0; i < 2 * COUNT_OF(platforms); ++i) {
        const bool is_described = i % 2;
        assert_int_equal(setenv("GLNN_API", is_described ? "gl" : "es", 1), 0);
        glnn_context *ctx =
            created(&(glnn_context_desc){.platform = platforms[i / 2],
                                         .api = is_described ? GLNN_API_ES : GLNN_API_DEFAULT,
                                         .debug = true,
                                         .cache_dir = ""});
        expect_es(ctx);
        expect_work(ctx);
        glnn_context_destroy(ctx);
    }
    assert_int_equal(unsetenv("GLNN_API"), 0);
}

static void what_needs_desktop_opengl_is_refused(void **state)
{
    (void)state;
    const glnn_api es = GLNN_API_ES;
    expect_no_context((glnn_context_desc){.api = es, .tier = GLNN_TIER_FULL}, GLNN_E_UNSUPPORTED,
                      "the tier full needs desktop OpenGL 4.3");
    expect_no_context((glnn_context_desc){.api = es, .writes = GLNN_WRITES_IMAGES}, GLNN_E_ARG,
                      "images");
    expect_no_context((glnn_context_desc){.api = (glnn_api)9}, GLNN_E_ARG, "api is 9");
}

static void devices_say_whether_their_opengl_es_is_usable(void **state)
{
    (void)state;
    glnn_device device = {.size = sizeof device};
    int count = 0;
    expect_ok(glnn_device_list(&device, 1, &count));
    assert_true(device.usable_es);
    es_pretend((es_driver){.version = "OpenGL ES 3.0 pretended"});
    expect_ok(glnn_device_list(&device, 1, &count));
    assert_false(device.usable_es);
}

static void both_interfaces_compute_side_by_side(void **state)
{
    (void)state;
    glnn_context *const both[] = {created(&(glnn_context_desc){.api = GLNN_API_ES}),
                                  created(&(glnn_context_desc){.api = GLNN_API_GL})};
    for (int i = 0; i < 4; ++i)
        expect_work(both[i % 2]);
    for (int i = 0; i < 2; ++i)
        glnn_context_destroy(both[i]);
}

/* ---- The compute stage, whose shaders store to images and do not load from them */

static glnn_context *computing(glnn_stage stage)
{
    glnn_context *ctx = created(&(glnn_context_desc){.api = GLNN_API_ES, .stage = stage});
    assert_int_equal(info_of(ctx).stage, stage);
    assert_int_equal(info_of(ctx).tier, GLNN_TIER_ES);
    return ctx;
}

static void the_compute_stage_works_in_opengl_es(void **state)
{
    (void)state;
    glnn_context *ctx = computing(GLNN_STAGE_COMPUTE);
    double ratio = 0;
    expect_work(ctx);
    expect_ok(glnn_context_compare_stages(ctx, &ratio));
    assert_true(ratio > 0);
    glnn_context_destroy(ctx);
}

/* OpenGL ES has no image of one channel in 16 bits. */
static void formats_without_images_are_written_in_the_compute_stage_too(void **state)
{
    (void)state;
    glnn_context *ctx = computing(GLNN_STAGE_COMPUTE);
    context_use(ctx);
    const array x = array_random(SIDE, SIDE, -1, 1);
    glnn_matrix *y =
        matrix_stored(array_new(SIDE, SIDE), GLNN_LAYOUT_UNPACKED, GLNN_STORAGE_FLOAT16);
    expect_ok(glnn_copy(ctx, matrix_of(x, GLNN_LAYOUT_TILED), y));
    const array result = values_of(y);
    for (size_t i = 0; i < length_of(x); ++i)
        assert_true(fabs(result.data[i] - x.data[i]) <= ldexp(1, -12));
    release_all();
    glnn_context_destroy(ctx);
}

/* The order of some sums differs. */
static void both_stages_train_alike_in_opengl_es(void **state)
{
    (void)state;
    for (learner_kind kind = NETWORK; kind < KINDS; ++kind) {
        double losses[2];
        for (int i = 0; i < 2; ++i) {
            glnn_context *ctx = computing(i ? GLNN_STAGE_COMPUTE : GLNN_STAGE_FRAGMENT);
            context_use(ctx);
            random_seed(7);
            const subject of = subject_of(kind);
            const glnn_train_desc how = training_of(kind);
            glnn_train_result result = {.size = sizeof result};
            expect_ok(train_subject(&of, dataset_of(some_samples()), &how, &result));
            losses[i] = result.training.loss;
            release_learning();
            glnn_context_destroy(ctx);
        }
        assert_true(fabs(losses[0] - losses[1]) <= 1e-5 * fabs(losses[0]));
    }
}

/* ---- Drivers */

static const glnn_context_desc of_es = {.api = GLNN_API_ES, .cache_dir = ""};

static void too_old_a_version_is_refused_with_both_requirements(void **state)
{
    (void)state;
    es_pretend((es_driver){.version = "OpenGL ES 3.0 pretended"});
    expect_no_context(of_es, GLNN_E_UNSUPPORTED,
                      "OpenGL 4.3 core profile or later, or OpenGL ES 3.1 or later, is required");
    expect_no_context(of_es, GLNN_E_UNSUPPORTED, "offers \"OpenGL ES 3.0 pretended\"");
    es_pretend((es_driver){.version = "OpenGL ES-CM 1.1"});
    expect_no_context(of_es, GLNN_E_UNSUPPORTED, "offers \"OpenGL ES-CM 1.1\"");
}

static GLenum GLAPIENTRY find_incomplete(GLenum target)
{
    (void)target;
    return GL_FRAMEBUFFER_UNSUPPORTED;
}

static void a_driver_that_cannot_draw_floats_is_refused_with_the_extension(void **state)
{
    (void)state;
    es_pretend((es_driver){0});
    const PFNGLCHECKFRAMEBUFFERSTATUSPROC real = glCheckFramebufferStatus;
    glCheckFramebufferStatus = find_incomplete;
    glnn_context *ctx = NULL;
    const glnn_status status = glnn_context_create(&of_es, &ctx);
    glCheckFramebufferStatus = real;
    assert_int_equal(status, GLNN_E_UNSUPPORTED);
    assert_non_null(strstr(glnn_last_error(), "cannot draw into an R32F texture"));
    assert_non_null(strstr(glnn_last_error(), "GL_EXT_color_buffer_float"));
}

static void drivers_with_less_of_opengl_es_compute_the_same(void **state)
{
    (void)state;
    const es_driver drivers[] = {
        {.minor = 1},
        {.minor = 1, .hidden = {"GL_EXT_draw_buffers_indexed", "GL_OES_draw_buffers_indexed"}},
        {.hidden = {"GL_EXT_float_blend"}},
        {.draw_buffers = 4},
        {.read_format = GL_RGBA},
    };
    for (size_t i = 0; i < COUNT_OF(drivers); ++i) {
        es_pretend(drivers[i]);
        glnn_context *ctx = created(&of_es);
        assert_int_equal(info_of(ctx).render_targets, drivers[i].draw_buffers ? 4 : 8);
        expect_work(ctx);
        glnn_context_destroy(ctx);
    }
    es_pretend((es_driver){.draw_buffers = 3});
    expect_no_context(of_es, GLNN_E_UNSUPPORTED, "GL_MAX_DRAW_BUFFERS of 3; the library needs 4");
}

/* Blending that is not there must not be used: the sum has the bits of a rounded product. */
static void a_driver_that_cannot_blend_floats_rounds_alike(void **state)
{
    (void)state;
    glnn_context *both[2];
    array sums[2];
    const array x = array_random(SIDE, SIDE, -1, 1), y = array_random(SIDE, SIDE, -1, 1);
    for (int i = 0; i < 2; ++i) {
        es_pretend((es_driver){.hidden = {i ? "GL_EXT_float_blend" : NULL}});
        both[i] = created(&of_es);
        context_use(both[i]);
        glnn_matrix *sum = matrix_of(y, GLNN_LAYOUT_PACKED);
        expect_ok(glnn_axpby(both[i], 1, matrix_of(x, GLNN_LAYOUT_PACKED), -0.7f, sum));
        sums[i] = values_of(sum);
    }
    expect_same_bits(sums[0], sums[1], "axpby");
    release_all();
    for (int i = 0; i < 2; ++i)
        glnn_context_destroy(both[i]);
}

/* The metrics of each step are added up, in shaders if blending cannot. */
static void a_driver_that_cannot_blend_floats_counts_alike(void **state)
{
    (void)state;
    for (learner_kind kind = NETWORK; kind < KINDS; ++kind) {
        glnn_metrics metrics[2];
        for (int i = 0; i < 2; ++i) {
            es_pretend((es_driver){.hidden = {i ? "GL_EXT_float_blend" : NULL}});
            glnn_context *ctx = created(&of_es);
            context_use(ctx);
            random_seed(7);
            const subject of = subject_of(kind);
            const glnn_dataset *data = dataset_of(some_samples());
            const glnn_train_desc how = training_of(kind);
            glnn_train_result result = {.size = sizeof result};
            expect_ok(train_subject(&of, data, &how, &result));
            metrics[i] = result.training;
            release_learning();
            glnn_context_destroy(ctx);
        }
        assert_true(metrics[0].loss == metrics[1].loss);
        assert_true(metrics[0].accuracy == metrics[1].accuracy);
    }
}

/* Mesa reduces rounding errors to zero unless shaders keep it from that. Without weight decay the
 * change itself has no product that could round in another way. */
static void a_driver_without_precise_learns_the_same_low_digits(void **state)
{
    (void)state;
    enum { COUNT = 16, COLUMNS = 5, OUTPUTS = 3, LOW = 1 };
    const glnn_network_desc desc = {
        .features = COLUMNS,
        .layers = {{.units = OUTPUTS}},
        .optimizer = {.two_parts = true, .momentum = 0.5f},
    };
    const glnn_train_desc how = {
        .batch = GLNN_FULL_BATCH, .epochs = 5, .keep_order = true, .schedule.rate = 0.001f};
    array high[2], low[2];
    glnn_context *both[2];
    for (int i = 0; i < 2; ++i) {
        es_pretend((es_driver){.minor = 1, .hidden = {i ? "GL_EXT_gpu_shader5" : NULL}});
        both[i] = created(&of_es);
        context_use(both[i]);
        log_clear();
        random_seed(7);
        glnn_learner *network = network_of(&desc);
        const samples of = samples_random(COUNT, COLUMNS, OUTPUTS, true);
        expect_ok(glnn_learner_train(network, dataset_of(of), &how, NULL));
        high[i] = weights_of(network, 0);
        low[i] = state_of(network, 0, LOW);
        assert_int_equal(log_count(GLNN_LOG_WARNING), 0);
    }
    double kept = 0;
    for (size_t k = 0; k < length_of(low[0]); ++k)
        kept += fabs(low[0].data[k]);
    assert_true(kept > 0);
    expect_same_bits(high[0], high[1], "high digits");
    expect_same_bits(low[0], low[1], "low digits");
    release_learning();
    for (int i = 0; i < 2; ++i)
        glnn_context_destroy(both[i]);
}

static PFNGLSAMPLERPARAMETERIPROC true_sampler_parameter;

/* In place of the filter that such a driver lacks. */
static void GLAPIENTRY filter_nothing(GLuint sampler, GLenum name, GLint value)
{
    true_sampler_parameter(sampler, name, value == GL_LINEAR ? GL_NEAREST : value);
}

/* Positions between pixels, in a field as fine as pixels and in a coarser one. */
static void a_driver_that_cannot_filter_floats_distorts_images_alike(void **state)
{
    (void)state;
    enum { COUNT = 6, SEED = 5, STEP = 70 };
    const glnn_distortion kinds[] = {
        {.shape = {2, 9, 8}, .shift = 2.5f, .rotation = 40, .scale = 0.2f, .elastic = 34},
        {.shape = {1, 40, 23}, .elastic = 300, .sigma = 20},
    };
    es_pretend((es_driver){.hidden = {"GL_OES_texture_float_linear"}});
    glnn_context *ctx = created(&of_es);
    context_use(ctx);
    true_sampler_parameter = glSamplerParameteri;
    glSamplerParameteri = filter_nothing;
    for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
        const glnn_shape *shape = &kinds[i].shape;
        const array x = array_random(COUNT, shape->channels * shape->height * shape->width, -1, 1);
        glnn_matrix *out = matrix_zero(x.rows, x.columns, GLNN_LAYOUT_TILED);
        expect_ok(
            glnn_image_distort(ctx, &kinds[i], SEED, STEP, matrix_of(x, GLNN_LAYOUT_TILED), out));
        expect_close(out, reference_distort(&kinds[i], SEED, STEP, x), "distortion %zu", i);
    }
    glSamplerParameteri = true_sampler_parameter;
    release_all();
    glnn_context_destroy(ctx);
}

/* ---- Hosts */

static void a_host_of_opengl_es_is_adopted_as_what_it_is(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        foreign host;
        if (i == 0)
            host = es_headless();
        else
            assert_true(es_window(&host));
        expect_no_context((glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT, .api = GLNN_API_GL},
                          GLNN_E_ARG, "api is gl, but the current context is one of OpenGL ES 3.");
        glnn_context *ctx = created(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT});
        expect_es(ctx);
        expect_work(ctx);
        glnn_context_destroy(ctx);
        assert_int_equal(glGetError(), GL_NO_ERROR);
        foreign_end(&host);
    }
}

static void a_host_of_desktop_opengl_is_not_adopted_as_one_of_opengl_es(void **state)
{
    (void)state;
    const foreign host = foreign_headless();
    expect_no_context((glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT, .api = GLNN_API_ES},
                      GLNN_E_ARG, "api is es, but the current context is one of OpenGL 4.");
    foreign_end(&host);
}

/* The state that passes and transfers depend on, or change. */
static const struct {
    GLenum name;
    int minor; /* of the version that has it */
} settings[] = {
    {GL_ACTIVE_TEXTURE, 1},
    {GL_BLEND_COLOR, 1},
    {GL_CLIP_ORIGIN, 2},
    {GL_CLIP_DEPTH_MODE, 2},
    {GL_COLOR_WRITEMASK, 1},
    {GL_CURRENT_PROGRAM, 1},
    {GL_DRAW_FRAMEBUFFER_BINDING, 1},
    {GL_PACK_ALIGNMENT, 1},
    {GL_PACK_ROW_LENGTH, 1},
    {GL_PACK_SKIP_PIXELS, 1},
    {GL_PACK_SKIP_ROWS, 1},
    {GL_PIXEL_PACK_BUFFER_BINDING, 1},
    {GL_PIXEL_UNPACK_BUFFER_BINDING, 1},
    {GL_PRIMITIVE_BOUNDING_BOX_EXT, 2},
    {GL_READ_FRAMEBUFFER_BINDING, 1},
    {GL_SAMPLER_BINDING, 1},
    {GL_TEXTURE_BINDING_2D, 1},
    {GL_TEXTURE_BINDING_2D_ARRAY, 1},
    {GL_TRANSFORM_FEEDBACK_BUFFER_ACTIVE, 1},
    {GL_TRANSFORM_FEEDBACK_BUFFER_PAUSED, 1},
    {GL_UNPACK_ALIGNMENT, 1},
    {GL_UNPACK_IMAGE_HEIGHT, 1},
    {GL_UNPACK_ROW_LENGTH, 1},
    {GL_UNPACK_SKIP_IMAGES, 1},
    {GL_UNPACK_SKIP_PIXELS, 1},
    {GL_UNPACK_SKIP_ROWS, 1},
    {GL_VERTEX_ARRAY_BINDING, 1},
    {GL_VIEWPORT, 1},
    {GL_SCISSOR_BOX, 1},
};

static const GLenum toggles[] = {
    GL_BLEND,        GL_CULL_FACE,          GL_DEPTH_TEST,     GL_DITHER,
    GL_SAMPLE_MASK,  GL_RASTERIZER_DISCARD, GL_SCISSOR_TEST,   GL_SAMPLE_ALPHA_TO_COVERAGE,
    GL_STENCIL_TEST, GL_SAMPLE_COVERAGE,    GL_SAMPLE_SHADING,
};

static const GLenum of_targets[] = {
    GL_BLEND_SRC_RGB,   GL_BLEND_SRC_ALPHA,    GL_BLEND_DST_RGB,        GL_BLEND_DST_ALPHA,
    GL_COLOR_WRITEMASK, GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA,
};

static const GLenum of_images[] = {GL_IMAGE_BINDING_NAME, GL_IMAGE_BINDING_LEVEL,
                                   GL_IMAGE_BINDING_LAYER, GL_IMAGE_BINDING_ACCESS,
                                   GL_IMAGE_BINDING_FORMAT};

enum { NUMBERS = 8, MOST = 256 };

typedef struct picture_of_state {
    int count;
    GLfloat values[MOST][NUMBERS];
} picture_of_state;

static GLfloat *next_of(picture_of_state *of)
{
    assert_in_range(of->count, 0, MOST - 1);
    return of->values[of->count++];
}

static void note_indexed(picture_of_state *now, GLenum name, GLuint i)
{
    GLint values[NUMBERS] = {0};
    glGetIntegeri_v(name, i, values);
    GLfloat *to = next_of(now);
    for (int k = 0; k < NUMBERS; ++k)
        to[k] = (GLfloat)values[k];
}

static picture_of_state look(void)
{
    picture_of_state now = {0};
    for (size_t i = 0; i < COUNT_OF(settings); ++i)
        glGetFloatv(settings[i].name, next_of(&now));
    for (size_t i = 0; i < COUNT_OF(toggles); ++i)
        *next_of(&now) = glIsEnabled(toggles[i]);
    for (GLuint target = 0; target < 8; ++target) {
        *next_of(&now) = glIsEnabledi(GL_BLEND, target);
        for (size_t i = 0; i < COUNT_OF(of_targets); ++i)
            note_indexed(&now, of_targets[i], target);
    }
    for (GLuint image = 0; image < 4; ++image)
        for (size_t i = 0; i < COUNT_OF(of_images); ++i)
            note_indexed(&now, of_images[i], image);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return now;
}

static GLuint texture_of(GLenum target)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(target, name);
    if (target == GL_TEXTURE_2D)
        glTexStorage2D(target, 1, GL_RGBA8, 4, 4);
    else
        glTexStorage3D(target, 1, GL_RGBA8, 4, 4, 2);
    return name;
}

static GLuint program_with_feedback(void)
{
    static const char *const names[] = {"number"};
    static const char *const texts[] = {
        "#version 310 es\nout highp float number;\n"
        "void main() { number = 1.0; gl_Position = vec4(0.0); }\n",
        "#version 310 es\nout highp vec4 colour;\nvoid main() { colour = vec4(1.0); }\n"};
    const GLuint program = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glTransformFeedbackVaryings(program, 1, names, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    return program;
}

static void bind_odd_objects(void)
{
    GLuint buffers[3], framebuffers[2], vertex_array, sampler;
    glGenBuffers(3, buffers);
    glGenFramebuffers(2, framebuffers);
    glGenVertexArrays(1, &vertex_array);
    glGenSamplers(1, &sampler);
    for (GLenum unit = 5; unit-- > 0;) {
        glActiveTexture(GL_TEXTURE0 + unit);
        texture_of(GL_TEXTURE_2D);
        texture_of(GL_TEXTURE_2D_ARRAY);
        glBindSampler(unit, sampler);
    }
    glActiveTexture(GL_TEXTURE3);
    glBindImageTexture(1, texture_of(GL_TEXTURE_2D), 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8);
    glBindVertexArray(vertex_array);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[0]);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[1]);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffers[0]);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffers[1]);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[2]);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 64, NULL, GL_STATIC_DRAW);
    glUseProgram(program_with_feedback());
    glBeginTransformFeedback(GL_POINTS);
}

/* With one state for all targets, or one for each. */
static void set_odd_state_of_es(bool is_indexed)
{
    static const GLenum stores[] = {
        GL_PACK_ROW_LENGTH,   GL_PACK_SKIP_PIXELS,   GL_PACK_SKIP_ROWS,     GL_UNPACK_IMAGE_HEIGHT,
        GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_IMAGES, GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SKIP_ROWS};
    bind_odd_objects();
    for (size_t i = 0; i < COUNT_OF(toggles); ++i)
        (glIsEnabled(toggles[i]) ? glDisable : glEnable)(toggles[i]);
    for (size_t i = 0; i < COUNT_OF(stores); ++i)
        glPixelStorei(stores[i], 3 + (GLint)i);
    glPixelStorei(GL_PACK_ALIGNMENT, 2);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
    glViewport(1, 2, 3, 4);
    glScissor(0, 0, 1, 1);
    glBlendColor(0.5f, 0.25f, 0.125f, 1);
    glBlendFuncSeparate(GL_DST_COLOR, GL_ZERO, GL_ONE, GL_SRC_ALPHA);
    glBlendEquationSeparate(GL_FUNC_SUBTRACT, GL_MAX);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    glClipControlEXT(GL_UPPER_LEFT, GL_ZERO_TO_ONE);
    glPrimitiveBoundingBoxEXT(-0.5f, -0.5f, -0.5f, 1, 0.5f, 0.5f, 0.5f, 1);
    for (GLuint i = 0; is_indexed && i < 8; i += 3) {
        glBlendFuncSeparateiEXT(i, GL_ZERO, GL_DST_ALPHA, GL_ONE, GL_ONE);
        glBlendEquationSeparateiEXT(i, GL_FUNC_ADD, GL_FUNC_REVERSE_SUBTRACT);
        glColorMaskiEXT(i, GL_FALSE, GL_TRUE, GL_FALSE, i > 3);
        glDisableiEXT(GL_BLEND, i);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static const glnn_stage stages[] = {GLNN_STAGE_FRAGMENT, GLNN_STAGE_COMPUTE};
enum { STAGES = COUNT_OF(stages) };

static void the_state_of_a_host_is_restored(void **state)
{
    (void)state;
    const es_driver drivers[] = {
        {0},
        {.minor = 1},
        {.minor = 1, .hidden = {"GL_EXT_draw_buffers_indexed", "GL_OES_draw_buffers_indexed"}},
    };
    for (size_t i = 0; i < STAGES * COUNT_OF(drivers); ++i) {
        const es_driver *driver = &drivers[i / STAGES];
        const bool is_indexed = !driver->hidden[0];
        es_pretend(*driver);
        const foreign host = es_headless();
        glnn_context *ctx = created(
            &(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT, .stage = stages[i % STAGES]});
        set_odd_state_of_es(is_indexed);
        const picture_of_state before = look();
        expect_work(ctx);
        const picture_of_state after = look();
        for (int k = 0; k < before.count; ++k)
            for (int n = 0; n < NUMBERS; ++n)
                if (before.values[k][n] != after.values[k][n])
                    fail_at(__FILE__, __LINE__, "case %zu: number %d of state %d is %g, was %g", i,
                            n, k, (double)after.values[k][n], (double)before.values[k][n]);
        glEndTransformFeedback();
        glnn_context_destroy(ctx);
        foreign_end(&host);
    }
}

static void calls_that_a_query_of_the_host_would_count_are_refused(void **state)
{
    (void)state;
    const GLenum targets[] = {GL_ANY_SAMPLES_PASSED, GL_PRIMITIVES_GENERATED};
    const char *const names[] = {"GL_ANY_SAMPLES_PASSED", "GL_PRIMITIVES_GENERATED"};
    const foreign host = es_headless();
    glnn_context *ctx = created(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT});
    for (int i = 0; i < 2; ++i) {
        GLuint query;
        glGenQueries(1, &query);
        glBeginQuery(targets[i], query);
        expect_error(glnn_context_begin(ctx), GLNN_E_STATE, names[i]);
        glEndQuery(targets[i]);
    }
    expect_work(ctx);
    glnn_context_destroy(ctx);
    foreign_end(&host);
}

/* ---- Textures of a host */

static void textures_of_a_host_are_read_and_written(void **state)
{
    (void)state;
    const GLenum formats[] = {GL_RGBA32F, GL_RGBA16F, GL_RGBA8, GL_R32F, GL_R8};
    const foreign host = es_headless();
    glnn_context *ctx =
        created(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT, .stage = GLNN_STAGE_COMPUTE});
    context_use(ctx);
    for (size_t i = 0; i < COUNT_OF(formats); ++i) {
        const int channels = formats[i] == GL_R32F || formats[i] == GL_R8 ? 1 : 4;
        const bool is_byte = formats[i] == GL_RGBA8 || formats[i] == GL_R8;
        array values = array_new(4, 8 * channels);
        GLuint texture;
        glnn_matrix *adopted = NULL;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexStorage2D(GL_TEXTURE_2D, 1, formats[i], 8, 4);
        for (size_t k = 0; k < length_of(values); ++k)
            values.data[k] = is_byte ? (double)((float)k / 255) : (double)k / 8;
        expect_ok(glnn_matrix_adopt(ctx, &(glnn_texture_desc){.texture = texture}, &adopted));
        matrix_kept(adopted);
        expect_ok(glnn_matrix_upload(ctx, adopted, NULL, floats_of(values), 0));
        expect_same_bits(values_of(adopted), values, "format 0x%04x", formats[i]);
        expect_ok(glnn_copy(ctx, matrix_of(values, GLNN_LAYOUT_PACKED), adopted));
        expect_same_bits(values_of(adopted), values, "format 0x%04x, by a pass", formats[i]);
    }
    release_all();
    glnn_context_destroy(ctx);
    foreign_end(&host);
}

/* ---- The program */

static int end_test(void **state)
{
    es_pretend((es_driver){0});
    return learning_teardown(state) || leave_nothing_current(state);
}

#define ES_TEST(function) cmocka_unit_test_teardown(function, end_test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ES_TEST(a_description_or_the_environment_asks_for_opengl_es),
        ES_TEST(what_needs_desktop_opengl_is_refused),
        ES_TEST(devices_say_whether_their_opengl_es_is_usable),
        ES_TEST(both_interfaces_compute_side_by_side),
        ES_TEST(the_compute_stage_works_in_opengl_es),
        ES_TEST(formats_without_images_are_written_in_the_compute_stage_too),
        ES_TEST(both_stages_train_alike_in_opengl_es),
        ES_TEST(too_old_a_version_is_refused_with_both_requirements),
        ES_TEST(a_driver_that_cannot_draw_floats_is_refused_with_the_extension),
        ES_TEST(drivers_with_less_of_opengl_es_compute_the_same),
        ES_TEST(a_driver_that_cannot_blend_floats_rounds_alike),
        ES_TEST(a_driver_that_cannot_blend_floats_counts_alike),
        ES_TEST(a_driver_without_precise_learns_the_same_low_digits),
        ES_TEST(a_driver_that_cannot_filter_floats_distorts_images_alike),
        ES_TEST(a_host_of_opengl_es_is_adopted_as_what_it_is),
        ES_TEST(a_host_of_desktop_opengl_is_not_adopted_as_one_of_opengl_es),
        ES_TEST(the_state_of_a_host_is_restored),
        ES_TEST(calls_that_a_query_of_the_host_would_count_are_refused),
        ES_TEST(textures_of_a_host_are_read_and_written),
    };
    return cmocka_run_group_tests(tests, test_group_setup, test_group_teardown);
}
