package chatterbox

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

func TestFindAndDescribe(t *testing.T) {
	d := NewDriver(library(t))
	require.Equal(t, "chatterbox", d.Engine())
	for repo, want := range map[string]struct {
		files int
		graph string
		about engines.Description
	}{
		turboRepo: {9, "language_model_q4.onnx", engines.Description{
			Key: "turbo", Name: "Chatterbox Turbo", Languages: []string{"en"}, SampleRate: 24000, Clones: true,
		}},
		multilingualRepo: {10, "speech_encoder.onnx", engines.Description{
			Key: "multilingual", Name: "Chatterbox Multilingual", Languages: languages[:], SampleRate: 24000, Clones: true,
		}},
	} {
		root := kit(t, filepath.FromSlash(repo))
		for _, path := range []string{root, filepath.Join(root, "onnx"), filepath.Join(root, "onnx", want.graph)} {
			files, ok, err := d.Find(path)
			require.NoError(t, err)
			require.True(t, ok)
			require.Len(t, files, want.files)
			require.Equal(t, filepath.Join(root, "tokenizer.json"), files["tokenizer"])
			require.Equal(t, files["language_model"]+"_data", files["language_model_data"])
			got, err := d.Describe(files)
			require.NoError(t, err)
			require.Equal(t, want.about, got)
		}
	}
}

func TestEditions(t *testing.T) {
	for name, s := range map[string]sizes{
		"turbo": {hidden: 1024, layers: 24}, "nano": {hidden: 768, layers: 12}, "multilingual": {hidden: 1024, layers: 30, multilingual: true},
	} {
		require.Equal(t, name, s.edition().key)
	}
	d := NewDriver(nil)
	for key, over := range map[string]float64{"turbo": 5, "nano": 5, "multilingual": 0} {
		rules, ok := d.CloneRules(key)
		require.True(t, ok)
		require.InDelta(t, over, rules.Over, 0)
		require.NotZero(t, rules.Longest)
	}
	_, ok := d.CloneRules("original")
	require.False(t, ok)
	require.Len(t, d.TextFeatures("turbo").Tags, 19)
	require.Len(t, d.TextFeatures("nano").Tags, 19)
	require.Empty(t, d.TextFeatures("multilingual").Tags)
}

func TestFindLeavesOthersAlone(t *testing.T) {
	d := NewDriver(library(t))
	dir := t.TempDir()
	for _, name := range []string{"language_model.onnx", "tokenizer.json", "embed_tokens_other.onnx"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	for _, path := range []string{
		dir, filepath.Join(dir, "language_model.onnx"), filepath.Join(dir, "nothing"),
		kit(t, filepath.FromSlash(turboRepo), "tokenizer.json"),
	} {
		files, ok, err := d.Find(path)
		require.NoError(t, err)
		require.False(t, ok, path)
		require.Nil(t, files)
	}
}

// language returns a language model whose keys and values have this type and these dimensions.
func language(kind uint64, layers ...[]int64) []byte {
	parts := [][]byte{
		sized("inputs_embeds", -1, -1, 8), onnxtest.Value(onnxtest.Output, "logits", onnxtest.Float32, 3),
	}
	for i, dims := range layers {
		parts = append(parts, shaped(key(i), kind, dims...), shaped(value(i), kind, dims...))
	}
	return onnxtest.Model(17, parts...)
}

func TestFindNamesTheWrongFile(t *testing.T) {
	graph, err := os.ReadFile(kit(t, filepath.FromSlash(turboRepo), "onnx", "speech_encoder_q4.onnx"))
	require.NoError(t, err)
	data, err := os.ReadFile(kit(t, filepath.FromSlash(turboRepo), "onnx", "language_model_q4.onnx_data"))
	require.NoError(t, err)
	const lm = "onnx/language_model_q4.onnx"
	for name, tt := range map[string]struct {
		changed map[string][]byte
		file    string
		says    string
	}{
		"no decoder":       {map[string][]byte{"onnx/conditional_decoder_q4.onnx": nil}, "conditional_decoder.onnx", "is missing"},
		"no weights":       {map[string][]byte{lm + "_data": nil}, "language_model_q4.onnx_data", "is missing"},
		"cut weights":      {map[string][]byte{lm + "_data": data[:len(data)-1]}, "language_model_q4.onnx_data", "is cut off"},
		"empty weights":    {map[string][]byte{"onnx/embed_tokens_q4.onnx_data": {}}, "embed_tokens_q4.onnx_data", "is cut off"},
		"cut graph":        {map[string][]byte{"onnx/speech_encoder_q4.onnx": graph[:len(graph)/2]}, "speech_encoder_q4.onnx", "damaged or cut off"},
		"no tokenizer":     {map[string][]byte{"tokenizer.json": nil}, "tokenizer.json", "is missing"},
		"cut tokenizer":    {map[string][]byte{"tokenizer.json": []byte(`{"model": {"type": "BPE"`)}, "tokenizer.json", "cannot be used"},
		"other tokenizer":  {map[string][]byte{"tokenizer.json": []byte(`{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}`)}, "tokenizer.json", ""},
		"half precision":   {map[string][]byte{lm: language(onnxtest.Float16, []int64{-1, 2, -1, 4})}, "language_model_q4.onnx", "float16 numbers"},
		"no layers":        {map[string][]byte{lm: language(onnxtest.Float32)}, "language_model_q4.onnx", "a wrong value in past_key_values"},
		"open heads":       {map[string][]byte{lm: language(onnxtest.Float32, []int64{-1, -1, -1, 4})}, "language_model_q4.onnx", "a wrong value in past_key_values.0.key"},
		"endless heads":    {map[string][]byte{lm: language(onnxtest.Float32, []int64{-1, 1 << 30, -1, 4})}, "language_model_q4.onnx", "a wrong value in past_key_values.0.key"},
		"three dimensions": {map[string][]byte{lm: language(onnxtest.Float32, []int64{2, -1, 4})}, "language_model_q4.onnx", "a wrong value in past_key_values.0.key"},
		"uneven layers":    {map[string][]byte{lm: language(onnxtest.Float32, []int64{-1, 2, -1, 4}, []int64{-1, 3, -1, 4})}, "language_model_q4.onnx", "a wrong value in past_key_values.1.key"},
	} {
		t.Run(name, func(t *testing.T) {
			files, ok, err := NewDriver(library(t)).Find(folder(t, turboRepo, tt.changed))
			require.True(t, ok)
			require.Nil(t, files)
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.Equal(t, tt.file, backend.AsError(err).Params["file"])
		})
	}
}

// TestFilesThatChangeAfterFind: a file that is damaged after Find is named by Open, and nothing stays loaded.
func TestFilesThatChangeAfterFind(t *testing.T) {
	d := NewDriver(library(t))
	root := folder(t, turboRepo, nil)
	files := enginetest.Find(t, d, root)
	for _, role := range []string{"tokenizer", "conditional_decoder", "conditional_decoder_data"} {
		raw, err := os.ReadFile(files[role])
		require.NoError(t, err)
		require.NoError(t, os.Truncate(files[role], 500))
		_, err = d.Open(t.Context(), files, engines.Options{})
		require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), role)
		require.Equal(t, filepath.Base(files[role]), backend.AsError(err).Params["file"])
		require.NoError(t, os.WriteFile(files[role], raw, 0o600))
	}
}

