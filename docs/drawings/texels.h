/* Where the elements of a matrix lie in its texture, as the library packs them. */
#ifndef DRAWINGS_TEXELS_H
#define DRAWINGS_TEXELS_H

#include "tex/layout.h"

/* Where one element lies. */
typedef struct place {
    int layer, x, y, component;
} place;

typedef struct texels {
    const glnn__layout_info *layout;
    glnn__extent extent;
    int rows, columns;
    int *elements; /* row * columns + column of each component, layer by layer; -1: padding */
} texels;

/* `page_rows`: of a page, if the layout is PAGED. */
texels texels_create(glnn_layout layout, int rows, int columns, int page_rows);
void texels_destroy(texels *t);

/* The element in a component of a texel; -1: padding. */
int texels_element(const texels *t, const place *at);

place texels_find(const texels *t, int row, int column);

/* Whether two elements share a texel. */
bool texels_share(const place *a, const place *b);

#endif
