package studiotest

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// Clones are the cloned profiles of a lab.
type Clones struct {
	Models   *ModelSet         // with the model "mimic"
	Keys     map[string]string // of the references, by the id of the profile
	Recorded []backend.Sample  // of every profile
}

// CloneModel returns the model of a profile, which is the mimic where it names none.
func (c *Clones) CloneModel(p backend.Profile, _ string) (engines.Model, error) {
	if p.ModelName == "" {
		return c.Models.Model("mimic")
	}
	return c.Models.Model(p.ModelName)
}

// Reference returns the recording of a profile: a tone of 400 Hz.
func (c *Clones) Reference(_ context.Context, id string, rules engines.CloneRules) (engines.Reference, error) {
	key, ok := c.Keys[id]
	if !ok {
		return engines.Reference{}, engines.NoReference("Mimic")
	}
	return engines.Reference{Key: key + "/" + string(rune('0'+int(rules.Over))), Audio: func(context.Context) (audio.Buffer, error) {
		return voiced(400), nil
	}}, nil
}

// Samples returns what was recorded.
func (c *Clones) Samples(context.Context, string) ([]backend.Sample, error) { return c.Recorded, nil }

// Mimic is a cloning engine.
type Mimic struct {
	engines.Speaker
	Heard    []engines.Utterance // all that it was told to speak
	Runaways int                 // how many of the next utterances never end
	Silent   bool                // nothing of a runaway is heard
}

// Info says that the engine clones, and speaks one utterance at a time.
func (m *Mimic) Info() engines.Info {
	info := m.Speaker.Info()
	info.Clones, info.Concurrency = &engines.CloneRules{Over: 5}, 1
	return info
}

// Forget does nothing: a mimic keeps no voice.
func (m *Mimic) Forget(string) {}

// Speak speaks as its Speaker does, unless the utterance is a runaway.
func (m *Mimic) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	m.Heard = append(m.Heard, u)
	if m.Runaways > 0 {
		m.Runaways--
		if m.Silent {
			return engines.Runaway("speak", 100)
		}
		if err := emit(audio.Buffer{Samples: make([]float32, 100), Rate: m.Info().SampleRate, Channels: 1}); err != nil {
			return err
		}
		return engines.Runaway("speak", 100)
	}
	return m.Speaker.Speak(ctx, u, emit)
}

// NewWithClones returns a lab with the cloned profile Ann, whose sample has the key "ann".
func NewWithClones(t *testing.T) (*Lab, *Mimic, *Clones) {
	m := &Mimic{Speaker: AnyVoice{enginetest.NewFixture(enginetest.FixtureOptions{})}}
	c := &Clones{Keys: map[string]string{}}
	l := New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *Lab) {
		c.Models = l.Models
		l.Models.ByName["mimic"] = engines.Model{
			Name: "mimic", DisplayName: "Mimic", Engine: "mimic", Languages: []string{"en"}, Clones: &engines.CloneRules{Over: 5},
		}
		l.Models.Speakers["mimic"] = m
		l.Options.Clones = c
	})
	var err error
	l.Profile, err = l.DB.Create(t.Context(), backend.Profile{Name: "Ann", Language: "en", VoiceType: backend.VoiceCloned})
	require.NoError(t, err)
	c.Keys[l.Profile.ID] = "ann"
	return l, m, c
}

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
