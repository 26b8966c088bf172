/* Calls of the library in which each call of the system fails in turn (support/faults.h). The
 * program is linked with faults.c. */
#ifndef TESTS_FAULT_RUNS_H
#define TESTS_FAULT_RUNS_H

#include "faults.h"

#include <glnn/base.h>

/* A call of the library, or several, and what has to hold when one of them fails. Functions that
 * return a text return NULL if all is right, else what is wrong. All but `call` can be NULL. */
typedef struct fault_scenario {
    const char *name;
    void (*begin)(void);              /* makes the objects, before anything fails            */
    glnn_status (*call)(void);        /* ends at its first error                             */
    const char *(*find_wrong)(void);  /* in the results of a call that has succeeded         */
    const char *(*find_damage)(void); /* after a call that has failed, for instance in files */
    /* After a call that has failed, while nothing fails. NULL: `call` succeeds, and `find_wrong`
     * finds nothing. */
    const char *(*go_on)(void);
    void (*end)(void); /* destroys the objects */
    unsigned without;  /* kinds that are left out, as a set of bits */
    bool is_sampled;   /* one call of each place fails, also if all cases are run */
    bool lasts;        /* further runs: after the first allocation that fails, all do */
    unsigned losing;   /* kinds whose faults may end in E_STATE too */
    int keeps; /* allocations that stay: the library keeps a small part of a destroyed context */
} fault_scenario;

/* Runs a scenario once to count the calls of each kind, and then once with each fault. The faults
 * are one call of each place in the program, or all calls if all cases are run. Each run ends with
 * OK and right results, or with a status of that kind and a new sentence. After it no allocation
 * and no object of OpenGL is left. Fails too if fewer than `least` calls of all kinds were seen. */
void fault_scenario_run(const fault_scenario *of, int least);

/* The same for one call. */
void fault_try_each(glnn_status (*call)(const char *path), const char *path, int least);

#endif
