#include "dist/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* The parts of a segment follow one another without gaps. */
typedef struct part {
    struct part *next;
    size_t offset, bytes;
    bool is_free;
} part;

struct glnn__mpi_memory {
    glnn__mpi_segment segment;
    size_t page;
    pthread_mutex_t lock;
    part *parts;
};

static part *new_part(part *next, size_t offset, size_t bytes)
{
    part *made = malloc(sizeof *made);
    if (made)
        *made = (part){.next = next, .offset = offset, .bytes = bytes, .is_free = true};
    return made;
}

static size_t whole_pages(const glnn__mpi_memory *memory, size_t bytes)
{
    return (bytes / memory->page + (bytes % memory->page != 0)) * memory->page;
}

/* Takes the first free part that is large enough, and leaves its rest free. */
static part *take(glnn__mpi_memory *memory, size_t bytes)
{
    part *at = memory->parts;
    while (at && (!at->is_free || at->bytes < bytes))
        at = at->next;
    if (!at)
        return NULL;
    if (at->bytes > bytes) {
        part *rest = new_part(at->next, at->offset + bytes, at->bytes - bytes);
        if (!rest)
            return NULL;
        at->next = rest;
        at->bytes = bytes;
    }
    at->is_free = false;
    return at;
}

static void join_free_parts(glnn__mpi_memory *memory)
{
    for (part *at = memory->parts; at && at->next;) {
        part *next = at->next;
        if (at->is_free && next->is_free) {
            at->bytes += next->bytes;
            at->next = next->next;
            free(next);
        } else
            at = next;
    }
}

static void give_back(glnn__mpi_memory *memory, part *of)
{
    glnn__mpi_segment_drop(&memory->segment, of->offset, of->bytes);
    pthread_mutex_lock(&memory->lock);
    of->is_free = true;
    join_free_parts(memory);
    pthread_mutex_unlock(&memory->lock);
}

/* The segment provides the memory without the lock, because that takes long. */
void *glnn__mpi_memory_allocate(glnn__mpi_memory *memory, size_t bytes)
{
    if (bytes > memory->segment.bytes)
        return NULL;
    const size_t wanted = whole_pages(memory, bytes ? bytes : 1);
    pthread_mutex_lock(&memory->lock);
    part *taken = take(memory, wanted);
    pthread_mutex_unlock(&memory->lock);
    if (!taken)
        return NULL;
    if (glnn__mpi_segment_fill(&memory->segment, taken->offset, taken->bytes))
        return memory->segment.base + taken->offset;
    give_back(memory, taken);
    return NULL;
}

bool glnn__mpi_memory_release(glnn__mpi_memory *memory, void *values)
{
    size_t offset;
    if (!glnn__mpi_memory_has(memory, values, 0, &offset))
        return false;
    pthread_mutex_lock(&memory->lock);
    part *at = memory->parts;
    while (at && at->offset != offset)
        at = at->next;
    pthread_mutex_unlock(&memory->lock);
    if (at && !at->is_free)
        give_back(memory, at);
    return true;
}

bool glnn__mpi_memory_has(const glnn__mpi_memory *memory, const void *values, size_t bytes,
                          size_t *offset)
{
    const uintptr_t base = (uintptr_t)memory->segment.base, place = (uintptr_t)values;
    *offset = place - base;
    return place >= base && *offset < memory->segment.bytes &&
           bytes <= memory->segment.bytes - *offset;
}

glnn__mpi_memory *glnn__mpi_memory_create(const glnn__mpi_segment *segment, size_t reserved)
{
    glnn__mpi_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    pthread_mutex_init(&memory->lock, NULL);
    memory->segment = *segment;
    memory->page = (size_t)sysconf(_SC_PAGESIZE);
    memory->parts = new_part(NULL, 0, segment->bytes);
    if (memory->parts && glnn__mpi_memory_allocate(memory, reserved))
        return memory;
    glnn__mpi_memory_destroy(memory);
    return NULL;
}

void glnn__mpi_memory_destroy(glnn__mpi_memory *memory)
{
    if (!memory)
        return;
    while (memory->parts) {
        part *next = memory->parts->next;
        free(memory->parts);
        memory->parts = next;
    }
    pthread_mutex_destroy(&memory->lock);
    free(memory);
}
