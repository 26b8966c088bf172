/* Tests of several processes: the test program starts itself by mpirun, and each process then runs
 * one of its parts. */
#ifndef TESTS_RANKS_H
#define TESTS_RANKS_H

#include "support.h"

#include <glnn/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* ---- In a process of a part */

typedef struct part {
    const char *name;
    void (*run)(void);
} part;

/* Ends the process with status 3 after a message, unless the condition is true. */
#define PART_ASSERT(condition) part_assert((condition), #condition, __FILE__, __LINE__)
#define PART_OK(with, call)    part_ok((with), (call), __FILE__, __LINE__)

void part_assert(bool condition, const char *text, const char *file, int line);
void part_ok(const glnn_messenger *with, glnn_status status, const char *file, int line);

/* Adds a line to the text of the run. Standard output takes a way through the launcher, which does
 * not always forward it after a process was killed. */
__attribute__((format(printf, 1, 2))) void part_report(const char *format, ...);

/* Creates a group, whose messages travel in the way of the run. */
glnn_mpi *part_join(const glnn_mpi_desc *desc);

/* How messages travel. */
typedef enum ranks_way {
    RANKS_MEMORY,   /* through shared memory            */
    RANKS_MESSAGES, /* by MPI alone                     */
    RANKS_HOSTS,    /* as if two ranks made a host each */
    RANKS_WAYS
} ranks_way;

/* The way of this run. */
ranks_way part_way(void);

/* Runs the parts with these names, which commas separate, and returns the status of the process. */
int run_part(const part *parts, size_t count, const char *name);

/* ---- In the test */

typedef struct run_of_ranks {
    int status;       /* of mpirun; -1: it was killed because it took too long */
    double seconds;   /* until the last rank has ended */
    char text[65536]; /* standard output and standard error of all ranks, and what they report */
} run_of_ranks;

/* Lets mpirun start more ranks than cores, as any user, on cores that the system chooses. */
void ranks_environment(void);

/* Whether the other ranks of the runs that follow go on when one is killed. */
void ranks_set_recovery(bool on);

/* How messages of the runs that follow travel. */
void ranks_set_way(ranks_way way);

/* Starts a part of this program in so many processes, whose output goes to a file descriptor.
 * Returns the launcher. */
pid_t ranks_start(const char *part_name, int ranks, int output);

/* Finds the ranks of a launcher that run, at most so many. Returns their number. */
int ranks_find(pid_t launcher, pid_t *ranks, int most);

/* Runs a part of this program in so many processes. */
run_of_ranks run_ranks(const char *part_name, int ranks, double seconds);

/* The same with messages in a way, and a failure of the test if the part fails. */
run_of_ranks run_part_well(const char *part_name, ranks_way way, int ranks);

/* Calls a function for each way, with one to four processes. The names of all parts that a program
 * runs so are those of `parts_of_ways`, which commas separate; `parts_with_bits` has those of them
 * that print bits, and run twice. */
typedef void part_expectation(const char *part_name, ranks_way way, int ranks);
void for_each_way(const char *part_name, part_expectation *expect);
extern const char *parts_of_ways, *parts_with_bits;

/* One of these: the part succeeds. */
void expect_part(const char *part_name, ranks_way way, int ranks);

/* Another one: the part succeeds and prints some bits, and in a second run the same ones. Through
 * shared memory a part checks each bit, so one run shows that the bits repeat. */
void expect_equal_runs(const char *part_name, ranks_way way, int ranks);

#endif
