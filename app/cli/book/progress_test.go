package book_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli/book"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend/books"
)

// TestProgress counts the chapters that are generated only, by their characters.
func TestProgress(t *testing.T) {
	b := client.Book{}
	b.Chapters = []books.Chapter{
		{ID: "a", Characters: 5000, Progress: 1},
		{ID: "b", Characters: 100, Wanted: true},
		{ID: "c", Characters: 300, Wanted: true},
	}
	var p book.Progress
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at, generating := p.Update(b, start)
	require.True(t, generating)
	require.Equal(t, book.Step{Chapter: 2}, at)
	b.Chapters[1].Wanted = false
	at, generating = p.Update(b, start.Add(time.Minute))
	require.True(t, generating)
	require.Equal(t, book.Step{Chapter: 3, Fraction: 0.25, Left: 3 * time.Minute}, at)
	b.Chapters[2].Progress = 0.5
	at, _ = p.Update(b, start.Add(2*time.Minute))
	require.InDelta(t, 0.625, at.Fraction, 1e-9)
	b.Chapters[2].Wanted = false
	_, generating = p.Update(b, start.Add(3*time.Minute))
	require.False(t, generating)
}
