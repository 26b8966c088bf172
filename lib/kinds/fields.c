/* The fields of all descriptions, as programs ask for them. */
#include "base/locale.h"
#include "base/names.h"
#include "base/similar.h"
#include "base/sized.h"
#include "base/status.h"
#include "layers/layer_fields.h"
#include "learn/optimizer.h"
#include "learn/train/training.h"
#include "mixtures/gmm.h"
#include "net/network_check.h"
#include "prototypes/kmeans/kmeans.h"
#include "prototypes/lvq/lvq.h"
#include "svm/svm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const description_names[] = {
    [GLNN_DESCRIPTION_NETWORK] = "network", [GLNN_DESCRIPTION_LAYER] = "layer",
    [GLNN_DESCRIPTION_OUTPUT] = "output",   [GLNN_DESCRIPTION_OPTIMIZER] = "optimizer",
    [GLNN_DESCRIPTION_LVQ] = "lvq",         [GLNN_DESCRIPTION_KMEANS] = "kmeans",
    [GLNN_DESCRIPTION_GMM] = "gmm",         [GLNN_DESCRIPTION_SVM] = "svm",
    [GLNN_DESCRIPTION_TRAIN] = "train",
};

GLNN__DEFINE_NAMES(glnn_description, description_names)

static const char *const type_names[] = {
    [GLNN_FIELD_INT] = "int",       [GLNN_FIELD_FLOAT] = "float", [GLNN_FIELD_DOUBLE] = "double",
    [GLNN_FIELD_UINT64] = "uint64", [GLNN_FIELD_BOOL] = "bool",   [GLNN_FIELD_CHOICE] = "choice",
};

GLNN__DEFINE_NAMES(glnn_field_type, type_names)

static const glnn__fields *const tables[GLNN_DESCRIPTION_COUNT] = {
    [GLNN_DESCRIPTION_NETWORK] = &glnn__network_fields,
    [GLNN_DESCRIPTION_LAYER] = &glnn__layer_fields,
    [GLNN_DESCRIPTION_OUTPUT] = &glnn__output_fields,
    [GLNN_DESCRIPTION_OPTIMIZER] = &glnn__optimizer_fields,
    [GLNN_DESCRIPTION_LVQ] = &glnn__lvq_fields,
    [GLNN_DESCRIPTION_KMEANS] = &glnn__kmeans_fields,
    [GLNN_DESCRIPTION_GMM] = &glnn__gmm_fields,
    [GLNN_DESCRIPTION_SVM] = &glnn__svm_fields,
    [GLNN_DESCRIPTION_TRAIN] = &glnn__train_fields,
};

static bool is_known(glnn_description description)
{
    return (unsigned)description < GLNN_DESCRIPTION_COUNT;
}

int glnn_field_get_count(glnn_description description)
{
    glnn__place place;
    int count = 0;
    while (is_known(description) && glnn__fields_at(tables[description], count, &place))
        ++count;
    return count;
}

/* The texts have points in numbers, as glnn_field_set takes them. */
static glnn_status describe(const glnn__place *place, glnn_field *out)
{
    glnn__c_locale locale;
    const glnn__field *of = place->field;
    const bool has_ends = of->type <= GLNN_FIELD_DOUBLE;
    glnn_field field = {
        .type = of->type,
        .offset = place->offset,
        .least = has_ends ? of->least : 0,
        .most = has_ends ? of->most == 0 ? INFINITY : of->most : 0,
        .above = of->above,
        .below = of->below,
        .takes_zero = of->type <= GLNN_FIELD_UINT64 && glnn__field_takes_zero(of),
        .choices = of->names ? of->names->list : NULL,
        .choice_count = glnn__field_choices(of),
    };
    GLNN__TRY(glnn__c_locale_enter(&locale));
    snprintf(field.name, sizeof field.name, "%s", place->name);
    glnn__field_print_standard(of, field.standard, sizeof field.standard);
    glnn__field_print_range(of, false, field.range, sizeof field.range);
    glnn__c_locale_leave(&locale);
    glnn__sized_fill(out, &field, sizeof field);
    return GLNN_OK;
}

glnn_status glnn_field_at(glnn_description description, int place, glnn_field *out)
{
    glnn__place found;
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_field, choice_count, out));
    if (!is_known(description))
        return glnn__fail(GLNN_E_ARG, "%s: there is no description %d", __func__, description);
    if (place < 0 || !glnn__fields_at(tables[description], place, &found))
        return glnn__fail(GLNN_E_ARG, "%s: there is no field %d; the description %s has %d",
                          __func__, place, glnn_description_name(description),
                          glnn_field_get_count(description));
    return describe(&found, out);
}

/* The name that was probably meant, as the end of a sentence. */
static void suggest(glnn_description description, const char *name, char *text, size_t room)
{
    enum { MOST_FIELDS = 64 };
    glnn__place places[MOST_FIELDS];
    char *names[MOST_FIELDS];
    int count = 0;
    for (; count < MOST_FIELDS && glnn__fields_at(tables[description], count, &places[count]);
         ++count)
        names[count] = places[count].name;
    const char *similar = glnn__similar_name(name, names, (size_t)count);
    snprintf(text, room, "%s%s%s", similar ? "; did you mean " : "", similar ? similar : "",
             similar ? "?" : "");
}

static glnn_status find(const char *function, glnn_description description, const char *name,
                        glnn__place *out)
{
    char meant[80];
    if (!is_known(description))
        return glnn__fail(GLNN_E_ARG, "%s: there is no description %d", function, description);
    for (int i = 0; glnn__fields_at(tables[description], i, out); ++i)
        if (strcmp(out->name, name) == 0)
            return GLNN_OK;
    suggest(description, name, meant, sizeof meant);
    return glnn__fail(GLNN_E_ARG, "%s: the description %s has no field \"%.64s\"%s", function,
                      glnn_description_name(description), name, meant);
}

glnn_status glnn_field_find(glnn_description description, const char *name, glnn_field *out)
{
    glnn__place place;
    GLNN__NOT_NULL(name);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_field, choice_count, out));
    GLNN__TRY(find(__func__, description, name, &place));
    return describe(&place, out);
}

glnn_status glnn_field_set(glnn_description description, void *desc, const char *name,
                           const char *text)
{
    glnn__place place;
    glnn__c_locale locale;
    char range[512];
    GLNN__NOT_NULL(desc);
    GLNN__NOT_NULL(name);
    GLNN__NOT_NULL(text);
    GLNN__TRY(find(__func__, description, name, &place));
    GLNN__TRY(glnn__c_locale_enter(&locale));
    const bool is_set = glnn__field_parse(&place, text, true, desc);
    glnn__c_locale_leave(&locale);
    if (is_set)
        return GLNN_OK;
    glnn__field_print_range(place.field, true, range, sizeof range);
    return glnn__fail(GLNN_E_ARG, "%s: %s is \"%.64s\"; it has to be %s", __func__, place.name,
                      text, range);
}

glnn_status glnn_field_get(glnn_description description, const void *desc, const char *name,
                           char *text, size_t room)
{
    glnn__place place;
    glnn__c_locale locale;
    GLNN__NOT_NULL(desc);
    GLNN__NOT_NULL(name);
    GLNN__NOT_NULL(text);
    GLNN__TRY(find(__func__, description, name, &place));
    GLNN__TRY(glnn__c_locale_enter(&locale));
    const size_t length = glnn__field_print(&place, desc, text, room);
    glnn__c_locale_leave(&locale);
    if (length < room)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "%s: %s takes %zu bytes, but there is room for %zu", __func__,
                      place.name, length + 1, room);
}
