package backend

import "time"

// GenerationSort is an order of the history.
type GenerationSort string

// The orders of the history.
const (
	HistoryNewest   GenerationSort = "newest" // the default
	HistoryOldest   GenerationSort = "oldest"
	HistoryLongest  GenerationSort = "longest"
	HistoryShortest GenerationSort = "shortest"
)

// GenerationFilter selects generations; zero values select all. The tags describe the query of the API. A new field needs a
// line in Conditions, and nothing else.
type GenerationFilter struct {
	Search    string         `query:"search" maxLength:"200" doc:"words and prefixes of words in text and title"` // accents and case do not matter
	ProfileID string         `query:"profile_id" format:"uuid"`
	Engine    string         `query:"engine" maxLength:"64"`
	Source    Source         `query:"source" enum:"local,hosted"`
	Status    Status         `query:"status" enum:"queued,downloading_model,loading_model,generating,complete,failed,cancelled"`
	Favorite  OptionalBool   `query:"favorite" enum:"true,false"`
	OfBook    OptionalBool   `query:"of_book" enum:"true,false" doc:"whether an audiobook has it"`
	From      time.Time      `query:"from" doc:"created at or after"`
	To        time.Time      `query:"to" doc:"created before"`
	Sort      GenerationSort `query:"sort" enum:"newest,oldest,longest,shortest" default:"newest"`
	Brief     bool           // without receipt, request and chunks, see Generation.Brief
	Page
}

// Conditions returns what holds for every selected generation, beside the search.
func (f GenerationFilter) Conditions() []Condition {
	return []Condition{
		{"profile_id", "=", f.ProfileID},
		{"engine", "=", f.Engine},
		{"source", "=", f.Source},
		{"status", "=", f.Status},
		{"favorite", "=", f.Favorite.Pointer()},
		{"of_book", "=", f.OfBook.Pointer()},
		{"created_at", ">=", f.From},
		{"created_at", "<", f.To},
	}
}

// Condition compares a field of the entries of a list, by its name in the API, with a value. One with a zero value holds for
// all entries.
type Condition struct {
	Field string
	Op    string // =, < or >=
	Value any    // a string, a *bool or a time
}

// OptionalBool is a boolean of a query, which may be absent: empty, Yes or No.
type OptionalBool string

// The values of an OptionalBool.
const (
	Yes OptionalBool = "true"
	No  OptionalBool = "false"
)

// Pointer returns the boolean, nil if it is absent.
func (b OptionalBool) Pointer() *bool {
	if b == "" {
		return nil
	}
	return new(b == Yes)
}
