#include "pass/tuning.h"

#include "base/file.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/disk_cache.h"
#include "pass/program.h"
#include "pass/speed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A variant that is no faster than this is not worth another program. */
#define WORTH_IT 1.1

static const char *const words[GLNN__FETCHING_COUNT] = {"texels", "samples"};

/* The file is the driver's: its name is a hash over the driver's names and the library's version. */
static void file_path(const glnn_context *ctx, const glnn__programs *programs, char *path,
                      size_t size)
{
    const char *version = glnn_version();
    const glnn__cache_key key = glnn__disk_cache_key(ctx, version, strlen(version));
    snprintf(path, size, "%s/%016llx.tuning", programs->cache_dir, (unsigned long long)key.low);
}

/* "fragment tiled samples" */
static void read_line(glnn__programs *programs, const char *line)
{
    char stage[16], layout[16], word[16];
    if (sscanf(line, "%15s %15s %15s", stage, layout, word) != 3)
        return;
    for (int s = 0; s < GLNN_STAGE_AUTO; ++s)
        for (int l = 0; l < GLNN_LAYOUT_COUNT; ++l)
            if (strcmp(stage, glnn_stage_name((glnn_stage)s)) == 0 &&
                strcmp(layout, glnn_layout_name((glnn_layout)l)) == 0)
                for (int f = 0; f < GLNN__FETCHING_COUNT; ++f)
                    if (strcmp(word, words[f]) == 0)
                        programs->choices[s][l] = (glnn__choice){true, (glnn__fetching)f};
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
    for (char *line = strtok((char *)text, "\n"); line; line = strtok(NULL, "\n"))
        read_line(programs, line);
    free(text);
}

static void store(const glnn_context *ctx, const glnn__programs *programs)
{
    char path[4096], text[1024] = "";
    size_t used = 0;
    if (!programs->cache_dir)
        return;
    for (int s = 0; s < GLNN_STAGE_AUTO; ++s)
        for (int l = 0; l < GLNN_LAYOUT_COUNT; ++l)
            if (programs->choices[s][l].is_known)
                used += (size_t)snprintf(
                    text + used, sizeof text - used, "%s %s %s\n", glnn_stage_name((glnn_stage)s),
                    glnn_layout_name((glnn_layout)l), words[programs->choices[s][l].fetching]);
    file_path(ctx, programs, path, sizeof path);
    if (glnn__file_replace(path, &(glnn__span){text, used}, 1) != GLNN_OK)
        glnn__log(GLNN_LOG_INFO, "what was measured is not kept: %s", glnn_last_error());
}

static glnn_status measure(glnn_context *ctx, glnn_layout layout, glnn__choice *choice)
{
    double best = 0;
    for (int f = 0; f < GLNN__FETCHING_COUNT; ++f) {
        const glnn__fetching fetching = (glnn__fetching)f;
        double speed = 0;
        GLNN__TRY(glnn__speed_measure(ctx, ctx->info.stage, layout, fetching, &speed));
        glnn__log(GLNN_LOG_INFO, "%s stage, %s, operands read by %s: %.1f GFLOP/s",
                  glnn_stage_name(ctx->info.stage), glnn_layout_name(layout), words[f],
                  2e-6 * speed);
        if (f > 0 && speed <= WORTH_IT * best)
            continue;
        best = speed;
        *choice = (glnn__choice){true, fetching};
    }
    return GLNN_OK;
}

glnn_status glnn__tuning_fetching(glnn_context *ctx, glnn_layout layout, glnn__fetching *fetching)
{
    glnn__programs *programs;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    if (!programs->tuning_loaded)
        load(ctx, programs);
    glnn__choice *choice = &programs->choices[ctx->info.stage][layout];
    if (!choice->is_known && programs->tunes) {
        GLNN__TRY(measure(ctx, layout, choice));
        store(ctx, programs);
    }
    *fetching = choice->fetching;
    return GLNN_OK;
}
