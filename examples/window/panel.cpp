// The window of the panel and its frames.
#include "panel.h"

#include <GL/glew.h>
#include <GLFW/glfw3.h>

#include <imgui.h>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <cstdio>
#include <new>
#include <vector>

#include <glnn/image.h>

extern "C" {
#include "common/failure.h"
}

namespace
{

constexpr float text_pixels = 15.0f; // the size of the text at content scale 1

struct {
    GLFWwindow *window;
    panel_options options;
    float scale; // the content scale of the fonts
    int frames;  // that were begun
    double ended, frame_ms;
    bool pressed[GLFW_KEY_LAST + 1];
} panel;

void remember_error(int, const char *sentence)
{
    refuse("GLFW: %s", sentence);
}

// Dear ImGui sees the keys that are down when a frame begins, and so misses short presses.
void remember_key(GLFWwindow *, int key, int, int action, int)
{
    if (key >= 0 && key <= GLFW_KEY_LAST && action == GLFW_PRESS)
        panel.pressed[key] = true;
}

// ---- Content scale

float wanted_scale()
{
    float x = 1.0f, y = 1.0f;
    if (panel.options.scale > 0.0f)
        return panel.options.scale;
    glfwGetWindowContentScale(panel.window, &x, &y);
    return x > 0.0f ? x : 1.0f;
}

// Some systems measure windows in pixels, others in units of several pixels.
float pixels_in_window_unit()
{
    int width, height, across, down;
    glfwGetWindowSize(panel.window, &width, &height);
    glfwGetFramebufferSize(panel.window, &across, &down);
    return width > 0 && across > 0 ? static_cast<float>(across) / static_cast<float>(width) : 1.0f;
}

// Debian, Fedora and Arch have the same font in different folders. The font of Dear ImGui, which
// needs no file, is made of few pixels.
void load_font(float pixels)
{
    static const char *const paths[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                                        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
                                        "/usr/share/fonts/TTF/DejaVuSans.ttf"};
    ImFontAtlas *fonts = ImGui::GetIO().Fonts;
    fonts->Clear();
    for (const char *path : paths)
        if (FILE *file = std::fopen(path, "rb")) {
            std::fclose(file);
            if (fonts->AddFontFromFileTTF(path, pixels) != nullptr)
                return;
        }
    ImFontConfig config;
    config.SizePixels = pixels;
    fonts->AddFontDefault(&config);
}

void apply_scale()
{
    const float scale = wanted_scale(), pixels = pixels_in_window_unit();
    ImGui::GetIO().FontGlobalScale = 1.0f / pixels;
    if (scale == panel.scale)
        return;
    panel.scale = scale;
    ImGuiStyle &style = ImGui::GetStyle();
    style = ImGuiStyle();
    ImGui::StyleColorsDark(&style);
    style.FrameRounding = style.GrabRounding = style.ChildRounding = 3.0f;
    style.WindowPadding = ImVec2(8.0f, 8.0f);
    style.ItemSpacing = ImVec2(PANEL_GAP * text_pixels, PANEL_GAP * text_pixels);
    style.WindowBorderSize = 0.0f;
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.09f, 0.10f, 0.12f, 1.0f);
    style.Colors[ImGuiCol_ChildBg] = ImVec4(0.12f, 0.13f, 0.16f, 1.0f);
    style.ScaleAllSizes(scale / pixels);
    load_font(text_pixels * scale);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

// ---- Pictures of the window

// OpenGL counts rows from below, and a picture has planes of channels.
bool save_screenshot(const char *path)
{
    static const GLenum channels[] = {GL_RED, GL_GREEN, GL_BLUE};
    int width, height;
    glfwGetFramebufferSize(panel.window, &width, &height);
    if (width < 1 || height < 1)
        return refuse("%s: the window has no pixels", path);
    std::vector<float> pixels;
    try {
        pixels.resize(3 * static_cast<size_t>(width) * static_cast<size_t>(height));
    } catch (const std::bad_alloc &) {
        return refuse("%s: there is no memory for %d x %d pixels", path, width, height);
    }
    float *row = pixels.data();
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    for (GLenum channel : channels)
        for (int y = height - 1; y >= 0; --y, row += width)
            glReadPixels(0, y, width, 1, channel, GL_FLOAT, row);
    if (glnn_image_write(path, 3, width, height, pixels.data(), 0.0f, 1.0f) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    return true;
}

bool open_window(const char *title)
{
    const panel_options &with = panel.options;
    const float scale = with.scale > 0.0f ? with.scale : 1.0f;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, with.scale > 0.0f ? GLFW_FALSE : GLFW_TRUE);
    panel.window = glfwCreateWindow(static_cast<int>(static_cast<float>(with.width) * scale),
                                    static_cast<int>(static_cast<float>(with.height) * scale),
                                    title, nullptr, nullptr);
    if (panel.window == nullptr)
        return false; // remember_error has the sentence
    glfwMakeContextCurrent(panel.window);
    glfwSwapInterval(with.frames > 0 ? 0 : 1);
    glewExperimental = GL_TRUE;
    if (glewInit() != GLEW_OK)
        return refuse("GLEW: the functions of OpenGL cannot be loaded");
    glGetError(); // GLEW leaves one in a core profile
    return true;
}

} // namespace

extern "C" {

bool panel_open(const char *title, const panel_options *options)
{
    panel = {};
    panel.options = *options;
    glfwSetErrorCallback(remember_error);
    if (!glfwInit())
        return false;
    if (!open_window(title)) {
        glfwTerminate();
        return false;
    }
    glfwSetKeyCallback(panel.window, remember_key); // Dear ImGui's callback calls this one
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr; // keep no file of the arrangement
    ImGui_ImplGlfw_InitForOpenGL(panel.window, true);
    ImGui_ImplOpenGL3_Init("#version 430");
    panel.ended = glfwGetTime();
    return true;
}

bool panel_begin(void)
{
    if (panel.options.frames > 0 && panel.frames == panel.options.frames)
        return false;
    if (glfwGetWindowAttrib(panel.window, GLFW_ICONIFIED))
        glfwWaitEventsTimeout(1.0 / 60.0); // a window that is not shown has no rate of frames
    else
        glfwPollEvents();
    if (glfwWindowShouldClose(panel.window))
        return false;
    ++panel.frames;
    apply_scale();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0.0f, 0.0f));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("panel", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_HorizontalScrollbar |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus);
    return true;
}

bool panel_end(void)
{
    int width, height;
    ImGui::End();
    ImGui::Render();
    for (bool &key : panel.pressed)
        key = false;
    glfwGetFramebufferSize(panel.window, &width, &height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    const GLenum error = glGetError();
    if (error != GL_NO_ERROR)
        return refuse("OpenGL reported error 0x%04X in frame %d", error, panel.frames);
    if (panel.frames == panel.options.frames && panel.options.screenshot != nullptr &&
        !save_screenshot(panel.options.screenshot))
        return false;
    glfwSwapBuffers(panel.window);
    const double now = glfwGetTime();
    panel.frame_ms = 1e3 * (now - panel.ended);
    panel.ended = now;
    return true;
}

void panel_close(void)
{
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(panel.window);
    glfwTerminate();
}

double panel_get_frame_ms(void)
{
    return panel.frame_ms;
}

bool panel_is_pressed(char key)
{
    return !ImGui::GetIO().WantTextInput && panel.pressed[static_cast<unsigned char>(key)];
}

} // extern "C"
