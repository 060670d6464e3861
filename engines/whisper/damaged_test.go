//go:build whisper

package whisper

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/ggml"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// folderOfChild is the variable with the folder of the models that a child process opens.
const folderOfChild = "VOICEWRIGHT_TEST_DAMAGED"

// damagedCases is the number of damaged files; the library gets those that the checker accepts.
const damagedCases = 420

// usedEach is the share of the opened models that also transcribe, one in so many: that takes a second with invalid weights.
const usedEach = 40

// TestAcceptedDamageIsHarmless has a child process open each damaged file that the checker accepts with the library, and
// transcribe with some of them.
func TestAcceptedDamageIsHarmless(t *testing.T) {
	if dir := os.Getenv(folderOfChild); dir != "" {
		useAll(t, dir)
		return
	}
	dir := t.TempDir()
	models := whispertest.Models(t)
	accepted := 0
	for i := range uint64(damagedCases) {
		b := models[i%uint64(len(models))].Damaged(i, nil)
		if _, err := ggml.Parse(bytes.NewReader(b), int64(len(b))); err == nil {
			accepted++
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.bin", i)), b, 0o600))
		}
	}
	require.Greater(t, accepted, damagedCases/20)
	self, err := os.Executable()
	require.NoError(t, err)
	child := exec.CommandContext(t.Context(), self, "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), folderOfChild+"="+dir)
	out, err := child.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, accepted, bytes.Count(out, []byte("opened ")), "%s", out)
	t.Logf("the library opened %d of %d damaged files", accepted, damagedCases)
}

// useAll opens the models in dir and transcribes a second of noise with some.
func useAll(t *testing.T, dir string) {
	t.Helper()
	d := NewDriver(slog.New(slog.DiscardHandler))
	noise := make([]float32, engines.TranscriberRate)
	for i := range noise {
		noise[i] = float32(i*7919%200-100) / 200
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for i, e := range entries {
		fmt.Println("opened", e.Name()) // so that the last line names a file that ends the process
		engine, err := d.Open(t.Context(), engines.Files{RoleModel: filepath.Join(dir, e.Name())}, engines.Options{Threads: 1, Device: "cpu"})
		require.NoError(t, err)
		if i%usedEach == 0 {
			_, err = engine.(engines.Transcriber).Transcribe(context.Background(), noise, engines.TranscribeOptions{Language: "en"},
				func(backend.Segment) error { return nil })
			require.Contains(t, []backend.Code{"", backend.CodeEngineFailed}, backend.CodeOf(err), "%s: %v", e.Name(), err)
		}
		require.NoError(t, engine.Close())
	}
}
