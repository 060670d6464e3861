package api

import (
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// instant is a time of an answer: in UTC, with exactly three digits of milliseconds.
type instant time.Time

// optionalInstant returns null in JSON for the zero time.
func optionalInstant(t time.Time) *instant {
	if t.IsZero() {
		return nil
	}
	i := instant(t)
	return &i
}

// MarshalText returns i such as 2026-01-02T03:04:05.600Z.
func (i instant) MarshalText() ([]byte, error) {
	return time.Time(i).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000Z"), nil
}

// Schema is that of time.Time.
func (instant) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}
