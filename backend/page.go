package backend

// The sizes of a page of a list.
const (
	DefaultPageLimit = 50
	MaxPageLimit     = 500
	TotalCap         = 10_000 // totals of the history are exact up to here
	BriefText        = 240    // characters of a text that a row of a list has at most
)

// Page asks for a part of a list.
type Page struct {
	Limit  int    // 1..MaxPageLimit; 0 means DefaultPageLimit
	Cursor string // next_cursor of the part before; empty for the first
}

// List is a part of a list with what is needed to get the next.
type List[T any] struct {
	Items       []T     `json:"items"`
	Total       int     `json:"total"`
	TotalCapped bool    `json:"total_capped,omitempty"`
	NextCursor  *string `json:"next_cursor"`
}
