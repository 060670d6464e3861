// The calls of whisper.cpp that package cpp needs, without C++ exceptions and with one answer each.
#ifndef VOICEWRIGHT_WHISPER_SHIM_H
#define VOICEWRIGHT_WHISPER_SHIM_H

#include <stdint.h>
#include <whisper.h>

#ifdef __cplusplus
extern "C" {
#endif

// The results of the functions below.
enum {
	VW_OK = 0,
	VW_OUT_OF_MEMORY,
	VW_STOPPED,
	VW_FAILED,
};

typedef struct {
	int gpu; // number of the GPU, -1 for the CPU
	int flash_attention;
	int dtw; // alignment heads (enum whisper_alignment_heads_preset), WHISPER_AHEADS_NONE for no DTW
	int dtw_layers; // for WHISPER_AHEADS_N_TOP_MOST
	size_t dtw_memory;
} vw_model_options;

typedef struct {
	const char *language; // NULL: detected
	const char *prompt;   // NULL: none
	const int *before;    // tokens that follow the prompt
	int before_count;
	int languages;        // that the model knows
	int threads;
	int translate;
	int token_times;
	int beam_size; // 1: greedy
	size_t memory; // that a run takes at least
} vw_run_options;

const char *voicewright_whisper_features(void); // in the library, see build/whisper-features.c

void vw_log_to_go(void);
int vw_open(const char *path, vw_model_options o, struct whisper_context **model);
void vw_close(struct whisper_context *model);
// vw_run transcribes in a state of its own. It calls voicewrightProgress with new segments and asks voicewrightStopped, both with
// run.
int vw_run(struct whisper_context *model, uintptr_t run, vw_run_options o, const float *samples, int n, int *language);

#ifdef __cplusplus
}
#endif
#endif
