#include "optimize/rounding.h"

#include "base/integers.h"
#include "base/status.h"

#include <math.h>

/* The bits of a 16-bit number: the powers of two begin above its 10 digits, with a bias of 15. */
#define POWER_OF(bits) ((int)((bits) >> 10) - 15)
#define NOT_FINITE     0x7C00u

/* The largest sum is kept between two powers of two. From the upper one on, the exponent falls at
 * once to the aim; below the lower one, it rises by one with each step. Sums may thus grow by a
 * factor of eight from one step to the next before they are limited, and numbers of 2^-22 of the
 * largest keep all their digits. */
enum { LOWER_POWER = 8, AIMED_POWER = 10, UPPER_POWER = 12, LIMIT_POWER = 15 };

enum { SCALE, UNIT, LIMIT };
enum { RESIDUAL };

static const glnn__kernel rounding_kernel = {
    .name = "optimize/rounding",
    .uniforms = {[SCALE] = "float scale", [UNIT] = "float unit", [LIMIT] = "float limit"},
    .side_outputs = {[RESIDUAL] = "RESIDUAL"},
};

bool glnn__rounding_is_asked(const glnn__sink *sink)
{
    return sink->ranks > 0 && sink->storage == GLNN_STORAGE_FLOAT16;
}

glnn_status glnn__rounding_prepare(glnn_context *ctx, glnn__parameters *p)
{
    const glnn_matrix *like = p->values;
    if (!p->residual)
        GLNN__TRY(glnn__matrix_create_zero(ctx, like->layout, like->rows, like->columns, "residual",
                                           &p->residual));
    if (p->halves)
        return GLNN_OK;
    return glnn__matrix_create_undefined(ctx, like->layout, GLNN_STORAGE_FLOAT16, like->rows,
                                         like->columns, "gradient in 16 bits", &p->halves);
}

/* With this limit for each process, no sum over some processes exceeds 2^15, however it is
 * rounded. */
static int limit_power(int ranks)
{
    int power = LIMIT_POWER;
    while (1 << (LIMIT_POWER - power) < ranks)
        --power;
    return power;
}

glnn__update glnn__rounding_choose(const glnn__sink *sink, glnn__parameters *p)
{
    const int exponent = p->exponent = p->next_exponent;
    return (glnn__update){
        .factor = 1,
        .epilogue = {.kernel = &rounding_kernel,
                     .side_outputs = {[RESIDUAL] = p->residual},
                     .uniforms = {[SCALE] = {.f = ldexpf(1, exponent)},
                                  [UNIT] = {.f = ldexpf(1, -exponent)},
                                  [LIMIT] = {.f = ldexpf(1, limit_power(sink->ranks) - exponent)}}},
    };
}

void glnn__rounding_follow(glnn__parameters *p, unsigned most)
{
    const int power = POWER_OF(most);
    int next = p->exponent;
    if (most == 0 || most >= NOT_FINITE)
        return;
    if (power >= UPPER_POWER)
        next -= power - AIMED_POWER;
    else if (power < LOWER_POWER)
        ++next;
    next = next < GLNN__ROUNDING_LEAST ? GLNN__ROUNDING_LEAST : next;
    p->next_exponent = glnn__least(next, GLNN__ROUNDING_MOST);
}

float glnn__rounding_unit(const glnn__parameters *p)
{
    return p->is_rounded ? ldexpf(1, -p->exponent) : 1;
}

void glnn__rounding_reset(glnn__parameters *p)
{
    glnn_matrix_destroy(p->residual);
    p->residual = NULL;
    p->next_exponent = GLNN__ROUNDING_FIRST;
}
