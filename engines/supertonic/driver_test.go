package supertonic

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

func TestFindAndDescribe(t *testing.T) {
	d := NewDriver(library(t))
	require.Equal(t, "supertonic", d.Engine())
	root := folder(t, map[string][]byte{
		"README.md": []byte("a card"), "voice_styles/._F1.json": []byte("left by another system"), "voice_styles/notes.txt": {},
	})
	for _, path := range []string{
		root, filepath.Join(root, "onnx"), filepath.Join(root, "onnx", "tts.json"), filepath.Join(root, "onnx", "vocoder.onnx"),
	} {
		files, ok, err := d.Find(path)
		require.NoError(t, err)
		require.True(t, ok)
		require.Len(t, files, 8)
		require.Equal(t, filepath.Join(root, "voice_styles", "M1.json"), files["voice/M1"])
		require.Equal(t, filepath.Join(root, "onnx", "unicode_indexer.json"), files["indexer"])
		got, err := d.Describe(files)
		require.NoError(t, err)
		require.Equal(t, engines.Description{
			Key: "supertonic-v3", Name: "Supertonic 3", Languages: languages3[:], SampleRate: 44100,
			Voices: []engines.Voice{
				{ID: "F1", Name: "Female 1", Language: "en", Gender: "female"},
				{ID: "M1", Name: "Male 1", Language: "en", Gender: "male"},
			},
		}, got)
	}
}

