package piper

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
	d := NewDriver(library(t), letters{})
	require.Equal(t, "piper", d.Engine())
	const licence = "CC0 (random numbers, made for tests)"
	for _, want := range []engines.Description{
		{
			Key: "en_GB-vctk-medium", Name: "Vctk (medium)", Languages: []string{"en-GB"}, SampleRate: 22050, License: licence,
			Voices: []engines.Voice{
				{ID: "p239", Name: "p239", Language: "en-GB"},
				{ID: "p236", Name: "p236", Language: "en-GB"},
				{ID: "p264", Name: "p264", Language: "en-GB"},
				{ID: "p250", Name: "p250", Language: "en-GB"},
			},
		},
		{
			Key: "de_DE-thorsten-low", Name: "Thorsten (low)", Languages: []string{"de-DE"}, SampleRate: 16000, License: licence,
			Voices: []engines.Voice{{ID: "0", Name: "Thorsten", Language: "de-DE"}},
		},
		{
			Key: "uk_UA-lada-x_low", Name: "Lada (x-low)", Languages: []string{"uk-UA"}, SampleRate: 16000, License: licence,
			Voices: []engines.Voice{{ID: "0", Name: "Lada", Language: "uk-UA"}},
		},
	} {
		for _, path := range []string{voiceDir(t, want.Key), filepath.Join(voiceDir(t, want.Key), want.Key+".onnx")} {
			files, ok, err := d.Find(path)
			require.NoError(t, err)
			require.True(t, ok)
			require.Len(t, files, 3)
			got, err := d.Describe(files)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
}

// folder makes a folder with copies of the lessac voice's files under other names; content in angle brackets means such
// a file or a part of it, other content is written unchanged.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(voiceDir(t, "en_US-lessac-medium"), "en_US-lessac-medium")
	graph, err := os.ReadFile(source + ".onnx")
	require.NoError(t, err)
	config, err := os.ReadFile(source + ".onnx.json")
	require.NoError(t, err)
	contents := map[string]string{
		"<graph>": string(graph), "<half graph>": string(graph[:len(graph)/2]),
		"<config>": string(config), "<half config>": string(config[:len(config)/2]),
	}
	for name, content := range files {
		if known, ok := contents[content]; ok {
			content = known
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	return dir
}

func TestFindNamesTheWrongFile(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		file  string // to look at instead of the folder
		says  string
	}{
		"no config, known name":   {map[string]string{"en_US-amy-low.onnx": ""}, "", "en_US-amy-low.onnx.json is missing"},
		"no config, known inputs": {map[string]string{"mine.onnx": "<graph>"}, "", "mine.onnx.json is missing"},
		"no config, by file":      {map[string]string{"mine.onnx": "<graph>"}, "mine.onnx", "mine.onnx.json is missing"},
		"no graph":                {map[string]string{"a.onnx.json": "<config>"}, "", "a.onnx is missing"},
		"config of another":       {map[string]string{"a.onnx.json": "<config>", "b.onnx": "<graph>"}, "", "b.onnx.json is missing"},
		"two voices": {map[string]string{
			"a.onnx": "<graph>", "a.onnx.json": "<config>", "b.onnx": "<graph>", "b.onnx.json": "<config>",
		}, "", "b.onnx.json is one voice too many"},
		"two graphs": {map[string]string{
			"a.onnx": "<graph>", "b.onnx": "<graph>", "b.onnx.json": "<config>",
		}, "", "a.onnx is one graph too many"},
		"cut graph":    {map[string]string{"a.onnx": "<half graph>", "a.onnx.json": "<config>"}, "", "a.onnx is damaged or cut off"},
		"empty graph":  {map[string]string{"a.onnx": "", "a.onnx.json": "<config>"}, "", "a.onnx is damaged or cut off"},
		"cut config":   {map[string]string{"a.onnx": "<graph>", "a.onnx.json": "<half config>"}, "", "a.onnx.json is damaged or cut off"},
		"empty config": {map[string]string{"a.onnx": "<graph>", "a.onnx.json": ""}, "", "a.onnx.json is damaged or cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			files, ok, err := NewDriver(library(t), letters{}).Find(filepath.Join(folder(t, tt.files), tt.file))
			require.True(t, ok)
			require.Nil(t, files)
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.NotEmpty(t, backend.AsError(err).Remedy)
		})
	}
}

func TestFindLeavesOtherModelsAlone(t *testing.T) {
	other := folder(t, map[string]string{"model.onnx": "no graph at all", "voices.bin": "x", "tokenizer.json": "{}"})
	d := NewDriver(library(t), letters{})
	for _, path := range []string{
		other, filepath.Join(other, "model.onnx"), filepath.Join(other, "voices.bin"), filepath.Join(other, "none"), t.TempDir(),
	} {
		files, ok, err := d.Find(path)
		require.NoError(t, err)
		require.False(t, ok, path)
		require.Nil(t, files)
	}
}

