package generations_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// moment is when a process is killed.
type moment struct {
	when string
	n    int // of the chunk, from 1
}

// The moments of a generation.
const (
	whileSpeaking = "in the middle of chunk"    // the engine has emitted half of it
	whenFinished  = "when it shows chunk"       // as finished
	whenWritten   = "before the row is written" // the file is there
	whenComplete  = "after the row is written"  // the journal still is
	whenJoined    = "before the new version is written"
	whenRevised   = "after the new version is written"
)

func (m moment) String() string { return strings.TrimSuffix(fmt.Sprint(m.when, " ", m.n), " 0") }

// die ends the process as kill -9 does.
func die() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		panic(err)
	}
	select {}
}

// killedStore kills the process around the write that completes a generation.
type killedStore struct {
	studio.Store
	when string
}

func (s killedStore) UpdateGeneration(
	ctx context.Context, id string, change func(*backend.Generation) error,
) (backend.Generation, error) {
	complete := false
	g, err := s.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
		err := change(g)
		if complete = g.Status == backend.StatusComplete; complete && s.when == whenWritten {
			die()
		}
		return err
	})
	if complete && s.when == whenComplete {
		die()
	}
	return g, err
}

func (s killedStore) ReviseGeneration(
	ctx context.Context, id string, change func(*backend.Generation) error,
) (backend.Generation, error) {
	if s.when == whenJoined {
		die()
	}
	g, err := s.Store.ReviseGeneration(ctx, id, change)
	if s.when == whenRevised {
		die()
	}
	return g, err
}

// killedAt changes a lab so that its process is killed.
func killedAt(m moment) func(*studiotest.Lab) {
	return func(l *studiotest.Lab) {
		l.Options.Store = killedStore{l.Options.Store, m.when}
		notify := l.Options.Notify
		l.Options.Notify = func(g backend.Generation) {
			notify(g)
			if m.when == whenFinished && g.ChunksDone == m.n {
				die()
			}
		}
	}
}

// killedVoice is an engine that kills its process in the middle of a text, and writes a line to a file for each text that it has
// spoken.
func killedVoice(m moment, spoken string) engines.Speaker {
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	return studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		if m.when == whileSpeaking && strings.Contains(u.Text, studiotest.Word(m.n-1)+" ") {
			emit = func(audio.Buffer) error { die(); return nil }
		}
		if err := f.Speak(ctx, u, emit); err != nil {
			return err
		}
		return note(spoken, u.Text)
	}}
}

// note appends a line to a file.
func note(path, line string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// noted returns the lines of a file.
func noted(t *testing.T, path string) []string {
	raw, err := os.ReadFile(path)
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	return strings.Fields(strings.ReplaceAll(strings.TrimSpace(string(raw)), " ", "_"))
}

// killVariable makes the test binary the process that is killed: its folder, the number of chunks, the moment.
const killVariable = "VOICEWRIGHT_KILL"

// TestKilledProcess is the process that is killed by TestKill.
func TestKilledProcess(t *testing.T) {
	given := strings.Split(os.Getenv(killVariable), "|")
	if len(given) != 4 {
		return // this is no such process
	}
	chunks, err := strconv.Atoi(given[1])
	require.NoError(t, err)
	n, err := strconv.Atoi(given[3])
	require.NoError(t, err)
	m := moment{given[2], n}
	l := studiotest.NewIn(t, given[0], killedVoice(m, filepath.Join(given[0], "spoken")), killedAt(m))
	g, err := l.Generations.Generate(t.Context(), l.Sentences(chunks))
	if err == nil {
		l.Revised(g.ID, g.Text+studiotest.FivePassages)
	}
	t.Fatal("it was not killed")
}

// killed is what is left after a process was killed at a moment, and what it took to continue.
type killed struct {
	moment moment
	status backend.Status
	kept   int // chunks
	again  int // calls of the engine
	sha256 string
}

// runKilled runs a process that is killed at a moment, and returns its folder.
func runKilled(t *testing.T, chunks int, m moment) (root string) {
	t.Helper()
	root = t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledProcess$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d|%s|%d", killVariable, root, chunks, m.when, m.n))
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.NotContains(t, string(out), "FAIL", "it was to be killed")
	require.Equal(t, -1, cmd.ProcessState.ExitCode(), "%s: %s", m, out)
	return root
}

// only returns the only generation.
func only(l *studiotest.Lab) backend.Generation {
	l.T.Helper()
	list, err := l.DB.Generations(l.T.Context(), backend.GenerationFilter{})
	require.NoError(l.T, err)
	require.Len(l.T, list.Items, 1)
	return l.Stored(list.Items[0].ID)
}

// killAt runs a generation in a process that is killed at a moment, and continues it in this one.
func killAt(t *testing.T, chunks int, m moment) killed {
	t.Helper()
	root := runKilled(t, chunks, m)
	engine := studiotest.NewCounting()
	l := studiotest.NewIn(t, root, engine)
	g := only(l)
	after := killed{moment: m, status: g.Status, kept: chunks}
	if g.Status != backend.StatusComplete {
		require.Equal(t, backend.CodeInterrupted, g.Error.Code)
		require.Contains(t, g.Error.Remedy, "Retry")
		after.kept = 0
		if g.Partial != nil {
			require.Equal(t, chunks, g.Partial.Total)
			after.kept = g.Partial.Chunks
		}
		_, err := l.Generations.Retry(t.Context(), g.ID, nil)
		require.NoError(t, err)
		g = l.Becomes(g.ID, backend.StatusComplete)
	}
	l.Settled(g.AudioPath)
	require.Eventually(t, func() bool { return len(l.Journals()) == 0 }, studiotest.WaitLimit, studiotest.WaitStep)
	after.again, after.sha256 = engine.Total(), studiotest.FileHash(t, g.AudioPath)
	if m.when == whenFinished {
		require.GreaterOrEqual(t, after.kept, m.n, "what was shown as finished is stored")
	}
	require.Equal(t, chunks-after.kept, after.again, "%s: what was stored was spoken again", m)
	require.GreaterOrEqual(t, len(noted(t, filepath.Join(root, "spoken")))+after.again, chunks)
	return after
}

// uninterrupted returns the hash of a generation that nothing interrupts.
func uninterrupted(t *testing.T, chunks int) string {
	t.Helper()
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.Sentences(chunks))
	require.Len(t, g.Chunks, chunks)
	return g.Receipt.AudioSHA256
}

