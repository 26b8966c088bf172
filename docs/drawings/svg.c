#include "svg.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXTS 1024

typedef struct box {
    double left, top, right, bottom;
    char text[64];
} box;

struct svg {
    FILE *file;
    const char *path;
    double height;
    bool is_bad;
    int texts;
    box boxes[MAX_TEXTS];
};

static const struct {
    const char *name, *style, *line;
} looks[SVG_LOOKS] = {
    [SVG_PLAIN] = {"plain", "fill:#fff;stroke:#8c959f", "#57606a"},
    [SVG_READ] = {"read", "fill:#cfe5f4;stroke:#0072b2", "#0072b2"},
    [SVG_WRITTEN] = {"written", "fill:#fbdcc4;stroke:#c4500a", "#c4500a"},
    [SVG_FOLLOWED] = {"followed", "fill:#00795a;stroke:#00573f", "#00795a"},
    [SVG_AROUND] = {"around", "fill:#d2eee4;stroke:#00795a", "#00795a"},
    [SVG_PADDING] = {"padding", "fill:#e6e9ec;stroke:#afb8c1", "#afb8c1"},
    [SVG_FRAME] = {"frame", "fill:none;stroke:#24292f;stroke-width:1.6", "#24292f"},
    [SVG_PANEL] = {"panel", "fill:#f1f3f5;stroke:#d0d7de", "#d0d7de"},
};

static const struct {
    const char *name, *style;
    double size;
    bool is_bold;
} fonts[SVG_FONTS] = {
    [SVG_TITLE] = {"title", "font-size:18px;font-weight:bold", 18, true},
    [SVG_HEADING] = {"heading", "font-size:14px;font-weight:bold", 14, true},
    [SVG_LABEL] = {"label", "font-size:13px", 13, false},
    [SVG_SMALL] = {"small", "font-size:11px;fill:#424a53", 11, false},
};

/* Of the characters from ' ' to '~' in DejaVu Sans, the widest of the usual fonts, in hundredths of
 * its size. */
