package registry_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

func load(t *testing.T) map[string]registry.Entry {
	t.Helper()
	entries, err := registry.Load()
	require.NoError(t, err)
	out := make(map[string]registry.Entry, len(entries))
	for _, e := range entries {
		require.NoError(t, e.Check())
		out[e.Name] = e
	}
	require.Len(t, out, len(entries), "names are unique")
	return out
}

func TestTheListHasEveryModelOfTheContract(t *testing.T) {
	models := load(t)
	want := map[string][]string{
		"kokoro":     {"kokoro", "kokoro-q8", "kokoro-timestamped", "kokoro-fp16"},
		"supertonic": {"supertonic-3"},
		"kitten":     {"kitten-nano", "kitten-micro", "kitten-mini"},
		"pocket":     {"pocket-en", "pocket-fr", "pocket-de", "pocket-it", "pocket-es", "pocket-pt"},
		"chatterbox": {"chatterbox-turbo", "chatterbox-nano", "chatterbox-multilingual"},
		"moss":       {"moss-nano"},
		"diarize":    {"speakers"},
		"whisper": {
			"whisper-tiny", "whisper-base", "whisper-small", "whisper-medium", "whisper-large", "whisper-large-v3",
			"whisper-tiny.en", "whisper-base.en", "whisper-small.en", "whisper-medium.en",
		},
	}
	count := 0
	for engine, names := range want {
		for _, name := range names {
			require.Contains(t, models, name)
			require.Equal(t, engine, models[name].Engine)
			count++
		}
	}
	piper, languages := 0, map[string]bool{}
	for _, e := range models {
		if e.Engine == "piper" {
			piper++
			require.Equal(t, "piper-"+e.Key, e.Name)
			language, _, _ := strings.Cut(e.Languages[0], "-")
			languages[language] = true
		}
	}
	require.Equal(t, 24, piper)
	require.Len(t, languages, 16)
	require.Len(t, models, count+piper)
}

func TestEveryEntryDescribesItself(t *testing.T) {
	defaults, presets := map[string]string{}, map[string]string{}
	for name, e := range load(t) {
		require.Len(t, strings.Fields(e.Note), 5, "%s: %s", name, e.Note)
		require.NotEmpty(t, e.License.Name, name)
		require.NotEmpty(t, e.License.URL, name)
		if e.Default {
			require.Empty(t, defaults[e.Family], "one default in a family")
			defaults[e.Family] = name
		}
		for _, v := range e.Variants {
			require.Positive(t, v.MemoryMB, "%s %s", name, v.Name)
		}
		for _, v := range e.Voices {
			if v.CanSpeak() {
				require.Contains(t, e.Languages, v.Language, "%s %s", name, v.ID)
			}
			id := e.Engine + ":" + e.PresetID(v.ID)
			if e.Engine != "kokoro" { // its variants share their voices
				require.Empty(t, presets[id], "one preset profile for a voice")
			}
			presets[id] = name
		}
	}
	require.Equal(t, map[string]string{registry.Speech: "kokoro", registry.Transcription: "whisper-base"}, defaults)
}

func TestKokoroHas54VoicesOfWhichItSpeaks41(t *testing.T) {
	models := load(t)
	kokoro := models["kokoro"]
	require.Len(t, kokoro.Voices, 54)
	require.Equal(t, "af_heart", kokoro.Voices[0].ID)
	require.Equal(t, "A", kokoro.Voices[0].Grade)
	speaks := 0
	for _, v := range kokoro.Voices {
		foreign := v.Language == "ja" || v.Language == "zh"
		require.Equal(t, !foreign, v.CanSpeak(), v.ID)
		require.Equal(t, foreign, v.Reason != "", v.ID)
		if v.CanSpeak() {
			speaks++
		}
	}
	require.Equal(t, 41, speaks)
	for _, name := range []string{"kokoro-q8", "kokoro-fp16"} {
		require.Equal(t, kokoro.Voices, models[name].Voices, "the variants have the same voices")
		require.Equal(t, kokoro.Key, models[name].Key)
	}
	require.Equal(t, "af_heart", kokoro.PresetID("af_heart"))
}

