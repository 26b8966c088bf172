#include "ranks.h"

#include "base/clock.h"

#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

void part_assert(bool condition, const char *text, const char *file, int line)
{
    if (condition)
        return;
    fprintf(stderr, "%s:%d: not true: %s\n", file, line, text);
    exit(3);
}

void part_ok(const glnn_messenger *with, glnn_status status, const char *file, int line)
{
    if (status == GLNN_OK)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, glnn_status_name(status),
            with->get_error(with->user));
    exit(3);
}

/* One call of write adds the whole line, whatever the other ranks do. */
void part_report(const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const int file = open(getenv("PART_REPORTS"), O_WRONLY | O_APPEND);
    if (length < 0 || (size_t)length >= sizeof line || write(file, line, (size_t)length) != length)
        abort();
    close(file);
}

#ifdef __SANITIZE_ADDRESS__
void __lsan_disable(void);
void __lsan_enable(void);
void __lsan_do_leak_check(void);

/* MPI loads plugins when it begins, and unloads them at once or at its end. Leaks of theirs then
 * have no name by which they could be told from ours. So MPI begins without the sanitizer, and
 * leaks are looked for before its end. */
static void begin_mpi(void)
{
    __lsan_disable();
    glnn_mpi_destroy(part_join(NULL));
    __lsan_enable();
}

static void check_leaks(void)
{
    __lsan_do_leak_check();
}
#else
static void begin_mpi(void)
{
}

static void check_leaks(void)
{
}
#endif

/* A copy of the next name of a list that commas separate; NULL after the last one. */
static const char *next_name(const char **list)
{
    static char name[64];
    const size_t length = strcspn(*list, ",");
    if (length == 0)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return name;
}

static const part *find_part(const part *parts, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    return NULL;
}

int run_part(const part *parts, size_t count, const char *names)
{
    begin_mpi();
    for (const char *name; (name = next_name(&names));) {
        const part *found = find_part(parts, count, name);
        if (!found) {
            fprintf(stderr, "there is no part '%s'\n", name);
            return EXIT_FAILURE;
        }
        found->run();
    }
    check_leaks();
    return EXIT_SUCCESS;
}

void ranks_environment(void)
{
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    /* Of Open MPI up to 4, and from 5 on. */
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1);
    setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
    setenv("PRTE_MCA_hwloc_default_binding_policy", "none", 1);
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
    /* The ranks are on one host, whose networks Open MPI may have warnings about. To look for those
     * of libfabric takes each rank longer than all else of its start. */
    setenv("OMPI_MCA_pml", "ob1", 1);
    setenv("OMPI_MCA_btl", "^tcp,ofi", 1);
    setenv("OMPI_MCA_btl_base_warn_component_unused", "0", 1);
    /* hwloc asks an X server for graphics cards, and the ranks end with it. */
    unsetenv("DISPLAY");
}

static bool recovers;

void ranks_set_recovery(bool on)
{
    recovers = on;
}

static pid_t start(char *const *command, int output)
{
    const pid_t child = fork();
    if (child)
        return child;
    ranks_environment();
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execvp(command[0], command);
    _exit(127);
}

