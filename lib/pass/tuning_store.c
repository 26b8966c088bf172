#include "pass/tuning_store.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/log.h"
#include "base/status.h"
#include "base/string.h"
#include "io/growing_text.h"
#include "pass/disk_cache.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char separator[] = " = ";

/* Seconds to wait for other processes, each of which takes some milliseconds. */
#define LONGEST_WAIT 30

/* The name of a file is a hash over the driver's names, the library's version, and the tier with
 * its render targets, which the speeds depend on. */
static char *file_path(const glnn_context *ctx, const glnn__tuning *tuning)
{
    char name[32], version[64];
    snprintf(version, sizeof version, "%s %s %d", glnn_version(), glnn_tier_name(ctx->info.tier),
             ctx->info.render_targets);
    const glnn__cache_key key = glnn__disk_cache_key(ctx, version, strlen(version));
    snprintf(name, sizeof name, "%016llx.tuning", (unsigned long long)key.low);
    return glnn__path_join(tuning->folder, name);
}

static glnn__tuning_line *find(const glnn__tuning *tuning, const char *key)
{
    glnn__tuning_line *line = tuning->first;
    while (line && strcmp(line->key, key) != 0)
        line = line->next;
    return line;
}

static glnn__tuning_line *add_line(glnn__tuning *tuning, const char *key)
{
    glnn__tuning_line *line = calloc(1, sizeof *line + strlen(key) + 1);
    if (!line)
        return NULL;
    line->key = strcpy((char *)(line + 1), key);
    *(tuning->last ? &tuning->last->next : &tuning->first) = line;
    tuning->last = line;
    ++tuning->count;
    return line;
}

/* The first value of a key counts. Without memory the value is not kept, and is measured again. */
static void add(glnn__tuning *tuning, const char *key, const char *value)
{
    if (strlen(key) >= GLNN__TUNING_TEXT || strlen(value) >= GLNN__TUNING_TEXT)
        return;
    glnn__tuning_line *line = find(tuning, key);
    if (!line)
        line = add_line(tuning, key);
    if (line && !line->value)
        line->value = glnn__string_copy(value);
}

static void forget_value(glnn__tuning_line *line)
{
    if (!line)
        return;
    free(line->value);
    line->value = NULL;
}

void glnn__tuning_forget(glnn__tuning *tuning)
{
    for (glnn__tuning_line *line = tuning->first, *next; line; line = next) {
        next = line->next;
        forget_value(line);
        free(line);
    }
    *tuning = (glnn__tuning){.folder = tuning->folder, .storing = tuning->storing};
}

static void read_lines(glnn__tuning *tuning, const char *path)
{
    unsigned char *text;
    size_t size;
    if (!glnn__file_is_readable(path) || glnn__file_read(path, &text, &size) != GLNN_OK)
        return; /* the first run has no file */
    char *line = (char *)text;
    for (char *end; *line && tuning->count <= GLNN__TUNING_LINES; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = 0;
        char *value = strstr(line, separator);
        if (!value)
            continue;
        *value = 0;
        add(tuning, line, value + strlen(separator));
    }
    if (tuning->count > GLNN__TUNING_LINES)
        glnn__tuning_forget(tuning);
    free(text);
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
    char *path = file_path(ctx, tuning);
    glnn__growing_text text = {0};
    for (const glnn__tuning_line *line = tuning->first; line; line = line->next)
        if (line->value)
            glnn__text_print(&text, "%s%s%s\n", line->key, separator, line->value);
    tuning->storing = GLNN__STORING_FAILS;
    if (!path || text.is_cut)
        glnn__log(GLNN_LOG_INFO, "the device profile cannot be stored: no memory");
    else if (glnn__file_replace(path, &(glnn__span){text.text, text.size}, 1) == GLNN_OK)
        tuning->storing = GLNN__STORING_WORKS;
    else
        glnn__log(GLNN_LOG_INFO, "the device profile cannot be stored: %s", glnn_last_error());
    free(path);
    free(text.text);
}

/* From reading the file to replacing it, other processes must not replace it: what one of them
 * adds would be lost, and its later runs would plan by other numbers. Locks the folder, if there is
 * one. */
static int lock(const glnn__tuning *tuning)
{
    return tuning->folder ? glnn__folder_lock(tuning->folder, LONGEST_WAIT) : -1;
}

bool glnn__tuning_can_store(glnn_context *ctx, glnn__tuning *tuning)
{
    if (!tuning->folder)
        return false;
    if (tuning->storing == GLNN__STORING_UNTRIED) {
        const int folder = lock(tuning);
        load(ctx, tuning); /* another process may have written it */
        store(ctx, tuning);
        glnn__folder_unlock(folder);
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

const char *glnn__tuning_put(glnn_context *ctx, glnn__tuning *tuning, const char *key,
                             const char *damaged, const char *value)
{
    char text[GLNN__TUNING_TEXT] = "";
    if (damaged)
        snprintf(text, sizeof text, "%s", damaged);
    forget_value(find(tuning, key));
    const int folder = lock(tuning);
    load(ctx, tuning); /* another process may have written it */
    glnn__tuning_line *line = find(tuning, key);
    if (damaged && line && line->value && strcmp(line->value, text) == 0)
        forget_value(line);
    add(tuning, key, value);
    if (tuning->folder)
        store(ctx, tuning);
    glnn__folder_unlock(folder);
    line = find(tuning, key);
    return line && line->value ? line->value : value;
}

/* Reads a positive number with three decimals, and returns the text after it; NULL: there is
 * none. */
static const char *read_speed(const char *text, double *speed)
{
    char *end;
    text += strspn(text, " ");
    if (*text < '0' || *text > '9') /* strtoull accepts signs */
        return NULL;
    const unsigned long long thousandths = strtoull(text, &end, 10);
    *speed = 1e-3 * (double)thousandths;
    return thousandths > 0 && thousandths < ULLONG_MAX ? end : NULL;
}

bool glnn__tuning_read(glnn_context *ctx, glnn__tuning *tuning, const char *key, double *speeds,
                       size_t count)
{
    double read[GLNN__TUNING_SPEEDS];
    const char *text = glnn__tuning_get(ctx, tuning, key);
    for (size_t i = 0; i < count && text; ++i)
        text = read_speed(text, &read[i]);
    if (!text || *text)
        return false;
    memcpy(speeds, read, count * sizeof *speeds);
    return true;
}

void glnn__tuning_write(glnn_context *ctx, glnn__tuning *tuning, const char *key, double *speeds,
                        size_t count)
{
    char text[GLNN__TUNING_TEXT];
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof text; ++i)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.0f", i ? " " : "",
                                 fmax(1e3 * speeds[i], 1));
    glnn__tuning_put(ctx, tuning, key, glnn__tuning_get(ctx, tuning, key), text);
    glnn__tuning_read(ctx, tuning, key, speeds, count);
}
