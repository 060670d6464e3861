package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

func TestProfileKeepsEveryField(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 11, 20, 12, 0, 0, 123_456_789, time.FixedZone("", 3600))
	db, err := sqlite.Open(ctx, sqlite.Options{
		Path: filepath.Join(t.TempDir(), "voicewright.db"), Now: func() time.Time { return now },
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })

	made, err := db.Create(ctx, backend.Profile{
		Name: "  Ada  ", Description: "reads", Language: "en-GB", VoiceType: backend.VoiceHosted, PresetEngine: "kokoro",
		PresetVoiceID: "af", ModelName: "kokoro", HostedVoiceID: "h", HostedModelID: "v3", Speed: 1.5, Favorite: true,
	})
	require.NoError(t, err)
	require.Equal(t, "Ada", made.Name)
	require.True(t, made.Usable)
	require.Equal(t, time.Date(2026, 11, 20, 11, 0, 0, 123_000_000, time.UTC), made.CreatedAt)
	id, err := uuid.Parse(made.ID)
	require.NoError(t, err)
	require.Equal(t, uuid.Version(7), id.Version())

	for name, get := range map[string]func() (backend.Profile, error){
		"id":   func() (backend.Profile, error) { return db.Profile(ctx, made.ID) },
		"name": func() (backend.Profile, error) { return db.ProfileByName(ctx, "aDA") },
	} {
		got, err := get()
		require.NoError(t, err, name)
		require.Equal(t, made, got, name)
	}

	now = now.Add(time.Hour)
	description := "sings"
	changed, err := db.UpdateProfile(ctx, made.ID, backend.ProfilePatch{Description: &description})
	require.NoError(t, err)
	want := made
	want.Description, want.UpdatedAt = "sings", made.UpdatedAt.Add(time.Hour)
	require.Equal(t, want, changed)
	same, err := db.UpdateProfile(ctx, made.ID, backend.ProfilePatch{})
	require.NoError(t, err)
	require.Equal(t, want, same)
}

func TestProfileNamesAreUniqueWithoutCase(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	cases := []struct {
		first, second string
		taken         bool
	}{
		{"Bella", "bella", true},
		{"Bella", " BELLA ", true},
		{"ÉMILE", "émile", true},
		{"Straße", "STRASSE", true},
		{"ΣΊΣΥΦΟΣ", "σίσυφος", true},
		{"e\u0301mile", "\u00e9mile", true},
		{"Émile", "Emile", false},
		{"Bella", "Bella 2", false},
	}
	for _, c := range cases {
		t.Run(c.first+"/"+c.second, func(t *testing.T) {
			db := open(t)
			first, err := db.Create(ctx, backend.Profile{Name: c.first})
			require.NoError(t, err)
			_, err = db.Create(ctx, backend.Profile{Name: c.second})
			if c.taken {
				require.Equal(t, backend.CodeNameTaken, backend.CodeOf(err))
			} else {
				require.NoError(t, err)
			}
			_, err = db.UpdateProfile(ctx, first.ID, backend.ProfilePatch{Name: &c.first})
			require.NoError(t, err, "its own name is free")

			third, err := db.Create(ctx, backend.Profile{Name: "third"})
			require.NoError(t, err)
			_, err = db.UpdateProfile(ctx, third.ID, backend.ProfilePatch{Name: &c.first})
			require.Equal(t, backend.CodeNameTaken, backend.CodeOf(err))
		})
	}
}

func TestUnknownProfile(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	_, err := db.Profile(ctx, "x")
	require.Equal(t, backend.CodeProfileNotFound, backend.CodeOf(err))
	_, err = db.ProfileByName(ctx, "x")
	require.Equal(t, backend.CodeProfileNotFound, backend.CodeOf(err))
	_, err = db.ProfileByPreset(ctx, "x", "y")
	require.Equal(t, backend.CodeProfileNotFound, backend.CodeOf(err))
	_, err = db.UpdateProfile(ctx, "x", backend.ProfilePatch{})
	require.Equal(t, backend.CodeProfileNotFound, backend.CodeOf(err))
	require.Equal(t, backend.CodeProfileNotFound, backend.CodeOf(db.DeleteProfile(ctx, "x")))
}

func TestBuiltInVoiceIsMadeOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	require.NoError(t, db.EnsureBuiltIn(ctx, "de"))
	require.NoError(t, db.EnsureBuiltIn(ctx, "en"))
	p, err := db.ProfileByName(ctx, backend.BuiltInProfileName)
	require.NoError(t, err)
	require.Equal(t, "de", p.Language)
	require.Equal(t, backend.VoiceDefault, p.VoiceType)
	require.InDelta(t, 1, p.Speed, 0)

	require.NoError(t, db.DeleteProfile(ctx, p.ID))
	require.NoError(t, db.EnsureBuiltIn(ctx, "en"))
	list, err := db.Profiles(ctx, backend.ProfileFilter{})
	require.NoError(t, err)
	require.Empty(t, list.Items, "deleting it is respected")
}

