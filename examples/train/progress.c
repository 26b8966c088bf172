#include "progress.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "common/failure.h"

enum { LINE_CAPACITY = 512, USUAL_WIDTH = 80, BAR = 20, BAR_CAPACITY = BAR + 4 };

static const double TERMINAL_INTERVAL = 0.1, PLAIN_INTERVAL = 10.0;

static volatile sig_atomic_t was_interrupted;

static void note_interrupt(int number)
{
    was_interrupted = 1;
    signal(number, SIG_DFL);
}

void interrupt_watch(void)
{
    signal(SIGINT, note_interrupt);
}

bool interrupted(void)
{
    return was_interrupted != 0;
}

int program_status(void)
{
    enum { INTERRUPTED = 128 + SIGINT };
    const int status = output_status();
    return status == EXIT_SUCCESS && interrupted() ? INTERRUPTED : status;
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Columns of a line. The last one stays empty, because some terminals wrap when it is written. */
static int line_width(const progress *line)
{
    struct winsize size;
    if (!line->terminal)
        return LINE_CAPACITY - 1;
    if (ioctl(fileno(line->out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH - 1;
    return size.ws_col < LINE_CAPACITY ? size.ws_col - 1 : LINE_CAPACITY - 1;
}

static void describe_left(double seconds, char *text, size_t size)
{
    long left = (long)(seconds + 0.5);
    if (left >= 3600)
        snprintf(text, size, "%ld:%02ld:%02ld", left / 3600, left / 60 % 60, left % 60);
    else
        snprintf(text, size, "%ld:%02ld", left / 60, left % 60);
}

void progress_start(progress *line, FILE *out)
{
    double now = seconds_now();
    *line = (progress){.out = out, .terminal = isatty(fileno(out)) != 0};
    /* A terminal shows the first figures at once, a log after the usual interval. */
    line->shown = line->terminal ? now - TERMINAL_INTERVAL : now;
}

void progress_restart(progress *line)
{
    line->is_steady = false;
}

static void begin_steady(progress *line, double now, double done)
{
    if (line->is_steady)
        return;
    line->is_steady = true;
    line->since = now;
    line->done_by = done;
}

/* Spaces erase the rest of a longer line, so no control codes of a terminal are needed. */
static void replace_line(progress *line, const char *text)
{
    char buffer[2 * LINE_CAPACITY];
    int columns = (int)strlen(text);
    int rest = line->columns > columns ? line->columns - columns : 0;
    snprintf(buffer, sizeof buffer, "\r%s%*s\r", text, rest, "");
    fputs(buffer, line->out);
    fflush(line->out);
    line->columns = columns;
}

static void draw_bar(double done, char bar[BAR_CAPACITY])
{
    int full = (int)(done * BAR);
    memset(bar, ' ', BAR_CAPACITY);
    bar[0] = '[';
    memset(bar + 1, '=', (size_t)full);
    bar[BAR + 1] = ']';
    bar[BAR_CAPACITY - 1] = '\0';
}

/* "[====      ]  40 %  0:12 left", or only "at most 0:12 left". */
static void describe_progress(const progress *line, double now, double done, int room, char *text,
                              size_t size)
{
    char left[32], bar[BAR_CAPACITY] = "";
    done = done < 0.0 ? 0.0 : done > 1.0 ? 1.0 : done;
    if (done > line->done_by)
        describe_left((now - line->since) * (1.0 - done) / (done - line->done_by), left,
                      sizeof left);
    else
        snprintf(left, sizeof left, "?");
    if (line->may_end_early) {
        snprintf(text, size, "at most %s left", left);
        return;
    }
    if (line->terminal && BAR_CAPACITY + 20 <= room)
        draw_bar(done, bar);
    snprintf(text, size, "%s%3.0f %%  %s left", bar, 100.0 * done, left);
}

void progress_show(progress *line, double done, const char *format, ...)
{
    char text[LINE_CAPACITY], whole[LINE_CAPACITY], share[64 + BAR_CAPACITY];
    double now = seconds_now();
    begin_steady(line, now, done);
    if (now - line->shown < (line->terminal ? TERMINAL_INTERVAL : PLAIN_INTERVAL))
        return;
    line->shown = now;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const int width = line_width(line);
    describe_progress(line, now, done, width - (int)strlen(text), share, sizeof share);
    snprintf(whole, sizeof whole, "%s  %.400s", share, text);
    whole[width] = '\0';
    if (line->terminal)
        replace_line(line, whole);
    else
        fprintf(line->out, "%s\n", whole), fflush(line->out);
}

void progress_clear(progress *line)
{
    if (line->terminal && line->columns > 0)
        replace_line(line, "");
}
