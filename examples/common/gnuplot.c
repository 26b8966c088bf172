#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"
#include "folder.h"

extern char **environ;

FILE *gnuplot_open(const char *folder, const char *name)
{
    char path[PATH_CAPACITY];
    FILE *file = path_join(path, folder, name) ? fopen(path, "w") : NULL;
    if (file == NULL)
        refuse("cannot write %s in %s: %s", name, folder, strerror(errno));
    return file;
}

bool gnuplot_close(FILE *file, const char *folder, const char *name)
{
    const bool written = ferror(file) == 0;
    return (fclose(file) == 0 && written) ||
           refuse("cannot write %s in %s: %s", name, folder, strerror(errno));
}

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
        fprintf(script, "set output '%s'\n", picture);
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

/* The script names its files relative to the folder, so gnuplot changes into it first. */
static bool load_script(const char *folder, const char *name)
{
    /* A gnuplot that ends early must not end this program by SIGPIPE. */
    void (*former)(int) = signal(SIGPIPE, SIG_IGN);
    FILE *gnuplot = popen("gnuplot", "w");
    if (gnuplot != NULL) {
        fputs("cd ", gnuplot);
        gnuplot_quote(gnuplot, '\'', folder);
        fprintf(gnuplot, "\nload '%s'\n", name);
    }
    const int result = gnuplot ? pclose(gnuplot) : -1;
    signal(SIGPIPE, former);
    return result == 0 || refuse("gnuplot failed on %s in %s", name, folder);
}

bool gnuplot_is_installed(void)
{
    return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

bool gnuplot_run(FILE *script, const char *folder, const char *name)
{
    if (!gnuplot_close(script, folder, name))
        return false;
    if (gnuplot_is_installed())
        return load_script(folder, name);
    printf("note: gnuplot is not installed, so %s/%s was written but not drawn; Debian's package "
           "is gnuplot-nox\n",
           folder, name);
    return true;
}

/* No name is part of the script, so none can be taken for a command. */
bool gnuplot_draw(FILE *script, const char *picture)
{
    char name[] = "gnuplot", *const arguments[] = {name, NULL};
    posix_spawn_file_actions_t files;
    pid_t process;
    int result = -1;
    rewind(script);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, picture, O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    if (posix_spawnp(&process, name, &files, NULL, arguments, environ) == 0)
        waitpid(process, &result, 0);
    posix_spawn_file_actions_destroy(&files);
    fclose(script);
    return result == 0 || refuse("gnuplot failed to draw %s", picture);
}
