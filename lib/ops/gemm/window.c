#include "ops/gemm/window.h"

#include "base/integers.h"
#include "pass/blocking.h"

bool glnn__window_is_phased(const glnn__window *w)
{
    return w->mode == GLNN__WINDOW_BACKWARD && (w->stride.height > 1 || w->stride.width > 1);
}

/* Phases after the kernel have no rows. */
static int count_phases(const glnn__window *w)
{
    return glnn__least(w->stride.height, w->kernel.height) *
           glnn__least(w->stride.width, w->kernel.width);
}

/* The most pixels of a side of the grid that belong to one phase. */
static int count_places(int grid, int padding, int stride)
{
    return (padding + grid - 1) / stride - padding / stride + 1;
}

/* No work group of a product has rows of two phases. */
int glnn__window_rows(const glnn__window *w, int rows)
{
    if (!glnn__window_is_phased(w))
        return rows;
    const int samples = rows / (w->grid.height * w->grid.width);
    const int places = count_places(w->grid.height, w->padding.height, w->stride.height) *
                       count_places(w->grid.width, w->padding.width, w->stride.width);
    return count_phases(w) * glnn__round_up(samples * places, GLNN__LARGE_GROUP);
}

int glnn__window_lines(const glnn__window *w)
{
    glnn__sides taps = w->kernel;
    if (glnn__window_is_phased(w)) {
        taps.height = glnn__ceil_div(taps.height, w->stride.height);
        taps.width = glnn__ceil_div(taps.width, w->stride.width);
    }
    return 4 * taps.height * taps.width * w->groups;
}