func TestKill(t *testing.T) {
	t.Parallel()
	const chunks = 12
	want := uninterrupted(t, chunks)
	for _, m := range []moment{{whileSpeaking, 1}, {whenFinished, 7}, {whileSpeaking, 10}, {whenWritten, 0}, {whenComplete, 0}} {
		t.Run(m.String(), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, killAt(t, chunks, m).sha256)
		})
	}
}

// TestKillBeforeTheFirstChunk leaves no journal, as there is nothing in it; a retry makes everything.
func TestKillBeforeTheFirstChunk(t *testing.T) {
	t.Parallel()
	const chunks = 1 // others would be spoken meanwhile
	root := runKilled(t, chunks, moment{whileSpeaking, 1})
	left, err := filepath.Glob(filepath.Join(root, "audio", "partial", "*"))
	require.NoError(t, err)
	require.Len(t, left, 1, "the killed process began a journal")
	l := studiotest.NewIn(t, root, enginetest.NewFixture(enginetest.FixtureOptions{}))
	require.Empty(t, l.Journals())
	g := only(l)
	require.Nil(t, g.Partial)
	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	require.Equal(t, uninterrupted(t, chunks), l.Becomes(g.ID, backend.StatusComplete).Receipt.AudioSHA256)
}

// TestEmptyJournals are removed at the start, those of changed texts too.
func TestEmptyJournals(t *testing.T) {
	t.Parallel()
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	whole := l.Speak(l.Request("This one was finished."))
	require.NoError(t, l.Close(t.Context()))
	lost := whole
	lost.ID, lost.Status, lost.AudioPath, lost.Receipt, lost.Chunks, lost.Duration = uuid.NewString(), backend.StatusGenerating, "", nil, nil, 0
	_, err := l.DB.CreateGeneration(t.Context(), lost)
	require.NoError(t, err)
	folder := filepath.Join(l.Dir, "partial")
	write(t, filepath.Join(folder, lost.ID+".journal"))
	write(t, filepath.Join(folder, whole.ID+".0.revision.journal"))
	l.Start()
	require.Empty(t, l.Journals())
}

// TestKillWhileATextIsChanged leaves one whole version and no other file, and the same change does not speak again what was
// finished: the result is that of a change that nothing interrupts.
func TestKillWhileATextIsChanged(t *testing.T) {
	t.Parallel()
	const chunks = 3
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	before := l.Speak(l.Sentences(chunks))
	want := before.Receipt.AudioSHA256
	_, changed := l.Revised(before.ID, before.Text+studiotest.FivePassages)
	for m, again := range map[moment]int{ // the most calls of the engine
		{whileSpeaking, 21}: 5, {whenFinished, 4}: 1, {whenJoined, 0}: 0, {whenRevised, 0}: 0,
	} {
		t.Run(m.String(), func(t *testing.T) {
			t.Parallel()
			engine := studiotest.NewCounting()
			l := studiotest.NewIn(t, runKilled(t, chunks, m), engine)
			g := only(l)
			require.Equal(t, backend.StatusComplete, g.Status)
			require.Nil(t, g.Error)
			require.Equal(t, g.Receipt.AudioSHA256, studiotest.FileHash(t, g.AudioPath))
			if m.when != whenRevised {
				require.Equal(t, want, g.Receipt.AudioSHA256, "the former version")
				l.Settled(g.AudioPath)
				_, after := l.Revised(g.ID, g.Text+studiotest.FivePassages)
				require.Nil(t, after.Error)
				require.LessOrEqual(t, engine.Total(), again, "what was finished is not spoken again")
				g = after
			}
			require.Equal(t, changed.Receipt.AudioSHA256, g.Receipt.AudioSHA256)
			require.Empty(t, l.Journals())
			require.Len(t, g.Chunks, chunks+5)
			back, err := l.Takes.UndoText(t.Context(), g.ID)
			require.NoError(t, err)
			require.Equal(t, want, studiotest.FileHash(t, back.AudioPath))
			l.Settled(back.AudioPath)
		})
	}
}
