//go:build whisper

package app_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// The tones of the kit by the commands: the model that finds speakers is imported, and found without being named.
func TestTranscribeSpeakers(t *testing.T) {
	t.Parallel()
	u := newTranscriber(t, "plain")
	kit := filepath.Join(enginetest.Root(t), "engines", "diarize", "testdata", "kit")
	model := filepath.Join(u.dir, "toy")
	require.NoError(t, os.Mkdir(model, 0o755))
	for name, from := range map[string]string{
		"toy/segmentation.onnx": "graphs/toy_seg.onnx", "toy/voices.onnx": "graphs/toy_emb_3d.onnx", "tones.wav": "audio/tones.wav",
	} {
		data, err := os.ReadFile(filepath.Join(kit, filepath.FromSlash(from)))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(u.dir, filepath.FromSlash(name)), data, 0o600))
	}
	u.mustRun("models", "import", model, "--name", "toy")
	o := u.run("transcribe", "tones.wav", "--model", "plain", "--format", "rttm", "--names", "Anna,Ben")
	require.Zero(t, o.code, o.err)
	require.Contains(t, o.err, "finding speakers")
	require.Regexp(t, `(?m)^SPEAKER tones 1 0\.\d{3} 3\.\d{3} <NA> <NA> \S+ <NA> <NA>$`, o.out)
	require.Contains(t, o.out, " Anna <NA>")

	o = u.run("transcribe", "tones.wav", "--model", "plain", "--format", "rttm", "--speakers", "off")
	require.Zero(t, o.code, o.err)
	require.Empty(t, o.out)
	o = u.run("transcribe", "tones.wav", "--model", "plain", "--names", "Anna,Ben", "--script",
		"--voice", "ben=Built-in voice", "--voice", "Karl=Built-in voice")
	require.Zero(t, o.code, o.err)
	require.Regexp(t, `^tones: \d+ turns of Anna, Ben.*\. ID: [-0-9a-f]{36}\n$`, o.out)
	require.Contains(t, o.err, "no speaker is called Karl")

	u.mustFail(exitUsage, []string{"1"}, "transcribe", "tones.wav", "--model", "plain", "--speakers", "0")
}
