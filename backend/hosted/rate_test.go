package hosted_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestSlot lets one synthesis run at a time, and says that others wait.
func TestSlot(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	release, err := k.Slot(t.Context(), func(backend.Wait) { t.Error("nothing to wait for") })
	require.NoError(t, err)
	waits := make(chan backend.Wait, 1)
	second := make(chan func())
	go func() {
		next, err := k.Slot(t.Context(), func(w backend.Wait) { waits <- w })
		assert.NoError(t, err)
		second <- next
	}()
	require.Equal(t, backend.Wait{Reason: "queue", Place: 1}, <-waits)
	ctx, cancel := context.WithCancel(t.Context())
	_, err = k.Slot(ctx, func(backend.Wait) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
	release()
	release() // twice does no harm
	(<-second)()
}

// TestRate lets 30 requests of any 60 s pass, and waits for the rest; a clock that was set back does not block.
func TestRate(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var waits []backend.Wait
	request := func() {
		t.Helper()
		release, err := k.Slot(t.Context(), func(w backend.Wait) { waits = append(waits, w) })
		require.NoError(t, err)
		release()
	}
	for range 30 {
		request()
		k.pass(time.Second)
	}
	require.Empty(t, waits)
	request()
	require.Equal(t, []backend.Wait{{Reason: "rate", Seconds: 31}}, waits, "until the oldest one is 61 s old")
	request()
	require.Equal(t, []backend.Wait{{Reason: "rate", Seconds: 31}, {Reason: "rate", Seconds: 1}}, waits)
	k.pass(-24 * time.Hour)
	request()
	require.Len(t, waits, 2)
}
