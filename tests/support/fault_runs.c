#include "fault_runs.h"

#include "support.h"

#include <stdio.h>

enum { MOST_PROBLEMS = 40 };

/* Statuses with which a call of each kind fails. */
static const unsigned statuses[FAULT_KINDS] = {
    [FAULT_MEMORY] = 1u << GLNN_E_NOMEM,
    [FAULT_OPENGL] =
        1u << GLNN_E_NOMEM | 1u << GLNN_E_GL | 1u << GLNN_E_SHADER | 1u << GLNN_E_UNSUPPORTED,
    [FAULT_FILE] = 1u << GLNN_E_IO,
};

/* The runs of a scenario with faults of one kind. */
typedef struct series {
    const fault_scenario *of;
    fault_kind kind;
    int calls, places, refused, survived, missed, problems;
} series;

__attribute__((format(printf, 3, 4))) static void complain(series *s, int call, const char *format,
                                                           ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (++s->problems <= MOST_PROBLEMS)
        print_error("%s, %s, fault %d: %s\n    %s\n", s->of->name, fault_kind_names[s->kind], call,
                    text, call < 0 ? "nothing failed" : faults_failed());
}

/* Sets a sentence that no call of a scenario gives. */
static void set_stale_sentence(void)
{
    glnn_status_from_name("a sentence from before", &(glnn_status){0});
}

static bool is_stale(const char *sentence)
{
    return !*sentence || strstr(sentence, "a sentence from before");
}

static void judge_failure(series *s, int call, glnn_status status)
{
    const fault_scenario *of = s->of;
    const unsigned allowed =
        statuses[s->kind] | (of->losing >> s->kind & 1 ? 1u << GLNN_E_STATE : 0);
    if (!(allowed >> status & 1))
        complain(s, call, "%s: %s", glnn_status_name(status), glnn_last_error());
    if (is_stale(glnn_last_error()))
        complain(s, call, "%s has no sentence", glnn_status_name(status));
    const char *wrong = of->find_damage ? of->find_damage() : NULL;
    if (wrong)
        complain(s, call, "after \"%s\": %s", glnn_last_error(), wrong);
    if (of->go_on) {
        wrong = of->go_on();
    } else if (of->call() != GLNN_OK) {
        wrong = glnn_last_error();
    } else {
        wrong = of->find_wrong ? of->find_wrong() : NULL;
    }
    if (wrong)
        complain(s, call, "does not go on: %s", wrong);
}

static void judge_success(series *s, int call)
{
    const char *wrong = s->of->find_wrong ? s->of->find_wrong() : NULL;
    if (wrong)
        complain(s, call, "GLNN_OK, but %s", wrong);
}

/* Runs the scenario with a fault, or with none to count the calls. */
static void run(series *s, int call, bool lasts)
{
    const int objects = faults_objects();
    set_stale_sentence();
    if (s->of->begin)
        s->of->begin();
    if (call < 0)
        faults_count(s->kind);
    else
        faults_arm(s->kind, call, lasts);
    const glnn_status status = s->of->call();
    const int seen = faults_end();
    if (call < 0) {
        s->calls = seen;
    } else {
        s->missed += seen == 0;
        s->survived += seen > 0 && status == GLNN_OK;
        s->refused += seen > 0 && status != GLNN_OK;
    }
    if (status == GLNN_OK)
        judge_success(s, call);
    else
        judge_failure(s, call, status);
    if (s->of->end)
        s->of->end();
    if (faults_kept() > s->of->keeps)
        complain(s, call, "%d allocations are left:%s", faults_kept(), faults_kept_text());
    if (faults_objects() != objects)
        complain(s, call, "%d objects of OpenGL are left:%s", faults_objects() - objects,
                 faults_objects_text());
    log_clear();
}

static series run_series(const fault_scenario *of, fault_kind kind)
{
    series s = {.of = of, .kind = kind};
    const bool takes_all = all_cases_are_run() && !of->is_sampled;
    run(&s, -1, false);
    for (int call = 0; call < s.calls; ++call) {
        s.places += faults_is_new_place(call);
        if (!takes_all && !faults_is_new_place(call))
            continue;
        run(&s, call, false);
        if (kind == FAULT_MEMORY && of->lasts)
            run(&s, call, true);
    }
    print_message("%s, %s: %d calls from %d places; %d faults reported, %d survived, %d missed\n",
                  of->name, fault_kind_names[kind], s.calls, s.places, s.refused, s.survived,
                  s.missed);
    return s;
}

static bool can_fail(const fault_scenario *of, fault_kind kind)
{
#ifdef OWN_ALLOCATOR
    if (kind == FAULT_MEMORY)
        return false;
#endif
    return !(of->without >> kind & 1);
}

void fault_scenario_run(const fault_scenario *of, int least)
{
    int calls = 0, problems = 0;
    for (fault_kind kind = 0; kind < FAULT_KINDS; ++kind) {
        if (!can_fail(of, kind))
            continue;
        const series done = run_series(of, kind);
        calls += done.calls;
        problems += done.problems;
    }
    if (problems > 0)
        fail_msg("%s: %d problems", of->name, problems);
#ifdef OWN_ALLOCATOR
    least = 0;
#endif
    if (calls < least)
        fail_msg("%s: only %d calls were seen", of->name, calls);
}

static glnn_status (*tried)(const char *path);
static const char *tried_path;

static glnn_status call_tried(void)
{
    return tried(tried_path);
}

void fault_try_each(glnn_status (*call)(const char *path), const char *path, int least)
{
    tried = call;
    tried_path = path;
    fault_scenario_run(&(fault_scenario){.name = path, .call = call_tried}, least);
}
