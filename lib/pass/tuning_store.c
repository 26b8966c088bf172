#include "pass/tuning_store.h"

#include "base/file.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/disk_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char separator[] = " = ";

/* The file is the driver's: its name is a hash over the driver's names and the library's version. */
static void file_path(const glnn_context *ctx, const glnn__programs *programs, char *path,
                      size_t size)
{
    const char *version = glnn_version();
    const glnn__cache_key key = glnn__disk_cache_key(ctx, version, strlen(version));
    snprintf(path, size, "%s/%016llx.tuning", programs->cache_dir, (unsigned long long)key.low);
}

static glnn__tuning_line *find(glnn__programs *programs, const char *key)
{
    for (glnn__tuning_line *line = programs->tuning; line; line = line->next)
        if (strcmp(line->key, key) == 0)
            return line;
    return NULL;
}

/* The first value of a key stays. What finds no memory is not kept, and measured again. */
static void add(glnn__programs *programs, const char *key, const char *value)
{
    if (find(programs, key) || strlen(key) >= GLNN__TUNING_TEXT ||
        strlen(value) >= GLNN__TUNING_TEXT)
        return;
    glnn__tuning_line *line = malloc(sizeof *line + strlen(key) + strlen(value) + 2);
    if (!line)
        return;
    line->key = (char *)(line + 1);
    strcpy(line->key, key);
    line->value = line->key + strlen(key) + 1;
    strcpy(line->value, value);
    glnn__tuning_line **end = &programs->tuning;
    while (*end)
        end = &(*end)->next;
    line->next = NULL;
    *end = line;
}

static void load(const glnn_context *ctx, glnn__programs *programs)
{
    char path[4096];
    unsigned char *text;
    size_t size;
    programs->tuning_loaded = true;
    if (!programs->cache_dir)
        return;
    file_path(ctx, programs, path, sizeof path);
    FILE *file = fopen(path, "rb");
    if (!file)
        return; /* nothing is known yet, which is no failure to tell of */
    fclose(file);
    if (glnn__file_read(path, &text, &size) != GLNN_OK)
        return;
    char *rest;
    for (char *line = strtok_r((char *)text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        char *value = strstr(line, separator);
        if (!value)
            continue;
        *value = 0;
        add(programs, line, value + strlen(separator));
    }
    free(text);
}

static void store(const glnn_context *ctx, glnn__programs *programs)
{
    char path[4096];
    size_t used = 0, size = 1;
    for (const glnn__tuning_line *line = programs->tuning; line; line = line->next)
        size += strlen(line->key) + strlen(separator) + strlen(line->value) + 1;
    char *text = malloc(size);
    programs->keeping = GLNN__KEEPING_FAILS;
    if (!text)
        return;
    for (const glnn__tuning_line *line = programs->tuning; line; line = line->next)
        used += (size_t)snprintf(text + used, size - used, "%s%s%s\n", line->key, separator,
                                 line->value);
    file_path(ctx, programs, path, sizeof path);
    if (glnn__file_replace(path, &(glnn__span){text, used}, 1) == GLNN_OK)
        programs->keeping = GLNN__KEEPING_WORKS;
    else
        glnn__log(GLNN_LOG_INFO, "the device profile cannot be kept: %s", glnn_last_error());
    free(text);
}

bool glnn__tuning_can_keep(glnn_context *ctx, glnn__programs *programs)
{
    if (!programs->cache_dir)
        return false;
    if (programs->keeping == GLNN__KEEPING_UNTRIED) {
        load(ctx, programs); /* another process may have been here */
        store(ctx, programs);
    }
    return programs->keeping == GLNN__KEEPING_WORKS;
}

const char *glnn__tuning_get(glnn_context *ctx, glnn__programs *programs, const char *key)
{
    if (!programs->tuning_loaded)
        load(ctx, programs);
    const glnn__tuning_line *line = find(programs, key);
    return line ? line->value : NULL;
}

static void drop(glnn__programs *programs, const char *key)
{
    for (glnn__tuning_line **link = &programs->tuning; *link; link = &(*link)->next)
        if (strcmp((*link)->key, key) == 0) {
            glnn__tuning_line *line = *link;
            *link = line->next;
            free(line);
            return;
        }
}

const char *glnn__tuning_put(glnn_context *ctx, glnn__programs *programs, const char *key,
                             const char *damaged, const char *value)
{
    char text[GLNN__TUNING_TEXT] = "";
    if (damaged)
        snprintf(text, sizeof text, "%s", damaged);
    drop(programs, key);
    load(ctx, programs); /* another process may have been here */
    const glnn__tuning_line *other = find(programs, key);
    if (damaged && other && strcmp(other->value, text) == 0)
        drop(programs, key);
    add(programs, key, value);
    if (programs->cache_dir)
        store(ctx, programs);
    const glnn__tuning_line *line = find(programs, key);
    return line ? line->value : value;
}

void glnn__tuning_forget(glnn__programs *programs)
{
    while (programs->tuning) {
        glnn__tuning_line *line = programs->tuning;
        programs->tuning = line->next;
        free(line);
    }
}
