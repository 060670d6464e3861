package speech_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestRetentionThatIsMadeShorter removes what became too old at once, and says how many.
func TestRetentionThatIsMadeShorter(t *testing.T) {
	var keep atomic.Int64
	keep.Store(-1)
	expired := make(chan int, 10)
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		l.options.Retention = func() time.Duration { return time.Duration(keep.Load()) }
		l.options.Expired = func(n int) { expired <- n }
	})
	l.now.Store(new(time.Now().Add(-2 * time.Hour)))
	old := l.speak(l.request("Hello."))
	l.now.Store(nil)
	ctx, stop := context.WithCancel(t.Context())
	changed, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- l.service.Retain(ctx, changed) }()
	changed <- struct{}{} // another setting
	changed <- struct{}{}
	l.stored(old.ID)
	keep.Store(int64(time.Hour))
	changed <- struct{}{}
	require.Equal(t, 1, <-expired)
	stop()
	require.NoError(t, <-ended)
	require.NoFileExists(t, old.AudioPath)
}
