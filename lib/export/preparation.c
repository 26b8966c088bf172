#include "export/preparation.h"

#include "io/preparation.h"

#include <string.h>

int glnn__export_features(const glnn_preparation *preparation, int features)
{
    return preparation ? preparation->columns.features : features;
}

static glnn__export_numbers add_gradients(glnn__export_file *file, const glnn_shape *image,
                                          const glnn__export_numbers *from)
{
    const glnn__export_numbers gradients =
        glnn__export_scratch(file, from->end, GLNN_IMAGE_GRADIENTS);
    glnn__export_call(file, "gradients", "%d, %d, %s, %s", image->height, image->width, from->text,
                      gradients.text);
    return gradients;
}

/* The scratch memory may hold the numbers already, which are then replaced. */
static glnn__export_numbers add_scale(glnn__export_file *file, const glnn_scale *scale,
                                      const glnn__export_numbers *from)
{
    const size_t features = (size_t)scale->features;
    const glnn__export_numbers scaled = glnn__export_scratch(file, from->first, features);
    const glnn__export_text offset =
        glnn__export_floats(file, scale->offset, features, "feature_offset");
    const glnn__export_text factor =
        glnn__export_floats(file, scale->factor, features, "feature_factor");
    glnn__export_call(file, "scale", "%zu, %s, %s, %s, %s", features, offset.text, factor.text,
                      from->text, scaled.text);
    return scaled;
}

/* As add_scale. */
static glnn__export_numbers add_projection(glnn__export_file *file, const glnn_preparation *of,
                                           const glnn__export_numbers *from)
{
    const size_t features = (size_t)glnn__preparation_features(of);
    const size_t components = (size_t)of->components;
    const glnn__export_numbers centred = glnn__export_scratch(file, from->first, features);
    const glnn__export_numbers projected = glnn__export_scratch(file, centred.end, components);
    const glnn__export_text mean = glnn__export_floats(file, of->mean, features, "projection_mean");
    const glnn__export_text directions =
        glnn__export_floats(file, of->directions, components * features, "projection");
    glnn__export_call(file, "subtract", "%zu, %s, %s, %s", features, mean.text, from->text,
                      centred.text);
    glnn__export_call(file, "product", "%zu, %zu, %s, %s, %s", components, features,
                      directions.text, centred.text, projected.text);
    return projected;
}

glnn__export_numbers glnn__export_prepare(glnn__export_file *file,
                                          const glnn_preparation *preparation,
                                          const glnn__export_numbers *sample)
{
    glnn__export_numbers numbers = *sample;
    if (preparation && preparation->gradients.width > 0)
        numbers = add_gradients(file, &preparation->gradients, &numbers);
    if (preparation && preparation->scale.features > 0)
        numbers = add_scale(file, &preparation->scale, &numbers);
    if (preparation && preparation->components > 0)
        numbers = add_projection(file, preparation, &numbers);
    return numbers;
}

void glnn__export_unscale_targets(glnn__export_file *file, const glnn_preparation *preparation,
                                  const glnn__export_numbers *targets)
{
    if (!preparation || preparation->target_scale.features == 0)
        return;
    const glnn_scale *scale = &preparation->target_scale;
    const size_t count = (size_t)scale->features;
    const glnn__export_text offset =
        glnn__export_floats(file, scale->offset, count, "target_offset");
    const glnn__export_text factor =
        glnn__export_floats(file, scale->factor, count, "target_factor");
    glnn__export_call(file, "unscale", "%zu, %s, %s, %s", count, offset.text, factor.text,
                      targets->text);
}

/* ---- Texts */

/* Prints a text as one of C. */
static void print_string(glnn__growing_text *to, const char *text)
{
    glnn__text_print(to, "\"");
    for (; *text; ++text) {
        const unsigned char byte = (unsigned char)*text;
        /* Two question marks could begin a trigraph. */
        if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\' || byte == '?')
            glnn__text_print(to, "\\%03o", (unsigned)byte);
        else
            glnn__text_print(to, "%c", *text);
    }
    glnn__text_print(to, "\"");
}

/* Prints the name of a column as a part of a comment. */
static void print_name(glnn__growing_text *to, const glnn_csv_column *of)
{
    for (const char *text = of->name ? of->name : ""; *text; ++text) {
        const unsigned char byte = (unsigned char)*text;
        glnn__text_print(to, "%c", byte < ' ' || strchr("*/\\?\x7f", byte) ? '_' : *text);
    }
    if (!of->name || !*of->name)
        glnn__text_print(to, "column %d", of->position);
}

void glnn__export_list_fields(const glnn__export_file *file, glnn__growing_text *to)
{
    static const char *const dates[] = {"year", "day", "month"};
    const glnn_csv_columns *columns = file->columns;
    for (int j = 0; j < columns->feature_columns; ++j) {
        const glnn_csv_column *of = &columns->of[j];
        glnn__text_print(to, " *   field[%d]  ", j);
        print_name(to, of);
        glnn__text_print(to, ": %s", glnn_csv_type_name(of->type));
        if (of->type == GLNN_CSV_TYPE_DATE)
            glnn__text_print(to, ", %s first", dates[of->date]);
        else if (of->type == GLNN_CSV_TYPE_NUMBER && columns->has_commas)
            glnn__text_print(to, " with a decimal comma");
        glnn__text_print(to, "\n");
    }
}

