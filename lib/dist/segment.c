#define _GNU_SOURCE
#include "dist/segment.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef __linux__

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#define NAME "glnn"

/* A file over the limit would end the process by a signal. */
static bool may_be_as_large(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= bytes);
}

static bool fail_to(const char *what, glnn__mpi_address *address)
{
    snprintf(address->why, sizeof address->why, "%s: %s", what, strerror(errno));
    return false;
}

static bool create(size_t bytes, glnn__mpi_segment *out, glnn__mpi_address *address)
{
    if (!may_be_as_large(bytes)) {
        errno = EFBIG;
        return fail_to("a file of this size", address);
    }
    out->file = memfd_create(NAME, MFD_CLOEXEC);
    if (out->file < 0)
        return fail_to("memfd_create", address);
    if (ftruncate(out->file, (off_t)bytes) != 0)
        return fail_to("ftruncate", address);
    void *base =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, out->file, 0);
    if (base == MAP_FAILED)
        return fail_to("mmap", address);
    madvise(base, bytes, MADV_DONTDUMP);
    out->base = base;
    out->bytes = bytes;
    if (getrandom(&address->token, sizeof address->token, 0) != sizeof address->token)
        return fail_to("getrandom", address);
    return true;
}

void glnn__mpi_segment_create(size_t bytes, glnn__mpi_segment *out, glnn__mpi_address *address)
{
    *out = (glnn__mpi_segment){.file = -1};
    *address = (glnn__mpi_address){.process = getpid(), .file = -1, .bytes = bytes};
    if (!create(bytes, out, address)) {
        glnn__mpi_segment_destroy(out);
        return;
    }
    memcpy(out->base, &address->token, sizeof address->token);
    address->file = out->file;
}

void glnn__mpi_segment_destroy(glnn__mpi_segment *segment)
{
    if (segment->base)
        munmap(segment->base, segment->bytes);
    if (segment->file >= 0)
        close(segment->file);
    *segment = (glnn__mpi_segment){.file = -1};
}

/* The number of a process may be that of another one where this process looks, so the name and the
 * token are compared. Other files are not opened, because that may wait. */
const char *glnn__mpi_segment_open(const glnn__mpi_address *address)
{
    static const char start[] = "/memfd:" NAME;
    char path[64], target[64] = "";
    snprintf(path, sizeof path, "/proc/%lld/fd/%d", (long long)address->process, address->file);
    if (readlink(path, target, sizeof target - 1) < 0 ||
        strncmp(target, start, sizeof start - 1) != 0)
        return NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    void *base = MAP_FAILED;
    if (lseek(file, 0, SEEK_END) == (off_t)address->bytes)
        base = mmap(NULL, address->bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, file, 0);
    close(file);
    if (base == MAP_FAILED)
        return NULL;
    madvise(base, address->bytes, MADV_DONTDUMP);
    if (memcmp(base, &address->token, sizeof address->token) == 0)
        return base;
    munmap(base, address->bytes);
    return NULL;
}

void glnn__mpi_segment_close(const char *base, size_t bytes)
{
    if (base)
        munmap((void *)(uintptr_t)base, bytes);
}

bool glnn__mpi_segment_fill(const glnn__mpi_segment *segment, size_t offset, size_t bytes)
{
    int error = EINTR;
    while (error == EINTR)
        error = fallocate(segment->file, 0, (off_t)offset, (off_t)bytes) == 0 ? 0 : errno;
    return error == 0;
}

void glnn__mpi_segment_drop(const glnn__mpi_segment *segment, size_t offset, size_t bytes)
{
    fallocate(segment->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
              (off_t)bytes);
}

#else

void glnn__mpi_segment_create(size_t bytes, glnn__mpi_segment *out, glnn__mpi_address *address)
{
    *out = (glnn__mpi_segment){.file = -1};
    *address = (glnn__mpi_address){
        .file = -1, .bytes = bytes, .why = "files without a name exist on Linux alone"};
}

void glnn__mpi_segment_destroy(glnn__mpi_segment *segment)
{
    (void)segment;
}

const char *glnn__mpi_segment_open(const glnn__mpi_address *address)
{
    (void)address;
    return NULL;
}

void glnn__mpi_segment_close(const char *base, size_t bytes)
{
    (void)base, (void)bytes;
}

bool glnn__mpi_segment_fill(const glnn__mpi_segment *segment, size_t offset, size_t bytes)
{
    (void)segment, (void)offset, (void)bytes;
    return false;
}

void glnn__mpi_segment_drop(const glnn__mpi_segment *segment, size_t offset, size_t bytes)
{
    (void)segment, (void)offset, (void)bytes;
}

#endif
