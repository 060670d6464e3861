package local_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers/local"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
)

// modelSet is a set of models in the place of models.Manager.
type modelSet struct {
	builtIn engines.Speaker
	models  []fakeModel
	busy    atomic.Int64 // models that were acquired and not released
}

type fakeModel struct {
	engines.Model
	speaker engines.Speaker
	missing bool
	memory  int64 // bytes
	err     error // of a load
}

func (s *modelSet) Status(context.Context) []backend.ModelStatus {
	var all []backend.ModelStatus
	for _, m := range s.models {
		all = append(all, backend.ModelStatus{ModelName: m.Name, Engine: m.Engine, Downloaded: !m.missing, Supported: true})
	}
	return all
}

func (s *modelSet) BuiltIn() string { return s.builtIn.Info().Engine }

func (s *modelSet) Model(name string) (engines.Model, error) {
	if info := s.builtIn.Info(); name == info.Engine {
		return engines.Model{Name: name, Engine: name, Voices: info.Voices}, nil
	}
	for _, m := range s.models {
		if m.Name == name {
			return m.Model, nil
		}
	}
	return engines.Model{}, backend.E(backend.CodeModelUnknown, "no such model", "")
}

func (s *modelSet) AcquireDownloaded(_ context.Context, name string) (*engines.Loaded, error) {
	release := func() { s.busy.Add(-1) }
	if name == s.BuiltIn() {
		s.busy.Add(1)
		return &engines.Loaded{Speaker: s.builtIn, Model: name, Release: release}, nil
	}
	for _, m := range s.models {
		if m.Name == name && m.err == nil {
			s.busy.Add(1)
			return &engines.Loaded{Speaker: m.speaker, Model: name, Release: release, Memory: m.memory}, nil
		}
		if m.Name == name {
			return nil, m.err
		}
	}
	return nil, backend.E(backend.CodeModelUnknown, "no such model", "")
}

// model returns a downloaded model of an engine with the voices of its speaker.
func model(name, engine string, speaker engines.Speaker) fakeModel {
	return fakeModel{Model: engines.Model{Name: name, Engine: engine, Voices: speaker.Info().Voices}, speaker: speaker}
}

// hooked is a fixture whose Speak is another function, with one female and one male voice.
type hooked struct {
	*enginetest.Fixture
	speak func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error
}

func (h hooked) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	return h.speak(ctx, u, emit)
}

func fixture(o enginetest.FixtureOptions) *enginetest.Fixture {
	o.Voices = []engines.Voice{
		{ID: "af", Name: "Anna", Language: "en-US", Gender: "female"}, {ID: "bm", Name: "Bert", Language: "en-GB", Gender: "male"},
	}
	return enginetest.NewFixture(o)
}

// lab is a provider whose models are in a modelSet.
type lab struct {
	*testing.T
	*local.Provider
	modelSet *modelSet
	cores    *local.Cores
	now      time.Time

	total, free int64 // memory of the machine in bytes; 0 for not known
}

// cores is how many cores the providers of a lab share.
const cores = 2

func newLab(t *testing.T, id service.ProviderID, models ...fakeModel) *lab {
	l := &lab{T: t, modelSet: &modelSet{builtIn: espeak.New(), models: models}, now: time.Unix(1_800_000_000, 0)}
	l.cores = local.NewCores(cores)
	t.Cleanup(func() { require.Zero(t, l.modelSet.busy.Load(), "models that were not released") })
	return l.another(id)
}

// another returns another provider on the same models and cores.
func (l *lab) another(id service.ProviderID) *lab {
	other := *l
	var seed atomic.Int64
	other.Provider = local.New(local.Options{
		Provider: id, Models: l.modelSet, Cores: l.cores,
		Memory:  func() (total, free int64, ok bool) { return other.total, other.free, other.free > 0 },
		Pauses:  backend.Pauses{Sentence: 0.35, Paragraph: 0.7, Heading: 1, Scene: 1.5},
		NewSeed: func() int64 { return seed.Add(1) }, Now: func() time.Time { return other.now },
	})
	return &other
}

// voice returns the voice with this own name of the provider.
func (l *lab) voice(native string) service.Voice {
	l.Helper()
	all, err := l.Voices(l.Context())
	require.NoError(l, err)
	for _, v := range all {
		if v.Native == native {
			return v
		}
	}
	require.Failf(l, "no voice", "%s is not one of %d voices", native, len(all))
	return service.Voice{}
}

// speak speaks a text with a voice.
func (l *lab) speak(native, text string) (audio.Buffer, error) {
	l.Helper()
	return l.Speak(l.Context(), service.Speech{
		Turns: []service.Turn{{Voice: l.voice(native), Text: text}}, Settings: service.VoiceSettings{Speed: 1},
	})
}

func (l *lab) mustSpeak(native, text string) audio.Buffer {
	l.Helper()
	sound, err := l.speak(native, text)
	require.NoError(l, err)
	return sound
}
