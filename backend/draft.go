package backend

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// DefaultDraftName is the name of a draft without one.
const DefaultDraftName = "Untitled"

// maxDraftName is the longest name of a draft, in characters.
const maxDraftName = 100

// Draft is the text in the studio with its options before it is generated, saved so that a crash loses nothing
// (decisions.md section 2).
type Draft struct {
	ID        string                     `json:"id"`
	Name      string                     `json:"name"`
	Content   map[string]json.RawMessage `json:"content"`
	CreatedAt time.Time                  `json:"created_at"`
	UpdatedAt time.Time                  `json:"updated_at"`
}

// DraftFilter selects drafts; the zero value selects all.
type DraftFilter struct {
	Brief bool // without the long fields of each content, such as the text of a book
	Page
}

// longField is the length in bytes above which a field of a draft's content is not in a brief list.
const longField = 100

// Shorten removes the long fields of the content. The short ones, such as the kind of the draft, stay.
func (d Draft) Shorten() {
	maps.DeleteFunc(d.Content, func(_ string, value json.RawMessage) bool { return len(value) > longField })
}

// DraftPatch changes the given fields only.
type DraftPatch struct {
	Name        *string
	Content     map[string]json.RawMessage // nil = unchanged
	IfUpdatedAt *time.Time                 // of the version that was edited; nil skips the check
}

// Guard returns CodeDraftChanged when the draft was changed after the version that was edited.
func (c DraftPatch) Guard(d Draft) error {
	if c.IfUpdatedAt == nil || c.IfUpdatedAt.Equal(d.UpdatedAt) {
		return nil
	}
	return E(CodeDraftChanged, "The draft was changed somewhere else in the meantime.", "Open it again, or save yours as a copy.").
		With("name", d.Name).With("updated_at", d.UpdatedAt)
}

// Apply changes the given fields of a draft.
func (c DraftPatch) Apply(d *Draft) {
	set(&d.Name, c.Name)
	if c.Content != nil {
		d.Content = c.Content
	}
}

// Check trims the name and returns a ValidationError if it is empty or longer than 100 characters.
func (d *Draft) Check() error {
	d.Name = strings.TrimSpace(d.Name)
	if f := checkLength("name", d.Name, maxDraftName); f != nil {
		return &ValidationError{Fields: []FieldError{*f}}
	}
	return nil
}

// checkLength requires 1 to limit characters.
func checkLength(field, value string, limit int) *FieldError {
	switch n := utf8.RuneCountInString(value); {
	case n == 0:
		return &FieldError{Loc: []string{"body", field}, Msg: "String should have at least 1 character", Type: "string_too_short"}
	case n > limit:
		msg := "String should have at limit " + strconv.Itoa(limit) + " characters"
		return &FieldError{Loc: []string{"body", field}, Msg: msg, Type: "string_too_long"}
	}
	return nil
}
