//go:build whisper

#include "shim.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

extern "C" {
int voicewrightStopped(uintptr_t run);
void voicewrightProgress(uintptr_t run, struct whisper_state *state, int percent);
void voicewrightLog(int level, char *text);
}

namespace {

// guarded turns exceptions into results, because one that reaches Go ends the program.
template <typename F> int guarded(F call) {
	try {
		return call();
	} catch (const std::bad_alloc &) {
		return VW_OUT_OF_MEMORY;
	} catch (...) {
		return VW_FAILED;
	}
}

// trim returns freed memory to the system; glibc keeps it otherwise.
void trim() {
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

// available reports whether this much memory can be had. whisper_init_state frees pointers that it has not set yet when it
// fails half-way, so it must not fail.
bool available(size_t bytes) {
	void *probe = malloc(bytes);
	free(probe);
	return probe != nullptr;
}

struct State {
	whisper_state *state;
	explicit State(whisper_context *model) : state(whisper_init_state(model)) {}
	~State() {
		if (state) whisper_free_state(state);
	}
	State(const State &) = delete;
	State &operator=(const State &) = delete;
};

// detect returns the most likely of the languages that the model knows, -1 after an error. The library's own choice is not used:
// it also counts a language that smaller models lack.
int detect(whisper_context *model, whisper_state *state, const vw_run_options &o) {
	std::vector<float> probabilities(whisper_lang_max_id() + 1);
	if (whisper_lang_auto_detect_with_state(model, state, 0, o.threads, probabilities.data()) < 0) return -1;
	int best = 0;
	for (int i = 1; i < o.languages && i < (int) probabilities.size(); i++) {
		if (probabilities[i] > probabilities[best]) best = i;
	}
	return best;
}

// prompt_of returns what precedes the audio.
std::vector<whisper_token> prompt_of(whisper_context *model, const vw_run_options &o) {
	std::vector<whisper_token> tokens;
	if (o.prompt) {
		tokens.resize(strlen(o.prompt)); // there are not more of them
		tokens.resize(std::max(whisper_tokenize(model, o.prompt, tokens.data(), (int) tokens.size()), 0));
	}
	tokens.insert(tokens.end(), o.before, o.before + o.before_count);
	return tokens;
}

whisper_full_params params_of(uintptr_t run, const vw_run_options &o) {
	whisper_full_params p =
	    whisper_full_default_params(o.beam_size > 1 ? WHISPER_SAMPLING_BEAM_SEARCH : WHISPER_SAMPLING_GREEDY);
	p.beam_search.beam_size = o.beam_size;
	p.n_threads = o.threads;
	p.translate = o.translate;
	p.token_timestamps = o.token_times;
	p.language = o.language;
	p.print_progress = false;
	p.progress_callback = [](whisper_context *, whisper_state *state, int percent, void *data) {
		voicewrightProgress((uintptr_t) data, state, percent);
	};
	p.progress_callback_user_data = (void *) run;
	p.encoder_begin_callback = [](whisper_context *, whisper_state *, void *data) {
		return voicewrightStopped((uintptr_t) data) == 0;
	};
	p.encoder_begin_callback_user_data = (void *) run;
	p.abort_callback = [](void *data) { return voicewrightStopped((uintptr_t) data) != 0; };
	p.abort_callback_user_data = (void *) run;
	return p;
}

int transcribe(whisper_context *model, uintptr_t run, const vw_run_options &o, const float *samples, int n, int *language) {
	if (!available(o.memory)) return VW_OUT_OF_MEMORY;
	State own(model);
	if (!own.state) return VW_OUT_OF_MEMORY;
	if (voicewrightStopped(run)) return VW_STOPPED;
	whisper_full_params p = params_of(run, o);
	const std::vector<whisper_token> prompt = prompt_of(model, o);
	p.prompt_tokens = prompt.empty() ? nullptr : prompt.data();
	p.prompt_n_tokens = (int) prompt.size();
	if (!o.language) {
		if (whisper_pcm_to_mel_with_state(model, own.state, samples, n, o.threads) != 0) return VW_FAILED;
		if (voicewrightStopped(run)) return VW_STOPPED;
		*language = detect(model, own.state, o);
		if (voicewrightStopped(run)) return VW_STOPPED;
		if (*language < 0) return VW_FAILED;
		p.language = whisper_lang_str(*language);
		if (!o.token_times) n = 0; // the spectrogram is in the state; only the times of tokens need the samples again
	}
	int result = whisper_full_with_state(model, own.state, p, samples, n);
	if (voicewrightStopped(run)) return VW_STOPPED;
	if (result != 0) return VW_FAILED;
	*language = whisper_full_lang_id_from_state(own.state);
	voicewrightProgress(run, own.state, 100);
	return VW_OK;
}

} // namespace

void vw_log_to_go(void) {
#ifndef _WIN32
	setenv("GGML_NO_BACKTRACE", "1", 0); // without it, the library starts a debugger before it ends the process
#endif
	whisper_log_set([](ggml_log_level level, const char *text, void *) { voicewrightLog(level, (char *) text); }, nullptr);
}

int vw_open(const char *path, vw_model_options o, whisper_context **model) {
	return guarded([&] {
		whisper_context_params p = whisper_context_default_params();
		p.use_gpu = o.gpu >= 0;
		p.gpu_device = o.gpu >= 0 ? o.gpu : 0;
		p.flash_attn = o.flash_attention;
		p.dtw_token_timestamps = o.dtw != WHISPER_AHEADS_NONE;
		p.dtw_aheads_preset = (whisper_alignment_heads_preset) o.dtw;
		p.dtw_n_top = o.dtw_layers;
		p.dtw_mem_size = o.dtw_memory;
		*model = whisper_init_from_file_with_params_no_state(path, p);
		return *model ? VW_OK : VW_FAILED;
	});
}

int vw_run(whisper_context *model, uintptr_t run, vw_run_options o, const float *samples, int n, int *language) {
	int result = guarded([&] { return transcribe(model, run, o, samples, n, language); });
	trim();
	return result;
}

void vw_close(whisper_context *model) {
	whisper_free(model);
	trim();
}
