package pocket

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

func TestFind(t *testing.T) {
	d := NewDriver(nil)
	dir := folder(t, nil)
	small, full := enginetest.Find(t, d, dir), enginetest.Find(t, d, filepath.Join(dir, "flow_lm_main.onnx"))
	base := func(files engines.Files) map[string]string {
		out := map[string]string{}
		for role, file := range files {
			require.Equal(t, dir, filepath.Dir(file))
			out[role] = filepath.Base(file)
		}
		return out
	}
	require.Equal(t, map[string]string{
		"bundle": "bundle.json", "bos": "bos_before_voice.npy", "tokenizer": "tokenizer.model",
		"flow_lm_main": "flow_lm_main_int8.onnx", "flow_lm_flow": "flow_lm_flow_int8.onnx", "mimi_decoder": "mimi_decoder_int8.onnx",
		"mimi_encoder": "mimi_encoder.onnx", "text_conditioner": "text_conditioner.onnx",
	}, base(small))
	require.Equal(t, "flow_lm_main.onnx", base(full)["flow_lm_main"])
	require.Equal(t, "mimi_decoder.onnx", base(full)["mimi_decoder"])
	require.Equal(t, small, enginetest.Find(t, d, filepath.Join(dir, "bundle.json")))
	require.Equal(t, small, enginetest.Find(t, d, filepath.Join(dir, "flow_lm_main_int8.onnx")))
	require.Equal(t, small, enginetest.Find(t, d, filepath.Dir(dir)), "the folder around it")

	require.NoError(t, os.Remove(filepath.Join(dir, "flow_lm_flow_int8.onnx")))
	require.Equal(t, "flow_lm_flow.onnx", base(enginetest.Find(t, d, dir))["flow_lm_flow"], "the only one")
}

func TestFindInARepository(t *testing.T) {
	d := NewDriver(nil)
	root := t.TempDir()
	require.NoError(t, os.CopyFS(root, os.DirFS(kit(t, "repo"))))
	require.NotEmpty(t, enginetest.Find(t, d, root))
	require.NoError(t, os.CopyFS(filepath.Join(root, "onnx", "german"), os.DirFS(bundleDir(t))))
	_, ok, err := d.Find(root)
	require.True(t, ok)
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	require.ErrorContains(t, err, "one model of several")
}

func TestFindNothing(t *testing.T) {
	d, dir := NewDriver(nil), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bundle.json"), []byte(`{"scripts":{}}`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.onnx"), nil, 0o600))
	for _, at := range []string{dir, filepath.Join(dir, "bundle.json"), filepath.Join(dir, "other.onnx"), filepath.Join(dir, "none"), t.TempDir()} {
		files, ok, err := d.Find(at)
		require.NoError(t, err)
		require.False(t, ok)
		require.Nil(t, files)
	}
	_, ok, err := d.Find(filepath.Join(bundleDir(t), "tokenizer.model"))
	require.NoError(t, err)
	require.True(t, ok)
}

func TestDescribe(t *testing.T) {
	d := NewDriver(nil)
	got, err := d.Describe(enginetest.Find(t, d, bundleDir(t)))
	require.NoError(t, err)
	require.Equal(t, engines.Description{
		Key: "pocket-english_2026-04", Name: "Pocket TTS English 2026-04", Languages: []string{"en"}, SampleRate: 24000, Clones: true,
	}, got)
	rules, ok := d.CloneRules(got.Key)
	require.True(t, ok)
	require.Equal(t, engines.CloneRules{Longest: 30}, rules)
	require.True(t, d.Abilities().Steps)
	german := edited(t, "language", `"german_24l"`)
	got, err = d.Describe(engines.Files{RoleBundle: filepath.Join(folder(t, map[string][]byte{"bundle.json": german}), "bundle.json")})
	require.NoError(t, err)
	require.Equal(t, "Pocket TTS German 24l", got.Name)
	require.Equal(t, []string{"de"}, got.Languages)
}

