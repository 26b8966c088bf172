/* Replaces io/sound_file.c in a library that is built without libsndfile. */
#include "io/sound_file.h"

glnn_status glnn__sound_file_read(const char *path, glnn__recording *out)
{
    (void)out;
    return glnn__fail(GLNN_E_UNSUPPORTED,
                      "%s: this libglnn was built without libsndfile, so it cannot read WAV files",
                      path);
}
