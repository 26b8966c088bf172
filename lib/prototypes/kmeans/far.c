#include "prototypes/kmeans/far.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

glnn_status glnn__far_create(glnn__far *far, int classes, int features, const int *wanted)
{
    *far = (glnn__far){.is_wanted = true, .columns = (size_t)features + 1, .classes = classes};
    far->first = calloc((size_t)classes + 1, sizeof *far->first);
    for (int c = 0; c < classes && far->first; ++c)
        far->first[c + 1] = far->first[c] + wanted[c];
    if (far->first)
        far->rows = calloc(((size_t)far->first[classes] + 1) * far->columns, sizeof *far->rows);
    if (far->rows)
        return GLNN_OK;
    glnn__far_destroy(far);
    return glnn__fail(GLNN_E_NOMEM, "no memory for samples far from their centres");
}

void glnn__far_destroy(glnn__far *far)
{
    free(far->first);
    free(far->rows);
    *far = (glnn__far){0};
}

/* The places of each class. */
static void list_wanted(const glnn__far *far, int classes, int most, glnn__state *state,
                        int *wanted)
{
    for (int c = 0; c < classes; ++c) {
        wanted[c] = far->first ? far->first[c + 1] - far->first[c] : 0;
        glnn__state_int(state, &wanted[c], "far.places.%d", c);
        if (!state->status && (wanted[c] < 0 || wanted[c] > most))
            state->status = glnn__fail(GLNN_E_FORMAT, "%s: class %d has %d empty centres of %d",
                                       state->path, c, wanted[c], most);
    }
}

/* Makes room for what is loaded. */
static glnn_status make_room(glnn__far *far, int classes, int features, const int *wanted)
{
    int places = 0;
    for (int c = 0; c < classes; ++c)
        places += wanted[c];
    glnn__far_destroy(far);
    return places > 0 ? glnn__far_create(far, classes, features, wanted) : GLNN_OK;
}

void glnn__far_state(glnn__far *far, int classes, int features, int most, glnn__state *state)
{
    int *wanted = malloc((size_t)classes * sizeof *wanted);
    if (!wanted) {
        state->status = glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", classes);
        return;
    }
    list_wanted(far, classes, most, state, wanted);
    if (glnn__state_loads(state))
        state->status = make_room(far, classes, features, wanted);
    free(wanted);
}

void glnn__far_visit(const glnn__far *far, glnn__visitor *visitor)
{
    for (int c = 0; c < far->classes; ++c) {
        const size_t places = (size_t)(far->first[c + 1] - far->first[c]);
        if (places > 0)
            glnn__visit_floats(visitor, GLNN__ROLE_GREATEST, glnn__far_row(far, far->first[c]),
                               places * far->columns, far->columns, "far.%d", c);
    }
}

void glnn__far_offer(glnn__far *far, int class, float distance, const float *sample)
{
    float *row = glnn__far_row(far, far->first[class]);
    float *end = glnn__far_row(far, far->first[class + 1]);
    if (row == end || !(distance > end[-(ptrdiff_t)far->columns]))
        return;
    while (!(distance > *row))
        row += far->columns;
    memmove(row + far->columns, row, (size_t)(end - row - (ptrdiff_t)far->columns) * sizeof *row);
    *row = distance;
    memcpy(row + 1, sample, (far->columns - 1) * sizeof *row);
}
