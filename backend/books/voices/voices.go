// Package voices tells whether the voices of a book are still those that spoke it.
package voices

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// Store is the part of the store that has voices.
type Store interface {
	Book(ctx context.Context, id string) (backend.Book, error)
	Profile(ctx context.Context, id string) (backend.Profile, error)
	Samples(ctx context.Context, profileID string) ([]backend.Sample, error)
}

// Book returns a book with a key of what makes the sound of each of its profiles: another name does not change it, another sample does.
// That of a deleted profile stays. Error: not_found.
func Book(ctx context.Context, store Store, id string) (backend.Book, error) {
	b, err := store.Book(ctx, id)
	if err != nil {
		return b, err
	}
	used := voicesOf(&b)
	keys, read := map[string]string{}, map[string]bool{"": true}
	maps.Copy(keys, b.Profiles) // a change to another profile may be undone
	for _, o := range append(chapterOptions(b), b.Options) {
		if read[o.ProfileID] {
			continue
		}
		read[o.ProfileID] = true
		p, err := store.Profile(ctx, o.ProfileID)
		if backend.CodeOf(err) == backend.CodeProfileNotFound {
			if slices.ContainsFunc(used, func(u backend.BookOptions) bool { return u.ProfileID == o.ProfileID }) {
				b.MissingVoice = o.ProfileName
			}
			continue
		}
		if err != nil {
			return b, err
		}
		samples, err := store.Samples(ctx, o.ProfileID)
		if err != nil {
			return b, err
		}
		keys[o.ProfileID] = keyOf(p, samples)
	}
	b.Profiles = keys
	return b, nil
}

func chapterOptions(b backend.Book) (all []backend.BookOptions) {
	for _, c := range b.Chapters {
		all = append(all, c.Options)
	}
	return all
}

func keyOf(p backend.Profile, samples []backend.Sample) string {
	made := []any{
		p.Language, p.VoiceType, p.PresetEngine, p.PresetVoiceID, p.ModelName, p.HostedVoiceID, p.HostedModelID, p.Speed,
	}
	for _, s := range samples {
		made = append(made, s.SHA256, s.Transcript)
	}
	content, _ := json.Marshal(made) // it has nothing that cannot be encoded
	return backend.BookKey(content)
}

// voicesOf returns the options of the chapters that are not skipped, each profile once.
func voicesOf(b *backend.Book) (all []backend.BookOptions) {
	for _, c := range b.Chapters {
		o := c.Options.Over(b.Options)
		if !c.Skipped && !slices.ContainsFunc(all, func(a backend.BookOptions) bool { return a.ProfileID == o.ProfileID }) {
			all = append(all, o)
		}
	}
	return all
}

// Reader returns the narrator of a book, or where it names none the names of the profiles that speak it.
func Reader(b *backend.Book) string {
	if b.Narrator != "" {
		return b.Narrator
	}
	var names []string
	for _, o := range voicesOf(b) {
		if o.ProfileName != "" && !slices.Contains(names, o.ProfileName) {
			names = append(names, o.ProfileName)
		}
	}
	return strings.Join(names, ", ")
}