// edited returns the kit's bundle.json with another value of one field, a path of names and numbers.
func edited(t testing.TB, field, value string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(bundleDir(t), "bundle.json"))
	require.NoError(t, err)
	var all map[string]any
	require.NoError(t, json.Unmarshal(raw, &all))
	var v any
	require.NoError(t, json.Unmarshal([]byte(value), &v))
	name, key, nested := strings.Cut(field, "[0].")
	if nested {
		all[name].([]any)[0].(map[string]any)[key] = v
	} else {
		all[name] = v
	}
	raw, err = json.Marshal(all)
	require.NoError(t, err)
	return raw
}

// TestWrongBundles: a wrong number is named with its file and field, and reserves no memory.
func TestWrongBundles(t *testing.T) {
	const flow, mimi = "flow_lm_state_manifest", "mimi_state_manifest"
	for _, tt := range []struct{ field, value string }{
		{"schema_version", "1"},
		{"schema_version", "3"},
		{"sample_rate", "0"},
		{"sample_rate", "2000000000"},
		{"sample_rate", `"24 kHz"`},
		{"frame_rate", "12"},
		{"frame_rate", "1e300"},
		{"samples_per_frame", "0"},
		{"samples_per_frame", "-1920"},
		{"latent_dim", "0"},
		{"latent_dim", "1000000"},
		{"conditioning_dim", "-1"},
		{"conditioning_dim", "1000000000"},
		{"max_token_per_chunk", "0"},
		{"max_token_per_chunk", "1000000"},
		{"model_recommended_frames_after_eos", "-1"},
		{"model_recommended_frames_after_eos", "1000000000"},
		{"language", `"klingon"`},
		{"tokenizer_file", `""`},
		{"tokenizer_file", `"../tokenizer.model"`},
		{"tokenizer_file", `"/etc/passwd"`},
		{"bos_before_voice_file", `""`},
		{"bos_before_voice_file", `"a/b.npy"`},
		{flow, "[]"},
		{flow, "{}"},
		{mimi, "null"},
		{flow + "[0].index", "1"},
		{flow + "[0].index", "-1"},
		{flow + "[0].input_name", `""`},
		{flow + "[0].output_name", `"state_0"`},
		{flow + "[0].dtype", `"float16"`},
		{flow + "[0].fill", `"random"`},
		{mimi + "[0].fill", `"nan"`},
		{flow + "[0].shape", "[]"},
		{flow + "[0].shape", "[2,1,-320,4,12]"},
		{flow + "[0].shape", "[1,1,1,1,1,1,1,1,1]"},
		{flow + "[0].shape", "[2,1,1000000,1024,1024]"},
		{flow + "[0].shape", "[536870912,536870912,536870912,536870912]"},
		{flow + "[0].shape", "[0,1,134217728,1,1]"},
		{mimi + "[0].shape", "[4000000000]"},
	} {
		t.Run(tt.field+" "+tt.value, func(t *testing.T) {
			t.Parallel()
			at := filepath.Join(t.TempDir(), "bundle.json")
			require.NoError(t, os.WriteFile(at, edited(t, tt.field, tt.value), 0o600))
			_, err := readBundle(at)
			if tt.value == "[0,1,134217728,1,1]" {
				require.NoError(t, err, "nothing is reserved for it")
				return
			}
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Equal(t, "bundle.json", backend.AsError(err).Params["file"])
			for _, part := range strings.Split(tt.field, "[0]") {
				require.Contains(t, backend.AsError(err).Detail, part)
			}
		})
	}
}

