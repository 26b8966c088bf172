// The arrangement of the panel, its text and its controls.
#include "panel.h"

#include <cstdarg>
#include <cstdint>

#include "panel_colours.h"

namespace
{

constexpr float bar_label = 1.2f, bar_value = 4.2f; // units of the columns next to bars

float units(float length)
{
    return length * ImGui::GetFontSize();
}

float item_width(float length)
{
    return length != 0.0f ? units(length) : ImGui::GetContentRegionAvail().x;
}

} // namespace

extern "C" {

// ---- Arrangement

void panel_begin_section(const char *title, float width, float height)
{
    ImGui::BeginChild(title, ImVec2(units(width), units(height)), true);
    ImGui::PushTextWrapPos(0.0f);
    panel_text_in(PANEL_FAINT, "%s", title);
    ImGui::PopTextWrapPos();
    ImGui::Separator();
}

void panel_end_section(void)
{
    ImGui::EndChild();
}

void panel_begin_group(void)
{
    ImGui::BeginGroup();
}

void panel_end_group(void)
{
    ImGui::EndGroup();
}

void panel_next_to(void)
{
    ImGui::SameLine();
}

void panel_get_room(float *width, float *height)
{
    const ImVec2 room = ImGui::GetContentRegionAvail();
    *width = room.x / ImGui::GetFontSize();
    *height = room.y / ImGui::GetFontSize();
}

void panel_space(float height)
{
    ImGui::Dummy(ImVec2(0.0f, units(height)));
}

// ---- Text

void panel_text(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    ImGui::TextV(format, values);
    va_end(values);
}

void panel_text_in(panel_colour colour, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    ImGui::TextColoredV(panel_get_colour(colour), format, values);
    va_end(values);
}

void panel_passage(const char *text, const char *end)
{
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(text, end);
    ImGui::PopTextWrapPos();
}

void panel_paragraph(const char *text)
{
    panel_passage(text, nullptr);
}

void panel_value(const char *name, float width, const char *format, ...)
{
    va_list values;
    panel_text_in(PANEL_FAINT, "%s", name);
    ImGui::SameLine(units(width));
    va_start(values, format);
    ImGui::TextV(format, values);
    va_end(values);
}

// ---- Controls

bool panel_button(const char *label, float width)
{
    return ImGui::Button(label, ImVec2(units(width), 0.0f));
}

bool panel_slider(const char *label, float width, float *value, float low, float high,
                  const char *format, bool logarithmic)
{
    const ImGuiSliderFlags flags = logarithmic ? ImGuiSliderFlags_Logarithmic : 0;
    ImGui::SetNextItemWidth(units(width));
    ImGui::SliderFloat(label, value, low, high, format, flags | ImGuiSliderFlags_AlwaysClamp);
    return ImGui::IsItemDeactivatedAfterEdit();
}

bool panel_entry(const char *label, bool is_chosen)
{
    return ImGui::Selectable(label, is_chosen);
}

void panel_tabs(const char *const *labels, int count, int *chosen)
{
    const float width = ImGui::GetStyle().ItemInnerSpacing.x;
    for (int i = 0; i < count; ++i) {
        const ImGuiCol colour = i == *chosen ? ImGuiCol_TabActive : ImGuiCol_Tab;
        ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(colour));
        if (i > 0)
            ImGui::SameLine(0.0f, width);
        if (ImGui::Button(labels[i]))
            *chosen = i;
        ImGui::PopStyleColor();
    }
}

bool panel_choice(const char *label, float width, int *value, int low, int high,
                  const char *(*name_of)(int))
{
    bool chosen = false;
    ImGui::SetNextItemWidth(units(width));
    if (!ImGui::BeginCombo(label, name_of(*value)))
        return false;
    for (int i = low; i <= high; ++i)
        if (ImGui::Selectable(name_of(i), i == *value)) {
            chosen = i != *value;
            *value = i;
        }
    ImGui::EndCombo();
    return chosen;
}

void panel_bar(const char *label, float width, float share, panel_colour colour)
{
    const float start = ImGui::GetCursorPosX(), end = start + item_width(width);
    ImGui::AlignTextToFramePadding();
    panel_text_in(colour, "%s", label);
    ImGui::SameLine();
    ImGui::SetCursorPosX(start + units(bar_label));
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, panel_get_colour(colour));
    ImGui::ProgressBar(share, ImVec2(end - start - units(bar_label + bar_value), 0.0f), "");
    ImGui::PopStyleColor();
    ImGui::SameLine();
    panel_text("%5.1f %%", 100.0 * static_cast<double>(share));
}

// ---- Images

panel_pointer panel_show_image(const panel_image *image)
{
    const bool whole = image->left == image->right && image->top == image->bottom;
    const ImVec2 size(units(image->width), units(image->height));
    ImGui::InvisibleButton(image->label, size);
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const ImVec2 mouse = ImGui::GetMousePos();
    ImGui::GetWindowDrawList()->AddImage(
        reinterpret_cast<ImTextureID>(static_cast<intptr_t>(image->texture)), from, to,
        whole ? ImVec2(0.0f, 0.0f) : ImVec2(image->left, image->top),
        whole ? ImVec2(1.0f, 1.0f) : ImVec2(image->right, image->bottom));
    panel_pointer pointer = {};
    pointer.over = ImGui::IsItemHovered();
    pointer.pressed = ImGui::IsItemActivated();
    pointer.held = ImGui::IsItemActive();
    pointer.x = (mouse.x - from.x) / (to.x - from.x);
    pointer.y = (mouse.y - from.y) / (to.y - from.y);
    return pointer;
}

} // extern "C"
