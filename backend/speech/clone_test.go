package speech_test

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// clones are the cloned profiles of a test: the keys of their references by profile.
type clones struct {
	models  *modelSet
	keys    map[string]string
	samples []backend.Sample
}

func (c *clones) CloneModel(p backend.Profile, _ string) (engines.Model, error) {
	if p.ModelName == "" {
		return c.models.Model("mimic")
	}
	return c.models.Model(p.ModelName)
}

func (c *clones) Reference(_ context.Context, id string, rules engines.CloneRules) (engines.Reference, error) {
	key, ok := c.keys[id]
	if !ok {
		return engines.Reference{}, engines.NoReference("Mimic")
	}
	return engines.Reference{Key: key + "/" + string(rune('0'+int(rules.Over))), Audio: func(context.Context) (audio.Buffer, error) {
		return voiced(400), nil
	}}, nil
}

func (c *clones) Samples(context.Context, string) ([]backend.Sample, error) { return c.samples, nil }

// voiced returns three seconds of a tone with overtones, as a voice has them.
func voiced(hz float64) audio.Buffer {
	const rate = 24000
	b := audio.Buffer{Rate: rate, Channels: 1, Samples: make([]float32, 3*rate)}
	for i := range b.Samples {
		t := float64(i) / rate
		for k := 1.0; k <= 5; k++ {
			b.Samples[i] += float32(0.1 / k * math.Sin(2*math.Pi*hz*k*t))
		}
	}
	return b
}

// mimic is a cloning engine. Its first runaways utterances never end, and are heard unless silent is set.
type mimic struct {
	engines.Speaker
	heard    []engines.Utterance
	runaways int
	silent   bool
}

func (m *mimic) Info() engines.Info {
	info := m.Speaker.Info()
	info.Clones, info.Concurrency = &engines.CloneRules{Over: 5}, 1
	return info
}

func (m *mimic) Forget(string) {}

func (m *mimic) Speak(ctx context.Context, u engines.Utterance, emit emitFunc) error {
	m.heard = append(m.heard, u)
	if m.runaways > 0 {
		m.runaways--
		if m.silent {
			return engines.Runaway("speak", 100)
		}
		if err := emit(audio.Buffer{Samples: make([]float32, 100), Rate: m.Info().SampleRate, Channels: 1}); err != nil {
			return err
		}
		return engines.Runaway("speak", 100)
	}
	return m.Speaker.Speak(ctx, u, emit)
}

// newCloneLab returns a lab with the cloned profile Ann, whose sample has the key "ann".
func newCloneLab(t *testing.T) (*lab, *mimic, *clones) {
	m := &mimic{Speaker: anyVoice{fixture(enginetest.FixtureOptions{})}}
	c := &clones{keys: map[string]string{}}
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		c.models = l.modelSet
		l.modelSet.models["mimic"] = engines.Model{
			Name: "mimic", DisplayName: "Mimic", Engine: "mimic", Languages: []string{"en"}, Clones: &engines.CloneRules{Over: 5},
		}
		l.modelSet.speakers["mimic"] = m
		l.options.Clones = c
	})
	var err error
	l.profile, err = l.db.Create(t.Context(), backend.Profile{Name: "Ann", Language: "en", VoiceType: backend.VoiceCloned})
	require.NoError(t, err)
	c.keys[l.profile.ID] = "ann"
	return l, m, c
}

func TestClonedVoiceSpeaks(t *testing.T) {
	l, m, _ := newCloneLab(t)
	g := l.speak(l.request("One two. Three four."))
	require.Len(t, m.heard, 2)
	for _, u := range m.heard {
		require.Equal(t, "ann/5", u.Reference.Key, "the sample by the rules of the model")
		require.Empty(t, u.Voice)
		require.Equal(t, "en", u.Language)
	}
	require.Equal(t, "clone:"+l.profile.ID, g.Voice)
	require.Equal(t, "mimic", g.ModelName)
	raw, err := os.ReadFile(g.AudioPath)
	require.NoError(t, err)
	require.Contains(t, string(raw), "synthetic speech made by Voicewright, cloned voice Ann")
	require.InDelta(t, g.Duration, readWAV(t, g.AudioPath).Duration().Seconds(), 1e-6, "the tags are not heard")
	require.EqualValues(t, len(raw)-8, binary.LittleEndian.Uint32(raw[4:]), "the size of the file")
	again, err := l.service.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
	require.NoError(t, err)
	require.Equal(t, 2, again.Chunks[0].Takes)
	require.Equal(t, "ann/5", m.heard[len(m.heard)-1].Reference.Key)
	_, err = l.service.Generations.Preview(t.Context(), l.profile.ID)
	require.NoError(t, err)
	require.Equal(t, "ann/5", m.heard[len(m.heard)-1].Reference.Key)
}

func TestClonedVoiceIsRefused(t *testing.T) {
	l, m, c := newCloneLab(t)
	fails := func(code backend.Code, change func(*generations.Request)) {
		t.Helper()
		r := l.request("Hello.")
		change(&r)
		_, err := l.service.Generations.Submit(t.Context(), r)
		require.Equal(t, code, backend.CodeOf(err), err)
	}
	fails(backend.CodeLanguageNotSupported, func(r *generations.Request) { r.Language = "fr" })
	fails(backend.CodeEngineMismatch, func(r *generations.Request) { r.ModelName = robot })
	fails(backend.CodeModelUnknown, func(r *generations.Request) { r.ModelName = "gone" })
	c.keys = nil
	fails(backend.CodeEngineMismatch, func(*generations.Request) {})
	_, err := l.service.Generations.Preview(t.Context(), l.profile.ID)
	require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err))
	require.Empty(t, m.heard)
	list, err := l.db.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Zero(t, list.Total, "what cannot be spoken leaves no row")
}