// TestShortCaches: a chunk and a voice share the caches; neither gets more than there is.
func TestShortCaches(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(bundleDir(t), "bundle.json"))
	require.NoError(t, err)
	for _, tt := range []struct{ cache, tokens string }{{"1000", "50"}, {"320", ""}, {"100", ""}} {
		at := filepath.Join(t.TempDir(), "bundle.json")
		require.NoError(t, os.WriteFile(at, bytes.ReplaceAll(raw, []byte("320"), []byte(tt.cache)), 0o600))
		b, err := readBundle(at)
		require.NoError(t, err)
		require.LessOrEqual(t, 1+b.longestVoice()+b.Tokens+b.limit(b.Tokens), b.cache)
		require.GreaterOrEqual(t, b.longestVoice(), b.cache/4-1)
		if tt.cache == "1000" {
			require.Equal(t, 50, b.Tokens)
			require.Greater(t, float64(b.longestVoice())/b.FrameRate, float64(longest))
		}
	}
	at := filepath.Join(t.TempDir(), "bundle.json")
	require.NoError(t, os.WriteFile(at, bytes.ReplaceAll(raw, []byte("320"), []byte("60")), 0o600))
	_, err = readBundle(at)
	require.ErrorContains(t, err, "60 positions is too short")
}

func TestBrokenFiles(t *testing.T) {
	read := func(name string) []byte {
		raw, err := os.ReadFile(filepath.Join(bundleDir(t), name))
		require.NoError(t, err)
		return raw
	}
	for name, content := range map[string][]byte{
		"bundle.json":            read("bundle.json")[:9000],
		"tokenizer.model":        read("tokenizer.model")[:30000],
		"bos_before_voice.npy":   read("bos_before_voice.npy")[:200],
		"mimi_encoder.onnx":      read("mimi_encoder.onnx")[:20000],
		"flow_lm_main_int8.onnx": read("flow_lm_main_int8.onnx")[:50000],
	} {
		t.Run("cut "+name, func(t *testing.T) { corrupt(t, name, folder(t, map[string][]byte{name: content})) })
	}
	for _, name := range []string{"tokenizer.model", "bos_before_voice.npy", "mimi_encoder.onnx", "text_conditioner.onnx"} {
		t.Run("no "+name, func(t *testing.T) { corrupt(t, name, folder(t, map[string][]byte{name: nil})) })
	}
	t.Run("other shape", func(t *testing.T) {
		corrupt(t, "bos_before_voice.npy", folder(t, map[string][]byte{
			"bos_before_voice.npy": bytes.Replace(read("bos_before_voice.npy"), []byte("(1, 1, 48)"), []byte("(1, 1, 47)"), 1),
		}))
	})
	t.Run("no main graph", func(t *testing.T) {
		corrupt(t, "flow_lm_main.onnx", folder(t, map[string][]byte{"flow_lm_main.onnx": nil, "flow_lm_main_int8.onnx": nil}))
	})
}

func corrupt(t *testing.T, file, dir string) {
	t.Helper()
	_, ok, err := NewDriver(nil).Find(dir)
	require.True(t, ok)
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	require.Equal(t, file, backend.AsError(err).Params["file"])
}

// FuzzBundle: no manifest crashes the program or makes it reserve more memory than the limits allow.
func FuzzBundle(f *testing.F) {
	raw, err := os.ReadFile(filepath.Join(bundleDir(f), "bundle.json"))
	require.NoError(f, err)
	f.Add(raw)
	f.Add([]byte(`{"schema_version":2,"sample_rate":24000,"frame_rate":12.5,"samples_per_frame":1920}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		b := &bundle{}
		if onnx.ParseJSON("bundle.json", raw, b) != nil || b.check("bundle.json") != nil {
			return
		}
		for _, states := range [][]state{b.Flow, b.Mimi} {
			bytes := int64(0)
			for _, s := range states {
				bytes += s.elements() * s.size()
			}
			require.LessOrEqual(t, bytes, int64(maxStateBytes))
			if bytes < 1<<20 {
				m := newMemory(states)
				m.load(states, m.kept(states, min(b.cache, 1)))
			}
		}
		require.Positive(t, b.longestVoice())
		_, err := b.restore(raw)
		_ = err
	})
}
