package sqlite_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestPanicRollsBack panics inside a transaction: the change is undone, and the one connection that writes is free again.
func TestPanicRollsBack(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	db := open(t)
	g, err := db.CreateGeneration(ctx, backend.Generation{Text: "before", Status: backend.StatusQueued})
	require.NoError(t, err)
	require.Panics(t, func() {
		_, _ = db.UpdateGeneration(ctx, g.ID, func(g *backend.Generation) error {
			g.Title = "half"
			panic("on demand")
		})
	})
	kept, err := db.Generation(ctx, g.ID)
	require.NoError(t, err)
	require.Equal(t, g.Title, kept.Title)
	_, err = db.UpdateGeneration(ctx, g.ID, func(g *backend.Generation) error {
		g.Title = "after"
		return nil
	})
	require.NoError(t, err, "the next change does not wait for ever")
}
