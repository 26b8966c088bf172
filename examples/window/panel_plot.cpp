// Curves of the panel, in a frame with axes and a legend.
#include "panel.h"

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <initializer_list>

#include "panel_colours.h"

namespace
{

constexpr int most_points = 20; // of a curve whose points are marked
constexpr int most_marks = 64;  // of an axis

struct axis {
    float low, high;
    bool logarithmic;
    float from, to; // the places of low and high, in pixels

    float place_of(float value) const
    {
        const float share = logarithmic ? std::log(value / low) / std::log(high / low)
                                        : (value - low) / (high - low);
        return from + share * (to - from);
    }

    bool has(float value) const
    {
        return std::isfinite(value) && (!logarithmic || value > 1e-30f);
    }

    void include(float value)
    {
        if (has(value)) {
            low = std::fmin(low, value);
            high = std::fmax(high, value);
        }
    }
};

// An axis needs a length, also for curves without points and for one that is level.
void widen(axis *of)
{
    if (of->low > of->high)
        of->low = of->high = 1.0f;
    if (of->logarithmic) {
        of->low *= 0.9f;
        of->high *= 1.1f;
    } else if (of->low == of->high)
        of->high = of->low + 1.0f;
}

// The greatest of 1, 2 and 5 times a power of ten that is not above the value.
float round_step(float value)
{
    const float power = std::pow(10.0f, std::floor(std::log10(value)));
    return value >= 5.0f * power ? 5.0f * power : value >= 2.0f * power ? 2.0f * power : power;
}

// Whether the marks of an axis have equal steps. A short logarithmic axis has them too, as it may
// contain no power of ten.
bool has_steps(const axis &of)
{
    return !of.logarithmic || of.high < 5.0f * of.low;
}

// The values of an axis that have marks, for at most so many as `room` lets stand side by side.
int list_marks(const axis &of, float room, float marks[most_marks])
{
    int count = 0;
    if (has_steps(of)) {
        const float step = round_step(1.5f * (of.high - of.low) / room);
        const float first = std::ceil(of.low / step - 1e-3f);
        for (; count < most_marks; ++count) {
            marks[count] = (first + static_cast<float>(count)) * step;
            if (marks[count] > of.high + 1e-3f * step)
                break;
        }
        return count;
    }
    float power = std::pow(10.0f, std::floor(std::log10(of.low)));
    for (; power <= of.high && count + 3 <= most_marks; power *= 10.0f)
        for (float factor : {1.0f, 2.0f, 5.0f})
            if ((factor == 1.0f || of.high < 100.0f * of.low) && factor * power >= of.low &&
                factor * power <= of.high)
                marks[count++] = factor * power;
    return count;
}

struct drawing {
    ImDrawList *list;
    axis x, y;
    float size; // of the text
};

void draw_text(const drawing &on, ImVec2 place, const char *text, panel_colour colour)
{
    on.list->AddText(place, ImGui::GetColorU32(panel_get_colour(colour)), text);
}

void draw_marks(const drawing &on, const axis &of, bool is_x, const char *unit)
{
    const float length = std::fabs(of.to - of.from);
    const ImU32 line = ImGui::GetColorU32(ImGuiCol_Border);
    float marks[most_marks];
    const int count = list_marks(of, length / ((is_x ? 4.0f : 2.0f) * on.size), marks);
    char text[32];
    for (int i = 0; i < count; ++i) {
        const float at = marks[i];
        const float place = of.place_of(at);
        std::snprintf(text, sizeof text, "%g%s%s", static_cast<double>(at), unit ? " " : "",
                      unit ? unit : "");
        const ImVec2 size = ImGui::CalcTextSize(text);
        if (is_x) {
            on.list->AddLine(ImVec2(place, on.y.from), ImVec2(place, on.y.to), line);
            draw_text(on, ImVec2(std::fmin(place - size.x / 2.0f, of.to - size.x), on.y.from), text,
                      PANEL_FAINT);
        } else {
            on.list->AddLine(ImVec2(on.x.from, place), ImVec2(on.x.to, place), line);
            draw_text(on, ImVec2(on.x.from - size.x - on.size / 3.0f, place - size.y / 2.0f), text,
                      PANEL_FAINT);
        }
    }
}

// The points of a short curve are marked, as one alone has no line.
void draw_points(const drawing &on, const panel_curve &curve)
{
    const ImU32 colour = ImGui::GetColorU32(panel_get_colour(curve.colour));
    for (int i = 0; i < curve.count && curve.count <= most_points; ++i)
        if (on.y.has(curve.y[i]))
            on.list->AddCircleFilled(ImVec2(on.x.place_of(curve.x[i]), on.y.place_of(curve.y[i])),
                                     on.size / 5.0f, colour);
}

// A curve may have far more points than the plot has pixels.
void draw_curve(const drawing &on, const panel_curve &curve)
{
    const ImU32 colour = ImGui::GetColorU32(panel_get_colour(curve.colour));
    const float thickness = on.size / 9.0f;
    float last = -FLT_MAX;
    for (int i = 0; i < curve.count; ++i) {
        if (!on.y.has(curve.y[i])) {
            on.list->PathStroke(colour, 0, thickness);
            last = -FLT_MAX;
            continue;
        }
        const ImVec2 place(on.x.place_of(curve.x[i]), on.y.place_of(curve.y[i]));
        if (place.x - last < 0.5f && i + 1 < curve.count)
            continue;
        on.list->PathLineTo(place);
        last = place.x;
    }
    on.list->PathStroke(colour, 0, thickness);
}

void find_ranges(const panel_plot &plot, axis *x, axis *y)
{
    for (int i = 0; i < plot.count; ++i)
        for (int j = 0; j < plot.curves[i].count; ++j) {
            x->include(plot.curves[i].x[j]);
            y->include(plot.curves[i].y[j]);
        }
    if (plot.low != plot.high) {
        y->low = plot.low;
        y->high = plot.high;
    } else
        widen(y);
    widen(x);
}

bool has_points(const panel_plot &plot)
{
    for (int i = 0; i < plot.count; ++i)
        if (plot.curves[i].count > 0)
            return true;
    return false;
}

// The names of the curves, at the right end of the line of the title.
void draw_legend(const drawing &on, const panel_plot &plot, float top)
{
    float right = on.x.to;
    for (int i = plot.count - 1; i >= 0; --i) {
        right -= ImGui::CalcTextSize(plot.curves[i].name).x;
        draw_text(on, ImVec2(right, top), plot.curves[i].name, plot.curves[i].colour);
        right -= on.size;
    }
}

} // namespace

