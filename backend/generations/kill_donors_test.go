package generations_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
)

// killDonorsVariable makes the test binary the process that TestKillWithDonors kills: its folder.
const killDonorsVariable = "VOICEWRIGHT_KILL_DONORS"

// serial is a voice that speaks one sentence at a time.
type serial struct{ engines.Speaker }

// Info says so.
func (s serial) Info() engines.Info {
	info := s.Speaker.Info()
	info.Concurrency = 1
	return info
}

// longer returns five passages, of which a donor has the sound, and five others.
func longer(l *studiotest.Lab, donor backend.Generation) generations.Request {
	r := l.Sentences(5)
	r.Text += studiotest.FivePassages
	r.ProfileID, r.Donors, r.Behind, r.BookID = donor.ProfileID, []string{donor.ID}, true, "b1"
	return r
}

// TestKilledWithDonors is the process that is killed by TestKillWithDonors, in the second new passage.
func TestKilledWithDonors(t *testing.T) {
	root := os.Getenv(killDonorsVariable)
	if root == "" {
		return // this is no such process
	}
	l := studiotest.NewIn(t, root, serial{killedVoice(moment{whileSpeaking, 22}, filepath.Join(root, "spoken"))})
	donor := l.Speak(l.Sentences(5))
	_, err := l.Generations.Generate(t.Context(), longer(l, donor))
	t.Fatal("it was not killed", err)
}

// TestKillWithDonors kills a process while it speaks what a donor does not have: a retry makes what is missing, with the donor, and the
// file has the bytes of one that was not interrupted.
func TestKillWithDonors(t *testing.T) {
	for _, name := range []string{"with its donor", "without its donor"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledWithDonors$")
			cmd.Env = append(os.Environ(), killDonorsVariable+"="+root)
			out, err := cmd.CombinedOutput()
			require.Error(t, err)
			require.Equal(t, -1, cmd.ProcessState.ExitCode(), "it was to be killed: %s", out)

			engine := studiotest.NewCounting()
			l := studiotest.NewIn(t, root, engine)
			list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
			require.NoError(t, err)
			require.Len(t, list.Items, 2)
			g, donor := l.Stored(list.Items[0].ID), l.Stored(list.Items[1].ID)
			require.Equal(t, []any{backend.StatusFailed, "b1", []string{donor.ID}}, []any{g.Status, g.Request.BookID, g.Request.Donors})
			require.Equal(t, 6, g.Partial.Chunks, "what was copied is kept")
			if name == "without its donor" {
				_, err := l.Generations.Archive.Delete(t.Context(), []string{donor.ID})
				require.NoError(t, err)
			}
			_, err = l.Generations.Retry(t.Context(), g.ID, nil)
			require.NoError(t, err)
			done := l.Becomes(g.ID, backend.StatusComplete)
			require.Len(t, done.Chunks, 10)
			if name == "without its donor" {
				require.Empty(t, done.Receipt.Chunks[0].From)
				return
			}
			require.Equal(t, 10-g.Partial.Chunks, engine.Total(), "nothing is spoken twice")
			whole := l.Stored(l.Speak(longer(l, donor)).ID)
			require.Equal(t, studiotest.PCM(t, whole), studiotest.PCM(t, done))
		})
	}
}
