//go:build whisper

package cpp

/*
#cgo CPPFLAGS: -I${SRCDIR}/../../../../build/lib/whisper/include
#cgo !darwin LDFLAGS: -Wl,--as-needed
#cgo LDFLAGS: -lwhisper -lggml -lggml-cpu -lggml-base -lm -lstdc++
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	lib "github.com/ggerganov/whisper.cpp/bindings/go"

	"github.com/voicewright/voicewright/backend/filename"
)

// The errors of Open and Run.
var (
	ErrOutOfMemory = errors.New("whisper.cpp: out of memory")
	ErrStopped     = errors.New("whisper.cpp: stopped")
	ErrFailed      = errors.New("whisper.cpp: failed")
)

// LibraryVersion returns the version of the library that is compiled in.
func LibraryVersion() string { return C.GoString(C.whisper_version()) }

// Features returns the instruction sets that the library was compiled for, such as avx2.
func Features() []string { return strings.Fields(C.GoString(C.voicewright_whisper_features())) }

// Alignment are the attention heads from which the times of words are computed by dynamic time warping.
type Alignment struct {
	Preset int // of whisper.cpp for the published models; TopLayers for others
	Layers int // for TopLayers: the number of layers, from the last one
}

// The presets of Alignment.
const (
	NoAlignment = C.WHISPER_AHEADS_NONE
	TopLayers   = C.WHISPER_AHEADS_N_TOP_MOST
)

// Options say how a model is opened.
type Options struct {
	GPU            int  // its number; -1 for the CPU
	FlashAttention bool // faster; excludes Alignment
	Alignment      Alignment
}

// Model is a model in memory. It is safe for concurrent use; Close must not be called before all runs ended.
type Model struct {
	context *lib.Context
	size    shape
}

// open guards Open, so that the lines that the library logs meanwhile are known to belong to it.
var open sync.Mutex

// live counts the models, runs and handles that are not freed yet.
var live atomic.Int64

// Live returns the number of models and runs that are not freed yet, for tests.
func Live() int64 { return live.Load() }

// Open loads a model file that was checked before: the library ends the process on some damaged ones. Errors: ErrOutOfMemory,
// ErrFailed.
func Open(path string, o Options) (*Model, error) {
	open.Lock()
	defer open.Unlock()
	logToGo()
	forgetErrors()
	name := C.CString(filename.Long(runtime.GOOS, path))
	defer C.free(unsafe.Pointer(name))
	var context *C.struct_whisper_context
	result := C.vw_open(name, C.vw_model_options{
		gpu: C.int(o.GPU), flash_attention: toInt(o.FlashAttention), dtw: C.int(o.Alignment.Preset),
		dtw_layers: C.int(o.Alignment.Layers), dtw_memory: alignmentMemory,
	}, &context)
	if err := toError(result, lastErrors()); err != nil {
		return nil, err
	}
	live.Add(1)
	return &Model{context: (*lib.Context)(unsafe.Pointer(context)), size: shapeOf(context)}, nil
}

// Close frees the model.
func (m *Model) Close() {
	if m.context != nil {
		C.vw_close(m.pointer())
		m.context = nil
		live.Add(-1)
	}
}

func (m *Model) pointer() *C.struct_whisper_context {
	return (*C.struct_whisper_context)(unsafe.Pointer(m.context))
}

// Multilingual reports whether the model knows other languages than English.
func (m *Model) Multilingual() bool { return m.context.Whisper_is_multilingual() != 0 }

// Languages returns the codes of the languages of the model, in whisper.cpp's order.
func (m *Model) Languages() []string {
	codes := make([]string, m.languages())
	for i := range codes {
		codes[i] = lib.Whisper_lang_str(i)
	}
	return codes
}

// The special tokens that follow the languages in the vocabulary.
const tokensAfterLanguages = 51765

// languages returns the number of languages: 99 or 100, which the size of the vocabulary says.
func (m *Model) languages() int {
	if !m.Multilingual() {
		return 1
	}
	return min(m.context.Whisper_n_vocab()-tokensAfterLanguages-1, lib.Whisper_lang_max_id()+1)
}

// alignmentMemory is the memory for computing the times of words. The library ends the process where it does not suffice; it
// computes with five copies of 23 heads x 1500 frames x 230 tokens at most.
const alignmentMemory = 512 << 20

// shape is the size of a model.
type shape struct{ audioState, textState, textLayers, textHeads int }

func shapeOf(c *C.struct_whisper_context) shape {
	return shape{
		audioState: int(C.whisper_model_n_audio_state(c)), textState: int(C.whisper_model_n_text_state(c)),
		textLayers: int(C.whisper_model_n_text_layer(c)), textHeads: int(C.whisper_model_n_text_head(c)),
	}
}

// runMemory returns how many bytes a run takes at least: the keys and values of the decoder for texts and audio, and the buffers
// that the library computes in.
func (s shape) runMemory() uint64 {
	const textContext, audioContext, bytes, buffers = 512, 1536, 2, 256 << 20
	keys := uint64(s.textState*s.textLayers*2*bytes) * (textContext + audioContext)
	return keys + uint64(s.audioState*audioContext*4*16) + buffers
}

func toInt(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// toError returns the error of a result; log is what the library logged about it.
func toError(result C.int, log string) error {
	err := ErrFailed
	switch result {
	case C.VW_OK:
		return nil
	case C.VW_STOPPED:
		return ErrStopped
	case C.VW_OUT_OF_MEMORY:
		err = ErrOutOfMemory
	default:
		if short := strings.ToLower(log); strings.Contains(short, "alloc") || strings.Contains(short, "memory") {
			err = ErrOutOfMemory
		}
	}
	if log == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, log)
}
