/* The names of the kinds of LVQ and of their initialisers. */
#include "base/names.h"

#include <glnn/lvq.h>

static const char *const kind_names[] = {
    [GLNN_LVQ_GLVQ] = "glvq",    [GLNN_LVQ_GRLVQ] = "grlvq", [GLNN_LVQ_GMLVQ] = "gmlvq",
    [GLNN_LVQ_RSLVQ] = "rslvq",  [GLNN_LVQ_LVQ1] = "lvq1",   [GLNN_LVQ_OLVQ1] = "olvq1",
    [GLNN_LVQ_LVQ21] = "lvq2.1", [GLNN_LVQ_LVQ3] = "lvq3",
};

static const char *const init_names[] = {
    [GLNN_LVQ_INIT_AUTO] = "auto",
    [GLNN_LVQ_INIT_MEANS] = "means",
    [GLNN_LVQ_INIT_KMEANS] = "kmeans",
    [GLNN_LVQ_INIT_SAMPLES] = "samples",
};

GLNN__DEFINE_NAMES(glnn_lvq_kind, kind_names)
GLNN__DEFINE_NAMES(glnn_lvq_init, init_names)
