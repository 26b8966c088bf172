#include "pass/tuning_store.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/disk_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char separator[] = " = ";

/* Each driver has a file, named by a hash over the driver's names and the library's version. */
static char *file_path(const glnn_context *ctx, const glnn__tuning *tuning)
{
    char name[32];
    const char *version = glnn_version();
    const glnn__cache_key key = glnn__disk_cache_key(ctx, version, strlen(version));
    snprintf(name, sizeof name, "%016llx.tuning", (unsigned long long)key.low);
    return glnn__path_join(tuning->folder, name);
}

static glnn__tuning_line **bucket_of(glnn__tuning *tuning, const char *key)
{
    return &tuning->buckets[glnn__hash(key, strlen(key)) % GLNN__TUNING_BUCKETS];
}

static glnn__tuning_line *find(glnn__tuning *tuning, const char *key)
{
    glnn__tuning_line *line = *bucket_of(tuning, key);
    while (line && strcmp(line->key, key) != 0)
        line = line->next_in_bucket;
    return line;
}

static glnn__tuning_line *make_line(const char *key, const char *value)
{
    glnn__tuning_line *line = malloc(sizeof *line + strlen(key) + strlen(value) + 2);
    if (!line)
        return NULL;
    line->key = (char *)(line + 1);
    strcpy(line->key, key);
    line->value = line->key + strlen(key) + 1;
    strcpy(line->value, value);
    return line;
}

/* The first value of a key stays. Without memory the value is not stored, and is measured again. */
static void add(glnn__tuning *tuning, const char *key, const char *value)
{
    if (strlen(key) >= GLNN__TUNING_TEXT || strlen(value) >= GLNN__TUNING_TEXT || find(tuning, key))
        return;
    glnn__tuning_line *line = make_line(key, value), **bucket = bucket_of(tuning, key);
    if (!line)
        return;
    line->next = NULL;
    line->next_in_bucket = *bucket;
    *bucket = line;
    *(tuning->last ? &tuning->last->next : &tuning->first) = line;
    tuning->last = line;
    ++tuning->count;
}

void glnn__tuning_forget(glnn__tuning *tuning)
{
    for (glnn__tuning_line *line = tuning->first, *next; line; line = next) {
        next = line->next;
        free(line);
    }
    *tuning = (glnn__tuning){.folder = tuning->folder, .storing = tuning->storing};
}

static void read_lines(glnn__tuning *tuning, const char *path)
{
    unsigned char *text;
    size_t size;
    if (access(path, R_OK) != 0 || glnn__file_read(path, &text, &size) != GLNN_OK)
        return; /* no file yet, which is not an error */
    char *rest, *line = strtok_r((char *)text, "\n", &rest);
    for (; line && tuning->count <= GLNN__TUNING_LINES; line = strtok_r(NULL, "\n", &rest)) {
        char *value = strstr(line, separator);
        if (!value)
            continue;
        *value = 0;
        add(tuning, line, value + strlen(separator));
    }
    free(text);
    if (tuning->count > GLNN__TUNING_LINES)
        glnn__tuning_forget(tuning);
}

static void load(const glnn_context *ctx, glnn__tuning *tuning)
{
    char *path = tuning->folder ? file_path(ctx, tuning) : NULL;
    if (path)
        read_lines(tuning, path);
    free(path);
    tuning->is_loaded = true;
}

static void store(const glnn_context *ctx, glnn__tuning *tuning)
{
    size_t used = 0, size = 1;
    for (const glnn__tuning_line *line = tuning->first; line; line = line->next)
        size += strlen(line->key) + strlen(separator) + strlen(line->value) + 1;
    char *path = file_path(ctx, tuning), *text = malloc(size);
    tuning->storing = GLNN__STORING_FAILS;
    for (const glnn__tuning_line *line = tuning->first; text && line; line = line->next)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s\n", line->key, separator,
                                 line->value);
    if (!path || !text)
        glnn__log(GLNN_LOG_INFO, "the device profile cannot be stored: no memory");
    else if (glnn__file_replace(path, &(glnn__span){text, used}, 1) == GLNN_OK)
        tuning->storing = GLNN__STORING_WORKS;
    else
        glnn__log(GLNN_LOG_INFO, "the device profile cannot be stored: %s", glnn_last_error());
    free(path);
    free(text);
}

bool glnn__tuning_can_store(glnn_context *ctx, glnn__tuning *tuning)
{
    if (!tuning->folder)
        return false;
    if (tuning->storing == GLNN__STORING_UNTRIED) {
        load(ctx, tuning); /* another process may have been here */
        store(ctx, tuning);
    }
    return tuning->storing == GLNN__STORING_WORKS;
}

const char *glnn__tuning_get(glnn_context *ctx, glnn__tuning *tuning, const char *key)
{
    if (!tuning->is_loaded)
        load(ctx, tuning);
    const glnn__tuning_line *line = find(tuning, key);
    return line ? line->value : NULL;
}

static void drop(glnn__tuning *tuning, const char *key)
{
    glnn__tuning_line *line = find(tuning, key), *former = NULL;
    if (!line)
        return;
    for (glnn__tuning_line *other = tuning->first; other != line; other = other->next)
        former = other;
    *(former ? &former->next : &tuning->first) = line->next;
    if (tuning->last == line)
        tuning->last = former;
    glnn__tuning_line **link = bucket_of(tuning, key);
    while (*link != line)
        link = &(*link)->next_in_bucket;
    *link = line->next_in_bucket;
    --tuning->count;
    free(line);
}

const char *glnn__tuning_put(glnn_context *ctx, glnn__tuning *tuning, const char *key,
                             const char *damaged, const char *value)
{
    char text[GLNN__TUNING_TEXT] = "";
    if (damaged)
        snprintf(text, sizeof text, "%s", damaged);
    drop(tuning, key);
    load(ctx, tuning); /* another process may have been here */
    const glnn__tuning_line *other = find(tuning, key);
    if (damaged && other && strcmp(other->value, text) == 0)
        drop(tuning, key);
    add(tuning, key, value);
    if (tuning->folder)
        store(ctx, tuning);
    const glnn__tuning_line *line = find(tuning, key);
    return line ? line->value : value;
}
