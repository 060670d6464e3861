package service_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// A refund that fails is repeated by the heartbeat.
func TestFailedRefundIsRepeated(t *testing.T) {
	t.Parallel()
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

// The ledger says why a call was refunded: the status of its answer, and the code where it has one.
func TestReasonsOfRefunds(t *testing.T) {
	t.Parallel()
	for want, failure := range map[string]error{
		"400":               &service.Error{Status: 400, Sentence: "Not this text."},
		"503 PROVIDER_BUSY": &service.Error{Status: 503, Code: service.CodeProviderBusy, Sentence: "Busy."},
		"502":               errBoom,
	} {
		k := newKit(t)
		caller := k.pro()
		k.c.speak = func(context.Context, service.Speech) (audio.Buffer, error) { return audio.Buffer{}, failure }
		_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
		require.Error(t, err)
		entries, err := k.store.Entries(t.Context(), caller.Account.ID, math.MaxInt64, 1)
		require.NoError(t, err)
		require.Equal(t, want, strings.TrimPrefix(entries[0].Reason, "refund: "))
	}
}

// A refund that failed is repeated a last time by Close.
func TestCloseRepeatsFailedRefunds(t *testing.T) {
	t.Parallel()
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

// The answer to a reservation that failed does not wait for a refund. What was stored although the store reported an error is
// refunded afterwards; a busy store has stored nothing.
func TestFailedReservation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failure error
		stored  bool
	}{"lost": {errBoom, true}, "busy": {service.ErrStoreBusy, false}} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			caller := k.pro()
			k.store.reserve = func(ctx context.Context, r service.Reserve) error {
				if c.stored {
					_, err := k.store.Store.Reserve(ctx, r)
					require.NoError(t, err)
				}
				return c.failure
			}
			refunds := 0
			k.store.refund = func() error { refunds++; return nil }
			_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
			require.ErrorIs(t, err, c.failure)
			assert.Zero(t, refunds, "before the answer")
			k.Beat(t.Context())
			assert.Equal(t, c.stored, refunds == 1)
			k.store.reserve = nil
			k.noCharge(caller)
		})
	}
}

// panicFiles panics where a file is to be deleted.
type panicFiles struct{ service.Files }

func (panicFiles) Delete(context.Context, string) error { panic("boom") }

// A panic while a failed call is cleaned up loses no credits.
func TestPanicsLoseNoRefund(t *testing.T) {
	t.Parallel()
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
