package kokoro

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestDescribe(t *testing.T) {
	d := driver(t)
	require.Equal(t, "kokoro", d.Engine())
	dir := folder(t, "repo")
	voice := read(t, filepath.Join(dir, voiceDir, "af_heart.bin"))
	for _, id := range []string{"mine", "hf_beta", "jf_alpha", "am_santa_claus"} {
		write(t, filepath.Join(dir, voiceDir, id+voiceExt), voice)
	}
	want := engines.Description{
		Key: "kokoro", Name: "Kokoro", SampleRate: 24000, Languages: []string{"en-US", "en-GB", "es", "fr-FR", "hi"},
		Voices: []engines.Voice{
			{ID: "af_heart", Name: "Heart", Language: "en-US", Gender: "female"},
			{ID: "af_bella", Name: "Bella", Language: "en-US", Gender: "female"},
			{ID: "am_michael", Name: "Michael", Language: "en-US", Gender: "male"},
			{ID: "am_santa_claus", Name: "Santa claus", Language: "en-US", Gender: "male"},
			{ID: "bf_emma", Name: "Emma", Language: "en-GB", Gender: "female"},
			{ID: "bm_george", Name: "George", Language: "en-GB", Gender: "male"},
			{ID: "ef_dora", Name: "Dora", Language: "es", Gender: "female"},
			{ID: "ff_siwis", Name: "Siwis", Language: "fr-FR", Gender: "female"},
			{ID: "hf_beta", Name: "Beta", Language: "hi", Gender: "female"},
			{ID: "jf_alpha", Name: "Alpha", Language: "ja", Gender: "female", Reason: "Voicewright has no Japanese phonemizer for Kokoro."},
			{ID: "mine", Name: "mine", Language: "en-US"},
		},
	}
	for _, path := range []string{dir, filepath.Join(dir, graphDir, mainGraph)} {
		files, ok, err := d.Find(path)
		require.NoError(t, err)
		require.True(t, ok)
		require.Len(t, files, 2+11)
		require.Equal(t, filepath.Join(dir, voiceDir, "af_bella.bin"), files["voice/af_bella"])
		got, err := d.Describe(files)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestKeys(t *testing.T) {
	for file, want := range map[string][2]string{
		"model.onnx":           {"kokoro", "Kokoro"},
		"model_quantized.onnx": {"kokoro-q8", "Kokoro q8"},
		"model_fp16.onnx":      {"kokoro-fp16", "Kokoro fp16"},
		"model_q8f16.onnx":     {"kokoro-q8f16", "Kokoro q8f16"},
		"kokoro-v1.0.onnx":     {"kokoro-v1.0", "Kokoro v1.0"},
		"mine.onnx":            {"mine", "mine"},
	} {
		require.Equal(t, want[0], key(filepath.Join("x", file)))
		require.Equal(t, want[1], shownModel(want[0]))
	}
}

// TestFindLayouts: the repository's folders, the flat folder of an import, the hub's links, and the path of a graph.
func TestFindLayouts(t *testing.T) {
	d := driver(t)
	flat, linked, several := t.TempDir(), t.TempDir(), folder(t, "repo")
	source := folder(t, "repo")
	for from, to := range map[string]string{
		"onnx/model.onnx": "model.onnx", "tokenizer.json": "tokenizer.json", "voices/af_heart.bin": "af_heart.bin",
	} {
		write(t, filepath.Join(flat, to), read(t, filepath.Join(source, filepath.FromSlash(from))))
		link := filepath.Join(linked, filepath.FromSlash(from))
		require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o755))
		require.NoError(t, os.Symlink(filepath.Join(source, filepath.FromSlash(from)), link))
	}
	quantized := filepath.Join(several, graphDir, "model_quantized.onnx")
	write(t, quantized, read(t, kit(t, "repo", graphDir, "model_quantized.onnx")))
	plain := enginetest.Say(t, openAt(t, d, source), engines.Utterance{Text: "Hello"})
	for _, path := range []string{flat, linked, several, filepath.Join(flat, mainGraph)} {
		require.Equal(t, plain, enginetest.Say(t, openAt(t, d, path), engines.Utterance{Text: "Hello"}))
	}
	e := openAt(t, d, quantized)
	require.Equal(t, "kokoro-q8", e.key)
	require.NotEqual(t, plain, enginetest.Say(t, e, engines.Utterance{Text: "Hello"}))
}

func TestFindNamesTheWrongFile(t *testing.T) {
	half := func(t *testing.T, path string) { require.NoError(t, os.Truncate(path, int64(len(read(t, path))/2))) }
	remove := func(t *testing.T, path string) { require.NoError(t, os.RemoveAll(path)) }
	double := func(t *testing.T, path string) {
		raw := read(t, path)
		remove(t, path)
		write(t, filepath.Join(filepath.Dir(path), "model_a.onnx"), raw)
		write(t, filepath.Join(filepath.Dir(path), "model_b.onnx"), raw)
	}
	for name, tt := range map[string]struct {
		file   string
		change func(t *testing.T, path string)
		says   string
	}{
		"no graph":        {"onnx/model.onnx", remove, "model.onnx is missing"},
		"cut graph":       {"onnx/model.onnx", half, "model.onnx is damaged or cut off"},
		"two graphs":      {"onnx/model.onnx", double, "model_b.onnx is one graph too many"},
		"no tokenizer":    {"tokenizer.json", remove, "tokenizer.json is missing"},
		"cut tokenizer":   {"tokenizer.json", half, "tokenizer.json is damaged or cut off"},
		"no voices":       {"voices", remove, "af_heart.bin is missing"},
		"cut voice":       {"voices/bf_emma.bin", half, "bf_emma.bin has 261120 bytes where a voice has 522240"},
		"voice as folder": {"voices/af_sky.bin/x", func(t *testing.T, path string) { write(t, path, nil) }, "af_sky.bin has"},
		"long voice": {"voices/ef_dora.bin", func(t *testing.T, path string) {
			write(t, path, append(read(t, path), 0))
		}, "ef_dora.bin has 522241 bytes where a voice has 522240"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, "repo")
			tt.change(t, filepath.Join(dir, filepath.FromSlash(tt.file)))
			files, ok, err := driver(t).Find(dir)
			require.True(t, ok)
			require.Nil(t, files)
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.NotEmpty(t, backend.AsError(err).Remedy)
			require.Contains(t, backend.AsError(err).Detail, backend.AsError(err).Params["file"])
		})
	}
}

