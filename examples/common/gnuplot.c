#include "gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"
#include "folder.h"

extern char **environ;

/* A variable of gnuplot: a script that finds it draws to standard output. */
#define TO_STANDARD_OUTPUT "to_standard_output"

void gnuplot_begin(FILE *script, int width, int height, int points, const char *picture)
{
    fprintf(script,
            "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
            "    set terminal pngcairo size %d,%d font 'DejaVu Sans,%d'\n"
            "} else {\n"
            "    set terminal png size %d,%d font 'DejaVuSans,%d'\n"
            "}\n"
            "set datafile separator comma\n",
            width, height, points, width, height, points);
    if (picture)
        fprintf(script, "if (!exists('" TO_STANDARD_OUTPUT "')) set output '%s'\n", picture);
}

void gnuplot_quote(FILE *file, char quote, const char *text)
{
    fputc(quote, file);
    for (; *text; ++text) {
        if (*text == quote)
            fputc(quote, file);
        fputc(*text, file);
    }
    fputc(quote, file);
}

void gnuplot_class(FILE *file, char *const *names, int class)
{
    if (names)
        gnuplot_quote(file, '"', names[class]);
    else
        fprintf(file, "%d", class);
}

/* Whether names side by side would touch each other. */
static bool are_long(int classes, int step, char *const *names)
{
    enum { LINE = 70 };
    size_t longest = names ? 0 : (size_t)snprintf(NULL, 0, "%d", classes);
    for (int i = 0; names && i < classes; ++i)
        longest = strlen(names[i]) > longest ? strlen(names[i]) : longest;
    return (longest + 1) * (size_t)(classes / step) > LINE;
}

void gnuplot_tics(FILE *script, char axis, int classes, int step, char *const *names)
{
    fprintf(script, "set %ctics scale 0 noenhanced%s font ',%d' ", axis,
            axis == 'x' && are_long(classes, step, names) ? " rotate by 90 right" : "",
            classes / step > 30 ? 10 : 13);
    if (names == NULL)
        fprintf(script, "0,%d", step);
    for (int i = 0; names && i < classes; i += step) {
        fputs(i ? ", " : "(", script);
        gnuplot_quote(script, '\'', names[i]);
        fprintf(script, " %d%s", i, i + step >= classes ? ")" : "");
    }
    fputc('\n', script);
}

bool gnuplot_is_installed(void)
{
    return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

/* The script names its files relative to the folder, so gnuplot changes into it first. */
static bool load_script(const char *folder, const char *name, const char *picture)
{
    char path[PATH_CAPACITY];
    FILE *commands = path_join(path, folder, picture) ? gnuplot_script() : NULL;
    if (commands == NULL)
        return false;
    fputs(TO_STANDARD_OUTPUT " = 1\ncd ", commands);
    gnuplot_quote(commands, '\'', folder);
    fprintf(commands, "\nload '%s'\n", name);
    return gnuplot_draw(commands, path);
}

bool gnuplot_run(whole_file *script, const char *folder, const char *name, const char *picture)
{
    if (!whole_file_close(script))
        return false;
    if (gnuplot_is_installed())
        return load_script(folder, name, picture);
    printf("note: gnuplot is not installed, so %s/%s was written but not drawn; Debian's package "
           "is gnuplot-nox\n",
           folder, name);
    return true;
}

FILE *gnuplot_script(void)
{
    FILE *script = tmpfile();
    if (script == NULL)
        refuse("cannot write a script for gnuplot: %s", strerror(errno));
    return script;
}

/* Starts gnuplot, which reads the script and writes to ends[1] of a pipe. No name is part of the
 * script, so none can be taken for a command. */
static bool start(FILE *script, const int ends[2], pid_t *process)
{
    char name[] = "gnuplot", *const arguments[] = {name, NULL};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&files, ends[0]);
    const bool done = posix_spawnp(process, name, &files, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    return done;
}

/* Copies all that comes from the pipe, also if the file cannot be written, so that gnuplot ends. */
static void copy(int from, FILE *to)
{
    char bytes[1 << 14];
    for (ssize_t got = 1; got > 0;) {
        got = read(from, bytes, sizeof bytes);
        if (got > 0)
            fwrite(bytes, 1, (size_t)got, to);
    }
}

/* gnuplot does not tell whether it could write a picture, so this program writes it. */
static bool draw(FILE *script, whole_file *picture)
{
    int ends[2], result = -1;
    pid_t process;
    if (pipe(ends) != 0)
        return false;
    const bool is_started = start(script, ends, &process);
    close(ends[1]);
    if (is_started) {
        copy(ends[0], picture->stream);
        waitpid(process, &result, 0);
    }
    close(ends[0]);
    return result == 0;
}

bool gnuplot_draw(FILE *script, const char *picture)
{
    whole_file file;
    bool done = (fflush(script) == 0 && !ferror(script)) ||
                refuse("cannot write a script for gnuplot: %s", strerror(errno));
    rewind(script);
    if (done && (done = whole_file_open(picture, &file))) {
        done = draw(script, &file);
        if (done) {
            done = whole_file_close(&file);
        } else {
            whole_file_discard(&file);
            refuse("gnuplot failed to draw %s", picture);
        }
    }
    fclose(script);
    return done;
}