extern "C" void panel_show_plot(const panel_plot *plot, float width, float height)
{
    const float size = ImGui::GetFontSize();
    const ImVec2 room = ImGui::GetContentRegionAvail(), from = ImGui::GetCursorScreenPos();
    const ImVec2 to(from.x + (width > 0.0f ? width * size : room.x),
                    from.y + (height > 0.0f ? height * size : room.y));
    const float label = ImGui::CalcTextSize("0.0000").x;
    drawing on = {ImGui::GetWindowDrawList(), {}, {}, size};
    on.x = {0.0f, -FLT_MAX, false, from.x + label, to.x - 0.6f * size};
    on.y = {FLT_MAX, -FLT_MAX, plot->logarithmic, to.y - 1.2f * size, from.y + 1.6f * size};
    ImGui::Dummy(ImVec2(to.x - from.x, to.y - from.y));
    if (on.x.to - on.x.from < size || on.y.from - on.y.to < size)
        return; // a window that is this small has no room for curves
    find_ranges(*plot, &on.x, &on.y);
    draw_text(on, from, plot->title, PANEL_PLAIN);
    draw_legend(on, *plot, from.y);
    if (has_points(*plot)) {
        draw_marks(on, on.x, true, nullptr);
        draw_marks(on, on.y, false, plot->unit);
    }
    on.list->AddRect(ImVec2(on.x.from, on.y.to), ImVec2(on.x.to, on.y.from),
                     ImGui::GetColorU32(ImGuiCol_Border));
    on.list->PushClipRect(ImVec2(on.x.from, on.y.to), ImVec2(on.x.to, on.y.from), true);
    for (int i = 0; i < plot->count; ++i) {
        draw_curve(on, plot->curves[i]);
        draw_points(on, plot->curves[i]);
    }
    on.list->PopClipRect();
}
