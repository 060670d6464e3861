package app_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/whisper"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// TestImportOfAWhisperModel imports a file of the user's own. A build without whisper.cpp says that it lacks it.
func TestImportOfAWhisperModel(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	path := whispertest.Path(t, "tones")
	built := whisper.NewDriver(slog.New(slog.DiscardHandler)).Available()
	require.Equal(t, built, u.model("whisper-base")["supported"])
	if !built {
		u.mustFail(exitNeeded, []string{"whisper"}, "models", "import", path)
		require.Nil(t, u.model("tones"))
		return
	}
	require.Contains(t, u.mustRun("models", "import", path), "Imported tones (whisper, languages: 99)")
	require.Contains(t, u.mustRun("models", "import", path, "--engine", "whisper", "--name", "mine"),
		"voicewright transcribe --model mine recording.wav")
	m := u.model("mine")
	require.Equal(t, "transcription", m["family"])
	require.Equal(t, "imported", m["variant"])
	require.Equal(t, true, m["downloaded"])
	require.Equal(t, 0.0, m["voices"])
	u.mustFail(exitFailed, []string{"Whisper tones does not speak"}, "say", "Hello.", "--voice", "mine:")

	cut := filepath.Join(u.dir, "ggml-cut.bin")
	require.NoError(t, os.WriteFile(cut, whispertest.Bytes(t, "plain")[:700000], 0o600))
	u.mustFail(exitFailed, []string{"ggml-cut.bin", "ends within the tensor"}, "models", "import", cut)
	require.Nil(t, u.model("cut"))
}

// TestWhisperInDoctorAndSystem: both name the version, or say that this build lacks the library.
func TestWhisperInDoctorAndSystem(t *testing.T) {
	u := newUser(t)
	version, err := whisper.Library()
	line, available := "ok       whisper.cpp      version "+version, true
	if err != nil {
		line, available = "warning  whisper.cpp", false
	}
	require.Contains(t, u.mustRun("doctor"), line)
	_, body := u.serve().request("GET", "/system", "")
	var info struct {
		Libraries []struct {
			Name, Version string
			Available     bool
		}
	}
	require.NoError(t, json.Unmarshal([]byte(body), &info))
	for _, l := range info.Libraries {
		if l.Name == "whisper.cpp" {
			require.Equal(t, version, l.Version)
			require.Equal(t, available, l.Available)
			return
		}
	}
	t.Fatal("whisper.cpp is not listed: " + body)
}
