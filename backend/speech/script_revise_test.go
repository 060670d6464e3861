package speech_test

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// scriptLab is a lab that counts what is spoken.
type scriptLab struct {
	*lab
	spoken atomic.Int64
	broken atomic.Value // the text that cannot be spoken
}

func newScriptLab(t *testing.T) *scriptLab {
	t.Helper()
	l := &scriptLab{}
	l.broken.Store("")
	f := fixture(enginetest.FixtureOptions{})
	l.lab = newLab(t, hooked{f, func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
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
	l.t.Helper()
	ended := make(chan error, 1)
	r.Ended = func(_ string, err error) { ended <- err }
	s, made, err := l.service.Scripts.ReviseScript(l.t.Context(), id, r)
	require.NoError(l.t, err)
	select {
	case err = <-ended:
	case <-time.After(waitLimit):
		l.t.Fatal("the revision does not end")
	}
	return s, made, err
}

func (l *scriptLab) stored(id string) backend.ScriptWithTurns {
	l.t.Helper()
	s, err := l.service.Scripts.StoredScript(l.t.Context(), id)
	require.NoError(l.t, err)
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
	l.t.Helper()
	list, err := os.ReadDir(filepath.Dir(s.AudioPath))
	require.NoError(l.t, err)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestReviseScript speaks what is new only, and goes back one step.
func TestReviseScript(t *testing.T) {
	l := newScriptLab(t)
	first, err := l.service.Scripts.Script(t.Context(), l.script("One.", "Two.", "Three.", "Two."))
	require.NoError(t, err)
	before, err := os.ReadFile(first.AudioPath)
	require.NoError(t, err)
	l.spoken.Store(0)

	answer, made, err := l.revise(first.ID, l.script("Three.", "One.", "New.", "Two."))
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
	require.InDelta(t, total, readWAV(t, now.AudioPath).Duration().Seconds(), 0.001)

	// Another order and other pauses need no speech.
	r := l.script("One.", "Three.", "New.", "Two.")
	r.Gap = time.Second
	_, made, err = l.revise(first.ID, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 4}, made)
	require.EqualValues(t, 1, l.spoken.Load())
	_, err = l.service.Generations.Generation(t.Context(), first.Turns[3].ID)
	requireCode(t, backend.CodeGenerationNotFound, err) // one step back does not reach it any longer
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

	back, err := l.service.Scripts.UndoRevision(t.Context(), first.ID)
	require.NoError(t, err)
	require.Equal(t, now.Generations, back.Generations)
	require.Equal(t, 300, back.GapMS)
	require.InDelta(t, total, readWAV(t, back.AudioPath).Duration().Seconds(), 0.001)
	require.Len(t, l.joinedFiles(back), 1)
	_, err = l.service.Scripts.UndoRevision(t.Context(), first.ID)
	requireCode(t, backend.CodeNothingToUndo, err)

	// The first version, again from what is left of it.
	_, made, err = l.revise(first.ID, l.script("One.", "Two.", "Three.", "Two."))
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 3, Generated: 1, Removed: 1}, made)
	after, err := os.ReadFile(l.stored(first.ID).AudioPath)
	require.NoError(t, err)
	require.Len(t, after, len(before))

	list, err := l.service.Scripts.List(t.Context(), backend.Page{}, false)
	require.NoError(t, err)
	require.Len(t, list.Items, 1, "it is one entry however often it is generated")
	require.NoError(t, l.service.Scripts.DeleteScript(t.Context(), first.ID))
	require.Empty(t, l.joinedFiles(now))
	_, err = l.service.Generations.Generation(t.Context(), answer.Turns[2].ID)
	requireCode(t, backend.CodeGenerationNotFound, err) // only the version before had it
}

// TestRevisionJoinsNewTakes joins a script again whose turns and words are the same, but not their audio.
func TestRevisionJoinsNewTakes(t *testing.T) {
	l := newScriptLab(t)
	first, err := l.service.Scripts.Script(t.Context(), l.script("One.", "Two."))
	require.NoError(t, err)
	_, err = l.service.Takes.RegenerateChunk(t.Context(), first.Turns[0].ID, 0, nil, true)
	require.NoError(t, err)
	_, made, err := l.revise(first.ID, l.script("One.", "Two."))
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 2}, made)
	now := l.stored(first.ID)
	require.Equal(t, []string{now.Turns[0].Receipt.AudioSHA256, first.Joined[1]}, now.Joined)
	require.NotEqual(t, first.Joined[0], now.Joined[0])
}

