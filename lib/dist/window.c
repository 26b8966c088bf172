#include "dist/window.h"

#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Alignment of numbers: a line of a cache. */
enum { LINE = 64 };

/* All segments of a host have at most so many addresses. */
static const size_t most_addresses = (size_t)1 << 45;

/* ---- Pages of a file in memory, of which shared memory consists */

static size_t whole_pages(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes / page + (bytes % page != 0)) * page;
}

/* The bytes that may still be written; SIZE_MAX: it is unknown. */
static size_t free_bytes(void)
{
    struct statvfs files;
    struct rlimit limit;
    if (statvfs("/dev/shm", &files) != 0)
        return SIZE_MAX;
    const size_t room = (size_t)files.f_bavail * files.f_frsize;
    const bool is_limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < room;
    return is_limited ? (size_t)limit.rlim_cur : room;
}

/* Takes pages before they are used. The first access to a page for which there is no memory would
 * end the process by a signal. */
static bool provide(void *base, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    if (madvise(base, bytes, MADV_POPULATE_WRITE) == 0)
        return true;
    if (errno != EINVAL)
        return false;
#endif
    return bytes < free_bytes();
}

static void give_back(void *base, size_t bytes)
{
#ifdef MADV_REMOVE
    madvise(base, bytes, MADV_REMOVE);
#endif
}

/* ---- The table */

static size_t table_bytes(const glnn__mpi_members *members)
{
    return whole_pages(LINE + (size_t)members->ranks * sizeof(glnn__mpi_life) +
                       (size_t)members->mates * GLNN__MPI_SLOTS * sizeof(glnn__mpi_shown) +
                       sizeof(glnn__mpi_failure));
}

/* One process clears the table. */
static void lay_out(const glnn__mpi_members *members, glnn__mpi_window *window, char *table)
{
    table += (LINE - (uintptr_t)table % LINE) % LINE;
    window->lives = (void *)table;
    window->shown = (void *)(window->lives + members->ranks);
    window->failure = (void *)(window->shown + members->mates * GLNN__MPI_SLOTS);
    if (members->place > 0)
        return;
    memset(table, 0, table_bytes(members) - LINE);
    for (int r = 0; r < members->ranks; ++r)
        atomic_init(&window->lives[r].seen, glnn__clock_seconds());
}

static glnn_status create_own(const glnn__mpi_members *members, glnn__mpi_window *out)
{
    out->own = malloc(table_bytes(members));
    if (!out->own)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory");
    lay_out(members, out, out->own);
    return GLNN_OK;
}

/* ---- With mates */

/* A file of shared memory takes up memory only where it has been written, so each process asks for
 * a large share of what is free. 0: there is too little, for which Open MPI would hang. */
static int choose_bytes(const glnn__mpi_members *members, size_t least, size_t *bytes)
{
    const size_t room = free_bytes();
    const size_t most = (room < most_addresses ? room : most_addresses) / (size_t)members->mates;
    *bytes = room == SIZE_MAX ? 2 * least : most / 4 * 3;
    *bytes = *bytes < least ? 0 : whole_pages(*bytes);
    return MPI_Bcast(bytes, (int)sizeof *bytes, MPI_BYTE, 0, members->host);
}

static int create_segments(const glnn__mpi_members *members, size_t bytes, glnn__mpi_window *out)
{
    MPI_Info info;
    void *base;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    const int code =
        MPI_Win_allocate_shared((MPI_Aint)bytes, 1, info, members->host, &base, &out->shared);
    MPI_Info_free(&info);
    if (code)
        return code;
    MPI_Win_set_errhandler(out->shared, MPI_ERRORS_RETURN);
    return MPI_Win_lock_all(MPI_MODE_NOCHECK, out->shared);
}

/* The table of all is at the start of the first segment. */
static int find_segments(const glnn__mpi_members *members, size_t bytes, glnn__mpi_window *out)
{
    MPI_Aint queried;
    int unit;
    for (int i = 0; i < members->mates; ++i)
        MPI_Win_shared_query(out->shared, i, &queried, &unit, &out->bases[i]);
    lay_out(members, out, out->bases[0]);
    const size_t page = whole_pages(1), before = table_bytes(members) + page;
    const uintptr_t begin = (uintptr_t)out->bases[members->place] + before;
    out->memory = out->bases[members->place] + before - begin % page;
    out->bytes = bytes - before;
    out->segment = bytes;
    return MPI_Barrier(members->host);
}

