/* Trials of the driver: each property of OpenGL that the library relies on and that some driver got
 * wrong is tried on the device before the library trusts it. A trial takes about a millisecond and
 * the time to compile its programs. It runs once for each driver and version of the library: the
 * verdict is stored with the device profile (pass/tuning_store.h). Without a cache folder it runs
 * once in each context that needs it. */
#ifndef GLNN__DEVICE_TRIALS_H
#define GLNN__DEVICE_TRIALS_H

#include "gl/gl.h"

typedef enum glnn__property {
    GLNN__PROPERTY_BLEND_FACTORS,
    GLNN__PROPERTY_BLEND_ROUNDING,
    GLNN__PROPERTY_FENCES,
    GLNN__PROPERTY_LAYER_CLEARS,
    GLNN__PROPERTY_TEXTURE_CLEARS,
    GLNN__PROPERTY_MEMORY_SIZE,
    GLNN__PROPERTY_TIMER_QUERIES,
    GLNN__PROPERTY_STORES_FETCHED,
    GLNN__PROPERTY_STORES_LOADED,
    GLNN__PROPERTY_STORES_READ,
    GLNN__PROPERTY_UNIFORMS,
    GLNN__PROPERTY_COPY_LOOPS,
    GLNN__PROPERTY_ROUNDING_ERRORS,
    GLNN__PROPERTIES
} glnn__property;

typedef struct glnn__driver_trial {
    const char *name;                                 /* also of the stored verdict          */
    const char *property;                             /* that is tried                       */
    const char *workaround;                           /* of the library for a driver without */
    glnn_status (*run)(glnn_context *ctx, bool *has); /* `has` begins as true */
    const char *fault; /* of the compiler, for glnn__driver_expect; NULL: it is not asked */
} glnn__driver_trial;

extern const glnn__driver_trial glnn__driver_trials[GLNN__PROPERTIES];

/* Whether the driver has a property, by the stored verdict or else by a trial. The counters do not
 * include it. If memory is too low for a trial, the answer is yes, and the next call tries again.
 */
glnn_status glnn__driver_has(glnn_context *ctx, glnn__property property, bool *out);

/* Whether the library relies on a property in this context, and can try it there. Otherwise the
 * driver counts as having it, without a trial. */
bool glnn__driver_needs(const glnn_context *ctx, glnn__property property);

/* The same by a new trial, whose verdict replaces the stored one. */
glnn_status glnn__driver_try(glnn_context *ctx, glnn__property property, bool *out);

/* For a property without a workaround: if the driver lacks it, a warning says so, once in each
 * context. */
glnn_status glnn__driver_expect(glnn_context *ctx, glnn__property property);

/* True if blending to a float32 target has both of its properties. Shaders that add round in this
 * way, so both give the same bits. */
glnn_status glnn__blending_is_exact(glnn_context *ctx, bool *out);

/* True if all reads see stores to images after a barrier. */
glnn_status glnn__stores_are_seen(glnn_context *ctx, bool *out);

#endif