// TestFailedRevision leaves the old version whole, and speaks nothing twice afterwards.
func TestFailedRevision(t *testing.T) {
	l := newScriptLab(t)
	first, err := l.service.Scripts.Script(t.Context(), l.script("One.", "Two."))
	require.NoError(t, err)
	before, err := os.ReadFile(first.AudioPath)
	require.NoError(t, err)
	l.broken.Store("Four.")
	answer, _, err := l.revise(first.ID, l.script("One.", "Three.", "Four."))
	requireCode(t, backend.CodeEngineFailed, err)
	now := l.stored(first.ID)
	require.Equal(t, []string{"One.", "Two."}, texts(now))
	require.Equal(t, first.AudioPath, now.AudioPath)
	after, err := os.ReadFile(now.AudioPath)
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.Nil(t, now.Previous)

	l.broken.Store("")
	l.spoken.Store(0)
	_, made, err := l.revise(first.ID, l.script("One.", "Three.", "Four."))
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 2, Generated: 1, Removed: 1}, made)
	require.EqualValues(t, 1, l.spoken.Load())
	require.Equal(t, answer.Turns[1].ID, l.stored(first.ID).Generations[1])
	_, err = l.service.Generations.Generation(t.Context(), answer.Turns[2].ID)
	requireCode(t, backend.CodeGenerationNotFound, err) // the failed one

	// A turn whose audio is gone is spoken again, a favourite is never deleted.
	require.NoError(t, os.Remove(first.Turns[0].AudioPath))
	_, err = l.db.PatchGeneration(t.Context(), first.Turns[1].ID, backend.GenerationPatch{Favorite: new(true)})
	require.NoError(t, err)
	_, made, err = l.revise(first.ID, l.script("One.", "Three."))
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 1, Generated: 1, Removed: 2}, made)
	_, err = l.service.Generations.Generation(t.Context(), first.Turns[1].ID)
	require.NoError(t, err)
}

// TestRevisionOfABusyScript refuses a second one, and leaves the old file until the new one is there.
func TestRevisionOfABusyScript(t *testing.T) {
	engine, entered, open := gated()
	l := newLab(t, engine)
	ended := make(chan error, 2)
	r := l.script("One.")
	r.Ended = func(_ string, err error) { ended <- err }
	s, err := l.service.Scripts.SubmitScript(t.Context(), r)
	require.NoError(t, err)
	<-entered
	_, _, err = l.service.Scripts.ReviseScript(t.Context(), s.ID, r)
	requireCode(t, backend.CodeNotInProgress, err)
	_, err = l.service.Scripts.UndoRevision(t.Context(), s.ID)
	requireCode(t, backend.CodeNotInProgress, err)
	open()
	require.NoError(t, <-ended)
	_, _, err = l.service.Scripts.ReviseScript(t.Context(), "00000000-0000-7000-8000-000000000000", r)
	requireCode(t, backend.CodeScriptNotFound, err)
	_, _, err = l.service.Scripts.ReviseScript(t.Context(), s.ID, l.script())
	requireInvalid(t, "too_short", "turns", err)
}

// TestRevisionWithoutItsProfile joins kept turns in another order also when their profile was deleted.
func TestRevisionWithoutItsProfile(t *testing.T) {
	l := newScriptLab(t)
	r := l.script("One.", "Two.")
	s, err := l.service.Scripts.Script(t.Context(), r)
	require.NoError(t, err)
	require.NoError(t, l.db.DeleteProfile(t.Context(), l.profile.ID))
	r.Turns[0], r.Turns[1] = r.Turns[1], r.Turns[0]
	_, made, err := l.revise(s.ID, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 2}, made)
	r.Turns[0].Text = "Other."
	_, _, err = l.service.Scripts.ReviseScript(t.Context(), s.ID, r)
	require.Equal(t, 0, failure(t, backend.CodeProfileNotFound, err).Params["turn"])
}

// TestHostedRevisionPaysOnlyWhatChanged quotes, checks and pays the new turns alone.
func TestHostedRevisionPaysOnlyWhatChanged(t *testing.T) {
	l, f := hostedLab(t)
	r := scripts.Request{Turns: []generations.Request{l.hosted(cleo, "One."), l.hosted(cleo, "Two."), l.request("Local.")}}
	s, err := l.service.Scripts.Script(t.Context(), r)
	require.NoError(t, err)
	paid := len(f.paid())
	r.Turns[1] = l.hosted(cleo, "Three.")
	whole, err := l.service.Scripts.QuoteScript(t.Context(), r)
	require.NoError(t, err)
	q, err := l.service.Scripts.QuoteRevision(t.Context(), s.ID, r)
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{q.Calls, whole.Calls})

	f.check = backend.E(backend.CodeHostedConfirm, "Dear.", "Accept it.")
	f.checked = nil
	_, _, err = l.service.Scripts.ReviseScript(t.Context(), s.ID, r)
	requireCode(t, backend.CodeHostedConfirm, err)
	require.Equal(t, []int{1}, f.checked, "the changed turn alone")
	f.check = nil
	require.Len(t, f.paid(), paid)
	_, made, err := (&scriptLab{lab: l}).revise(s.ID, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 2, Generated: 1, Removed: 1}, made)
	require.Equal(t, []string{"Three."}, f.paid()[paid:])
}

