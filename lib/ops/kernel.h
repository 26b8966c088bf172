/* Kernels of the program's own. */
#ifndef GLNN__OPS_KERNEL_H
#define GLNN__OPS_KERNEL_H

#include "gl/lifetime.h"
#include "pass/kernel.h"

#include <glnn/kernel.h>

struct glnn_kernel {
    glnn__kernel kernel; /* first, so that its address is that of the whole */
    glnn_context *ctx;
    int owners;   /* the caller, and lists that have recorded the kernel       */
    bool is_gone; /* the caller has destroyed it                               */
    glnn__dependent object;
};

/* The kernel of the program that a descriptor belongs to; NULL: it is the library's. */
static inline glnn_kernel *glnn__kernel_owner(const glnn__kernel *kernel)
{
    return kernel->text ? (glnn_kernel *)kernel : NULL;
}

/* The last owner that releases the kernel destroys it. */
void glnn__kernel_release(glnn_kernel *kernel);

#endif
