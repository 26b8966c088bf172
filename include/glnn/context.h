/** @file
 *  @ingroup glnn_context
 *  @brief A connection to one OpenGL device.
 *
 *  Matrices, data sets and learners live in a context. There are three ways to get one: without a
 *  display through EGL, which is the default; through a hidden GLFW window; or by adopting the
 *  OpenGL context that is current in the calling thread. A program that already renders adopts its
 *  own context and computes between its frames.
 *
 *  ### Threads
 *
 *  A context belongs to one thread at a time: first to the one that created it. The library does
 *  not detect calls from two threads at once. The program can move the context to another thread
 *  between two calls. Before it does, an OpenGL context of the library's own has to be released
 *  with glnn_context_release(), and the host of an adopted one makes that current in the other
 *  thread.
 *
 *  Several contexts can exist in one process. Each call makes the OpenGL context that it uses
 *  current and leaves it current. Adopted contexts are the exception, see below. A program with an
 *  OpenGL context in the same thread calls glnn_context_release() before it makes its own current,
 *  because a context of GLX cannot become current while one of EGL is, and the reverse. GLFW then
 *  ends the program with an error of X.
 *
 *  @anchor device_loss
 *  ### Device loss
 *
 *  A driver resets its device after a pass that took too long, or after an error of another
 *  program. A device can also be removed. The contents of all matrices are lost then. The library
 *  asks the driver whenever it reads results, allocates or waits. If the device was lost, this and
 *  all later calls in the context fail with GLNN_E_DEVICE_LOST. The process goes on: it destroys
 *  the context and creates another one, on the same device or another. In browsers, a context that
 *  the browser takes away is lost in the same way. glnn_train_desc::on_device_lost continues a
 *  training from its last checkpoint.
 *
 *  Contexts that the library creates ask the driver to tell of resets, and an adopted context has
 *  to be created so by its host. Drivers without OpenGL 4.5, OpenGL ES 3.2 or GL_KHR_robustness
 *  cannot tell.
 *
 *  ### Order of destruction
 *
 *  Objects can be destroyed before or after their context. After glnn_context_destroy(), calls that
 *  use the context or an object in it fail with GLNN_E_STATE. Getters return either their value or
 *  the value for NULL. The functions that destroy objects still free them. A call in another
 *  context refuses an object of the destroyed one with GLNN_E_ARG, as it refuses any object of a
 *  foreign context. To recognise handles of a destroyed context, the library keeps about a kilobyte
 *  of memory for it until the process ends.
 *
 *  ### Adopted contexts
 *
 *  In an adopted context the library is the guest of a host, the program that owns the context.
 *  Each call restores the OpenGL state that it changes, and pauses transform feedback meanwhile. A
 *  host that makes many calls between two draws encloses them in glnn_context_begin() and
 *  glnn_context_end(); then the state is saved and restored once for all of them. A call outside of
 *  such a pair, and glnn_context_begin(), fail with GLNN_E_STATE and change nothing in these cases:
 *  - The context is not current. The library never makes an adopted context current.
 *  - A conditional render of the host is active, which could discard the passes. A context
 *    without errors (GL_KHR_no_error) does not report this; there the host has to avoid it.
 *  - The host is compiling a display list, which would record the passes.
 *  - The render mode is GL_SELECT or GL_FEEDBACK, in which passes draw nothing.
 *  - A query of the host is active that would count the passes: samples, generated primitives or
 *    pipeline statistics. Time queries continue and include the call.
 *
 *  A call inside or outside of a pair fails with GLNN_E_STATE before its first pass, and changes
 *  nothing, in these cases:
 *  - The host is between glBegin() and glEnd(), where OpenGL refuses all commands of the library.
 *    glnn_context_end() fails too, and the pair stays open. OpenGL reports GL_INVALID_OPERATION
 *    after glEnd().
 *  - The program in use was deleted, and the call needs another one. OpenGL would free it then.
 *  - A bound texture, sampler or buffer was deleted in a sharing context, and the call could bind
 *    another one in its place. The sentence names the object and the unit.
 *
 *  glnn_context_destroy() and glnn_matrix_destroy() work in all of these cases. Between glBegin()
 *  and glEnd(), however, OpenGL keeps the objects that glnn_context_destroy() should delete.
 *
 *  If an OpenGL error is pending when a call begins, the call clears it and logs a warning. OpenGL
 *  cannot restore it, so a host that needs the error reads glGetError() before the call.
 *
 *  Several contexts can adopt the same OpenGL context, for example one for each component of the
 *  host. They share one saved state.
 *
 *  ### Device profile
 *
 *  The library computes an operation in one or more *passes*. A pass is one draw, or one dispatch
 *  of compute shaders.
 *
 *  The device profile holds measured speeds of a stage (::glnn_stage): of matrix products by size,
 *  and of ways to read and write. The library uses it to divide operations into passes and to
 *  choose layouts for GLNN_LAYOUT_AUTO. The passes determine the order of sums. The same program,
 *  data, seed, device and device profile give the same bits.
 *
 *  The profile is stored in the cache folder (glnn_context_desc::cache_dir). Without a cache folder
 *  the library uses a built-in profile. glnn_context_measure() and GLNN_TUNING_AGAIN measure it
 *  anew. */
