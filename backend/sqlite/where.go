package sqlite

import (
	"cmp"
	"reflect"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite/internal/words"
)

// where is a list of conditions joined by AND.
type where struct {
	conds []string
	args  []any
}

func (w *where) add(cond string, args ...any) {
	w.conds = append(w.conds, cond)
	w.args = append(w.args, args...)
}

// computed are the fields of entries that are no columns.
var computed = map[string]string{"of_book": "(id IN (SELECT generation_id FROM book_generations))"}

// conditions returns those that were given a value.
func conditions(list []backend.Condition) (w where) {
	for _, c := range list {
		compare := cmp.Or(computed[c.Field], c.Field) + " " + c.Op + " "
		switch value := c.Value.(type) {
		case *bool: // written out, as in the partial indexes
			if value != nil {
				w.add(compare + map[bool]string{false: "0", true: "1"}[*value])
			}
		case time.Time:
			if !value.IsZero() {
				w.add(compare+"?", millis(value))
			}
		default:
			if !reflect.ValueOf(value).IsZero() {
				w.add(compare+"?", value)
			}
		}
	}
	return w
}

// language adds the condition that the language tag in a column matches, see backend.MatchesLanguage.
func (w *where) language(column, wanted string) {
	key := backend.LanguageKey(wanted)
	w.add("("+column+" = ? COLLATE NOCASE OR substr("+column+", 1, ?) = ? COLLATE NOCASE)", key, len(key)+1, key+"-")
}

// String returns the WHERE clause, empty without conditions.
func (w *where) String() string {
	if len(w.conds) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conds, " AND ")
}

// search adds the condition that the folded text in search_key contains each word that a user typed.
func (w *where) search(typed string) {
	if strings.TrimSpace(typed) == "" {
		return
	}
	terms, some := words.Parse(typed)
	if !some {
		w.add("FALSE")
	}
	for _, t := range terms {
		w.add("instr(search_key, ?) > 0", strings.Join(t.Pieces, " "))
	}
}

// order is a sort order: a column, then seq.
type order struct {
	column string // empty: by seq alone
	text   bool   // the column holds text
	desc   bool
}

// by returns the ORDER BY clause.
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

// after adds the condition for rows after the cursor; seq is the name of that column in the statement.
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
