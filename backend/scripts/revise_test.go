package scripts_test

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// scriptLab is a lab that counts what is spoken.
type scriptLab struct {
	*studiotest.Lab
	spoken atomic.Int64
	broken atomic.Value // the text that cannot be spoken
}

func newScriptLab(t *testing.T) *scriptLab {
	t.Helper()
	l := &scriptLab{}
	l.broken.Store("")
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	l.Lab = studiotest.New(t, studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		l.spoken.Add(1)
		if u.Text == l.broken.Load() {
			return backend.E(backend.CodeEngineFailed, "The graph gave NaN.", "Try another seed.")
		}
		return f.Speak(ctx, u, emit)
	}})
	return l
}

// revise revises a script and waits for its end.
func (l *scriptLab) revise(id string, r scripts.Request) (backend.ScriptWithTurns, scripts.Revision, error) {
	l.T.Helper()
	ended := make(chan error, 1)
	r.Ended = func(_ string, err error) { ended <- err }
	s, made, err := l.Scripts.ReviseScript(l.T.Context(), id, r)
	require.NoError(l.T, err)
	select {
	case err = <-ended:
	case <-time.After(studiotest.WaitLimit):
		l.T.Fatal("the revision does not end")
	}
	return s, made, err
}

func (l *scriptLab) stored(id string) backend.ScriptWithTurns {
	l.T.Helper()
	s, err := l.Scripts.StoredScript(l.T.Context(), id)
	require.NoError(l.T, err)
	return s
}

func texts(s backend.ScriptWithTurns) (out []string) {
	for _, g := range s.Turns {
		out = append(out, g.Text)
	}
	return out
}

// joinedFiles are the files in the folder of scripts.
func (l *scriptLab) joinedFiles(s backend.ScriptWithTurns) (names []string) {
	l.T.Helper()
	list, err := os.ReadDir(filepath.Dir(s.AudioPath))
	require.NoError(l.T, err)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestReviseScript speaks what is new only, and goes back one step.
func TestReviseScript(t *testing.T) {
	l := newScriptLab(t)
	first, err := l.Scripts.Script(t.Context(), l.Script("One.", "Two.", "Three.", "Two."))
	require.NoError(t, err)
	before, err := os.ReadFile(first.AudioPath)
	require.NoError(t, err)
	l.spoken.Store(0)

	answer, made, err := l.revise(first.ID, l.Script("Three.", "One.", "New.", "Two."))
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 3, Generated: 1, Removed: 1}, made)
	require.EqualValues(t, 1, l.spoken.Load())
	require.Equal(t, []string{"Three.", "One.", "New.", "Two."}, texts(answer), "the answer has the new turns")
	now := l.stored(first.ID)
	require.Equal(t, texts(answer), texts(now))
	require.Equal(t, []string{first.Turns[2].ID, first.Turns[0].ID, answer.Turns[2].ID, first.Turns[1].ID}, now.Generations)
	require.NotNil(t, now.Previous)
	total := 0.9
	for _, g := range now.Turns {
		total += g.Duration
	}
	require.InDelta(t, total, studiotest.ReadWAV(t, now.AudioPath).Duration().Seconds(), 0.001)

	// Another order and other pauses need no speech.
	r := l.Script("One.", "Three.", "New.", "Two.")
	r.Gap = time.Second
	_, made, err = l.revise(first.ID, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 4}, made)
	require.EqualValues(t, 1, l.spoken.Load())
	_, err = l.Generations.Generation(t.Context(), first.Turns[3].ID)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err) // one step back does not reach it any longer
	require.Len(t, l.joinedFiles(now), 2)

	// The same again changes nothing, and keeps the way back.
	same := l.stored(first.ID)
	file, err := os.Stat(same.AudioPath)
	require.NoError(t, err)
	_, made, err = l.revise(first.ID, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 4}, made)
	require.Equal(t, same, l.stored(first.ID))
	again, err := os.Stat(same.AudioPath)
	require.NoError(t, err)
	require.True(t, os.SameFile(file, again), "the file is not joined again")

	// Another title is a change, and a file that is missing is made.
	r.Title = "Named"
	require.NoError(t, os.Remove(same.AudioPath))
	_, _, err = l.revise(first.ID, r)
	require.NoError(t, err)
	require.Equal(t, "Named", l.stored(first.ID).Title)
	require.NoError(t, os.Remove(same.AudioPath))
	_, _, err = l.revise(first.ID, r)
	require.NoError(t, err)
	require.FileExists(t, same.AudioPath)

	back, err := l.Scripts.UndoRevision(t.Context(), first.ID)
	require.NoError(t, err)
	require.Equal(t, now.Generations, back.Generations)
	require.Equal(t, 300, back.GapMS)
	require.InDelta(t, total, studiotest.ReadWAV(t, back.AudioPath).Duration().Seconds(), 0.001)
	require.Len(t, l.joinedFiles(back), 1)
	_, err = l.Scripts.UndoRevision(t.Context(), first.ID)
	backendtest.RequireCode(t, backend.CodeNothingToUndo, err)

	// The first version, again from what is left of it.
	_, made, err = l.revise(first.ID, l.Script("One.", "Two.", "Three.", "Two."))
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 3, Generated: 1, Removed: 1}, made)
	after, err := os.ReadFile(l.stored(first.ID).AudioPath)
	require.NoError(t, err)
	require.Len(t, after, len(before))

	list, err := l.Scripts.List(t.Context(), backend.Page{}, false)
	require.NoError(t, err)
	require.Len(t, list.Items, 1, "it is one entry however often it is generated")
	require.NoError(t, l.Scripts.DeleteScript(t.Context(), first.ID))
	require.Empty(t, l.joinedFiles(now))
	_, err = l.Generations.Generation(t.Context(), answer.Turns[2].ID)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err) // only the version before had it
}

