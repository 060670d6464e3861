package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli/batchfolder"
	"github.com/voicewright/voicewright/backend/exit"
)

// names returns the names of the audio files.
func (b *batchTest) names() []string {
	b.t.Helper()
	found := []string{}
	for _, e := range must(os.ReadDir(b.out)) {
		if e.Name() != batchfolder.Report && !strings.HasPrefix(e.Name(), ".") {
			found = append(found, e.Name())
		}
	}
	return found
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// write replaces a file of the folder.
func (b *batchTest) writeFile(name, content string) {
	b.t.Helper()
	require.NoError(b.t, os.WriteFile(filepath.Join(b.out, name), []byte(content), 0o600))
}

func TestBatchChangedRowReplacesItsFile(t *testing.T) {
	t.Parallel()
	const list = "text,name,format\n"
	for name, c := range map[string]struct {
		file, before, after string
		files, spoken       []string
	}{
		"text":            {"a.txt", "One\nTwo\nThree\n", "One\nTwo now\nThree\n", []string{"1-One.wav", "2-Two now.wav", "3-Three.wav"}, []string{"Two now"}},
		"format":          {"a.csv", list + "Hello,a,wav\n", list + "Hello,a,mp3\n", []string{"a.mp3"}, []string{"Hello"}},
		"name":            {"a.csv", list + "Hello,a,\n", list + "Hello,b,\n", []string{"b.wav"}, []string{"Hello"}},
		"case":            {"a.csv", list + "Hello,a,\n", list + "Hello,A,\n", []string{"A.wav"}, []string{"Hello"}},
		"moved by name":   {"a.csv", list + "One,a,wav\nTwo,b,\n", list + "New,c,\nTwo,b,\nOne,a,mp3\n", []string{"a.mp3", "b.wav", "c.wav"}, []string{"New", "One"}},
		"name and number": {"a.csv", list + "One,a,wav\nTwo,b,wav\n", list + "One!,b,mp3\nTwo!,a,mp3\n", []string{"a.mp3", "b.mp3"}, []string{"One!", "Two!"}},
		"one name":        {"a.csv", list + "One,a,wav\nTwo,a,wav\n", list + "One,a,wav\nTwo,a,mp3\n", []string{"a.mp3", "a.wav"}, []string{"Two"}},
		"inserted":        {"a.txt", "One\nTwo\n", "Zero\nOne\nTwo\n", []string{"1-One.wav", "1-Zero.wav", "2-Two.wav"}, []string{"Zero"}},
		"reordered":       {"a.txt", "One\nTwo\nThree\n", "Three\nOne\nTwo\n", []string{"1-One.wav", "2-Two.wav", "3-Three.wav"}, nil},
		"deleted":         {"a.txt", "One\nTwo\nThree\n", "One\nThree\n", []string{"1-One.wav", "2-Two.wav", "3-Three.wav"}, nil},
		"deleted, added":  {"a.txt", "One\nTwo\nThree\n", "One\nThree\nFour\n", []string{"1-One.wav", "2-Two.wav", "3-Four.wav", "3-Three.wav"}, []string{"Four"}},
	} {
		b := newBatchTest(t, c.file, c.before)
		b.mustSay()
		b.s.texts()
		b.write(c.after)
		b.mustSay()
		require.Equal(t, c.files, b.names(), name)
		require.Equal(t, c.spoken, b.s.texts(), name)
		b.mustSay()
		require.Equal(t, c.files, b.names(), name)
		require.Empty(t, b.s.texts(), name)
	}
}

// TestBatchDeletedRows keep their files, also when the rows that took their numbers change.
func TestBatchDeletedRows(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "a.txt", "One\nTwo\nThree\n")
	b.mustSay()
	b.write("One\nThree\n")
	b.mustSay()
	b.write("One\nThree now\n")
	code, _, errs := b.say(t.Context())
	require.Equal(t, exit.Done, code, errs)
	require.Equal(t, []string{"1-One.wav", "2-Three now.wav", "2-Two.wav"}, b.names())
	require.Contains(t, errs, "1 files are of rows that the list no longer has: 2-Two.wav")
}

// TestBatchReplacesLate replaces the file of a row whose first change failed, and of one whose change was interrupted.
func TestBatchReplacesLate(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "a.csv", "text,format\nOne,\nTwo,\n")
	b.mustSay()
	b.write("text,format\nOne,\nTwo now,doc\n")
	code, _, _ := b.say(t.Context())
	require.Equal(t, exit.Failed, code)
	require.Equal(t, []string{"1-One.wav", "2-Two.wav"}, b.names(), "the new file is not there")

	b.write("text,format\nOne now,\nTwo now,\n")
	ctx, stop := context.WithCancel(t.Context())
	b.s.onSpeak = func(string) { stop() }
	code, _, _ = b.say(ctx)
	require.Equal(t, exit.Interrupted, code)
	require.Equal(t, []string{"1-One.wav", "2-Two.wav"}, b.names())
	b.s.onSpeak = func(string) {}
	b.mustSay()
	require.Equal(t, []string{"1-One now.wav", "2-Two now.wav"}, b.names())
}

