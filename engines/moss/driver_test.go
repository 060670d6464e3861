package moss

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestDriver(t *testing.T) {
	d := NewDriver(library(t))
	require.Equal(t, "moss", d.Engine())
	require.Equal(t, engines.Abilities{Multilingual: true}, d.Abilities())
	rules, ok := d.CloneRules("")
	require.True(t, ok)
	require.Equal(t, engines.CloneRules{Longest: 20}, rules)
	about, err := d.Describe(enginetest.Find(t, d, kit(t, repos)))
	require.NoError(t, err)
	require.Equal(t, "moss-tts-nano", about.Key)
	require.Equal(t, 48000, about.SampleRate)
	require.Len(t, about.Languages, 19)
	require.True(t, about.Clones)
	info := openAt(t, kit(t, repos), 3).Info()
	require.Equal(t, about.Voices, info.Voices)
	require.Equal(t, about.Languages, info.Languages)
	require.Equal(t, 2, info.Channels)
	require.Equal(t, 3, info.Threads)
	require.True(t, info.Reproducible)
	require.Equal(t, &rules, info.Clones)
	require.LessOrEqual(t, usualThreads(), 4)
}

// TestFind: the two repositories lie side by side, are given by the manifest, or are copied into one folder.
func TestFind(t *testing.T) {
	d := NewDriver(library(t))
	root := folder(t, nil)
	want := enginetest.Find(t, d, root)
	require.Equal(t, filepath.Join(root, speechRepo, manifestName), want[RoleManifest])
	require.Equal(t, filepath.Join(root, codecRepo, "codec_browser_onnx_meta.json"), want[RoleCodec])
	require.Equal(t, filepath.Join(root, speechRepo, "moss_tts_global_shared.data"), want[RoleData+"moss_tts_global_shared.data"])
	require.Equal(t, filepath.Join(root, codecRepo, "moss_audio_tokenizer_encode.data"), want[RoleData+"moss_audio_tokenizer_encode.data"])
	for _, path := range []string{filepath.Join(root, speechRepo), filepath.Join(root, speechRepo, manifestName)} {
		require.Equal(t, want, enginetest.Find(t, d, path))
	}
	upper := t.TempDir()
	require.NoError(t, os.Rename(root, filepath.Join(upper, "OpenMOSS-Team")))
	require.Len(t, enginetest.Find(t, d, upper), len(want))

	flat := t.TempDir()
	for _, path := range enginetest.Find(t, d, upper) {
		require.NoError(t, os.Rename(path, filepath.Join(flat, filepath.Base(path))))
	}
	copied := enginetest.Find(t, d, flat)
	require.Len(t, copied, len(want))
	speaker := enginetest.OpenFiles(t, d, copied, engines.Options{})
	require.NotEmpty(t, enginetest.Say(t, speaker, engines.Utterance{Text: "Hello."}))
	require.NoError(t, speaker.Close())

	for _, other := range []string{t.TempDir(), kit(t, "cases.json"), kit(t, "no such file"), kit(t, repos, codecRepo)} {
		files, ok, err := d.Find(other)
		require.NoError(t, err)
		require.False(t, ok, other)
		require.Empty(t, files)
	}
}

// TestFilesOfTheHubsCache: the files of the two repositories are links to different folders, and come by their roles in the
// registry.
func TestFilesOfTheHubsCache(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(enginetest.Root(t), "backend", "models", "registry", "registry.json"))
	require.NoError(t, err)
	var registry struct {
		Models []struct {
			Name     string `json:"model_name"`
			Variants []struct {
				Files []struct{ Repo, Revision, Path, Role string } `json:"files"`
			} `json:"variants"`
		} `json:"models"`
	}
	require.NoError(t, json.Unmarshal(raw, &registry))
	hub, files := t.TempDir(), engines.Files{}
	for _, m := range registry.Models {
		if m.Name != "moss-nano" {
			continue
		}
		for _, f := range m.Variants[0].Files {
			repo := filepath.Join(hub, "models--"+strings.ReplaceAll(f.Repo, "/", "--"))
			link := filepath.Join(repo, "snapshots", f.Revision, f.Path)
			require.NoError(t, os.MkdirAll(filepath.Join(repo, "blobs"), 0o700))
			require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o700))
			content, err := os.ReadFile(kit(t, repos, filepath.Base(f.Repo), f.Path))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(repo, "blobs", f.Role), content, 0o600))
			require.NoError(t, os.Symlink(filepath.Join("..", "..", "blobs", f.Role), link))
			files[f.Role] = link
		}
	}
	d := NewDriver(library(t))
	_, err = d.Describe(files)
	require.NoError(t, err)
	speaker := enginetest.OpenFiles(t, d, files, engines.Options{})
	require.NotEmpty(t, enginetest.Say(t, speaker, engines.Utterance{Text: "Hello."}))
	require.NoError(t, speaker.Close())
}