func TestPresets(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	for _, name := range []string{"Bella", "Nova", "nova (kitten)", "Sky"} {
		_, err := db.Create(ctx, backend.Profile{Name: name})
		require.NoError(t, err)
	}
	list := []backend.Preset{
		{Engine: "kitten", VoiceID: "1", Name: "Bella", Taken: "Bella (KittenTTS mini)", Language: "en-US", Model: "kitten-mini"},
		{Engine: "kitten", VoiceID: "2", Name: "Nova", Taken: "Nova (Kitten)"},
		{Engine: "kitten", VoiceID: "3", Name: "Sky"},
		{Engine: "kitten", VoiceID: "4", Name: "Leo"},
	}
	made, err := db.AddPresets(ctx, list)
	require.NoError(t, err)
	require.Equal(t, []string{"Bella (KittenTTS mini)", "Nova 2", "Sky 2", "Leo"}, names(made))
	p, err := db.ProfileByPreset(ctx, "kitten", "1")
	require.NoError(t, err)
	require.Equal(t, made[0], p)
	require.Equal(t, []string{"kitten-mini", "en-US", "preset"}, []string{p.ModelName, p.Language, string(p.VoiceType)})

	made, err = db.AddPresets(ctx, list)
	require.NoError(t, err)
	require.Empty(t, made, "existing ones are left alone")

	require.NoError(t, db.DeleteProfile(ctx, p.ID))
	made, err = db.AddPresets(ctx, list)
	require.NoError(t, err)
	require.Empty(t, made, "a deleted one stays away")
	made, err = db.RestorePresets(ctx, list)
	require.NoError(t, err)
	require.Equal(t, []string{"Bella (KittenTTS mini)"}, names(made))
	require.NoError(t, db.DeleteProfile(ctx, made[0].ID))
	made, err = db.RestorePresets(ctx, list[:1])
	require.NoError(t, err)
	require.Len(t, made, 1)
}

func TestVoicesThatThisBuildCannotSpeak(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	list := []backend.Preset{
		{Engine: "kokoro", VoiceID: "af_bella", Name: "Bella"},
		{Engine: "kokoro", VoiceID: "jf_alpha", Name: "Alpha", Language: "ja", Reason: "Japanese is not built in."},
	}
	made, err := db.AddPresets(ctx, list)
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, []bool{made[0].Usable, made[1].Usable})
	p, err := db.ProfileByName(ctx, "alpha")
	require.NoError(t, err)
	require.Equal(t, made[1], p)
	require.Equal(t, "Japanese is not built in.", p.Reason)

	for all, want := range map[bool][]string{false: {"Bella"}, true: {"Alpha", "Bella"}} {
		found, err := db.Profiles(ctx, backend.ProfileFilter{All: all})
		require.NoError(t, err)
		require.Equal(t, want, names(found.Items))
		require.Equal(t, len(want), found.Total)
	}
	name, voice := "Ada", "af_bella"
	p, err = db.UpdateProfile(ctx, p.ID, backend.ProfilePatch{Name: &name})
	require.NoError(t, err)
	require.False(t, p.Usable, "another name helps nothing")
	other, err := db.UpdateProfile(ctx, p.ID, backend.ProfilePatch{PresetVoiceID: &voice})
	require.NoError(t, err)
	require.True(t, other.Usable)
	require.Empty(t, other.Reason)

	list[0].Reason = "This computer is too small."
	_, err = db.AddPresets(ctx, list[:1])
	require.NoError(t, err)
	p, err = db.ProfileByName(ctx, "Bella")
	require.NoError(t, err)
	require.False(t, p.Usable)
	list[0].Reason = ""
	_, err = db.AddPresets(ctx, list[:1])
	require.NoError(t, err)
	p, err = db.ProfileByName(ctx, "Bella")
	require.NoError(t, err)
	require.True(t, p.Usable, "a newer build can")
}