// TestRevisionJoinsNewTakes joins a script again whose turns and words are the same, but not their audio.
func TestRevisionJoinsNewTakes(t *testing.T) {
	l := newScriptLab(t)
	first, err := l.Scripts.Script(t.Context(), l.Script("One.", "Two."))
	require.NoError(t, err)
	_, err = l.Takes.RegenerateChunk(t.Context(), first.Turns[0].ID, 0, nil, true)
	require.NoError(t, err)
	_, made, err := l.revise(first.ID, l.Script("One.", "Two."))
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 2}, made)
	now := l.stored(first.ID)
	require.Equal(t, []string{now.Turns[0].Receipt.AudioSHA256, first.Joined[1]}, now.Joined)
	require.NotEqual(t, first.Joined[0], now.Joined[0])
}

// TestFailedRevision leaves the old version whole, and speaks nothing twice afterwards.
func TestFailedRevision(t *testing.T) {
	l := newScriptLab(t)
	first, err := l.Scripts.Script(t.Context(), l.Script("One.", "Two."))
	require.NoError(t, err)
	before, err := os.ReadFile(first.AudioPath)
	require.NoError(t, err)
	l.broken.Store("Four.")
	answer, _, err := l.revise(first.ID, l.Script("One.", "Three.", "Four."))
	backendtest.RequireCode(t, backend.CodeEngineFailed, err)
	now := l.stored(first.ID)
	require.Equal(t, []string{"One.", "Two."}, texts(now))
	require.Equal(t, first.AudioPath, now.AudioPath)
	after, err := os.ReadFile(now.AudioPath)
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.Nil(t, now.Previous)

	l.broken.Store("")
	l.spoken.Store(0)
	_, made, err := l.revise(first.ID, l.Script("One.", "Three.", "Four."))
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 2, Generated: 1, Removed: 1}, made)
	require.EqualValues(t, 1, l.spoken.Load())
	require.Equal(t, answer.Turns[1].ID, l.stored(first.ID).Generations[1])
	_, err = l.Generations.Generation(t.Context(), answer.Turns[2].ID)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err) // the failed one

	// A turn whose audio is gone is spoken again, a favourite is never deleted.
	require.NoError(t, os.Remove(first.Turns[0].AudioPath))
	_, err = l.DB.PatchGeneration(t.Context(), first.Turns[1].ID, backend.GenerationPatch{Favorite: new(true)})
	require.NoError(t, err)
	_, made, err = l.revise(first.ID, l.Script("One.", "Three."))
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 1, Generated: 1, Removed: 2}, made)
	_, err = l.Generations.Generation(t.Context(), first.Turns[1].ID)
	require.NoError(t, err)
}

