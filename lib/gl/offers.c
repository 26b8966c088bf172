/* The offers of a context beyond that which OpenGL 4.3 and WebGL 2 have in common. */
#include "gl/gl.h"
#include "gl/limits.h"

#include <string.h>

/* OpenGL has the offer from this version on (45: OpenGL 4.5), or with the extension; so has OpenGL
 * ES. 0: never by its version. */
static const struct {
    glnn__offer offer;
    int version;
    const char *extension;
    int es_version;
    const char *es_extension;
} rows[] = {
    {GLNN__OFFERS_TEXTURE_READS, 10, NULL, 0, NULL},
    {GLNN__OFFERS_TEXTURE_CLEARS, 44, "GL_ARB_clear_texture", 0, NULL},
    {GLNN__OFFERS_TEXTURE_TARGETS, 0, "GL_ARB_direct_state_access", 0, NULL},
    {GLNN__OFFERS_IMAGE_COPIES, 43, NULL, 32, NULL},
    {GLNN__OFFERS_FLOAT_BLENDING, 30, NULL, 0, "GL_EXT_float_blend"},
    {GLNN__OFFERS_CLOCK, 33, NULL, 0, NULL},
    {GLNN__OFFERS_DEBUG_OUTPUT, 43, NULL, 32, NULL},
    {GLNN__OFFERS_DESKTOP_STATE, 10, NULL, 0, NULL},
    {GLNN__OFFERS_TARGET_STATE, 40, NULL, 32, NULL},
    {GLNN__OFFERS_TARGET_STATE_EXT, 0, NULL, 0, "GL_EXT_draw_buffers_indexed"},
    {GLNN__OFFERS_CLIP_CONTROL, 45, "GL_ARB_clip_control", 0, NULL},
    {GLNN__OFFERS_CLIP_CONTROL_EXT, 0, NULL, 0, "GL_EXT_clip_control"},
    {GLNN__OFFERS_CLIP_DISTANCES, 30, NULL, 0, "GL_EXT_clip_cull_distance"},
    {GLNN__OFFERS_MULTISAMPLING, 13, NULL, 0, "GL_EXT_multisample_compatibility"},
    {GLNN__OFFERS_SAMPLE_SHADING, 40, NULL, 32, "GL_OES_sample_shading"},
    {GLNN__OFFERS_SRGB_WRITES, 30, NULL, 0, "GL_EXT_sRGB_write_control"},
    {GLNN__OFFERS_REVERSED_ROWS, 0, NULL, 0, "GL_ANGLE_pack_reverse_row_order"},
    {GLNN__OFFERS_BOUNDING_BOX, 0, NULL, 32, "GL_EXT_primitive_bounding_box"},
    {GLNN__OFFERS_SAMPLE_COUNTS, 15, NULL, 0, NULL},
    {GLNN__OFFERS_PRIMITIVE_COUNTS, 30, NULL, 32, "GL_EXT_geometry_shader"},
    {GLNN__OFFERS_STATISTICS, 46, "GL_ARB_pipeline_statistics_query", 0, NULL},
    {GLNN__OFFERS_CONDITIONS, 30, NULL, 0, NULL},
    {GLNN__OFFERS_CONDITIONS_NV, 0, NULL, 0, "GL_NV_conditional_render"},
    {GLNN__OFFERS_FLAGS, 30, NULL, 32, NULL},
    {GLNN__OFFERS_MAPPED_BUFFERS, 44, "GL_ARB_buffer_storage", 0, NULL},
    {GLNN__OFFERS_FLOAT_FILTERS, 30, NULL, 0, "GL_OES_texture_float_linear"},
    {GLNN__OFFERS_UNIFORM_LOCATIONS, 43, NULL, 31, NULL},
    {GLNN__OFFERS_IMAGE_UNITS, 43, NULL, 31, NULL},
    {GLNN__OFFERS_LEVEL_SIZES, 10, NULL, 31, NULL},
    {GLNN__OFFERS_DIRECT_CALLS, 10, NULL, 30, NULL},
};

/* WebGL has none of the others, whatever the OpenGL ES has that takes its place in tests. */
static const unsigned of_webgl = GLNN__OFFERS_FLOAT_BLENDING | GLNN__OFFERS_FLOAT_FILTERS;

#define LOCATED_UNIFORM "#define UNIFORM_AT(number) layout(location = number) uniform\n"
#define ES_PRECISION                                                                               \
    "precision highp float;\n"                                                                     \
    "precision highp int;\n"                                                                       \
    "precision highp sampler2D;\n"                                                                 \
    "precision highp sampler2DArray;\n"

/* OpenGL ES has no default for the precision of numbers and samplers. It knows `precise` from
 * version 3.2 on, or by an extension. Without it, `precise` is an empty macro, by which shaders can
 * tell (shaders/include/exact_sum.glsl). UNIFORM_AT begins the declaration of the uniform with a
 * number, which is its location where shaders can choose that. */
static const char *const shader_heads[GLNN_API_COUNT] = {
    [GLNN_API_GL] = "#version 430 core\n" LOCATED_UNIFORM,
    [GLNN_API_ES] = "#version 310 es\n"
                    "#extension GL_EXT_gpu_shader5 : enable\n"
                    "#ifndef GL_EXT_gpu_shader5\n"
                    "#define precise\n"
                    "#endif\n" LOCATED_UNIFORM ES_PRECISION,
    [GLNN_API_WEBGL] = "#version 300 es\n"
                       "#define precise\n"
                       "#define UNIFORM_AT(number) uniform\n" ES_PRECISION,
};

const char *glnn__gl_shader_head(const glnn_context *ctx)
{
    return shader_heads[ctx->info.api];
}

bool glnn__gl_has_extension(const char *extension)
{
    const GLint count = glnn__gl_integer(GL_NUM_EXTENSIONS);
    for (GLint i = 0; i < count; ++i) {
        const char *name = (const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i);
        if (name && strcmp(name, extension) == 0)
            return true;
    }
    return false;
}

static bool offers(int own, int version, const char *extension)
{
    return (version > 0 && own >= version) || (extension && glnn__gl_has_extension(extension));
}

/* Mesa tells the target of a texture in core profiles alone. */
static unsigned find_profile(unsigned found)
{
    const GLint profile = glnn__gl_integer(GL_CONTEXT_PROFILE_MASK);
    if (!(profile & GL_CONTEXT_CORE_PROFILE_BIT))
        found &= ~(unsigned)GLNN__OFFERS_TEXTURE_TARGETS;
    return profile & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT ? found | GLNN__OFFERS_OLD_STATE : found;
}

unsigned glnn__gl_find_offers(glnn_api api)
{
    const bool is_es = api != GLNN_API_GL;
    const int own = 10 * glnn__gl_integer(GL_MAJOR_VERSION) + glnn__gl_integer(GL_MINOR_VERSION);
    unsigned found = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (is_es ? offers(own, rows[i].es_version, rows[i].es_extension)
                  : offers(own, rows[i].version, rows[i].extension))
            found |= (unsigned)rows[i].offer;
    if (api == GLNN_API_WEBGL)
        return found & of_webgl;
    return is_es ? found : find_profile(found);
}
