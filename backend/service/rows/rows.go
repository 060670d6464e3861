// Package rows has what the stores of the service have in common, whatever their database: the columns of a row and its value, and the
// rules by which accounts and the ledger change. Times are milliseconds since 1970, 0 for the zero time.
package rows

import "time"

// Scanner is a row of a query.
type Scanner interface{ Scan(dest ...any) error }

// One reads the only column of a row.
func One[T any](row Scanner) (T, error) {
	var value T
	err := row.Scan(&value)
	return value, err
}

// ClockSlack is how far ahead of the clock an earlier call or a heartbeat may be without the clock having gone back: a call keeps its
// time while it waits for its turn.
const ClockSlack = 10 * time.Second

// Millis returns a time as it is stored.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time returns the time of a stored value.
func Time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
