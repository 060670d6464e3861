package rows

import (
	"math"
	"net/http"
	"strconv"

	"github.com/voicewright/voicewright/backend/service"
)

// Usage is an entry of the list of calls with its position.
type Usage struct {
	usage service.Usage
	seq   int64
}

// ScanUsage reads an entry: its position, then the fields of service.Usage in their order.
func ScanUsage(row Scanner) (Usage, error) {
	var r Usage
	var at int64
	u := &r.usage
	err := row.Scan(&r.seq, &u.ID, &at, &u.Kind, &u.Provider, &u.Model, &u.Voice, &u.Title, &u.Characters, &u.Seconds, &u.Credits,
		&u.Status, &u.File, &u.KeyHash)
	u.At = Time(at)
	return r, err
}

// UsagePage returns the page of up to limit entries of which one more was looked for, and the cursor of the next page, empty at the end.
func UsagePage(found []Usage, limit int) (list []service.Usage, next string) {
	if len(found) > limit {
		found = found[:limit]
		next = strconv.FormatInt(found[limit-1].seq, 36)
	}
	list = make([]service.Usage, len(found))
	for i, r := range found {
		list[i] = r.usage
	}
	return list, next
}

// ParseCursor returns the position before which a page begins. An invalid cursor is a *service.Error with status 400.
func ParseCursor(cursor string) (int64, error) {
	if cursor == "" {
		return math.MaxInt64, nil
	}
	seq, err := strconv.ParseInt(cursor, 36, 64)
	if err != nil || seq <= 0 || strconv.FormatInt(seq, 36) != cursor {
		return 0, &service.Error{
			Status:   http.StatusBadRequest,
			Sentence: "The cursor is invalid. Send the nextCursor of the previous page, or none for the first page.",
		}
	}
	return seq, nil
}
