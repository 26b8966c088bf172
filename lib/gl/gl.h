/* The OpenGL context of a glnn_context, which is one of OpenGL, OpenGL ES or WebGL. Other rooms
 * reach its commands through this header only. They ask what the context offers, and not which of
 * these it is. */
#ifndef GLNN__GL_GL_H
#define GLNN__GL_GL_H

#include "gl/commands.h"

#include <glnn/context.h>

#include <stdatomic.h>

struct glnn__busy_listener;
struct glnn__dependent;
struct glnn__host;
struct glnn__platform;

/* A place for a state in every context. The file that owns the state describes it in a static
 * variable. The first use in a context creates the state. glnn_context_destroy destroys the states,
 * the newest one first, so a state can be used by those that are created after it. */
typedef struct glnn__slot {
    const char *holds; /* completes the sentence "no memory for ..." */
    size_t size;
    void (*create)(glnn_context *ctx, void *state);  /* completes zeros; NULL: they suffice */
    void (*destroy)(glnn_context *ctx, void *state); /* frees its members; NULL: it has none */
    atomic_uint number; /* of the place in all contexts, by the first use in any; 0: none yet */
} glnn__slot;

/* More than there are slots. */
#define GLNN__SLOTS 12

/* The OpenGL context in terms of the window system. */
typedef struct glnn__native {
    void *context; /* EGLContext or GLXContext; NULL: none                */
    void *display; /* EGLDisplay; EGL only                                */
    void *surface; /* EGLSurface or NULL; with GLFW the window            */
} glnn__native;

/* The operation that passes belong to, for the trace: a public function, or a part of it. */
typedef struct glnn__label {
    const char *call; /* the outermost function of the library          */
    const char *part; /* NULL: the call as a whole                      */
    int layer;        /* of a network, that the part belongs to, plus 1; 0: none */
    uint64_t step;    /* of a training, from 1; 0: none                 */
} glnn__label;

/* Commands that only some contexts offer, and state that a host can set in them, as a set of
 * bits. */
typedef enum glnn__offer {
    GLNN__OFFERS_TEXTURE_READS = 1 << 0,   /* glGetTexImage, and glReadPixels in any format */
    GLNN__OFFERS_TEXTURE_CLEARS = 1 << 1,  /* glClearTexImage */
    GLNN__OFFERS_IMAGE_COPIES = 1 << 2,    /* glCopyImageSubData */
    GLNN__OFFERS_TEXTURE_TARGETS = 1 << 3, /* glGetTextureParameteriv tells the target */
    GLNN__OFFERS_FLOAT_BLENDING = 1 << 4,  /* render targets of float32 can be blended */
    GLNN__OFFERS_CLOCK = 1 << 5,           /* queries of the device's time */
    GLNN__OFFERS_DEBUG_OUTPUT = 1 << 6,
    GLNN__OFFERS_OLD_STATE = 1 << 7,         /* the compatibility profile of OpenGL */
    GLNN__OFFERS_DESKTOP_STATE = 1 << 8,     /* the state of OpenGL that OpenGL ES lacks */
    GLNN__OFFERS_TARGET_STATE = 1 << 9,      /* each render target has its own state */
    GLNN__OFFERS_TARGET_STATE_EXT = 1 << 10, /* the same by functions with this suffix */
    GLNN__OFFERS_CLIP_CONTROL = 1 << 11,
    GLNN__OFFERS_CLIP_CONTROL_EXT = 1 << 12,
    GLNN__OFFERS_CLIP_DISTANCES = 1 << 13,
    GLNN__OFFERS_MULTISAMPLING = 1 << 14, /* can be switched off */
    GLNN__OFFERS_SAMPLE_SHADING = 1 << 15,
    GLNN__OFFERS_SRGB_WRITES = 1 << 16,   /* can be switched off */
    GLNN__OFFERS_REVERSED_ROWS = 1 << 17, /* glReadPixels can begin with the last row */
    GLNN__OFFERS_BOUNDING_BOX = 1 << 18,  /* of primitives */
    GLNN__OFFERS_SAMPLE_COUNTS = 1 << 19, /* queries of GL_SAMPLES_PASSED */
    GLNN__OFFERS_PRIMITIVE_COUNTS = 1 << 20,
    GLNN__OFFERS_STATISTICS = 1 << 21,        /* queries count shaders */
    GLNN__OFFERS_CONDITIONS = 1 << 22,        /* conditional render */
    GLNN__OFFERS_CONDITIONS_NV = 1 << 23,     /* the same by functions with this suffix */
    GLNN__OFFERS_FLAGS = 1 << 24,             /* GL_CONTEXT_FLAGS */
    GLNN__OFFERS_MAPPED_BUFFERS = 1 << 25,    /* which stay mapped while OpenGL uses them */
    GLNN__OFFERS_FLOAT_FILTERS = 1 << 26,     /* samplers filter textures of float32 */
    GLNN__OFFERS_UNIFORM_LOCATIONS = 1 << 27, /* shaders choose the locations of uniforms */
    GLNN__OFFERS_IMAGE_UNITS = 1 << 28, /* and sample masks, and framebuffers of no attachments */
    GLNN__OFFERS_LEVEL_SIZES = 1 << 29, /* queries of the size and format of a texture's level */
    /* The driver is in this process: buffers can be mapped, fences waited for, and compiled
     * programs stored. */
    GLNN__OFFERS_DIRECT_CALLS = 1 << 30,
} glnn__offer;

