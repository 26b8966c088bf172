#include "pass/strips.h"

#include "base/clock.h"
#include "base/integers.h"
#include "pass/profile.h"
#include "tex/buffer.h"

#include <math.h>
#include <string.h>

/* A program that was not timed yet may exceed the expected time by this factor. */
#define DOUBT 10

/* Adjacent blocks whose fragments share fetches, and which are computed together. */
static int unit_of(const glnn__pass *pass, int block)
{
    if (pass->blocking.group_side > block)
        return pass->blocking.group_side / block;
    return pass->blocking.shares ? 2 : 1;
}

/* The sides of a region in units. A region with several layers of groups has them in its rows, so
 * only its width is cut. */
static void find_units(glnn__strips *s, const glnn__pass *pass)
{
    const glnn__layout_info *layout = glnn__layout_of(pass->output);
    const int unit_rows = unit_of(pass, layout->block_rows);
    const int unit_columns = unit_of(pass, layout->block_columns);
    const int rows = glnn__ceil_div(s->region.height, unit_rows);
    const int columns = glnn__ceil_div(s->region.width, unit_columns);
    s->is_across = pass->blocking.group_layers > 1 || columns > rows;
    s->unit = s->is_across ? unit_columns : unit_rows;
    s->units = s->is_across ? columns : rows;
}

/* Smaller strips would leave a part of the device idle and take the same time. */
static int least_units(const glnn__strips *s, const glnn__pass *pass)
{
    const double blocks = (double)s->unit * (s->is_across ? s->region.height : s->region.width);
    const double fill =
        glnn__profile_fill(glnn__profile_known(s->ctx, s->ctx->info.stage), pass->output->layout);
    return (int)fmin(fmax(ceil(fill / blocks), 1), s->units);
}

void glnn__strips_begin(glnn__strips *s, glnn_context *ctx, glnn__program *program,
                        const glnn__pass *pass, const glnn__blocks *region)
{
    const double pace = program->pace > 0 ? program->pace : DOUBT;
    *s = (glnn__strips){.ctx = ctx, .program = program, .region = *region, .unit = 1, .units = 1};
    if (pace * pass->expected_us <= 1e3 * ctx->pass_limit_ms)
        return;
    find_units(s, pass);
    s->least = least_units(s, pass);
    s->is_cut = s->least < s->units;
    s->unit_us = pass->expected_us / s->units;
}

/* Returns whether the fence was still pending. */
static bool wait_for(glnn_context *ctx, GLsync fence)
{
    const bool waits = glnn__fence_wait(ctx, fence);
    glDeleteSync(fence);
    return waits;
}

/* Waits for the oldest strip. If the strip before it was waited for too, the time between their
 * ends is the time of this one. */
static void retire(glnn__strips *s)
{
    glnn__program *program = s->program;
    const bool is_timed = wait_for(s->ctx, s->at_work[0].fence) || program->pace == 0;
    const double end = is_timed ? glnn__clock_seconds() : 0;
    const double expected = 1e-6 * s->at_work[0].units * s->unit_us;
    if (is_timed && s->latest_end > 0)
        program->pace = fmax((end - s->latest_end) / expected, 1e-6);
    s->latest_end = end;
    --s->at_work_count;
    memmove(&s->at_work[0], &s->at_work[1], (size_t)s->at_work_count * sizeof s->at_work[0]);
}

/* Waits for each of the first strips. The very first one is not timed, because the driver may
 * compile before it draws. */
static void follow(glnn__strips *s)
{
    const int most = s->program->pace > 0 ? GLNN__STRIPS_AT_WORK : 0;
    s->at_work[s->at_work_count].fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    s->at_work[s->at_work_count++].units = s->drawn;
    glFlush();
    while (s->at_work_count > most)
        retire(s);
}

static void forget(glnn__strips *s)
{
    for (int i = 0; i < s->at_work_count; ++i)
        glDeleteSync(s->at_work[i].fence);
}

/* As many as the limit allows, or the rest in even parts. */
static int choose_units(const glnn__strips *s)
{
    const int left = s->units - s->done;
    if (!s->is_cut)
        return left;
    if (s->program->pace == 0)
        return s->done == 0 ? 1 : s->least < left ? s->least : left;
    const double allowed = 1e3 * s->ctx->pass_limit_ms / (s->unit_us * s->program->pace);
    const int most = (int)fmin(fmax(allowed, s->least), left);
    return glnn__ceil_div(left, glnn__ceil_div(left, most));
}

bool glnn__strips_next(glnn__strips *s, glnn__blocks *part)
{
    if (s->done > 0 && s->is_cut)
        follow(s);
    if (s->done == s->units) {
        forget(s);
        return false;
    }
    s->drawn = choose_units(s);
    *part = s->region;
    if (s->is_cut) {
        const int begin = s->unit * s->done, end = s->unit * (s->done + s->drawn);
        const int side = s->is_across ? s->region.width : s->region.height;
        const int length = (end < side ? end : side) - begin;
        part->x += s->is_across ? begin : 0;
        part->y += s->is_across ? 0 : begin;
        *(s->is_across ? &part->width : &part->height) = length;
    }
    s->done += s->drawn;
    return true;
}
