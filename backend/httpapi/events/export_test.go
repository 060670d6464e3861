package events

import (
	"log/slog"
	"time"
)

// NewQuiet is New with another time between comments.
func NewQuiet(quiet time.Duration) *Streams {
	return newStreams(Views{}, slog.New(slog.DiscardHandler), quiet)
}
