/* Writes a drawing as SVG. Shapes and texts have looks, each of which means the same in all
 * drawings. */
#ifndef DRAWINGS_SVG_H
#define DRAWINGS_SVG_H

#include <stdbool.h>

#define SVG_WIDTH 800 /* of every drawing */

typedef enum svg_look {
    SVG_PLAIN,    /* an element, a texel or a texture, without further meaning */
    SVG_READ,     /* is read      */
    SVG_WRITTEN,  /* is written   */
    SVG_FOLLOWED, /* the one element, block or sample that the drawing follows */
    SVG_AROUND,   /* the block or texel that it belongs to */
    SVG_PADDING,  /* past the edge of the matrix           */
    SVG_FRAME,    /* an outline alone */
    SVG_PANEL,    /* a background that groups what lies on it */
    SVG_LOOKS
} svg_look;

typedef enum svg_font { SVG_TITLE, SVG_HEADING, SVG_LABEL, SVG_SMALL, SVG_FONTS } svg_font;

typedef enum svg_align { SVG_LEFT, SVG_CENTRE, SVG_RIGHT } svg_align;

typedef struct svg svg;

/* A drawing for readers who see it has a title of one line; those who do not have it read aloud
 * together with the description. */
svg *svg_begin(const char *path, double height, const char *title, const char *description);

/* False, with messages on stderr, if the file could not be written, or if a text leaves the drawing
 * or lies over another one. */
bool svg_end(svg *s);

void svg_rect(svg *s, svg_look look, double x, double y, double width, double height);
void svg_circle(svg *s, svg_look look, double x, double y, double radius);
void svg_line(svg *s, svg_look look, double x1, double y1, double x2, double y2);
void svg_triangle(svg *s, svg_look look, const double points[6]);

/* A line with a head at its end. */
void svg_arrow(svg *s, svg_look look, double x1, double y1, double x2, double y2);

/* (x, y) is the beginning, the middle or the end of the base line. */
void svg_text(svg *s, svg_font font, svg_align align, double x, double y, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* The same on a shape that is SVG_FOLLOWED. */
void svg_text_on_followed(svg *s, svg_font font, svg_align align, double x, double y,
                          const char *format, ...) __attribute__((format(printf, 6, 7)));

/* A paragraph of lines that are at most `width` long; returns the base line of the next one. */
double svg_paragraph(svg *s, svg_font font, double x, double y, double width, const char *text);

/* A legend of the looks that a drawing uses; the list of them ends with zeros. */
typedef struct svg_key {
    svg_look look;
    const char *meaning;
} svg_key;

void svg_legend(svg *s, double x, double y, const svg_key *keys);

#endif
