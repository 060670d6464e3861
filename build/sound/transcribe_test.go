//go:build sound

package sound_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/build/sound"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// TestTranscribeRecording records tones, which the model "tones" hears as words, and transcribes the recording.
func TestTranscribeRecording(t *testing.T) {
	s := server(t)
	p := serve(t, s.Env()...)
	model := whispertest.Path(t, "tones")
	cmd := exec.CommandContext(t.Context(), os.Getenv("PROGRAM"), "--data", p.data, "models", "import", model, "--name", "tones")
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, string(output))

	recorded := p.start("")
	require.NoError(t, s.Play(t.Context(), sound.Output, tones(t, 300, 1000, 3000)))
	_, r := p.send("POST", recorded+"/stop", "")
	status, raw := p.raw("POST", "/transcriptions", fmt.Sprintf(`{"recording_id":%q,"model_name":"tones"}`, r.ID))
	require.Equal(t, 200, status, string(raw))
	var transcript struct{ Text, Source string }
	require.NoError(t, json.Unmarshal(raw, &transcript))
	require.Regexp(t, `low.*mid.*high`, transcript.Text)
	require.Equal(t, "recording", transcript.Source)
	status, _ = p.send("GET", recorded, "")
	require.Equal(t, 404, status, "the transcript has the audio")
	files, err := os.ReadDir(filepath.Join(p.data, "recordings"))
	require.NoError(t, err)
	require.Empty(t, files)
}

// tones writes five seconds of each tone and returns the path of the file.
func tones(t *testing.T, hz ...float64) string {
	t.Helper()
	var samples []float32
	for _, f := range hz {
		for i := range 5 * rate {
			samples = append(samples, float32(0.5*math.Sin(2*math.Pi*f*float64(i)/rate)))
		}
	}
	path := filepath.Join(t.TempDir(), "tones.wav")
	writeWAV(t, path, samples)
	return path
}

func writeWAV(t *testing.T, path string, samples []float32) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	w, err := audio.NewWAVWriter(f, rate, 1)
	require.NoError(t, err)
	require.NoError(t, w.Write(samples))
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
}
