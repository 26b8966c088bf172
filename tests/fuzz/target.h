/* Readers of bytes from outside. libFuzzer calls them with inputs that it makes
 * (tests/fuzz/fuzz.c), and tests/test_fuzz_findings.c with seeds and with inputs that failed. */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include "support/tree.h"

typedef struct fuzz_target {
    const char *name;
    const char *sources; /* the files of the reader, whose covered lines are counted */

    /* Reads one input; ends the program if the reader breaks a promise. */
    void (*run)(const unsigned char *bytes, size_t size);

    /* Adds inputs to begin with, by fuzz_seed and its like. */
    void (*seed)(void);

    /* Makes lengths and checksums of a changed input right, so that readers look at the rest of it.
     * The input keeps its size. NULL: it has none. */
    void (*repair)(unsigned char *bytes, size_t size);

    int most;      /* bytes of the longest input; 0: 16384 */
    int megabytes; /* that it may take at once; 0: 32      */
    bool computes; /* in the context of tests/support/support.h */
} fuzz_target;

/* The end has no name. */
extern const fuzz_target fuzz_targets[];

/* NULL: there is no target of that name. */
const fuzz_target *fuzz_find(const char *name);

/* Makes a folder for the files of a target, and for one that computes a context. After fuzz_begin,
 * seeds go to the folder `seeds`. */
void fuzz_begin(const fuzz_target *target, const char *seeds);
void fuzz_end(const fuzz_target *target);

/* Writes an input to a file of the target's folder, whose path is valid until the next call. Makes
 * the folder that `name` begins with. */
const char *fuzz_file(const char *name, const unsigned char *bytes, size_t size);

/* A path in the target's folder, as tree_path(). */
const char *fuzz_path(const char *name);

/* Adds a seed: bytes, a text, or the file that the caller writes to the returned path. */
void fuzz_seed(const void *bytes, size_t size);
void fuzz_seed_text(const char *text);
const char *fuzz_seed_path(void);

/* Sets a number of up to 8 bytes, the low or the high byte first. */
void fuzz_put_low_first(unsigned char *to, uint64_t value, int count);
void fuzz_put_high_first(unsigned char *to, uint64_t value, int count);

/* A failure has a sentence; *status is what a reader returned. */
void fuzz_expect_sentence(glnn_status status);

/* Reads all numbers, so that those outside of an array are found. Returns their sum. */
double fuzz_touch(const float *numbers, size_t count);

/* ---- The targets */

void fuzz_run_idx(const unsigned char *bytes, size_t size);
void fuzz_seed_idx(void);
void fuzz_run_npy(const unsigned char *bytes, size_t size);
void fuzz_seed_npy(void);
void fuzz_run_safetensors(const unsigned char *bytes, size_t size);
void fuzz_seed_safetensors(void);
void fuzz_repair_safetensors(unsigned char *bytes, size_t size);

void fuzz_run_csv(const unsigned char *bytes, size_t size);
void fuzz_seed_csv(void);
void fuzz_run_codebook(const unsigned char *bytes, size_t size);
void fuzz_seed_codebook(void);
void fuzz_run_curve(const unsigned char *bytes, size_t size);
void fuzz_seed_curve(void);

void fuzz_run_png(const unsigned char *bytes, size_t size);
void fuzz_seed_png(void);
void fuzz_repair_png(unsigned char *bytes, size_t size);
void fuzz_run_wav(const unsigned char *bytes, size_t size);
void fuzz_seed_wav(void);
void fuzz_run_gnt(const unsigned char *bytes, size_t size);
void fuzz_seed_gnt(void);
void fuzz_run_mpf(const unsigned char *bytes, size_t size);
void fuzz_seed_mpf(void);

void fuzz_run_learner(const unsigned char *bytes, size_t size);
void fuzz_seed_network(void);
void fuzz_seed_lvq(void);
void fuzz_seed_kmeans(void);
void fuzz_seed_gmm(void);
void fuzz_seed_svm(void);
void fuzz_run_parameters(const unsigned char *bytes, size_t size);
void fuzz_seed_parameters(void);
void fuzz_run_projection(const unsigned char *bytes, size_t size);
void fuzz_seed_projection(void);
void fuzz_run_checkpoint(const unsigned char *bytes, size_t size);
void fuzz_seed_checkpoint(void);
void fuzz_repair_checkpoint(unsigned char *bytes, size_t size);
void fuzz_run_resume(const unsigned char *bytes, size_t size);
void fuzz_seed_resume(void);

void fuzz_run_tuning(const unsigned char *bytes, size_t size);
void fuzz_seed_tuning(void);
void fuzz_run_program(const unsigned char *bytes, size_t size);
void fuzz_seed_program(void);
void fuzz_run_messages(const unsigned char *bytes, size_t size);
void fuzz_seed_messages(void);
void fuzz_run_processes(const unsigned char *bytes, size_t size);
void fuzz_seed_processes(void);
void fuzz_run_fields(const unsigned char *bytes, size_t size);
void fuzz_seed_fields(void);
void fuzz_run_kernel(const unsigned char *bytes, size_t size);
void fuzz_seed_kernel(void);
void fuzz_run_glsl(const unsigned char *bytes, size_t size);
void fuzz_seed_glsl(void);

#endif
