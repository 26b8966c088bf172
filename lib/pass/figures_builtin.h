/* The built-in device profiles, for devices that are not measured. */
#ifndef GLNN__PASS_FIGURES_BUILTIN_H
#define GLNN__PASS_FIGURES_BUILTIN_H

#include "pass/figures.h"

/* The built-in profile of the context's stage. */
const glnn__figures *glnn__figures_builtin(const glnn_context *ctx);

#endif
