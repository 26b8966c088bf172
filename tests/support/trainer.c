#include "trainer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../../examples/common/folder.h"
#include "../../examples/common/random.h"

char said[TEXT_CAPACITY];

const char *const tree_kinds[3] = {"red oak", "elm, white", "ash"};

static char program[PATH_CAPACITY];
static char launched_by[256];

int trainer_find(const char *name)
{
    static char build[PATH_CAPACITY];
    const char *given = getenv("GLNN_TEST_BUILD");
    char path[PATH_CAPACITY], folder[PATH_CAPACITY];
    /* Tests that change between programs do so from within folders of their own. */
    if (build[0] == '\0' && !realpath(given ? given : "build", build))
        return 1;
    if (path_join(folder, build, "examples") && path_join(path, folder, name) &&
        realpath(path, program))
        return 0;
    fprintf(stderr, "there is no program %s\n", path);
    return 1;
}

const char *trainer_path(void)
{
    return program;
}

void read_text(const char *path, char text[TEXT_CAPACITY])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, TEXT_CAPACITY - 1, file)] = '\0';
    fclose(file);
}

void trainer_launch_by(const char *launcher)
{
    snprintf(launched_by, sizeof launched_by, "%s", launcher);
}

int trainer_run(const char *arguments)
{
    char command[PATH_CAPACITY + 1024];
    const char *variables = getenv("GLNN_TEST_VARIABLES");
    snprintf(command, sizeof command, "%s %s '%s' %s >said 2>&1 </dev/null",
             variables ? variables : "", launched_by, program, arguments);
    int status = system(command);
    read_text("said", said);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void does(const char *arguments)
{
    if (trainer_run(arguments) != 0)
        fail_msg("%s: %s", arguments, said);
    if (strstr(said, "nan") != NULL || strstr(said, "inf ") != NULL)
        fail_msg("%s gives a text that is not a number: %s", arguments, said);
}

void fails(const char *arguments, const char *part, const char *other)
{
    int status = trainer_run(arguments);
    if (status != 1)
        fail_msg("%s: status %d: %s", arguments, status, said);
    const char *sentence = strstr(said, "error: ");
    if (sentence == NULL || strstr(sentence, part) == NULL || strstr(sentence, other) == NULL)
        fail_msg("%s: \"%s\" lacks \"%s\" or \"%s\"", arguments, said, part, other);
}

void refuses(const char *arguments, const char *part, const char *other)
{
    int status = trainer_run(arguments);
    if (status != 2)
        fail_msg("%s: status %d: %s", arguments, status, said);
    if (strstr(said, part) == NULL || strstr(said, other) == NULL)
        fail_msg("%s: \"%s\" lacks \"%s\" or \"%s\"", arguments, said, part, other);
}

double printed(const char *word)
{
    const char *at = strstr(said, word);
    if (at == NULL)
        fail_msg("\"%s\" lacks \"%s\"", said, word);
    return strtod(at + strlen(word), NULL);
}

int count_lines(const char *path)
{
    char text[TEXT_CAPACITY];
    int lines = 0;
    read_text(path, text);
    for (const char *c = text; *c; ++c)
        lines += *c == '\n';
    return lines;
}

void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A point near the place of its class. */
static double coordinate(uint64_t *state, int class, int feature)
{
    double place = feature == 0 ? 4.0 * class : 4.0 * (class % 2);
    return place + random_below(state, 2000) / 1000.0 - 1.0;
}

void write_trees(const char *path, int each, uint64_t seed)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("height,width,constant,kind\n", file);
    for (int i = 0; i < 3 * each; ++i) {
        double height = coordinate(&seed, i % 3, 0), width = coordinate(&seed, i % 3, 1);
        fprintf(file, "%.3f,%.3f,7,\"%s\"\n", height, width, tree_kinds[i % 3]);
    }
    assert_int_equal(fclose(file), 0);
}
