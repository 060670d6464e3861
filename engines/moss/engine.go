// Package moss speaks with MOSS-TTS-Nano: built-in voices, or the voice of a sample, in 19 languages at 48 kHz in stereo.
// A language model reads a prompt (the codes of a voice, then the ids of a text) and continues it with frames of codes, which
// a codec turns into sound. Rules: ort_cpu_runtime.py and onnx_tts_runtime.py of OpenMOSS/MOSS-TTS-Nano (Apache-2.0), in the
// mode "fixed", where the graph chooses the codes from random numbers that it is given.
package moss

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/voicecache"
)

// Name is the engine's name in the registry.
const Name = "moss"

// longestReference is how much of a sample is used, in seconds. Each second is 12.5 rows of every prompt, and makes all steps
// after it slower; the makers train with 1,024 rows, of which this leaves a text and its 30 s of speech more than enough.
const longestReference = 20

// keptVoices is the number of prepared samples in memory; each takes 16 kB.
const keptVoices = 64

// pause is the silence that callers put between two texts: that of the makers after a piece of more than four words.
const pause = 240 * time.Millisecond

// Engine is one loaded model. It is safe for concurrent use.
type Engine struct {
	frontend *frontend
	graphs   *graphs
	voices   map[string][]int32 // codes of the built-in voices
	samples  *voicecache.Cache[[]int32]
	info     engines.Info
}

var _ engines.Cloner = (*Engine)(nil)

// usualThreads is the threads of one run: the makers measured four as the fastest.
func usualThreads() int { return min(onnx.Cores(), 4) }

// newEngine returns the engine of loaded graphs; info has what only the driver knows.
func newEngine(g *graphs, f *frontend, info engines.Info, o engines.Options) *Engine {
	e := &Engine{frontend: f, graphs: g, voices: map[string][]int32{}}
	for _, v := range g.config.manifest.Voices {
		e.voices[v.ID] = v.codes()
	}
	e.samples = newSamples(g, o)
	rules, codec := rules(), g.config.codec.Config
	info.Engine, info.SampleRate, info.Channels = Name, codec.SampleRate, codec.Channels
	info.Languages, info.Voices, info.Clones = languages[:], g.config.manifest.voices(), &rules
	info.Pauses = engines.Pauses{Sentence: pause, Clause: pause}
	info.MinSpeed, info.MaxSpeed, info.Reproducible = 1, 1, g.sessions().Reproducible()
	e.info = info
	return e
}

// newSamples returns an empty cache of the codes of samples.
func newSamples(g *graphs, o engines.Options) *voicecache.Cache[[]int32] {
	return voicecache.New(voicecache.Options[[]int32]{
		Name: strings.Join([]string{Name, o.Model, o.Revision}, " "), Entries: keptVoices, Encode: encode, Decode: g.config.decode,
	})
}

// Info returns the description of the model.
func (e *Engine) Info() engines.Info { return e.info.Clone() }

// Forget removes a sample from memory.
func (e *Engine) Forget(key string) { e.samples.Forget(key) }

// Close stops the pieces in progress and unloads the model.
func (e *Engine) Close() error { return e.graphs.sessions().Close() }

// Speak emits the sound of each piece of at most 75 text ids in groups of frames, the first of them after 80 ms of speech, with
// the makers' pauses between two pieces. Equal seeds give equal samples.
func (e *Engine) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	if _, err := e.info.Pace(u.Speed); err != nil {
		return err
	}
	if err := e.checkLanguage(u.Language); err != nil {
		return err
	}
	pieces := e.frontend.pieces(u.Text)
	if len(pieces) == 0 {
		return engines.NothingToSpeak("Write words in one of the model's languages.")
	}
	voice, err := e.voice(ctx, u)
	if err != nil {
		return err
	}
	return e.speak(ctx, voice, pieces, u.Seed, func(samples []float32) error {
		return emit(audio.Buffer{Samples: samples, Rate: e.info.SampleRate, Channels: e.info.Channels})
	})
}

// checkLanguage returns backend.CodeLanguageNotSupported for a language that the model does not speak. The model takes no tag:
// it hears the language in the text.
func (e *Engine) checkLanguage(language string) error {
	if language == "" || slices.ContainsFunc(e.info.Languages, func(l string) bool { return engines.SameLanguage(l, language) }) {
		return nil
	}
	return backend.E(backend.CodeLanguageNotSupported, fmt.Sprintf("The model %s does not speak %s.", shown, language),
		"Choose one of its languages: "+strings.Join(e.info.Languages, ", ")+".").With("language", language)
}

// voice returns the codes of the voice of an utterance.
func (e *Engine) voice(ctx context.Context, u engines.Utterance) ([]int32, error) {
	if u.Reference != nil {
		return e.samples.Get(ctx, u.Reference, e.graphs.listen)
	}
	if len(e.info.Voices) == 0 {
		return nil, engines.NoReference(shown)
	}
	if u.Voice == "" {
		u.Voice = e.info.Voices[0].ID
	}
	codes, ok := e.voices[u.Voice]
	if !ok {
		return nil, engines.NoVoice(shown, u.Voice, e.info.Voices)
	}
	return codes, nil
}

// speak calls emit with the sound of the pieces and the pauses between them.
func (e *Engine) speak(ctx context.Context, voice []int32, pieces []piece, seed int64, emit func([]float32) error) error {
	c, longest := e.graphs.config, 0
	for _, p := range pieces {
		longest = max(longest, len(p.ids))
	}
	prompt, frames := len(c.rows(voice, nil))/c.width()+longest, c.manifest.Defaults.Frames
	s, d := newSpeech(e.graphs, prompt+frames), newDecoder(e.graphs)
	for i, p := range pieces {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		if i > 0 {
			n := int(pieces[i-1].pause*float64(e.info.SampleRate) + 0.5)
			if err := emit(make([]float32, n*e.info.Channels)); err != nil {
				return err
			}
		}
		audible := onnx.Audible{Stage: stageDecode, Emit: emit}
		err := s.speak(ctx, d, request{rows: c.rows(voice, p.ids), frames: frames, random: noise(seed, i)}, audible.Write)
		if err == nil {
			err = audible.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// speak calls emit with the sound of one piece. Errors are those of frames and emit.
func (s *speech) speak(ctx context.Context, d *decoder, r request, emit func([]float32) error) error {
	if err := d.reset(); err != nil {
		return err
	}
	send := func(samples []float32, err error) error {
		if err != nil || len(samples) == 0 {
			return err
		}
		return emit(samples)
	}
	if err := s.frames(ctx, r, func(codes []int32) error { return send(d.add(ctx, codes)) }); err != nil {
		return err
	}
	return send(d.flush(ctx))
}

// encode returns codes as the content of a file.
func encode(codes []int32) ([]byte, error) {
	out := make([]byte, 0, 4*len(codes))
	for _, v := range codes {
		out = binary.LittleEndian.AppendUint32(out, uint32(v))
	}
	return out, nil
}

// decode is the reverse of encode. It returns an error for what are not codes of this model.
func (c config) decode(raw []byte) ([]int32, error) {
	var out []int32
	for ; len(raw) >= 4; raw = raw[4:] {
		out = append(out, int32(binary.LittleEndian.Uint32(raw)))
	}
	if len(raw) > 0 || len(out) == 0 || len(out)%c.meta.Config.Channels != 0 || !c.meta.valid(out) {
		return nil, errors.New("not the codes of a voice")
	}
	return out, nil
}
