package piper

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// FuzzConfig reads any bytes as the config of a voice: the result is a valid config, or an error that names what is wrong.
func FuzzConfig(f *testing.F) {
	for _, key := range []string{"en_US-lessac-medium", "en_GB-vctk-medium", "uk_UA-lada-x_low"} {
		raw, err := os.ReadFile(filepath.Join(voiceDir(f, key), key+".onnx.json"))
		require.NoError(f, err)
		f.Add(raw)
		f.Add(raw[:len(raw)/2])
	}
	for _, odd := range []string{``, `{}`, `[]`, `{"audio":{"sample_rate":1e9}}`, `{"audio":{"sample_rate":22050},"num_speakers":-1}`} {
		f.Add([]byte(odd))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := parseConfig("any.onnx.json", raw)
		if err == nil {
			err = c.checkSupported("any")
		}
		if err != nil {
			require.Contains(t, []backend.Code{backend.CodeModelCorrupt, backend.CodeLanguageNotSupported}, backend.CodeOf(err))
			require.NotEmpty(t, backend.AsError(err).Remedy)
			return
		}
		require.NotEmpty(t, c.speakers("any"))
		require.NotEmpty(t, c.language())
		require.Positive(t, c.Audio.SampleRate)
	})
}
