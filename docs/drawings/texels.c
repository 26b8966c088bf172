#include "texels.h"

#include <stdio.h>
#include <stdlib.h>

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) {
        perror("texels");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static size_t floats_of(const texels *t)
{
    return (size_t)t->extent.width * (size_t)t->extent.height * (size_t)t->extent.layers *
           (size_t)t->layout->channels;
}

/* Packs a matrix whose elements are their own numbers, from 1 on: padding stays 0. Rows of a PAGED
 * matrix follow each other through all pages, so its rows of padding are at the end. */
texels texels_create(glnn_layout layout, int rows, int columns, int page_rows)
{
    const int side = layout == GLNN_LAYOUT_PAGED ? page_rows : rows; /* nothing is wrapped */
    const glnn__layout_info *info = glnn__layout_get(layout, GLNN__TILE_LAYERS);
    texels t = {info, glnn__layout_extent(info, rows, columns, side), rows, columns, NULL};
    const glnn_rect whole = {0, 0, rows, columns};
    const size_t count = (size_t)rows * (size_t)columns, floats = floats_of(&t);
    float *data = allocate(count, sizeof *data), *packed = allocate(floats, sizeof *packed);
    for (size_t i = 0; i < count; ++i)
        data[i] = (float)(i + 1);
    glnn__layout_pack(info, t.extent.wrap, &whole, data, columns, packed);
    t.elements = allocate(floats, sizeof *t.elements);
    for (size_t i = 0; i < floats; ++i)
        t.elements[i] = (int)packed[i] - 1;
    free(data);
    free(packed);
    return t;
}

void texels_destroy(texels *t)
{
    free(t->elements);
}

int texels_element(const texels *t, const place *at)
{
    const int texel = (at->layer * t->extent.height + at->y) * t->extent.width + at->x;
    return t->elements[texel * t->layout->channels + at->component];
}

place texels_find(const texels *t, int row, int column)
{
    int at = 0;
    while (t->elements[at] != row * t->columns + column)
        ++at;
    const int channels = t->layout->channels, texel = at / channels;
    const int page = t->extent.width * t->extent.height;
    return (place){texel / page, texel % t->extent.width, texel % page / t->extent.width,
                   at % channels};
}

bool texels_share(const place *a, const place *b)
{
    return a->layer == b->layer && a->x == b->x && a->y == b->y;
}