/* Sets *are_all to whether all mates share memory. */
static glnn_status share(const glnn__mpi_members *members, size_t least, glnn__mpi_window *out,
                         int *are_all)
{
    char why[MPI_MAX_ERROR_STRING] = "/dev/shm has too little room", sentence[2048];
    size_t bytes = 0;
    int length, code = choose_bytes(members, table_bytes(members) + whole_pages(1) + least, &bytes);
    *are_all = !code && bytes;
    if (*are_all) {
        const int failed = create_segments(members, bytes, out), is_shared = !failed;
        if (failed)
            MPI_Error_string(failed, why, &length);
        code = MPI_Allreduce(&is_shared, are_all, 1, MPI_INT, MPI_MIN, members->host);
    }
    if (!code && *are_all)
        code = find_segments(members, bytes, out);
    if (code || *are_all)
        return glnn__mpi_check_call(code, "sharing memory by MPI");
    out->shared = MPI_WIN_NULL;
    snprintf(sentence, sizeof sentence,
             "the processes on %s send messages by MPI, because they cannot share memory: %s",
             members->hosts[members->rank], why);
    if (members->place == 0)
        glnn_log_write(GLNN_LOG_WARNING, sentence);
    return GLNN_OK;
}

glnn_status glnn__mpi_window_create(glnn__mpi_members *members, size_t least_bytes,
                                    glnn__mpi_window *out)
{
    int are_all = 0;
    *out = (glnn__mpi_window){.shared = MPI_WIN_NULL, .lock = GLNN__MUTEX};
    out->bases = calloc((size_t)members->mates, sizeof *out->bases);
    if (!out->bases)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory");
    if (members->mates == 1)
        return create_own(members, out);
    glnn_status status = share(members, least_bytes, out, &are_all);
    if (status || are_all)
        return status;
    status = glnn__mpi_members_part(members);
    return status ? status : create_own(members, out);
}

void glnn__mpi_window_destroy(glnn__mpi_window *window, bool has_failed)
{
    if (!has_failed && window->shared != MPI_WIN_NULL) {
        MPI_Win_unlock_all(window->shared);
        MPI_Win_free(&window->shared);
    }
    if (!has_failed)
        free(window->own);
    free(window->bases);
    free(window->parts);
}

/* ---- Memory for numbers */

typedef struct glnn__mpi_part {
    size_t begin, end;
} part;

bool glnn__mpi_window_has(const glnn__mpi_window *window, const void *values, size_t bytes)
{
    const uintptr_t base = (uintptr_t)window->memory, place = (uintptr_t)values;
    return place >= base && place - base < window->bytes && bytes <= window->bytes - (place - base);
}

bool glnn__mpi_window_holds(const glnn__mpi_window *window, const glnn__mpi_shown *shown)
{
    const bool is_aligned = !shown->is_sum || shown->offset % sizeof(float) == 0;
    return is_aligned && shown->offset <= window->segment &&
           shown->bytes <= window->segment - shown->offset;
}

static bool make_room_for_parts(glnn__mpi_window *window)
{
    if (window->count < window->most)
        return true;
    const int most = 2 * window->most + 64;
    part *parts = realloc(window->parts, (size_t)most * sizeof *parts);
    if (!parts)
        return false;
    window->parts = parts;
    window->most = most;
    return true;
}

static void remove_part(glnn__mpi_window *window, int i)
{
    part *of = &window->parts[i];
    give_back(window->memory + of->begin, of->end - of->begin);
    memmove(of, of + 1, (size_t)(--window->count - i) * sizeof *of);
}

/* Takes the first gap between the parts that is large enough. */
static void *allocate_part(glnn__mpi_window *window, size_t bytes)
{
    size_t begin = 0;
    int i = 0;
    if (bytes > window->bytes || !make_room_for_parts(window))
        return NULL;
    bytes = whole_pages(bytes ? bytes : 1);
    for (; i < window->count && window->parts[i].begin - begin < bytes; ++i)
        begin = window->parts[i].end;
    if (bytes > window->bytes - begin)
        return NULL;
    part *made = &window->parts[i];
    memmove(made + 1, made, (size_t)(window->count++ - i) * sizeof *made);
    *made = (part){begin, begin + bytes};
    if (provide(window->memory + begin, bytes))
        return window->memory + begin;
    remove_part(window, i);
    return NULL;
}

void *glnn__mpi_window_allocate(glnn__mpi_window *window, size_t bytes)
{
    glnn__mutex_lock(&window->lock);
    void *values = window->bytes ? allocate_part(window, bytes) : NULL;
    glnn__mutex_unlock(&window->lock);
    return values || posix_memalign(&values, LINE, bytes ? bytes : 1) == 0 ? values : NULL;
}

void glnn__mpi_window_release(glnn__mpi_window *window, void *values)
{
    bool is_part = false;
    glnn__mutex_lock(&window->lock);
    for (int i = 0; i < window->count && !is_part; ++i) {
        is_part = window->memory + window->parts[i].begin == values;
        if (is_part)
            remove_part(window, i);
    }
    glnn__mutex_unlock(&window->lock);
    if (!is_part && !glnn__mpi_window_has(window, values, 0))
        free(values);
}
