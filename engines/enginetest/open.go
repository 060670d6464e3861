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
	speaker, err := d.Open(t.Context(), Find(t, d, path), engines.Options{Threads: threads})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, speaker.Close()) })
	return speaker
}

// RunModel is Run with the model at path.
func RunModel(t *testing.T, d engines.Driver, path string, s Suite) {
	t.Helper()
	files := Find(t, d, path)
	Run(t, func(t *testing.T) engines.Speaker {
		speaker, err := d.Open(t.Context(), files, engines.Options{})
		require.NoError(t, err)
		return speaker
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
