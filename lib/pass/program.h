/* Compiled programs: one for each variant, in memory, and as binaries on disk between runs. */
#ifndef GLNN__PASS_PROGRAM_H
#define GLNN__PASS_PROGRAM_H

#include "pass/disk_cache.h"
#include "pass/tuning_store.h"
#include "pass/variant.h"

/* The current values of a program's uniforms. OpenGL begins with zeros. */
typedef struct glnn__uniforms {
    glnn__value own[GLNN__MAX_UNIFORMS], epilogue[GLNN__MAX_UNIFORMS];
    int output_size[2];
    glnn__blocks region;
    glnn__blocks texels;
    float blend_factor;
    struct {
        int map[6];
        int size[2];
        union {
            float half_texel[2]; /* half a texel's width and height, in units of the texture's */
            int level[2];        /* of an operand that is placed, and its layer */
        } texels;
    } operands[GLNN__MAX_OPERANDS];
} glnn__uniforms;

typedef struct glnn__program {
    glnn__variant variant;
    GLuint name;       /* 0: not started                                      */
    uint64_t active;   /* bit i: it uses the uniform with number i            */
    uint64_t floats;   /* bit i: the uniform with number i is a float         */
    uint32_t bindings; /* bit i: it has binding i                           */
    unsigned char units[GLNN__BINDINGS];
    GLint locations[GLNN__LOCATIONS]; /* by the numbers of uniforms           */
    double pace;    /* the time of a pass over the expected time; 0: not measured */
    bool is_used;   /* a pass has used it, so that the driver has completed it    */
    bool is_listed; /* a list has a pass of it                                    */
    glnn__uniforms uniforms;
    glnn__text text;            /* until the driver has compiled it; then NULL                 */
    glnn__cache_key key;        /* on disk                                                     */
    GLuint shader;              /* until the driver has compiled it; 0 also if it came from disk */
    struct glnn__program *next; /* in its bucket */
} glnn__program;

#define GLNN__BUCKETS 256

/* A framebuffer without attachments has a side of 64, 256, 1024 and so on up to 2^28. */
#define GLNN__NO_TARGETS_SIZES 12

#define GLNN__UNKNOWN 0xff

/* The most units for textures, or for images, that programs use. */
#define GLNN__MOST_UNITS 192

/* The first texture unit that belongs to one program. */
#define GLNN__OWN_UNITS (1 + GLNN__TEXTURE_UNITS)

/* The image that a unit is bound to. */
typedef struct glnn__image {
    GLuint name;
    GLint level, layer;
} glnn__image;

/* The state of the room `pass` in a context. */
typedef struct glnn__programs {
    glnn__program *buckets[GLNN__BUCKETS];
    glnn__program *forgotten; /* of kernels that are gone, to be deleted when that is possible */
    GLuint
        partners[2]; /* the shaders that cover the viewport and that draw rows, made on first use */
    GLuint vertex_array; /* without attributes; a core profile needs one to draw          */
    GLuint samplers[GLNN__SAMPLINGS]; /* made on first use                                  */
    GLuint no_targets[GLNN__NO_TARGETS_SIZES]; /* framebuffers of passes that write images alone */
    char **expressions;
    int **constants; /* lists of GLNN__MAX_CONSTANTS values */
    uint32_t expression_count, constants_count;
    char *cache_dir;           /* NULL: no cache on disk                          */
    bool has_binaries;         /* the driver can hand out compiled programs      */
    const char *dump_dir;      /* $GLNN_DUMP_SHADERS; NULL: dump nothing         */
    struct glnn__trace *trace; /* NULL: no trace                                 */

    glnn__tuning tuning;

    /* The bindings that passes have made since `age`. Unknown ones have all bits set, which no
     * valid name or number has. */
    struct {
        unsigned age, framebuffer_age;
        GLuint program, vertex_array, framebuffer;
        GLuint textures[GLNN__MOST_UNITS], samplers[GLNN__MOST_UNITS];
        glnn__image images[GLNN__MOST_UNITS];
        GLfloat viewport[4];
        int blend, targets_blend; /* to the first render target, and to the others */
        float blend_factor;
        GLuint drawn;   /* the framebuffer of the latest draw       */
        uint64_t waits; /* counted until then                       */
    } bound;

    glnn__blocks whole; /* the render targets of the pass under way; zeros: there are none */

    /* In a context of the library's own, each program of a list has units of its own, as far as
     * there are enough: a steady step then binds nothing, because each unit still has its texture.
     * All other programs have the same few. So have all in a host's context, because the host gets
     * back each unit that was changed. */
    int unit_count, image_unit_count;
    int next_unit, next_image_unit; /* for the next program */
    bool has_stale_units;           /* a list has ended, and its textures are still bound */
} glnn__programs;

extern glnn__slot glnn__programs_slot;

/* The context's programs, which exist whenever there is a glnn__program. */
static inline glnn__programs *glnn__programs_of(const glnn_context *ctx)
{
    return glnn__slot_state(ctx, &glnn__programs_slot);
}

/* The same, made on first use. */
static inline glnn_status glnn__programs_get(glnn_context *ctx, glnn__programs **out)
{
    return glnn__slot_get(ctx, &glnn__programs_slot, out);
}

/* Whether finishing the program waits for nothing, as far as the driver tells. */
bool glnn__program_is_compiled(const glnn__program *program);

/* Notes that a list has a pass of the program. */
void glnn__program_note_listed(glnn_context *ctx, glnn__program *program);

/* The program of a variant, which is not started if it is new. */
glnn_status glnn__program_get(glnn__programs *programs, const glnn__variant *variant,
                              glnn__program **out);

/* Hands a program to the driver, unless that was done, and does not wait: the driver may compile
 * several programs in parallel. */
glnn_status glnn__program_start(glnn_context *ctx, glnn__programs *programs,
                                glnn__program *program);

/* Logs how many programs the driver was given, if there are more than `before`. */
void glnn__programs_log(const glnn_context *ctx, uint64_t before);

/* Makes a program ready to be used; waits for the driver. If start or finish cannot make a program,
 * its next use tries again. */
glnn_status glnn__program_finish(glnn_context *ctx, glnn__programs *programs,
                                 glnn__program *program);

/* Destroys the programs of a kernel that is going to be destroyed. Recorded passes are no longer
 * current if they use one (list.h). */
void glnn__programs_forget(glnn_context *ctx, const glnn__kernel *kernel);

/* The number of an expression, from 1. Equal texts have equal numbers. */
glnn_status glnn__expression_number(glnn__programs *programs, const char *expression,
                                    uint32_t *number);

/* A copy of a list of constants that lives as long as the programs. Equal lists have the same
 * copy. */
glnn_status glnn__constants_keep(glnn__programs *programs, const int *constants, const int **out);

#endif
