package cast

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/folding"
)

// hues is how many colours the page has for speakers.
const hues = 8

// speaker is one of a cast.
type speaker struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	ProfileID string `json:"profileId"`
	Hue       int    `json:"hue"` // 1 to hues
}

// castOf returns the speakers of turns in the order of their first words, without voices.
func castOf(turns []turn) []*speaker {
	var cast []*speaker
	seen := map[string]bool{}
	for _, t := range turns {
		if !seen[t.speaker] {
			seen[t.speaker] = true
			cast = append(cast, &speaker{ID: "speaker-" + strconv.Itoa(len(cast)+1), Name: t.speaker, Hue: len(cast)%hues + 1})
		}
	}
	return cast
}

// chooseGiven sets the profiles that were chosen for speakers.
func chooseGiven(cast []*speaker, r Request) error {
	for _, name := range slices.Sorted(maps.Keys(r.Voices)) {
		found := slices.IndexFunc(cast, func(s *speaker) bool { return s.Name == name })
		if found < 0 {
			found = slices.IndexFunc(cast, func(s *speaker) bool { return folding.Key(s.Name) == folding.Key(name) })
		}
		if found < 0 {
			return backend.Invalid("value_error", fmt.Sprintf("Value error, no speaker of this transcript is called %q", name),
				"body", "voices", name)
		}
		id := r.Voices[name]
		if !slices.ContainsFunc(r.Profiles, func(p backend.Profile) bool { return p.ID == id }) {
			return backend.E(backend.CodeProfileNotFound, "There is no such voice profile.",
				"It may have been deleted or renamed; check the list of profiles.").With("profile", id)
		}
		cast[found].ProfileID = id
	}
	return nil
}

// chooseOthers sets the profile of the speakers without one: that of their name, else one in the language of the text that nobody has
// yet, else the main one. Hosted voices are chosen by their names alone, as they cost credits.
func chooseOthers(cast []*speaker, profiles []backend.Profile, language string) {
	taken := map[string]bool{}
	for _, s := range cast {
		if s.ProfileID == "" {
			s.ProfileID = ofName(profiles, s.Name)
		}
		taken[s.ProfileID] = true
	}
	local := localFirst(profiles, language)
	for _, s := range cast {
		if s.ProfileID != "" || len(local) == 0 {
			continue
		}
		s.ProfileID = local[0].ID
		for _, p := range local {
			if !taken[p.ID] && sameLanguage(p.Language, local[0].Language) {
				s.ProfileID = p.ID
				break
			}
		}
		taken[s.ProfileID] = true
	}
}

// ofName returns the id of the profile of a name, empty where there is none.
func ofName(profiles []backend.Profile, name string) string {
	for _, p := range profiles {
		if p.Usable && folding.Key(strings.TrimSpace(p.Name)) == folding.Key(name) {
			return p.ID
		}
	}
	return ""
}

// localFirst returns the local profiles with the main one first: the oldest that speaks with the default voice, if it is of the
// language, else the first of the language, else the default one.
func localFirst(profiles []backend.Profile, language string) []backend.Profile {
	var local []backend.Profile
	for _, p := range profiles {
		if p.Usable && p.VoiceType != backend.VoiceHosted {
			local = append(local, p)
		}
	}
	main, best := 0, -1
	for i, p := range local {
		rank := 0
		if sameLanguage(p.Language, language) {
			rank += 2
		}
		if p.VoiceType == backend.VoiceDefault {
			rank++
		}
		if rank > best || rank == best && p.VoiceType == backend.VoiceDefault && p.CreatedAt.Before(local[main].CreatedAt) {
			main, best = i, rank
		}
	}
	if len(local) == 0 {
		return nil
	}
	return slices.Concat(local[main:main+1], local[:main], local[main+1:])
}

// languageOf returns the language of the text of a transcript.
func languageOf(t backend.Transcript) string {
	if t.Request.Translate {
		return "en"
	}
	return t.Language
}

// sameLanguage reports whether two tags are of one language. An unknown one is that of any.
func sameLanguage(a, b string) bool {
	first, _, _ := strings.Cut(a, "-")
	second, _, _ := strings.Cut(b, "-")
	return first == "" || second == "" || strings.EqualFold(first, second)
}