func TestVoicesOfSiblingsThatDifferHaveOtherPresets(t *testing.T) {
	models := load(t)
	require.Equal(t, "mini#expr-voice-2-f", models["kitten-mini"].PresetID("expr-voice-2-f"))
	require.Equal(t, "Bella", models["kitten-mini"].Voices[0].Name)
	require.Equal(t, "KittenTTS mini", models["kitten-mini"].DisplayName)
	require.Equal(t, "en_US-lessac-medium#0", models["piper-en_US-lessac-medium"].PresetID("0"))
	require.Equal(t, []string{"lada", "mykyta", "tetiana"}, ids(models["piper-uk_UA-ukrainian_tts-medium"].Voices))
}

func ids(voices []registry.Voice) []string {
	out := make([]string, len(voices))
	for i, v := range voices {
		out[i] = v.ID
	}
	return out
}

func TestLicencesWithTermsMustBeAccepted(t *testing.T) {
	var must []string
	for name, e := range load(t) {
		if e.License.AcceptRequired {
			must = append(must, name)
		}
	}
	slices.Sort(must)
	require.Equal(t, []string{
		"pocket-de", "pocket-en", "pocket-es", "pocket-fr", "pocket-it", "pocket-pt", "supertonic-3",
	}, must)
}

func TestModelsWithoutAVerifiedPinSaySo(t *testing.T) {
	unpinned := map[string]bool{"chatterbox-nano": true, "chatterbox-multilingual": true, "pocket-fr": true, "pocket-de": true, "pocket-es": true, "pocket-pt": true}
	for name, e := range load(t) {
		here := e.Choose(registry.Machine{MemoryMB: 64000, OS: "linux", Arch: "amd64"})
		require.Equal(t, !unpinned[name] && e.Engine != "piper", here.Pinned(), name)
	}
}

// The facts are the tables from which the list was made, with sizes, hashes and commits.
func TestPinsAreThoseOfTheFacts(t *testing.T) {
	facts := map[string]string{}
	for engine, file := range map[string]string{
		"kokoro": "kokoro", "kitten": "kitten", "supertonic": "supertonic", "pocket": "pocket-tts",
		"chatterbox": "chatterbox", "moss": "moss-tts-nano", "whisper": "whisper-cpp", "diarize": "speakers",
	} {
		raw, err := os.ReadFile(filepath.Join("testdata", "facts", file+".txt"))
		require.NoError(t, err)
		facts[engine] = string(raw)
	}
	voices, err := os.ReadFile(filepath.Join("testdata", "kokoro_voice_sha256.txt"))
	require.NoError(t, err)
	pinned := 0
	for name, e := range load(t) {
		for _, v := range e.Variants {
			for _, f := range v.Files {
				if !f.Pinned {
					continue
				}
				pinned++
				text := facts[e.Engine]
				require.Contains(t, text, f.Revision, "%s %s", name, f.Path)
				require.Contains(t, text, f.Repo, "%s %s", name, f.Path)
				require.Contains(t, text, commas(f.Bytes), "%s %s", name, f.Path)
				switch voice, ok := strings.CutPrefix(f.Role, "voice/"); {
				case e.Engine == "kokoro" && ok:
					require.Contains(t, string(voices), f.SHA256+"  "+voice+".bin\n")
				case e.Engine == "whisper":
					model := strings.TrimSuffix(strings.TrimPrefix(f.Path, "ggml-"), ".bin")
					require.Contains(t, text, "| "+model+" | "+commas(f.Bytes)+" | "+f.SHA256+" |")
				default:
					known := strings.Contains(text, f.SHA256) || strings.Contains(text, f.SHA256[:8]+"..")
					require.True(t, known, "%s %s %s", name, f.Path, f.SHA256)
				}
			}
			for _, m := range v.Mirrors {
				require.Contains(t, facts[e.Engine], "`"+m.Repo+"` @ `"+m.Revision+"`")
			}
		}
	}
	t.Logf("%d pinned files", pinned)
}

