package service_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// A refund that fails is repeated by the heartbeat.
func TestFailedRefundIsRepeated(t *testing.T) {
	k := newKit(t)
	caller := k.pro()
	k.c.speak = func(context.Context, service.Speech) (audio.Buffer, error) { return audio.Buffer{}, errBoom }
	k.store.refund = func() error { return service.ErrStoreBusy }
	_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	fails(t, err, 502, "")
	k.Beat(t.Context())
	assert.Equal(t, int64(100_000-2), k.account(caller).Credits(), "still held")
	k.store.refund = nil
	k.Beat(t.Context())
	k.c.speak = nil
	k.noCharge(caller)
}

// A refund that failed is repeated a last time by Close.
func TestCloseRepeatsFailedRefunds(t *testing.T) {
	k := newKit(t)
	caller := k.pro()
	k.c.speak = func(context.Context, service.Speech) (audio.Buffer, error) { return audio.Buffer{}, errBoom }
	k.store.refund = func() error { return service.ErrStoreBusy }
	_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	fails(t, err, 502, "")
	k.store.refund = nil
	require.NoError(t, k.Close(t.Context()))
	assert.Equal(t, int64(100_000), k.account(caller).Credits())
}

// A reservation that was stored although the store reported an error is refunded, and the answer does not wait for it.
func TestLostReservationIsRefunded(t *testing.T) {
	k := newKit(t)
	caller := k.pro()
	refunds := 0
	k.store.reserved = func() error { return errBoom }
	k.store.refund = func() error { refunds++; return nil }
	_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	require.ErrorIs(t, err, errBoom)
	assert.Zero(t, refunds, "before the answer")
	assert.Equal(t, int64(100_000-2), k.account(caller).Credits(), "held")
	k.Beat(t.Context())
	k.store.reserved = nil
	k.noCharge(caller)
}

// panicFiles panics where a file is to be deleted.
type panicFiles struct{ service.Files }

func (panicFiles) Delete(context.Context, string) error { panic("boom") }

// A panic while a failed call is cleaned up loses no credits.
func TestPanicsLoseNoRefund(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*service.Config)
		refund func() error
	}{
		"deleting the file": {change: func(c *service.Config) { c.Files = panicFiles{c.Files} }},
		"refunding":         {change: func(*service.Config) {}, refund: func() error { panic("boom") }},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t, c.change)
			caller := k.pro()
			k.c.speak = func(context.Context, service.Speech) (audio.Buffer, error) { return audio.Buffer{}, errBoom }
			k.store.refund = c.refund
			_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
			fails(t, err, 502, "")
			k.store.refund, k.c.speak = nil, nil
			k.Beat(t.Context())
			k.noCharge(caller)
		})
	}
}