struct glnn_context {
    glnn_context_desc desc; /* with copies of its strings, and the defaults that gl knows */
    glnn_context_info info;
    glnn_counters counters;

    glnn__label label;
    void *list;         /* that commands are recorded in; NULL: they are carried out */
    void *watch;        /* sees the passes of lists (pass/list.h); NULL: nobody does    */
    bool is_recording;  /* the list is the program's: it is recorded from call to call */
    unsigned lists_age; /* changes whenever a recorded command may be about objects that are gone */

    const struct glnn__platform *platform;
    glnn__native native;

    unsigned offers;  /* of glnn__offer */
    bool has_compute; /* shaders of the compute stage can store to images                 */
    bool has_images; /* shaders of both stages can load from them too, so side outputs are images */
    bool tells_resets;   /* the driver can be asked for resets of the device */
    bool checks_indices; /* compilers compare variable indices with bounds                  */
    bool is_remote;      /* another process computes, as with virgl and in browsers           */
    int max_framebuffer_side; /* of a framebuffer without attachments, or of a texture         */
    int max_shader_outputs;   /* render targets and images that a fragment shader can write    */
    int texture_units;        /* that a shader of either stage can read                       */
    int compute_images;       /* that a shader of the compute stage can store to              */
    double pass_limit_ms;     /* the longest time for a pass of a product; may be INFINITY     */

    /* No side of a texture is a power of two (tex/texture.c). A test that has a software rasteriser
     * treated as a GPU keeps this, because exact sides would compile a program several times. */
    bool avoids_powers_of_two;

    int depth;        /* of nested calls; the outermost takes the context from a host          */
    int pairs;        /* that glnn_context_begin has opened                                    */
    glnn_status lost; /* why the context could not be taken back after a callback; OK: it was */
    uint64_t entries; /* counts outermost calls, and returns from callbacks             */
    /* They change whenever OpenGL's bindings may differ from those noted: all, or only that of the
     * framebuffer. */
    unsigned bindings_age, framebuffer_age;
    void (*owed)(glnn_context *ctx); /* precedes the next call, and clears itself; NULL: nothing */
    struct glnn__host *host;         /* NULL in the library's own contexts */
    char gl_error[512]; /* the first error of the debug output since the last check; "": none */

    void *states[GLNN__SLOTS];        /* by the numbers of slots; the first one is NULL */
    glnn__slot *created[GLNN__SLOTS]; /* the slots whose states exist, the oldest first */
    int created_count;

    int busy; /* nested pieces of long work; see busy.h */
    struct glnn__busy_listener *listeners;

    struct glnn__dependent *dependents; /* see lifetime.h */
    bool is_device_lost;                /* for good */
    bool is_destroyed;                  /* all else is zero then, but this: */
    glnn_context *buried_before;
};

/* Texture units that passes can use. */
#define GLNN__TEXTURE_UNITS 23

/* Image units that passes can use, for the output and the side outputs. */
#define GLNN__IMAGE_UNITS 5

/* The parts of OpenGL's state that the library changes, as a set of bits. */
typedef uint64_t glnn__state_parts;

#define GLNN__INDEXED_PARTS (GLNN__TEXTURE_UNITS + GLNN__IMAGE_UNITS)
#define GLNN__PARTS         (GLNN__INDEXED_PARTS + 8)
#define GLNN__PARTS_ALL     ((UINT64_C(1) << GLNN__PARTS) - 1)
#define GLNN__PARTS_UNITS   ((UINT64_C(1) << GLNN__TEXTURE_UNITS) - 1)

