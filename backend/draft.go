package backend

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// DefaultDraftName is the name of a draft that was given none.
const DefaultDraftName = "Untitled"

// maxDraftName is the longest name of a draft, in characters.
const maxDraftName = 100

// Draft is what the studio holds before it is spoken: its text and the choices around it, kept so that a crash loses
// nothing (decisions.md section 2).
type Draft struct {
	ID        string                     `json:"id" doc:"UUID version 7"`
	Name      string                     `json:"name"`
	Content   map[string]json.RawMessage `json:"content" doc:"any object; nothing here looks into it"`
	CreatedAt time.Time                  `json:"created_at"`
	UpdatedAt time.Time                  `json:"updated_at" doc:"later with every change"`
}

// DraftFilter selects drafts; the zero value selects all.
type DraftFilter struct {
	Brief bool // leaves the long fields of each content out, which may be a whole book
	Page
}

// longField is the length in bytes from which on a field of a draft's content is left out of a brief list.
const longField = 100

// Shorten leaves the long fields of the content out. What says which kind of draft it is stays.
func (d Draft) Shorten() {
	maps.DeleteFunc(d.Content, func(_ string, value json.RawMessage) bool { return len(value) > longField })
}

// DraftPatch changes the given fields only.
type DraftPatch struct {
	Name        *string
	Content     map[string]json.RawMessage // nil when it was not given
	IfUpdatedAt *time.Time                 // the draft that is meant to be changed; nil changes whatever is there
}

// Guard gives CodeDraftChanged when the draft is not the one that the change was made from.
func (c DraftPatch) Guard(d Draft) error {
	if c.IfUpdatedAt == nil || c.IfUpdatedAt.Equal(d.UpdatedAt) {
		return nil
	}
	return E(CodeDraftChanged, "The draft was changed elsewhere meanwhile.", "Open it again, or keep yours as a copy.").
		With("name", d.Name).With("updated_at", d.UpdatedAt)
}

// Apply changes the given fields of a draft.
func (c DraftPatch) Apply(d *Draft) {
	set(&d.Name, c.Name)
	if c.Content != nil {
		d.Content = c.Content
	}
}

// Check trims the name and gives a ValidationError when it is empty or has over 100 characters.
func (d *Draft) Check() error {
	d.Name = strings.TrimSpace(d.Name)
	if f := checkLength("name", d.Name, maxDraftName); f != nil {
		return &ValidationError{Fields: []FieldError{*f}}
	}
	return nil
}

// checkLength wants 1 to most characters.
func checkLength(field, value string, most int) *FieldError {
	switch n := utf8.RuneCountInString(value); {
	case n == 0:
		return &FieldError{Loc: []string{"body", field}, Msg: "String should have at least 1 character", Type: "string_too_short"}
	case n > most:
		msg := "String should have at most " + strconv.Itoa(most) + " characters"
		return &FieldError{Loc: []string{"body", field}, Msg: msg, Type: "string_too_long"}
	}
	return nil
}
