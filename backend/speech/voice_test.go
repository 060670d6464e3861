package speech_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestWhichVoiceSpeaks(t *testing.T) {
	preset := backend.Profile{
		VoiceType: backend.VoicePreset, Language: "en", PresetEngine: "robotic", PresetVoiceID: "en_GB-robot#1", ModelName: studiotest.Robot,
	}
	with := func(p backend.Profile, change func(*backend.Profile)) backend.Profile {
		change(&p)
		return p
	}
	plain := backend.Profile{VoiceType: backend.VoiceDefault, Language: "de"}
	type options = backend.GenerateOptions
	for name, c := range map[string]struct {
		profile backend.Profile
		options options
		chosen  string // the setting speech.default_voice, when the user has set it
		voice   string // MODEL:VOICE LANGUAGE
		code    backend.Code
		invalid string
	}{
		"default speaks the profile's language":       {profile: plain, voice: "builtin:de de"},
		"default in another language":                 {profile: plain, options: options{Language: "en-AU"}, voice: "builtin:en-us en-AU"},
		"default in a language with another word":     {profile: plain, options: options{Language: "zh"}, voice: "builtin:cmn zh"},
		"default in an unknown language":              {profile: plain, options: options{Language: "xx"}, code: backend.CodeLanguageNotSupported},
		"default follows the setting":                 {profile: plain, chosen: studiotest.Robot + ":1", voice: studiotest.Robot + ":1 en-GB"},
		"the setting names a voice that is gone":      {profile: plain, chosen: studiotest.Robot + ":9", invalid: "enum"},
		"the setting names a model that is gone":      {profile: plain, chosen: "gone:1", code: backend.CodeModelUnknown},
		"the setting's voice speaks another language": {profile: plain, chosen: "builtin:en-us", options: options{Language: "de"}, code: backend.CodeLanguageNotSupported},
		"the setting's voice in its language":         {profile: plain, chosen: "builtin:en-us", options: options{Language: "en"}, voice: "builtin:en-us en"},
		"default with a model of its own":             {profile: with(plain, func(p *backend.Profile) { p.ModelName = studiotest.Robot }), chosen: "builtin:de", voice: studiotest.Robot + ":0 en-GB"},
		"default with the built-in model of its own":  {profile: with(plain, func(p *backend.Profile) { p.ModelName = studiotest.BuiltIn }), chosen: studiotest.Robot + ":0", voice: "builtin:de de"},
		"default with a wished model":                 {profile: plain, options: options{ModelName: studiotest.Robot}, voice: studiotest.Robot + ":0 en-GB"},
		"default with the wished built-in model":      {profile: plain, options: options{ModelName: studiotest.BuiltIn}, chosen: studiotest.Robot + ":1", voice: "builtin:de de"},
		"default with an unknown model":               {profile: plain, options: options{ModelName: "gone"}, code: backend.CodeModelUnknown},

		"preset":                            {profile: preset, voice: studiotest.Robot + ":1 en-GB"},
		"preset in a form of its language":  {profile: preset, options: options{Language: "en-US"}, voice: studiotest.Robot + ":1 en-US"},
		"preset in another language":        {profile: preset, options: options{Language: "de"}, code: backend.CodeLanguageNotSupported},
		"preset without a model name":       {profile: with(preset, func(p *backend.Profile) { p.ModelName = "" }), voice: studiotest.Robot + ":1 en-GB"},
		"preset by its speaker alone":       {profile: with(preset, func(p *backend.Profile) { p.PresetVoiceID = "0" }), voice: studiotest.Robot + ":0 en-GB"},
		"preset whose model is gone":        {profile: with(preset, func(p *backend.Profile) { p.ModelName = "gone" }), code: backend.CodeModelUnknown},
		"preset whose model never was":      {profile: with(preset, func(p *backend.Profile) { p.ModelName, p.PresetVoiceID = "", "x#0" }), code: backend.CodeModelUnknown},
		"preset whose voice is gone":        {profile: with(preset, func(p *backend.Profile) { p.PresetVoiceID = "en_GB-robot#7" }), invalid: "enum"},
		"preset spoken by another engine":   {profile: preset, options: options{ModelName: studiotest.BuiltIn}, code: backend.CodeEngineMismatch},
		"preset of the wrong engine stored": {profile: with(preset, func(p *backend.Profile) { p.ModelName = studiotest.BuiltIn }), code: backend.CodeEngineMismatch},

		"cloned without a sample": {profile: backend.Profile{VoiceType: backend.VoiceCloned, Language: "en"}, code: backend.CodeEngineMismatch},
		"hosted without a service": {
			profile: backend.Profile{VoiceType: backend.VoiceHosted, Language: "en"}, code: backend.CodeHostedNotConfigured,
		},

		"a wished voice wins":                 {profile: preset, options: options{Voice: "builtin:de"}, voice: "builtin:de de"},
		"a wished voice with its language":    {profile: plain, options: options{Voice: studiotest.Robot + ":1", Language: "en"}, voice: studiotest.Robot + ":1 en"},
		"a wished voice in another language":  {profile: plain, options: options{Voice: "builtin:en-us", Language: "de"}, code: backend.CodeLanguageNotSupported},
		"a wished model's first voice":        {profile: plain, options: options{Voice: studiotest.Robot + ":"}, voice: studiotest.Robot + ":0 en-GB"},
		"a wished voice without its model":    {profile: plain, options: options{Voice: "1"}, invalid: "value_error"},
		"a wished voice that is not there":    {profile: plain, options: options{Voice: studiotest.Robot + ":9"}, invalid: "enum"},
		"a wished model that is not there":    {profile: plain, options: options{Voice: "gone:1"}, code: backend.CodeModelUnknown},
		"a wished language by its wider code": {profile: preset, options: options{Voice: studiotest.Nordic + ":0", Language: "nb"}, voice: studiotest.Nordic + ":0 nb"},
		"a wished mixture":                    {profile: plain, options: options{Voice: studiotest.Nordic + ":1+0"}, voice: studiotest.Nordic + ":1:0.5+0:0.5 no"},
		"a language in place of a voice":      {profile: plain, options: options{Voice: "builtin:en-AU"}, voice: "builtin:en-us en-US"},
		"a voice of others is no language":    {profile: plain, options: options{Voice: "builtin:en_US-lessac-medium"}, invalid: "enum"},
		"a neural voice is no language":       {profile: plain, options: options{Voice: "builtin:de-DE-KatjaNeural"}, invalid: "enum"},
		"a wished mixture that is wrong":      {profile: plain, options: options{Voice: studiotest.Nordic + ":1:2+0"}, invalid: "enum"},
	} {
		t.Run(name, func(t *testing.T) {
			l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
				l.Options.DefaultVoice = func() (string, bool) { return c.chosen, c.chosen != "" }
			})
			c.profile.Name = "P"
			p, err := l.DB.Create(t.Context(), c.profile)
			require.NoError(t, err)
			r := l.Request("Hello.")
			r.ProfileID, r.GenerateOptions = p.ID, c.options
			g, err := l.Generations.Submit(t.Context(), r)
			switch {
			case c.code != "":
				backendtest.RequireCode(t, c.code, err)
			case c.invalid != "":
				backendtest.RequireInvalid(t, c.invalid, "voice", err)
			default:
				require.NoError(t, err)
				require.Equal(t, c.voice, g.ModelName+":"+g.Voice+" "+g.Language)
				done := l.Becomes(g.ID, backend.StatusComplete)
				again, err := l.Generations.Regenerate(t.Context(), g.ID, nil, nil)
				require.NoError(t, err, "what was spoken once can be spoken again")
				require.Equal(t, done.Voice+done.Language+done.ModelName, again.Voice+again.Language+again.ModelName)
			}
		})
	}
}

