package enginetest

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// KitModels returns a folder for each speech engine, with the layout of its models and tiny graphs.
func KitModels(t testing.TB) map[string]string {
	t.Helper()
	root, dir, out := filepath.Join(Root(t), "engines"), t.TempDir(), map[string]string{}
	for engine, repo := range map[string]string{
		"kokoro": "repo", "kitten": "repo", "supertonic": "repo", "piper": "repo/en/en_US/lessac/medium",
	} {
		out[engine] = filepath.Join(dir, "my-"+engine)
		require.NoError(t, os.CopyFS(out[engine], os.DirFS(filepath.Join(root, engine, "testdata", "kit", filepath.FromSlash(repo)))))
	}
	var style []byte
	for i := range 510 * 256 {
		style = binary.LittleEndian.AppendUint32(style, math.Float32bits(float32(math.Sin(float64(i)))))
	}
	voices := filepath.Join(out["kokoro"], "voices")
	require.NoError(t, os.Mkdir(voices, 0o755))
	for _, id := range []string{"af_heart", "af_bella", "bf_emma", "ff_siwis", "jf_alpha"} {
		require.NoError(t, os.WriteFile(filepath.Join(voices, id+".bin"), style, 0o600))
	}
	require.NoError(t, os.Remove(filepath.Join(out["kokoro"], "onnx", "model_quantized.onnx")))
	return out
}

// CloneModels returns a folder for each engine that clones voices, with the layout of its models and tiny graphs.
func CloneModels(t testing.TB) map[string]string {
	t.Helper()
	root, dir, out := filepath.Join(Root(t), "engines"), t.TempDir(), map[string]string{}
	for engine, repo := range map[string]string{
		"pocket": "onnx/english_2026-04", "chatterbox": "ResembleAI/chatterbox-turbo-ONNX", "moss": "OpenMOSS-Team",
	} {
		out[engine] = filepath.Join(dir, "my-"+engine)
		repo = filepath.Join(root, engine, "testdata", "kit", "repo", filepath.FromSlash(repo))
		require.NoError(t, os.CopyFS(out[engine], os.DirFS(repo)))
	}
	return out
}