// TestRunawayIsTakenAgain speaks a sentence whose end the model does not find once more, with another seed.
func TestRunawayIsTakenAgain(t *testing.T) {
	l, m, _ := newCloneLab(t)
	whole := l.speak(l.request("One two. Three four.")).Duration
	m.heard, m.runaways = nil, 1
	g := l.speak(l.request("One two. Three four."))
	require.Len(t, m.heard, 3)
	require.NotEqual(t, m.heard[0].Seed, m.heard[1].Seed)
	require.InDelta(t, whole, g.Duration, 1e-9, "nothing of the runaway is in the audio")

	m.heard, m.runaways = nil, 2
	_, err := l.service.Generations.Generate(t.Context(), l.request("One two."))
	require.True(t, engines.IsRunaway(err), err)
	require.Len(t, m.heard, 2, "one retake")
	require.Equal(t, "Regenerate it, or divide the sentence into shorter ones.", backend.AsError(err).Remedy)
}

// TestStreamedRunaway: the first sentence of a stream is heard while it is spoken, so it is taken again only while nothing was.
func TestStreamedRunaway(t *testing.T) {
	l, m, _ := newCloneLab(t)
	m.runaways, m.silent = 1, true
	require.NotEmpty(t, l.streamed(l.request("One two.")).Samples)
	require.Len(t, m.heard, 2)
	require.NotEqual(t, m.heard[0].Seed, m.heard[1].Seed)

	m.heard, m.runaways, m.silent = nil, 1, false
	_, err := l.service.Generations.Stream(t.Context(), l.request("One two."))
	require.True(t, engines.IsRunaway(err), err)
	require.Len(t, m.heard, 1)
}

// TestSimilarity hears the preview sentence and compares it with the sample.
func TestSimilarity(t *testing.T) {
	l, m, c := newCloneLab(t)
	c.samples = []backend.Sample{{Seconds: 6, LevelLUFS: -21, Transcript: "One two three four five six."}, {Seconds: 9, LevelLUFS: -3}}
	_, err := l.service.Proof.Similarity(t.Context(), l.profile.ID, "")
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err))
	require.Empty(t, m.heard)
	text := backend.PreviewSentence("en")
	l.modelSet.hear = func(context.Context, []float32) (string, error) { return text, nil }
	got, err := l.service.Proof.Similarity(t.Context(), l.profile.ID, "tiny")
	require.NoError(t, err)
	require.Equal(t, "ann/5", m.heard[0].Reference.Key)
	require.Equal(t, text, got.Text)
	require.Equal(t, text, got.Heard)
	require.Zero(t, got.WER)
	require.Equal(t, "tiny", got.ModelName)
	require.InDelta(t, -21, *got.SampleLevelLUFS, 0, "of the first sample, as the others are matched to it")
	require.InDelta(t, 60, *got.SampleWordsPerMinute, 1e-9)
	require.InDelta(t, 400, *got.SamplePitchHz, 8)
	require.Greater(t, *got.WordsPerMinute, 0.0)
	require.Less(t, *got.LevelLUFS, 0.0)

	l.modelSet.hear = func(context.Context, []float32) (string, error) { return "nothing of it", nil }
	l.verify.Limit = 0.15
	c.samples[0].Transcript = ""
	got, err = l.service.Proof.Similarity(t.Context(), l.profile.ID, "")
	require.NoError(t, err)
	require.Equal(t, 1.0, got.WER)
	require.Equal(t, backend.CloneNotUnderstood, got.Warnings[0].Code)
	require.Nil(t, got.SampleWordsPerMinute, "no transcript, no pace")

	c.samples = nil
	_, err = l.service.Proof.Similarity(t.Context(), l.profile.ID, "")
	require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err), "the last sample was deleted meanwhile")

	other, err := l.db.Create(t.Context(), backend.Profile{Name: "Robot", Language: "en", VoiceType: backend.VoiceDefault})
	require.NoError(t, err)
	_, err = l.service.Proof.Similarity(t.Context(), other.ID, "")
	require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err))
	_, err = l.service.Proof.Similarity(t.Context(), "nobody", "")
	require.Equal(t, backend.CodeProfileNotFound, backend.CodeOf(err))
}

// TestLanguageNote: what a model does badly in a language is said before and after it speaks.
func TestLanguageNote(t *testing.T) {
	l, _, c := newCloneLab(t)
	m := c.models.models["mimic"]
	m.Languages, m.Notes = []string{"en", "ru"}, map[string]string{"ru": "The stress of words is often wrong."}
	c.models.models["mimic"] = m
	for tag, note := range map[string]string{"en": "", "ru": m.Notes["ru"]} {
		r := l.request("One two.")
		r.Language = tag
		preview, err := l.service.Generations.TextPreview(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, note, preview.Note)
		require.Equal(t, note, l.speak(r).Receipt.LanguageNote)
	}
}
