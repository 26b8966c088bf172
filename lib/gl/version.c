#include "gl/limits.h"

#include <stdio.h>
#include <string.h>

/* Begins the version of OpenGL ES. The first versions add a profile to it. */
static const char es_words[] = "OpenGL ES";

glnn_api glnn__gl_api(const char *version)
{
    if (strncmp(version, es_words, strlen(es_words)) != 0)
        return GLNN_API_GL;
    return strstr(version, "WebGL") ? GLNN_API_WEBGL : GLNN_API_ES;
}

const char *glnn__gl_version_words(const char *version)
{
    return glnn__gl_api(version) == GLNN_API_GL ? version : version + strlen("OpenGL ");
}

bool glnn__gl_version_suffices(const char *version, glnn_api api)
{
    static const int least[GLNN_API_COUNT] = {
        [GLNN_API_GL] = 43, [GLNN_API_ES] = 31, [GLNN_API_WEBGL] = 30};
    const bool is_es = glnn__gl_api(version) != GLNN_API_GL;
    int major = 0, minor = 0;
    if (sscanf(is_es ? version + strlen(es_words) : version, "%d.%d", &major, &minor) != 2)
        return false;
    return 10 * major + minor >= least[api];
}
