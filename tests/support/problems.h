/* Problems of the table of operations, run and compared with their references. */
#ifndef TESTS_PROBLEMS_H
#define TESTS_PROBLEMS_H

#include "support.h"

#include "selftest/operation.h"

/* How the matrices of a problem are stored. */
typedef struct setting {
    glnn_layout operands[GLNN__MOST_OPERANDS], out;
    glnn_storage operands_in, out_in; /* of all operands but the second, and of out */
    glnn_storage second_in;           /* of the second operand                      */
    unsigned in_place;                /* bit i: operand i is out                     */
    unsigned wrapped;                 /* bit i: operand i is wrapped; the next: out  */
    int wrap;                         /* how often                                   */
    unsigned hosted;                  /* bit i: operand i is adopted; the next: out; their storages
                                         are those of the texture                    */
    const struct host_kind *hosted_as;
} setting;

/* The same layout for all matrices, float32. */
setting setting_of(glnn_layout layout);

/* The place of a row in its family. */
typedef struct turn {
    int place, rows;
} turn;

turn turn_of(const glnn__operation *op);

/* Whether case `number` of those that a family shares falls to this row: they take turns. */
bool is_its_turn(const glnn__operation *op, int number);

/* A problem of that size, which glnn__problem_free gives back. */
glnn__problem problem_new(const glnn__operation *op, glnn__sizes of);

/* The result of the reference for a problem. */
expected expected_of(const glnn__problem *p);

/* Rounds the operands as they are stored, runs the operation, and compares the result within the
 * bound. Returns the status of a call that fails; check_problem expects that none does. */
glnn_status try_problem(glnn__problem *p, const setting *s, glnn_matrix **result);
glnn_matrix *check_problem(glnn__problem *p, const setting *s);

/* The same for random operands of that size. */
void check_operation(const glnn__operation *op, glnn__sizes of, const setting *s);

#endif
