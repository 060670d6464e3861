package scripts_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestScript(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Models.Speakers[studiotest.Robot] = studiotest.AnyVoice{Speaker: enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 48000})}
	})
	r := l.Script("Who is there?", "Nobody at all.", "Good.")
	r.Turns[1].Voice = studiotest.Robot + ":0"
	s, err := l.Scripts.Script(t.Context(), r)
	require.NoError(t, err)
	require.Len(t, s.Turns, 3)
	require.Equal(t, 48000, s.SampleRate, "the highest rate of the turns")
	total := 0.6
	for _, g := range s.Turns {
		require.Equal(t, backend.StatusComplete, g.Status)
		total += g.Duration
	}
	require.InDelta(t, total, s.Duration, 0.001)
	sound := studiotest.ReadWAV(t, s.AudioPath)
	require.Equal(t, 48000, sound.Rate)
	require.InDelta(t, total, sound.Duration().Seconds(), 0.001)
	path, err := l.Generations.Archive.AudioFile(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, s.AudioPath, path)

	list, err := l.Scripts.List(t.Context(), backend.Page{}, false)
	require.NoError(t, err)
	require.Equal(t, s, list.Items[0])
	stored, err := l.Scripts.StoredScript(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, s, stored)

	_, err = l.Takes.RegenerateChunk(t.Context(), s.Turns[0].ID, 0, nil, true)
	require.NoError(t, err)
	again, err := l.Scripts.JoinScript(t.Context(), s.ID)
	require.NoError(t, err)
	require.NotEqual(t, sound.Samples, studiotest.ReadWAV(t, again.AudioPath).Samples, "it has the new take")

	require.NoError(t, l.Scripts.DeleteScript(t.Context(), s.ID))
	require.NoFileExists(t, s.AudioPath)
	require.FileExists(t, s.Turns[1].AudioPath)
	_, err = l.Scripts.StoredScript(t.Context(), s.ID)
	backendtest.RequireCode(t, backend.CodeScriptNotFound, err)
}

// TestScriptGoesOnAfterAFailedTurn keeps what was made and joins after a retry.
func TestScriptGoesOnAfterAFailedTurn(t *testing.T) {
	broken := true
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	l := studiotest.New(t, studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		if broken && u.Text == "Two." {
			return backend.E(backend.CodeEngineFailed, "The graph gave NaN.", "Try another seed.")
		}
		return f.Speak(ctx, u, emit)
	}})
	given, err := l.Scripts.Script(t.Context(), l.Script("One.", "Two.", "Three."))
	e := backendtest.Failure(t, backend.CodeEngineFailed, err)
	id, _ := e.Params["script_id"].(string)
	require.Equal(t, id, given.ID, "it is stored")
	turn, _ := e.Params["generation_id"].(string)
	s, err := l.Scripts.StoredScript(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, backend.StatusComplete, s.Turns[2].Status, "a failed turn holds up no other")
	_, err = l.Scripts.JoinScript(t.Context(), id)
	require.Equal(t, 1, backendtest.Failure(t, backend.CodeNotInProgress, err).Params["turn"])
	_, err = l.Generations.Archive.AudioFile(t.Context(), id)
	require.Error(t, err)

	broken = false
	_, err = l.Generations.Retry(t.Context(), turn, nil)
	require.NoError(t, err)
	l.Becomes(turn, backend.StatusComplete)
	s, err = l.Scripts.JoinScript(t.Context(), id)
	require.NoError(t, err)
	require.Positive(t, s.Duration)

	require.NoError(t, os.Remove(s.Turns[0].AudioPath))
	_, err = l.Scripts.JoinScript(t.Context(), id)
	backendtest.RequireCode(t, backend.CodeAudioMissing, err)
	_, err = l.Generations.Archive.Delete(t.Context(), []string{turn})
	require.NoError(t, err)
	_, err = l.Scripts.JoinScript(t.Context(), id)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
}

func TestScriptMistakes(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	_, err := l.Scripts.Script(t.Context(), l.Script())
	backendtest.RequireInvalid(t, "too_short", "turns", err)
	_, err = l.Scripts.Script(t.Context(), l.Script(make([]string, scripts.MaxTurns+1)...))
	backendtest.RequireInvalid(t, "too_long", "turns", err)
	_, err = l.Scripts.Script(t.Context(), l.Script("Good.", "  "))
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, []string{"body", "turns", "1", "text"}, invalid.Fields[0].Loc)
	_, err = l.Scripts.Script(t.Context(), l.Script("Good.", "..."))
	require.Equal(t, 1, backendtest.Failure(t, backend.CodeNothingToSpeak, err).Params["turn"])
	list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Zero(t, list.Total, "nothing was begun")
}

func TestSubmitScript(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	told := make(chan error, 1)
	r := l.Script("One.", "Two.")
	r.Ended = func(id string, err error) {
		now, lost := l.Scripts.StoredScript(t.Context(), id)
		if err == nil && (lost != nil || now.AudioPath == "") {
			err = errors.New("told before it was stored")
		}
		told <- err
	}
	s, err := l.Scripts.SubmitScript(t.Context(), r)
	require.NoError(t, err)
	require.Len(t, s.Turns, 2)
	require.Empty(t, s.AudioPath)
	<-entered
	require.Empty(t, told)
	open()
	require.NoError(t, <-told)
}

func TestCancelledScript(t *testing.T) {
	engine, entered, _ := studiotest.Gated()
	l := studiotest.New(t, engine)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-entered
		cancel()
	}()
	_, err := l.Scripts.Script(ctx, l.Script("One.", "Two.", "Three."))
	backendtest.RequireCode(t, backend.CodeCancelled, err)
	list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.NotEmpty(t, list.Items)
	for _, g := range list.Items {
		require.Equal(t, backend.StatusCancelled, g.Status)
	}
}

// TestScriptThatTheQueueCannotTake leaves nothing behind.
func TestScriptThatTheQueueCannotTake(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine, func(l *studiotest.Lab) { l.Options.QueueLimit = 3 })
	l.Submit("First.")
	<-entered
	_, err := l.Scripts.Script(t.Context(), l.Script("One.", "Two.", "Three.", "Four."))
	backendtest.RequireCode(t, backend.CodeQueueFull, err)
	list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Equal(t, 1, list.Total)
	scripts, err := l.Scripts.List(t.Context(), backend.Page{}, false)
	require.NoError(t, err)
	require.Empty(t, scripts.Items)
	open()
}
