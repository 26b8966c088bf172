#include "base/mapping.h"

#include "base/file.h"
#include "base/status.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a thread reads, and where it goes on when that fails. */
typedef struct reading {
    const glnn__mapping *mapping;
    sigjmp_buf way_out;
} reading;

static _Thread_local reading *volatile under_way;
static _Thread_local volatile sig_atomic_t passes_on;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction former; /* what a signal that is not ours is for */

/* As if this handler were not there. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const bool is_sent =
        info->si_code <= 0; /* not raised by a reading, which would be tried again */
    const bool has_function = former.sa_flags & SA_SIGINFO ||
                              (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN);
    if (passes_on || !has_function) {
        if (is_sent && former.sa_handler == SIG_IGN)
            return;
        signal(number, SIG_DFL);
        if (is_sent)
            raise(number);
        return;
    }
    passes_on = 1; /* a handler that was set after ours may pass on to ours */
    if (former.sa_flags & SA_SIGINFO)
        former.sa_sigaction(number, info, context);
    else
        former.sa_handler(number);
    passes_on = 0;
}

static void handle(int number, siginfo_t *info, void *context)
{
    reading *mine = under_way;
    const uintptr_t address = (uintptr_t)info->si_addr;
    if (mine && info->si_code > 0 &&
        address - (uintptr_t)mine->mapping->bytes < mine->mapping->size)
        siglongjmp(mine->way_out, 1);
    pass_on(number, info, context);
}

static void set_handler(void)
{
    struct sigaction present, own = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    own.sa_sigaction = handle;
    sigemptyset(&own.sa_mask);
    pthread_mutex_lock(&lock);
    sigaction(SIGBUS, NULL, &present);
    if (!(present.sa_flags & SA_SIGINFO) || present.sa_sigaction != handle) {
        former = present;
        sigaction(SIGBUS, &own, NULL);
    }
    pthread_mutex_unlock(&lock);
}

bool glnn__mapping_read(const glnn__mapping *mapping, void (*read)(void *argument), void *argument)
{
    reading mine = {.mapping = mapping};
    if (sigsetjmp(mine.way_out, 0) != 0) {
        under_way = NULL;
        return false;
    }
    under_way = &mine;
    read(argument);
    under_way = NULL;
    return glnn__mapping_is_whole(mapping); /* the rest of a last page would have read as zeros */
}

static glnn_status map_file(const char *path, glnn__mapping *mapping)
{
    if (mapping->size == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: is empty", path);
    void *bytes = mmap(NULL, mapping->size, PROT_READ, MAP_SHARED, mapping->file, 0);
    if (bytes == MAP_FAILED)
        return glnn__fail(GLNN_E_IO, "%s: %zu bytes cannot be mapped: %s", path, mapping->size,
                          strerror(errno));
    mapping->bytes = bytes;
    set_handler();
    return GLNN_OK;
}

glnn_status glnn__mapping_open(const char *path, glnn__mapping *out)
{
    *out = (glnn__mapping){0};
    GLNN__TRY(glnn__file_open_regular(path, &out->file, &out->size));
    glnn_status status = map_file(path, out);
    if (status) {
        close(out->file);
        *out = (glnn__mapping){0};
    }
    return status;
}

bool glnn__mapping_is_whole(const glnn__mapping *mapping)
{
    struct stat info;
    return fstat(mapping->file, &info) == 0 && (uintmax_t)info.st_size >= mapping->size;
}

void glnn__mapping_close(glnn__mapping *mapping)
{
    if (!mapping->bytes)
        return;
    munmap((void *)mapping->bytes, mapping->size);
    close(mapping->file);
    *mapping = (glnn__mapping){0};
}
