package generations_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestEndOfTheProgramIsNoFailureOfACheck closes while a check waits in the line for a chunk that is made again. Nothing is wrong with the
// generation then.
func TestEndOfTheProgramIsNoFailureOfACheck(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.Request("A text that is heard."))
	for range 20 {
		s, err := generations.New(t.Context(), l.Synthesizer, generations.Options{
			Dir: l.Dir, Store: l.DB, QueueLimit: 10, NewID: l.Options.NewID, Log: slog.New(slog.DiscardHandler),
		})
		require.NoError(t, err)
		s.Start()
		running, waiting := make(chan struct{}), make(chan struct{})
		go func() {
			_ = s.InTurn(t.Context(), "other", func(ctx context.Context) error {
				close(running)
				<-ctx.Done()
				return ctx.Err()
			})
		}()
		<-running
		s.Checks.Listen(func(ctx context.Context, id string, _ bool) error {
			close(waiting)
			return s.InTurn(ctx, id, func(context.Context) error { return nil })
		})
		n, err := s.Checks.Verify(t.Context(), []string{g.ID})
		require.NoError(t, err)
		require.Equal(t, 1, n)
		<-waiting
		now, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, s.Close(now))
		require.Nil(t, l.Stored(g.ID).VerifyError)
	}
}