func TestFindLeavesOthersAlone(t *testing.T) {
	d := NewDriver(library(t))
	dir := t.TempDir()
	for _, name := range []string{"text_encoder.onnx", "tokenizer.json", "voice.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	root := folder(t, nil)
	for _, path := range []string{
		dir, filepath.Join(dir, "text_encoder.onnx"), filepath.Join(dir, "nothing"), filepath.Join(root, "voice_styles"),
		filepath.Join(root, "voice_styles", "F1.json"),
	} {
		files, ok, err := d.Find(path)
		require.NoError(t, err)
		require.False(t, ok, path)
		require.Nil(t, files)
	}
}

func TestFindNamesTheWrongFile(t *testing.T) {
	raw, err := os.ReadFile(kit(t, "repo", "onnx", "vocoder.onnx"))
	require.NoError(t, err)
	style, err := os.ReadFile(kit(t, "repo", "voice_styles", "F1.json"))
	require.NoError(t, err)
	for name, tt := range map[string]struct {
		changed map[string][]byte
		file    string
		says    string
	}{
		"no vocoder":       {map[string][]byte{"onnx/vocoder.onnx": nil}, "vocoder.onnx", "is missing"},
		"no config":        {map[string][]byte{"onnx/tts.json": nil}, "tts.json", "is missing"},
		"no indexer":       {map[string][]byte{"onnx/unicode_indexer.json": nil}, "unicode_indexer.json", "is missing"},
		"no voices":        {map[string][]byte{"voice_styles": nil}, "voice_styles", "is missing or has no voice"},
		"cut graph":        {map[string][]byte{"onnx/vocoder.onnx": raw[:len(raw)/2]}, "vocoder.onnx", "damaged or cut off"},
		"empty graph":      {map[string][]byte{"onnx/text_encoder.onnx": {}}, "text_encoder.onnx", "damaged or cut off"},
		"cut config":       {map[string][]byte{"onnx/tts.json": []byte(`{"tts_version": "v1.7`)}, "tts.json", "damaged or cut off"},
		"other config":     {map[string][]byte{"onnx/tts.json": []byte(`[]`)}, "tts.json", "damaged or cut off"},
		"no rate":          {map[string][]byte{"onnx/tts.json": edited(t, "onnx/tts.json", `"sample_rate": 44100`, `"rate": 1`)}, "tts.json", "a wrong value in ae.sample_rate"},
		"endless rate":     {map[string][]byte{"onnx/tts.json": edited(t, "onnx/tts.json", `"sample_rate": 44100`, `"sample_rate": 44100000000`)}, "tts.json", "a wrong value in ae.sample_rate"},
		"endless latent":   {map[string][]byte{"onnx/tts.json": edited(t, "onnx/tts.json", `"latent_dim": 24`, `"latent_dim": 1000000000`)}, "tts.json", "a wrong value in ttl.latent_dim"},
		"no dimensions":    {map[string][]byte{"onnx/tts.json": edited(t, "onnx/tts.json", `"latent_dim"`, `"dim"`)}, "tts.json", "a wrong value in ttl.latent_dim"},
		"no factor":        {map[string][]byte{"onnx/tts.json": edited(t, "onnx/tts.json", `"chunk_compress_factor": 6`, `"chunk_compress_factor": -6`)}, "tts.json", "a wrong value in ttl.chunk_compress_factor"},
		"no chunk size":    {map[string][]byte{"onnx/tts.json": edited(t, "onnx/tts.json", `"base_chunk_size"`, `"size"`)}, "tts.json", "a wrong value in ae.base_chunk_size"},
		"a word as rate":   {map[string][]byte{"onnx/tts.json": edited(t, "onnx/tts.json", `"sample_rate": 44100`, `"sample_rate": "high"`)}, "tts.json", "a wrong value in ae.sample_rate"},
		"unknown version":  {map[string][]byte{"onnx/tts.json": edited(t, "onnx/tts.json", "v1.7.3", "v2.0.0")}, "tts.json", `unknown tts_version "v2.0.0"`},
		"no version":       {map[string][]byte{"onnx/tts.json": edited(t, "onnx/tts.json", "tts_version", "version")}, "tts.json", "unknown tts_version"},
		"cut indexer":      {map[string][]byte{"onnx/unicode_indexer.json": []byte("[1, 2,")}, "unicode_indexer.json", "damaged or cut off"},
		"words as indexer": {map[string][]byte{"onnx/unicode_indexer.json": []byte(`{"a": 1}`)}, "unicode_indexer.json", "damaged or cut off"},
		"empty indexer":    {map[string][]byte{"onnx/unicode_indexer.json": []byte("[]")}, "unicode_indexer.json", "has no character"},
		"blind indexer":    {map[string][]byte{"onnx/unicode_indexer.json": []byte("[-1, -1]")}, "unicode_indexer.json", "has no character"},
		"wrong indexer":    {map[string][]byte{"onnx/unicode_indexer.json": []byte("[1, -2]")}, "unicode_indexer.json", "-2, for the character U+0001"},
		"cut voice":        {map[string][]byte{"voice_styles/M1.json": style[:1000]}, "M1.json", "damaged or cut off"},
		"voice of words":   {map[string][]byte{"voice_styles/M1.json": []byte(`{"style_ttl": {"data": "x"}}`)}, "M1.json", "a wrong value in style_ttl.data"},
		"empty voice":      {map[string][]byte{"voice_styles/M1.json": []byte("{}")}, "M1.json", "wrong style_ttl: it is missing"},
		"half a voice":     {map[string][]byte{"voice_styles/M1.json": bytes.Replace(style, []byte("style_dp"), []byte("style"), 1)}, "M1.json", "wrong style_dp: it is missing"},
		"other dimensions": {map[string][]byte{"voice_styles/M1.json": bytes.Replace(style, []byte("[1, 8, 16]"), []byte("[1, 16, 8]"), 1)}, "M1.json", "style_dp: expected the dimensions [1 8 16], found [1 16 8]"},
		"other numbers":    {map[string][]byte{"voice_styles/M1.json": bytes.Replace(style, []byte(`"float32"`), []byte(`"float16"`), 1)}, "M1.json", `expected float32, found "float16"`},
		"no block":         {map[string][]byte{"voice_styles/M1.json": []byte(`{"style_ttl": {"data": [], "dims": [1, 50, 256], "type": "float32"}}`)}, "M1.json", "found 0 blocks"},
		"one row":          {map[string][]byte{"voice_styles/M1.json": []byte(`{"style_ttl": {"data": [[[1]]], "dims": [1, 50, 256], "type": "float32"}}`)}, "M1.json", "found 1 rows"},
		"a short row":      {map[string][]byte{"voice_styles/M1.json": bytes.Replace(style, []byte("[[[0"), []byte("[[[0, 0"), 1)}, "M1.json", "found 257 numbers in row 0"},
		"endless number":   {map[string][]byte{"voice_styles/M1.json": bytes.Replace(style, []byte("[[[0"), []byte("[[[1e99, 0"), 1)}, "M1.json", "wrong value in style_ttl.data"},
	} {
		t.Run(name, func(t *testing.T) {
			files, ok, err := NewDriver(library(t)).Find(folder(t, tt.changed))
			require.True(t, ok)
			require.Nil(t, files)
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.Equal(t, tt.file, backend.AsError(err).Params["file"])
		})
	}
}

// TestLatentOfAnySizeIsRefused: each number of a config is in its range, but together they need terabytes.
func TestLatentOfAnySizeIsRefused(t *testing.T) {
	var c config
	c.AE.SampleRate, c.AE.BaseChunk, c.TTL.Compress, c.TTL.LatentDim = onnx.MaxSampleRate, 1, 1, onnx.MaxLatentRows
	_, err := (&graphs{config: c}).measure(longestSpeech, 1)
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
}

// TestFilesThatChangeAfterFind: a file that is damaged after Find is named by Open, and nothing stays loaded.
func TestFilesThatChangeAfterFind(t *testing.T) {
	d := NewDriver(library(t))
	for role, file := range map[string]string{
		RoleVocoder: "onnx/vocoder.onnx", RoleConfig: "onnx/tts.json", RoleIndexer: "onnx/unicode_indexer.json",
		RoleVoice + "M1": "voice_styles/M1.json",
	} {
		root := folder(t, nil)
		files, ok, err := d.Find(root)
		require.NoError(t, err)
		require.True(t, ok)
		require.NoError(t, os.Truncate(filepath.Join(root, file), 4000))
		_, err = d.Open(t.Context(), files, engines.Options{})
		require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), role)
		require.Equal(t, filepath.Base(file), backend.AsError(err).Params["file"])
		require.NoError(t, os.Remove(filepath.Join(root, file)))
		_, err = d.Open(t.Context(), files, engines.Options{})
		require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), role)
	}
}

