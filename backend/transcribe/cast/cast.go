// Package cast turns transcripts with speakers into drafts of scripts: each speaker gets a voice, and what one says in a row is a turn.
package cast

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/voicewright/voicewright/backend"
)

// Limits of a script: turns as package scripts has them, and characters (of UTF-16) of all turns as the page counts them.
const (
	MaxTurns      = 200
	MaxCharacters = 200_000
)

// Store is the part of the store that drafts of scripts need.
type Store interface {
	CreateDraft(ctx context.Context, d backend.Draft) (backend.Draft, error)
	DeleteDraft(ctx context.Context, id string) error
}

// Request is what a script is made of.
type Request struct {
	Transcript backend.Transcript
	Profiles   []backend.Profile // all, by name
	Voices     map[string]string // profiles (ids) by the names of speakers, for those whose voice is chosen
}

// Script makes the drafts of a script, in order: one, or more where it has more turns or characters than a script may have, with numbers
// in their names. A speaker without a chosen voice gets the profile of that name, else one in the language of the text that no other
// speaker has, else the default one. Lines without a speaker belong to the turn before them, those at the start to the first turn.
// Errors: nothing_to_speak with params.reason no_speakers, not_in_progress, ValidationError for a voice of a name that nobody has,
// profile_not_found.
func Script(ctx context.Context, store Store, r Request) ([]backend.Draft, error) {
	turns, err := turnsOf(r.Transcript)
	if err != nil {
		return nil, err
	}
	cast := castOf(turns)
	if err := chooseGiven(cast, r); err != nil {
		return nil, err
	}
	chooseOthers(cast, r.Profiles, languageOf(r.Transcript))
	drafts, err := draftsOf(r.Transcript, cast, turns)
	if err != nil {
		return nil, err
	}
	return create(ctx, store, drafts)
}

// create stores the drafts, the last one first: in the list of drafts the latest is on top. A failure removes them again.
func create(ctx context.Context, store Store, drafts []backend.Draft) ([]backend.Draft, error) {
	for i := range slices.Backward(drafts) {
		stored, err := store.CreateDraft(ctx, drafts[i])
		if err != nil {
			for _, made := range drafts[i+1:] {
				err = errors.Join(err, store.DeleteDraft(context.WithoutCancel(ctx), made.ID))
			}
			return nil, err
		}
		drafts[i] = stored
	}
	return drafts, nil
}

// content is a draft of a script as the page stores it.
type content struct {
	Kind     string     `json:"kind"`
	Title    string     `json:"title"`
	GapMS    int        `json:"gapMs"`
	Speakers []*speaker `json:"speakers"`
	Turns    []line     `json:"turns"`
}

// line is a turn of a draft.
type line struct {
	ID        string `json:"id"`
	SpeakerID string `json:"speakerId"`
	Text      string `json:"text"`
}

// defaultGapMS is the silence between turns of a new script in milliseconds, as the page has it.
const defaultGapMS = 300

// maxName is the longest name of a draft in characters.
const maxName = 100

// draftsOf returns the drafts of the parts of a script. A part has those of the cast who speak in it.
func draftsOf(t backend.Transcript, cast []*speaker, turns []turn) ([]backend.Draft, error) {
	parts := split(turns, MaxTurns, MaxCharacters)
	var drafts []backend.Draft
	for i, part := range parts {
		title := titleOf(t, i+1, len(parts))
		c := content{Kind: "script", Title: title, GapMS: defaultGapMS}
		present := map[string]*speaker{}
		for n, one := range part {
			s := cast[slices.IndexFunc(cast, func(s *speaker) bool { return s.Name == one.speaker })]
			present[s.ID] = s
			c.Turns = append(c.Turns, line{"turn-" + strconv.Itoa(n+1), s.ID, one.text})
		}
		for _, s := range cast {
			if present[s.ID] != nil {
				c.Speakers = append(c.Speakers, s)
			}
		}
		fields, err := fieldsOf(c)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, backend.Draft{Name: title, Content: fields})
	}
	return drafts, nil
}

// titleOf returns the title of a part of a script.
func titleOf(t backend.Transcript, part, parts int) string {
	title, number := []rune(backend.OneLine(t.Title)), ""
	if parts > 1 {
		number = fmt.Sprintf(" (%d/%d)", part, parts)
	}
	if len(title) == 0 {
		title = []rune(backend.DefaultDraftName)
	}
	return string(title[:min(len(title), maxName-len(number))]) + number
}

// fieldsOf returns the content as drafts have it.
func fieldsOf(c content) (map[string]json.RawMessage, error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("write the draft of a script: %w", err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, fmt.Errorf("write the draft of a script: %w", err)
	}
	return fields, nil
}