// TestFilesThatChangeBeforeOpen: a file that Find accepted may be truncated or missing when the model is opened.
func TestFilesThatChangeBeforeOpen(t *testing.T) {
	for _, role := range []string{RoleGraph, RoleTokenizer, RoleVoice + "ff_siwis"} {
		for _, size := range []int64{-1, 0, 100} {
			d := driver(t)
			files, ok, err := d.Find(folder(t, "repo"))
			require.NoError(t, err)
			require.True(t, ok)
			if size < 0 {
				require.NoError(t, os.Remove(files[role]))
			} else {
				require.NoError(t, os.Truncate(files[role], size))
			}
			_, err = d.Open(t.Context(), files, engines.Options{})
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Equal(t, filepath.Base(files[role]), backend.AsError(err).Params["file"])
		}
	}
}

func TestFindLeavesOtherModelsAlone(t *testing.T) {
	d := driver(t)
	kitten := t.TempDir() // its graphs take the same inputs
	write(t, filepath.Join(kitten, "kitten_tts_nano_v0_8.onnx"), read(t, kit(t, "repo", graphDir, mainGraph)))
	write(t, filepath.Join(kitten, "voices.npz"), []byte("PK"))
	write(t, filepath.Join(kitten, "config.json"), []byte(`{"type": "ONNX1"}`))
	other := t.TempDir()
	write(t, filepath.Join(other, "onnx", "decoder.onnx"), []byte("no graph at all"))
	write(t, filepath.Join(other, "tokenizer.json"), []byte("{}"))
	write(t, filepath.Join(other, "voices", "one.bin"), []byte("x"))
	for _, path := range []string{
		kitten, filepath.Join(kitten, "kitten_tts_nano_v0_8.onnx"), filepath.Join(kitten, "voices.npz"),
		other, filepath.Join(other, "onnx"), filepath.Join(other, "onnx", "decoder.onnx"), filepath.Join(other, "none"), t.TempDir(),
	} {
		files, ok, err := d.Find(path)
		require.NoError(t, err)
		require.False(t, ok, path)
		require.Nil(t, files)
	}
}

func TestTokenizerNamesTheWrongKey(t *testing.T) {
	whole := string(read(t, kit(t, "repo", tokenizerName)))
	for name, tt := range map[string]struct{ old, new, says string }{
		"no model":         {`"model"`, `"other"`, "no symbols in model.vocab"},
		"no vocabulary":    {`"vocab"`, `"words"`, "no symbols in model.vocab"},
		"ids as words":     {`";": 1`, `";": "1"`, "model.vocab"},
		"negative id":      {`";": 1`, `";": -1`, `";" is -1`},
		"endless id":       {`";": 1`, `";": 9000000000000000000`, `";" is 9000000000000000000`},
		"no pad":           {`"$": 0`, `"§": 0`, "pad symbol $"},
		"another pad":      {`"$": 0`, `"$": 1`, "pad symbol $"},
		"words as symbols": {`";": 1`, `";;": 1`, `";;" is 1`},
		"empty symbol":     {`";": 1`, `"": 1`, `"" is 1`},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(whole, tt.old, tt.new, 1)
			require.NotEqual(t, whole, changed)
			_, err := parseVocabulary(tokenizerName, []byte(changed))
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail, tokenizerName)
			require.Contains(t, backend.AsError(err).Detail, tt.says)
		})
	}
	_, err := parseVocabulary(tokenizerName, []byte(`{"model": {"vocab": {"$": 0, ".": 4, "ˈ": 156}}}`))
	require.ErrorContains(t, err, "no phoneme")
	known, err := parseVocabulary(tokenizerName, []byte(whole))
	require.NoError(t, err)
	require.Len(t, known, 115)
	require.Equal(t, int64(16), known[' '])
}

// FuzzTokenizer reads any bytes as a tokenizer file: the result has speakable symbols, or is an error that names the file.
func FuzzTokenizer(f *testing.F) {
	raw := read(f, kit(f, "repo", tokenizerName))
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	for _, odd := range []string{``, `{}`, `[]`, `{"model":{"vocab":{}}}`, `{"model":{"vocab":{"$":0,"a":1e30}}}`, `{"model":{"vocab":{"\ud800":0}}}`} {
		f.Add([]byte(odd))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := parseVocabulary(tokenizerName, raw)
		if err != nil {
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.NotEmpty(t, backend.AsError(err).Remedy)
			return
		}
		ids, symbols := v.ids("həlˈO, wˈɜɹld!")
		require.Len(t, ids, len(symbols)+2)
		require.Zero(t, ids[0]+ids[len(ids)-1])
	})
}