pid_t ranks_start(const char *part_name, int ranks, int output)
{
    char program[4096] = "", name[256], count[16];
    char *ending[] = {"mpirun", "-n", count, program, name, NULL};
    char *recovering[] = {"mpirun", "--enable-recovery", "-n", count, program, name, NULL};
    assert_true(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    snprintf(name, sizeof name, "%s", part_name);
    snprintf(count, sizeof count, "%d", ranks);
    const pid_t launcher = start(recovers ? recovering : ending, output);
    assert_true(launcher > 0);
    return launcher;
}

int ranks_find(pid_t launcher, pid_t *ranks, int most)
{
    int count = 0;
    glob_t files;
    assert_int_equal(glob("/proc/[0-9]*/stat", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc && count < most; ++i) {
        FILE *file = fopen(files.gl_pathv[i], "r");
        char state;
        int process, of;
        if (file && fscanf(file, "%d (%*[^)]) %c %d", &process, &state, &of) == 3 &&
            of == launcher && state != 'Z')
            ranks[count++] = process;
        if (file)
            fclose(file);
    }
    globfree(&files);
    return count;
}

/* Most seconds until the first rank runs, and between the end of the last one and that of the
 * launcher. */
enum { START_PATIENCE = 20, END_PATIENCE = 3 };

/* Collects the text until the launcher closes its side, for at most so long. Returns whether it
 * did. With recovery, the launcher of Open MPI sometimes does not end after the last rank, because
 * it waits for a lock of its own. It is killed then. */
static bool collect(pid_t launcher, int input, run_of_ranks *run, double seconds)
{
    size_t length = 0;
    const double begin = glnn__clock_seconds();
    double last = begin;
    pid_t running;
    bool has_begun = false;
    for (double now = last; now < begin + seconds; now = glnn__clock_seconds()) {
        struct pollfd wait = {.fd = input, .events = POLLIN};
        if (poll(&wait, 1, 100) <= 0) {
            if (!recovers || ranks_find(launcher, &running, 1) > 0) {
                has_begun = true;
                last = now;
            }
            if (now - last > (has_begun ? END_PATIENCE : START_PATIENCE))
                kill(launcher, SIGKILL);
            continue;
        }
        const ssize_t got = read(input, run->text + length, sizeof run->text - 1 - length);
        run->seconds = last - begin;
        if (got <= 0)
            return true;
        length += (size_t)got;
        last = now;
    }
    return false;
}

/* Adds the reports of the ranks to the text. */
static void add_reports(int file, run_of_ranks *run)
{
    const size_t length = strlen(run->text);
    lseek(file, 0, SEEK_SET);
    assert_true(read(file, run->text + length, sizeof run->text - 1 - length) >= 0);
    close(file);
}

run_of_ranks run_ranks(const char *part_name, int ranks, double seconds)
{
    run_of_ranks run = {.status = -1};
    const char *folder = getenv("TMPDIR");
    char reports[4096];
    snprintf(reports, sizeof reports, "%s/glnn-reports-XXXXXX", folder ? folder : "/tmp");
    const int file = mkstemp(reports);
    int ends[2], status = 0;
    assert_true(file >= 0 && setenv("PART_REPORTS", reports, 1) == 0);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = ranks_start(part_name, ranks, ends[1]);
    close(ends[1]);
    const bool ended = collect(child, ends[0], &run, seconds);
    close(ends[0]);
    if (!ended)
        kill(child, SIGTERM);
    waitpid(child, &status, 0);
    add_reports(file, &run);
    unlink(reports);
    if (ended)
        run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return run;
}

void ranks_set_way(ranks_way way)
{
    char text[16];
    snprintf(text, sizeof text, "%d", (int)way);
    setenv("PART_WAY", text, 1);
}

run_of_ranks run_part_well(const char *part_name, ranks_way way, int ranks)
{
    ranks_set_way(way);
    const run_of_ranks run = run_ranks(part_name, ranks, 120);
    ranks_set_way(RANKS_MEMORY);
    if (run.status != 0)
        fail_msg("%s with %d ranks in way %d: status %d\n%s", part_name, ranks, (int)way,
                 run.status, run.text);
    return run;
}

const char *parts_of_ways, *parts_with_bits;

static const struct {
    ranks_way way;
    int ranks;
} kinds[] = {{RANKS_MEMORY, 1},   {RANKS_MEMORY, 2}, {RANKS_MEMORY, 3}, {RANKS_MESSAGES, 2},
             {RANKS_MESSAGES, 3}, {RANKS_HOSTS, 3},  {RANKS_HOSTS, 4}};

void for_each_way(const char *part_name, part_expectation *expect)
{
    for (size_t i = 0; i < COUNT_OF(kinds); ++i)
        expect(part_name, kinds[i].way, kinds[i].ranks);
}

/* To start processes takes longer than most parts. So the first part that is asked for brings all
 * others with it; if one of them fails, each runs alone. `turn` is 1 for a second run, of those
 * that print bits. */
static const run_of_ranks *run_together(ranks_way way, int ranks, int turn)
{
    static run_of_ranks runs[COUNT_OF(kinds)][2];
    static bool has_run[COUNT_OF(kinds)][2];
    size_t i = 0;
    while (i < COUNT_OF(kinds) && (kinds[i].way != way || kinds[i].ranks != ranks))
        ++i;
    if (i == COUNT_OF(kinds) || !parts_of_ways)
        return NULL;
    if (!has_run[i][turn]) {
        ranks_set_way(way);
        runs[i][turn] = run_ranks(turn ? parts_with_bits : parts_of_ways, ranks, 120);
        ranks_set_way(RANKS_MEMORY);
        has_run[i][turn] = true;
    }
    return runs[i][turn].status == 0 ? &runs[i][turn] : NULL;
}

static bool is_of_ways(const char *part_name)
{
    return parts_of_ways && strstr(parts_of_ways, part_name);
}

void expect_part(const char *part_name, ranks_way way, int ranks)
{
    if (!is_of_ways(part_name) || !run_together(way, ranks, 0))
        run_part_well(part_name, way, ranks);
}

void expect_equal_runs(const char *part_name, ranks_way way, int ranks)
{
    const run_of_ranks *first = run_together(way, ranks, 0);
    const run_of_ranks *second = way == RANKS_MEMORY ? first : run_together(way, ranks, 1);
    if (first && second && strstr(first->text, "bits ") && strcmp(first->text, second->text) == 0)
        return;
    const run_of_ranks alone = run_part_well(part_name, way, ranks);
    assert_non_null(strstr(alone.text, "bits "));
    if (way != RANKS_MEMORY)
        assert_string_equal(alone.text, run_part_well(part_name, way, ranks).text);
}

ranks_way part_way(void)
{
    const char *way = getenv("PART_WAY");
    return way ? (ranks_way)atoi(way) : RANKS_MEMORY;
}

/* Of libglnn-mpi; see dist/members.h, which needs a header of MPI. */
extern int glnn__mpi_most_of_host;

glnn_mpi *part_join(const glnn_mpi_desc *desc)
{
    glnn_mpi_desc with = desc ? *desc : (glnn_mpi_desc){0};
    glnn_mpi *mpi = NULL;
    with.messages_only |= part_way() == RANKS_MESSAGES;
    glnn__mpi_most_of_host = part_way() == RANKS_HOSTS ? 2 : 0;
    if (glnn_mpi_create(&with, &mpi)) {
        fprintf(stderr, "%s\n", glnn_last_error());
        exit(3);
    }
    return mpi;
}
