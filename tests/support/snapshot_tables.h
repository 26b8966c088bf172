/* The names of OpenGL's state, up to version 4.5. The tables end with an empty entry. */
#ifndef TESTS_SNAPSHOT_TABLES_H
#define TESTS_SNAPSHOT_TABLES_H

#include <GL/glew.h>

enum { MOST_STATE_VALUES = 16 };

typedef struct state_value {
    const char *name;
    GLenum what;
    int count; /* of its values */
} state_value;

extern const state_value state_values[], state_values_4_5[], state_values_compatibility[];
extern const state_value state_toggles[], state_toggles_compatibility[];
extern const state_value state_toggles_of_targets[], state_of_targets[];
extern const state_value state_toggles_of_viewports[], state_of_viewports[];
extern const state_value state_of_images[], state_of_units[], state_of_fixed_units[];
extern const state_value state_of_uniform_buffers[], state_of_storage_buffers[];
extern const state_value state_of_counter_buffers[], state_of_feedback_buffers[];
extern const state_value state_of_vertex_buffers[], state_of_sample_masks[];
extern const state_value state_of_attributes[], state_queries[];

#endif
