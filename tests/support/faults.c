/* The functions of the system that can fail on purpose. Those of OpenGL 1.1 are weak, because a
 * program that counts calls has its own (tests/support/gl_calls.h). */
#define _GNU_SOURCE
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <GL/glew.h>

const char *const fault_kind_names[FAULT_KINDS] = {
    [FAULT_MEMORY] = "memory", [FAULT_OPENGL] = "OpenGL", [FAULT_FILE] = "files"};

/* ---- Whose call it is */

enum { DEPTH = 32, HELPERS = 8 };

typedef struct range {
    const char *begin, *end;
} range;

extern const char __executable_start, etext;

/* Libraries whose allocations are made for their callers. */
static range helpers[HELPERS];
static int helper_count;

static bool is_in(range of, const void *code)
{
    return (const char *)code >= of.begin && (const char *)code < of.end;
}

static bool is_program(const void *code)
{
    return is_in((range){&__executable_start, &etext}, code);
}

static bool is_helper(const void *code)
{
    for (int i = 0; i < helper_count; ++i)
        if (is_in(helpers[i], code))
            return true;
    return false;
}

static int note_helper(struct dl_phdr_info *info, size_t size, void *unused)
{
    static const char *const names[] = {"/libc.so", "/libz.so", "/libpng"};
    (void)size, (void)unused;
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n)
        for (int i = 0; i < info->dlpi_phnum && strstr(info->dlpi_name, names[n]); ++i) {
            const ElfW(Phdr) *part = &info->dlpi_phdr[i];
            const char *begin = (const char *)(uintptr_t)(info->dlpi_addr + part->p_vaddr);
            if (part->p_type == PT_LOAD && (part->p_flags & PF_X) && helper_count < HELPERS)
                helpers[helper_count++] = (range){begin, begin + part->p_memsz};
        }
    return 0;
}

/* Unwinding allocates when it is first used. */
__attribute__((constructor)) static void find_helpers(void)
{
    void *frames[2];
    dl_iterate_phdr(note_helper, NULL);
    backtrace(frames, 2);
}

/* ---- Counting and failing */

