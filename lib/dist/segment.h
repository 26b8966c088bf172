/* Memory that one process writes and the others of its host read.
 *
 * A segment is a file without a name, which is gone when the last process that has mapped it ends.
 * It is as large as the memory of the host and empty at first: a part takes up memory from
 * glnn__mpi_segment_fill to glnn__mpi_segment_drop. */
#ifndef GLNN__DIST_SEGMENT_H
#define GLNN__DIST_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tells a segment apart from files of other processes that have the same numbers. */
typedef struct glnn__mpi_token {
    uint64_t words[2];
} glnn__mpi_token;

/* How another process finds a segment, or why it cannot. */
typedef struct glnn__mpi_address {
    int64_t process;
    int file; /* -1: there is none */
    size_t bytes;
    glnn__mpi_token token;
    char why[112];
} glnn__mpi_address;

typedef struct glnn__mpi_segment {
    char *base; /* NULL: there is none */
    size_t bytes;
    int file;
} glnn__mpi_segment;

/* Creates a segment that starts with a token. Without one, `address->why` has the reason. */
void glnn__mpi_segment_create(size_t bytes, glnn__mpi_segment *out, glnn__mpi_address *address);
void glnn__mpi_segment_destroy(glnn__mpi_segment *segment);

/* Maps the segment of another process to be read; NULL: it cannot be reached. */
const char *glnn__mpi_segment_open(const glnn__mpi_address *address);
void glnn__mpi_segment_close(const char *base, size_t bytes);

/* Provides memory for a part of whole pages. Returns whether there is enough. */
bool glnn__mpi_segment_fill(const glnn__mpi_segment *segment, size_t offset, size_t bytes);

/* Gives it back; the part then reads as zeros. */
void glnn__mpi_segment_drop(const glnn__mpi_segment *segment, size_t offset, size_t bytes);

#endif