// TestBatchKeepsChangedFiles removes no file that somebody changed or replaced, whatever its name, and none of which a journal of
// a former version does not say what was in it.
func TestBatchKeepsChangedFiles(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "a.txt", "One\nTwo\n")
	b.mustSay()
	b.writeFile("1-One.wav", "mine")
	b.write("One now\nTwo now\n")
	code, _, errs := b.say(t.Context())
	require.Equal(t, exit.Done, code, errs)
	require.NotContains(t, errs, "no longer has", "the file is not one of this command any more")
	require.Equal(t, map[string]string{"1-One.wav": "mine", "1-One now.wav": "One now", "2-Two now.wav": "Two now"}, b.files())

	journal := regexp.MustCompile(`,"(row|name|sha256)":("[^"]*"|\d+)`).ReplaceAllString(b.read(batchfolder.Journal), "")
	require.NotContains(t, journal, "sha256")
	b.writeFile(batchfolder.Journal, journal)
	b.s.texts()
	b.write("Two now\nOne now\nThree\n")
	b.mustSay()
	require.Equal(t, []string{"Three"}, b.s.texts(), "an old journal is read")
	require.Contains(t, b.read(batchfolder.Journal), `"row":1`)
	b.write("Two changed\nOne now\nThree changed\n")
	b.mustSay()
	require.Equal(t, []string{"1-One now.wav", "1-One.wav", "1-Two changed.wav", "2-Two now.wav", "3-Three changed.wav"}, b.names())
}

// TestBatchLeftFiles removes what a killed run left, and no temporary file of another program.
func TestBatchLeftFiles(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "a.txt", "One\n")
	b.mustSay()
	left := filepath.Join(batchfolder.Temp, ".new-left")
	require.NoDirExists(t, filepath.Join(b.out, batchfolder.Temp))
	require.NoError(t, os.Mkdir(filepath.Join(b.out, batchfolder.Temp), 0o700))
	b.writeFile(left, "half")
	b.writeFile(".new-other", "of another program")
	lock := flock.New(filepath.Join(b.out, batchfolder.Temp, "lock"))
	require.True(t, must(lock.TryLock()))
	code, _, errs := b.say(t.Context())
	require.Equal(t, exit.Failed, code)
	require.Contains(t, errs, "Another command is writing to "+b.out)
	require.FileExists(t, filepath.Join(b.out, left))

	require.NoError(t, lock.Close())
	b.mustSay()
	require.NoFileExists(t, filepath.Join(b.out, left))
	require.FileExists(t, filepath.Join(b.out, ".new-other"))
	require.NoDirExists(t, filepath.Join(b.out, batchfolder.Temp))
}

// TestBatchTempThatIsInTheWay: whatever is there in the place of the temporary folder, or is left in it, holds up no later run.
func TestBatchTempThatIsInTheWay(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "a.txt", "One\n")
	b.mustSay()
	temp, other := filepath.Join(b.out, batchfolder.Temp), t.TempDir()
	for name, put := range map[string]func() error{
		"an empty file":          func() error { return os.WriteFile(temp, nil, 0o600) },
		"a link to a folder":     func() error { return os.Symlink(other, temp) },
		"a link to nothing":      func() error { return os.Symlink(filepath.Join(other, "none"), temp) },
		"a folder without modes": func() error { return os.Mkdir(temp, 0) },
		"files of other names": func() error {
			return errors.Join(os.MkdirAll(filepath.Join(temp, "deep", "er"), 0o700), os.WriteFile(filepath.Join(temp, "deep", "1-One.wav"), []byte("x"), 0o600))
		},
		"a folder as lock": func() error { return os.MkdirAll(filepath.Join(temp, batchfolder.Lock, "x"), 0o700) },
	} {
		require.NoError(t, put(), name)
		b.write("One\nAnother " + name + "\n")
		b.mustSay()
		require.NoFileExists(t, temp, name)
		require.NoDirExists(t, temp, name)
	}
	require.Empty(t, must(os.ReadDir(other)))
	require.NoError(t, os.WriteFile(temp, []byte("of somebody"), 0o600))
	code, _, errs := b.say(t.Context())
	require.Equal(t, exit.Failed, code)
	require.Contains(t, errs, batchfolder.Temp+" is in the place of the folder for unfinished files; remove it")
	require.FileExists(t, temp)
}
