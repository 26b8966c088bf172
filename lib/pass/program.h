/* Compiled programs: one per variant, kept in memory, and as binaries on disk between runs. */
#ifndef GLNN__PASS_PROGRAM_H
#define GLNN__PASS_PROGRAM_H

#include "pass/disk_cache.h"
#include "pass/tuning_store.h"
#include "pass/variant.h"

/* The values that a program's uniforms have. All are zero in a new program, as in OpenGL. */
typedef struct glnn__uniforms {
    glnn__uniform own[GLNN__MAX_UNIFORMS], epilogue[GLNN__MAX_UNIFORMS];
    int output_size[2];
    glnn__blocks region;
    float blend_factor;
    struct {
        int map[6];
        int size[2];
        float half_texel[2]; /* column, row: of the texture's sides, each of which counts 1 */
    } operands[GLNN__MAX_OPERANDS];
} glnn__uniforms;

typedef struct glnn__program {
    glnn__variant variant;
    GLuint name;
    uint64_t active; /* bit i: a uniform starts at location i               */
    uint64_t floats; /* bit i: the one at location i is a float             */
    double pace;     /* times as long as expected that a pass takes; 0: not measured */
    bool is_used;    /* by a pass that was traced */
    glnn__uniforms uniforms;
    glnn__text text;            /* while the driver compiles it; NULL: the program can be used */
    glnn__cache_key key;        /* on disk                                                     */
    GLuint shader;              /* while the driver compiles it; 0: it came from disk, or is done */
    struct glnn__program *next; /* in its bucket */
} glnn__program;

#define GLNN__BUCKETS 256

/* A framebuffer without attachments has a side of 64, 256, 1024 and so on up to 2^28. */
#define GLNN__NO_TARGETS_SIZES 12

#define GLNN__UNKNOWN 0xff

/* The state of the room `pass` in a context. */
typedef struct glnn__programs {
    glnn__program *buckets[GLNN__BUCKETS];
    GLuint cover;        /* the vertex shader that all programs share, made on first use */
    GLuint vertex_array; /* without attributes: a core profile draws nothing without one  */
    GLuint no_targets[GLNN__NO_TARGETS_SIZES]; /* framebuffers of passes that write images alone */
    char **expressions;
    uint32_t expression_count;
    char *cache_dir;           /* NULL: no cache on disk                          */
    bool has_binaries;         /* the driver hands out compiled programs         */
    const char *dump_dir;      /* $GLNN_DUMP_SHADERS: assembled texts go there   */
    struct glnn__trace *trace; /* NULL: none */

    glnn__tuning tuning;

    /* The bindings that passes made since `age`. Those that are not known have all bits set, which
     * is no name, and no number. */
    struct {
        unsigned age;
        GLuint program, framebuffer;
        GLuint textures[GLNN__TEXTURE_UNITS];
        GLfloat viewport[4];
        GLuint images[GLNN__IMAGE_UNITS]; /* of the output, and of side outputs */
        int blend;
        float blend_factor;
        GLuint drawn;   /* the framebuffer of the latest draw       */
        uint64_t waits; /* counted until then                       */
    } bound;
} glnn__programs;

/* The context's programs, made on first use. */
glnn_status glnn__programs_get(glnn_context *ctx, glnn__programs **out);

/* Asks the driver for the program of a variant and does not wait for it. Programs that are
 * announced one after the other are compiled in parallel. */
glnn_status glnn__program_announce(glnn_context *ctx, glnn__programs *programs,
                                   const glnn__variant *variant, glnn__program **out);

/* The program of a variant, from memory, from disk or compiled. */
glnn_status glnn__program_get(glnn_context *ctx, glnn__programs *programs,
                              const glnn__variant *variant, glnn__program **out);

/* The number of an expression's text, from 1; the same text has the same number. */
glnn_status glnn__expression_number(glnn__programs *programs, const char *expression,
                                    uint32_t *number);

#endif
