/* The table of operations: each row is a public operation with its operands, a slow reference in
 * double precision and the bound that its header states. Tests and benchmarks both read it. */
#ifndef TESTS_OPERATION_H
#define TESTS_OPERATION_H

#include <stddef.h>

#include <glnn/glnn.h>

#include "operations/maps.h"

enum { MAX_OPERANDS = 4 };

/* A size: products are m x k times k x n, all else is m x n. */
typedef struct size {
    int m, n, k;
} size;

/* The length of one side of an operand. */
typedef enum dimension { NONE, ONE, M, N, K, M_AND_ONE, K_AND_ONE } dimension;

/* Which numbers an operand holds. */
typedef enum range {
    UNIT,     /* -1 to 1                                                    */
    WIDE,     /* -6 to 6, and the places where maps bend or saturate        */
    POSITIVE, /* 0.01 to 6, and some of those places                        */
    DIVISOR,  /* 0.1 to 3 and -3 to -0.1                                    */
    RESULTS,  /* results of the operation's map, from WIDE or POSITIVE numbers */
    ROWS      /* numbers of rows of operand 0                                  */
} range;

typedef struct operand {
    dimension rows, columns;
    range range;
} operand;

/* The limit that an operation's speed is compared with. */
typedef enum kind { KIND_PRODUCT, KIND_MAP, KIND_MOVE, KIND_REDUCTION } kind;

/* Elements in main memory, row-major; rows 0: the operand is absent. */
typedef struct elements {
    int rows, columns;
    float *data;
} elements;

typedef struct operation operation;

/* An operation with operands. */
typedef struct problem {
    const operation *op;
    size size;
    elements operand[MAX_OPERANDS];
    elements former; /* the content of out before; an operand if the operation adds to it */
    elements out;
    glnn_rect from;   /* glnn_copy_rect: of operand 0         */
    int row, column;  /* and where it goes to                 */
    int first, count; /* glnn_gather_rows: part of the index  */
    int passes;       /* a reduction took; 0: at most as many as its header says */
} problem;

/* Calls the library; operands are NULL where the problem has none. */
typedef glnn_status run_fn(glnn_context *ctx, const problem *p, const glnn_matrix *const operands[],
                           glnn_matrix *out);

/* One row of the result in double precision, and how far each element may be from it. */
typedef void reference_fn(const problem *p, int row, double *value, double *bound);

/* Where an operand of a gradient comes from. */
typedef enum source { NOTHING, DELTA, RESULT, OPERAND_0, OPERAND_1 } source;

/* The row computes, from a delta for each element of the result of the row `of`, the delta of that
 * row's operand `wrt`. With `through`, operand `wrt` is that map of a variable, and the delta is
 * the variable's. */
typedef struct gradient {
    const char *of;
    int wrt;
    source from[MAX_OPERANDS];
    glnn_map through;
} gradient;

struct operation {
    const char *name;
    const char *call;   /* the public function                                              */
    const char *family; /* rows that share a kernel, one after another: they meet mixed
                           layouts, storages and sizes in turn                              */
    kind kind;
    operand operands[MAX_OPERANDS], out;
    bool adds;         /* out begins as an operand                */
    unsigned in_place; /* bit i: out may be operand i             */
    run_fn *run;
    reference_fn *reference;
    gradient gradient;
    /* The arguments of the function. */
    glnn_map map;
    glnn_binary binary;
    glnn_reduction reduction;
    glnn_axis axis;
    glnn_gemm_desc gemm;
    float alpha, beta;
    uint64_t seed;
};

extern const operation operations[];
extern const int operation_count;

/* The operation of that name; a name that the table lacks ends the program. */
const operation *operation_get(const char *name);

/* An operation with random operands, the same in every run; problem_free gives them back. The
 * result is set to its former contents. */
problem problem_new(const operation *op, size size);
void problem_free(problem *p);
void problem_reset(problem *p);

size_t elements_count(elements of);

/* Floating-point operations (2 a multiply-add; 0 for what moves data). */
double operation_flops(const operation *op, size size);

/* Compares the result, as a matrix of this storage holds it, with the reference: in full where that
 * takes a moment and else in rows spread over all of it. Returns the greatest error in units of its
 * bound, infinity where a NaN appears. */
double problem_error(const problem *p, glnn_storage stored);

#endif
