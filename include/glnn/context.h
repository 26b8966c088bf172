/* glnn/context.h - a connection to one OpenGL device
 *
 * A context is where everything else lives: matrices, compiled programs, learners. There are three
 * ways to get one: headless through EGL (the default, which needs no display), through a hidden
 * GLFW window, or by adopting the OpenGL context that is current in the calling thread. A program
 * that already renders adopts its own, and computes between its frames.
 *
 * A context belongs to the thread that created it; calls from another thread are not checked.
 * Several contexts may live in one process; each call makes its own current when it is not.
 *
 * In an adopted context a call restores what it touches of the caller's state, and pauses transform
 * feedback meanwhile. It fails with E_STATE and changes nothing
 *   - when the context is not current: the library never makes it current by itself;
 *   - when the program in use has been deleted and would be lost;
 *   - when a texture, a sampler or a buffer is bound that has been deleted in a sharing context,
 *     where the library would bind another one: the sentence names object and unit;
 *   - inside a conditional render of the caller, which might discard the library's passes. In a
 *     context without errors (GL_KHR_no_error) OpenGL does not tell, and the caller has to see to
 *     it;
 *   - while a display list of the caller is open, which would record the passes;
 *   - while a query of the caller is active that would count the passes: of samples, of primitives
 *     generated, or of pipeline statistics. Queries of time go on and include the call.
 * glnn_context_destroy and glnn_matrix_destroy work all the same.
 *
 * A call in an adopted context takes the OpenGL error that is pending there, and logs it as a
 * warning. OpenGL offers no way to put it back, so a caller who wants it reads glGetError before
 * the call.
 *
 * Creating a context through GLFW resets GLFW's window hints.
 *
 * The device profile is what the library knows about the speed of a stage: of products by their
 * size, of ways to read and to write. The library plans by it how operations are cut into passes,
 * and with that the order of sums. The same program, data, seed, device and device profile give the
 * same bits. It also decides what GLNN_LAYOUT_AUTO becomes (glnn/matrix.h).
 * The profile is kept in the cache folder; without a cache folder the built-in profile is used.
 * glnn_context_measure and GLNN_TUNING_AGAIN measure it anew. */
#ifndef GLNN_CONTEXT_H
#define GLNN_CONTEXT_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glnn_context glnn_context;

typedef enum glnn_platform {
    GLNN_PLATFORM_EGL = 0, /* headless: an EGL device, or Mesa's surfaceless platform without one */
    GLNN_PLATFORM_GLFW,    /* a hidden window; needs a display                                    */
    GLNN_PLATFORM_ADOPT,   /* the OpenGL context that is current in the calling thread            */
    GLNN_PLATFORM_COUNT
} glnn_platform;

/* The platform's name: "egl", "glfw", "adopt". Since 0.2 */
GLNN_API const char *glnn_platform_name(glnn_platform platform);

/* The platform with a name. Since 0.2 */
GLNN_API glnn_status glnn_platform_from_name(const char *name, glnn_platform *out);

/* Which part of the pipeline runs kernels. Results agree within the operations' bounds. */
typedef enum glnn_stage {
    GLNN_STAGE_DEFAULT = 0, /* $GLNN_STAGE, or FRAGMENT if that is not set */
    GLNN_STAGE_FRAGMENT,    /* fragment shaders that write render targets */
    GLNN_STAGE_COMPUTE,     /* the same kernels as compute shaders that write images */
    GLNN_STAGE_AUTO,        /* the one that multiplies faster by the device profile; chosen when the
                           context is created */
    GLNN_STAGE_COUNT
} glnn_stage;

/* The stage's name in lower case: "fragment", "compute", "auto".
 * Owner: the library, static. Thread: any. Since 0.1 */
GLNN_API const char *glnn_stage_name(glnn_stage stage);

/* The stage with a name. Since 0.2 */
GLNN_API glnn_status glnn_stage_from_name(const char *name, glnn_stage *out);

/* How the fragment stage writes outputs. Side outputs of a pass are always images. Results are the
 * same bits. The exception is products of large matrices on devices with
 * quad_exchange: there images mean larger blocks and another order of the sums. */
typedef enum glnn_writes {
    GLNN_WRITES_DEFAULT = 0, /* $GLNN_WRITES, or AUTO if that is not set                          */
    GLNN_WRITES_AUTO,    /* the faster way for each output by the device profile                  */
    GLNN_WRITES_TARGETS, /* render targets                                                        */
    GLNN_WRITES_IMAGES,  /* images, by imageStore: no change of framebuffers, and larger blocks   */
    GLNN_WRITES_COUNT
} glnn_writes;