// TestRevisionOfABusyScript refuses a second one, and leaves the old file until the new one is there.
func TestRevisionOfABusyScript(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	ended := make(chan error, 2)
	r := l.Script("One.")
	r.Ended = func(_ string, err error) { ended <- err }
	s, err := l.Scripts.SubmitScript(t.Context(), r)
	require.NoError(t, err)
	<-entered
	_, _, err = l.Scripts.ReviseScript(t.Context(), s.ID, r)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	_, err = l.Scripts.UndoRevision(t.Context(), s.ID)
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	open()
	require.NoError(t, <-ended)
	_, _, err = l.Scripts.ReviseScript(t.Context(), "00000000-0000-7000-8000-000000000000", r)
	backendtest.RequireCode(t, backend.CodeScriptNotFound, err)
	_, _, err = l.Scripts.ReviseScript(t.Context(), s.ID, l.Script())
	backendtest.RequireInvalid(t, "too_short", "turns", err)
}

// TestRevisionWithoutItsProfile joins kept turns in another order also when their profile was deleted.
func TestRevisionWithoutItsProfile(t *testing.T) {
	l := newScriptLab(t)
	r := l.Script("One.", "Two.")
	s, err := l.Scripts.Script(t.Context(), r)
	require.NoError(t, err)
	require.NoError(t, l.DB.DeleteProfile(t.Context(), l.Profile.ID))
	r.Turns[0], r.Turns[1] = r.Turns[1], r.Turns[0]
	_, made, err := l.revise(s.ID, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 2}, made)
	r.Turns[0].Text = "Other."
	_, _, err = l.Scripts.ReviseScript(t.Context(), s.ID, r)
	require.Equal(t, 0, backendtest.Failure(t, backend.CodeProfileNotFound, err).Params["turn"])
}

// TestHostedRevisionPaysOnlyWhatChanged quotes, checks and pays the new turns alone.
func TestHostedRevisionPaysOnlyWhatChanged(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	r := scripts.Request{Turns: []generations.Request{l.HostedRequest(studiotest.Cleo, "One."), l.HostedRequest(studiotest.Cleo, "Two."), l.Request("Local.")}}
	s, err := l.Scripts.Script(t.Context(), r)
	require.NoError(t, err)
	paid := len(f.Paid())
	r.Turns[1] = l.HostedRequest(studiotest.Cleo, "Three.")
	whole, err := l.Scripts.QuoteScript(t.Context(), r)
	require.NoError(t, err)
	q, err := l.Scripts.QuoteRevision(t.Context(), s.ID, r)
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{q.Calls, whole.Calls})

	f.CheckError = backend.E(backend.CodeHostedConfirm, "Dear.", "Accept it.")
	f.Checked = nil
	_, _, err = l.Scripts.ReviseScript(t.Context(), s.ID, r)
	backendtest.RequireCode(t, backend.CodeHostedConfirm, err)
	require.Equal(t, []int{1}, f.Checked, "the changed turn alone")
	f.CheckError = nil
	require.Len(t, f.Paid(), paid)
	_, made, err := (&scriptLab{Lab: l}).revise(s.ID, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 2, Generated: 1, Removed: 1}, made)
	require.Equal(t, []string{"Three."}, f.Paid()[paid:])
}

