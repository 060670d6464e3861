package profiles_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// recording returns a WAV file with some seconds of a voice, from a second of the clip on.
func recording(t testing.TB, seconds, from float64) string {
	t.Helper()
	clip := enginetest.Clip(t, "LJ001-0001.wav")
	part := clip.Samples[int(from*float64(clip.Rate)):][:int(seconds*float64(clip.Rate))]
	path := filepath.Join(t.TempDir(), "voice.wav")
	pcm := audio.PCM16(audio.WAVHeader(clip.Rate, 1, uint32(2*len(part))), part)
	require.NoError(t, os.WriteFile(path, pcm, 0o600))
	return path
}

func (l *fixture) cloned(t testing.TB, patch backend.ProfilePatch) backend.Profile {
	t.Helper()
	patch.VoiceType = new(backend.VoiceCloned)
	p, err := l.service.Create(t.Context(), profiles.Draft{Name: "Ann", ProfilePatch: patch})
	require.NoError(t, err)
	return p
}

func (l *fixture) sample(t testing.TB, id string, seconds, from float64) backend.Sample {
	t.Helper()
	s, err := l.service.AddSample(t.Context(), id, profiles.NewSample{
		Source: profiles.Source{Path: recording(t, seconds, from), Name: "voice.wav"}, Consent: backend.ConsentOwnVoice,
	})
	require.NoError(t, err)
	return s
}

func (l *fixture) profile(t testing.TB, id string) backend.Profile {
	t.Helper()
	p, err := l.db.Profile(t.Context(), id)
	require.NoError(t, err)
	one := []backend.Profile{p}
	l.service.Describe(one)
	return one[0]
}

var anyLength = engines.CloneRules{}

func TestReferenceJoinsTheSamples(t *testing.T) {
	l := newFixture(t)
	p := l.cloned(t, backend.ProfilePatch{})
	_, err := l.service.Reference(t.Context(), p.ID, anyLength)
	requireCode(t, backend.CodeEngineMismatch, err)
	require.Equal(t, engines.ReasonNoSample, backend.AsError(err).Params["reason"])
	_, err = l.service.Reference(t.Context(), "nobody", anyLength)
	requireCode(t, backend.CodeProfileNotFound, err)

	l.sample(t, p.ID, 4, 0)
	first, err := l.service.Reference(t.Context(), p.ID, anyLength)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(l.dir, p.ID, "states"), first.Cache)
	second := l.sample(t, p.ID, 5, 0)
	both, err := l.service.Reference(t.Context(), p.ID, anyLength)
	require.NoError(t, err)
	require.NotEqual(t, first.Key, both.Key)
	sound, err := both.Audio(t.Context())
	require.NoError(t, err)
	require.InDelta(t, 9.2, sound.Duration().Seconds(), 0.01, "with 0.2 s between")
	require.Equal(t, 1, sound.Channels)

	limited, err := l.service.Reference(t.Context(), p.ID, engines.CloneRules{Longest: 4})
	require.NoError(t, err)
	require.NotEqual(t, both.Key, limited.Key)
	sound, err = limited.Audio(t.Context())
	require.NoError(t, err)
	require.InDelta(t, 4, sound.Duration().Seconds(), 0.01)

	require.NoError(t, l.service.DeleteSample(t.Context(), p.ID, second.ID))
	again, err := l.service.Reference(t.Context(), p.ID, anyLength)
	require.NoError(t, err)
	require.Equal(t, first.Key, again.Key, "the same samples")
}

func TestReferenceTooShortForItsModel(t *testing.T) {
	l := newFixture(t)
	p := l.cloned(t, backend.ProfilePatch{ModelName: new("parrot")})
	s := l.sample(t, p.ID, 4, 0)
	require.Len(t, s.Warnings, 1)
	require.Equal(t, backend.SampleEngine, s.Warnings[0].Code)
	require.Contains(t, s.Warnings[0].Detail, "Parrot needs more than 5 s")
	_, err := l.service.Reference(t.Context(), p.ID, engines.CloneRules{Over: 5})
	requireCode(t, backend.CodeEngineMismatch, err)
	require.ErrorContains(t, err, "more than 5 s")

	require.Empty(t, l.sample(t, p.ID, 4, 0).Warnings, "together they are long enough")
	_, err = l.service.Reference(t.Context(), p.ID, engines.CloneRules{Over: 5})
	require.NoError(t, err)
	l.sample(t, p.ID, 4, 0)
	last := l.sample(t, p.ID, 4, 0)
	require.Len(t, last.Warnings, 1)
	require.Contains(t, last.Warnings[0].Detail, "Parrot uses the first 10 s")
}