func TestBuiltInVoiceWhoseProgramIsMissing(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{
		Fail: backend.E(backend.CodeRuntimeMissing, "espeak-ng is not installed.", "Install it."),
	}), func(l *studiotest.Lab) {
		m := l.Models.ByName[studiotest.BuiltIn]
		m.Voices, m.Languages = nil, nil
		l.Models.ByName[studiotest.BuiltIn] = m
	})
	for _, r := range []backend.GenerateOptions{{}, {Voice: studiotest.BuiltIn + ":de"}, {Language: "de"}} {
		request := l.Request("Hello.")
		request.GenerateOptions = r
		_, err := l.Generations.Generate(t.Context(), request)
		backendtest.RequireCode(t, backend.CodeRuntimeMissing, err)
	}
}

func TestSpeedOfTheProfile(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	p, err := l.DB.Create(t.Context(), backend.Profile{Name: "Fast", Language: "en", VoiceType: backend.VoiceDefault, Speed: 2})
	require.NoError(t, err)
	r := l.Request("Hello there.")
	normal := l.Speak(r)
	r.ProfileID = p.ID
	fast := l.Speak(r)
	require.InDelta(t, 2, fast.Speed, 0)
	require.InDelta(t, normal.Duration/2, fast.Duration, 0.01)
	r.Speed = new(1.0)
	require.InDelta(t, normal.Duration, l.Speak(r).Duration, 0.01, "the request wins")
}

// TestMistakesInAVoice say what is wrong and how to write it.
func TestMistakesInAVoice(t *testing.T) {
	chosen := ""
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		l.Options.DefaultVoice = func() (string, bool) { return chosen, chosen != "" }
	})
	r := l.Request("Hello.")
	for voice, says := range map[string]string{
		"1:2+0":   "some of its voices have a part and some have none. Write a mixture as af_heart:0.6+af_bella:0.4",
		"1:x+0:1": `the part of 1 is "x" and not a number above 0. Write a mixture as`,
		"1+9":     `has no voice "9". Choose one of its voices: 0, 1.`,
		"9":       `has no voice "9". Choose one of its voices: 0, 1.`,
	} {
		r.Voice, chosen = studiotest.Nordic+":"+voice, ""
		_, err := l.Generations.Submit(t.Context(), r)
		backendtest.RequireInvalid(t, "enum", "voice", err)
		require.ErrorContains(t, err, says)
		r.Voice, chosen = "", studiotest.Nordic+":"+voice
		_, err = l.Generations.Submit(t.Context(), r)
		e := backendtest.Failure(t, backend.CodeModelUnknown, err)
		require.Contains(t, e.Detail, says, "the caller named no voice")
		require.Contains(t, e.Remedy, "speech.default_voice")
	}
}

// TestLanguageOfARequest requires that the language is stored as the standard writes it, however the request does.
func TestLanguageOfARequest(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	for _, language := range []string{"en_US", "EN-us", "en-US"} {
		r := l.Request("Hello.")
		r.Language = language
		require.Equal(t, "en-US", l.Speak(r).Language, language)
	}
}
