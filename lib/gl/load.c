#include "base/status.h"
#include "gl/gl.h"
#include "gl/limits.h"

static glnn_status load(const glnn__gl_names *names, glnn_api api)
{
    if (!glnn__gl_version_suffices(names->version, api))
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "OpenGL 4.3 core profile or later, or OpenGL ES 3.1 or later, is "
                          "required, but %s offers \"%s\"",
                          *names->renderer ? names->renderer : "a renderer without a name",
                          names->version);
    return glnn__gl_load_commands(names, api);
}

glnn_status glnn__gl_load(glnn_context *ctx, glnn_api wanted)
{
    const glnn__gl_names names = glnn__gl_get_names();
    ctx->info.api = glnn__gl_api(names.version);
    if (ctx->info.api == GLNN_API_ES && wanted == GLNN_API_WEBGL)
        ctx->info.api = wanted;
    GLNN__TRY(load(&names, ctx->info.api));
    ctx->offers = glnn__gl_find_offers(ctx->info.api);
    ctx->tells_resets = glnn__gl_tells_resets(ctx->info.api);
    return GLNN_OK;
}
