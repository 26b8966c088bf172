/* Data sets that stream from files in a folder of the test's own. */
#ifndef TESTS_STREAMS_H
#define TESTS_STREAMS_H

#include "learner_files.h"
#include "learning.h"

enum { SAMPLES = 307, FEATURES = 13, CLASSES = 3 };

/* Bytes of texture that a window takes for a sample with a label: 16 floats and 4; with a target,
 * its weight and its distance from the mean one: 16 and 8. */
enum { LABELLED = 80, TARGETED = 96 };

static inline size_t budget_of(int rows)
{
    return 2 * LABELLED * (size_t)rows;
}

static inline size_t budget_for(samples of, int rows)
{
    return of.labels.data ? budget_of(rows) : 2 * TARGETED * (size_t)rows;
}

static inline samples some_samples(bool labels)
{
    random_seed(4);
    return samples_random(SAMPLES, FEATURES, CLASSES, labels);
}

static inline int *labels_of(samples of)
{
    static int labels[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i)
        labels[i] = (int)of.labels.data[i];
    return labels;
}

static inline glnn_dataset_desc desc_of(samples of, size_t budget)
{
    return (glnn_dataset_desc){
        .samples = of.inputs.rows,
        .features = of.inputs.columns,
        .labels = of.labels.data ? labels_of(of) : NULL,
        .classes = of.labels.data ? of.outputs : 0,
        .targets = of.targets.data ? floats_of(of.targets) : NULL,
        .outputs = of.targets.data ? of.outputs : 0,
        .texture_budget = budget,
    };
}

static inline file_path write_floats(samples of)
{
    return file_write("samples.f32", floats_of(of.inputs), 4 * length_of(of.inputs));
}

/* A header of any length: NumPy pads it, but need not. */
static inline file_path write_npy(samples of, const char *dictionary)
{
    static unsigned char bytes[1 << 16];
    const size_t length = strlen(dictionary), size = 4 * length_of(of.inputs);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (unsigned char)length;
    bytes[9] = (unsigned char)(length >> 8);
    memcpy(bytes + 10, dictionary, length);
    assert_true(10 + length + size <= sizeof bytes);
    memcpy(bytes + 10 + length, floats_of(of.inputs), size);
    return file_write("samples.npy", bytes, 10 + length + size);
}

static const char dictionary[] =
    "{'descr': '<f4', 'fortran_order': False, 'shape': (307, 13), }  \n";

static inline glnn_dataset *opened(const char *path, glnn_dataset_format format,
                                   const glnn_dataset_desc *desc)
{
    glnn_dataset *data = NULL;
    expect_ok(glnn_dataset_open(glnn_test_context(), path, format, desc, &data));
    return data;
}

static inline glnn_dataset *streamed(samples of, size_t budget)
{
    const glnn_dataset_desc desc = desc_of(of, budget);
    glnn_dataset *data = opened(write_floats(of).text, GLNN_DATASET_FLOATS, &desc);
    assert_true(glnn_dataset_is_streamed(data));
    return data;
}

static inline glnn_learner *new_network(bool labels, int capacity)
{
    return network_of(&(glnn_network_desc){
        .features = FEATURES,
        .layers = {{.units = 9, .activation = GLNN_ACTIVATION_SCALED_TANH},
                   {.units = CLASSES, .activation = GLNN_ACTIVATION_IDENTITY}},
        .loss = labels ? GLNN_LOSS_CROSS_ENTROPY : GLNN_LOSS_SQUARED,
        .optimizer = {.kind = GLNN_OPTIMIZER_SGD, .momentum = 0.9f},
        .capacity = capacity,
        .seed = 6,
    });
}

#endif
