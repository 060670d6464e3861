package speech_test

import (
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestWhichVoiceSpeaks(t *testing.T) {
	preset := backend.Profile{
		VoiceType: backend.VoicePreset, Language: "en", PresetEngine: "robotic", PresetVoiceID: "en_GB-robot#1", ModelName: robot,
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
		"default follows the setting":                 {profile: plain, chosen: robot + ":1", voice: robot + ":1 en-GB"},
		"the setting names a voice that is gone":      {profile: plain, chosen: robot + ":9", invalid: "enum"},
		"the setting names a model that is gone":      {profile: plain, chosen: "gone:1", code: backend.CodeModelUnknown},
		"the setting's voice speaks another language": {profile: plain, chosen: "builtin:en-us", options: options{Language: "de"}, code: backend.CodeLanguageNotSupported},
		"the setting's voice in its language":         {profile: plain, chosen: "builtin:en-us", options: options{Language: "en"}, voice: "builtin:en-us en"},
		"default with a model of its own":             {profile: with(plain, func(p *backend.Profile) { p.ModelName = robot }), chosen: "builtin:de", voice: robot + ":0 en-GB"},
		"default with the built-in model of its own":  {profile: with(plain, func(p *backend.Profile) { p.ModelName = builtIn }), chosen: robot + ":0", voice: "builtin:de de"},
		"default with a wished model":                 {profile: plain, options: options{ModelName: robot}, voice: robot + ":0 en-GB"},
		"default with the wished built-in model":      {profile: plain, options: options{ModelName: builtIn}, chosen: robot + ":1", voice: "builtin:de de"},
		"default with an unknown model":               {profile: plain, options: options{ModelName: "gone"}, code: backend.CodeModelUnknown},

		"preset":                            {profile: preset, voice: robot + ":1 en-GB"},
		"preset in a form of its language":  {profile: preset, options: options{Language: "en-US"}, voice: robot + ":1 en-US"},
		"preset in another language":        {profile: preset, options: options{Language: "de"}, code: backend.CodeLanguageNotSupported},
		"preset without a model name":       {profile: with(preset, func(p *backend.Profile) { p.ModelName = "" }), voice: robot + ":1 en-GB"},
		"preset by its speaker alone":       {profile: with(preset, func(p *backend.Profile) { p.PresetVoiceID = "0" }), voice: robot + ":0 en-GB"},
		"preset whose model is gone":        {profile: with(preset, func(p *backend.Profile) { p.ModelName = "gone" }), code: backend.CodeModelUnknown},
		"preset whose model never was":      {profile: with(preset, func(p *backend.Profile) { p.ModelName, p.PresetVoiceID = "", "x#0" }), code: backend.CodeModelUnknown},
		"preset whose voice is gone":        {profile: with(preset, func(p *backend.Profile) { p.PresetVoiceID = "en_GB-robot#7" }), invalid: "enum"},
		"preset spoken by another engine":   {profile: preset, options: options{ModelName: builtIn}, code: backend.CodeEngineMismatch},
		"preset of the wrong engine stored": {profile: with(preset, func(p *backend.Profile) { p.ModelName = builtIn }), code: backend.CodeEngineMismatch},

		"cloned without a sample": {profile: backend.Profile{VoiceType: backend.VoiceCloned, Language: "en"}, code: backend.CodeEngineMismatch},
		"hosted without a service": {
			profile: backend.Profile{VoiceType: backend.VoiceHosted, Language: "en"}, code: backend.CodeHostedNotConfigured,
		},

		"a wished voice wins":                 {profile: preset, options: options{Voice: "builtin:de"}, voice: "builtin:de de"},
		"a wished voice with its language":    {profile: plain, options: options{Voice: robot + ":1", Language: "en"}, voice: robot + ":1 en"},
		"a wished voice in another language":  {profile: plain, options: options{Voice: "builtin:en-us", Language: "de"}, code: backend.CodeLanguageNotSupported},
		"a wished model's first voice":        {profile: plain, options: options{Voice: robot + ":"}, voice: robot + ":0 en-GB"},
		"a wished voice without its model":    {profile: plain, options: options{Voice: "1"}, invalid: "value_error"},
		"a wished voice that is not there":    {profile: plain, options: options{Voice: robot + ":9"}, invalid: "enum"},
		"a wished model that is not there":    {profile: plain, options: options{Voice: "gone:1"}, code: backend.CodeModelUnknown},
		"a wished language by its wider code": {profile: preset, options: options{Voice: nordic + ":0", Language: "nb"}, voice: nordic + ":0 nb"},
		"a wished mixture":                    {profile: plain, options: options{Voice: nordic + ":1+0"}, voice: nordic + ":1:0.5+0:0.5 no"},
		"a language in place of a voice":      {profile: plain, options: options{Voice: "builtin:en-AU"}, voice: "builtin:en-us en-US"},
		"a voice of others is no language":    {profile: plain, options: options{Voice: "builtin:en_US-lessac-medium"}, invalid: "enum"},
		"a neural voice is no language":       {profile: plain, options: options{Voice: "builtin:de-DE-KatjaNeural"}, invalid: "enum"},
		"a wished mixture that is wrong":      {profile: plain, options: options{Voice: nordic + ":1:2+0"}, invalid: "enum"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
				l.options.DefaultVoice = func() (string, bool) { return c.chosen, c.chosen != "" }
			})
			c.profile.Name = "P"
			p, err := l.db.Create(t.Context(), c.profile)
			require.NoError(t, err)
			r := l.request("Hello.")
			r.ProfileID, r.GenerateOptions = p.ID, c.options
			g, err := l.service.Generations.Submit(t.Context(), r)
			switch {
			case c.code != "":
				requireCode(t, c.code, err)
			case c.invalid != "":
				requireInvalid(t, c.invalid, "voice", err)
			default:
				require.NoError(t, err)
				require.Equal(t, c.voice, g.ModelName+":"+g.Voice+" "+g.Language)
				done := l.becomes(g.ID, backend.StatusComplete)
				again, err := l.service.Generations.Regenerate(t.Context(), g.ID, nil, nil)
				require.NoError(t, err, "what was spoken once can be spoken again")
				require.Equal(t, done.Voice+done.Language+done.ModelName, again.Voice+again.Language+again.ModelName)
			}
		})
	}
}

