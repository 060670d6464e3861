package sqlite

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/voicewright/voicewright/backend"
)

// cursor is the position after the last row of a page: the sort key of the row, and its seq, which makes the position
// unique. Rows that are added later do not shift it.
type cursor struct {
	List   string  `json:"l"`
	Sort   string  `json:"s"`
	Text   string  `json:"t,omitempty"` // the key of a sort by text
	Number float64 `json:"n,omitempty"` // the key of a sort by number; milliseconds fit exactly
	Seq    int64   `json:"q"`
}

// String returns the opaque form that clients send back.
func (c cursor) String() string {
	b, err := json.Marshal(c)
	if err != nil { // only NaN and infinity cannot be encoded, and sort keys are neither
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// parseCursor parses a cursor of this list and sort; anything else is a *backend.ValidationError. It returns nil for an empty
// s, the start of the list.
func parseCursor(s, list, sort string) (*cursor, error) {
	if s == "" {
		return nil, nil
	}
	bad := backend.Invalid("value_error", "Value error, this is not a cursor of this list and order", "query", "cursor")
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return nil, bad
	}
	var c cursor
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil || c.List != list || c.Sort != sort || c.Seq <= 0 || c.String() != s {
		return nil, bad
	}
	return &c, nil
}

// pageLimit returns the size of a page; sizes outside 1..backend.MaxPageLimit are a *backend.ValidationError.
func pageLimit(limit int) (int, error) {
	switch {
	case limit == 0:
		return backend.DefaultPageLimit, nil
	case limit < 0:
		return 0, backend.Invalid("greater_than_equal", "Input should be greater than or equal to 1", "query", "limit")
	case limit > backend.MaxPageLimit:
		return 0, backend.Invalid("less_than_equal", "Input should be less than or equal to 500", "query", "limit")
	}
	return limit, nil
}
