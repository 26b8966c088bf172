/* Tensors by name, for programs. */
#include "base/similar.h"
#include "base/sized.h"
#include "base/status.h"
#include "gl/lifetime.h"
#include "io/safetensors/safetensors.h"
#include "io/sizes.h"
#include "learn/learner_file.h"

#include <math.h>
#include <string.h>

int glnn_learner_get_tensor_count(const glnn_learner *learner)
{
    glnn__arrays all;
    return learner && !glnn__list_tensors(learner, &all) ? all.count : 0;
}

static glnn_status fail_unknown(const glnn_learner *learner, const char *name, glnn__arrays *all)
{
    char *names[GLNN__MAX_ARRAYS];
    for (int i = 0; i < all->count; ++i)
        names[i] = all->names[i];
    const char *meant = glnn__similar_name(name, names, (size_t)all->count);
    return glnn__fail(GLNN_E_ARG, "the %s has no tensor '%.80s'; %s%s%s", learner->type->name, name,
                      meant ? "did you mean '"
                            : "glnn_learner_get_tensor_info() lists those it has",
                      meant ? meant : "", meant ? "'?" : "");
}

static glnn_status find(const glnn_learner *learner, const char *name, glnn__arrays *all,
                        int *number)
{
    GLNN__TRY(glnn__list_tensors(learner, all));
    for (*number = 0; *number < all->count; ++*number)
        if (strcmp(all->names[*number], name) == 0)
            return GLNN_OK;
    return fail_unknown(learner, name, all);
}

static void fill_info(const glnn_learner *learner, const glnn__arrays *all, int number,
                      glnn_tensor_info *out)
{
    static const char *const roles[] = {[GLNN__ROLE_PARAMETER] = "parameter",
                                        [GLNN__ROLE_STATISTIC] = "statistic",
                                        [GLNN__ROLE_STATE] = "state"};
    const glnn__tensor_place place = learner->type->file->place(learner, number);
    const glnn_tensor *tensor = &all->tensors[number];
    glnn_tensor_info info = {.role = roles[place.role],
                             .layer = place.layer,
                             .dimensions = tensor->dimensions,
                             .count = glnn__array_length(tensor)};
    memcpy(info.name, tensor->name, sizeof info.name);
    memcpy(info.shape, tensor->shape, sizeof info.shape);
    glnn__sized_fill(out, &info, sizeof info);
}

glnn_status glnn_learner_get_tensor_info(const glnn_learner *learner, int number,
                                         glnn_tensor_info *out)
{
    glnn__arrays all;
    GLNN__HELD(learner);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_tensor_info, count, out));
    GLNN__TRY(glnn__fail_in(__func__, glnn__list_tensors(learner, &all)));
    if (number < 0 || number >= all.count)
        return glnn__fail(GLNN_E_ARG, "%s: tensor %d of a %s that has %d", __func__, number,
                          learner->type->name, all.count);
    fill_info(learner, &all, number, out);
    return GLNN_OK;
}

glnn_status glnn_learner_find_tensor(const glnn_learner *learner, const char *name,
                                     glnn_tensor_info *out)
{
    glnn__arrays all;
    int number;
    GLNN__HELD(learner);
    GLNN__NOT_NULL(name);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_tensor_info, count, out));
    GLNN__TRY(glnn__fail_in(__func__, find(learner, name, &all, &number)));
    fill_info(learner, &all, number, out);
    return GLNN_OK;
}

static glnn_status find_count(const glnn_learner *learner, const char *name, size_t count,
                              int *number)
{
    glnn__arrays all;
    GLNN__TRY(find(learner, name, &all, number));
    const glnn_tensor *tensor = &all.tensors[*number];
    const size_t length = glnn__array_length(tensor);
    if (count == length)
        return GLNN_OK;
    return tensor->dimensions == 1
               ? glnn__fail(GLNN_E_SHAPE, "`%s` has %zu numbers, not %zu", name, length, count)
               : glnn__fail(GLNN_E_SHAPE, "`%s` is %s and has %zu numbers, not %zu", name,
                            glnn__sizes_text_of(tensor->dimensions, tensor->shape).text, length,
                            count);
}

static glnn_status get(const glnn_learner *learner, const char *name, size_t count, float *values)
{
    int number;
    GLNN__TRY(find_count(learner, name, count, &number));
    return learner->type->file->read(learner, number, values);
}

glnn_status glnn_learner_get_tensor(const glnn_learner *learner, const char *name, size_t count,
                                    float *values)
{
    GLNN__HELD(learner);
    GLNN__NOT_NULL(name);
    GLNN__NOT_NULL(values);
    return glnn__fail_in(__func__, get(learner, name, count, values));
}

static glnn_status check(const glnn_learner *learner, const char *name, int number, size_t count,
                         const float *values)
{
    const glnn__file_form *form = learner->type->file;
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(values[i]))
            return glnn__fail(GLNN_E_ARG, "`%s`: number %zu is %g; it has to be finite", name, i,
                              (double)values[i]);
    const glnn_status status = form->check ? form->check(learner, number, values) : GLNN_OK;
    return status == GLNN_E_ARG ? glnn__fail(GLNN_E_ARG, "`%s` %s", name, glnn__last_sentence())
                                : status;
}

static glnn_status set(glnn_learner *learner, const char *name, size_t count, const float *values)
{
    int number;
    GLNN__TRY(find_count(learner, name, count, &number));
    GLNN__TRY(check(learner, name, number, count, values));
    const glnn_status status = learner->type->file->write(learner, number, values);
    glnn__learner_changed(learner);
    return status;
}

glnn_status glnn_learner_set_tensor(glnn_learner *learner, const char *name, size_t count,
                                    const float *values)
{
    GLNN__HELD(learner);
    GLNN__NOT_NULL(name);
    GLNN__NOT_NULL(values);
    GLNN__TRY(glnn__gl_enter(learner->ctx));
    return glnn__fail_in(__func__, glnn__gl_leave(learner->ctx, set(learner, name, count, values)));
}

static glnn_status get_matrix(const glnn_learner *learner, const char *name,
                              const glnn_matrix **out)
{
    glnn__arrays all;
    int number;
    GLNN__TRY(find(learner, name, &all, &number));
    *out = learner->type->file->place(learner, number).matrix;
    return *out ? GLNN_OK
                : glnn__fail(GLNN_E_UNSUPPORTED, "`%s` of a %s is in main memory and has no matrix",
                             name, learner->type->name);
}

glnn_status glnn_learner_get_tensor_matrix(const glnn_learner *learner, const char *name,
                                           const glnn_matrix **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__HELD(learner);
    GLNN__NOT_NULL(name);
    return glnn__fail_in(__func__, get_matrix(learner, name, out));
}
