/* libFuzzer with one of the targets. scripts/fuzz.sh starts it.
 *
 * GLNN_FUZZ_TARGET  the target; not set: lists the targets with their longest inputs and their
 *                   sources, and ends
 * GLNN_FUZZ_SEEDS   a folder: writes the target's seeds there, and ends */
#include "target.h"

#include <stdio.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t capacity, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t capacity);

static const fuzz_target *target;

static void end(void)
{
    fuzz_end(target);
}

static void list_targets(void)
{
    for (const fuzz_target *t = fuzz_targets; t->name; ++t)
        printf("%s\t%d\t%d\t%s\n", t->name, t->most ? t->most : 16384,
               t->megabytes ? t->megabytes : 32, t->sources);
    exit(0);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("GLNN_FUZZ_TARGET"), *seeds = getenv("GLNN_FUZZ_SEEDS");
    (void)argc;
    (void)argv;
    if (!name)
        list_targets();
    target = fuzz_find(name);
    if (!target) {
        fprintf(stderr, "there is no target '%s'\n", name);
        exit(2);
    }
    fuzz_begin(target, seeds ? seeds : "");
    atexit(end);
    if (seeds) {
        target->seed();
        exit(0);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    target->run(bytes, size);
    log_clear();
    return 0;
}

/* One change in eight stays as it is, so that wrong lengths and checksums are tried, too. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t capacity, unsigned seed)
{
    const size_t changed = LLVMFuzzerMutate(bytes, size, capacity);
    if (target->repair && seed % 8 != 0)
        target->repair(bytes, changed);
    return changed;
}