// writeState stores something that a model computed from a reference.
func writeState(t *testing.T, ref engines.Reference, content []byte) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(ref.Cache, 0o700))
	path := filepath.Join(ref.Cache, "state")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

// TestSampleIsDeletedDuringARun: the run ends with an error, and nothing else is lost.
func TestSampleIsDeletedDuringARun(t *testing.T) {
	l := newFixture(t)
	p := l.cloned(t, backend.ProfilePatch{})
	kept, removed := l.sample(t, p.ID, 4, 0), l.sample(t, p.ID, 4, 1)
	ref, err := l.service.Reference(t.Context(), p.ID, anyLength)
	require.NoError(t, err)
	require.NoDirExists(t, ref.Cache, "whoever stores something makes it, and only while the profile exists")
	writeState(t, ref, nil)
	require.NoError(t, l.service.DeleteSample(t.Context(), p.ID, removed.ID))
	_, err = ref.Audio(t.Context())
	requireCode(t, backend.CodeSampleNotFound, err)
	require.Equal(t, []string{ref.Key}, l.forgotten)
	require.NoDirExists(t, ref.Cache, "what was computed from it")

	ref, err = l.service.Reference(t.Context(), p.ID, anyLength)
	require.NoError(t, err)
	_, err = ref.Audio(t.Context())
	require.NoError(t, err)
	list, err := l.service.Samples(t.Context(), p.ID)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, kept.ID, list[0].ID)
	requireCode(t, backend.CodeSampleNotFound, l.service.DeleteSample(t.Context(), p.ID, removed.ID))
}

func TestDeleteOfAClonedProfileLeavesNoTrace(t *testing.T) {
	l := newFixture(t)
	p := l.cloned(t, backend.ProfilePatch{})
	l.sample(t, p.ID, 4, 0)
	ref, err := l.service.Reference(t.Context(), p.ID, anyLength)
	require.NoError(t, err)
	writeState(t, ref, []byte("x"))
	voice := backend.ClonePrefix + p.ID
	require.NoError(t, l.db.SetVoiceLevel(t.Context(), "parrot", voice, backend.VoiceLevel{GainDB: 3}))

	require.NoError(t, l.service.Delete(t.Context(), p.ID))
	left, err := os.ReadDir(l.dir)
	require.NoError(t, err)
	require.Empty(t, left)
	_, measured, err := l.db.VoiceLevel(t.Context(), "parrot", voice)
	require.NoError(t, err)
	require.False(t, measured)
	require.Equal(t, []string{ref.Key}, l.forgotten)
	_, err = ref.Audio(t.Context())
	requireCode(t, backend.CodeSampleNotFound, err)
	ids, err := l.db.SampleIDs(t.Context())
	require.NoError(t, err)
	require.Empty(t, ids)
}

func TestTypesOfProfilesWithSamples(t *testing.T) {
	l := newFixture(t)
	add := func(id string) error {
		_, err := l.service.AddSample(t.Context(), id, profiles.NewSample{
			Source: profiles.Source{Path: recording(t, 4, 0)}, Consent: backend.ConsentPermission, By: " Bob ",
		})
		return err
	}
	plain := l.create(t, profiles.Draft{Name: "Plain"})
	require.NoError(t, add(plain.ID))
	p := l.profile(t, plain.ID)
	require.Equal(t, backend.VoiceCloned, p.VoiceType)
	require.Equal(t, 1, p.Samples)
	require.Equal(t, &backend.Consent{Kind: backend.ConsentPermission, By: "Bob", At: p.Consent.At}, p.Consent)
	require.WithinDuration(t, time.Now(), p.Consent.At, time.Minute)
	require.True(t, p.Usable)

	preset := l.create(t, profiles.Draft{Name: "Preset", ProfilePatch: backend.ProfilePatch{ModelName: new("one")}})
	requireCode(t, backend.CodeEngineMismatch, add(preset.ID))
	hosted := l.create(t, profiles.Draft{
		Name: "Hosted", ProfilePatch: backend.ProfilePatch{VoiceType: new(backend.VoiceHosted), HostedVoiceID: new("v")},
	})
	requireCode(t, backend.CodeEngineMismatch, add(hosted.ID))
	requireCode(t, backend.CodeProfileNotFound, add("nobody"))

	byModel := l.create(t, profiles.Draft{Name: "By model", ProfilePatch: backend.ProfilePatch{ModelName: new("parrot")}})
	require.Equal(t, backend.VoiceCloned, byModel.VoiceType)
	withVoices := l.create(t, profiles.Draft{Name: "With voices", ProfilePatch: backend.ProfilePatch{ModelName: new("lyrebird")}})
	require.Equal(t, backend.VoicePreset, withVoices.VoiceType)
	changed, err := l.service.Update(t.Context(), preset.ID, backend.ProfilePatch{VoiceType: new(backend.VoiceCloned)})
	require.NoError(t, err)
	require.Equal(t, backend.Profile{VoiceType: backend.VoiceCloned, Language: preset.Language}, voiceOf(changed))
	require.False(t, l.profile(t, preset.ID).Usable, "it has no sample")
	_, err = l.service.Update(t.Context(), preset.ID, backend.ProfilePatch{ModelName: new("one")})
	requireCode(t, backend.CodeEngineMismatch, err)
	for _, kind := range []backend.VoiceType{backend.VoiceDefault, backend.VoiceCloned} {
		changed, err = l.service.Update(t.Context(), byModel.ID, backend.ProfilePatch{VoiceType: &kind})
		require.NoError(t, err)
	}
	require.Equal(t, "parrot", changed.ModelName, "a model that clones is kept")
	entries, err := os.ReadDir(l.dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "what was refused leaves nothing")
}

