#include "inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "panel.h"

/* Elements of the largest operand whose fetches are counted: of a data set only a few are read, and
 * the counts would take as much memory. */
#define MOST_COUNTED (1 << 22)

#define CAPTION_HEIGHT 3.4f
#define LEAST_SIDE     0.7f /* of a picture that is long and narrow */
#define TEXT_SHARE     0.45f

static glnn_pass_info pass_of(const inside *of, int number)
{
    glnn_pass_info pass = {.size = sizeof pass};
    CHECK(glnn_inspection_get_pass(of->inspection, number, &pass));
    return pass;
}

/* ---- The pictures of a pass */

static void leave_pass(inside *of)
{
    for (int i = 0; i < of->count; ++i)
        glnn_matrix_destroy(of->pictures[i].counts);
    of->count = 0;
}

static void add_picture(inside *of, const char *name, const glnn_matrix *matrix, int operand)
{
    inside_picture *added = &of->pictures[of->count];
    if (matrix == NULL)
        return;
    added->name = name;
    added->matrix = matrix;
    added->operand = operand;
    added->counts = NULL;
    of->count++;
    if (added->sheet == NULL)
        REQUIRE(sheet_create(of->ctx, &added->sheet));
    const glnn_matrix_desc desc = {.rows = glnn_matrix_get_rows(matrix),
                                   .columns = glnn_matrix_get_columns(matrix),
                                   .layout = GLNN_LAYOUT_UNPACKED,
                                   .name = "fetches"};
    if (operand >= 0 && desc.rows <= MOST_COUNTED / desc.columns)
        CHECK(glnn_matrix_create(of->ctx, &desc, &added->counts));
}

static void enter_pass(inside *of)
{
    const glnn_pass_info pass = pass_of(of, of->pass);
    leave_pass(of);
    for (int i = 0; i < GLNN_PASS_MAX_OPERANDS; ++i)
        add_picture(of, pass.operand_names[i], pass.operands[i], i);
    add_picture(of, "before", pass.former_output, -1);
    of->output = of->count;
    if (pass.writes_output)
        add_picture(of, pass.former_output ? "after" : "output", pass.output, -1);
    for (int i = 0; i < GLNN_PASS_MAX_SIDE_OUTPUTS; ++i)
        if (pass.writes_side_outputs[i])
            add_picture(of, pass.side_output_names[i], pass.side_outputs[i], -1);
    CHECK(glnn_inspection_get_shader(of->inspection, of->pass, &of->text));
    of->block = (glnn_rect){0};
    of->is_new = of->is_changed = true;
}

void inside_hide(inside *of)
{
    leave_pass(of);
    for (int i = 0; i < INSIDE_PICTURES; ++i)
        sheet_destroy(of->pictures[i].sheet);
    glnn_inspection_destroy(of->inspection);
    memset(of, 0, sizeof *of);
}

void inside_show(inside *of, glnn_context *ctx, glnn_inspection *inspection)
{
    const int pass = of->pass;
    inside_hide(of);
    of->ctx = ctx;
    of->inspection = inspection;
    of->pass = pass; /* the same one of the next step */
    inside_move(of, 0);
}

void inside_move(inside *of, int passes)
{
    const int count = glnn_inspection_get_pass_count(of->inspection);
    const int wanted = of->pass + passes;
    if (count == 0)
        return;
    of->pass = wanted < 0 ? 0 : wanted >= count ? count - 1 : wanted;
    enter_pass(of);
}

/* ---- Fetches */

/* The block under the pointer, which is over the picture of what the pass writes. */
static void find_block(inside *of, const panel_pointer *pointer)
{
    const glnn_matrix *output = of->pictures[of->output].matrix;
    const int rows = glnn_matrix_get_rows(output), columns = glnn_matrix_get_columns(output);
    const int row = (int)(pointer->y * (float)rows), column = (int)(pointer->x * (float)columns);
    glnn_rect block = {0};
    if (pointer->over && row >= 0 && row < rows && column >= 0 && column < columns)
        CHECK(glnn_inspection_get_block(of->inspection, of->pass, row, column, &block));
    if (memcmp(&block, &of->block, sizeof block) == 0)
        return;
    of->block = block;
    of->is_changed = true;
    for (int i = 0; i < of->count && block.rows > 0; ++i)
        if (of->pictures[i].counts != NULL)
            CHECK(glnn_inspection_find_fetches(of->inspection, of->pass, row, column,
                                               of->pictures[i].operand, of->pictures[i].counts));
}

/* The block is marked in all pictures of the shape of what the pass writes. */
static sheet_marks marks_of(const inside *of, int number)
{
    const inside_picture *picture = &of->pictures[number];
    const glnn_matrix *m = picture->matrix, *output = of->pictures[of->output].matrix;
    if (of->block.rows == 0)
        return (sheet_marks){0};
    if (picture->operand >= 0)
        return (sheet_marks){.counts = picture->counts};
    return glnn_matrix_get_rows(m) == glnn_matrix_get_rows(output) &&
                   glnn_matrix_get_columns(m) == glnn_matrix_get_columns(output)
               ? (sheet_marks){.rect = of->block}
               : (sheet_marks){0};
}

