#include "target.h"

#include "support/learning.h"

#include "base/folder.h"

#include <stdio.h>

#define TARGET(of, ...)                                                                            \
    {                                                                                              \
        .name = #of, .run = fuzz_run_##of, .seed = fuzz_seed_##of, __VA_ARGS__                     \
    }
#define LEARNER_FILE "lib/learn/learner_file.c"
#define LEARNER(of, ...)                                                                           \
    {                                                                                              \
        .name = #of, .run = fuzz_run_learner, .seed = fuzz_seed_##of,                              \
        .repair = fuzz_repair_safetensors, .computes = true, __VA_ARGS__                           \
    }

const fuzz_target fuzz_targets[] = {
    TARGET(idx, .most = 4096, .sources = "lib/io/idx.c lib/io/content.c lib/io/sizes.c"),
    TARGET(npy, .most = 4096, .sources = "lib/io/npy.c lib/io/npy_header.c"),
    TARGET(safetensors, .repair = fuzz_repair_safetensors,
           .sources = "lib/io/safetensors/header.c lib/io/safetensors/read.c lib/io/scan.c"),
    TARGET(csv, .most = 4096,
           .sources = "lib/io/table/csv.c lib/io/table/csv_types.c lib/io/table/csv_columns.c "
                      "lib/io/table/rows.c lib/io/table/number.c lib/io/table/labels.c "
                      "lib/io/table/names.c lib/io/table/fit.c lib/io/table/columns.c "
                      "lib/io/table/csv_problems.c lib/io/table/csv_names.c "
                      "lib/io/table/csv_requests.c"),
    TARGET(codebook, .sources = "lib/io/table/codebook_read.c lib/io/table/text.c"),
    TARGET(curve, .sources = "lib/learn/train/curve.c"),
    TARGET(png, .repair = fuzz_repair_png, .most = 256, /* which unpack to 2113536 pixels */
           .sources = "lib/io/png_file.c lib/io/image.c lib/io/image_folder.c"),
    TARGET(wav, .sources = "lib/io/sound_file.c lib/io/sound.c"),
    TARGET(gnt, .sources = "lib/io/handwriting.c"),
    TARGET(mpf, .sources = "lib/io/handwriting.c"),
    LEARNER(network, .megabytes = 256, /* of the transform of a spectrogram */
            .sources = LEARNER_FILE
            " lib/net/network_file.c lib/net/network_description.c lib/net/network_check.c "
            "lib/io/fields.c lib/io/safetensors/description.c lib/io/safetensors/arrays.c "
            "lib/io/safetensors/preparation.c"),
    LEARNER(lvq, .sources = LEARNER_FILE " lib/prototypes/lvq/file.c"),
    LEARNER(kmeans, .sources = LEARNER_FILE " lib/prototypes/kmeans/file.c"),
    LEARNER(gmm, .sources = LEARNER_FILE " lib/mixtures/file.c"),
    LEARNER(svm, .sources = LEARNER_FILE " lib/svm/file.c"),
    TARGET(parameters, .repair = fuzz_repair_safetensors, .computes = true,
           .sources = LEARNER_FILE " lib/net/network_file.c"),
    TARGET(projection, .repair = fuzz_repair_safetensors, .computes = true,
           .sources = "lib/projections/projection_file.c"),
    TARGET(checkpoint, .repair = fuzz_repair_checkpoint, .computes = true,
           .sources = "lib/learn/train/checkpointer.c lib/learn/state.c lib/learn/train/cursor.c "
                      "lib/learn/train/identity.c"),
    TARGET(resume, .repair = fuzz_repair_checkpoint, .computes = true,
           .sources = "lib/learn/train/checkpointer.c lib/learn/train/trainer.c lib/learn/state.c "
                      "lib/learn/train/cursor.c lib/learn/train/stopper.c"),
    TARGET(tuning, .sources = "lib/pass/tuning_store.c"),
    TARGET(program, .computes = true, .sources = "lib/pass/disk_cache.c"),
    TARGET(messages, .computes = true,
           .sources = "lib/learn/exchange/compare.c lib/learn/exchange/processes.c "
                      "lib/base/lines.c"),
    TARGET(processes, .most = 256, .computes = true,
           .sources = "lib/learn/train/exchange_plan.c lib/learn/exchange/shares.c "
                      "lib/learn/exchange/weights.c lib/learn/exchange/processes.c"),
    TARGET(fields, .sources = "lib/kinds/fields.c lib/io/fields.c lib/base/similar.c"),
    TARGET(kernel, .computes = true, .sources = "lib/ops/kernel.c"),
    TARGET(glsl, .sources = "lib/pass/unroll.c"),
    {.name = NULL},
};

static char folder[TREE_PATH], seed_folder[TREE_PATH];
static int seeds;

const fuzz_target *fuzz_find(const char *name)
{
    const fuzz_target *target = fuzz_targets;
    while (target->name && strcmp(target->name, name) != 0)
        ++target;
    return target->name ? target : NULL;
}

void fuzz_begin(const fuzz_target *target, const char *path)
{
    tree_make(folder);
    snprintf(seed_folder, sizeof seed_folder, "%s", path);
    seeds = 0;
    if (target->computes)
        assert_int_equal(test_group_setup(NULL), 0);
}

void fuzz_end(const fuzz_target *target)
{
    tree_remove(folder);
    if (!target->computes)
        return;
    release_learning();
    release_all();
    test_group_teardown(NULL);
}

const char *fuzz_path(const char *name)
{
    return tree_path(folder, name);
}

const char *fuzz_file(const char *name, const unsigned char *bytes, size_t size)
{
    static char path[TREE_PATH];
    const char *slash = strrchr(name, '/');
    snprintf(path, sizeof path, "%s", fuzz_path(name));
    if (slash) {
        char parent[TREE_PATH];
        snprintf(parent, sizeof parent, "%.*s", (int)(slash - name), name);
        expect_ok(glnn__folder_make(fuzz_path(parent)));
    }
    tree_write(path, bytes, size);
    return path;
}

const char *fuzz_seed_path(void)
{
    char name[16];
    snprintf(name, sizeof name, "seed-%02d", seeds++);
    return tree_path(seed_folder, name);
}

void fuzz_seed(const void *bytes, size_t size)
{
    tree_write(fuzz_seed_path(), bytes, size);
}

void fuzz_seed_text(const char *text)
{
    fuzz_seed(text, strlen(text));
}

void fuzz_put_low_first(unsigned char *to, uint64_t value, int count)
{
    for (int i = 0; i < count; ++i)
        to[i] = (unsigned char)(value >> 8 * i);
}

void fuzz_put_high_first(unsigned char *to, uint64_t value, int count)
{
    for (int i = 0; i < count; ++i)
        to[i] = (unsigned char)(value >> 8 * (count - 1 - i));
}

void fuzz_expect_sentence(glnn_status status)
{
    if (status)
        assert_true(*glnn_last_error());
}

double fuzz_touch(const float *numbers, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += (double)numbers[i];
    return sum;
}