func TestProfilesFilters(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	for _, p := range []backend.Profile{
		{Name: "Zoë", Language: "en-GB", VoiceType: backend.VoicePreset, PresetEngine: "kokoro", PresetVoiceID: "z"},
		{Name: "Bella", Description: "Çalışkan ses", Language: "en", VoiceType: backend.VoiceDefault, Favorite: true},
		{Name: "Éva", Language: "enm", VoiceType: backend.VoiceDefault},
		{Name: "東京の声", Language: "ja", VoiceType: backend.VoiceCloned},
	} {
		_, err := db.Create(ctx, p)
		require.NoError(t, err)
	}
	yes, no := true, false
	cases := []struct {
		name   string
		filter backend.ProfileFilter
		want   []string
	}{
		{"all by name, accents aside", backend.ProfileFilter{}, []string{"Bella", "Éva", "Zoë", "東京の声"}},
		{"newest", backend.ProfileFilter{Sort: backend.ProfilesNewest}, []string{"東京の声", "Éva", "Bella", "Zoë"}},
		{"oldest", backend.ProfileFilter{Sort: backend.ProfilesOldest}, []string{"Zoë", "Bella", "Éva", "東京の声"}},
		{"updated", backend.ProfileFilter{Sort: backend.ProfilesByUpdate}, []string{"東京の声", "Éva", "Bella", "Zoë"}},
		{"search without accents", backend.ProfileFilter{Search: "ZOE"}, []string{"Zoë"}},
		{"search in the description", backend.ProfileFilter{Search: "caliskan bel"}, []string{"Bella"}},
		{"search within a word", backend.ProfileFilter{Search: "ell"}, []string{"Bella"}},
		{"search in a run without spaces", backend.ProfileFilter{Search: "京の"}, []string{"東京の声"}},
		{"search for signs", backend.ProfileFilter{Search: "%"}, []string{}},
		{"language and its regions", backend.ProfileFilter{Language: "EN"}, []string{"Bella", "Zoë"}},
		{"one region", backend.ProfileFilter{Language: "en-GB"}, []string{"Zoë"}},
		{"engine", backend.ProfileFilter{Engine: "kokoro"}, []string{"Zoë"}},
		{"type", backend.ProfileFilter{VoiceType: backend.VoiceDefault}, []string{"Bella", "Éva"}},
		{"favorites", backend.ProfileFilter{Favorite: &yes}, []string{"Bella"}},
		{"others", backend.ProfileFilter{Favorite: &no, Search: "e"}, []string{"Éva", "Zoë"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			list, err := db.Profiles(ctx, c.filter)
			require.NoError(t, err)
			require.Equal(t, c.want, names(list.Items))
			require.Equal(t, len(c.want), list.Total)
			require.Nil(t, list.NextCursor)
		})
	}
}

// TestProfilePages walks over all profiles in parts of any size and order: each is seen once, in order.
func TestProfilePages(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	for i := range 60 {
		at := time.UnixMilli(int64(1_000_000 + i/4)) // ties
		_, err := db.Create(ctx, backend.Profile{Name: fmt.Sprintf("v\u00e9%c %d", 'a'+i%5, i), CreatedAt: at, UpdatedAt: at})
		require.NoError(t, err)
	}
	sorts := []backend.ProfileSort{
		backend.ProfilesByName, backend.ProfilesNewest, backend.ProfilesOldest, backend.ProfilesByUpdate,
	}
	whole := map[backend.ProfileSort][]string{}
	for _, sort := range sorts {
		list, err := db.Profiles(ctx, backend.ProfileFilter{Sort: sort, Page: backend.Page{Limit: 500}})
		require.NoError(t, err)
		whole[sort] = names(list.Items)
		require.Len(t, slices.Compact(slices.Sorted(slices.Values(whole[sort]))), 60)
	}
	rapid.Check(t, func(r *rapid.T) {
		f := backend.ProfileFilter{Sort: rapid.SampledFrom(sorts).Draw(r, "sort")}
		f.Limit = rapid.IntRange(1, 70).Draw(r, "limit")
		var seen []string
		for {
			list, err := db.Profiles(ctx, f)
			require.NoError(r, err)
			require.Equal(r, 60, list.Total)
			seen = append(seen, names(list.Items)...)
			if list.NextCursor == nil {
				break
			}
			f.Cursor = *list.NextCursor
		}
		require.Equal(r, whole[f.Sort], seen)
	})
}

func TestSettings(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "voicewright.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(t, err)
	require.NoError(t, db.SetSettings(ctx, raw("a.b", `1`, "c", `{"x":[null]}`, "d", `"é"`)))
	require.NoError(t, db.SetSettings(ctx, raw("a.b", `2`, "c", "")))
	require.Error(t, db.SetSettings(ctx, raw("a.b", `3`, "e", `{`)))
	require.NoError(t, db.Close())

	got, err := openAt(t, path).Settings(ctx)
	require.NoError(t, err)
	require.Equal(t, raw("a.b", `2`, "d", `"é"`), got)
}

func TestVoiceLevel(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	_, ok, err := db.VoiceLevel(ctx, "kokoro", "af")
	require.NoError(t, err)
	require.False(t, ok)
	want := backend.VoiceLevel{GainDB: -4.5, PeakDB: -0.5}
	require.NoError(t, db.SetVoiceLevel(ctx, "kokoro", "af", backend.VoiceLevel{GainDB: -3.25}))
	require.NoError(t, db.SetVoiceLevel(ctx, "kokoro", "af", want))
	level, ok, err := db.VoiceLevel(ctx, "kokoro", "af")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, want, level)
}
