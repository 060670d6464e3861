package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestSamples(t *testing.T) {
	t.Parallel()
	db := open(t)
	p, err := db.Create(t.Context(), backend.Profile{Name: "Ann", Language: "en", VoiceType: backend.VoiceDefault})
	require.NoError(t, err)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	consent := backend.Consent{Kind: backend.ConsentPermission, By: "Bob", At: at}
	first := backend.Sample{
		ID: "s1", ProfileID: p.ID, Name: "a.wav", Seconds: 4.25, SampleRate: 22050, LevelLUFS: -20.5, NoiseDB: -60, Clipped: true, Speakers: 2,
		Warnings:   []backend.SampleWarning{{Code: backend.SampleNoisy, Detail: "d", Remedy: "r", Params: map[string]any{"a": "b"}}},
		Transcript: "Hello.", CreatedAt: at, SHA256: "abc",
	}
	second := backend.Sample{ID: "s0", ProfileID: p.ID, Warnings: []backend.SampleWarning{}, CreatedAt: at}
	require.NoError(t, db.SetVoiceLevel(t.Context(), "m", backend.ClonePrefix+p.ID, backend.VoiceLevel{}))
	require.NoError(t, db.AddSample(t.Context(), first, consent))
	_, known, err := db.VoiceLevel(t.Context(), "m", backend.ClonePrefix+p.ID)
	require.NoError(t, err)
	require.False(t, known, "another sample has another level")
	require.NoError(t, db.AddSample(t.Context(), second, consent))
	require.Equal(t, backend.CodeProfileNotFound, backend.CodeOf(db.AddSample(t.Context(), backend.Sample{ID: "s9", ProfileID: "x"}, consent)))

	list, err := db.Samples(t.Context(), p.ID)
	require.NoError(t, err)
	require.Equal(t, []backend.Sample{first, second}, list, "in the order in which they were added")
	page, err := db.Profiles(t.Context(), backend.ProfileFilter{VoiceType: backend.VoiceCloned})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.Equal(t, 2, page.Items[0].Samples)
	require.Equal(t, &consent, page.Items[0].Consent)
	byName, err := db.ProfileByName(t.Context(), "ann")
	require.NoError(t, err)
	require.Equal(t, page.Items[0], byName)

	changed, err := db.UpdateSample(t.Context(), p.ID, "s1", func(s *backend.Sample) { s.Transcript, s.Warnings, s.Name = "Bye.", nil, "no" })
	require.NoError(t, err)
	require.Equal(t, "Bye.", changed.Transcript)
	stored, err := db.Sample(t.Context(), p.ID, "s1")
	require.NoError(t, err)
	require.Equal(t, []any{"Bye.", "a.wav", []backend.SampleWarning{}}, []any{stored.Transcript, stored.Name, stored.Warnings})
	other, err := db.Create(t.Context(), backend.Profile{Name: "Other", Language: "en", VoiceType: backend.VoiceDefault})
	require.NoError(t, err)
	_, err = db.Sample(t.Context(), other.ID, "s1")
	require.Equal(t, backend.CodeSampleNotFound, backend.CodeOf(err), "it belongs to another profile")

	require.NoError(t, db.DeleteSample(t.Context(), p.ID, "s0"))
	require.Equal(t, backend.CodeSampleNotFound, backend.CodeOf(db.DeleteSample(t.Context(), p.ID, "s0")))
	ids, err := db.SampleIDs(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string][]string{p.ID: {"s1"}}, ids)
	require.NoError(t, db.DeleteSample(t.Context(), p.ID, "s1"))
	p, err = db.Profile(t.Context(), p.ID)
	require.NoError(t, err)
	require.Nil(t, p.Consent, "without samples there is nothing to consent to")

	require.NoError(t, db.AddSample(t.Context(), first, consent))
	require.NoError(t, db.DeleteProfile(t.Context(), p.ID))
	ids, err = db.SampleIDs(t.Context())
	require.NoError(t, err)
	require.Empty(t, ids)
}

// TestSampleWithABadID: files are named after ids, so a forged library must not lead out of its folder.
func TestSampleWithABadID(t *testing.T) {
	t.Parallel()
	db := open(t)
	_, err := db.CreateWithSamples(t.Context(), backend.Profile{ID: "p1", Name: "Ann", Language: "en", VoiceType: backend.VoiceCloned},
		[]backend.Sample{{ID: "../x", ProfileID: "p1"}}, backend.Consent{Kind: backend.ConsentOwnVoice, At: time.Now()})
	require.NoError(t, err)
	require.Equal(t, backend.CodeDatabaseCorrupt, backend.CodeOf(db.CheckNames(t.Context())))
}

func TestDeletedSamplesLeaveNoTrace(t *testing.T) {
	t.Parallel()
	db := open(t)
	for name, remove := range map[string]func(p backend.Profile) error{
		"sample":  func(p backend.Profile) error { return db.DeleteSample(t.Context(), p.ID, "of "+p.Name) },
		"profile": func(p backend.Profile) error { return db.DeleteProfile(t.Context(), p.ID) },
	} {
		p, err := db.Create(t.Context(), backend.Profile{Name: name, Language: "en", VoiceType: backend.VoiceCloned})
		require.NoError(t, err)
		secret := strings.Repeat("marmalade "+name, 2000) // longer than a page of the file
		sample := backend.Sample{ID: "of " + name, ProfileID: p.ID, Transcript: secret, Warnings: []backend.SampleWarning{}}
		require.NoError(t, db.AddSample(t.Context(), sample, backend.Consent{Kind: backend.ConsentPermission, By: "witness " + name, At: time.Now()}))
		require.NoError(t, remove(p))
		written, err := filepath.Glob(db.Path() + "*")
		require.NoError(t, err)
		for _, file := range written {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NotContains(t, string(raw), "marmalade "+name, file)
			require.NotContains(t, string(raw), "witness "+name, file)
		}
	}
}