/* The name in lower case: "auto", "targets", "images".
 * Owner: the library, static. Thread: any. Since 0.1 */
GLNN_API const char *glnn_writes_name(glnn_writes writes);

/* The way with a name. Since 0.2 */
GLNN_API glnn_status glnn_writes_from_name(const char *name, glnn_writes *out);

/* How the library comes by the device profile. There are built-in profiles, one for GPUs and one
 * for software rasterisers. Parts of the profile are measured when an operation first needs them.
 * They are kept in a file of the cache folder, one a driver, and replace the built-in ones in all
 * runs from then on. Where the file cannot be written, nothing is measured; parts that it already
 * holds are used, all others are the built-in ones. */
typedef enum glnn_tuning {
    GLNN_TUNING_DEFAULT =
        0,             /* $GLNN_TUNE (off, quick, full or again), else QUICK                 */
    GLNN_TUNING_OFF,   /* the built-in profile; operations measure nothing                   */
    GLNN_TUNING_QUICK, /* the measured profile: half a second when a product first needs it, and the
                          compilation of its samples */
    GLNN_TUNING_FULL,  /* as QUICK, and matrix products of a new shape are made in every promising
                          way; the fastest is kept, and used by QUICK too */
    GLNN_TUNING_AGAIN, /* as QUICK, but the profile on the disk is measured anew, and replaced */
    GLNN_TUNING_COUNT
} glnn_tuning;

/* The tuning's name in lower case: "default", "off", "quick", "full", "again".
 * Owner: the library, static. Thread: any. Since 0.1 */
GLNN_API const char *glnn_tuning_name(glnn_tuning tuning);

/* The tuning with a name. Since 0.2 */
GLNN_API glnn_status glnn_tuning_from_name(const char *name, glnn_tuning *out);

/* Describes a context. Zeros mean the defaults. */
typedef struct glnn_context_desc {
    glnn_platform platform;
    int device; /* index into glnn_device_list(), 0 for other platforms than EGL; 0: the first */
    glnn_stage stage;      /* 0: $GLNN_STAGE (fragment, compute or auto), else FRAGMENT           */
    glnn_writes writes;    /* 0: $GLNN_WRITES (auto, targets or images), else AUTO                */
    bool debug;            /* ask for a debug context: errors are reported where they happen      */
    size_t texture_budget; /* bytes that textures may take; 0: half of the memory of the device   */
    double pass_limit_ms;  /* a pass of a matrix product that takes longer is drawn in strips; 0: 50
                              ms; no limit on a software rasteriser, where nothing stops long
                              passes                                                              */
    glnn_tuning tuning;    /* 0: $GLNN_TUNE, else QUICK                                          */
    const char *shader_dir; /* read the shaders from this folder; NULL: $GLNN_SHADER_DIR, and
                               where that is not set the shaders embedded in the library          */
    const char *cache_dir;  /* keep compiled programs and the device profile in this folder; NULL:
                              $XDG_CACHE_HOME/glnn or $HOME/.cache/glnn; "": keep nothing         */
} glnn_context_desc;

/* Creates a context: core profile 4.3 or later is required, with float32 colour attachments and
 * eight draw buffers.
 *
 * Formula  none. `desc` may be NULL, which means all defaults.
 * Errors   E_ARG          `out` is null, the platform, stage, writes or tuning is unknown,
 *                         $GLNN_STAGE, $GLNN_WRITES or $GLNN_TUNE is no name of one, the device
 *                         index or pass_limit_ms is negative, a device index without EGL
 *          E_LIMIT        there is no device with this index
 *          E_UNSUPPORTED  no OpenGL, or one that is too old or lacks a feature: the sentence
 *                         names renderer, version and what is missing
 *          E_STATE        ADOPT without a current context, or with one that the caller uses in a
 *                         way that excludes all calls: see above
 *          E_NOMEM        no memory
 * Owner    the caller, who passes it to glnn_context_destroy. Strings of `desc` are copied.
 * Thread   the one that will use the context.   Since 0.1 */
GLNN_API glnn_status glnn_context_create(const glnn_context_desc *desc, glnn_context **out);

/* Destroys the context and all that OpenGL holds for it. Matrices that are still alive are
 * reported as a warning, one line each; their handles stay valid for glnn_matrix_destroy alone.
 * NULL does nothing. Learners and data sets are to be destroyed before.
 * Thread: the context's own. Since 0.1 */
GLNN_API void glnn_context_destroy(glnn_context *ctx);

