package generations_test

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestPreview(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	running := l.Submit("Something long is running.")
	<-entered
	open()
	raw, err := l.Generations.Previews.Preview(t.Context(), l.Profile.ID)
	require.NoError(t, err)
	b, err := audio.ReadWAV(bytes.NewReader(raw))
	require.NoError(t, err)
	require.Greater(t, b.Duration(), time.Second)
	m := audio.NewMeter(b.Rate, b.Channels)
	m.Write(b.Samples)
	lufs, _ := m.Integrated()
	require.InDelta(t, -16, lufs, 0.5)
	l.Becomes(running.ID, backend.StatusComplete)
	list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Equal(t, 1, list.Total, "a preview is not in the history")

	_, err = l.Generations.Previews.Preview(t.Context(), "nobody")
	backendtest.RequireCode(t, backend.CodeProfileNotFound, err)
	closed, leave := context.WithCancel(t.Context())
	leave()
	_, err = l.Generations.Previews.Preview(closed, l.Profile.ID)
	require.Error(t, err)
}

// TestHearAText speaks a text of one's own, with the pronunciations and at the speed that were asked for.
func TestHearAText(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	length := func(r generations.Request) time.Duration {
		r.ProfileID = l.Profile.ID
		raw, err := l.Generations.Previews.Hear(t.Context(), r)
		require.NoError(t, err)
		b, err := audio.ReadWAV(bytes.NewReader(raw))
		require.NoError(t, err)
		return b.Duration()
	}
	usual := length(generations.Request{Text: "The lamp was lit by hand. She climbed the stairs."})
	require.Greater(t, usual, time.Second)
	fast := length(generations.Request{
		Text: "The lamp was lit by hand. She climbed the stairs.", GenerateOptions: backend.GenerateOptions{Speed: new(2.0)},
	})
	require.Less(t, fast, usual)
	list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Zero(t, list.Total, "what is heard is not in the history")
	_, err = l.Generations.Previews.Hear(t.Context(), generations.Request{Text: "* * *", ProfileID: l.Profile.ID})
	backendtest.RequireCode(t, backend.CodeNothingToSpeak, err)
	_, err = l.Generations.Previews.Hear(t.Context(), generations.Request{Text: "Hello.", ProfileID: "nobody"})
	backendtest.RequireCode(t, backend.CodeProfileNotFound, err)
}

// TestPreviewWaitsItsTurn requests previews while an engine that takes one caller speaks.
func TestPreviewWaitsItsTurn(t *testing.T) {
	single := &singleCaller{Speaker: enginetest.NewFixture(enginetest.FixtureOptions{Delay: time.Millisecond})}
	l := studiotest.New(t, single)
	running := l.Submit(studiotest.LongSentence(10))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			raw, err := l.Generations.Previews.Preview(t.Context(), l.Profile.ID)
			assert.NoError(t, err)
			assert.NotEmpty(t, raw)
		})
	}
	all.Wait()
	l.Becomes(running.ID, backend.StatusComplete)
	require.EqualValues(t, 1, single.highest.Load(), "callers of the engine at once")
}

// singleCaller counts how many speak at once.
type singleCaller struct {
	engines.Speaker
	now, highest atomic.Int64
}

func (s *singleCaller) Info() engines.Info {
	info := s.Speaker.Info()
	info.Concurrency = 1
	return info
}

func (s *singleCaller) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	s.highest.Store(max(s.highest.Load(), s.now.Add(1)))
	defer s.now.Add(-1)
	return s.Speaker.Speak(ctx, u, emit)
}

func TestPreviewDownloadsNothing(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) { l.Models.Missing = studiotest.BuiltIn })
	_, err := l.Generations.Previews.Preview(t.Context(), l.Profile.ID)
	backendtest.RequireCode(t, backend.CodeModelNotDownloaded, err)
	l.Speak(l.Request("A generation may."))
}

func TestPreviewSpeaksTheProfilesLanguage(t *testing.T) {
	gate, entered, open := studiotest.Gated()
	open()
	l := studiotest.New(t, gate)
	said := map[string]string{}
	for _, language := range []string{"en", "de", "zh"} {
		p, err := l.DB.Create(t.Context(), backend.Profile{Name: language, Language: language, VoiceType: backend.VoiceDefault})
		require.NoError(t, err)
		_, err = l.Generations.Previews.Preview(t.Context(), p.ID)
		require.NoError(t, err)
		said[language] = (<-entered).Text
	}
	require.Contains(t, said["de"], "Hallo")
	require.Contains(t, said["en"], "Hello")
	require.Equal(t, said["en"], said["zh"], "the default where we have no words")
}