func TestOpenIsCancelled(t *testing.T) {
	d := NewDriver(library(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := d.Open(ctx, enginetest.Find(t, d, kit(t, filepath.FromSlash(turboRepo))), engines.Options{})
	require.ErrorIs(t, err, backend.ErrCancelled)
}

// TestEditionsOfGraphs: q4 is used before float32, another one where it is chosen by its name, and a mixture as well.
func TestEditionsOfGraphs(t *testing.T) {
	d := NewDriver(library(t))
	root := folder(t, turboRepo, nil)
	at := func(name string) string { return filepath.Join(root, "onnx", name) }
	files := enginetest.Find(t, d, root)
	for _, end := range []string{"", "_data"} {
		raw, err := os.ReadFile(files["embed_tokens"] + end)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(at("embed_tokens.onnx"+end), raw, 0o600))
		require.NoError(t, os.Rename(at("speech_encoder_q4.onnx"+end), at("speech_encoder_fp16.onnx"+end)))
	}
	require.NoError(t, os.Rename(at("speech_encoder_fp16.onnx_data"), at("speech_encoder_q4.onnx_data"))) // as the graph names them
	files = enginetest.Find(t, d, root)
	require.Equal(t, at("embed_tokens_q4.onnx"), files["embed_tokens"])
	require.Equal(t, at("speech_encoder_fp16.onnx"), files["speech_encoder"])
	files = enginetest.Find(t, d, at("embed_tokens.onnx"))
	require.Equal(t, at("embed_tokens.onnx"), files["embed_tokens"])
	require.Equal(t, at("language_model_q4.onnx"), files["language_model"])
}

// TestTokenizerWithFewerTags: a model has the tags and languages of its own tokenizer.
func TestTokenizerWithFewerTags(t *testing.T) {
	var file map[string]any
	raw, err := os.ReadFile(kit(t, filepath.FromSlash(turboRepo), "tokenizer.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &file))
	file["added_tokens"] = file["added_tokens"].([]any)[:3]
	raw, err = json.Marshal(file)
	require.NoError(t, err)
	e := openAt(t, folder(t, turboRepo, map[string][]byte{"tokenizer.json": raw}), 1)
	require.Equal(t, []string{"[angry]", "[fear]"}, e.Info().Tags)
}