func TestFindOneFileAmongMany(t *testing.T) {
	dir := folder(t, map[string]string{
		"a.onnx": "<graph>", "a.onnx.json": "<config>", "b.onnx": "<graph>", "b.onnx.json": "<config>",
		"MODEL_CARD": "* License: MIT",
	})
	files, ok, err := NewDriver(library(t), letters{}).Find(filepath.Join(dir, "b.onnx"))
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, engines.Files{
		RoleGraph: filepath.Join(dir, "b.onnx"), RoleConfig: filepath.Join(dir, "b.onnx.json"),
	}, files, "the card may be about the other voice")
}

// TestOpenOnADevice: an open voice reports its device, one that no build can use is an error, and without the GPU that was asked for
// the CPU speaks and says why.
func TestOpenOnADevice(t *testing.T) {
	d := NewDriver(library(t), letters{})
	files := enginetest.Find(t, d, voiceDir(t, "de_DE-thorsten-low"))
	_, err := d.Open(t.Context(), files, engines.Options{Device: "tpu"})
	require.Equal(t, backend.CodeUnsupportedGPU, backend.CodeOf(err))
	for device, reason := range map[string]any{"cpu": nil, "cuda": engines.GPUMissing} {
		voice, err := d.Open(t.Context(), files, engines.Options{Device: device})
		require.NoError(t, err)
		require.Equal(t, "cpu", voice.Info().Device)
		if why := voice.Info().Placement.Why(); reason == nil {
			require.Nil(t, why)
		} else {
			require.Equal(t, reason, why.Params["reason"])
		}
		require.NoError(t, voice.Close())
	}
}

// TestFindThroughLinks: the hub's cache keeps files as links to blobs with other names.
func TestFindThroughLinks(t *testing.T) {
	blobs := folder(t, map[string]string{"1c8b": "<graph>", "77aa": "<config>"})
	dir := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(blobs, "1c8b"), filepath.Join(dir, "en_US-amy-low.onnx")))
	require.NoError(t, os.Symlink(filepath.Join(blobs, "77aa"), filepath.Join(dir, "en_US-amy-low.onnx.json")))
	require.Equal(t, "en_US-amy-low", openAt(t, dir, letters{}, 0).key)
}

// TestCardOfAnotherPlaceIsLeftOut: a card that links out of the folder could be any file of the user's, and an import
// would copy it.
func TestCardOfAnotherPlaceIsLeftOut(t *testing.T) {
	d := NewDriver(library(t), letters{})
	hidden := filepath.Join(t.TempDir(), "id_rsa")
	require.NoError(t, os.WriteFile(hidden, []byte("secret"), 0o600))
	dir := folder(t, map[string]string{"a.onnx": "<graph>", "a.onnx.json": "<config>"})
	require.NoError(t, os.Symlink(hidden, filepath.Join(dir, "MODEL_CARD")))
	files, ok, err := d.Find(dir)
	require.NoError(t, err)
	require.True(t, ok)
	require.NotContains(t, files, RoleCard)

	blobs := folder(t, map[string]string{"1c8b": "<graph>", "77aa": "<config>", "90de": "* License: MIT"})
	dir = t.TempDir()
	for name, blob := range map[string]string{"a.onnx": "1c8b", "a.onnx.json": "77aa", "MODEL_CARD": "90de"} {
		require.NoError(t, os.Symlink(filepath.Join(blobs, blob), filepath.Join(dir, name)))
	}
	files, _, err = d.Find(dir)
	require.NoError(t, err)
	require.Contains(t, files, RoleCard, "the cache of a hub keeps every file as a link")
}

