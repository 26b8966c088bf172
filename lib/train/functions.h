/* The public functions that all kinds of learners have, and that differ by names alone. */
#ifndef GLNN__TRAIN_FUNCTIONS_H
#define GLNN__TRAIN_FUNCTIONS_H

#include "base/status.h"
#include "gl/lifetime.h"
#include "learner/evaluate.h"
#include "learner/predict.h"
#include "learner/preparation.h"
#include "train/trainer.h"

/* Defines them for glnn_<kind>, by way of glnn__<kind>_learner. */
#define GLNN__LEARNER_FUNCTIONS(kind)                                                              \
    const glnn_##kind##_desc *glnn_##kind##_get_desc(const glnn_##kind *kind)                      \
    {                                                                                              \
        return kind ? &kind->desc : NULL;                                                          \
    }                                                                                              \
                                                                                                   \
    int glnn_##kind##_get_outputs(const glnn_##kind *kind)                                         \
    {                                                                                              \
        return kind ? glnn__##kind##_learner((glnn_##kind *)kind).predicted : 0;                   \
    }                                                                                              \
                                                                                                   \
    glnn_status glnn_##kind##_train(glnn_##kind *kind, const glnn_dataset *data,                   \
                                    const glnn_train_desc *desc, glnn_train_result *result)        \
    {                                                                                              \
        GLNN__HELD(kind);                                                                          \
        GLNN__NOT_NULL(data);                                                                      \
        const glnn__learner learner = glnn__##kind##_learner(kind);                                \
        return glnn__train(&learner, __func__, data, desc, result);                                \
    }                                                                                              \
                                                                                                   \
    glnn_status glnn_##kind##_trainer_create(glnn_##kind *kind, const glnn_dataset *data,          \
                                             const glnn_train_desc *desc, glnn_trainer **out)      \
    {                                                                                              \
        GLNN__NOT_NULL(out);                                                                       \
        *out = NULL;                                                                               \
        GLNN__HELD(kind);                                                                          \
        GLNN__NOT_NULL(data);                                                                      \
        const glnn__learner learner = glnn__##kind##_learner(kind);                                \
        return glnn__trainer_create(&learner, __func__, data, desc, out);                          \
    }                                                                                              \
                                                                                                   \
    glnn_status glnn_##kind##_evaluate(glnn_##kind *kind, const glnn_dataset *data,                \
                                       glnn_metrics *metrics, int64_t *confusion)                  \
    {                                                                                              \
        GLNN__HELD(kind);                                                                          \
        GLNN__NOT_NULL(data);                                                                      \
        const glnn__learner learner = glnn__##kind##_learner(kind);                                \
        return glnn__evaluate(&learner, __func__, data, metrics, confusion);                       \
    }                                                                                              \
                                                                                                   \
    glnn_status glnn_##kind##_predict(glnn_##kind *kind, int64_t samples, const float *inputs,     \
                                      float *outputs, int *classes)                                \
    {                                                                                              \
        GLNN__HELD(kind);                                                                          \
        const glnn__learner learner = glnn__##kind##_learner(kind);                                \
        return glnn__predict(&learner, __func__, samples, inputs, outputs, classes);               \
    }                                                                                              \
                                                                                                   \
    glnn_status glnn_##kind##_predict_matrix(glnn_##kind *kind, const glnn_matrix *inputs,         \
                                             glnn_matrix *outputs)                                 \
    {                                                                                              \
        GLNN__HELD(kind);                                                                          \
        const glnn__learner learner = glnn__##kind##_learner(kind);                                \
        return glnn__predict_matrix(&learner, __func__, inputs, outputs);                          \
    }                                                                                              \
                                                                                                   \
    glnn_status glnn_##kind##_set_preparation(glnn_##kind *kind,                                   \
                                              const glnn_preparation *preparation)                 \
    {                                                                                              \
        GLNN__HELD(kind);                                                                          \
        const glnn__learner learner = glnn__##kind##_learner(kind);                                \
        return glnn__fail_in(__func__, glnn__preparation_set(&learner, __func__, preparation));    \
    }                                                                                              \
                                                                                                   \
    const glnn_preparation *glnn_##kind##_get_preparation(const glnn_##kind *kind)                 \
    {                                                                                              \
        return kind ? glnn__preparation_get(glnn__##kind##_learner((glnn_##kind *)kind).trained)   \
                    : NULL;                                                                        \
    }

#endif
