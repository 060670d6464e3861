package sqlite

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// cursor is the place after the last row of a part of a list: the key it was sorted by, and its seq, which
// makes the place unique. Rows that come in meanwhile do not shift it.
type cursor struct {
	List   string  `json:"l"`
	Sort   string  `json:"s"`
	Text   string  `json:"t,omitempty"` // the key of a sort by text
	Number float64 `json:"n,omitempty"` // the key of a sort by number; milliseconds fit exactly
	Seq    int64   `json:"q"`
}

// String is the opaque form that clients carry.
func (c cursor) String() string {
	b, err := json.Marshal(c)
	if err != nil { // only NaN and infinity have no JSON, and durations are neither
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// parseCursor reads a cursor of this list and sort; anything else is a *backend.ValidationError.
// An empty s is the start of the list and gives nil.
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

// pageLimit gives the size of a part; sizes outside 1..backend.MaxPageLimit are a *backend.ValidationError.
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

// order is a sort of a list: a column, and seq where it ties.
type order struct {
	column string // empty: by seq alone
	text   bool   // the column holds text
	desc   bool
}

// by is the ORDER BY clause.
func (o order) by() string {
	dir := " ASC"
	if o.desc {
		dir = " DESC"
	}
	if o.column == "" {
		return " ORDER BY seq" + dir
	}
	return " ORDER BY " + o.column + dir + ", seq" + dir
}

// after adds the condition for rows behind the cursor; seq is how the statement names the place of a row.
func (o order) after(w *where, c *cursor, seq string) {
	if c == nil {
		return
	}
	op := " > "
	if o.desc {
		op = " < "
	}
	switch {
	case o.column == "":
		w.add(seq+op+"?", c.Seq)
	case o.text:
		w.add("("+o.column+", "+seq+")"+op+"(?, ?)", c.Text, c.Seq)
	default:
		w.add("("+o.column+", "+seq+")"+op+"(?, ?)", c.Number, c.Seq)
	}
}

// where collects conditions that must all hold.
type where struct {
	conds []string
	args  []any
}

func (w *where) add(cond string, args ...any) {
	w.conds = append(w.conds, cond)
	w.args = append(w.args, args...)
}

// language adds the condition that a column with tags holds a language or a kind of it, as backend.MatchesLanguage says.
func (w *where) language(column, wanted string) {
	key := backend.LanguageKey(wanted)
	w.add("("+column+" = ? COLLATE NOCASE OR substr("+column+", 1, ?) = ? COLLATE NOCASE)", key, len(key)+1, key+"-")
}

// String is the WHERE clause, empty without conditions.
func (w *where) String() string {
	if len(w.conds) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conds, " AND ")
}
