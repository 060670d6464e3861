package local

import (
	"context"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// sentence is one utterance of an engine.
type sentence struct {
	text   string
	before time.Duration // silence before it
	apart  bool          // the engine's own silence there is part of it
}

// speaking is a turn that is being spoken.
type speaking struct {
	p      *Provider
	voice  voice
	loaded *engines.Loaded
	info   engines.Info
	speed  float64
}

// speakTurn speaks one turn at the usual loudness. Errors: errNothing, those of Speak.
func (p *Provider) speakTurn(ctx context.Context, turn service.Turn, speed float64) (audio.Buffer, error) {
	v, ok, err := p.find(ctx, turn.Voice.Native)
	if err != nil {
		return audio.Buffer{}, err
	}
	if !ok {
		return audio.Buffer{}, backend.E(backend.CodeModelNotDownloaded, "The model of the voice was deleted.", "Download it again.")
	}
	loaded, err := p.o.Models.AcquireDownloaded(ctx, v.model)
	if err != nil {
		return audio.Buffer{}, err
	}
	defer loaded.Release()
	s := speaking{p: p, voice: v, loaded: loaded, info: loaded.Info(), speed: speed}
	if s.speed == 0 {
		s.speed = 1
	}
	sentences, end, err := s.plan(turn.Text)
	if err != nil {
		return audio.Buffer{}, err
	}
	sounds, err := s.speak(ctx, sentences)
	if err != nil {
		return audio.Buffer{}, err
	}
	joined, err := s.join(ctx, sentences, sounds, end)
	if err != nil {
		return audio.Buffer{}, err
	}
	heard, err := audio.Normalize(ctx, joined)
	if err == nil && !heard {
		err = errSilent
	}
	return joined, err
}

var errSilent = backend.E(backend.CodeEngineFailed, "The engine produced only silence.", "Try another text or voice.").
	WithCause(engines.ErrSilent)

// chunkChars is the size of a part of the plan in characters. It changes nothing but where very long sentences are cut.
const chunkChars = 400

// maxPauses is the longest sum of the pauses that markup asks for, which cost no credits.
const maxPauses = 5 * time.Minute

// plan cuts a text into sentences and returns them with the silence after the last one. Errors: errNothing, 400 when the
// pauses are too long.
func (s speaking) plan(written string) (sentences []sentence, end time.Duration, err error) {
	written = s.withoutTags(written)
	if !text.Speakable(written) {
		return nil, 0, errNothing
	}
	voicing := text.NewSpeaker(text.SpeakOptions{
		Language: s.voice.own.Language, Phonemes: s.info.Phonemes, Digits: s.info.Digits, Tags: s.info.Tags,
	})
	var pause, sum time.Duration
	marked := false
	for _, piece := range text.Plan(written, chunkChars) {
		if piece.Text == "" {
			pause, sum, marked = pause+piece.Pause, sum+piece.Pause, true
			if sum > maxPauses {
				return nil, 0, errBadRequest("The pauses of the text add up to more than 5 minutes. Shorten them.")
			}
			continue
		}
		next := sentence{before: s.paced(piece.Break.Pause(s.p.o.Pauses)), apart: piece.Break != text.NoBreak}
		switch {
		case marked:
			next = sentence{before: pause, apart: true}
		case !next.apart && len(sentences) > 0:
			next.before = s.info.Pauses.Clause // within a long sentence
		}
		for _, next.text = range text.Utterances(voicing.Speak(piece.Text).Text) {
			sentences = append(sentences, next)
			next = sentence{before: s.paced(s.p.o.Pauses.Sentence), apart: true}
		}
		pause, marked = 0, false
	}
	return sentences, pause, nil
}

// paced returns a pause in seconds at the speed of the call.
func (s speaking) paced(seconds float64) time.Duration {
	return time.Duration(seconds / s.speed * float64(time.Second))
}

// speak speaks the sentences, as many at once as there are cores for. A sentence without anything that the engine can speak, such
// as one in another script, has no samples.
func (s speaking) speak(ctx context.Context, sentences []sentence) ([]audio.Buffer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	sounds := make([]audio.Buffer, len(sentences))
	running := make(chan struct{}, s.loaded.Workers(s.p.o.Memory))
	var work sync.WaitGroup
	for i := range sentences {
		select {
		case running <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		work.Go(func() {
			defer func() { <-running }()
			err := backend.Contain(func() (err error) {
				atEnd := i+1 < len(sentences) && sentences[i+1].apart
				sounds[i], err = s.utter(ctx, sentences[i], atEnd)
				return err
			})
			if err != nil && backend.CodeOf(err) != backend.CodeNothingToSpeak {
				cancel(err)
			}
		})
	}
	work.Wait()
	return sounds, context.Cause(ctx)
}

// utter speaks one sentence without the engine's own silence where it is part of a pause, before it and at its end.
func (s speaking) utter(ctx context.Context, said sentence, atEnd bool) (audio.Buffer, error) {
	release, err := s.p.o.Cores.acquire(ctx, s.info.Threads)
	if err != nil {
		return audio.Buffer{}, err
	}
	defer release()
	out := audio.Buffer{Rate: s.info.SampleRate, Channels: s.info.Channels}
	trimmer := engines.Trimmer{Start: said.apart, End: atEnd, Rate: out.Rate, Channels: out.Channels, Emit: func(sound engines.Sound) error {
		out.Samples = append(out.Samples, sound.Samples...)
		return nil
	}}
	err = engines.SpeakAt(ctx, s.loaded, engines.Utterance{
		Text: said.text, Voice: s.voice.own.ID, Language: s.voice.own.Language, Speed: s.speed, Seed: s.p.o.NewSeed(),
	}, trimmer.Write)
	if err != nil {
		return audio.Buffer{}, err
	}
	return out, trimmer.Close()
}

// join joins the sentences with the silences between them. The silence of a sentence without samples is not lost where it is
// longer than the next one. Errors: errNothing when no sentence has samples, that of ctx.
func (s speaking) join(ctx context.Context, sentences []sentence, sounds []audio.Buffer, end time.Duration) (audio.Buffer, error) {
	out := audio.Buffer{Rate: s.info.SampleRate, Channels: s.info.Channels}
	length := end
	for i, sound := range sounds {
		length += sentences[i].before + sound.Duration() + time.Millisecond // for rounding
	}
	out.Samples = make([]float32, 0, int(length.Seconds()*float64(out.Rate))*out.Channels)
	joiner := audio.NewJoiner(out.Rate, out.Channels, 0, func(samples []float32) error {
		out.Samples = append(out.Samples, samples...)
		return nil
	})
	var before time.Duration
	heard := false
	for i, sound := range sounds {
		before = max(before, sentences[i].before)
		if len(sound.Samples) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if err := joiner.Pause(before); err != nil {
			return out, err
		}
		if err := joiner.Start(); err != nil {
			return out, err
		}
		if err := joiner.Write(sound.Samples); err != nil {
			return out, err
		}
		before, heard = 0, true
	}
	if !heard {
		return out, errNothing
	}
	if err := joiner.Pause(end); err != nil {
		return out, err
	}
	return out, joiner.Close()
}
