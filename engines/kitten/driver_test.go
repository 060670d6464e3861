package kitten

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
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

const nanoGraph = "kitten_tts_nano_v0_8.onnx"

// folder makes a folder with copies of the nano model's files; changed replaces contents by name, nil leaves a file out.
func folder(t *testing.T, changed map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{nanoGraph, configName, voicesName} {
		raw, err := os.ReadFile(kit(t, "repo", name))
		require.NoError(t, err)
		if other, ok := changed[name]; ok {
			raw = other
		}
		if raw != nil {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), raw, 0o600))
		}
	}
	for name, raw := range changed {
		if name != nanoGraph && name != configName && name != voicesName {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), raw, 0o600))
		}
	}
	return dir
}

func whole(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(kit(t, "repo", name))
	require.NoError(t, err)
	return raw
}

// npy returns an array file; header is its description without padding.
func npy(header string, elements int) []byte {
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	_ = binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	for i := range elements {
		_ = binary.Write(&b, binary.LittleEndian, float32(i%7)/8)
	}
	return b.Bytes()
}

func header(descr, fortran, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n", descr, fortran, shape)
}

// npz returns a voices file with these arrays.
func npz(t *testing.T, method uint16, arrays map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, raw := range arrays {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		require.NoError(t, err)
		_, err = w.Write(raw)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func TestDescribe(t *testing.T) {
	d := newDriver(t, letters{})
	require.Equal(t, "kitten", d.Engine())
	voice := func(id, name, gender string) engines.Voice {
		return engines.Voice{ID: "expr-voice-" + id, Name: name, Language: "en-US", Gender: gender}
	}
	for repo, k := range map[string]string{"repo": "nano", "repo_mini": "mini"} {
		dir := modelDir(t, repo)
		for _, path := range []string{dir, filepath.Join(dir, "kitten_tts_"+k+"_v0_8.onnx")} {
			files, ok, err := d.Find(path)
			require.NoError(t, err)
			require.True(t, ok)
			require.Len(t, files, 3)
			got, err := d.Describe(files)
			require.NoError(t, err)
			require.Equal(t, engines.Description{
				Key: k, Name: "KittenTTS " + k, Languages: []string{"en-US"}, SampleRate: 24000, Voices: []engines.Voice{
					voice("2-f", "Bella", "female"), voice("2-m", "Jasper", "male"), voice("3-f", "Luna", "female"), voice("3-m", "Bruno", "male"),
					voice("4-f", "Rosie", "female"), voice("4-m", "Hugo", "male"), voice("5-f", "Kiki", "female"), voice("5-m", "Leo", "male"),
				},
			}, got)
		}
	}
}

func TestFindNamesTheWrongFile(t *testing.T) {
	graph, voices := whole(t, nanoGraph), whole(t, voicesName)
	for name, tt := range map[string]struct {
		changed map[string][]byte
		says    string
	}{
		"no config":      {map[string][]byte{configName: nil}, "config.json is missing"},
		"no graph":       {map[string][]byte{nanoGraph: nil}, nanoGraph + " is missing"},
		"no voices":      {map[string][]byte{voicesName: nil}, "voices.npz is missing"},
		"cut config":     {map[string][]byte{configName: []byte(`{"name": "Kitt`)}, "config.json is damaged or cut off"},
		"empty config":   {map[string][]byte{configName: {}}, "config.json is damaged or cut off"},
		"config is list": {map[string][]byte{configName: []byte(`[1]`)}, "config.json is damaged or cut off"},
		"cut graph":      {map[string][]byte{nanoGraph: graph[:len(graph)/2]}, nanoGraph + " is damaged or cut off"},
		"cut voices":     {map[string][]byte{voicesName: voices[:len(voices)/2]}, "voices.npz is damaged or cut off"},
		"empty voices":   {map[string][]byte{voicesName: {}}, "voices.npz is damaged or cut off"},
		"many voices":    {map[string][]byte{voicesName: npz(t, zip.Store, manyVoices())}, "belongs to a model with 600 voices"},
		"no arrays":      {map[string][]byte{voicesName: npz(t, zip.Store, nil)}, "voices.npz has no voices"},
		"other graph":    {map[string][]byte{configName: []byte(`{"model_file": "x.onnx", "voices": "voices.npz"}`)}, "x.onnx is missing"},
		"outside":        {map[string][]byte{configName: []byte(`{"model_file": "../x.onnx", "voices": "v.npz"}`)}, "wrong value in model_file"},
		"voices outside": {map[string][]byte{configName: []byte(`{"voices": "/etc/passwd"}`)}, "wrong value in voices"},
		"alias type":     {map[string][]byte{configName: []byte(`{"voice_aliases": [1]}`)}, "wrong value in voice_aliases"},
		"unknown type":   {map[string][]byte{configName: []byte(`{"type": "GGUF"}`)}, "wrong value in type"},
		"speed zero":     {map[string][]byte{configName: []byte(`{"speed_priors": {"expr-voice-2-f": 0}}`)}, "wrong value in speed_priors"},
		"two graphs":     {map[string][]byte{configName: []byte(`{}`), "kitten_tts_zzz_v0_8.onnx": graph}, "kitten_tts_zzz_v0_8.onnx is one graph too many"},
	} {
		t.Run(name, func(t *testing.T) {
			files, ok, err := newDriver(t, letters{}).Find(folder(t, tt.changed))
			require.True(t, ok)
			require.Nil(t, files)
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), "%v", err)
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.NotEmpty(t, backend.AsError(err).Remedy)
		})
	}
}