// commas returns 325,532,232 for 325532232.
func commas(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func TestTheFileHasItsOneForm(t *testing.T) {
	raw, err := os.ReadFile("registry.json")
	require.NoError(t, err)
	entries, err := registry.Parse(raw)
	require.NoError(t, err)
	again, err := registry.Format(entries)
	require.NoError(t, err)
	require.True(t, string(raw) == string(again), "write registry.json with registry.Format")
}

func TestChoose(t *testing.T) {
	models := load(t)
	mac := registry.Machine{MemoryMB: 17180, OS: "darwin", Arch: "arm64"}
	small := registry.Machine{MemoryMB: 1900, OS: "linux", Arch: "arm64"}
	usual := registry.Machine{MemoryMB: 8200, OS: "windows", Arch: "amd64"}
	big := registry.Machine{MemoryMB: 33000, OS: "linux", Arch: "amd64"}
	unknown := registry.Machine{OS: "linux", Arch: "amd64"}
	cases := []struct {
		model   string
		machine registry.Machine
		want    string
	}{
		{"kokoro", small, "fp32"},
		{"kokoro-q8", big, "q8"},
		{"pocket-en", big, "int8"},
		{"whisper-tiny", small, "tiny-q5_1"},
		{"whisper-tiny", usual, "tiny"},
		{"whisper-base", unknown, "base-q5_1"},
		{"whisper-base", big, "base"},
		{"whisper-base", mac, "base"},
		{"whisper-base.en", small, "base.en-q5_1"},
		{"whisper-base.en", big, "base.en"},
		{"whisper-small", small, "small-q5_1"},
		{"whisper-medium", usual, "medium"},
		{"whisper-medium.en", registry.Machine{MemoryMB: 4000, OS: "darwin", Arch: "arm64"}, "medium.en-q5_0"},
		{"whisper-large", big, "large-v3-turbo"},
		{"whisper-large", usual, "large-v3-turbo"},
		{"whisper-large", small, "large-v3-turbo-q5_0"},
		{"whisper-large", mac, "large-v3-turbo"},
		{"whisper-large-v3", big, "large-v3"},
		{"whisper-large-v3", usual, "large-v3-q5_0"},
		{"whisper-large-v3", mac, "large-v3"},
	}
	for _, c := range cases {
		require.Equal(t, c.want, models[c.model].Choose(c.machine).Name, "%s on %+v", c.model, c.machine)
	}
	fp32, ok := models["pocket-en"].Variant("fp32")
	require.True(t, ok, "it is found by name")
	require.Equal(t, "fp32", fp32.Name)
	_, ok = models["pocket-en"].Variant("int4")
	require.False(t, ok)
}

// TestWhisperHasAllItsLanguages: large-v3 added Cantonese, and the turbo model leaves translating to it.
func TestWhisperHasAllItsLanguages(t *testing.T) {
	models := load(t)
	for name, e := range models {
		if e.Engine != "whisper" {
			continue
		}
		want := map[bool]int{true: 1, false: 99}[strings.HasSuffix(name, ".en")]
		if strings.HasPrefix(name, "whisper-large") {
			want = 100
		}
		require.Len(t, e.Languages, want, name)
		require.Equal(t, map[bool]string{true: "whisper-large-v3"}[name == "whisper-large"], e.Translator, name)
		for _, l := range e.Languages {
			require.True(t, backend.KnownLanguage(l), "%s %s", name, l)
		}
		require.Empty(t, e.Voices)
		require.Equal(t, "MIT", e.License.Name)
	}
	require.Contains(t, models, models["whisper-large"].Translator)
}

func TestSizesAreRoundedUp(t *testing.T) {
	size := func(bytes ...int64) int {
		var v registry.Variant
		for _, n := range bytes {
			v.Files = append(v.Files, registry.File{Bytes: n})
		}
		return v.SizeMB()
	}
	require.Equal(t, 0, size())
	require.Equal(t, 1, size(1))
	require.Equal(t, 1, size(999_999, 1))
	require.Equal(t, 2, size(1_000_000, 1))
	base, _ := load(t)["whisper-base"].Variant("base")
	require.Equal(t, 148, base.SizeMB())
	turbo := load(t)["chatterbox-turbo"].Variants[0]
	require.Equal(t, int64(724_921_110), turbo.Bytes(), "the sum of the facts")
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := registry.Load(); err != nil {
			b.Fatal(err)
		}
	}
}
