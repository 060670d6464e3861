package hosted

import (
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/folding"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// VoiceFilter selects voices; zero values select all.
type VoiceFilter struct {
	Search   string // in name, provider, accent, category and language; case and accents do not matter
	Language string // "en" also finds "en-GB"
	Gender   string
	Provider string
	Category string
	Accent   string
	Favorite *bool
	Refresh  bool // wait for a new list
	backend.Page
}

// ListedVoice is a voice with what is known of its use.
type ListedVoice struct {
	backend.HostedVoice
	Model     string  `json:"model" doc:"the default one, of the voice's provider"`
	Paid      bool    `json:"paid" doc:"needs a Pro or Max plan, or pay-as-you-go credits"`
	V3Hint    bool    `json:"v3_hint" doc:"made for other models of its provider than v3, with which it sounds less similar"`
	Per1000   *int64  `json:"credits_per_1000" doc:"with the default model, after the discount of an API key; null: price unknown"`
	ProfileID *string `json:"profile_id" doc:"a profile with this voice"`
}

// VoiceList is a page of the voices.
type VoiceList struct {
	Items      []ListedVoice  `json:"items"`
	Total      int            `json:"total"`
	NextCursor *string        `json:"next_cursor"`
	Filters    client.Filters `json:"filters" doc:"the values that voices of the service have"`
	FetchedAt  time.Time      `json:"fetched_at"`
	Stale      bool           `json:"stale" doc:"the list is older than 10 minutes, or the service cannot be reached"`
}

// Voices returns a page of the voices that the filter selects, in the order of the service.
func (s *voiceList) Voices(ctx context.Context, f VoiceFilter) (VoiceList, error) {
	from, err := parseCursor(f.Cursor)
	if err != nil {
		return VoiceList{}, err
	}
	list, stale, err := s.catalogue(ctx, f.Refresh)
	if err != nil {
		return VoiceList{}, err
	}
	matches := list.selected(f)
	out := VoiceList{
		Items: []ListedVoice{}, Total: len(matches), Filters: list.Filters, FetchedAt: list.FetchedAt, Stale: stale,
	}
	limit := f.Limit
	if limit == 0 {
		limit = backend.DefaultPageLimit
	}
	page := matches[min(from, len(matches)):min(from+limit, len(matches))]
	if from+limit < len(matches) {
		next := cursorOf(from + limit)
		out.NextCursor = &next
	}
	profiles, err := s.profilesByVoice(ctx)
	if err != nil {
		return VoiceList{}, err
	}
	for _, v := range page {
		out.Items = append(out.Items, s.listed(list, v, profiles))
	}
	return out, nil
}

// selected returns the voices that match.
func (c *catalogue) selected(f VoiceFilter) []backend.HostedVoice {
	words := strings.Fields(folding.Key(f.Search))
	var matches []backend.HostedVoice
	for i, v := range c.Voices {
		if f.matches(v) && containsAll(c.folded[i], words) {
			matches = append(matches, v)
		}
	}
	return matches
}

// matches reports whether a voice has the values of the filter, the search not counted.
func (f VoiceFilter) matches(v backend.HostedVoice) bool {
	equal := func(value, wanted string) bool { return wanted == "" || strings.EqualFold(value, wanted) }
	return backend.MatchesLanguage(v.Language, f.Language) && equal(string(v.Gender), f.Gender) && equal(v.Provider, f.Provider) &&
		equal(v.Category, f.Category) && equal(v.Accent, f.Accent) && (f.Favorite == nil || v.Favorite == *f.Favorite)
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// listed returns a voice with what is known of its use.
func (s *voiceList) listed(list *catalogue, v backend.HostedVoice, profiles map[string]string) ListedVoice {
	m, _ := list.model(v.Provider, "")
	l := ListedVoice{HostedVoice: v, Model: m.ID, Paid: paidProvider(v.Provider), Per1000: s.per1000(list.rate(m.ID, v.Provider))}
	l.V3Hint = m.ID == backend.HostedV3 && len(v.Models) > 0 && !slices.Contains(v.Models, backend.HostedV3)
	if id, ok := profiles[v.ID]; ok {
		l.ProfileID = &id
	}
	return l
}

// profilesByVoice returns the id of a profile for each voice that has one.
func (s *voiceList) profilesByVoice(ctx context.Context) (map[string]string, error) {
	profiles, err := s.o.Profiles(ctx)
	if err != nil {
		return nil, err
	}
	byVoice := make(map[string]string, len(profiles))
	for _, p := range profiles {
		if _, taken := byVoice[p.HostedVoiceID]; !taken {
			byVoice[p.HostedVoiceID] = p.ID
		}
	}
	return byVoice, nil
}

// Cursors are offsets: the list changes as a whole and seldom.
func cursorOf(offset int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(offset)))
}

func parseCursor(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	n, convErr := strconv.Atoi(string(raw))
	if err != nil || convErr != nil || n < 0 {
		return 0, backend.Invalid("value_error", "Value error, this is not a cursor of this list", "query", "cursor")
	}
	return n, nil
}
