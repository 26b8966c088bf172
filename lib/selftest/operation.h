/* The table of operations: each row is a public operation with its operands, a slow reference in
 * double precision and the bound that its header states. glnn_selftest, tests and benchmarks read
 * it. */
#ifndef GLNN__SELFTEST_OPERATION_H
#define GLNN__SELFTEST_OPERATION_H

#include "selftest/maps.h"

#include <glnn/glnn.h>

#include <stddef.h>

enum { GLNN__MOST_OPERANDS = 4 };

/* A size: products are m x k times k x n, all else is m x n. */
typedef struct glnn__sizes {
    int m, n, k;
} glnn__sizes;

/* The length of one side of an operand. */
typedef enum glnn__side {
    GLNN__SIDE_NONE,
    GLNN__SIDE_ONE,
    GLNN__SIDE_M,
    GLNN__SIDE_N,
    GLNN__SIDE_K,
    GLNN__SIDE_M_AND_ONE,
    GLNN__SIDE_K_AND_ONE
} glnn__side;

/* Which numbers an operand holds. */
typedef enum glnn__range {
    GLNN__RANGE_UNIT,     /* -1 to 1                                                    */
    GLNN__RANGE_WIDE,     /* -6 to 6, and the places where maps bend or saturate        */
    GLNN__RANGE_POSITIVE, /* 0.01 to 6, and some of those places                        */
    GLNN__RANGE_DIVISOR,  /* 0.1 to 3 and -3 to -0.1                                    */
    GLNN__RANGE_RESULTS,  /* results of the operation's map, from WIDE or POSITIVE numbers */
    GLNN__RANGE_ROWS      /* numbers of rows of operand 0                                  */
} glnn__range;

typedef struct glnn__argument {
    glnn__side rows, columns;
    glnn__range range;
} glnn__argument;

/* The limit that an operation's speed is compared with. */
typedef enum glnn__kind {
    GLNN__KIND_PRODUCT,
    GLNN__KIND_MAP,
    GLNN__KIND_MOVE,
    GLNN__KIND_REDUCTION
} glnn__kind;

/* Elements in main memory, row-major; rows 0: the operand is absent. */
typedef struct glnn__elements {
    int rows, columns;
    float *data;
} glnn__elements;

typedef struct glnn__operation glnn__operation;

/* An operation with operands. */
typedef struct glnn__problem {
    const glnn__operation *op;
    glnn__sizes size;
    glnn__elements operand[GLNN__MOST_OPERANDS];
    glnn__elements former; /* the content of out before; an operand if the operation adds to it */
    glnn__elements out;
    glnn_rect from;   /* glnn_copy_rect: of operand 0         */
    int row, column;  /* and where it goes to                 */
    int first, count; /* glnn_gather_rows: part of the index  */
    int passes;       /* a reduction took; 0: at most as many as its header says */
} glnn__problem;

/* Calls the library; operands are NULL where the problem has none. */
typedef glnn_status glnn__operation_run(glnn_context *ctx, const glnn__problem *p,
                                        const glnn_matrix *const operands[], glnn_matrix *out);

/* One row of the result in double precision, and how far each element may be from it. */
typedef void glnn__operation_reference(const glnn__problem *p, int row, double *value,
                                       double *bound);

/* Where an operand of a gradient comes from. */
typedef enum glnn__source {
    GLNN__FROM_NOTHING,
    GLNN__FROM_DELTA,
    GLNN__FROM_RESULT,
    GLNN__FROM_OPERAND_0,
    GLNN__FROM_OPERAND_1
} glnn__source;

/* The row computes, from a delta for each element of the result of the row `of`, the delta of that
 * row's operand `wrt`. With `through`, operand `wrt` is that map of a variable, and the delta is
 * the variable's. */
typedef struct glnn__gradient {
    const char *of;
    int wrt;
    glnn__source from[GLNN__MOST_OPERANDS];
    glnn_map through;
} glnn__gradient;

struct glnn__operation {
    const char *name;
    const char *call;   /* the public function                                              */
    const char *family; /* rows that share a kernel, one after another: they meet mixed
                           layouts, storages and sizes in turn                              */
    glnn__kind kind;
    glnn__argument operands[GLNN__MOST_OPERANDS], out;
    bool adds;         /* out begins as an operand                */
    unsigned in_place; /* bit i: out may be operand i             */
    glnn__operation_run *run;
    glnn__operation_reference *reference;
    glnn__gradient gradient;
    /* The arguments of the function. */
    glnn_map map;
    glnn_binary binary;
    glnn_reduction reduction;
    glnn_axis axis;
    glnn_gemm_desc gemm;
    float alpha, beta;
    uint64_t seed;
};

extern const glnn__operation glnn__operations[];
extern const int glnn__operation_count;

/* The operation of that name; NULL: the table lacks it. */
const glnn__operation *glnn__operation_get(const char *name);

/* The place of a row in its family, from 0, and the number of rows of the family. */
int glnn__operation_place(const glnn__operation *op, int *rows);

/* An operation with random operands, the same in every run; glnn__problem_free gives them back. The
 * result is set to its former contents. E_NOMEM: there is nothing to give back. */
glnn_status glnn__problem_create(const glnn__operation *op, glnn__sizes size, glnn__problem *out);
void glnn__problem_free(glnn__problem *p);
void glnn__problem_reset(glnn__problem *p);

size_t glnn__elements_count(glnn__elements of);

/* Rounds elements as matrices of a storage hold them. */
void glnn__elements_round(glnn__elements values, glnn_storage storage);

/* Floating-point operations (2 a multiply-add; 0 for what moves data). */
double glnn__operation_flops(const glnn__operation *op, glnn__sizes size);

/* Compares the result, as a matrix of this storage holds it, with the reference: in full where that
 * takes a moment and else in rows spread over all of it. *worst is the greatest error in units of
 * its bound, infinity where a NaN appears. */
glnn_status glnn__problem_error(const glnn__problem *p, glnn_storage stored, double *worst);

#endif
