#include "hosts.h"

#include "guest.h"
#include "guest_work.h"
#include "odd_state.h"

/* The triangle covers one corner and leaves the opposite one. */
static void check_picture(const picture *drawn)
{
    static const unsigned char ground[] = {51, 102, 153, 255};
    assert_memory_equal(drawn->pixels[SCENE_PIXELS - 1], ground, sizeof ground);
    assert_memory_not_equal(drawn->pixels[SCENE_SIDE + 1], ground, sizeof ground);
}

static void expect_same_picture(const host_functions *gl, const picture *before)
{
    const picture now = scene_draw(gl);
    assert_memory_equal(&now, before, sizeof now);
}

/* Calls alone, and in pairs of both guests that overlap. */
static void work_as_two_guests(glnn_context *const guests[2])
{
    compute_something(guests[0]);
    expect_ok(glnn_context_begin(guests[0]));
    expect_ok(glnn_context_begin(guests[1]));
    compute_something(guests[0]);
    train_something(guests[1]);
    expect_ok(glnn_context_end(guests[0]));
    compute_something(guests[1]);
    expect_ok(glnn_context_end(guests[1]));
}

static void check_open_host(const host_functions *gl)
{
    glnn_context *guests[2] = {NULL};
    scene_prepare(gl);
    scene_draw(gl); /* after a former context, NVIDIA's driver 580 ignores the first glReadPixels */
    const picture drawn = scene_draw(gl);
    check_picture(&drawn);
    for (int i = 0; i < 2; ++i)
        expect_ok(adopt_current(&guests[i]));
    expect_same_picture(gl, &drawn);
    work_as_two_guests(guests);
    expect_same_picture(gl, &drawn);
    set_odd_state();
    snapshot *before = snapshot_take();
    work_as_two_guests(guests);
    snapshot_check(before);
    for (int i = 0; i < 2; ++i)
        glnn_context_destroy(guests[i]);
    snapshot_check(before);
    snapshot_free(before);
    leave_odd_state();
}

void check_host(const host_program *program)
{
    for (int compatibility = 0; compatibility < 2; ++compatibility) {
        bool refused = false;
        for (int minor = 3; minor <= 6; ++minor) {
            char why[256] = "";
            const bool opened = program->open(minor, compatibility, why);
            print_message("%s, OpenGL 4.%d, %s: %s%s\n", program->name, minor,
                          compatibility ? "compatibility" : "core",
                          opened ? "works" : "refused by the system: ", why);
            assert_true(opened ? !refused : minor > 3);
            refused = !opened;
            if (refused)
                continue;
            check_open_host(program->load());
            program->close();
        }
    }
}
