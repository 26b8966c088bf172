#include "microphone.h"

#include <SDL.h>
#include <stdlib.h>

#include "common/failure.h"

struct microphone {
    SDL_AudioDeviceID device;
};

/* SDL converts what the device records. */
static bool start(microphone *of, int rate)
{
    enum { CAPTURES = 1, NO_CHANGES = 0 };
    const SDL_AudioSpec wanted = {
        .freq = rate, .format = AUDIO_F32SYS, .channels = 1, .samples = 512};
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0)
        return refuse("there is no microphone: %s", SDL_GetError());
    of->device = SDL_OpenAudioDevice(NULL, CAPTURES, &wanted, NULL, NO_CHANGES);
    if (of->device == 0) {
        refuse("there is no microphone: %s", SDL_GetError());
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
        return false;
    }
    SDL_PauseAudioDevice(of->device, 0);
    return true;
}

bool microphone_open(int rate, microphone **out)
{
    microphone *made = calloc(1, sizeof *made);
    *out = NULL;
    if (!made)
        return refuse("no memory for a microphone");
    if (!start(made, rate)) {
        free(made);
        return false;
    }
    *out = made;
    return true;
}

int microphone_take(microphone *of, float *samples, int capacity)
{
    const Uint32 room = (Uint32)capacity * (Uint32)sizeof *samples;
    return (int)(SDL_DequeueAudio(of->device, samples, room) / sizeof *samples);
}

void microphone_close(microphone *of)
{
    if (!of)
        return;
    SDL_CloseAudioDevice(of->device);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    free(of);
}
