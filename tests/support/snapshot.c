#include "snapshot.h"

#include "snapshot_tables.h"
#include "support.h"

enum { MOST_VALUES = 16384 };

typedef struct entry {
    const char *name;
    int index, part;
    double value;
} entry;

struct snapshot {
    size_t count;
    entry entries[MOST_VALUES];
};

static void note(snapshot *now, const char *name, int index, const double *values, int count)
{
    assert_true(now->count + (size_t)count <= MOST_VALUES);
    for (int part = 0; part < count; ++part)
        now->entries[now->count++] = (entry){name, index, part, values[part]};
}

static void note_values(snapshot *now, const state_value *table)
{
    for (; table->name; ++table) {
        double values[MOST_STATE_VALUES] = {0};
        glGetDoublev(table->what, values);
        note(now, table->name, 0, values, table->count);
    }
}

static void note_toggles(snapshot *now, const state_value *table)
{
    for (; table->name; ++table)
        note(now, table->name, 0, &(double){glIsEnabled(table->what)}, 1);
}

static void note_indexed(snapshot *now, const state_value *table, int indices)
{
    for (; table->name; ++table)
        for (int i = 0; i < indices; ++i) {
            GLint64 values[MOST_STATE_VALUES] = {0};
            double numbers[MOST_STATE_VALUES];
            glGetInteger64i_v(table->what, (GLuint)i, values);
            for (int part = 0; part < table->count; ++part)
                numbers[part] = (double)values[part];
            note(now, table->name, i, numbers, table->count);
        }
}

static void note_indexed_floats(snapshot *now, const state_value *table, int indices)
{
    for (; table->name; ++table)
        for (int i = 0; i < indices; ++i) {
            double values[MOST_STATE_VALUES] = {0};
            glGetDoublei_v(table->what, (GLuint)i, values);
            note(now, table->name, i, values, table->count);
        }
}

static void note_indexed_toggles(snapshot *now, const state_value *table, int indices)
{
    for (; table->name; ++table)
        for (int i = 0; i < indices; ++i)
            note(now, table->name, i, &(double){glIsEnabledi(table->what, (GLuint)i)}, 1);
}

static int limit(GLenum name)
{
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value;
}

static void note_units(snapshot *now, bool compatibility)
{
    const int active = limit(GL_ACTIVE_TEXTURE), fixed = 8; /* units of the fixed pipeline */
    for (int i = 0; i < limit(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS); ++i) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        for (const state_value *at = state_of_units; at->name; ++at)
            note(now, at->name, i, &(double){limit(at->what)}, 1);
        if (!compatibility || i >= fixed)
            continue;
        for (const state_value *at = state_of_fixed_units; at->name; ++at)
            note(now, at->name, i, &(double){glIsEnabled(at->what)}, 1);
    }
    glActiveTexture((GLenum)active);
}

static void note_queries(snapshot *now)
{
    for (const state_value *at = state_queries; at->name; ++at) {
        GLint query = 0;
        glGetQueryiv(at->what, GL_CURRENT_QUERY, &query);
        note(now, at->name, 0, &(double){query}, 1);
    }
}

static void note_attributes(snapshot *now)
{
    for (const state_value *at = state_of_attributes; at->name; ++at)
        for (int i = 0; i < limit(GL_MAX_VERTEX_ATTRIBS); ++i) {
            double values[MOST_STATE_VALUES] = {0};
            glGetVertexAttribdv((GLuint)i, at->what, values);
            note(now, at->name, i, values, at->count);
        }
}

static void note_debug_output(snapshot *now)
{
    static const GLenum names[] = {GL_DEBUG_CALLBACK_FUNCTION, GL_DEBUG_CALLBACK_USER_PARAM};
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        void *pointer = NULL;
        glGetPointerv(names[i], &pointer);
        note(now, "GL_DEBUG_CALLBACK", (int)i, &(double){(double)(uintptr_t)pointer}, 1);
    }
}

static bool is_compatibility(void)
{
    return limit(GL_CONTEXT_PROFILE_MASK) & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT;
}

static void take(snapshot *now)
{
    now->count = 0;
    assert_int_equal(glGetError(), GL_NO_ERROR);
    note_values(now, state_values);
    note_toggles(now, state_toggles);
    if (GLEW_VERSION_4_5)
        note_values(now, state_values_4_5);
    if (is_compatibility()) {
        note_values(now, state_values_compatibility);
        note_toggles(now, state_toggles_compatibility);
    }
    note_indexed_toggles(now, state_toggles_of_targets, limit(GL_MAX_DRAW_BUFFERS));
    note_indexed(now, state_of_targets, limit(GL_MAX_DRAW_BUFFERS));
    note_indexed_toggles(now, state_toggles_of_viewports, limit(GL_MAX_VIEWPORTS));
    note_indexed_floats(now, state_of_viewports, limit(GL_MAX_VIEWPORTS));
    note_indexed(now, state_of_images, limit(GL_MAX_IMAGE_UNITS));
    note_indexed(now, state_of_uniform_buffers, limit(GL_MAX_UNIFORM_BUFFER_BINDINGS));
    note_indexed(now, state_of_storage_buffers, limit(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS));
    note_indexed(now, state_of_counter_buffers, limit(GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS));
    note_indexed(now, state_of_feedback_buffers, limit(GL_MAX_TRANSFORM_FEEDBACK_BUFFERS));
    note_indexed(now, state_of_vertex_buffers, limit(GL_MAX_VERTEX_ATTRIB_BINDINGS));
    note_indexed(now, state_of_sample_masks, limit(GL_MAX_SAMPLE_MASK_WORDS));
    note_attributes(now);
    note_units(now, is_compatibility());
    note_queries(now);
    note_debug_output(now);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

snapshot *snapshot_take(void)
{
    snapshot *now = test_malloc(sizeof *now);
    take(now);
    return now;
}

void snapshot_check_call(const snapshot *before, const char *function)
{
    snapshot *now = snapshot_take();
    assert_int_equal(now->count, before->count);
    for (size_t i = 0; i < now->count; ++i) {
        const entry *was = &before->entries[i], *is = &now->entries[i];
        if (is->value != was->value)
            fail_at(__FILE__, __LINE__, "%s: %s, index %d, value %d: %.17g, and %.17g before",
                    function, is->name, is->index, is->part, is->value, was->value);
    }
    snapshot_free(now);
}

void snapshot_check(const snapshot *before)
{
    snapshot_check_call(before, "the state");
}

size_t snapshot_count(const snapshot *taken)
{
    return taken->count;
}

void snapshot_free(snapshot *before)
{
    test_free(before);
}
