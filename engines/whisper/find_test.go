package whisper

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

func TestFindAndDescribe(t *testing.T) {
	d := NewDriver(slog.New(slog.DiscardHandler))
	for name, want := range map[string]int{"plain": 99, "english-only.en": 1, "large-v3-turbo": 100} {
		path := whispertest.Path(t, name)
		for _, place := range []string{path, filepath.Dir(path)} {
			files, ok, err := d.Find(place)
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, engines.Files{RoleModel: path}, files)
			about, err := d.Describe(files)
			require.NoError(t, err)
			require.Equal(t, name, about.Key)
			require.Equal(t, "Whisper "+name, about.Name)
			require.Len(t, about.Languages, want)
			require.Equal(t, engines.TranscriberRate, about.SampleRate)
			require.Empty(t, about.Voices)
		}
	}
}

func TestFindWhatIsNoModel(t *testing.T) {
	d := NewDriver(slog.New(slog.DiscardHandler))
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		return path
	}
	text := write("weights.bin", []byte("PK\x03\x04 a file of another program"))
	for _, path := range []string{dir, text, filepath.Join(dir, "nothing")} {
		_, ok, err := d.Find(path)
		require.NoError(t, err)
		require.False(t, ok, path)
	}
	model := whispertest.Bytes(t, "plain")
	write("ggml-a.bin", model)
	files, ok, err := d.Find(dir)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "ggml-a.bin", filepath.Base(files[RoleModel]))
	cut := write("my-own.bin", model[:60000])
	_, _, err = d.Find(dir)
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), "there are two")
	files, ok, err = d.Find(cut)
	require.NoError(t, err)
	require.True(t, ok)
	_, err = d.Describe(files)
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	require.ErrorContains(t, err, "byte 60000")
}
