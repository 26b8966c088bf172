/* Hosts that open their contexts and load the functions of OpenGL by themselves, each in its own
 * way, and what must be true of the library as the guest of any of them. */
#ifndef TESTS_HOSTS_H
#define TESTS_HOSTS_H

#include <stdbool.h>

enum { SCENE_SIDE = 16, SCENE_PIXELS = SCENE_SIDE * SCENE_SIDE };

typedef struct picture {
    unsigned char pixels[SCENE_PIXELS][4];
} picture;

/* Of host_scene.h. */
typedef struct host_functions host_functions;

/* A program that owns an OpenGL context. */
typedef struct host_program {
    const char *name;
    /* Makes a context of OpenGL 4.`minor` current; false, with a sentence in `why`, if the system
     * refuses. */
    bool (*open)(int minor, bool compatibility, char why[256]);
    const host_functions *(*load)(void);
    void (*close)(void);
} host_program;

/* Sets all state of the scene once, as a host does that has nothing else to draw. The other one
 * relies on that state. */
void scene_prepare(const host_functions *gl);
picture scene_draw(const host_functions *gl);

/* Has the library work in each version and profile that the system has. Prints what it refuses:
 * it must have OpenGL 4.3, and no version after one that it refuses. */
void check_host(const host_program *program);

#endif