/* The device and driver of a context. Strings belong to the context. */
typedef struct glnn_context_info {
    size_t size;           /* the caller sets it to sizeof(glnn_context_info) */
    const char *vendor;    /* GL_VENDOR                                       */
    const char *renderer;  /* GL_RENDERER                                     */
    const char *version;   /* GL_VERSION                                      */
    int max_texture_size;  /* widest and tallest texture, in texels           */
    int max_array_layers;  /* most layers of an array texture                 */
    int max_draw_buffers;  /* most render targets of a pass                   */
    size_t texture_budget; /* bytes that textures may take                    */
    size_t texture_bytes;  /* bytes that textures take now, free ones too     */
    glnn_stage stage;      /* which part of the pipeline runs kernels: FRAGMENT or COMPUTE  */
    glnn_writes writes;    /* how the fragment stage writes                   */
    glnn_tuning tuning;    /* OFF, QUICK, FULL or AGAIN                       */
    bool timer_queries;    /* GPU timer queries exist and have proved right   */
    bool software;         /* the renderer is a rasteriser on the CPU, such as llvmpipe */
    bool quad_exchange;    /* fragments can swap what they fetched within their quad (the
                              extension GL_KHR_shader_subgroup): matrix products fetch a third
                              less */
} glnn_context_info;

/* Describes the context. Errors: E_ARG a null argument. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_context_get_info(const glnn_context *ctx, glnn_context_info *out);

/* Counts since the context was created or the counters were reset. */
typedef struct glnn_counters {
    size_t size;                /* the caller sets it to sizeof(glnn_counters)                */
    uint64_t passes;            /* passes drawn                                               */
    uint64_t programs_compiled; /* programs compiled from source                              */
    uint64_t programs_loaded;   /* programs taken from the cache on disk                      */
    uint64_t textures_created;  /* textures made; one taken from the pool does not count      */
    uint64_t bytes_uploaded;    /* bytes sent to textures                                     */
    uint64_t bytes_downloaded;  /* bytes read back from textures                              */
    uint64_t waits;             /* times the CPU waited for the GPU                           */
} glnn_counters;

/* Reads the counters. Errors: E_ARG a null argument. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_context_get_counters(const glnn_context *ctx, glnn_counters *out);

/* Sets all counters to zero. NULL does nothing. Thread: the context's own. Since 0.1 */
GLNN_API void glnn_context_reset_counters(glnn_context *ctx);

/* Waits until the GPU has done all that was asked of it, and reports what went wrong meanwhile.
 * For timing; no call of the library needs it before a download. Counts as one wait.
 * Errors: E_ARG `ctx` is null; E_GL OpenGL reported an error.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_context_finish(glnn_context *ctx);

/* Compares the stages: *ratio is how many times as fast the compute stage multiplies as the
 * fragment stage does, in a sample product that fills the device. Some chips run graphics shaders
 * on a fraction of their processors; there it is far above 1.
 * Errors: E_ARG a null argument; E_LIMIT, E_NOMEM, E_SHADER, E_GL as the operations.
 * Cost: both stages' products are measured, where that was not done before, whatever the tuning is;
 * what was measured is kept where there is a cache folder.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_context_compare_stages(glnn_context *ctx, double *ratio);

/* Measures the whole device profile of the context's stage anew, whatever the tuning is, say
 * because another program kept the machine busy the first time. Where there is a cache folder the
 * new profile replaces the kept one, and later calls plan by it, so sums may come out in another
 * order.
 * Errors: E_ARG `ctx` is null; E_LIMIT, E_NOMEM, E_SHADER, E_GL as the operations.
 * Cost: about half a second, and the compilation of the samples.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_context_measure(glnn_context *ctx);

/* Changes how the library tunes from here on; DEFAULT asks $GLNN_TUNE again.
 * Errors: E_ARG a null context or unknown tuning. Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_context_set_tuning(glnn_context *ctx, glnn_tuning tuning);

/* One entry of glnn_device_list(). */
typedef struct glnn_device {
    size_t size;        /* the caller sets that of the first entry to sizeof(glnn_device) */
    int index;          /* for glnn_context_desc.device                          */
    char renderer[128]; /* GL_RENDERER of a context on it; "" when none is made  */
    char version[128];  /* GL_VERSION                                            */
    bool usable;        /* a context of the version that is required can be made */
} glnn_device;

/* Lists the EGL devices in EGL's order; Mesa's surfaceless platform stands in where there is none.
 * Fills at most `capacity` entries of `devices` and stores how many exist in `*count`; `devices`
 * may be NULL when `capacity` is 0. Contexts are created and destroyed to read the names.
 * Errors: E_ARG `count` is null or `capacity` negative; E_UNSUPPORTED no EGL.
 * Thread: any without a current context of its own. Since 0.1 */
GLNN_API glnn_status glnn_device_list(glnn_device *devices, int capacity, int *count);

#ifdef __cplusplus
}
#endif
#endif