// The names of the files that the tests change.
const (
	manifestFile = speechRepo + "/" + manifestName
	metaFile     = speechRepo + "/tts_browser_onnx_meta.json"
	codecFile    = codecRepo + "/codec_browser_onnx_meta.json"
)

func TestDamagedModels(t *testing.T) {
	edit := func(name, from, to string) map[string][]byte {
		return map[string][]byte{name: edited(t, name, from, to)}
	}
	none := func(name string) map[string][]byte { return map[string][]byte{name: nil} }
	cut := func(name string) map[string][]byte { return map[string][]byte{name: []byte("{")} }
	for name, tt := range map[string]struct {
		changed    map[string][]byte
		file, says string
	}{
		"no description":           {none(metaFile), "tts_browser_onnx_meta.json", "is missing"},
		"no codec":                 {none(codecFile), "codec_browser_onnx_meta.json", "is missing"},
		"no tokenizer":             {none(speechRepo + "/tokenizer.model"), "tokenizer.model", "is missing"},
		"no graph":                 {none(speechRepo + "/moss_tts_prefill.onnx"), "moss_tts_prefill.onnx", "is missing"},
		"no graph of the codec":    {none(codecRepo + "/moss_audio_tokenizer_encode.onnx"), "moss_audio_tokenizer_encode.onnx", "is missing"},
		"no weights":               {none(speechRepo + "/moss_tts_local_shared.data"), "moss_tts_local_shared.data", "is missing"},
		"weights cut off":          {map[string][]byte{codecRepo + "/moss_audio_tokenizer_decode_shared.data": make([]byte, 100)}, "moss_audio_tokenizer_decode_shared.data", "cut off"},
		"graph cut off":            {map[string][]byte{speechRepo + "/moss_tts_decode_step.onnx": []byte("x")}, "moss_tts_decode_step.onnx", "damaged or cut off"},
		"manifest cut off":         {cut(manifestFile), manifestName, "damaged or cut off"},
		"description cut off":      {cut(metaFile), "tts_browser_onnx_meta.json", "damaged or cut off"},
		"codec cut off":            {cut(codecFile), "codec_browser_onnx_meta.json", "damaged or cut off"},
		"a file elsewhere":         {edit(manifestFile, `"tokenizer.model"`, `"../../../etc/passwd"`), manifestName, "model_files.tokenizer_model"},
		"a file by its full path":  {edit(manifestFile, `"tokenizer.model"`, `"/etc/passwd"`), manifestName, "model_files.tokenizer_model"},
		"no name":                  {edit(metaFile, `"prefill":"moss_tts_prefill.onnx"`, `"prefill":""`), "tts_browser_onnx_meta.json", "files.prefill"},
		"no channels":              {edit(manifestFile, `"n_vq":16`, `"n_vq":0`), manifestName, "tts_config.n_vq"},
		"other channels":           {edit(manifestFile, `"builtin_voices":[`, `"builtin_voices":[{"voice":"x","prompt_audio_codes":[[1,2]]},`), manifestName, "builtin_voices[0].prompt_audio_codes"},
		"channels of another":      {edit(codecFile, `"num_quantizers":16`, `"num_quantizers":8`), "codec_browser_onnx_meta.json", "codec_config.num_quantizers"},
		"endless speech":           {edit(manifestFile, `"max_new_frames":375`, `"max_new_frames":1000000000`), manifestName, "generation_defaults.max_new_frames"},
		"no such id":               {edit(manifestFile, `"audio_end_token_id":7`, `"audio_end_token_id":2048`), manifestName, "tts_config.audio_end_token_id"},
		"no such word":             {edit(manifestFile, `"user_prompt_after_reference_token_ids":[`, `"user_prompt_after_reference_token_ids":[-1,`), manifestName, "prompt_templates.user_prompt_after_reference_token_ids"},
		"no such code":             {edit(manifestFile, `"prompt_audio_codes":[[484`, `"prompt_audio_codes":[[1024`), manifestName, "builtin_voices[0].prompt_audio_codes"},
		"a voice twice":            {edit(manifestFile, `"voice":"Ava"`, `"voice":"Adam"`), manifestName, "builtin_voices[2].voice"},
		"a voice without name":     {edit(manifestFile, `"voice":"Ava"`, `"voice":""`), manifestName, "builtin_voices[1].voice"},
		"a word in a number":       {edit(manifestFile, `"n_vq":16`, `"n_vq":"many"`), manifestName, "tts_config.n_vq"},
		"too many layers":          {edit(metaFile, `"global_layers":2`, `"global_layers":100000`), "tts_browser_onnx_meta.json", "model_config.global_layers"},
		"other layers":             {edit(metaFile, `"global_layers":2`, `"global_layers":3`), "tts_browser_onnx_meta.json", "onnx.prefill_output_names"},
		"endless memory":           {edit(metaFile, `"global_heads":2,"head_dim":8`, `"global_heads":256,"head_dim":1024`), "tts_browser_onnx_meta.json", "model_config"},
		"codes of two sizes":       {edit(metaFile, `"audio_codebook_sizes":[1024`, `"audio_codebook_sizes":[512`), "tts_browser_onnx_meta.json", "audio_codebook_sizes"},
		"no sampling rate":         {edit(codecFile, `"sample_rate":48000`, `"sample_rate":0`), "codec_browser_onnx_meta.json", "codec_config.sample_rate"},
		"six channels":             {edit(codecFile, `"channels":2`, `"channels":6`), "codec_browser_onnx_meta.json", "codec_config.channels"},
		"endless states":           {edit(codecFile, `"cache_shape":[1,2,5,4]`, `"cache_shape":[67108864,67108864,67108864,67108864]`), "codec_browser_onnx_meta.json", "streaming_decode"},
		"a state without a shape":  {edit(codecFile, `"shape":[1]`, `"shape":[]`), "codec_browser_onnx_meta.json", "streaming_decode"},
		"a state that is twice":    {edit(codecFile, `"attn_offset_1"`, `"attn_offset_0"`), "codec_browser_onnx_meta.json", "streaming_decode"},
		"tokenizer of another one": {map[string][]byte{speechRepo + "/tokenizer.model": []byte("not a tokenizer")}, "tokenizer.model", "damaged"},
		"fewer words":              {edit(metaFile, `"vocab_size":2048`, `"vocab_size":2047`), "tokenizer.model", "2048 pieces, more than the 2047 words"},
	} {
		t.Run(name, func(t *testing.T) {
			_, ok, err := NewDriver(library(t)).Find(folder(t, tt.changed))
			require.True(t, ok)
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.Equal(t, tt.file, backend.AsError(err).Params["file"])
		})
	}
}