// TestRevisionContinuesAStoppedTurn makes only what is missing of a turn that was stopped, under its id and seed.
func TestRevisionContinuesAStoppedTurn(t *testing.T) {
	engine := newCounting()
	l := &scriptLab{lab: newLab(t, engine)}
	long := sentences(l.lab, 6)
	long.Seed = nil
	r := scripts.Request{Turns: []generations.Request{l.request("A short one."), long}}
	reached := make(chan struct{}, 6)
	engine.allow(func(text string) error {
		if failing(3)(text) == nil {
			return nil
		}
		reached <- struct{}{}
		return errWait
	})
	ended := make(chan error, 1)
	r.Ended = func(_ string, err error) { ended <- err }
	script, err := l.service.Scripts.SubmitScript(t.Context(), r)
	require.NoError(t, err)
	turn := script.Turns[1].ID
	<-reached
	l.madeBefore(turn, 2)
	stopped, err := l.service.Generations.Stop(t.Context(), turn)
	require.NoError(t, err)
	require.NotNil(t, stopped.Partial)
	require.Error(t, <-ended)
	engine.allow(nil)

	_, made, err := l.revise(script.ID, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 1, Generated: 1}, made)
	now := l.stored(script.ID)
	require.Equal(t, []string{script.Turns[0].ID, turn}, now.Generations)
	require.NotEmpty(t, now.AudioPath)
	require.Equal(t, stopped.Seed, now.Turns[1].Seed)
	require.Equal(t, 7, engine.total(), "nothing is spoken twice: %v", engine.calls)
}

// TestRevisionPaysTheRestOfAFailedTurn pays no part of a hosted turn again that was paid before it failed, and quotes that price.
func TestRevisionPaysTheRestOfAFailedTurn(t *testing.T) {
	l, f := hostedLab(t)
	f.gate = func(_ context.Context, h backend.HostedSpeech, part int) error {
		if part == 1 {
			return backend.E(backend.HostedCode("PROVIDER_BUSY", 503), "Busy.", "Retry it.")
		}
		return nil
	}
	long := l.hosted(cleo, "One.[pause 1s]Two.")
	long.Format = "wav"
	r := scripts.Request{Turns: []generations.Request{l.request("Local."), long}}
	_, err := l.service.Scripts.Script(t.Context(), r)
	id := failure(t, "hosted_provider_busy", err).Params["script_id"].(string)
	require.Equal(t, []string{"One."}, f.paid())
	f.gate = nil

	q, err := l.service.Scripts.QuoteRevision(t.Context(), id, r)
	require.NoError(t, err)
	require.Equal(t, 1, q.Calls)
	f.checked = nil
	_, made, err := (&scriptLab{lab: l}).revise(id, r)
	require.NoError(t, err)
	require.Equal(t, scripts.Revision{Reused: 1, Generated: 1}, made)
	require.Equal(t, []int{1}, f.checked, "the missing part alone")
	require.Equal(t, []string{"One.", "Two."}, f.paid())
}

// fullStore cannot store which turns a script may use.
type fullStore struct{ studio.Store }

func (fullStore) SetSpareTurns(context.Context, string, []string) error {
	return backend.E(backend.CodeInsufficientDisk, "There isn't enough disk space.", "Free some space.")
}

// TestRevisionThatCannotBeStored leaves a failed turn as it was, and no other row.
func TestRevisionThatCannotBeStored(t *testing.T) {
	f := newFakeHosted(t)
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		l.options.Hosted, l.options.Store = f, fullStore{l.options.Store}
	})
	f.gate = func(context.Context, backend.HostedSpeech, int) error {
		return backend.E(backend.HostedCode("PROVIDER_BUSY", 503), "Busy.", "Retry it.")
	}
	r := scripts.Request{Turns: []generations.Request{l.hosted(cleo, "One."), l.request("Local.")}}
	_, err := l.service.Scripts.Script(t.Context(), r)
	id := failure(t, "hosted_provider_busy", err).Params["script_id"].(string)
	before, err := l.service.Scripts.StoredScript(t.Context(), id)
	require.NoError(t, err)
	f.gate = nil
	r.Turns = append(r.Turns, l.request("New."))
	_, _, err = l.service.Scripts.ReviseScript(t.Context(), id, r)
	requireCode(t, backend.CodeInsufficientDisk, err)
	require.Equal(t, before.Turns[0], l.stored(before.Turns[0].ID))
	all, err := l.db.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Len(t, all.Items, 2)
}