/* ---- Sections */

/* Adds the name of a matrix to a list of names. */
static void append_name(char *out, size_t size, const glnn_matrix *matrix)
{
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", glnn_matrix_get_name(matrix));
}

/* Writes the purpose of a pass and the matrices that it writes. Layers are counted from 1, as on
 * the pages for browsers. */
static void describe(const inside *of, int number, char *out, size_t size)
{
    const glnn_pass_info pass = pass_of(of, number);
    char layer[24] = "", written[80] = "";
    if (pass.layer >= 0)
        snprintf(layer, sizeof layer, " of layer %d", pass.layer + 1);
    if (pass.writes_output)
        append_name(written, sizeof written, pass.output);
    for (int i = 0; i < GLNN_PASS_MAX_SIDE_OUTPUTS; ++i)
        if (pass.writes_side_outputs[i])
            append_name(written, sizeof written, pass.side_outputs[i]);
    snprintf(out, size, "%d  %s%s: %s", number + 1, pass.part, layer, written);
}

void inside_show_passes(inside *of, float width, float height)
{
    const int count = glnn_inspection_get_pass_count(of->inspection);
    char label[160];
    panel_begin_section("The passes of a step", width, height);
    for (int i = 0; i < count; ++i) {
        describe(of, i, label, sizeof label);
        if (panel_entry(label, i == of->pass))
            inside_move(of, i - of->pass);
    }
    panel_end_section();
}

/* A picture with its name, as large as fits. */
static panel_pointer show_picture(const inside_picture *of, float width, float height)
{
    const int rows = glnn_matrix_get_rows(of->matrix),
              columns = glnn_matrix_get_columns(of->matrix);
    int across, down;
    char label[32];
    sheet_get_size(of->sheet, &across, &down);
    const float scale = fminf(width / (float)across, (height - CAPTION_HEIGHT) / (float)down);
    snprintf(label, sizeof label, "sheet %s", of->name);
    panel_begin_group();
    panel_text_in(PANEL_GOOD, "%s", of->name);
    panel_next_to();
    panel_text("%s", glnn_matrix_get_name(of->matrix));
    panel_text_in(PANEL_FAINT, "%d x %d %s", rows, columns,
                  glnn_layout_name(glnn_matrix_get_layout(of->matrix)));
    const panel_pointer pointer =
        panel_show_image(&(panel_image){.label = label,
                                        .texture = sheet_get_texture(of->sheet),
                                        .width = fmaxf(scale * (float)across, LEAST_SIDE),
                                        .height = fmaxf(scale * (float)down, LEAST_SIDE)});
    panel_end_group();
    return pointer;
}

static void draw_sheets(inside *of)
{
    for (int i = 0; i < of->count && of->is_changed; ++i) {
        const sheet_marks marks = marks_of(of, i);
        REQUIRE(sheet_draw(of->pictures[i].sheet, of->pictures[i].matrix, of->is_new, &marks));
    }
    of->is_new = of->is_changed = false;
}

static void show_block(const inside *of)
{
    const glnn_rect *block = &of->block;
    if (block->rows > 0)
        panel_text("The fragment of rows %d to %d, columns %d to %d", block->row,
                   block->row + block->rows - 1, block->column, block->column + block->columns - 1);
    else
        panel_text_in(PANEL_FAINT, "Point at the output to see which texels its fragment fetched");
}

static void show_pictures(inside *of, float width, float height)
{
    panel_pointer pointer = {0};
    panel_begin_section("The matrices of the pass", width, height);
    show_block(of);
    draw_sheets(of);
    panel_get_room(&width, &height);
    const float each = (width - PANEL_GAP * (float)(of->count - 1)) / (float)of->count;
    for (int i = 0; i < of->count; ++i) {
        if (i > 0)
            panel_next_to();
        const panel_pointer at = show_picture(&of->pictures[i], each, height);
        pointer = i == of->output ? at : pointer;
    }
    panel_end_section();
    find_block(of, &pointer);
}

/* The kernel comes before the definitions and the files that it includes. */
static const char *find_kernel(const char *text)
{
    const char *block = strstr(text, "void block(ivec2 at)"), *kernel = text;
    for (const char *at = text; block != NULL && (at = strstr(at, "#line")) && at < block; ++at)
        kernel = at;
    return kernel;
}

static void show_text(const inside *of, float width, float height)
{
    const glnn_pass_info pass = pass_of(of, of->pass);
    const char *kernel = find_kernel(of->text);
    panel_begin_section("The shader that ran", width, height);
    panel_text_in(PANEL_GOOD, "%s, and the main function%s%s", pass.kernel,
                  pass.epilogue ? "; the block is finished by " : "",
                  pass.epilogue ? pass.epilogue : "");
    panel_paragraph(kernel);
    panel_text_in(PANEL_GOOD, "The text before");
    panel_passage(of->text, kernel);
    panel_end_section();
}

void inside_show_pass(inside *of, float width, float height)
{
    const float text = TEXT_SHARE * height;
    panel_begin_group();
    show_pictures(of, width, height - text - PANEL_GAP);
    show_text(of, width, text);
    panel_end_group();
}
