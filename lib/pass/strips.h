/* Strips: a pass that would keep the device for too long is drawn as several rectangles of blocks,
 * which changes no bit. */
#ifndef GLNN__PASS_STRIPS_H
#define GLNN__PASS_STRIPS_H

#include "pass/program.h"

/* Strips submitted at a time: while the GPU computes one, the next one is ready. */
#define GLNN__STRIPS_AT_WORK 2

/* A pass under way. Strips consist of units, rows or columns of blocks that cannot be cut apart. */
typedef struct glnn__strips {
    glnn_context *ctx;
    glnn__program *program;
    glnn__blocks region;
    bool is_cut, is_across;       /* whether there may be several; side by side */
    int unit, units, least, done; /* blocks of a unit; units: all, least of a strip, and drawn */
    int drawn;                    /* units of the latest strip */
    double unit_us;               /* as expected */
    struct {
        GLsync fence;
        int units;
    } at_work[GLNN__STRIPS_AT_WORK + 1]; /* the oldest one first */
    int at_work_count;
    double latest_end; /* when the strip before the oldest one ended, in seconds; 0: not known */
} glnn__strips;

/* Begins a pass over a region of blocks. */
void glnn__strips_begin(glnn__strips *s, glnn_context *ctx, glnn__program *program,
                        const glnn__pass *pass, const glnn__blocks *region);

/* The next rectangle to draw; false after the last one. The times of strips decide the size of the
 * next ones, and whether the next pass of this program is cut. */
bool glnn__strips_next(glnn__strips *s, glnn__blocks *part);

#endif
