/* State of OpenGL that is one number: toggles, and how pixels travel between memory and textures. */
#ifndef GLNN__GL_SETTINGS_H
#define GLNN__GL_SETTINGS_H

#include <stdbool.h>

enum { GLNN__SETTING_GROUPS = 8, GLNN__GROUP_SETTINGS = 24 };

typedef double glnn__settings[GLNN__SETTING_GROUPS][GLNN__GROUP_SETTINGS];

/* Both leave out what only compatibility profiles have, unless the context's profile is one. */
void glnn__settings_save(glnn__settings values, bool compatibility);

/* Without values it sets the defaults: passes write their fragments as they are, and pixels are packed
 * without gaps and keep their values. */
void glnn__settings_restore(glnn__settings values, bool compatibility);

#endif