#ifndef GLNN_CONTEXT_H
#define GLNN_CONTEXT_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_context
 *  @{ */

/** A connection to one OpenGL device. */
typedef struct glnn_context glnn_context;

/** Ways to get an OpenGL context. */
typedef enum glnn_platform {
    GLNN_PLATFORM_EGL = 0, /**< an EGL device, or Mesa's surfaceless platform; needs no display.
                                In a browser, a canvas with WebGL 2                             */
    GLNN_PLATFORM_GLFW,    /**< a hidden window; needs a display and resets GLFW's window hints */
    GLNN_PLATFORM_ADOPT,   /**< the context that is current in the calling thread               */
    GLNN_PLATFORM_COUNT
} glnn_platform;

/** The name of a platform: "egl", "glfw", "adopt". @since 0.2 */
GLNN_API const char *glnn_platform_name(glnn_platform platform);

/** The platform with a name. @since 0.2 */
GLNN_API glnn_status glnn_platform_from_name(const char *name, glnn_platform *out);

/** The programming interface of an OpenGL context. */
typedef enum glnn_api {
    GLNN_API_DEFAULT = 0, /**< the environment variable `GLNN_API`, else GL                      */
    GLNN_API_GL,          /**< OpenGL, core profile 4.3 or later                                 */
    GLNN_API_ES,          /**< OpenGL ES 3.1 or later                                            */
    GLNN_API_WEBGL,       /**< the part of OpenGL ES 3.0 that WebGL 2 has; the tier is TARGETS. In a
                               browser it is the default and the only one. Elsewhere a context of
                               OpenGL ES 3.0 takes its place, for tests                          */
    GLNN_API_COUNT
} glnn_api;

/** The name of an interface: "default", "gl", "es", "webgl". @since 0.2 */
GLNN_API const char *glnn_api_name(glnn_api api);

/** The interface with a name. @since 0.2 */
GLNN_API glnn_status glnn_api_from_name(const char *name, glnn_api *out);

/** The part of OpenGL that the library uses. A lower tier computes the same with less. Results of
 * all tiers agree within the bounds that the operations state.
 *
 * Numbers of passes in these headers are those of the tier FULL. A pass can have several outputs,
 * such as new weights and the state of an optimizer. In a lower tier it takes further passes if
 * they need more render targets than there are, or if one of them has a row for each sample.
 *
 * A context gets the tier TARGETS, with a warning, if a trial of the driver finds that it loses
 * stores to images. */
typedef enum glnn_tier {
    GLNN_TIER_DEFAULT = 0, /**< the environment variable `GLNN_TIER`, else the highest one that the
                                OpenGL context has                                               */
    GLNN_TIER_FULL,        /**< all of OpenGL 4.3: shaders of both stages read and write images  */
    GLNN_TIER_ES,          /**< that of contexts of OpenGL ES 3.1: fragment shaders write render
                                targets, and compute shaders write images that they do not read  */
    GLNN_TIER_TARGETS,     /**< fragment shaders that read textures and write render targets, and
                                nothing else                                                     */
    GLNN_TIER_COUNT
} glnn_tier;

/** The name of a tier: "default", "full", "es", "targets". @since 0.2 */
GLNN_API const char *glnn_tier_name(glnn_tier tier);

/** The tier with a name. @since 0.2 */
GLNN_API glnn_status glnn_tier_from_name(const char *name, glnn_tier *out);

/** The part of the pipeline that computes. Results of both stages agree within the bounds that the
 * operations state. */
typedef enum glnn_stage {
    GLNN_STAGE_DEFAULT = 0, /**< the environment variable `GLNN_STAGE`, else FRAGMENT            */
    GLNN_STAGE_FRAGMENT,    /**< fragment shaders                                                */
    GLNN_STAGE_COMPUTE,     /**< compute shaders; fragment shaders, with a warning, if a trial of
                                 the driver finds that it loses uniforms of compute shaders or
                                 stores to images                                                */
    GLNN_STAGE_AUTO,        /**< the stage that multiplies faster by the device profile, chosen
                                 when the context is created                                     */
    GLNN_STAGE_COUNT
} glnn_stage;

/** The name of a stage: "default", "fragment", "compute", "auto". @since 0.1 */
GLNN_API const char *glnn_stage_name(glnn_stage stage);

/** The stage with a name. @since 0.2 */
GLNN_API glnn_status glnn_stage_from_name(const char *name, glnn_stage *out);

/** How fragment shaders write their results. Compute shaders always write images.
 *
 * All ways give the same bits, with two exceptions. On devices with
 * glnn_context_info::quad_exchange, fragments that write images can compute larger parts of the
 * product of large matrices, which changes the order of the sums. The compilers of some drivers
 * combine products and sums as they like, so that a last bit can differ, for example in a step of
 * Adam. */
typedef enum glnn_writes {
    GLNN_WRITES_DEFAULT = 0, /**< the environment variable `GLNN_WRITES`, else AUTO              */
    GLNN_WRITES_AUTO,        /**< for each output the faster way by the device profile           */
    GLNN_WRITES_TARGETS,     /**< to render targets                                              */
    GLNN_WRITES_IMAGES,      /**< to images, by imageStore(); to render targets, with a warning, if
                                  a trial of the driver finds that it loses such stores          */
    GLNN_WRITES_COUNT
} glnn_writes;

/** The name of a way to write: "default", "auto", "targets", "images". @since 0.1 */
GLNN_API const char *glnn_writes_name(glnn_writes writes);

/** The way to write with a name. @since 0.2 */
GLNN_API glnn_status glnn_writes_from_name(const char *name, glnn_writes *out);

/** How the library gets its device profile.
 *
 * The library has built-in profiles, one for GPUs and one for software rasterisers. It measures a
 * part of the profile when an operation first needs it, and stores it in the cache folder, in one
 * file for each driver. All later runs use the stored parts. If several processes measure a part at
 * the same time, all of them use that of the first. If the file cannot be written, the library uses
 * the parts that the file already holds, and built-in ones for the rest.
 *
 * Calls whose purpose is to measure ignore the tuning: glnn_context_measure(),
 * glnn_context_compare_stages(), glnn_context_get_profile() and glnn_context_get_advice(). */
typedef enum glnn_tuning {
    GLNN_TUNING_DEFAULT = 0, /**< the environment variable `GLNN_TUNE`, else QUICK               */
    GLNN_TUNING_OFF,         /**< the built-in profile; operations measure nothing               */
    GLNN_TUNING_QUICK,       /**< measured parts; the first matrix product takes about half a
                                  second longer, and compiles the programs that are measured     */
    GLNN_TUNING_AGAIN,       /**< as QUICK, but the context ignores the stored parts and measures
                                  each part once anew, which replaces the stored one             */
    GLNN_TUNING_COUNT
} glnn_tuning;

/** The name of a tuning: "default", "off", "quick", "again". @since 0.1 */
GLNN_API const char *glnn_tuning_name(glnn_tuning tuning);

/** The tuning with a name. @since 0.2 */
GLNN_API glnn_status glnn_tuning_from_name(const char *name, glnn_tuning *out);

/** Describes a context. Zeros mean the defaults. An environment variable that is empty counts as
 * not set. */
typedef struct glnn_context_desc {
    glnn_platform platform; /**< 0: EGL                                                          */
    int device;             /**< a glnn_device::index; 0: the first. EGL only                    */
    glnn_stage stage;       /**< 0: `GLNN_STAGE`, else FRAGMENT                                  */
    glnn_writes writes;     /**< 0: `GLNN_WRITES`, else AUTO                                     */
    glnn_api api;           /**< 0: `GLNN_API`, else GL. With ADOPT the context's own is taken, and
                                 has to be the one that is named here                            */
    glnn_tier tier;         /**< 0: `GLNN_TIER`, else the highest one of the context             */
    int render_targets;     /**< most that a pass draws into, 4 or 8; it is also the number of
                                 layers of the layout TILED. 0: `GLNN_TARGETS`, else 8 if the
                                 context has them. 4 is for tiers below FULL                     */
    bool debug;             /**< create a debug context, which reports errors where they happen;
                                 ignored by ADOPT                                                */
    size_t texture_budget;  /**< bytes that textures may take; 0: half of the memory that the
                                 driver reports, but at most half of main memory. Half of main
                                 memory on a software rasteriser, and if the driver reports none */
    double pass_limit_ms;   /**< a pass of a matrix product that is expected to take longer is drawn
                                 in strips; 0: 50 ms, and no limit on a software rasteriser      */
    glnn_tuning tuning;     /**< 0: `GLNN_TUNE`, else QUICK                                      */
    const char *shader_dir; /**< folder to read the shaders from; NULL: the environment variable
                                 `GLNN_SHADER_DIR`, else the shaders embedded in the library     */
    const char *cache_dir;  /**< folder for compiled programs and the device profile; NULL:
                                 `$XDG_CACHE_HOME/glnn`, else `$HOME/.cache/glnn`; "": no cache  */
    const char *canvas;     /**< in a browser, the CSS selector of the canvas whose context this is;
                                 NULL: a canvas of its own, which the page does not show         */
    uint64_t reserved[3];   /**< zeros; room for later versions */
} glnn_context_desc;

/** Creates a context.
 *
 * The device must support the core profile of OpenGL 4.3 or later, with eight float32 render
 * targets at once, or OpenGL ES 3.1 or later, with four of them. `desc` NULL means all defaults.
 *
 * @errors
 *   - GLNN_E_ARG: `out` is null. The platform, api, tier, stage, writes or tuning is not in its
 *     enumeration, or an environment variable is not a name of it. The adopted context has another
 *     interface than the description names. The number of render targets is neither 4 nor 8, or 4
 *     in the tier FULL. The tier is without the stage or the way to write. The device index is
 *     negative, or not 0 and the platform is not EGL. `pass_limit_ms` is negative or not finite.
 *   - GLNN_E_LIMIT: there is no EGL device with this index.
 *   - GLNN_E_UNSUPPORTED: OpenGL is absent, too old or lacks a feature. The sentence names the
 *     renderer, its version and the feature.
 *   - GLNN_E_STATE: ADOPT, and no context is current, or the caller uses it in a way that excludes
 *     all calls (see the list above).
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_SHADER, GLNN_E_GL: the stage is AUTO, and a measured pass failed.
 * @owner  the caller, who passes it to glnn_context_destroy(). The strings of `desc` are copied.
 *         After a failure `*out` is NULL.
 * @thread the one that will use the context.
 * @since  0.1 */
GLNN_API glnn_status glnn_context_create(const glnn_context_desc *desc, glnn_context **out);

/** Destroys a context and its objects in OpenGL.
 *
 * The library logs a warning for each object that the caller has created and not destroyed, such as
 * a network or a matrix. The caller can still destroy it; see "Order of destruction" above. NULL
 * and a context that was already destroyed are ignored.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API void glnn_context_destroy(glnn_context *ctx);

/** Makes no OpenGL context current in the calling thread, if that of `ctx` is.
 *
 * A program with an OpenGL context of its own calls it before it makes that current, and a program
 * that moves `ctx` to another thread calls it in the former one. The next call that uses `ctx`
 * makes its context current again. In an adopted context, which belongs to the host, the call
 * changes nothing.
 *
 * @errors
 *   - GLNN_E_ARG: `ctx` is null.
 *   - GLNN_E_STATE: the context was destroyed, or a call that uses it is under way.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_context_release(glnn_context *ctx);

/** Begins a sequence of calls in an adopted context.
 *
 * Until glnn_context_end(), the OpenGL state belongs to the library. Calls that use `ctx` do not
 * restore it, so that many short calls take little more time than in a context of the library's
 * own. The checks of "Adopted contexts" for commands of the host are made once, by this call.
 *
 * Pairs nest: only the end of the outermost pair restores the state. If several contexts adopt the
 * same OpenGL context, their pairs may overlap in any order. The state is restored when the last of
 * the open pairs ends. In a context of the library's own, a pair changes nothing.
 *
 * Rules for the host inside a pair:
 *  - It does not draw, and does not change OpenGL state. The library sees some of these changes,
 *    not all: if the program in use is another one, the next call fails with GLNN_E_STATE and
 *    computes nothing. After other changes, results and the state after the end are undefined. A
 *    host that has to draw ends the pair first and begins another one afterwards.
 *  - It may create, fill and delete objects of OpenGL. State that needs a binding for this, for
 *    example of a texture, is state as above; functions without bindings (glTextureSubImage2D() and
 *    the like) need none. If it deletes an object that was bound when the pair began, the end
 *    leaves no object bound in its place.
 *  - It may make another OpenGL context current and work there. Calls that use `ctx` fail with
 *    GLNN_E_STATE meanwhile, glnn_context_end() too. They work again as soon as the adopted context
 *    is current.
 *  - A callback of a call inside the pair is inside the pair too.
 *  - Errors of OpenGL that the host causes inside the pair are reported as the library's. The
 *    sentence of glnn_context_end() says that they may be the host's.
 *
 * A call that fails inside the pair does not end it. glnn_context_destroy() ends the open pairs of
 * its context and restores the state, if the adopted context is current. Otherwise a pair that is
 * never ended leaves the state to the library.
 *
 * @errors
 *   - GLNN_E_ARG: `ctx` is null.
 *   - GLNN_E_STATE: the context was destroyed. The adopted context is not current, or the host uses
 *     it in a way that excludes all calls (see "Adopted contexts"). No pair has begun then.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_context_begin(glnn_context *ctx);

/** Ends the innermost sequence of calls that glnn_context_begin() has begun.
 *
 * @errors
 *   - GLNN_E_ARG: `ctx` is null.
 *   - GLNN_E_STATE: the context was destroyed, or no pair is open. The adopted context is not
 *     current, or is between glBegin() and glEnd(); then the pair stays open, and the call can be
 *     repeated.
 *   - GLNN_E_GL: OpenGL reported an error in a call of the pair that did not report it itself. The
 *     pair has ended, and the state is restored.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_context_end(glnn_context *ctx);

/** The device and driver of a context, and the choices that were made for it. */
typedef struct glnn_context_info {
    size_t size;           /**< set by the caller: sizeof(glnn_context_info)                     */
    const char *vendor;    /**< GL_VENDOR; this and the next two belong to the context           */
    const char *renderer;  /**< GL_RENDERER                                                      */
    const char *version;   /**< GL_VERSION                                                       */
    int max_texture_size;  /**< largest width and height of a texture, in texels                 */
    int max_array_layers;  /**< most layers of an array texture                                  */
    int max_draw_buffers;  /**< most render targets that the device has                          */
    size_t texture_budget; /**< bytes that textures may take                                     */
    size_t texture_bytes;  /**< bytes that textures take now, unused ones in the pool included   */
    glnn_api api;          /**< GL, ES or WEBGL                                                  */
    glnn_tier tier;        /**< FULL, ES or TARGETS                                              */
    int render_targets;    /**< that a pass draws into at most, and layers of TILED: 4 or 8      */
    glnn_stage stage;      /**< FRAGMENT or COMPUTE                                              */
    glnn_writes writes;    /**< AUTO, TARGETS or IMAGES                                          */
    glnn_tuning tuning;    /**< OFF, QUICK or AGAIN                                              */
    bool timer_queries;    /**< GPU timer queries exist and have agreed with the clock so far    */
    bool software;         /**< OpenGL computes on the CPU, as llvmpipe does                     */
    bool quad_exchange;    /**< fragments can read values of the other fragments in their quad
                                (GL_KHR_shader_subgroup), so that matrix products fetch a third
                                less                                                             */
} glnn_context_info;

/** Returns the device and driver of a context, and the choices that were made for it.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or `out->size` is too small.
 *   - GLNN_E_STATE: the context was destroyed.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_context_get_info(const glnn_context *ctx, glnn_context_info *out);

/** Counts since the context was created or its counters were reset. */
typedef struct glnn_counters {
    size_t size;                /**< set by the caller: sizeof(glnn_counters)                    */
    uint64_t passes;            /**< passes drawn or dispatched                                  */
    uint64_t programs_compiled; /**< programs compiled from source                               */
    uint64_t programs_loaded;   /**< programs loaded from the cache folder                       */
    uint64_t textures_created;  /**< textures created; those reused from the pool do not count   */
    uint64_t bytes_uploaded;    /**< bytes copied to textures                                    */
    uint64_t bytes_downloaded;  /**< bytes copied back from textures                             */
    uint64_t waits;             /**< times that the CPU waited for the GPU                       */
} glnn_counters;

/** Reads the counters.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or `out->size` is too small.
 *   - GLNN_E_STATE: the context was destroyed.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_context_get_counters(const glnn_context *ctx, glnn_counters *out);

/** Sets all counters to zero. NULL is ignored.
 *
 * @thread the context's own.
 * @since  0.1 */
GLNN_API void glnn_context_reset_counters(glnn_context *ctx);

/** Waits until the GPU has finished all work of the context, and reports its errors.
 *
 * Programs need it only to measure times, because downloads wait by themselves. The call adds one
 * to glnn_counters::waits.
 *
 * @errors
 *   - GLNN_E_ARG: `ctx` is null.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_GL: OpenGL reported an error.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_context_finish(glnn_context *ctx);

/** Compares the speed of the stages.
 *
 * `*ratio` is the speed of the compute stage divided by that of the fragment stage, for a matrix
 * product that fills the device. On chips that run graphics shaders on a fraction of their
 * processors, it is far above 1.
 *
 * The call measures both stages if they have not been measured, whatever the tuning. It stores the
 * numbers if there is a cache folder.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: a measured pass failed.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_context_compare_stages(glnn_context *ctx, double *ratio);

/** Measures the whole device profile of the context's stage anew, whatever the tuning.
 *
 * Use it if other programs kept the machine busy during the first measurement. If there is a cache
 * folder, the new profile replaces the stored one and later calls use it, so that sums may be added
 * in another order. The call takes about half a second, and the time to compile the programs that
 * it measures.
 *
 * @errors
 *   - GLNN_E_ARG: `ctx` is null.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: a measured pass failed.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_context_measure(glnn_context *ctx);

/** Measures the device profile ahead of time, in slices that fit into the frames of a program.
 *
 * Creating a large matrix and the first matrix product measure missing parts of the profile at
 * once, which takes about a second. A program that must not stop for so long calls this function
 * in each frame, before it creates data sets and learners, until `progress` is 1:
 *
 *     double progress = 0;
 *     if (progress < 1)
 *         status = glnn_context_warm_up(ctx, 4, &progress);
 *
 * The measurement is divided into pieces: compiling one program, drawing with it once, or timing
 * one operation once. A call runs at least one piece, and begins no other one after `milliseconds`
 * (0: no limit), so it takes at most one piece longer. The calls wait for the GPU. `progress`
 * receives the share of the pieces that were run, from 0 to 1, and can be NULL. Without pieces to
 * run, because the profile is stored or the tuning or the cache folder allows no measurement, it
 * is 1 at once.
 *
 * Learners with GLNN_LAYOUT_UNPACKED need another part of the profile, which
 * glnn_trainer_warm_up() measures. That function also compiles the programs of a training.
 *
 * @errors
 *   - GLNN_E_ARG: `ctx` is null, or `milliseconds` is negative or not finite.
 *   - GLNN_E_STATE: the context was destroyed.
 *   - GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: a measured pass failed.
 * @thread the context's own.
 * @since  0.2 */
GLNN_API glnn_status glnn_context_warm_up(glnn_context *ctx, double milliseconds, double *progress);

/** Changes the tuning of a context. DEFAULT reads `GLNN_TUNE` again.
 *
 * @errors
 *   - GLNN_E_ARG: `ctx` is null, `tuning` is not in the enumeration, or `GLNN_TUNE` is not a name
 *     of one.
 *   - GLNN_E_STATE: the context was destroyed.
 * @thread the context's own.
 * @since  0.1 */
GLNN_API glnn_status glnn_context_set_tuning(glnn_context *ctx, glnn_tuning tuning);

/** An EGL device. */
typedef struct glnn_device {
    size_t size;        /**< set by the caller in the first entry: sizeof(glnn_device)           */
    int index;          /**< for glnn_context_desc::device                                       */
    char renderer[128]; /**< GL_RENDERER; "" if no context can be created on the device          */
    char version[128];  /**< GL_VERSION, of OpenGL ES if there is no other context               */
    bool usable;        /**< its OpenGL is recent enough for glnn_context_create()               */
    bool software;      /**< it computes on the CPU, as llvmpipe does                            */
    bool usable_es;     /**< the same as `usable` of its OpenGL ES @since 0.2                    */
} glnn_device;

/** Lists the EGL devices in EGL's order.
 *
 *     glnn_device devices[8] = {{.size = sizeof devices[0]}};
 *     int count;
 *     glnn_status status = glnn_device_list(devices, 8, &count);
 *
 * The call fills at most `capacity` entries and stores in `*count` how many devices exist. It takes
 * the distance between two entries from the size in the first one.
 * `devices` may be NULL if `capacity` is 0. If EGL lists no devices, Mesa's surfaceless platform is
 * the only entry. The call creates a context on each listed device to read the names.
 *
 * @errors
 *   - GLNN_E_ARG: `count` is null, `capacity` is negative, or it is positive and `devices` is null
 *     or the size in its first entry is too small.
 *   - GLNN_E_UNSUPPORTED: EGL has neither devices nor a surfaceless platform.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread any; the thread's current context is current again afterwards.
 * @since  0.1 */
GLNN_API glnn_status glnn_device_list(glnn_device *devices, int capacity, int *count);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