func TestModelOfAClonedProfile(t *testing.T) {
	l := newFixture(t)
	p := l.cloned(t, backend.ProfilePatch{Language: new("de")})
	_, err := l.service.CloneModel(p, "de")
	requireCode(t, backend.CodeEngineMismatch, err)
	p.Samples = 1
	name := func(language string) string {
		t.Helper()
		m, err := l.service.CloneModel(p, language)
		require.NoError(t, err)
		return m.Name
	}
	require.Equal(t, "mynah", name("de"), "the first of the list")
	require.Equal(t, "parrot", name("en-GB"))
	l.installed = "lyrebird"
	l.service = profiles.New(l.options())
	require.Equal(t, "lyrebird", name("de"), "an installed one")
	require.Equal(t, "parrot", name("en"))
	_, err = l.service.CloneModel(p, "fr")
	requireCode(t, backend.CodeLanguageNotSupported, err)
	p.ModelName = "parrot"
	require.Equal(t, "parrot", name("de"))
	p.ModelName = "one"
	_, err = l.service.CloneModel(p, "en")
	requireCode(t, backend.CodeEngineMismatch, err)

	french := l.create(t, profiles.Draft{Name: "French", ProfilePatch: backend.ProfilePatch{Language: new("fr"), VoiceType: new(backend.VoiceCloned)}})
	l.sample(t, french.ID, 4, 0)
	french = l.profile(t, french.ID)
	require.False(t, french.Usable)
	require.Contains(t, french.Reason, `"fr"`)
}

func TestTranscriptsOfSamples(t *testing.T) {
	l := newFixture(t)
	heard := "The quick brown fox."
	l.listen = func(context.Context, audio.Buffer, string) (string, error) { return heard, nil }
	l.service = profiles.New(l.options())
	p := l.cloned(t, backend.ProfilePatch{ModelName: new("mynah")})
	add := func(transcript string, write bool) backend.Sample {
		t.Helper()
		s, err := l.service.AddSample(t.Context(), p.ID, profiles.NewSample{
			Source: profiles.Source{Path: recording(t, 4, 0)}, Consent: backend.ConsentOwnVoice, Transcript: transcript, Transcribe: write,
		})
		require.NoError(t, err)
		return s
	}
	require.Empty(t, add("the quick brown fox", false).Warnings)
	require.Equal(t, heard, add(" ", true).Transcript)
	require.Equal(t, "Mine.", add("Mine.", true).Transcript, "only a missing one is written")
	wrong := add("Something else was said here.", false)
	require.Equal(t, backend.SampleMismatch, wrong.Warnings[0].Code)
	require.Equal(t, heard, wrong.Warnings[0].Params["heard"])
	s, err := l.service.SetTranscript(t.Context(), p.ID, wrong.ID, "The quick, brown fox")
	require.NoError(t, err)
	require.Empty(t, s.Warnings)
	_, err = l.service.SetTranscript(t.Context(), p.ID, wrong.ID, strings.Repeat("x", 5001))
	requireInvalid(t, "string_too_long", "transcript", err)

	l.listen = func(context.Context, audio.Buffer, string) (string, error) {
		return "", backend.E(backend.CodeModelNotDownloaded, "None.", "Download one.")
	}
	l.service = profiles.New(l.options())
	require.Empty(t, add("Something else.", false).Warnings, "nothing can compare it")
	_, err = l.service.AddSample(t.Context(), p.ID, profiles.NewSample{
		Source: profiles.Source{Path: recording(t, 4, 0)}, Consent: backend.ConsentOwnVoice, Transcribe: true,
	})
	requireCode(t, backend.CodeModelNotDownloaded, err)
}

