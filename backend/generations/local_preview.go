package generations

import (
	"context"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/speech/journal"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// Recorded returns the job of an ended generation, as far as listeners need it.
func (m *localMaker) Recorded(_ context.Context, g backend.Generation) (*Job, error) {
	j := NewJob(g)
	j.Plan, j.Maker = speech.LevelledAs(g.Request.GenerateOptions), m
	j.Plan.Voice = speech.Voice{Model: g.ModelName, Engine: g.Engine, ID: g.Voice, Language: g.Language}
	return j, nil
}

// Replay joins the finished chunks of an ended generation for its listeners.
func (m *localMaker) Replay(ctx context.Context, j *Job) error {
	f, err := os.Open(m.synth.JournalPath(j.Row.ID))
	if err != nil {
		return backend.FileError("open the finished chunks", "the data directory", err)
	}
	defer func() { _ = f.Close() }()
	stored := &journal.Journal{File: f}
	if err := stored.Read(); err != nil {
		return backend.FileError("read the finished chunks", "the data directory", err)
	}
	return m.replayJournal(ctx, j, stored)
}

func (m *localMaker) replayJournal(ctx context.Context, j *Job, stored *journal.Journal) error {
	segments, rate, channels := stored.First()
	if rate == 0 {
		return nil // they are silent
	}
	sp, err := speech.NewSpool(m.synth.TempDir(), j.Row.ID, rate, channels)
	if err != nil {
		return err
	}
	j.Live.Begin(sp)
	t := speech.NewTrack(rate, channels, j.Plan.Crossfade, sp.Write)
	for _, seg := range segments {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		if err := stored.Replay(seg.Key, t.Next(speech.Segment{Line: seg.Line, Asked: seg.Asked, Own: seg.Own})); err != nil {
			return err
		}
		if len(t.Parts) > 0 && sp.Length() > 0 {
			j.Live.AddSpan(t.LastChunk())
			j.Live.LetListen()
		}
	}
	return t.End(0)
}

// Level returns the level at which a job is heard before its audio is complete: the one at which its voice was measured last, else
// one by the loudness of what there is, if there is some.
func (m *localMaker) Level(ctx context.Context, j *Job, sound speech.Sound) (speech.Level, error) {
	return m.synth.LevelBefore(ctx, j.Plan, sound)
}

// Spoken returns how a job will be spoken.
func (m *localMaker) Spoken(ctx context.Context, j *Job) (Spoken, error) {
	model, err := m.o.Models.Model(j.Plan.Voice.Model)
	if err != nil {
		return Spoken{}, err
	}
	lines, err := m.synth.Lines(ctx, j.Plan, engines.Info{TextFeatures: model.TextFeatures})
	if err != nil {
		return Spoken{}, err
	}
	if !slices.ContainsFunc(lines, func(l backend.ReceiptChunk) bool { return text.Speakable(l.Spoken) }) {
		return Spoken{}, speech.ErrNothing
	}
	out := Spoken{
		Sentences: []string{}, Chunks: []string{}, Dropped: []string{}, Shortened: j.Plan.Shortened(), Pauses: silences(j.Plan, lines),
	}
	receipt := backend.Receipt{Chunks: lines}
	receipt.Sum()
	for _, l := range lines {
		for _, sentence := range text.Sentences(l.Text) {
			out.Sentences = append(out.Sentences, strings.TrimSpace(sentence))
		}
		out.Chunks = append(out.Chunks, l.Text)
	}
	out.Spoken, out.Dropped, out.Note = receipt.SpokenText, receipt.DroppedTags, model.Note(j.Plan.Voice.Language)
	out.Seconds = m.gens.Previews.Estimate(ctx, j, out.Spoken, out.Pauses)
	if out.Phonemes, err = m.phonemes(ctx, j.Plan.Voice, out.Spoken); ctx.Err() != nil {
		return Spoken{}, backend.ErrCancelled.WithCause(ctx.Err())
	} else if err != nil {
		m.o.Log.Debug("find the phonemes of a preview", "error", err)
	}
	return out, nil
}

// phonemes converts sentence by sentence, so that running jobs do not wait for a long text.
func (m *localMaker) phonemes(ctx context.Context, v speech.Voice, spoken string) (string, error) {
	var all []string
	length := 0
	for _, sentence := range text.Sentences(spoken) {
		sentence = strings.TrimSpace(sentence)
		if length += utf8.RuneCountInString(sentence); length > phonemesOf {
			break
		}
		if !text.Speakable(sentence) {
			continue
		}
		phonemes, err := m.o.Phonemes(ctx, v.Engine, v.Language, sentence)
		if err != nil {
			return "", err
		}
		all = append(all, phonemes)
	}
	return strings.Join(all, " "), nil
}

// Preview returns a short sentence in the voice of a profile as a WAV file.
func (m *localMaker) Preview(ctx context.Context, profile backend.Profile) ([]byte, error) {
	v, err := m.synth.Resolve(backend.GenerateOptions{}, profile)
	if err != nil {
		return nil, err
	}
	if err := m.synth.CheckVoice(ctx, v); err != nil {
		return nil, err
	}
	var wav []byte
	err = m.gens.InTurn(ctx, "preview", func(ctx context.Context) (err error) {
		wav, err = m.speakPreview(ctx, profile, v)
		return err
	})
	return wav, err
}

// Hear returns a short text in the voice of a profile as a WAV file. Errors: those of Submit and of speaking.
func (m *localMaker) Hear(ctx context.Context, r Request, profile backend.Profile) ([]byte, error) {
	j, err := m.Prepare(ctx, r, profile)
	if err != nil {
		return nil, err
	}
	v := j.Plan.Voice
	if err := m.synth.CheckVoice(ctx, v); err != nil {
		return nil, err
	}
	model, err := m.o.Models.Model(v.Model)
	if err != nil {
		return nil, err
	}
	lines, err := m.synth.Lines(ctx, j.Plan, engines.Info{TextFeatures: model.TextFeatures})
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(l backend.ReceiptChunk) bool { return !text.Speakable(l.Spoken) })
	if len(lines) == 0 {
		return nil, speech.ErrNothing
	}
	var wav []byte
	err = m.gens.InTurn(ctx, "preview", func(ctx context.Context) error {
		sound, err := m.synth.SpeakLines(ctx, lines, v, j.Plan.Speed)
		if err != nil {
			return err
		}
		wav, err = levelledWAV(ctx, sound)
		return err
	})
	return wav, err
}

func (m *localMaker) speakPreview(ctx context.Context, profile backend.Profile, v speech.Voice) ([]byte, error) {
	sound, err := m.synth.SpeakSentence(ctx, profile, v)
	if err != nil {
		return nil, err
	}
	return levelledWAV(ctx, sound)
}

// levelledWAV returns a WAV file at the usual level. Error: ErrSilent.
func levelledWAV(ctx context.Context, sound audio.Buffer) ([]byte, error) {
	if audible, err := audio.Normalize(ctx, sound); err != nil {
		return nil, err
	} else if !audible {
		return nil, speech.ErrSilent
	}
	return audio.PCM16(audio.WAVHeader(sound.Rate, sound.Channels, uint32(2*len(sound.Samples))), sound.Samples), nil
}