func manyVoices() map[string][]byte {
	out := map[string][]byte{}
	for i := range 600 {
		out[fmt.Sprint(i, ".npy")] = nil
	}
	return out
}

func TestFindLeavesOtherModelsAlone(t *testing.T) {
	d := newDriver(t, letters{})
	dir := t.TempDir()
	for name, content := range map[string]string{
		configName: `{"model_type": "style_text_to_speech_2"}`, "model.onnx": "x", "en_US-amy-low.onnx": "x", "tokenizer.json": "{}",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	for _, path := range []string{
		dir, filepath.Join(dir, "model.onnx"), filepath.Join(dir, configName), filepath.Join(dir, "none"), t.TempDir(),
	} {
		files, ok, err := d.Find(path)
		require.NoError(t, err)
		require.False(t, ok, path)
		require.Nil(t, files)
	}
	ours := folder(t, map[string][]byte{"model.onnx": []byte("x")})
	_, ok, err := d.Find(filepath.Join(ours, "model.onnx"))
	require.NoError(t, err)
	require.False(t, ok, "another graph in a folder of this engine")
}

// TestConfigWithMissingKeys: the names of the graph and of the arrays replace the missing keys.
func TestConfigWithMissingKeys(t *testing.T) {
	for name, content := range map[string]string{
		"empty":   `{}`,
		"null":    `{"voice_aliases": null, "speed_priors": null, "model_file": null}`,
		"renamed": `{"model_file": "mine.onnx", "voices": "voices.npz", "type": "ONNX1"}`,
	} {
		t.Run(name, func(t *testing.T) {
			changed := map[string][]byte{configName: []byte(content)}
			if name == "renamed" {
				changed[nanoGraph], changed["mine.onnx"] = nil, whole(t, nanoGraph)
			}
			e := open(t, folder(t, changed), letters{}, 0)
			voices := e.Info().Voices
			require.Len(t, voices, 8)
			require.Equal(t, "expr-voice-2-f", voices[0].Name)
			require.InDelta(t, 1, e.config.speed(voices[0].ID, 1), 0)
			require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: "Hello there, all of you"}))
		})
	}
}

