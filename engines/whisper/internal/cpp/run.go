//go:build whisper

package cpp

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"runtime/cgo"
	"time"
	"unsafe"

	lib "github.com/ggerganov/whisper.cpp/bindings/go"
)

// RunOptions are the options of one run.
type RunOptions struct {
	Language   string  // one of Model.Languages; empty: detected
	Prompt     string  // text that precedes the audio
	Before     []int32 // tokens of the audio before this one, which follow the prompt
	Threads    int
	Translate  bool // into English
	TokenTimes bool // tokens have Start and End
}

// Events are called by a run, from its thread, one at a time. Both must return soon.
type Events struct {
	Stopped func() bool // whether the run is to end; asked between the steps of the library
	// Progress is called with the segments since the last call and the share of the audio that is done, 0..1.
	Progress func(segments []Segment, done float64)
}

// Segment is a phrase. Its times are from the start of the audio.
type Segment struct {
	Start, End   time.Duration
	Text         string
	NoSpeechProb float64
	Tokens       []Token
}

// Token is a part of a segment. Its text may end within a character.
type Token struct {
	ID          int
	Text        string
	Probability float64
	Start, End  time.Duration // negative where they are not known
	Aligned     time.Duration // when it was spoken, with Options.Alignment; negative where it is not known
	Special     bool          // not part of the text: times, end of text
}

// frame is the time between two of the tokens that stand for times.
const frame = 20 * time.Millisecond

// Tokens returns the tokens of segments that one call of Progress had, as they precede the next ones for the library.
func Tokens(segments []Segment) []int32 {
	var tokens []int32
	for i, s := range segments {
		if i > 0 { // its beginning is not part of it
			if before := segments[i-1]; len(before.Tokens) > 0 && before.Tokens[len(before.Tokens)-1].Special {
				tokens = append(tokens, int32(before.Tokens[len(before.Tokens)-1].ID)+int32((s.Start-before.End)/frame))
			}
		}
		for _, t := range s.Tokens {
			tokens = append(tokens, int32(t.ID))
		}
	}
	return tokens
}

// Shift moves the times of a segment and its tokens.
func (s *Segment) Shift(by time.Duration) {
	s.Start, s.End = s.Start+by, s.End+by
	for i := range s.Tokens {
		for _, t := range []*time.Duration{&s.Tokens[i].Start, &s.Tokens[i].End, &s.Tokens[i].Aligned} {
			if *t >= 0 {
				*t += by
			}
		}
	}
}

// run is what the callbacks of one run need.
type run struct {
	context  *lib.Context
	events   Events
	seen     int // segments
	panicked any
}

// Run transcribes samples (16 kHz, at least 100 ms of them) and returns the language. It takes as long as the library needs: it
// asks events.Stopped only between steps, which can last seconds. Errors: ErrStopped, ErrOutOfMemory, ErrFailed, with the language if it
// was detected before, or that of a panic in events.
func (m *Model) Run(samples []float32, o RunOptions, events Events) (language string, err error) {
	live.Add(1)
	defer live.Add(-1)
	r := &run{context: m.context, events: events}
	handle := cgo.NewHandle(r)
	defer handle.Delete()
	c := C.vw_run_options{
		languages: C.int(m.languages()), threads: C.int(o.Threads), translate: toInt(o.Translate),
		token_times: toInt(o.TokenTimes), beam_size: 1, memory: C.size_t(m.size.runMemory()),
	}
	if o.Language != "" {
		c.language = C.CString(o.Language)
		defer C.free(unsafe.Pointer(c.language))
	}
	if o.Prompt != "" {
		c.prompt = C.CString(o.Prompt)
		defer C.free(unsafe.Pointer(c.prompt))
	}
	if len(o.Before) > 0 {
		var pinner runtime.Pinner
		defer pinner.Unpin()
		pinner.Pin(&o.Before[0])
		c.before, c.before_count = (*C.int)(&o.Before[0]), C.int(len(o.Before))
	}
	id := C.int(-1)
	forgetErrors()
	result := C.vw_run(m.pointer(), C.uintptr_t(handle), c,
		(*C.float)(unsafe.SliceData(samples)), C.int(len(samples)), &id)
	if r.panicked != nil {
		return "", fmt.Errorf("whisper.cpp: panic in a callback: %v", r.panicked)
	}
	if id >= 0 {
		language = lib.Whisper_lang_str(int(id))
	}
	return language, toError(result, lastErrors())
}

//export voicewrightStopped
func voicewrightStopped(handle C.uintptr_t) (stop C.int) {
	r, _ := cgo.Handle(handle).Value().(*run)
	r.protect(func() { stop = toInt(r.events.Stopped()) })
	if r.panicked != nil {
		return 1
	}
	return stop
}

//export voicewrightProgress
func voicewrightProgress(handle C.uintptr_t, state *C.struct_whisper_state, percent C.int) {
	r, _ := cgo.Handle(handle).Value().(*run)
	r.protect(func() {
		r.events.Progress(r.newSegments(state), min(float64(percent)/100, 1))
	})
}

// protect calls f, and keeps a panic for the end of the run: none may reach the library.
func (r *run) protect(f func()) {
	if r.panicked != nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			r.panicked = p
		}
	}()
	f()
}

// newSegments returns the segments that were found since the last call. The library's own callback for them is not used: with
// alignment it is called with wrong numbers, and before the times are known.
func (r *run) newSegments(state *C.struct_whisper_state) []Segment {
	n := int(C.whisper_full_n_segments_from_state(state))
	if n <= r.seen {
		return nil
	}
	segments := make([]Segment, 0, n-r.seen)
	for ; r.seen < n; r.seen++ {
		i := C.int(r.seen)
		segments = append(segments, Segment{
			Start:        hundredths(C.whisper_full_get_segment_t0_from_state(state, i)),
			End:          hundredths(C.whisper_full_get_segment_t1_from_state(state, i)),
			Text:         C.GoString(C.whisper_full_get_segment_text_from_state(state, i)),
			NoSpeechProb: float64(C.whisper_full_get_segment_no_speech_prob_from_state(state, i)),
			Tokens:       r.tokens(state, i),
		})
	}
	return segments
}

func (r *run) tokens(state *C.struct_whisper_state, segment C.int) []Token {
	endOfText := C.whisper_token(r.context.Whisper_token_eot())
	tokens := make([]Token, C.whisper_full_n_tokens_from_state(state, segment))
	for i := range tokens {
		d := C.whisper_full_get_token_data_from_state(state, segment, C.int(i))
		tokens[i] = Token{
			ID: int(d.id), Text: r.context.Whisper_token_to_str(lib.Token(d.id)), Probability: float64(d.p),
			Start: hundredths(d.t0), End: hundredths(d.t1), Aligned: hundredths(d.t_dtw), Special: d.id >= endOfText,
		}
	}
	return tokens
}

// hundredths converts the times of the library, hundredths of a second; -1 stands for none.
func hundredths(t C.int64_t) time.Duration { return time.Duration(t) * 10 * time.Millisecond }
