#include "stored.h"

#include <stdlib.h>
#include <string.h>

#include "common/failure.h"

/* Numbers that are read at a time, and of columns that are visited at a time. */
enum { READ_NUMBERS = 1 << 20, VISITED_NUMBERS = 1 << 26 };

stored *stored_new(void)
{
    stored *of = calloc(1, sizeof *of);
    if (of == NULL) {
        refuse("no memory for the samples of a file");
        return NULL;
    }
    of->owners = 1;
    of->pictures.size = sizeof of->pictures;
    return of;
}

void stored_release(stored *of)
{
    if (of == NULL || --of->owners > 0)
        return;
    glnn_csv_file_close(of->table);
    glnn_image_folder_free(&of->pictures);
    free(of);
}

static glnn_status read_file(stored *of, const int *rows, int count, float *inputs)
{
    return of->table ? glnn_csv_file_read_samples(of->table, rows, count, inputs)
                     : glnn_image_folder_read_samples(&of->pictures, rows, count, inputs);
}

int part_width(const samples_part *part)
{
    return part->is_raw ? part->of->columns.feature_columns : part->of->features;
}

static glnn_status read_encoded(const samples_part *part, const int *rows, int count, float *inputs)
{
    const glnn_csv_columns *columns = &part->of->columns;
    float *values = malloc((size_t)count * (size_t)columns->feature_columns * sizeof *values);
    glnn_status status = values ? read_file(part->file, rows, count, values) : GLNN_E_NOMEM;
    if (status == GLNN_OK)
        status = glnn_csv_columns_encode(columns, count, values, inputs, NULL);
    free(values);
    return status;
}

static glnn_status read_rows(const samples_part *part, const int *rows, int count, float *inputs)
{
    const samples *of = part->of;
    const glnn_status status = part->is_encoded ? read_encoded(part, rows, count, inputs)
                                                : read_file(part->file, rows, count, inputs);
    return status == GLNN_OK && of->scale.features > 0
               ? glnn_scale_apply(&of->scale, count, of->features, inputs)
               : status;
}

glnn_status part_read(void *user, const int *numbers, int count, float *inputs)
{
    enum { ROWS = 64 };
    const samples_part *part = user;
    int rows[ROWS];
    glnn_status status = GLNN_OK;
    for (int done = 0; done < count && status == GLNN_OK; done += ROWS) {
        const int some = count - done < ROWS ? count - done : ROWS;
        float *to = inputs + (size_t)done * (size_t)part_width(part);
        for (int i = 0; i < some; ++i)
            rows[i] = part->rows[numbers[done + i]];
        status = read_rows(part, rows, some, to);
    }
    return status;
}

/* Reads samples that follow each other. */
static bool read_range(const samples_part *part, int first, int count, float *inputs)
{
    int *numbers = malloc((size_t)count * sizeof *numbers);
    for (int i = 0; numbers && i < count; ++i)
        numbers[i] = first + i;
    bool done = numbers != NULL || refuse("no memory for %d samples", count);
    done = done && (part_read((samples_part *)part, numbers, count, inputs) == GLNN_OK ||
                    refuse("%s", glnn_last_error()));
    free(numbers);
    return done;
}

const float *part_range(const samples_part *part, int first, int count, float *room)
{
    if (part->file == NULL)
        return part->inputs + (size_t)first * (size_t)part_width(part);
    return read_range(part, first, count, room) ? room : NULL;
}

bool part_load(samples_part *part)
{
    if (part->file == NULL)
        return true;
    part->inputs = malloc((size_t)part->samples * (size_t)part_width(part) * sizeof *part->inputs);
    if (part->inputs == NULL)
        return refuse("no memory for the inputs of %d samples", part->samples);
    if (!read_range(part, 0, part->samples, part->inputs)) {
        free(part->inputs);
        part->inputs = NULL;
        return false;
    }
    stored_release(part->file);
    free(part->rows);
    part->file = NULL;
    part->rows = NULL;
    return true;
}

/* Copies columns of all samples. `room` has room for `most` samples. */
static bool gather(const samples_part *part, int first, int count, int most, float *room,
                   float *columns)
{
    const size_t features = (size_t)part_width(part), width = (size_t)count;
    for (int done = 0; done < part->samples; done += most) {
        const int some = part->samples - done < most ? part->samples - done : most;
        if (!read_range(part, done, some, room))
            return false;
        for (size_t i = 0; i < (size_t)some; ++i)
            memcpy(columns + ((size_t)done + i) * width, room + i * features + first,
                   width * sizeof *columns);
    }
    return true;
}

bool part_visit(const samples_part *part, part_visitor visit, void *user)
{
    const int features = part_width(part);
    if (part->file == NULL)
        return visit(user, part, 0, features, part->inputs);
    const int most = features < READ_NUMBERS ? READ_NUMBERS / features : 1;
    const int width = part->samples < VISITED_NUMBERS ? VISITED_NUMBERS / part->samples : 1;
    const int at_a_time = width < features ? width : features;
    float *room = malloc((size_t)most * (size_t)features * sizeof *room);
    float *columns = malloc((size_t)part->samples * (size_t)at_a_time * sizeof *columns);
    bool done = (room && columns) ||
                refuse("no memory for %d columns of %d samples", at_a_time, part->samples);
    for (int first = 0; done && first < features; first += at_a_time) {
        const int count = features - first < at_a_time ? features - first : at_a_time;
        done = gather(part, first, count, most, room, columns) &&
               visit(user, part, first, count, columns);
    }
    free(room);
    free(columns);
    return done;
}
