/* Strips: a pass that would occupy the device for too long is drawn as several rectangles of
 * blocks. The result has the same bits. */
#ifndef GLNN__PASS_STRIPS_H
#define GLNN__PASS_STRIPS_H

#include "pass/program.h"

/* Strips that are submitted at a time, so that the next one is ready when the GPU has finished
 * one. */
#define GLNN__STRIPS_AT_WORK 2

/* A pass that is being drawn. A strip consists of units: rows or columns of blocks that are always
 * drawn together. */
typedef struct glnn__strips {
    glnn_context *ctx;
    glnn__program *program;
    glnn__blocks region;
    bool is_cut, is_across;       /* the pass may be cut; strips lie side by side */
    int unit, units, least, done; /* blocks of a unit; units: all, in the smallest strip, drawn */
    int drawn;                    /* units of the latest strip */
    double unit_us;               /* as expected */
    struct {
        GLsync fence;
        int units;
    } at_work[GLNN__STRIPS_AT_WORK + 1]; /* the oldest one first */
    int at_work_count;
    double latest_end; /* the end of the strip before the oldest one, in seconds; 0: unknown */
} glnn__strips;

/* Begins a pass over a region of blocks. */
void glnn__strips_begin(glnn__strips *s, glnn_context *ctx, glnn__program *program,
                        const glnn__pass *pass, const glnn__blocks *region);

/* The next rectangle to draw; false after the last one. The measured times decide how large the
 * next strips are, and whether the next pass of this program is cut. */
bool glnn__strips_next(glnn__strips *s, glnn__blocks *part);

#endif
