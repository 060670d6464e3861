package generations_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// notCompared are the fields of a request that are no settings, each with the reason.
var notCompared = map[string]string{
	"title":          "a name, which a generation may get later too",
	"accept_license": "a consent",
	"accept_credits": "a consent",
	"dialogue":       "the text of a hosted dialogue, which cannot be changed",
	"hosted_voice":   "written by the program",
}

// settingNames returns the names of the fields of a request by which DifferentSettings must tell a difference.
func settingNames() []string {
	names := []string{"profile_id"}
	for f := range reflect.TypeFor[backend.GenerateOptions]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		t := f.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch {
		case notCompared[name] != "":
		case t.Kind() == reflect.Struct:
			for inner := range t.Fields() {
				part, _, _ := strings.Cut(inner.Tag.Get("json"), ",")
				names = append(names, name+"."+part)
			}
		default:
			names = append(names, name)
		}
	}
	return names
}

// TestDifferentSettings changes each field of a request, and none is forgotten: a change of the text would keep its old value.
func TestDifferentSettings(t *testing.T) {
	l, _ := studiotest.NewWithHosted(t)
	other, err := l.DB.Create(t.Context(), backend.Profile{Name: "Otto", Language: "en", VoiceType: backend.VoiceDefault})
	require.NoError(t, err)
	changes := map[string]func(*generations.Request){
		"profile_id":               func(r *generations.Request) { r.ProfileID = other.ID },
		"voice":                    func(r *generations.Request) { r.Voice = studiotest.Robot + ":1" },
		"model_name":               func(r *generations.Request) { r.Voice = studiotest.Nordic + ":0" },
		"language":                 func(r *generations.Request) { r.Language = "de" },
		"seed":                     func(r *generations.Request) { r.Seed = new(int64(8)) },
		"speed":                    func(r *generations.Request) { r.Speed = new(1.25) },
		"format":                   func(r *generations.Request) { r.Format = "flac" },
		"normalize":                func(r *generations.Request) { r.Normalize = new(false) },
		"limit":                    func(r *generations.Request) { r.Limit = new(false) },
		"max_chunk_chars":          func(r *generations.Request) { r.MaxChunkChars = new(200) },
		"crossfade_ms":             func(r *generations.Request) { r.CrossfadeMS = new(30) },
		"verify":                   func(r *generations.Request) { r.Verify = new(true) },
		"steps":                    func(r *generations.Request) { r.Steps = 5 },
		"pronunciations":           func(r *generations.Request) { r.Pronunciations = map[string]string{"lamp": "lump"} },
		"pauses.sentence":          func(r *generations.Request) { r.Pauses.Sentence = new(0.5) },
		"pauses.paragraph":         func(r *generations.Request) { r.Pauses.Paragraph = new(0.0) },
		"pauses.heading":           func(r *generations.Request) { r.Pauses.Heading = new(2.0) },
		"pauses.scene":             func(r *generations.Request) { r.Pauses.Scene = new(2.0) },
		"hosted.stability":         func(r *generations.Request) { r.Hosted.Stability = new(0.9) },
		"hosted.similarity_boost":  func(r *generations.Request) { r.Hosted.SimilarityBoost = nil },
		"hosted.speaker_boost":     func(r *generations.Request) { r.Hosted.SpeakerBoost = new(true) },
		"hosted.language_override": func(r *generations.Request) { r.Hosted.LanguageOverride = new(true) },
		"hosted.response_format":   func(r *generations.Request) { r.Hosted.ResponseFormat = "pcm_8000" },
	}
	local := l.Request("One lamp.")
	local.Seed = new(int64(7))
	hosted := func() generations.Request {
		r := l.HostedRequest(studiotest.Ann, "One lamp.")
		r.Hosted = &backend.HostedOptions{Stability: new(0.2), SimilarityBoost: new(0.5), SpeakerBoost: new(false)}
		return r
	}
	made, paid := l.Speak(local), l.Speak(hosted())
	for _, name := range settingNames() {
		t.Run(name, func(t *testing.T) {
			change := changes[name]
			require.NotNil(t, change, "a field of the request that is not compared")
			r, g := local, made
			if strings.HasPrefix(name, "hosted.") {
				r, g = hosted(), paid
			}
			same, err := l.Generations.Previews.DifferentSettings(t.Context(), g.ID, r)
			require.NoError(t, err)
			require.Empty(t, same)
			change(&r)
			different, err := l.Generations.Previews.DifferentSettings(t.Context(), g.ID, r)
			require.NoError(t, err)
			require.Contains(t, different, name)
		})
	}
}