func TestBuiltInVoiceWhoseProgramIsMissing(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{
		Fail: backend.E(backend.CodeRuntimeMissing, "espeak-ng is not installed.", "Install it."),
	}), func(l *lab) {
		m := l.modelSet.models[builtIn]
		m.Voices, m.Languages = nil, nil
		l.modelSet.models[builtIn] = m
	})
	for _, r := range []backend.GenerateOptions{{}, {Voice: builtIn + ":de"}, {Language: "de"}} {
		request := l.request("Hello.")
		request.GenerateOptions = r
		_, err := l.service.Generations.Generate(t.Context(), request)
		requireCode(t, backend.CodeRuntimeMissing, err)
	}
}

func TestSpeedOfTheProfile(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	p, err := l.db.Create(t.Context(), backend.Profile{Name: "Fast", Language: "en", VoiceType: backend.VoiceDefault, Speed: 2})
	require.NoError(t, err)
	r := l.request("Hello there.")
	normal := l.speak(r)
	r.ProfileID = p.ID
	fast := l.speak(r)
	require.InDelta(t, 2, fast.Speed, 0)
	require.InDelta(t, normal.Duration/2, fast.Duration, 0.01)
	r.Speed = new(1.0)
	require.InDelta(t, normal.Duration, l.speak(r).Duration, 0.01, "the request wins")
}

func TestFilesLieByMonth(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	g := l.speak(l.request("Hello."))
	require.Equal(t, filepath.Join(l.dir, g.CreatedAt.Format("2006-01"), g.ID+".wav"), g.AudioPath)
	require.NoError(t, uuid.Validate(g.ID))
	path, err := l.service.Generations.AudioFile(t.Context(), g.ID)
	require.NoError(t, err)
	require.Equal(t, g.AudioPath, path)
	_, err = l.service.Generations.AudioFile(t.Context(), "nobody")
	requireCode(t, backend.CodeGenerationNotFound, err)
}

func TestLostStoreStillEndsTheGeneration(t *testing.T) {
	engine, entered, open := gated()
	l := newLab(t, engine)
	g := l.submit("Hello.")
	<-entered
	broken := l.db
	require.NoError(t, broken.Close())
	open()
	require.Eventually(t, func() bool {
		states := l.states(g.ID)
		return states[len(states)-1] == backend.StatusFailed
	}, waitLimit, waitStep, "who waits hears of the end, though it cannot be written down")
	require.Empty(t, l.leftovers())
	l.reopen()
}

// reopen opens the store again, for the checks at the end of a test.
func (l *lab) reopen() {
	l.t.Helper()
	db, err := sqlite.Open(l.t.Context(), sqlite.Options{Path: l.db.Path()})
	require.NoError(l.t, err)
	l.db = db
	l.t.Cleanup(func() { require.NoError(l.t, db.Close()) })
}

// TestMistakesInAVoice say what is wrong and how to write it.
func TestMistakesInAVoice(t *testing.T) {
	chosen := ""
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		l.options.DefaultVoice = func() (string, bool) { return chosen, chosen != "" }
	})
	r := l.request("Hello.")
	for voice, says := range map[string]string{
		"1:2+0":   "some of its voices have a part and some have none. Write a mixture as af_heart:0.6+af_bella:0.4",
		"1:x+0:1": `the part of 1 is "x" and not a number above 0. Write a mixture as`,
		"1+9":     `has no voice "9". Choose one of its voices: 0, 1.`,
		"9":       `has no voice "9". Choose one of its voices: 0, 1.`,
	} {
		r.Voice, chosen = nordic+":"+voice, ""
		_, err := l.service.Generations.Submit(t.Context(), r)
		requireInvalid(t, "enum", "voice", err)
		require.ErrorContains(t, err, says)
		r.Voice, chosen = "", nordic+":"+voice
		_, err = l.service.Generations.Submit(t.Context(), r)
		e := failure(t, backend.CodeModelUnknown, err)
		require.Contains(t, e.Detail, says, "the caller named no voice")
		require.Contains(t, e.Remedy, "speech.default_voice")
	}
}

// TestLanguageOfARequest requires that the language is stored as the standard writes it, however the request does.
func TestLanguageOfARequest(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	for _, language := range []string{"en_US", "EN-us", "en-US"} {
		r := l.request("Hello.")
		r.Language = language
		require.Equal(t, "en-US", l.speak(r).Language, language)
	}
}
