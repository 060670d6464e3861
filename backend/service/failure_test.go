package service_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// Every failure of a call returns its credits, leaves no file, and does not block the next call.
func TestFailuresAreRefunded(t *testing.T) {
	t.Parallel()
	type speak = func(context.Context, service.Speech) (audio.Buffer, error)
	returns := func(b audio.Buffer, err error) speak {
		return func(context.Context, service.Speech) (audio.Buffer, error) { return b, err }
	}
	samples := func(x ...float32) audio.Buffer { return audio.Buffer{Samples: x, Rate: 8000, Channels: 1} }
	busy := &service.Error{Status: 503, Code: service.CodeProviderBusy, Sentence: "Busy. Wait.", RetryAfter: 7 * time.Second}
	refused := &service.Error{Status: 400, Sentence: "Change the text.", Cause: errBoom}
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		speak  speak
		encode func(w io.Writer) error
		ready  error
		charge error
		status int
		code   service.Code
	}{
		"provider fails":            {speak: returns(audio.Buffer{}, errBoom), status: 502},
		"provider fails with audio": {speak: returns(tone(), io.ErrUnexpectedEOF), status: 502},
		"provider is busy":          {speak: returns(audio.Buffer{}, busy), status: 503, code: service.CodeProviderBusy},
		"provider's wrapped answer": {speak: returns(audio.Buffer{}, fmt.Errorf("lane: %w", busy)), status: 503, code: service.CodeProviderBusy},
		"provider refuses":          {speak: returns(audio.Buffer{}, fmt.Errorf("lane: %w", refused)), status: 400},
		"provider panics":           {speak: func(context.Context, service.Speech) (audio.Buffer, error) { panic("boom") }, status: 502},
		"provider exceeds its time": {speak: returns(audio.Buffer{}, context.DeadlineExceeded), status: 502},
		"nothing":                   {speak: returns(audio.Buffer{}, nil), status: 502},
		"no samples":                {speak: returns(samples(), nil), status: 502},
		"damaged samples":           {speak: returns(samples(0.5, nan, 0.5), nil), status: 502},
		"infinite samples":          {speak: returns(samples(0.5, float32(math.Inf(-1))), nil), status: 502},
		"no rate":                   {speak: returns(audio.Buffer{Samples: []float32{0.5}, Channels: 1}, nil), status: 502},
		"half a frame":              {speak: returns(audio.Buffer{Samples: []float32{0.5}, Rate: 8000, Channels: 2}, nil), status: 502},
		"encoder fails":             {encode: func(io.Writer) error { return errBoom }, status: 500},
		"encoder fails midway":      {encode: func(w io.Writer) error { _, _ = w.Write([]byte("half")); return errBoom }, status: 500},
		"encoder panics":            {encode: func(w io.Writer) error { _, _ = w.Write([]byte("half")); panic("boom") }, status: 500},
		"encoder writes nothing":    {encode: func(io.Writer) error { return nil }, status: 500},
		"encoder lacks ffmpeg":      {encode: func(io.Writer) error { return errBoom }, ready: &service.Error{Status: 503, Sentence: "Install ffmpeg."}, status: 503},
		"disk of the files is full": {encode: func(io.Writer) error { return fmt.Errorf("write: %w", syscall.ENOSPC) }, status: 503},
		"store of files is down":    {encode: func(io.Writer) error { return fmt.Errorf("upload: %w", service.ErrFilesDown) }, status: 503},
		"store releases the call":   {charge: service.ErrReleased, status: 503},
		"store fails at the charge": {charge: errBoom, status: 500},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			caller := k.pro()
			k.c.speak, k.encoder.encode, k.encoder.ready = c.speak, c.encode, c.ready
			if c.charge != nil {
				k.store.charge = func() error { return c.charge }
			}
			_, err := k.Synthesize(t.Context(), caller, request(carla, "A secret text."))
			require.Error(t, err)
			assert.Equal(t, c.status, service.StatusOf(err), "%v", err)
			assert.Equal(t, c.code, service.CodeOf(err))
			var e *service.Error
			if c.code != "" && assert.ErrorAs(t, err, &e) {
				assert.Equal(t, 7*time.Second, e.RetryAfter)
			}
			usage, _, err := k.Usage(t.Context(), caller, "", 50)
			require.NoError(t, err)
			require.Len(t, usage, 1)
			assert.Equal(t, "refunded", usage[0].Status)
			require.Len(t, k.events.syntheses, 1)
			assert.Equal(t, c.status, k.events.syntheses[0].Status)
			assert.Equal(t, 1, k.events.reserved)
			assert.NotContains(t, k.log.String(), "secret")
			k.c.speak, k.encoder.encode, k.store.charge = nil, nil, nil
			k.noCharge(caller)
		})
	}
}

// A client that disconnects ends the call of the provider.
func TestClientDisconnects(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	started := make(chan struct{}, 1)
	k.c.speak = hang(started)
	ctx, disconnect := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := k.Synthesize(ctx, caller, request(carla, "Ciao."))
		done <- err
	}()
	<-started
	assert.Equal(t, int64(100_000-2), k.account(caller).Credits(), "the price is held")
	disconnect()
	require.ErrorIs(t, <-done, context.Canceled)
	assert.True(t, k.events.syntheses[0].Cancelled)
	k.c.speak = nil
	k.noCharge(caller)
}

