#include "user.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/trainer.h"

enum { MOST_LOOKS = 6000, LOOK_US = 20000, FRAME_US = 50000 };

static pid_t server, child;
static Display *display;
static Window window;
static size_t read_to; /* of the output */

/* A program draws as fast as it can while the user waits, so the waits are short. */
static void wait_a_moment(void)
{
    usleep(LOOK_US);
}

/* Frames of a program under test can take long, and each one sees the pointer once. */
static void let_a_frame_pass(void)
{
    XSync(display, False);
    usleep(3 * FRAME_US);
}

/* ---- Display */

static void start_server(int tell)
{
    char number[16];
    snprintf(number, sizeof number, "%d", tell);
    server = fork();
    if (server != 0)
        return;
    if (freopen("/dev/null", "w", stderr) == NULL)
        _exit(127);
    execlp("Xvfb", "Xvfb", "-displayfd", number, "-noreset", "-screen", "0", "1600x1200x24",
           "-nolisten", "tcp", (char *)NULL);
    _exit(127);
}

/* A window can vanish at any time. Without this the test program would end. */
static int ignore_error(Display *of, XErrorEvent *event)
{
    (void)of;
    (void)event;
    return 0;
}

int user_has_display(void **state)
{
    int ends[2], number = -1;
    char name[16];
    (void)state;
    if (pipe(ends) != 0)
        return 1;
    start_server(ends[1]);
    close(ends[1]);
    FILE *told = fdopen(ends[0], "r");
    const bool is_told = told != NULL && fscanf(told, "%d\n", &number) == 1;
    if (told != NULL)
        fclose(told);
    if (!is_told)
        return 1;
    snprintf(name, sizeof name, ":%d", number);
    setenv("DISPLAY", name, 1);
    unsetenv("WAYLAND_DISPLAY");
    display = XOpenDisplay(NULL);
    XSetErrorHandler(ignore_error);
    return display == NULL;
}

/* After a test that failed its program still runs. */
static void end_program(void)
{
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    child = 0;
}

int user_leaves_display(void **state)
{
    (void)state;
    end_program();
    if (display != NULL)
        XCloseDisplay(display);
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
    return 0;
}

/* ---- Program */

static bool belongs_to(Window candidate, pid_t process)
{
    Atom type;
    int format;
    unsigned long count = 0, left;
    unsigned char *value = NULL;
    const Atom property = XInternAtom(display, "_NET_WM_PID", False);
    if (XGetWindowProperty(display, candidate, property, 0, 1, False, XA_CARDINAL, &type, &format,
                           &count, &left, &value) != Success)
        return false;
    const bool is_its =
        count == 1 && *(const unsigned long *)(const void *)value == (unsigned long)process;
    if (value != NULL)
        XFree(value);
    return is_its;
}

static bool find_window(void)
{
    Window root, parent, *children = NULL;
    unsigned count = 0;
    XWindowAttributes now;
    if (!XQueryTree(display, DefaultRootWindow(display), &root, &parent, &children, &count))
        return false;
    for (unsigned i = 0; i < count && window == None; ++i)
        if (belongs_to(children[i], child) && XGetWindowAttributes(display, children[i], &now) &&
            now.map_state == IsViewable)
            window = children[i];
    if (children != NULL)
        XFree(children);
    return window != None;
}

static void check_that_it_runs(void)
{
    int status;
    if (waitpid(child, &status, WNOHANG) == 0)
        return;
    child = 0;
    read_text("said", said);
    fail_msg("the program has ended: %s", said);
}

/* GLFW gives the focus to a window that has just appeared. If there is no window manager, it does
 * so itself, and a window that is minimised before ends the program. */
static bool has_focus(void)
{
    Window focus;
    int reverts_to;
    XGetInputFocus(display, &focus, &reverts_to);
    return focus == window;
}

void user_starts(const char *arguments)
{
    char command[1024];
    const char *variables = getenv("GLNN_TEST_VARIABLES");
    snprintf(command, sizeof command, "%s exec '%s' %s >said 2>&1 </dev/null",
             variables ? variables : "", trainer_path(), arguments);
    end_program();
    read_to = 0;
    window = None;
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < MOST_LOOKS && !(find_window() && has_focus()); ++i) {
        check_that_it_runs();
        wait_a_moment();
    }
    assert_true(window != None && has_focus());
    XMoveWindow(display, window, 0, 0);
    XSync(display, False);
}

const char *user_reads(const char *text)
{
    for (int i = 0; i < MOST_LOOKS; ++i) {
        read_text("said", said);
        const char *found = strstr(said + read_to, text);
        if (found != NULL && strchr(found, '\n') != NULL) {
            read_to = (size_t)(found + strlen(text) - said);
            return said + read_to;
        }
        check_that_it_runs();
        wait_a_moment();
    }
    fail_msg("\"%s\" lacks \"%s\"", said + read_to, text);
    return NULL;
}

