#include "odd_state.h"

static const GLenum plain_toggles[] = {
    GL_DEPTH_TEST,       GL_STENCIL_TEST,        GL_CULL_FACE,
    GL_DITHER,           GL_COLOR_LOGIC_OP,      GL_RASTERIZER_DISCARD,
    GL_MULTISAMPLE,      GL_SAMPLE_MASK,         GL_SAMPLE_ALPHA_TO_COVERAGE,
    GL_FRAMEBUFFER_SRGB, GL_SAMPLE_ALPHA_TO_ONE, GL_PRIMITIVE_RESTART,
    GL_CLIP_DISTANCE0,   GL_CLIP_DISTANCE5,      GL_POLYGON_SMOOTH,
    GL_SAMPLE_SHADING,   GL_SAMPLE_COVERAGE,     GL_DEPTH_CLAMP,
};

/* Odd, even where that makes no picture. */
static const struct {
    GLenum name;
    GLint value;
} pixel_stores[] = {
    {GL_PACK_ALIGNMENT, 8},     {GL_PACK_ROW_LENGTH, 77},     {GL_PACK_SKIP_ROWS, 3},
    {GL_PACK_SKIP_PIXELS, 5},   {GL_PACK_SWAP_BYTES, 1},      {GL_PACK_IMAGE_HEIGHT, 9},
    {GL_PACK_SKIP_IMAGES, 2},   {GL_UNPACK_ALIGNMENT, 2},     {GL_UNPACK_ROW_LENGTH, 99},
    {GL_UNPACK_SKIP_ROWS, 4},   {GL_UNPACK_SKIP_PIXELS, 6},   {GL_UNPACK_SWAP_BYTES, 1},
    {GL_UNPACK_SKIP_IMAGES, 1}, {GL_UNPACK_IMAGE_HEIGHT, 11},
};

enum { UNITS = 26, IMAGES = 8, VIEWPORTS = 16, TARGETS = 8 };

static void add_shader(GLuint program, GLenum stage, const char *source)
{
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

GLuint feedback_program(void)
{
    const char *varying = "gl_Position";
    GLuint program = glCreateProgram();
    add_shader(program, GL_VERTEX_SHADER,
               "#version 430\nvoid main() { gl_Position = vec4(gl_VertexID); }\n");
    glTransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    return program;
}

static void bind_odd_textures(void)
{
    for (GLenum i = 0; i < UNITS; ++i) {
        GLuint textures[3];
        GLuint sampler = 0;
        glGenTextures(3, textures);
        glGenSamplers(1, &sampler);
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D, textures[0]);
        glBindTexture(GL_TEXTURE_2D_ARRAY, textures[1]);
        glBindTexture(GL_TEXTURE_CUBE_MAP, textures[2]);
        glBindSampler(i, sampler);
    }
    glActiveTexture(GL_TEXTURE7);
}

static void bind_odd_images(void)
{
    for (GLuint i = 0; i < IMAGES; ++i) {
        GLuint texture = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
        glTexStorage3D(GL_TEXTURE_2D_ARRAY, 2, GL_RGBA32F, 4, 4, 4);
        glBindImageTexture(i, texture, i % 2, i % 3 == 0, (GLint)i % 4,
                           i % 2 ? GL_WRITE_ONLY : GL_READ_ONLY, i % 2 ? GL_RGBA32UI : GL_RGBA32F);
    }
}

static void bind_odd_objects(void)
{
    GLuint buffers[5];
    GLuint framebuffers[2];
    GLuint vertex_array = 0;
    glGenBuffers(5, buffers);
    glGenFramebuffers(2, framebuffers);
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffers[1]);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffers[2]);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[3]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffers[0]);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[1]);
    bind_odd_images();
    bind_odd_textures();
    glUseProgram(feedback_program());
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[4]);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 4096, NULL, GL_STATIC_DRAW);
    glBeginTransformFeedback(GL_POINTS);
}

static void set_odd_targets(void)
{
    for (GLuint i = 0; i < TARGETS; ++i) {
        if (i % 2)
            glEnablei(GL_BLEND, i);
        glBlendFuncSeparatei(i, GL_DST_COLOR, GL_ONE_MINUS_SRC_ALPHA, i % 3 ? GL_ONE : GL_ZERO,
                             GL_CONSTANT_ALPHA);
        glBlendEquationSeparatei(i, i % 2 ? GL_MAX : GL_FUNC_SUBTRACT, GL_MIN);
        glColorMaski(i, i & 1, (i >> 1) & 1, (i >> 2) & 1, 0);
    }
    glBlendColor(0.1f, 0.2f, 0.3f, 0.4f);
    glClearColor(0.5f, 0.6f, 0.7f, 0.8f);
}

static void set_odd_viewports(void)
{
    for (GLuint i = 0; i < VIEWPORTS; ++i) {
        glViewportIndexedf(i, (GLfloat)i + 0.5f, 2, 30 + (GLfloat)i, 40);
        glScissorIndexed(i, (GLint)i, 1, 20, 10 + (GLint)i);
        if (i % 2 == 0)
            glEnablei(GL_SCISSOR_TEST, i);
    }
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    if (glClipControl)
        glClipControl(GL_UPPER_LEFT, GL_ZERO_TO_ONE);
}

/* State that only compatibility profiles have. */
static void set_odd_fixed_state(void)
{
    GLint profile = 0;
    glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
    if (!(profile & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT))
        return;
    glEnable(GL_ALPHA_TEST);
    glAlphaFunc(GL_LESS, 0.25f);
    glEnable(GL_POLYGON_STIPPLE);
    glEnable(GL_LIGHTING);
    glEnable(GL_FOG);
    glPixelTransferf(GL_RED_SCALE, 0.5f);
    glPixelTransferf(GL_ALPHA_BIAS, 0.25f);
    glPixelTransferi(GL_MAP_COLOR, 1);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_TRUE);
    glMatrixMode(GL_PROJECTION);
    glFrustum(-1, 2, -3, 4, 5, 6);
    glColor3f(0.1f, 0.2f, 0.3f);
}

void set_odd_state(void)
{
    set_odd_fixed_state();
    bind_odd_objects();
    for (size_t i = 0; i < COUNT_OF(plain_toggles); ++i) {
        if (plain_toggles[i] == GL_DITHER || plain_toggles[i] == GL_MULTISAMPLE)
            glDisable(plain_toggles[i]);
        else
            glEnable(plain_toggles[i]);
    }
    for (size_t i = 0; i < COUNT_OF(pixel_stores); ++i)
        glPixelStorei(pixel_stores[i].name, pixel_stores[i].value);
    glClampColor(GL_CLAMP_READ_COLOR, GL_TRUE);
    set_odd_targets();
    set_odd_viewports();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

void leave_odd_state(void)
{
    glEndTransformFeedback();
    assert_int_equal(glGetError(), GL_NO_ERROR);
}