static const unsigned char widths[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

#define BOLD_WIDTH 1.12

static double width_of(svg_font font, const char *text, size_t length)
{
    double width = 0;
    for (size_t i = 0; i < length; ++i)
        width += text[i] >= ' ' && text[i] <= '~' ? widths[text[i] - ' '] : 84;
    return width / 100 * fonts[font].size * (fonts[font].is_bold ? BOLD_WIDTH : 1);
}

static void escape(FILE *file, const char *text)
{
    for (; *text; ++text) {
        if (*text == '&')
            fputs("&amp;", file);
        else if (*text == '<')
            fputs("&lt;", file);
        else
            putc(*text, file);
    }
}

static void write_styles(FILE *file)
{
    fprintf(file, "<style>\ntext{font-family:Helvetica,Arial,sans-serif;fill:#24292f}\n");
    for (int i = 0; i < SVG_FONTS; ++i)
        fprintf(file, ".%s{%s}\n", fonts[i].name, fonts[i].style);
    for (int i = 0; i < SVG_LOOKS; ++i)
        fprintf(file, ".%s{%s}\n.%s-line{stroke:%s;stroke-width:1.6;fill:none}\n", looks[i].name,
                looks[i].style, looks[i].name, looks[i].line);
    fprintf(file, ".on-followed{fill:#fff;font-weight:bold}\n</style>\n");
}

svg *svg_begin(const char *path, double height, const char *title, const char *description)
{
    svg *s = calloc(1, sizeof *s);
    if (!s || !(s->file = fopen(path, "w"))) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    s->path = path;
    s->height = height;
    fprintf(s->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%g\" "
            "viewBox=\"0 0 %d %g\" role=\"img\">\n<title>",
            SVG_WIDTH, height, SVG_WIDTH, height);
    escape(s->file, title);
    fprintf(s->file, "</title>\n<desc>");
    escape(s->file, description);
    fprintf(s->file, "</desc>\n");
    write_styles(s->file);
    fprintf(s->file, "<rect width=\"%d\" height=\"%g\" fill=\"#fff\"/>\n", SVG_WIDTH, height);
    svg_text(s, SVG_TITLE, SVG_LEFT, 20, 32, "%s", title);
    return s;
}

static bool overlap(const box *a, const box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static void check_text(svg *s, const box *b)
{
    if (b->left < 4 || b->top < 4 || b->right > SVG_WIDTH - 4 || b->bottom > s->height - 4) {
        fprintf(stderr, "%s: \"%s\" leaves the drawing\n", s->path, b->text);
        s->is_bad = true;
    }
    for (int i = 0; i < s->texts; ++i) {
        if (overlap(b, &s->boxes[i])) {
            fprintf(stderr, "%s: \"%s\" lies over \"%s\"\n", s->path, b->text, s->boxes[i].text);
            s->is_bad = true;
        }
    }
    if (s->texts < MAX_TEXTS)
        s->boxes[s->texts++] = *b;
    else
        s->is_bad = true;
}

bool svg_end(svg *s)
{
    fprintf(s->file, "</svg>\n");
    const bool is_written = !ferror(s->file);
    const bool is_good = fclose(s->file) == 0 && is_written && !s->is_bad;
    if (!is_good)
        fprintf(stderr, "%s: not as it should be\n", s->path);
    free(s);
    return is_good;
}

static void check_shape(svg *s, double x, double y)
{
    if (x < 0 || y < 0 || x > SVG_WIDTH || y > s->height) {
        fprintf(stderr, "%s: a shape at (%g, %g) leaves the drawing\n", s->path, x, y);
        s->is_bad = true;
    }
}

void svg_rect(svg *s, svg_look look, double x, double y, double width, double height)
{
    check_shape(s, x, y);
    check_shape(s, x + width, y + height);
    fprintf(s->file, "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>\n",
            looks[look].name, x, y, width, height);
}

void svg_circle(svg *s, svg_look look, double x, double y, double radius)
{
    fprintf(s->file, "<circle class=\"%s\" cx=\"%g\" cy=\"%g\" r=\"%g\"/>\n", looks[look].name, x,
            y, radius);
}

void svg_line(svg *s, svg_look look, double x1, double y1, double x2, double y2)
{
    fprintf(s->file, "<path class=\"%s-line\" d=\"M%g %gL%g %g\"/>\n", looks[look].name, x1, y1, x2,
            y2);
}

void svg_triangle(svg *s, svg_look look, const double points[6])
{
    fprintf(s->file, "<path class=\"%s\" d=\"M%g %gL%g %gL%g %gZ\"/>\n", looks[look].name,
            points[0], points[1], points[2], points[3], points[4], points[5]);
}

/* Heads are drawn for arrows along an axis, which all arrows are. */
void svg_arrow(svg *s, svg_look look, double x1, double y1, double x2, double y2)
{
    const double x = x2 > x1 ? 1 : x2 < x1 ? -1 : 0, y = y2 > y1 ? 1 : y2 < y1 ? -1 : 0;
    svg_line(s, look, x1, y1, x2 - 5 * x, y2 - 5 * y);
    fprintf(s->file, "<path fill=\"%s\" d=\"M%g %gL%g %gL%g %gZ\"/>\n", looks[look].line, x2, y2,
            x2 - 7 * x - 4 * y, y2 - 7 * y - 4 * x, x2 - 7 * x + 4 * y, y2 - 7 * y + 4 * x);
}

static void write_text(svg *s, const char *more, svg_font font, svg_align align, double x, double y,
                       const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    const double size = fonts[font].size, width = width_of(font, text, strlen(text));
    box b = {.top = y - 0.76 * size, .bottom = y + 0.2 * size};
    b.left = x - (align == SVG_LEFT ? 0 : align == SVG_CENTRE ? width / 2 : width);
    b.right = b.left + width;
    snprintf(b.text, sizeof b.text, "%s", text);
    check_text(s, &b);
    fprintf(s->file, "<text class=\"%s%s\" text-anchor=\"%s\" x=\"%g\" y=\"%g\">", fonts[font].name,
            more, anchors[align], x, y);
    escape(s->file, text);
    fprintf(s->file, "</text>\n");
}

void svg_text(svg *s, svg_font font, svg_align align, double x, double y, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_text(s, "", font, align, x, y, text);
}

void svg_text_on_followed(svg *s, svg_font font, svg_align align, double x, double y,
                          const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_text(s, " on-followed", font, align, x, y, text);
}

/* Characters of the first line, which ends before a space or with the text. */
static size_t line_length(svg_font font, double width, const char *text)
{
    size_t length = 0;
    for (size_t i = 1; i <= strlen(text); ++i)
        if ((text[i] == ' ' || !text[i]) && (length == 0 || width_of(font, text, i) <= width))
            length = i;
    return length;
}

double svg_paragraph(svg *s, svg_font font, double x, double y, double width, const char *text)
{
    while (*text) {
        const size_t length = line_length(font, width, text);
        svg_text(s, font, SVG_LEFT, x, y, "%.*s", (int)length, text);
        y += 1.4 * fonts[font].size;
        text += length + (text[length] == ' ');
    }
    return y;
}

void svg_legend(svg *s, double x, double y, const svg_key *keys)
{
    for (; keys->meaning; ++keys) {
        svg_rect(s, keys->look, x, y - 10, 14, 12);
        svg_text(s, SVG_SMALL, SVG_LEFT, x + 20, y, "%s", keys->meaning);
        x += 44 + width_of(SVG_SMALL, keys->meaning, strlen(keys->meaning));
    }
}
