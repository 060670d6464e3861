package enginetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
)

// Find returns the files of the model that is at path.
func Find(t testing.TB, d engines.Driver, path string) engines.Files {
	t.Helper()
	files, ok, err := d.Find(path)
	require.NoError(t, err)
	require.True(t, ok, "%s holds no model of %s", path, d.Engine())
	return files
}

// Open opens the model at path until the test ends.
func Open(t testing.TB, d engines.Driver, path string, threads int) engines.Speaker {
	t.Helper()
	speaker := OpenFiles(t, d, Find(t, d, path), engines.Options{Threads: threads})
	t.Cleanup(func() { require.NoError(t, speaker.Close()) })
	return speaker
}

// OpenFiles opens the speech model with these files; the caller closes it.
func OpenFiles(t testing.TB, d engines.Driver, files engines.Files, o engines.Options) engines.Speaker {
	t.Helper()
	engine, err := d.Open(t.Context(), files, o)
	require.NoError(t, err)
	speaker, ok := engine.(engines.Speaker)
	require.True(t, ok, "%T does not speak", engine)
	return speaker
}

// RunModel is Run with the model at path.
func RunModel(t *testing.T, d engines.Driver, path string, s Suite) {
	t.Helper()
	files := Find(t, d, path)
	Run(t, func(t *testing.T) engines.Speaker {
		t.Helper()
		return OpenFiles(t, d, files, engines.Options{})
	}, s)
}

// Say returns all samples of an utterance, of which there must be some.
func Say(t testing.TB, speaker engines.Speaker, u engines.Utterance) []float32 {
	t.Helper()
	samples, err := speak(t.Context(), speaker, u)
	require.NoError(t, err)
	require.NotEmpty(t, samples)
	return samples
}