func TestTwoModels(t *testing.T) {
	root := folder(t, nil)
	require.NoError(t, os.CopyFS(filepath.Join(root, "copy"), os.DirFS(filepath.Join(root, speechRepo))))
	_, _, err := NewDriver(library(t)).Find(root)
	require.ErrorContains(t, err, "choose one")
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
}

// TestEqualNames: a copied model has all files in one folder, so no two may have one name.
func TestEqualNames(t *testing.T) {
	const prefill, encoder = "moss_tts_prefill.onnx", "moss_audio_tokenizer_encode.onnx"
	root := folder(t, map[string][]byte{codecFile: edited(t, codecFile, encoder, prefill)})
	require.NoError(t, os.Rename(filepath.Join(root, codecRepo, encoder), filepath.Join(root, codecRepo, prefill)))
	_, _, err := NewDriver(library(t)).Find(root)
	require.ErrorContains(t, err, "the name of another file")
}

// TestFilesThatChangeAfterFind: a file that is damaged after Find is named by Open, and nothing stays loaded.
func TestFilesThatChangeAfterFind(t *testing.T) {
	d := NewDriver(library(t))
	for _, role := range []string{RoleManifest, RoleTokenizer, RoleFrame, RoleData + "moss_audio_tokenizer_encode.data"} {
		files := enginetest.Find(t, d, folder(t, nil))
		require.NoError(t, os.Truncate(files[role], 40))
		_, err := d.Open(t.Context(), files, engines.Options{})
		require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), role)
		require.Equal(t, filepath.Base(files[role]), backend.AsError(err).Params["file"])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := d.Open(ctx, enginetest.Find(t, d, kit(t, repos)), engines.Options{})
	require.ErrorIs(t, err, backend.ErrCancelled)
}

// FuzzConfig reads any bytes as the three descriptions: the result is within the limits, or an error that names the file.
func FuzzConfig(f *testing.F) {
	for _, name := range []string{manifestFile, metaFile, codecFile} {
		raw, err := os.ReadFile(kit(f, repos, filepath.FromSlash(name)))
		require.NoError(f, err)
		f.Add(raw)
	}
	f.Add([]byte(`{"streaming_decode":{"attention_caches":[{"cache_shape":[1,-1]}]}}`))
	path := filepath.Join(f.TempDir(), "model.json")
	f.Fuzz(func(t *testing.T, raw []byte) {
		require.NoError(t, os.WriteFile(path, raw, 0o600))
		m, err1 := readManifest(path)
		lm, err2 := readMeta(path)
		codec, err3 := readCodec(path)
		for _, err := range []error{err1, err2, err3} {
			if err != nil {
				require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
				require.Equal(t, "model.json", backend.AsError(err).Params["file"])
			}
		}
		if err2 != nil || err1 != nil || err3 != nil {
			return
		}
		c := config{manifest: m, meta: lm, codec: codec}
		if c.together(engines.Files{RoleManifest: path, RoleMeta: path, RoleCodec: path}) == nil {
			require.LessOrEqual(t, c.memory(c.longest()), int64(maxMemory))
		}
	})
}