func TestBrokenVoices(t *testing.T) {
	good := header("<f4", "False", "400, 256")
	const size = styleRows * styleSize
	nan := npy(good, size)
	binary.LittleEndian.PutUint32(nan[len(nan)-4:], math.Float32bits(float32(math.NaN())))
	flipped := npz(t, zip.Store, map[string][]byte{"expr-voice-2-f.npy": npy(good, size)})
	flipped[2000] ^= 1
	one := func(raw []byte) []byte { return npz(t, zip.Store, map[string][]byte{"expr-voice-2-f.npy": raw}) }
	for name, tt := range map[string]struct {
		voices []byte
		says   string
	}{
		"wrong shape":   {one(npy(header("<f4", "False", "510, 1, 256"), 510*256)), "has the shape 510, 1, 256, not 400, 256"},
		"other type":    {one(npy(header("<f8", "False", "400, 256"), 2*size)), "has the type <f8, not <f4"},
		"big endian":    {one(npy(header(">f4", "False", "400, 256"), size)), "has the type >f4, not <f4"},
		"column order":  {one(npy(header("<f4", "True", "400, 256"), size)), "column order"},
		"no type":       {one(npy("{}", 0)), "says no type"},
		"too short":     {one(npy(good, size-1)), "read elements"},
		"too long":      {one(npy(good, size+1)), "4 bytes follow"},
		"no array":      {one([]byte("something else")), "not an array file"},
		"empty array":   {one(nil), "read header"},
		"long header":   {one([]byte("\x93NUMPY\x02\x00\xff\xff\xff\x7f")), "its header has 2147483647 bytes"},
		"not a number":  {one(nan), "is NaN"},
		"flipped bit":   {flipped, "checksum"},
		"missing voice": {one(npy(good, size)), "lacks the voice expr-voice-"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDriver(t, letters{})
			files := enginetest.Find(t, d, folder(t, map[string][]byte{voicesName: tt.voices}))
			_, err := d.Open(t.Context(), files, engines.Options{})
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), "%v", err)
			require.Contains(t, backend.AsError(err).Detail, tt.says)
			require.Equal(t, voicesName, backend.AsError(err).Params["file"])
			if name == "missing voice" {
				_, err = d.Describe(files)
				require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			}
		})
	}
}

// TestVoicesAreReadInEveryForm: stored and deflated, header of version 1 and 2, and other files in the archive.
func TestVoicesAreReadInEveryForm(t *testing.T) {
	const size = styleRows * styleSize
	want := npy(header("<f4", "False", "400, 256"), size)
	second := append([]byte("\x93NUMPY\x02\x00"), want[8], want[9], 0, 0)
	second = append(second, want[10:]...)
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		path := filepath.Join(t.TempDir(), voicesName)
		require.NoError(t, os.WriteFile(path, npz(t, method, map[string][]byte{"a.npy": want, "b.npy": second, "readme.txt": []byte("x")}), 0o600))
		got, err := readStyles(path)
		require.NoError(t, err)
		require.Len(t, got, 2)
		require.Equal(t, got["a"], got["b"])
		require.Len(t, got["a"], size)
		require.InDelta(t, 3.0/8, got.row("a", 0)[3], 0)
		require.Equal(t, got.row("a", 399), got.row("a", 100000))
	}
}

func FuzzReadNpy(f *testing.F) {
	f.Add(npy(header("<f4", "False", "2, 3"), 6))
	f.Add([]byte("\x93NUMPY\x02\x00\x05\x00\x00\x00'desc"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if values, err := onnx.ReadNpy(bytes.NewReader(raw), 2, 3); err == nil {
			require.Len(t, values, 6)
		}
	})
}

func TestKeys(t *testing.T) {
	for graph, want := range map[string]string{
		"/a/kitten_tts_nano_v0_8.onnx": "nano", "kitten_tts_mini_v0_8.onnx": "mini", "kitten_tts_micro.onnx": "micro", "mine.onnx": "mine",
	} {
		require.Equal(t, want, key(graph))
	}
}

// TestCutGraphWhileOpening: a file that loses its end between Find and Open is named, too.
func TestCutGraphWhileOpening(t *testing.T) {
	dir := folder(t, nil)
	d := newDriver(t, letters{})
	files, _, err := d.Find(dir)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(filepath.Join(dir, nanoGraph), 20000))
	_, err = d.Open(t.Context(), files, engines.Options{})
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	require.True(t, strings.HasPrefix(fmt.Sprint(backend.AsError(err).Params["file"]), "kitten_tts_nano"))
}
