/* OpenGL's names of targets and formats, for error sentences. */
#ifndef GLNN__TEX_GL_NAMES_H
#define GLNN__TEX_GL_NAMES_H

/* The name or, of a number that is not listed, its hexadecimal digits. */
typedef struct glnn__gl_name {
    char text[48];
} glnn__gl_name;

glnn__gl_name glnn__target_name(unsigned target);
glnn__gl_name glnn__format_name(unsigned format);

/* GL_RED to GL_ALPHA, GL_ZERO or GL_ONE. */
glnn__gl_name glnn__swizzle_name(unsigned swizzle);

#endif