// A client that disconnects while the audio is encoded is not charged.
func TestClientDisconnectsLate(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	ctx, disconnect := context.WithCancel(t.Context())
	k.encoder.encode = func(w io.Writer) error {
		disconnect()
		_, err := w.Write([]byte("audio"))
		return err
	}
	_, err := k.Synthesize(ctx, caller, request(carla, "Ciao."))
	require.ErrorIs(t, err, context.Canceled)
	k.encoder.encode = nil
	k.noCharge(caller)
}

// Of 50 calls of one account at the same time one runs; of the others those within the rate get 409. They pay nothing.
func TestOneCallAtATime(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	other := k.service("second") // another process shares the lock
	started, release := make(chan struct{}, 1), make(chan struct{})
	k.c.speak = until(started, release)
	const calls = 50
	statuses := make(chan int, calls)
	for i := range calls {
		go func() {
			s := []*service.Service{k.Service, other}[i%2]
			_, err := s.Synthesize(t.Context(), caller, request(carla, "Ciao."))
			statuses <- service.StatusOf(err)
		}()
	}
	count := map[int]int{}
	for range calls - 1 {
		count[<-statuses]++
	}
	assert.Equal(t, map[int]int{409: service.CallsPerMinute - 1, 429: calls - service.CallsPerMinute}, count)
	close(release)
	assert.Equal(t, 200, <-statuses)
	assert.Equal(t, int64(100_000-2), k.account(caller).Credits())
	assert.Len(t, k.files(), 1)
	assert.Len(t, k.c.speeches(), 1)
}

// Calls of different accounts run at the same time.
func TestAccountsDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	const accounts = 10
	started, release := make(chan struct{}, accounts), make(chan struct{})
	k.c.speak = until(started, release)
	var wg sync.WaitGroup
	for range accounts {
		caller := k.pro()
		wg.Go(func() {
			_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
			assert.NoError(t, err)
		})
	}
	for range accounts {
		<-started
	}
	close(release)
	wg.Wait()
}

// during runs f while a call of a caller is with the provider, and returns the result of the call.
func (k *kit) during(caller service.Caller, fail error, f func()) (service.Result, error) {
	k.t.Helper()
	started, release := make(chan struct{}, 1), make(chan struct{})
	k.c.speak = func(context.Context, service.Speech) (audio.Buffer, error) {
		started <- struct{}{}
		<-release
		return tone(), fail
	}
	defer func() { k.c.speak = nil }()
	var r service.Result
	done := make(chan error)
	go func() {
		var err error
		r, err = k.Synthesize(context.Background(), caller, request(carla, "Ciao."))
		done <- err
	}()
	<-started
	f()
	close(release)
	err := <-done
	return r, err
}

// A plan that expires during a call, and is reset meanwhile, does not change what the call costs; a refund of the old plan does not
// add to the new one.
func TestPlanExpiresDuringCall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fail error
		want int64
	}{"charged": {nil, 10_000}, "refunded": {errBoom, 10_000}} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			caller := k.pro()
			_, err := k.during(caller, c.fail, func() {
				k.clock.Pass(31 * 24 * time.Hour)
				r, err := k.CheckRenewal(t.Context(), k.free(caller.Account.Subject))
				require.NoError(t, err)
				assert.Equal(t, service.RenewalReset, r.Action)
			})
			assert.Equal(t, c.fail == nil, err == nil)
			assert.Equal(t, c.want, k.account(caller).Credits())
		})
	}
}

// A key that is revoked during its call ends nothing, and is dead afterwards.
func TestKeyRevokedDuringCall(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	byKey, plaintext := k.withKey(caller)
	_, err := k.during(byKey, nil, func() {
		require.NoError(t, k.RevokeKey(t.Context(), caller, byKey.Key.ID))
	})
	require.NoError(t, err)
	_, err = k.KeyCaller(t.Context(), plaintext)
	fails(t, err, 401, "")
}

// A store that is busy when the call is charged is waited for.
func TestBusyStoreIsWaitedFor(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	var attempts atomic.Int32
	k.store.charge = func() error {
		if attempts.Add(1) <= 2 {
			return fmt.Errorf("charge: %w", service.ErrStoreBusy)
		}
		return nil
	}
	r, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	require.NoError(t, err)
	assert.Equal(t, int64(100_000-2), r.RemainingCredits)
}

// Once the audio is stored, a client that leaves is charged, also when the store is busy at that moment.
func TestClientLeavesDuringTheCharge(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.pro()
	ctx, leave := context.WithCancel(t.Context())
	k.store.charge = func() error {
		if ctx.Err() == nil {
			leave()
			return service.ErrStoreBusy
		}
		return nil
	}
	r, err := k.Synthesize(ctx, caller, request(carla, "Ciao."))
	require.NoError(t, err)
	assert.Equal(t, int64(100_000-2), r.RemainingCredits)
	assert.Equal(t, []string{r.File.Name}, k.files())
}

// The random source of names may fail; nothing is charged.
func TestNoRandomness(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *service.Config) { c.Random = errReader{} })
	caller := k.pro()
	_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
	require.ErrorIs(t, err, errBoom)
	_, _, err = k.CreateKey(t.Context(), caller, "")
	require.ErrorIs(t, err, errBoom)
	assert.Equal(t, int64(100_000), k.account(caller).Credits())
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errBoom }
