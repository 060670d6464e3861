package speech

import (
	"context"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// Recorded returns the job of an ended generation, as far as listeners need it.
func (m *localMaker) Recorded(_ context.Context, g backend.Generation) (*job, error) {
	j := newJob(g)
	j.plan, j.maker = levelledAs(g.Request), m
	j.plan.voice = voice{model: g.ModelName, engine: g.Engine, id: g.Voice, language: g.Language}
	return j, nil
}

// Replay joins the finished chunks of an ended generation for its listeners.
func (m *localMaker) Replay(ctx context.Context, j *job) error {
	f, err := os.Open(m.synth.journalPath(j.g.ID))
	if err != nil {
		return backend.FileError("open the finished chunks", "the data directory", err)
	}
	defer func() { _ = f.Close() }()
	stored := &journal{file: f}
	if err := stored.read(); err != nil {
		return backend.FileError("read the finished chunks", "the data directory", err)
	}
	return m.replayJournal(ctx, j, stored)
}

func (m *localMaker) replayJournal(ctx context.Context, j *job, stored *journal) error {
	segments, rate, channels := stored.first()
	if rate == 0 {
		return nil // they are silent
	}
	sp, err := newSpool(m.synth.TempDir(), j.g.ID, rate, channels)
	if err != nil {
		return err
	}
	j.live.begin(sp)
	t := newTrack(rate, channels, j.plan.crossfade, sp.write)
	for _, seg := range segments {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		if err := stored.replay(seg.Key, t.next(segment{line: seg.Line, asked: seg.Asked, own: seg.Own})); err != nil {
			return err
		}
		if len(t.parts) > 0 && sp.length() > 0 {
			j.live.addSpan(t.lastChunk())
			j.live.letListen()
		}
	}
	return t.end(0)
}

// Level returns the level at which a job is heard before its audio is complete: the one at which its voice was measured last, else
// one by the loudness of what there is, if there is some.
func (m *localMaker) Level(ctx context.Context, j *job, made sound) (level, error) {
	known, ok, err := m.synth.o.Levels.VoiceLevel(ctx, j.plan.voice.model, j.plan.voice.id)
	if made == nil {
		return j.plan.levelOfVoice(known, ok && err == nil), nil
	}
	if err != nil || !ok {
		if known, ok, err = loudnessSoFar(ctx, made); err != nil {
			return level{}, err
		}
	}
	return j.plan.levelOfVoice(known, ok), nil
}

// Spoken returns how a job will be spoken.
func (m *localMaker) Spoken(ctx context.Context, j *job) (Spoken, error) {
	model, err := m.gens.o.Models.Model(j.plan.voice.model)
	if err != nil {
		return Spoken{}, err
	}
	lines, err := m.synth.lines(ctx, j.plan, engines.Info{TextFeatures: model.TextFeatures})
	if err != nil {
		return Spoken{}, err
	}
	if !slices.ContainsFunc(lines, func(l backend.ReceiptChunk) bool { return text.Speakable(l.Spoken) }) {
		return Spoken{}, errNothing
	}
	out := Spoken{Sentences: []string{}, Chunks: []string{}, Dropped: []string{}, Shortened: j.plan.shortened(), Pauses: j.plan.silences(lines)}
	receipt := backend.Receipt{Chunks: lines}
	receipt.Sum()
	for _, l := range lines {
		for _, sentence := range text.Sentences(l.Text) {
			out.Sentences = append(out.Sentences, strings.TrimSpace(sentence))
		}
		out.Chunks = append(out.Chunks, l.Text)
	}
	out.Spoken, out.Dropped, out.Note = receipt.SpokenText, receipt.DroppedTags, model.Note(j.plan.voice.language)
	out.Seconds = m.gens.estimate(ctx, j, out.Spoken, out.Pauses)
	if out.Phonemes, err = m.phonemes(ctx, j.plan.voice, out.Spoken); ctx.Err() != nil {
		return Spoken{}, backend.ErrCancelled.WithCause(ctx.Err())
	} else if err != nil {
		m.gens.o.Log.Debug("find the phonemes of a preview", "error", err)
	}
	return out, nil
}

// phonemes converts sentence by sentence, so that running jobs do not wait for a long text.
func (m *localMaker) phonemes(ctx context.Context, v voice, spoken string) (string, error) {
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
		said, err := m.gens.o.Phonemes(ctx, v.engine, v.language, sentence)
		if err != nil {
			return "", err
		}
		all = append(all, said)
	}
	return strings.Join(all, " "), nil
}

// Preview returns a short sentence in the voice of a profile as a WAV file.
func (m *localMaker) Preview(ctx context.Context, profile backend.Profile) ([]byte, error) {
	v, err := m.synth.resolve(backend.GenerateOptions{}, profile)
	if err != nil {
		return nil, err
	}
	if err := m.synth.checkClone(ctx, v); err != nil {
		return nil, err
	}
	var wav []byte
	err = m.gens.inTurn(ctx, "preview", func(ctx context.Context) (err error) {
		wav, err = m.speakPreview(ctx, profile, v)
		return err
	})
	return wav, err
}

func (m *localMaker) speakPreview(ctx context.Context, profile backend.Profile, v voice) ([]byte, error) {
	made, err := m.synth.speakSentence(ctx, profile, v)
	if err != nil {
		return nil, err
	}
	if heard, err := audio.Normalize(ctx, made); err != nil {
		return nil, err
	} else if !heard {
		return nil, errSilent
	}
	return audio.PCM16(audio.WAVHeader(made.Rate, made.Channels, uint32(2*len(made.Samples))), made.Samples), nil
}
