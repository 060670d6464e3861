package service_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// cutStore does what it is asked and then loses its answers, as a database may whose connection ends at COMMIT.
type cutStore struct {
	service.Store
	err                      error
	reserves, settles, backs int // answers that are lost
}

func (s *cutStore) lose(n *int, err error) error {
	if err != nil || *n == 0 {
		return err
	}
	*n--
	return s.err
}

func (s *cutStore) Reserve(ctx context.Context, r service.Reserve) (service.Reservation, error) {
	held, err := s.Store.Reserve(ctx, r)
	return held, s.lose(&s.reserves, err)
}

func (s *cutStore) Settle(ctx context.Context, id string, p service.Project, f service.NewFile) (service.Account, error) {
	a, err := s.Store.Settle(ctx, id, p, f)
	return a, s.lose(&s.settles, err)
}

func (s *cutStore) Refund(ctx context.Context, id, reason string) error {
	return s.lose(&s.backs, s.Store.Refund(ctx, id, reason))
}

// A call whose price was charged has its audio and says so, however many answers of the store are lost.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]cutStore{
		"of the reservation":    {err: errBoom, reserves: 1},
		"of the charge":         {err: errBoom, settles: 1},
		"of the charge, thrice": {err: errBoom, settles: 3},
		"of every charge":       {err: errBoom, settles: 1000},
		"as of a busy store":    {err: service.ErrStoreBusy, settles: 2},
		"of both":               {err: errBoom, reserves: 2, settles: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			caller := k.pro()
			store.Store = k.store.Store
			k.store.Store = &store
			r, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
			require.NoError(t, err)
			assert.True(t, r.ProjectCreated)
			assert.Equal(t, k.account(caller).Credits(), r.RemainingCredits)
			assert.Equal(t, int64(100_000-2), r.RemainingCredits, "charged once")
			usage, _, err := k.Usage(t.Context(), caller, "", 50)
			require.NoError(t, err)
			require.Len(t, usage, 1)
			assert.Equal(t, "charged", usage[0].Status)
			content, _, err := k.OpenFile(t.Context(), r.File.Name)
			require.NoError(t, err)
			require.NoError(t, content.Close())
			store.settles = 0
			_, err = k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
			require.NoError(t, err, "the next call is not blocked")
		})
	}
}

// A charge whose outcome stays unknown while the refund cannot be made either keeps its audio; the next heartbeat learns the outcome.
func TestUnknownOutcome(t *testing.T) {
	t.Parallel()
	for _, charged := range []bool{true, false} {
		k := newKit(t)
		caller := k.pro()
		k.store.refund = func() error { return errBoom }
		if charged {
			k.store.Store = &cutStore{Store: k.store.Store, err: errBoom, settles: 1000}
		} else {
			k.store.charge = func() error { return errBoom }
		}
		_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
		require.ErrorIs(t, err, errBoom)
		fails(t, err, 503, "")
		assert.ErrorContains(t, err, "it is not known yet whether it was charged")
		assert.Len(t, k.files(), 1, "it may be charged")
		k.store.refund = nil
		k.Beat(t.Context())
		usage, _, err := k.Usage(t.Context(), caller, "", 50)
		require.NoError(t, err)
		if charged {
			assert.Equal(t, "charged", usage[0].Status)
			assert.Len(t, k.files(), 1)
			continue
		}
		assert.Equal(t, "refunded", usage[0].Status)
		assert.Empty(t, k.files())
		k.store.charge = nil
		k.noCharge(caller)
	}
}

// The refund of a failed call is made again where its answer was lost, and returns the credits once.
func TestLostAnswerOfARefund(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	k.c.speak = func(context.Context, service.Speech) (audio.Buffer, error) { return audio.Buffer{}, errBoom }
	k.store.Store = &cutStore{Store: k.store.Store, err: errBoom, backs: 1}
	_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	fails(t, err, 502, "")
	k.Beat(t.Context())
	k.c.speak = nil
	k.noCharge(caller)
}