/* A texture unit: its textures, and its sampler, which is none. */
#define GLNN__PART_UNIT(i) (UINT64_C(1) << (i))
/* An image unit. */
#define GLNN__PART_IMAGE(i) (UINT64_C(1) << (GLNN__TEXTURE_UNITS + (i)))
/* The program in use; transform feedback is paused. */
#define GLNN__PART_PROGRAM      (UINT64_C(1) << GLNN__INDEXED_PARTS)
#define GLNN__PART_VERTEX_ARRAY (UINT64_C(2) << GLNN__INDEXED_PARTS)
/* The framebuffers to draw to and to read from. */
#define GLNN__PART_FRAMEBUFFERS (UINT64_C(4) << GLNN__INDEXED_PARTS)
/* No tests and no culling; the viewport. The first render target is written whole, without
 * blending. */
#define GLNN__PART_DRAWING (UINT64_C(8) << GLNN__INDEXED_PARTS)
/* The other render targets are written whole, without blending. */
#define GLNN__PART_TARGETS (UINT64_C(16) << GLNN__INDEXED_PARTS)
/* The function of blending to the first render target; the equation adds. */
#define GLNN__PART_BLENDING (UINT64_C(32) << GLNN__INDEXED_PARTS)
/* The same for the other render targets, which is claimed with that for the first. */
#define GLNN__PART_TARGETS_BLENDING (UINT64_C(64) << GLNN__INDEXED_PARTS)
/* No pixel buffers; pixels packed without gaps. */
#define GLNN__PART_TRANSFERS (UINT64_C(128) << GLNN__INDEXED_PARTS)

/* The parts that transfers change. */
#define GLNN__PARTS_COPY (GLNN__PART_UNIT(0) | GLNN__PART_FRAMEBUFFERS | GLNN__PART_TRANSFERS)

/* Notes that a transfer has made other bindings to unit 0 and the framebuffer. Programs use unit 0
 * in a host's context alone. */
static inline void glnn__gl_note_transfer(glnn_context *ctx)
{
    ++*(ctx->host ? &ctx->bindings_age : &ctx->framebuffer_age);
}

/* The state of a slot; NULL: it was not created yet. */
static inline void *glnn__slot_state(const glnn_context *ctx, glnn__slot *slot)
{
    return ctx->states[atomic_load_explicit(&slot->number, memory_order_relaxed)];
}

/* The same, created if it was not yet. `out` is the address of a pointer to the state. */
glnn_status glnn__slot_get(glnn_context *ctx, glnn__slot *slot, void *out);

/* glnn_context_create without what higher rooms add. */
glnn_status glnn__gl_create(const glnn_context_desc *desc, glnn_context **out);

/* Every function that touches OpenGL runs between these two; they nest. The outermost enter makes
 * the context current and labels the passes that follow with the function that calls it. In an
 * adopted context it then takes the context from the host, unless a pair of glnn_context_begin and
 * glnn_context_end is open, and checks that the host's commands allow passes; the outermost leave
 * gives it back. When enter fails, leave is not to be called. Enter fails with E_STATE if the
 * context was destroyed. */
glnn_status glnn__gl_enter_for(glnn_context *ctx, const char *call);
#define glnn__gl_enter(ctx) glnn__gl_enter_for(ctx, __func__)

/* While the program records a list, enter fails with E_STATE if it is the outermost. Operations,
 * which can be recorded, and calls that end something enter by this function instead. */
glnn_status glnn__gl_enter_recording_for(glnn_context *ctx, const char *call);
#define glnn__gl_enter_recording(ctx) glnn__gl_enter_recording_for(ctx, __func__)

/* Returns `status`. If that is OK but the debug output has reported an error since enter, it
 * returns E_GL with OpenGL's words. The outermost leave puts the name of the public function that
 * entered before the sentence of an error. It calls OpenGL only if the context is adopted or the
 * call has failed: the flags of an error do not outlive the call. */
glnn_status glnn__gl_leave(glnn_context *ctx, glnn_status status);

/* Whether objects of OpenGL can be deleted outside of a call: the context is current, and its host
 * is not between glBegin and glEnd. Otherwise the caller sets `owed`. */
bool glnn__gl_can_delete(const glnn_context *ctx);

