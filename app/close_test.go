package app

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCloseInReverse closes what was opened last first, and goes on behind an error.
func TestCloseInReverse(t *testing.T) {
	t.Parallel()
	s := &Studio{}
	var closed []string
	broken := errors.New("it is stuck")
	s.onClose(withoutContext(func() error { closed = append(closed, "database"); return nil }))
	s.inBackground(t.Context(), func(ctx context.Context) {
		<-ctx.Done()
		closed = append(closed, "retention")
	})
	s.onClose(func(context.Context) error { closed = append(closed, "speech"); return broken })
	require.ErrorIs(t, s.Close(t.Context()), broken)
	require.Equal(t, []string{"speech", "retention", "database"}, closed)
}