void glnn__export_list_targets(const glnn__export_file *file, glnn__growing_text *to)
{
    const glnn_csv_column *targets = glnn_csv_columns_find(file->columns, GLNN_CSV_ROLE_TARGET);
    for (int t = 0; targets && t < file->columns->targets; ++t) {
        glnn__text_print(to, " *   output[%d]  ", t);
        print_name(to, &targets[t]);
        glnn__text_print(to, "\n");
    }
}

static void add_class_names(glnn__export_file *file)
{
    glnn__text_print(&file->code, "\nconst char *const %s_classes[%s_CLASSES] = {", file->name,
                     file->upper);
    for (int i = 0; i < file->classes; ++i) {
        glnn__export_separate((size_t)i, 1, "", &file->code);
        print_string(&file->code, file->class_names[i]);
    }
    glnn__text_print(&file->code, "};\n");
}

/* Adds the names of the categories that were kept, and a structure that describes them. */
static glnn__export_text add_categories(glnn__export_file *file, const glnn_csv_column *of,
                                        int index)
{
    const int values[] = {of->kept,
                          of->has_other,
                          of->missing == GLNN_CSV_MISSING_CATEGORY,
                          of->missing == GLNN_CSV_MISSING_INDICATOR,
                          of->encoding == GLNN_CSV_ENCODING_ONE_HOT,
                          (int)of->fill};
    glnn__text_print(&file->code, "    static const char *const names_%d[] = {", index);
    for (int i = 0; i < of->categories; ++i)
        if (of->codes[i] >= 0) {
            glnn__export_separate((size_t)of->codes[i], 1, "", &file->code);
            glnn__text_print(&file->code, "    ");
            print_string(&file->code, of->category_names[i]);
        }
    glnn__text_print(&file->code, "%s};\n", of->kept > 0 ? "" : "0");
    return glnn__export_struct(file, "category", index, values, sizeof values / sizeof *values);
}

static void use_all(glnn__export_file *file, const char *const *names)
{
    for (; *names; ++names)
        glnn__export_use(file, *names);
}

static void add_field(glnn__export_file *file, int index, int first)
{
    static const char *const numbers[] = {"is_missing", "clean_text", "encode_number",
                                          "number_field", NULL};
    static const char *const dates[] = {"is_missing",  "clean_text", "calendar", "find_days",
                                        "encode_date", "date_field", NULL};
    static const char *const categories[] = {
        "is_missing",      "clean_text",     "category", "find_category",
        "encode_category", "category_field", NULL};
    const glnn_csv_column *of = &file->columns->of[index];
    const int has_comma = file->columns->has_commas;
    const int has_indicator = of->missing == GLNN_CSV_MISSING_INDICATOR;
    const glnn__export_text fill = glnn__export_literal(of->fill);
    glnn__growing_text *code = &file->code;
    glnn__text_print(code, "    /* ");
    print_name(code, of);
    glnn__text_print(code, " */\n");
    if (of->type == GLNN_CSV_TYPE_CATEGORY) {
        use_all(file, categories);
        const glnn__export_text like = add_categories(file, of, index);
        glnn__text_print(
            code, "    unknown += category_field(field[%d], %d, %s, names_%d, input + %d);\n",
            index, has_comma, like.text, index, first);
        return;
    }
    if (of->type == GLNN_CSV_TYPE_DATE) {
        use_all(file, dates);
        glnn__text_print(code, "    if (!date_field(field[%d], %d, %s, %d, %d, %d, input + %d)",
                         index, (int)of->date, fill.text,
                         of->encoding == GLNN_CSV_ENCODING_DATE_PARTS, of->has_time, has_indicator,
                         first);
    } else {
        use_all(file, numbers);
        glnn__text_print(code, "    if (!number_field(field[%d], %d, %s, %d, input + %d)", index,
                         has_comma, fill.text, has_indicator, first);
    }
    glnn__text_print(code, " && !wrong)\n        wrong = %d;\n", index + 1);
}

static void add_encode(glnn__export_file *file)
{
    glnn__text_print(&file->code,
                     "\nint %s_encode(const char *const *field, float *input)\n"
                     "{\n"
                     "    int wrong = 0, unknown = 0;\n",
                     file->name);
    for (int j = 0, first = 0; j < file->columns->feature_columns; ++j) {
        add_field(file, j, first);
        first += file->columns->of[j].features;
    }
    glnn__text_print(&file->code, "    return wrong ? wrong : -unknown;\n}\n");
}

void glnn__export_texts(glnn__export_file *file, const glnn_preparation *preparation, int classes)
{
    const glnn_csv_columns *columns = preparation ? &preparation->columns : NULL;
    if (!columns || !file->language->has_texts)
        return;
    if (columns->class_names && columns->classes > 0 && columns->classes == classes) {
        file->class_names = columns->class_names;
        file->classes = classes;
        add_class_names(file);
    }
    if (columns->count > 0) {
        file->columns = columns;
        add_encode(file);
    }
}