/* Precedes every change of a part. In an adopted context it notes the host's state, which is
 * restored when the context is given back. It also sets the default state of the part, which
 * belongs to all passes. In the library's own contexts the defaults are set once, and the higher
 * rooms keep track of their changes. E_STATE: the host's state could not be restored later. */
glnn_status glnn__gl_claim(glnn_context *ctx, glnn__state_parts parts);

/* Fails if a part could not be claimed later. Changes nothing. */
glnn_status glnn__gl_can_claim(glnn_context *ctx, glnn__state_parts parts);

/* Shaders have stored to a texture of the host. Its own commands see that from the end of the call
 * or pair on. */
void glnn__gl_show_stores(glnn_context *ctx);

/* Sets the viewport of a pass. */
void glnn__gl_set_viewport(const glnn_context *ctx, const GLfloat viewport[4]);

/* Whether draws are added to the first render target times the colour of blending. In a host's
 * context this leaves the other targets as they are, where each has its own state. */
void glnn__gl_blend_first_target(const glnn_context *ctx, bool is_added);

/* Use a program, and bind a sampler to a texture unit. The part has been claimed. */
void glnn__gl_use_program(glnn_context *ctx, GLuint program);
void glnn__gl_bind_sampler(glnn_context *ctx, int unit, GLuint sampler);

/* A call that is interrupted by the caller's code. */
typedef struct glnn__suspended {
    int depth;
    glnn__label label;
} glnn__suspended;

/* Between these two, the caller's code runs inside a call of the library: it finds its own state,
 * unless it has opened a pair, and can call the library. Resume must follow even if suspend fails.
 * If resume fails, enter fails with its status and leave restores nothing until the outermost leave
 * has returned. */
glnn_status glnn__gl_suspend(glnn_context *ctx, glnn__suspended *call);
glnn_status glnn__gl_resume(glnn_context *ctx, const glnn__suspended *call);

/* Label the passes until glnn__label_end as a part of the call, and return the former label, which
 * applies again after that. */
glnn__label glnn__label_part(glnn_context *ctx, const char *part);
glnn__label glnn__label_layer(glnn_context *ctx, int layer, const char *part);

/* Returns `status`. */
glnn_status glnn__label_end(glnn_context *ctx, glnn__label former, glnn_status status);

/* Clears errors that were pending in an adopted context, and logs the first one. */
void glnn__gl_forgive(const glnn_context *ctx);

/* Closes the pairs of a context that is going to be destroyed. */
void glnn__gl_close_pairs(glnn_context *ctx);

/* Reads OpenGL's error flag. It is called only where the program waits anyway: in allocations,
 * transfers and compilations. `doing` completes the sentence "OpenGL error GL_OUT_OF_MEMORY while
 * ...". GL_OUT_OF_MEMORY becomes E_NOMEM. */
__attribute__((format(printf, 2, 3))) glnn_status glnn__gl_check(glnn_context *ctx,
                                                                 const char *doing, ...);

/* E_DEVICE_LOST from the first call on that finds that the driver has reset the device, or that it
 * is gone. The checks above ask the driver; enter only remembers. */
glnn_status glnn__gl_check_loss(glnn_context *ctx);

/* A number of OpenGL's state; 0 if OpenGL does not have it. */
static inline GLint glnn__gl_integer(GLenum name)
{
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value;
}

/* The first lines of every shader, which say the version of its language. */
const char *glnn__gl_shader_head(const glnn_context *ctx);

static inline bool glnn__gl_offers(const glnn_context *ctx, glnn__offer offer)
{
    return ctx->offers & (unsigned)offer;
}

/* Copies the first bytes of the buffer that is bound to `target`. */
void glnn__gl_read_buffer(GLenum target, size_t bytes, void *out);

/* Waits until the GPU is idle, and counts the wait. */
void glnn__gl_wait(glnn_context *ctx);

/* Sets the default state of all parts in one of the library's own contexts. */
void glnn__gl_set_defaults(const glnn_context *ctx);

/* Measure the milliseconds of the passes between the two calls, and wait for them. They use timer
 * queries of the GPU until one contradicts the wall clock, and from then on the wall clock. */
typedef struct glnn__timer {
    GLuint query; /* 0: the wall clock alone */
    double started;
} glnn__timer;

void glnn__timer_begin(glnn_context *ctx, glnn__timer *timer);
double glnn__timer_end(glnn_context *ctx, glnn__timer *timer);

#endif
