/* OpenGL state that consists of single numbers: toggles, and how pixels are copied between memory
 * and textures. */
#ifndef GLNN__GL_SETTINGS_H
#define GLNN__GL_SETTINGS_H

#include <stdbool.h>

enum { GLNN__SETTING_GROUPS = 8, GLNN__GROUP_SETTINGS = 24 };

typedef double glnn__settings[GLNN__SETTING_GROUPS][GLNN__GROUP_SETTINGS];

/* Both skip the settings of compatibility profiles if the context has another profile. */
void glnn__settings_save(glnn__settings values, bool compatibility);

/* NULL means the defaults: no setting drops or changes fragments, and pixels are packed without
 * gaps and keep their values. */
void glnn__settings_restore(glnn__settings values, bool compatibility);

#endif
