// The colours of the panel, for its C++ files.
#ifndef EXAMPLES_PANEL_COLOURS_H
#define EXAMPLES_PANEL_COLOURS_H

#include <imgui.h>

#include "panel.h"

inline ImVec4 panel_get_colour(panel_colour colour)
{
    static const ImVec4 colours[PANEL_COLOURS] = {
        ImVec4(0.90f, 0.91f, 0.93f, 1.0f), // plain
        ImVec4(0.58f, 0.62f, 0.68f, 1.0f), // faint
        ImVec4(0.40f, 0.80f, 0.45f, 1.0f), // good
        ImVec4(0.95f, 0.42f, 0.38f, 1.0f), // bad
        ImVec4(0.38f, 0.66f, 0.98f, 1.0f), // first
        ImVec4(0.98f, 0.70f, 0.25f, 1.0f), // second
    };
    return colours[colour];
}

#endif