func TestDuplicateCopiesSamples(t *testing.T) {
	l := newFixture(t)
	p := l.cloned(t, backend.ProfilePatch{})
	s := l.sample(t, p.ID, 4, 0)
	c, err := l.service.Duplicate(t.Context(), p.ID)
	require.NoError(t, err)
	require.Equal(t, "Ann copy", c.Name)
	require.Equal(t, 1, c.Samples)
	require.Equal(t, l.profile(t, p.ID).Consent, c.Consent)
	require.NoError(t, l.service.Delete(t.Context(), p.ID))
	list, err := l.service.Samples(t.Context(), c.ID)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.NotEqual(t, s.ID, list[0].ID)
	require.Equal(t, s.Seconds, list[0].Seconds)
	ref, err := l.service.Reference(t.Context(), c.ID, anyLength)
	require.NoError(t, err)
	_, err = ref.Audio(t.Context())
	require.NoError(t, err)
}

func TestSweepRemovesWhatIsLeft(t *testing.T) {
	l := newFixture(t)
	p := l.cloned(t, backend.ProfilePatch{})
	s := l.sample(t, p.ID, 4, 0)
	ref, err := l.service.Reference(t.Context(), p.ID, anyLength)
	require.NoError(t, err)
	writeState(t, ref, nil)
	for _, name := range []string{"gone/x.wav", "import-1/sample.wav", p.ID + "/.new-1", p.ID + "/other.wav"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(l.dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(l.dir, name), nil, 0o600))
	}
	require.NoError(t, l.service.Sweep(t.Context()))
	require.FileExists(t, filepath.Join(l.dir, p.ID, s.ID+".wav"))
	require.DirExists(t, ref.Cache)
	top, err := os.ReadDir(l.dir)
	require.NoError(t, err)
	require.Len(t, top, 1)
	inside, err := os.ReadDir(filepath.Join(l.dir, p.ID))
	require.NoError(t, err)
	require.Len(t, inside, 2)
}

// TestSweepBoundsTheStates: what was computed from samples can be computed again, so the least recently used goes.
func TestSweepBoundsTheStates(t *testing.T) {
	l := newFixture(t)
	now := time.Now()
	var paths []string
	for i := range 3 {
		p := l.create(t, profiles.Draft{Name: fmt.Sprint("Ann ", i), ProfilePatch: backend.ProfilePatch{VoiceType: new(backend.VoiceCloned)}})
		l.sample(t, p.ID, 4, float64(i))
		ref, err := l.service.Reference(t.Context(), p.ID, anyLength)
		require.NoError(t, err)
		path := writeState(t, ref, nil)
		require.NoError(t, os.Truncate(path, 1<<30)) // takes no space on the disk
		require.NoError(t, os.Chtimes(path, time.Time{}, now.Add(time.Duration(-i)*time.Hour)))
		paths = append(paths, path)
	}
	require.NoError(t, l.service.Sweep(t.Context()))
	require.FileExists(t, paths[0])
	require.FileExists(t, paths[1])
	require.NoFileExists(t, paths[2])
}

func TestCheckNamesTheModels(t *testing.T) {
	l := newFixture(t)
	l.installed = "mynah"
	l.service = profiles.New(l.options())
	c, err := l.service.Check(t.Context(), profiles.NewSample{Source: profiles.Source{Path: recording(t, 4, 0)}})
	require.NoError(t, err)
	require.Empty(t, c.ID)
	require.Len(t, c.Models, 3, "those that clone")
	parrot, mynah := c.Models[0], c.Models[1]
	require.Equal(t, "parrot", parrot.ModelName)
	require.Equal(t, backend.CodeEngineMismatch, parrot.Problem.Code)
	require.Contains(t, parrot.Problem.Detail, "more than 5 s")
	require.NotEmpty(t, parrot.Problem.Remedy)
	require.Equal(t, profiles.CheckedModel{
		ModelName: "mynah", DisplayName: "Mynah", Downloaded: true, SizeMB: 100, Fits: backend.FitsYes, Languages: []string{"en", "de"},
	}, mynah)
	_, err = os.Stat(l.dir)
	require.ErrorIs(t, err, os.ErrNotExist, "nothing is stored")
}

// TestCancelledSampleLeavesNothing covers a client that leaves while its recording is measured.
func TestCancelledSampleLeavesNothing(t *testing.T) {
	l := newFixture(t)
	p := l.cloned(t, backend.ProfilePatch{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := l.service.AddSample(ctx, p.ID, profiles.NewSample{
		Source: profiles.Source{Path: recording(t, 4, 0)}, Consent: backend.ConsentOwnVoice,
	})
	requireCode(t, backend.CodeCancelled, err)
	_, err = os.Stat(l.dir)
	require.ErrorIs(t, err, os.ErrNotExist)
}
