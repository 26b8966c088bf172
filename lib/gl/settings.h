/* OpenGL state that consists of single numbers: toggles, and how pixels are copied between memory
 * and textures. */
#ifndef GLNN__GL_SETTINGS_H
#define GLNN__GL_SETTINGS_H

#include <stdbool.h>

enum { GLNN__SETTING_GROUPS = 8, GLNN__GROUP_SETTINGS = 24 };

typedef double glnn__settings[GLNN__SETTING_GROUPS][GLNN__GROUP_SETTINGS];

/* The commands that a setting has an effect on. */
typedef enum glnn__setting_use {
    GLNN__SETTINGS_DRAWING,
    GLNN__SETTINGS_TRANSFERS
} glnn__setting_use;

/* Notes the settings of a use, and gives those that differ the value that the library needs: no
 * setting drops or changes fragments, and pixels are packed without gaps and keep their values.
 * Both functions skip the settings of compatibility profiles if the context has another profile. */
void glnn__settings_take(glnn__settings values, glnn__setting_use use, bool compatibility);

/* Sets the settings again that take has changed. */
void glnn__settings_give(glnn__settings values, glnn__setting_use use, bool compatibility);

#endif
