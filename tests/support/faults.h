/* Calls that fail on purpose: allocations, calls of OpenGL and EGL, and calls on files. The
 * Makefile links faults.c with the programs that use it. Its functions take the place of the
 * system's there.
 *
 * Memory: malloc, calloc and realloc, called by the program itself, or for it by the C library,
 * zlib or libpng. Those of OpenGL's driver always succeed, because drivers end the process without
 * memory. OpenGL: commands that can run out of memory or of the device, and those of EGL that
 * create a context. Files: calls of the program itself. Threads of the library count too. */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include <stdbool.h>

/* Some sanitizers have their own allocator, which cannot be replaced. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_ALLOCATOR
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR
#endif

typedef enum fault_kind { FAULT_MEMORY, FAULT_OPENGL, FAULT_FILE, FAULT_KINDS } fault_kind;

extern const char *const fault_kind_names[FAULT_KINDS];

/* Counts the calls of this kind from now on, and notes the place of each in the program. */
void faults_count(fault_kind kind);

/* Call number `before` of this kind from now on fails, the first being 0. `lasts`: and all later
 * ones. */
void faults_arm(fault_kind kind, int before, bool lasts);

/* Ends counting or failing. Returns how many calls were counted, or how many failed. */
int faults_end(void);

/* Whether a call of those that were counted last is the first one from its place in the program. A
 * place is the function that was called with its latest callers, two unless faults_see_callers
 * chooses another number. All places are new after that. */
void faults_see_callers(int callers);
bool faults_is_new_place(int call);

/* The call that failed last, and the addresses of its callers for addr2line. */
const char *faults_failed(void);

/* Allocations between faults_count or faults_arm and faults_end that are not given back by now. The
 * text has the addresses of the callers of the first ones. */
int faults_kept(void);
const char *faults_kept_text(void);

/* Objects of OpenGL that exist in all contexts: textures, buffers, programs, fences and so on. The
 * text names the kinds. */
int faults_objects(void);
const char *faults_objects_text(void);

/* Allocations of this thread so far. Those of other libraries do not count, nor those between
 * faults_pause(true) and faults_pause(false). */
int faults_made(void);
void faults_add_made(void); /* one that a test makes for the library */
void faults_pause(bool is_paused);

#endif