// A reservation whose answer is lost holds no credits for longer than until the next repair, whatever the store answers then.
func TestLostReservation(t *testing.T) {
	t.Parallel()
	for name, then := range map[string]func(store service.Store, r service.Reserve) error{
		"is busy":     func(service.Store, service.Reserve) error { return service.ErrStoreBusy },
		"stays away":  func(service.Store, service.Reserve) error { return errBoom },
		"is out":      func(service.Store, service.Reserve) error { return service.ErrDuplicate },
		"gives up":    func(service.Store, service.Reserve) error { return context.Canceled },
		"has a panic": func(service.Store, service.Reserve) error { panic(errBoom) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			caller := k.pro()
			store, calls := k.store.Store, 0
			k.store.reserve = func(ctx context.Context, r service.Reserve) error {
				if calls++; calls > 1 {
					return then(store, r)
				}
				_, err := store.Reserve(ctx, r)
				require.NoError(t, err)
				return errBoom
			}
			_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
			require.Error(t, err)
			k.store.reserve = nil
			k.Beat(t.Context())
			k.noCharge(caller)
		})
	}
}

// A reservation that is stored after its process has given up is refunded, as is one whose end a database that took over has lost.
func TestStrayReservation(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	var late service.Reserve
	k.store.reserve = func(_ context.Context, r service.Reserve) error {
		late = r
		return errBoom
	}
	_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	require.ErrorIs(t, err, errBoom)
	k.Beat(t.Context())
	k.store.reserve = nil
	_, err = k.store.Reserve(t.Context(), late)
	require.NoError(t, err)
	r, err := k.during(k.pro(), nil, func() { k.Beat(t.Context()) })
	require.NoError(t, err, "calls that run are left alone")
	require.NoError(t, k.folder.Delete(t.Context(), r.File.Name))
	k.noCharge(caller)
}

// What the service says at its end of a call that may be charged is not that nothing was.
func TestUnknownOutcomeAtTheEnd(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	ctx, cancel := context.WithCancelCause(t.Context())
	k.store.refund = func() error { return errBoom }
	k.store.charge = func() error {
		cancel(errBoom)
		return errBoom
	}
	_, err := k.Synthesize(ctx, caller, request(carla, "Ciao."))
	fails(t, err, 503, "")
	assert.NotContains(t, err.Error(), "Nothing was charged")
	k.store.refund, k.store.charge = nil, nil
	k.Beat(t.Context())
	k.noCharge(caller)
}

// The account of a charged call is read again where that fails.
func TestChargedAccountIsReadAgain(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	store := &unreadStore{cutStore: cutStore{Store: k.store.Store, err: errBoom, settles: 1000}, unread: 2}
	k.store.Store = store
	r, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	require.NoError(t, err)
	assert.Equal(t, k.account(caller).Credits(), r.RemainingCredits)
	assert.Zero(t, store.unread)
}

// unreadStore is a store that fails to read accounts for a while.
type unreadStore struct {
	cutStore
	unread int
}

func (s *unreadStore) AccountByID(ctx context.Context, id int64) (service.Account, error) {
	if s.unread > 0 {
		s.unread--
		return service.Account{}, errBoom
	}
	return s.Store.AccountByID(ctx, id)
}

// endingStore ends a call while the store lists those that are held.
type endingStore struct {
	service.Store
	end func()
}

func (s *endingStore) Held(ctx context.Context, instance string) ([]string, error) {
	held, err := s.Store.Held(ctx, instance)
	s.end()
	return held, err
}

// A call that ends while the repair looks is none that nobody runs.
func TestCallThatEndsDuringRepair(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ended, listed := make(chan struct{}), make(chan struct{})
	k.store.Store = &endingStore{k.store.Store, func() {
		close(listed)
		<-ended
	}}
	repaired := make(chan struct{})
	started := make(chan struct{}, 1)
	k.c.speak = until(started, listed)
	go func() {
		defer close(repaired)
		<-started
		k.Beat(t.Context())
	}()
	_, err := k.Synthesize(t.Context(), k.pro(), request(carla, "Ciao."))
	require.NoError(t, err)
	close(ended)
	<-repaired
	assert.NotContains(t, k.log.String(), "call=")
}