enum { CALLS = 1 << 20, PLACES = 1 << 16 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool is_inside;

typedef struct watched {
    bool is_on, fails, lasts;
    fault_kind kind;
    int before, calls, failures;
    char failed[1024];
} watched;

static watched watch;

static int place_depth = 2;
static bool is_new[CALLS];      /* by the number of a call */
static uint64_t places[PLACES]; /* a table of hashes of all that were counted, 0: free */

static bool add_place(uint64_t hash)
{
    for (size_t i = hash % PLACES;; i = (i + 1) % PLACES) {
        if (places[i] == hash)
            return false;
        if (places[i])
            continue;
        places[i] = hash;
        return true;
    }
}

static uint64_t hash_of(void *const *frames, int count, const char *function)
{
    uint64_t hash = 14695981039346656037u ^ (uintptr_t)function;
    for (int i = 0; i < count && i < place_depth; ++i)
        hash = (hash ^ (uintptr_t)frames[i]) * 1099511628211u;
    return hash ? hash : 1;
}

static void describe(void *const *frames, int count, const char *function, int call)
{
    size_t used =
        (size_t)snprintf(watch.failed, sizeof watch.failed, "%s, call %d, from", function, call);
    for (int i = 0; i < count && used < sizeof watch.failed - 24; ++i)
        if (is_program(frames[i]))
            used += (size_t)snprintf(watch.failed + used, sizeof watch.failed - used, " 0x%tx",
                                     (const char *)frames[i] - &__executable_start - 1);
}

/* Finds the callers of a function of this file, from the program's on. Returns 0 if another library
 * calls it for itself. `helped`: a helper can call it for the program. */
static int find_callers(void *frames[DEPTH], const void *caller, bool helped)
{
    if (!watch.is_on || is_inside || !(is_program(caller) || (helped && is_helper(caller))))
        return 0;
    is_inside = true;
    const int count = backtrace(frames, DEPTH);
    is_inside = false;
    int first = 0;
    while (first < count && frames[first] != caller)
        ++first;
    while (first < count && is_helper(frames[first]))
        ++first;
    if (first == count || !is_program(frames[first]))
        return 0;
    memmove(frames, frames + first, (size_t)(count - first) * sizeof *frames);
    return count - first;
}

/* Counts a call, and decides whether it fails. */
static bool decide(const char *function, void *const *frames, int count)
{
    const int call = watch.calls++;
    if (!watch.fails && call < CALLS)
        is_new[call] = add_place(hash_of(frames, count, function));
    if (!watch.fails || call < watch.before || (call > watch.before && !watch.lasts))
        return false;
    if (watch.failures++ == 0)
        describe(frames, count, function, call);
    return true;
}

static bool fails_in(fault_kind kind, const char *function, void *const *frames, int count)
{
    bool result = false;
    if (count == 0 || watch.kind != kind)
        return false;
    pthread_mutex_lock(&mutex);
    if (watch.is_on)
        result = decide(function, frames, count);
    pthread_mutex_unlock(&mutex);
    return result;
}

static bool fails(fault_kind kind, const char *function, const void *caller)
{
    void *frames[DEPTH];
    if (!watch.is_on || watch.kind != kind)
        return false;
    return fails_in(kind, function, frames, find_callers(frames, caller, false));
}

/* ---- Allocations */

enum { BLOCKS = 1 << 18, SHOWN = 6 };

/* An allocation since the calls are watched. The address is NULL in a free place, and `freed` where
 * the block was given back. */
typedef struct block {
    void *address;
    size_t size;
    const void *callers[SHOWN];
} block;

static block blocks[BLOCKS];
static int kept, used_places;
static char freed;

static _Thread_local int made;
static _Thread_local bool is_paused;

#ifndef OWN_ALLOCATOR

static size_t place_of(const void *address)
{
    return (uintptr_t)address / 16 % BLOCKS;
}

static void note_block(void *address, size_t size, void *const *frames, int count)
{
    if (!address || count == 0)
        return;
    pthread_mutex_lock(&mutex);
    size_t i = place_of(address);
    while (blocks[i].address && blocks[i].address != &freed)
        i = (i + 1) % BLOCKS;
    used_places += !blocks[i].address;
    blocks[i] = (block){address, size, {NULL}};
    memcpy(blocks[i].callers, frames, (size_t)(count < SHOWN ? count : SHOWN) * sizeof *frames);
    ++kept;
    pthread_mutex_unlock(&mutex);
}

static void forget_block(const void *address)
{
    if (!address || kept == 0)
        return;
    pthread_mutex_lock(&mutex);
    size_t i = place_of(address);
    while (blocks[i].address && blocks[i].address != address)
        i = (i + 1) % BLOCKS;
    if (blocks[i].address) {
        blocks[i].address = &freed;
        --kept;
    }
    pthread_mutex_unlock(&mutex);
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *bytes, size_t size);
void __libc_free(void *bytes);

/* Whether an allocation fails; notes its callers otherwise. */
static bool is_short(const char *function, const void *caller, void *frames[DEPTH], int *count)
{
    made += is_program(caller) && !is_paused;
    *count = find_callers(frames, caller, true);
    const bool result = fails_in(FAULT_MEMORY, function, frames, *count);
    if (result)
        errno = ENOMEM;
    return result;
}

void *malloc(size_t size)
{
    void *frames[DEPTH];
    int count;
    if (is_short("malloc", __builtin_return_address(0), frames, &count))
        return NULL;
    void *bytes = __libc_malloc(size);
    note_block(bytes, size, frames, count);
    return bytes;
}

void *calloc(size_t number, size_t size)
{
    void *frames[DEPTH];
    int count;
    if (is_short("calloc", __builtin_return_address(0), frames, &count))
        return NULL;
    void *bytes = __libc_calloc(number, size);
    note_block(bytes, number * size, frames, count);
    return bytes;
}

/* Blocks from before the calls were watched stay unnoted. */
void *realloc(void *bytes, size_t size)
{
    void *frames[DEPTH];
    int count;
    if (is_short("realloc", __builtin_return_address(0), frames, &count))
        return NULL;
    const int before = kept;
    forget_block(bytes);
    void *moved = __libc_realloc(bytes, size);
    if (!bytes || kept < before)
        note_block(moved, size, frames, count);
    return moved;
}

void free(void *bytes)
{
    forget_block(bytes);
    __libc_free(bytes);
}

#endif

/* ---- OpenGL */

static GLenum flag;
static EGLint egl_error = EGL_SUCCESS;

static bool gl_fails(const char *function, GLenum error, const void *caller)
{
    if (!fails(FAULT_OPENGL, function, caller))
        return false;
    if (error != GL_NO_ERROR)
        flag = error;
    return true;
}

/* Textures, buffers and so on that exist. */
typedef enum gl_object {
    TEXTURES,
    BUFFERS,
    FRAMEBUFFERS,
    RENDERBUFFERS,
    SAMPLERS,
    QUERIES,
    VERTEX_ARRAYS,
    SHADERS,
    PROGRAMS,
    FENCES,
    OBJECTS
} gl_object;

static const char *const object_names[OBJECTS] = {
    "textures", "buffers",       "framebuffers", "renderbuffers", "samplers",
    "queries",  "vertex arrays", "shaders",      "programs",      "fences"};

static int objects[OBJECTS];

static void *real_of(const char *name)
{
    void *address = dlsym(RTLD_NEXT, name);
    if (!address)
        abort();
    return address;
}

/* A function of OpenGL 1.1 or EGL, which libGL and libEGL define. */
#define LIBRARY(result, name, parameters)                                                          \
    static result(*real) parameters;                                                               \
    if (!real)                                                                                     \
    *(void **)&real = real_of(#name)

/* A function that GLEW finds by its name: real_NAME is the driver's. */
#define COMMAND(result, name, parameters)                                                          \
    static result(GLAPIENTRY *real_##name) parameters;                                             \
    static result GLAPIENTRY our_##name parameters

/* One that does nothing where it fails, and sets this flag. */
#define FAILING(name, error, parameters, arguments)                                                \
    COMMAND(void, name, parameters)                                                                \
    {                                                                                              \
        if (!gl_fails(#name, error, __builtin_return_address(0)))                                  \
            real_##name arguments;                                                                 \
    }
#define FAILING_RESULT(result, name, error, failed, parameters, arguments)                         \
    COMMAND(result, name, parameters)                                                              \
    {                                                                                              \
        return gl_fails(#name, error, __builtin_return_address(0)) ? (failed)                      \
                                                                   : real_##name arguments;        \
    }

FAILING(BufferData, GL_OUT_OF_MEMORY,
        (GLenum target, GLsizeiptr size, const void *data, GLenum usage),
        (target, size, data, usage))
FAILING(BufferStorage, GL_OUT_OF_MEMORY,
        (GLenum target, GLsizeiptr size, const void *data, GLbitfield flags),
        (target, size, data, flags))
FAILING(BufferSubData, GL_OUT_OF_MEMORY,
        (GLenum target, GLintptr offset, GLsizeiptr size, const void *data),
        (target, offset, size, data))
FAILING_RESULT(GLenum, CheckFramebufferStatus, GL_NO_ERROR, GL_FRAMEBUFFER_UNSUPPORTED,
               (GLenum target), (target))
FAILING(ClearTexImage, GL_OUT_OF_MEMORY,
        (GLuint texture, GLint level, GLenum format, GLenum type, const void *data),
        (texture, level, format, type, data))
FAILING_RESULT(GLenum, ClientWaitSync, GL_OUT_OF_MEMORY, GL_WAIT_FAILED,
               (GLsync sync, GLbitfield flags, GLuint64 timeout), (sync, flags, timeout))
FAILING(CompileShader, GL_NO_ERROR, (GLuint shader), (shader))
FAILING(CopyImageSubData, GL_OUT_OF_MEMORY,
        (GLuint from, GLenum from_target, GLint from_level, GLint from_x, GLint from_y,
         GLint from_z, GLuint to, GLenum to_target, GLint to_level, GLint to_x, GLint to_y,
         GLint to_z, GLsizei width, GLsizei height, GLsizei depth),
        (from, from_target, from_level, from_x, from_y, from_z, to, to_target, to_level, to_x, to_y,
         to_z, width, height, depth))
FAILING(CopyTexSubImage3D, GL_OUT_OF_MEMORY,
        (GLenum target, GLint level, GLint to_x, GLint to_y, GLint to_z, GLint x, GLint y,
         GLsizei width, GLsizei height),
        (target, level, to_x, to_y, to_z, x, y, width, height))
FAILING(LinkProgram, GL_NO_ERROR, (GLuint program), (program))
FAILING_RESULT(void *, MapBufferRange, GL_OUT_OF_MEMORY, NULL,
               (GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access),
               (target, offset, length, access))
FAILING(ProgramBinary, GL_NO_ERROR,
        (GLuint program, GLenum format, const void *binary, GLsizei length),
        (program, format, binary, length))
FAILING(RenderbufferStorage, GL_OUT_OF_MEMORY,
        (GLenum target, GLenum format, GLsizei width, GLsizei height),
        (target, format, width, height))
FAILING(TexStorage2D, GL_OUT_OF_MEMORY,
        (GLenum target, GLsizei levels, GLenum format, GLsizei width, GLsizei height),
        (target, levels, format, width, height))
FAILING(TexStorage3D, GL_OUT_OF_MEMORY,
        (GLenum target, GLsizei levels, GLenum format, GLsizei width, GLsizei height,
         GLsizei depth),
        (target, levels, format, width, height, depth))
FAILING(TexSubImage3D, GL_OUT_OF_MEMORY,
        (GLenum target, GLint level, GLint x, GLint y, GLint z, GLsizei width, GLsizei height,
         GLsizei depth, GLenum format, GLenum type, const void *texels),
        (target, level, x, y, z, width, height, depth, format, type, texels))
FAILING(TextureView, GL_OUT_OF_MEMORY,
        (GLuint texture, GLenum target, GLuint of, GLenum format, GLuint level, GLuint levels,
         GLuint layer, GLuint layers),
        (texture, target, of, format, level, levels, layer, layers))

COMMAND(void, GetProgramBinary,
        (GLuint program, GLsizei size, GLsizei *length, GLenum *format, void *binary))
{
    if (!gl_fails("GetProgramBinary", GL_OUT_OF_MEMORY, __builtin_return_address(0)))
        real_GetProgramBinary(program, size, length, format, binary);
    else if (length)
        *length = 0;
}

/* The content of a buffer can be lost while it is mapped. */
COMMAND(GLboolean, UnmapBuffer, (GLenum target))
{
    const GLboolean result = real_UnmapBuffer(target);
    return gl_fails("UnmapBuffer", GL_NO_ERROR, __builtin_return_address(0)) ? GL_FALSE : result;
}

#define CREATING(result, name, kind, parameters, arguments)                                        \
    COMMAND(result, name, parameters)                                                              \
    {                                                                                              \
        if (gl_fails(#name, GL_OUT_OF_MEMORY, __builtin_return_address(0)))                        \
            return 0;                                                                              \
        const result created = real_##name arguments;                                              \
        objects[kind] += created != 0;                                                             \
        return created;                                                                            \
    }
#define DELETING(type, name, kind)                                                                 \
    COMMAND(void, name, (type deleted))                                                            \
    {                                                                                              \
        objects[kind] -= deleted != 0;                                                             \
        real_##name(deleted);                                                                      \
    }
#define GENERATING(name, kind)                                                                     \
    COMMAND(void, Gen##name, (GLsizei count, GLuint * names))                                      \
    {                                                                                              \
        objects[kind] += count;                                                                    \
        real_Gen##name(count, names);                                                              \
    }                                                                                              \
    COMMAND(void, Delete##name, (GLsizei count, const GLuint *names))                              \
    {                                                                                              \
        for (GLsizei i = 0; i < count; ++i)                                                        \
            objects[kind] -= names[i] != 0;                                                        \
        real_Delete##name(count, names);                                                           \
    }

CREATING(GLuint, CreateShader, SHADERS, (GLenum type), (type))
CREATING(GLuint, CreateProgram, PROGRAMS, (void), ())
CREATING(GLuint, CreateShaderProgramv, PROGRAMS,
         (GLenum type, GLsizei count, const GLchar *const *texts), (type, count, texts))
CREATING(GLsync, FenceSync, FENCES, (GLenum condition, GLbitfield flags), (condition, flags))
DELETING(GLuint, DeleteShader, SHADERS)
DELETING(GLuint, DeleteProgram, PROGRAMS)
DELETING(GLsync, DeleteSync, FENCES)
GENERATING(Buffers, BUFFERS)
GENERATING(Framebuffers, FRAMEBUFFERS)
GENERATING(Renderbuffers, RENDERBUFFERS)
GENERATING(Samplers, SAMPLERS)
GENERATING(Queries, QUERIES)
GENERATING(VertexArrays, VERTEX_ARRAYS)

#define ENTRY(name)                                                                                \
    {                                                                                              \
        "gl" #name, (void **)&real_##name, (__GLXextFuncPtr)our_##name                             \
    }

typedef void (*__GLXextFuncPtr)(void);
__GLXextFuncPtr glXGetProcAddressARB(const GLubyte *name);

/* GLEW asks for each command once in a process. */
__GLXextFuncPtr glXGetProcAddressARB(const GLubyte *name)
{
    static const struct {
        const char *name;
        void **real;
        __GLXextFuncPtr ours;
    } table[] = {
        ENTRY(BufferData),          ENTRY(BufferStorage),
        ENTRY(BufferSubData),       ENTRY(CheckFramebufferStatus),
        ENTRY(ClearTexImage),       ENTRY(ClientWaitSync),
        ENTRY(CompileShader),       ENTRY(CopyImageSubData),
        ENTRY(CopyTexSubImage3D),   ENTRY(CreateProgram),
        ENTRY(CreateShader),        ENTRY(CreateShaderProgramv),
        ENTRY(DeleteBuffers),       ENTRY(DeleteFramebuffers),
        ENTRY(DeleteProgram),       ENTRY(DeleteQueries),
        ENTRY(DeleteRenderbuffers), ENTRY(DeleteSamplers),
        ENTRY(DeleteShader),        ENTRY(DeleteSync),
        ENTRY(DeleteVertexArrays),  ENTRY(FenceSync),
        ENTRY(GenBuffers),          ENTRY(GenFramebuffers),
        ENTRY(GenQueries),          ENTRY(GenRenderbuffers),
        ENTRY(GenSamplers),         ENTRY(GenVertexArrays),
        ENTRY(GetProgramBinary),    ENTRY(LinkProgram),
        ENTRY(MapBufferRange),      ENTRY(ProgramBinary),
        ENTRY(RenderbufferStorage), ENTRY(TexStorage2D),
        ENTRY(TexStorage3D),        ENTRY(TexSubImage3D),
        ENTRY(TextureView),         ENTRY(UnmapBuffer),
    };
    LIBRARY(__GLXextFuncPtr, glXGetProcAddressARB, (const GLubyte *));
    const __GLXextFuncPtr found = real(name);
    for (size_t i = 0; i < sizeof table / sizeof *table && found; ++i)
        if (strcmp(table[i].name, (const char *)name) == 0) {
            memcpy(table[i].real, &found, sizeof found);
            return table[i].ours;
        }
    return found;
}

#define WEAK __attribute__((weak))

WEAK GLenum glGetError(void)
{
    LIBRARY(GLenum, glGetError, (void));
    const GLenum set = flag;
    flag = GL_NO_ERROR;
    return set ? set : real();
}

WEAK void glGenTextures(GLsizei count, GLuint *names)
{
    LIBRARY(void, glGenTextures, (GLsizei, GLuint *));
    objects[TEXTURES] += is_program(__builtin_return_address(0)) ? count : 0;
    real(count, names);
}

WEAK void glDeleteTextures(GLsizei count, const GLuint *names)
{
    LIBRARY(void, glDeleteTextures, (GLsizei, const GLuint *));
    for (GLsizei i = 0; i < count && is_program(__builtin_return_address(0)); ++i)
        objects[TEXTURES] -= names[i] != 0;
    real(count, names);
}

WEAK void glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                       void *texels)
{
    LIBRARY(void, glReadPixels, (GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *));
    if (!gl_fails("ReadPixels", GL_OUT_OF_MEMORY, __builtin_return_address(0)))
        real(x, y, width, height, format, type, texels);
}

WEAK void glGetTexImage(GLenum target, GLint level, GLenum format, GLenum type, void *texels)
{
    LIBRARY(void, glGetTexImage, (GLenum, GLint, GLenum, GLenum, void *));
    if (!gl_fails("GetTexImage", GL_OUT_OF_MEMORY, __builtin_return_address(0)))
        real(target, level, format, type, texels);
}

WEAK void glTexSubImage2D(GLenum target, GLint level, GLint x, GLint y, GLsizei width,
                          GLsizei height, GLenum format, GLenum type, const void *texels)
{
    LIBRARY(void, glTexSubImage2D,
            (GLenum, GLint, GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, const void *));
    if (!gl_fails("TexSubImage2D", GL_OUT_OF_MEMORY, __builtin_return_address(0)))
        real(target, level, x, y, width, height, format, type, texels);
}

static bool egl_fails(const char *function, const void *caller)
{
    const bool result = fails(FAULT_OPENGL, function, caller);
    if (result)
        egl_error = EGL_BAD_ALLOC;
    return result;
}

EGLint eglGetError(void)
{
    LIBRARY(EGLint, eglGetError, (void));
    const EGLint set = egl_error;
    egl_error = EGL_SUCCESS;
    return set != EGL_SUCCESS ? set : real();
}

#define EGL_FAILING(result, name, failed, parameters, arguments)                                   \
    result name parameters                                                                         \
    {                                                                                              \
        LIBRARY(result, name, parameters);                                                         \
        return egl_fails(#name, __builtin_return_address(0)) ? (failed) : real arguments;          \
    }

/* The flag belongs to the context. */
EGLBoolean eglDestroyContext(EGLDisplay display, EGLContext context)
{
    LIBRARY(EGLBoolean, eglDestroyContext, (EGLDisplay, EGLContext));
    flag = GL_NO_ERROR;
    return real(display, context);
}

EGL_FAILING(EGLBoolean, eglBindAPI, EGL_FALSE, (EGLenum api), (api))
EGL_FAILING(EGLBoolean, eglChooseConfig, EGL_FALSE,
            (EGLDisplay display, const EGLint *wanted, EGLConfig *configs, EGLint size,
             EGLint *count),
            (display, wanted, configs, size, count))
EGL_FAILING(EGLContext, eglCreateContext, EGL_NO_CONTEXT,
            (EGLDisplay display, EGLConfig config, EGLContext shared, const EGLint *wanted),
            (display, config, shared, wanted))
EGL_FAILING(EGLSurface, eglCreatePbufferSurface, EGL_NO_SURFACE,
            (EGLDisplay display, EGLConfig config, const EGLint *wanted), (display, config, wanted))
EGL_FAILING(EGLDisplay, eglGetPlatformDisplay, EGL_NO_DISPLAY,
            (EGLenum platform, void *native, const EGLAttrib *wanted), (platform, native, wanted))
EGL_FAILING(EGLBoolean, eglInitialize, EGL_FALSE,
            (EGLDisplay display, EGLint *major, EGLint *minor), (display, major, minor))
EGL_FAILING(EGLBoolean, eglMakeCurrent, EGL_FALSE,
            (EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context),
            (display, draw, read, context))

/* ---- Files */

static bool file_fails(const char *function, int error, const void *caller)
{
    const bool result = fails(FAULT_FILE, function, caller);
    if (result)
        errno = error;
    return result;
}

#define FILE_FAILING(result, name, error, failed, parameters, arguments)                           \
    result name parameters                                                                         \
    {                                                                                              \
        LIBRARY(result, name, parameters);                                                         \
        return file_fails(#name, error, __builtin_return_address(0)) ? (failed) : real arguments;  \
    }

FILE_FAILING(int, access, EIO, -1, (const char *path, int mode), (path, mode))
FILE_FAILING(int, fchmod, EIO, -1, (int file, mode_t mode), (file, mode))
FILE_FAILING(int, fchown, EIO, -1, (int file, uid_t owner, gid_t group), (file, owner, group))
FILE_FAILING(int, flock, ENOLCK, -1, (int file, int operation), (file, operation))
FILE_FAILING(int, fstat, EIO, -1, (int file, struct stat *out), (file, out))
FILE_FAILING(int, fsync, EIO, -1, (int file), (file))
FILE_FAILING(int, link, EIO, -1, (const char *from, const char *to), (from, to))
FILE_FAILING(off_t, lseek, EIO, -1, (int file, off_t place, int whence), (file, place, whence))
FILE_FAILING(int, lstat, EIO, -1, (const char *path, struct stat *out), (path, out))
FILE_FAILING(int, mkdir, EIO, -1, (const char *path, mode_t mode), (path, mode))
FILE_FAILING(void *, mmap, ENOMEM, MAP_FAILED,
             (void *address, size_t size, int protection, int flags, int file, off_t place),
             (address, size, protection, flags, file, place))
FILE_FAILING(DIR *, opendir, EIO, NULL, (const char *path), (path))
FILE_FAILING(ssize_t, pread, EIO, -1, (int file, void *bytes, size_t size, off_t place),
             (file, bytes, size, place))
FILE_FAILING(ssize_t, read, EIO, -1, (int file, void *bytes, size_t size), (file, bytes, size))
FILE_FAILING(struct dirent *, readdir, EIO, NULL, (DIR * folder), (folder))
FILE_FAILING(ssize_t, readlink, EIO, -1, (const char *path, char *to, size_t size),
             (path, to, size))
FILE_FAILING(int, rename, EIO, -1, (const char *from, const char *to), (from, to))
FILE_FAILING(int, stat, EIO, -1, (const char *path, struct stat *out), (path, out))
FILE_FAILING(int, unlink, EIO, -1, (const char *path), (path))
FILE_FAILING(ssize_t, write, ENOSPC, -1, (int file, const void *bytes, size_t size),
             (file, bytes, size))

/* A file that cannot be closed is closed all the same, as by Linux. */
int close(int file)
{
    LIBRARY(int, close, (int));
    const int result = real(file);
    return file_fails("close", EIO, __builtin_return_address(0)) ? -1 : result;
}

int open(const char *path, int flags, ...)
{
    LIBRARY(int, open, (const char *, int, ...));
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return file_fails("open", EMFILE, __builtin_return_address(0)) ? -1 : real(path, flags, mode);
}

/* ---- For the tests */

static void start(fault_kind kind)
{
    pthread_mutex_lock(&mutex);
    watch = (watched){.kind = kind};
    kept = 0;
    if (used_places > 0)
        memset(blocks, 0, sizeof blocks);
    used_places = 0;
    flag = GL_NO_ERROR;
    egl_error = EGL_SUCCESS;
    pthread_mutex_unlock(&mutex);
}

void faults_count(fault_kind kind)
{
    start(kind);
    watch.is_on = true;
}

void faults_arm(fault_kind kind, int before, bool lasts)
{
    start(kind);
    watch.fails = true;
    watch.lasts = lasts;
    watch.before = before;
    watch.is_on = true;
}

int faults_end(void)
{
    pthread_mutex_lock(&mutex);
    watch.is_on = false;
    const int result = watch.fails ? watch.failures : watch.calls;
    pthread_mutex_unlock(&mutex);
    return result;
}

void faults_see_callers(int callers)
{
    place_depth = callers;
    memset(places, 0, sizeof places);
}

bool faults_is_new_place(int call)
{
    return call < CALLS && is_new[call];
}

const char *faults_failed(void)
{
    return watch.failed;
}

int faults_kept(void)
{
    return kept;
}

const char *faults_kept_text(void)
{
    static char text[2048];
    size_t used = 0;
    *text = 0;
    for (size_t i = 0; i < BLOCKS && used < sizeof text - 256; ++i) {
        if (!blocks[i].address || blocks[i].address == &freed)
            continue;
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "\n%zu bytes from", blocks[i].size);
        for (int c = 0; c < SHOWN && is_program(blocks[i].callers[c]); ++c)
            used += (size_t)snprintf(text + used, sizeof text - used, " 0x%tx",
                                     (const char *)blocks[i].callers[c] - &__executable_start - 1);
    }
    return text;
}

int faults_objects(void)
{
    int sum = 0;
    for (int i = 0; i < OBJECTS; ++i)
        sum += objects[i];
    return sum;
}

const char *faults_objects_text(void)
{
    static char text[512];
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < OBJECTS; ++i)
        if (objects[i])
            used += (size_t)snprintf(text + used, sizeof text - used, " %d %s", objects[i],
                                     object_names[i]);
    return text;
}

int faults_made(void)
{
    return made;
}

void faults_add_made(void)
{
    ++made;
}

void faults_pause(bool paused)
{
    is_paused = paused;
}