// TestSameSettings sends the settings of a generation in other words.
func TestSameSettings(t *testing.T) {
	l, _ := studiotest.NewWithHosted(t)
	for _, c := range []struct {
		name        string
		made, asked func(*generations.Request)
		different   []string
	}{
		{"nothing sent", func(r *generations.Request) { r.Format = "flac" }, func(r *generations.Request) { r.ProfileID, r.Title, r.AcceptLicense = "", "A name", true }, nil},
		{"defaults named", asItIs, func(r *generations.Request) {
			r.Format, r.Normalize, r.Limit, r.MaxChunkChars, r.CrossfadeMS, r.Speed = "wav", new(true), new(true), new(400), new(0), new(1.0)
			r.Verify, r.Pauses.Sentence, r.Pronunciations = new(false), new(0.35), map[string]string{}
		}, nil},
		{"any seed", func(r *generations.Request) { r.Seed = new(int64(7)) }, asItIs, nil},
		{"its own seed", func(r *generations.Request) { r.Seed = new(int64(7)) }, func(r *generations.Request) { r.Seed = new(int64(7)) }, nil},
		{"no profile", asItIs, func(r *generations.Request) { r.ProfileID, r.Speed = "", new(1.0) }, nil},
		{"the voice named", asItIs, func(r *generations.Request) { r.Voice, r.Language = studiotest.BuiltIn+":en-us", "en" }, nil},
		{"the language in other letters", func(r *generations.Request) { r.Voice, r.Language = studiotest.Robot+":0", "en-GB" }, func(r *generations.Request) { r.Voice, r.Language = studiotest.Robot+":0", "EN_gb" }, nil},
		{"the limiter without loudness", func(r *generations.Request) { r.Normalize = new(false) }, func(r *generations.Request) { r.Normalize, r.Limit = new(false), new(false) }, nil},
		{"a limiter left out", func(r *generations.Request) { r.Limit = new(false) }, asItIs, []string{"limit"}},
		{"steps left out", func(r *generations.Request) { r.Steps = 5 }, asItIs, []string{"steps"}},
		{"the default format", func(r *generations.Request) { r.Format = "flac" }, asItIs, []string{"format"}},
		{"two of them", asItIs, func(r *generations.Request) { r.Speed, r.Format = new(1.1), "flac" }, []string{"format", "speed"}},
		{"a hosted voice", asItIs, func(r *generations.Request) { r.Voice = "hosted:" + studiotest.Ann }, []string{"voice"}},
		{"a hosted one again", spokenBy("hosted:" + studiotest.Ann), spokenBy("hosted:" + studiotest.Ann), nil},
		{"the speed of v3", spokenBy("hosted:" + studiotest.Ann), func(r *generations.Request) { r.Voice, r.Speed = "hosted:"+studiotest.Ann, new(1.5) }, nil},
		{"a local voice", spokenBy("hosted:" + studiotest.Ann), asItIs, []string{"format", "model_name", "voice"}},
		{"a hosted file as samples", func(r *generations.Request) { r.Voice, r.Format = "hosted:"+studiotest.Ann, "wav" }, spokenBy("hosted:" + studiotest.Ann), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			made, asked := l.Request("One lamp."), l.Request("Another lamp.")
			c.made(&made)
			c.asked(&asked)
			g := l.Speak(made)
			different, err := l.Generations.Previews.DifferentSettings(t.Context(), g.ID, asked)
			require.NoError(t, err)
			require.Subset(t, different, c.different)
			require.Equal(t, len(c.different) == 0, len(different) == 0, different)
		})
	}
}

func asItIs(*generations.Request) {}

func spokenBy(voice string) func(*generations.Request) {
	return func(r *generations.Request) { r.Voice = voice }
}

// TestSettingsOfTheProgram: a pause of the settings that was changed since counts, but not for a generation that recorded none.
func TestSettingsOfTheProgram(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.Request("One lamp."))
	l.Pauses.Sentence = 0.6
	different, err := l.Generations.Previews.DifferentSettings(t.Context(), g.ID, l.Request("Another lamp."))
	require.NoError(t, err)
	require.Equal(t, []string{"pauses.sentence"}, different)
	_, err = l.DB.UpdateGeneration(t.Context(), g.ID, func(g *backend.Generation) error {
		g.Request.Pauses = nil
		return nil
	})
	require.NoError(t, err)
	different, err = l.Generations.Previews.DifferentSettings(t.Context(), g.ID, l.Request("Another lamp."))
	require.NoError(t, err)
	require.Empty(t, different)
	r := l.Request("Another lamp.")
	r.ProfileID = "00000000-0000-7000-8000-000000000000"
	_, err = l.Generations.Previews.DifferentSettings(t.Context(), g.ID, r)
	backendtest.RequireCode(t, backend.CodeProfileNotFound, err)
	_, err = l.Generations.Previews.DifferentSettings(t.Context(), r.ProfileID, l.Request("Another lamp."))
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
}
