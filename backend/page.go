package backend

// The sizes of a page of a list.
const (
	DefaultPageLimit = 50
	MaxPageLimit     = 500
	TotalCap         = 10_000 // totals of the history are exact up to here
	BriefText        = 240    // characters of a text in a row of a list, at most
)

// Page selects a page of a list.
type Page struct {
	Limit  int    // 1..MaxPageLimit; 0 means DefaultPageLimit
	Cursor string // next_cursor of the previous page; empty for the first
}

// List is a page of a list with the cursor of the next one.
type List[T any] struct {
	Items       []T     `json:"items"`
	Total       int     `json:"total"`
	TotalCapped bool    `json:"total_capped,omitempty"`
	NextCursor  *string `json:"next_cursor"`
}