void user_sees_the_end(void)
{
    int status = 0;
    for (int i = 0; i < MOST_LOOKS && waitpid(child, &status, WNOHANG) == 0; ++i)
        wait_a_moment();
    child = 0;
    read_text("said", said);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("status %d: %s", status, said);
}

/* ---- Input */

void user_presses(const char *key)
{
    const KeyCode code = XKeysymToKeycode(display, XStringToKeysym(key));
    assert_true(code != 0);
    XSetInputFocus(display, window, RevertToPointerRoot, CurrentTime);
    XSync(display, False);
    XTestFakeKeyEvent(display, code, True, CurrentTime);
    XTestFakeKeyEvent(display, code, False, CurrentTime);
    XSync(display, False);
}

void user_drags(int x, int y, int to_x, int to_y)
{
    XTestFakeMotionEvent(display, -1, x, y, CurrentTime);
    let_a_frame_pass();
    XTestFakeButtonEvent(display, 1, True, CurrentTime);
    let_a_frame_pass();
    XTestFakeMotionEvent(display, -1, to_x, to_y, CurrentTime);
    let_a_frame_pass();
    XTestFakeButtonEvent(display, 1, False, CurrentTime);
    let_a_frame_pass();
}

void user_clicks(int x, int y)
{
    user_drags(x, y, x, y);
}

void user_resizes(int width, int height)
{
    XResizeWindow(display, window, (unsigned)width, (unsigned)height);
    let_a_frame_pass();
}

/* Does what a window manager does (ICCCM 4.1.4); this display has none. */
static void set_state(int value)
{
    const Atom property = XInternAtom(display, "WM_STATE", False);
    const long state[] = {value, None};
    XChangeProperty(display, window, property, property, 32, PropModeReplace,
                    (const unsigned char *)state, 2);
    if (value == IconicState)
        XUnmapWindow(display, window);
    else
        XMapWindow(display, window);
    let_a_frame_pass();
}

void user_minimises(void)
{
    set_state(IconicState);
}

void user_restores(void)
{
    set_state(NormalState);
}

void user_looks_away(void)
{
    XSetInputFocus(display, None, RevertToNone, CurrentTime);
    let_a_frame_pass();
}

float *user_sees(int *width, int *height)
{
    XWindowAttributes now;
    assert_true(XGetWindowAttributes(display, window, &now));
    XImage *image = XGetImage(display, window, 0, 0, (unsigned)now.width, (unsigned)now.height,
                              AllPlanes, ZPixmap);
    assert_non_null(image);
    const size_t pixels = (size_t)now.width * (size_t)now.height;
    float *planes = malloc(3 * pixels * sizeof *planes);
    assert_non_null(planes);
    for (size_t i = 0; i < pixels; ++i) {
        const unsigned long pixel =
            XGetPixel(image, (int)(i % (size_t)now.width), (int)(i / (size_t)now.width));
        for (int plane = 0; plane < 3; ++plane)
            planes[(size_t)plane * pixels + i] = (float)(pixel >> (16 - 8 * plane) & 255) / 255.0f;
    }
    XDestroyImage(image);
    *width = now.width;
    *height = now.height;
    return planes;
}

static bool has_two_colours(void)
{
    int width, height;
    bool found = false;
    float *planes = user_sees(&width, &height);
    for (int i = 0; i < 3 * width * height; ++i)
        found = found || planes[i] != planes[i - i % (width * height)];
    free(planes);
    return found;
}

static int count_changes(const float *before)
{
    int width, height, count = 0;
    float *now = user_sees(&width, &height);
    for (int i = 0; i < width * height; ++i)
        count += now[i] != before[i];
    free(now);
    return count;
}

void user_sees_changes(float *before, int least)
{
    int count = count_changes(before);
    for (int i = 0; i < MOST_LOOKS && count < least; ++i) {
        wait_a_moment();
        count = count_changes(before);
    }
    free(before);
    if (count < least)
        fail_msg("%d pixels differ, not %d", count, least);
}

void user_sees_a_picture(void)
{
    for (int i = 0; i < MOST_LOOKS && !has_two_colours(); ++i)
        wait_a_moment();
    assert_true(has_two_colours());
}

void user_closes(void)
{
    XEvent event = {.xclient = {.type = ClientMessage,
                                .window = window,
                                .message_type = XInternAtom(display, "WM_PROTOCOLS", False),
                                .format = 32}};
    event.xclient.data.l[0] = (long)XInternAtom(display, "WM_DELETE_WINDOW", False);
    XSendEvent(display, window, False, NoEventMask, &event);
    XSync(display, False);
}