func TestConfigNamesTheWrongField(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(voiceDir(t, "en_GB-vctk-medium"), "en_GB-vctk-medium.onnx.json"))
	require.NoError(t, err)
	for name, tt := range map[string]struct{ old, new, field string }{
		"rate zero":         {`"sample_rate": 22050`, `"sample_rate": 0`, "audio.sample_rate"},
		"rate as word":      {`"sample_rate": 22050`, `"sample_rate": "fast"`, "audio.sample_rate"},
		"no espeak voice":   {`"voice": "en-gb-x-rp"`, `"voice": ""`, "espeak.voice"},
		"no start symbol":   {`"^": `, `"x": `, "phoneme_id_map"},
		"negative scale":    {`"length_scale": 1`, `"length_scale": -1`, "inference.length_scale"},
		"speaker too high":  {`"p250": 3`, `"p250": 4`, "speaker_id_map"},
		"negative speaker":  {`"p250": 3`, `"p250": -1`, "speaker_id_map"},
		"no speakers":       {`"num_speakers": 4`, `"num_speakers": -4`, "num_speakers"},
		"too many speakers": {`"num_speakers": 4`, `"num_speakers": 10000000000`, "num_speakers"},
		"rate too high":     {`"sample_rate": 22050`, `"sample_rate": 192001`, "audio.sample_rate"},
		"endless frames":    {`"phoneme_id_map": {`, `"hop_length": 1000000000000, "phoneme_id_map": {`, "hop_length"},
		"endless length":    {`"length_scale": 1`, `"length_scale": 50`, "inference.length_scale"},
		"many ids":          {`"phoneme_id_map": {`, `"phoneme_id_map": {"Q": [` + strings.Repeat("1,", 300_000) + `1], `, "phoneme_id_map"},
		"id too high":       {`"phoneme_id_map": {`, `"phoneme_id_map": {"Q": [9223372036854775807], `, "phoneme_id_map"},
		"long cluster":      {`"phoneme_id_map": {`, `"vowel_clusters": [[` + strings.Repeat(`"a",`, 100) + `"a"]], "phoneme_id_map": {`, "vowel_clusters"},
		"long speaker":      {`"p250": 3`, `"` + strings.Repeat("p", 300) + `": 3`, "speaker_id_map"},
		"unnamed speaker":   {`"p250": 3`, `"": 3`, "speaker_id_map"},
		"bad language":      {`"code": "en_GB"`, `"code": "English (GB)"`, "language.code"},
		"scalar id":         {`"phoneme_id_map": {`, `"phoneme_id_map": {"q": 3, `, "phoneme_id_map"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, string(whole), tt.old)
			path := filepath.Join(t.TempDir(), "v.onnx.json")
			require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(whole), tt.old, tt.new, 1)), 0o600))
			_, err := readConfig(path)
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			require.Contains(t, backend.AsError(err).Detail, "v.onnx.json")
			require.Contains(t, backend.AsError(err).Detail, tt.field)
		})
	}
}

func TestPhonemeTypesThatCannotBeMade(t *testing.T) {
	for _, kind := range []string{"pinyin", "hebrew", "japanese", "thai"} {
		dir := folder(t, map[string]string{"a.onnx": "<graph>", "a.onnx.json": "<config>"})
		path := filepath.Join(dir, "a.onnx.json")
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		changed := strings.Replace(string(raw), `"phoneme_type": "espeak"`, `"phoneme_type": "`+kind+`"`, 1)
		require.NoError(t, os.WriteFile(path, []byte(changed), 0o600))
		d := NewDriver(library(t), letters{})
		files, ok, err := d.Find(dir)
		require.NoError(t, err)
		require.True(t, ok)
		_, err = d.Describe(files)
		require.Equal(t, backend.CodeLanguageNotSupported, backend.CodeOf(err))
		_, err = d.Open(t.Context(), files, engines.Options{})
		require.Equal(t, backend.CodeLanguageNotSupported, backend.CodeOf(err))
		require.Contains(t, backend.AsError(err).Detail, kind)
	}
}

func TestGraphWithoutSpeakersIsRefusedForAConfigWithSpeakers(t *testing.T) {
	dir := folder(t, map[string]string{"a.onnx": "<graph>"})
	copyFile(t, filepath.Join(voiceDir(t, "en_GB-vctk-medium"), "en_GB-vctk-medium.onnx.json"), filepath.Join(dir, "a.onnx.json"))
	d := NewDriver(library(t), letters{})
	files := enginetest.Find(t, d, dir)
	_, err := d.Open(t.Context(), files, engines.Options{})
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	require.Contains(t, backend.AsError(err).Detail, "sid")
}

func TestSpeakersWithoutNames(t *testing.T) {
	c := config{NumSpeakers: 4, SpeakerIDMap: map[string]int64{"ann": 2, "bob": 0}}
	c.Espeak.Voice = "en-gb-x-rp"
	var ids []string
	for _, s := range c.speakers("x") {
		ids = append(ids, s.ID)
		require.Equal(t, "en-GB", s.Language)
	}
	require.Equal(t, []string{"bob", "1", "ann", "3"}, ids)
}

func TestLanguages(t *testing.T) {
	for _, tt := range []struct{ code, voice, want string }{
		{"en_US", "en-us", "en-US"},
		{"pt_BR", "pt-br", "pt-BR"},
		{"", "pt-br", "pt-BR"},
		{"", "es-419", "es-419"},
		{"", "en-gb-x-rp", "en-GB"},
		{"", "de", "de"},
		{"", "en+f3", "und"},
		{"", "", "und"},
	} {
		var c config
		c.Language.Code, c.Espeak.Voice = tt.code, tt.voice
		require.Equal(t, tt.want, c.language())
	}
}

func TestLicenseLines(t *testing.T) {
	for text, want := range map[string]string{
		"* License: CC0\n": "CC0",
		"# Card\r\n* URL: x\r\n* License: CC-BY 4.0 \r\n": "CC-BY 4.0",
		"- Licence: see https://x.org/a":                  "see https://x.org/a",
		"The license is unknown":                          "",
		"* License:\n* Next: thing":                       "",
	} {
		path := filepath.Join(t.TempDir(), "MODEL_CARD")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		got, err := license(path)
		require.NoError(t, err)
		require.Equal(t, want, got, text)
	}
}
