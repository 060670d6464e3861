//go:build soak && whisper

package app_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
)

// What a user is told of an error of the system, by its name.
var diskWords = map[string]*regexp.Regexp{
	"EIO":    regexp.MustCompile(`reports an error|could not read or write|cannot lock or sync it\. .*connected and healthy`),
	"ENOSPC": regexp.MustCompile(`disk.* is full|not enough space`),
	"EACCES": regexp.MustCompile(`permission|cannot be opened for writing`),
}

// diskFaults are the faults of a disk that a full one does not show.
func diskFaults() (faults []programtest.Fault) {
	for _, f := range []struct{ calls, errors string }{
		{"fsync,fdatasync", "EIO"}, {"rename,renameat,renameat2", "EIO ENOSPC EACCES"}, {"mkdir,mkdirat", "EIO ENOSPC EACCES"}, {"ftruncate", "EIO"},
	} {
		for name := range strings.FieldsSeq(f.errors) {
			faults = append(faults, programtest.Fault{Calls: f.calls, Does: "error=" + name})
		}
	}
	return faults
}

// faultyCommands are commands that write files, with ID for that of a generation. undo lets one be repeated, nil where it is not needed.
func faultyCommands(model, backup string) []struct{ do, undo []string } {
	return []struct{ do, undo []string }{
		{do: []string{"say", "Hello there. How are you?", "-o", "a.wav"}},
		{do: []string{"say", "Hello there.", "-o", "b.mp3"}},
		{do: []string{"words", "import", "words.json"}},
		{do: []string{"backup", "again.zip"}},
		{do: []string{"restore", backup}},
		{do: []string{"models", "import", model}, undo: []string{"models", "rm", "en_US-tone-medium"}},
		{do: []string{"book", "new", "kettle.md"}},
		{do: []string{"history", "export", "ID", "-o", "out.flac"}},
	}
}

var unfinished = regexp.MustCompile(`/(\.new-[^/]*|[^/]*\.part|unfinished/.*)$`)

// leftovers returns the files of a folder whose names say that they are not finished.
func leftovers(t *testing.T, dirs ...string) (names []string) {
	t.Helper()
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && unfinished.MatchString(path) {
				names = append(names, path)
			}
			return err
		}))
	}
	return names
}

// TestSoakDiskErrors has each sync, rename and new folder of each command fail: one sentence says why, nothing is lost, and the same
// command works afterwards.
func TestSoakDiskErrors(t *testing.T) {
	model, err := filepath.Abs(filepath.Join("testdata", toneFolder))
	require.NoError(t, err)
	for i, c := range faultyCommands(model, "kept.zip") {
		t.Run(strings.Join(c.do[:min(len(c.do), 2)], "_"), func(t *testing.T) {
			u := newUser(t)
			write(t, filepath.Join(u.dir, "words.json"), fmt.Sprintf(`[{"word":"kettle%d","respelling":"ket el"}]`, i))
			write(t, filepath.Join(u.dir, "kettle.md"), "# One\n\nThe kettle sings.\n")
			u.mustRun("say", "Kept one.", "-o", "kept.wav")
			u.mustRun("backup", "kept.zip")
			for j, arg := range c.do {
				if arg == "ID" {
					c.do[j] = u.history()[0]["id"].(string)
				}
			}
			for _, fault := range diskFaults() {
				u.tryFaults(fault, c.do, c.undo)
			}
			requireWhole(t, filepath.Join(u.data, "voicewright.db"))
			require.FileExists(t, filepath.Join(u.dir, "kept.wav"))
		})
	}
}

// tryFaults has a fault happen at the first call of a command, the second, and so on, until there is no other.
func (u *user) tryFaults(fault programtest.Fault, do, undo []string) {
	t, failed, stood := u.t, 0, 0
	t.Helper()
	library := filepath.Join(u.data, "voicewright.db")
	kept := u.storedRows(library, "generations")
	for fault.When = 1; ; fault.When++ {
		code, happened := u.faulty(fault, do)
		u.undo(undo)
		if !happened {
			break
		}
		if code == exitDone {
			stood++
		} else {
			failed++
		}
		u.mustRun(do...)
		u.undo(undo)
		require.Empty(t, leftovers(t, u.data, u.dir), "%v", fault)
		now := u.storedRows(library, "generations")
		for id, row := range kept {
			require.Equal(t, row["text"], now[id]["text"], "%v", fault)
		}
	}
	t.Logf("%-28s %-13s failed %d times, went on %d times", fault.Calls, fault.Does, failed, stood)
}

// undo removes what a command made.
func (u *user) undo(command []string) {
	u.t.Helper()
	if command != nil {
		u.run(command...) // there may be nothing
	}
	for _, name := range []string{"a.wav", "b.mp3", "again.zip", "out.flac"} {
		require.NoError(u.t, os.RemoveAll(filepath.Join(u.dir, name)))
	}
}

// faulty runs a command with a fault, whose sentence is that of the error.
func (u *user) faulty(fault programtest.Fault, args []string) (code int, happened bool) {
	u.t.Helper()
	code, out, said, happened := u.terminal().Traced(u.t, fault, binary, args)
	if code != exitDone && happened {
		lines := strings.Split(strings.TrimSpace(said), "\n")
		name := strings.TrimPrefix(fault.Does, "error=")
		if !diskWords[name].MatchString(lines[len(lines)-1]) {
			u.t.Errorf("%v: %v: %s%s", args, fault, out, said)
		}
	}
	return code, happened
}