// TestRevisionContinuesAStoppedTurn makes only what is missing of a turn that was stopped, under its id and seed.
func TestRevisionContinuesAStoppedTurn(t *testing.T) {
	engine := studiotest.NewCounting()
	l := &scriptLab{Lab: studiotest.New(t, engine)}
	long := l.Sentences(6)
	long.Seed = nil
	r := scripts.Request{Turns: []generations.Request{l.Request("A short one."), long}}
	reached := make(chan struct{}, 6)
	engine.Allow(func(text string) error {
		if studiotest.Failing(3)(text) == nil {
			return nil
		}
		reached <- struct{}{}
		return studiotest.ErrWait
	})
	ended := make(chan error, 1)
	r.Ended = func(_ string, err error) { ended <- err }
	script, err := l.Scripts.SubmitScript(t.Context(), r)
	require.NoError(t, err)
	turn := script.Turns[1].ID
	<-reached
	l.WaitForChunks(turn, 2)
	stopped, err := l.Generations.Stop(t.Context(), turn)
	require.NoError(t, err)
	require.NotNil(t, stopped.Partial)
	require.Error(t, <-ended)
	engine.Allow(nil)

	_, made, err := l.revise(script.ID, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 1, Generated: 1}, made)
	now := l.stored(script.ID)
	require.Equal(t, []string{script.Turns[0].ID, turn}, now.Generations)
	require.NotEmpty(t, now.AudioPath)
	require.Equal(t, stopped.Seed, now.Turns[1].Seed)
	require.Equal(t, 7, engine.Total(), "nothing is spoken twice: %v", engine.ByText)
}

// TestRevisionPaysTheRestOfAFailedTurn pays no part of a hosted turn again that was paid before it failed, and quotes that price.
func TestRevisionPaysTheRestOfAFailedTurn(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	f.Gate = func(_ context.Context, h backend.HostedSpeech, part int) error {
		if part == 1 {
			return backend.E(backend.HostedCode("PROVIDER_BUSY", 503), "Busy.", "Retry it.")
		}
		return nil
	}
	long := l.HostedRequest(studiotest.Cleo, "One.[pause 1s]Two.")
	long.Format = "wav"
	r := scripts.Request{Turns: []generations.Request{l.Request("Local."), long}}
	_, err := l.Scripts.Script(t.Context(), r)
	id := backendtest.Failure(t, "hosted_provider_busy", err).Params["script_id"].(string)
	require.Equal(t, []string{"One."}, f.Paid())
	f.Gate = nil

	q, err := l.Scripts.QuoteRevision(t.Context(), id, r)
	require.NoError(t, err)
	require.Equal(t, 1, q.Calls)
	f.Checked = nil
	_, made, err := (&scriptLab{Lab: l}).revise(id, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 1, Generated: 1}, made)
	require.Equal(t, []int{1}, f.Checked, "the missing part alone")
	require.Equal(t, []string{"One.", "Two."}, f.Paid())
}

// fullStore cannot store which turns a script may use.
type fullStore struct{ studio.Store }

func (fullStore) SetSpareTurns(context.Context, string, []string) error {
	return backend.E(backend.CodeInsufficientDisk, "There isn't enough disk space.", "Free some space.")
}

// TestRevisionThatCannotBeStored leaves a failed turn as it was, and no other row.
func TestRevisionThatCannotBeStored(t *testing.T) {
	f := studiotest.NewHosted(t)
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Options.Hosted, l.Options.Store = f, fullStore{l.Options.Store}
	})
	f.Gate = func(context.Context, backend.HostedSpeech, int) error {
		return backend.E(backend.HostedCode("PROVIDER_BUSY", 503), "Busy.", "Retry it.")
	}
	r := scripts.Request{Turns: []generations.Request{l.HostedRequest(studiotest.Cleo, "One."), l.Request("Local.")}}
	_, err := l.Scripts.Script(t.Context(), r)
	id := backendtest.Failure(t, "hosted_provider_busy", err).Params["script_id"].(string)
	before, err := l.Scripts.StoredScript(t.Context(), id)
	require.NoError(t, err)
	f.Gate = nil
	r.Turns = append(r.Turns, l.Request("New."))
	_, _, err = l.Scripts.ReviseScript(t.Context(), id, r)
	backendtest.RequireCode(t, backend.CodeInsufficientDisk, err)
	require.Equal(t, before.Turns[0], l.Stored(before.Turns[0].ID))
	all, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Len(t, all.Items, 2)
}