func TestOpenIsCancelled(t *testing.T) {
	d := NewDriver(library(t))
	files, _, err := d.Find(kit(t, "repo"))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = d.Open(ctx, files, engines.Options{})
	require.ErrorIs(t, err, backend.ErrCancelled)
}

// TestCopiedFiles: a copied model has no folders, and a voice may have any name.
func TestCopiedFiles(t *testing.T) {
	d := NewDriver(library(t))
	root := folder(t, nil)
	files, _, err := d.Find(root)
	require.NoError(t, err)
	flat, copied := t.TempDir(), engines.Files{}
	for role, path := range files {
		copied[role] = filepath.Join(flat, filepath.Base(path))
		require.NoError(t, os.Rename(path, copied[role]))
	}
	copied[RoleVoice+"anna"] = copied[RoleVoice+"F1"]
	speaker := enginetest.OpenFiles(t, d, copied, engines.Options{})
	defer func() { require.NoError(t, speaker.Close()) }()
	require.Equal(t, []engines.Voice{
		{ID: "F1", Name: "Female 1", Language: "en", Gender: "female"},
		{ID: "M1", Name: "Male 1", Language: "en", Gender: "male"},
		{ID: "anna", Name: "anna", Language: "en"},
	}, speaker.Info().Voices)
	hello := func(voice string) []float32 {
		return enginetest.Say(t, speaker, engines.Utterance{Text: "Hello.", Voice: voice})
	}
	require.Equal(t, hello("F1"), hello(""))
	require.Equal(t, hello("F1"), hello("anna"))
	require.NotEqual(t, hello("F1"), hello("M1"))
}

func TestEditions(t *testing.T) {
	for name, tt := range map[string]struct {
		version, split, name string
		languages            int
		tags                 []string
		same                 string // the text with its tag, as the newest edition's table reads it
	}{
		"first":       {"v1.5.0", "opensource-en", "Supertonic", 1, nil, "Hello."},
		"first split": {"v1.0.0", "opensource-en", "Supertonic", 1, nil, "Hello."},
		"second":      {"v1.6.0", "opensource-multilingual", "Supertonic 2", 5, nil, "<en>Hello.</en>"},
		"third":       {"v1.7.3", "opensource-multilingual", "Supertonic 3", 31, []string{"<laugh>", "<breath>", "<sigh>"}, "<en>Hello.</en>"},
	} {
		t.Run(name, func(t *testing.T) {
			config := edited(t, "onnx/tts.json", `"tts_version": "v1.7.3"`, `"tts_version": "`+tt.version+`"`)
			config = bytes.Replace(config, []byte("opensource-multilingual"), []byte(tt.split), 1)
			e := openAt(t, folder(t, map[string][]byte{"onnx/tts.json": config}), 1)
			require.Equal(t, tt.name, e.frontend.edition.name)
			info := e.Info()
			require.Len(t, info.Languages, tt.languages)
			require.Equal(t, tt.tags, info.Tags)
			language, err := e.frontend.language("en", "")
			require.NoError(t, err)
			want, _ := e.frontend.ids(tt.same, "")
			require.Equal(t, [][]int64{want}, e.frontend.pieces("Hello", language))
			require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: "Hello"}))
			err = e.Speak(t.Context(), engines.Utterance{Text: "Hallo", Language: "de"}, func(audio.Buffer) error { return nil })
			if tt.languages < 31 {
				require.Equal(t, backend.CodeLanguageNotSupported, backend.CodeOf(err))
			} else {
				require.NoError(t, err)
			}
		})
	}
}
