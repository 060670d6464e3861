package service_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// Many accounts speak at the same time in two processes, and every part fails now and then: at the end each account has paid for
// the calls that were answered, and nothing else; each of them has its file, and no other file is there.
func TestCallsAndFaultsOfManyAccounts(t *testing.T) {
	t.Parallel()
	const accounts, calls = 12, 25
	k := newKit(t)
	services := []*service.Service{k.Service, k.service("second")}
	fault := func(s string, of uint32) uint32 { // the same in each run
		h := fnv.New32a()
		_, _ = io.WriteString(h, s)
		return h.Sum32() % of
	}
	k.c.speak = func(ctx context.Context, s service.Speech) (audio.Buffer, error) {
		switch fault(s.Turns[0].Text, 6) {
		case 0:
			return audio.Buffer{}, errBoom
		case 1:
			panic("boom")
		case 2:
			return audio.Buffer{}, nil
		}
		return tone(), ctx.Err()
	}
	var stored atomic.Uint32
	k.store.charge = func() error {
		switch stored.Add(1) % 9 {
		case 0:
			return errBoom
		case 1:
			return service.ErrReleased
		}
		return nil
	}
	var wg sync.WaitGroup
	for account := range accounts {
		caller := k.paying(fmt.Sprint("account ", account), service.Pro)
		wg.Go(func() {
			spent := int64(0)
			for call := range calls {
				ctx, cancel := context.WithCancel(t.Context())
				text := strings.Repeat("x", call) + fmt.Sprint(account, " ", call)
				if fault(text, 7) == 0 {
					cancel()
				}
				r, err := services[call%2].Synthesize(ctx, caller, request(carla, text))
				cancel()
				if err == nil {
					spent += service.Cost(len(text), 400, false)
					assert.Equal(t, 100_000-spent, r.RemainingCredits)
				} else {
					assert.False(t, errors.Is(err, service.ErrStoreBusy), "%v", err)
				}
			}
			assert.Equal(t, 100_000-spent, k.account(caller).Credits())
		})
	}
	wg.Wait()
	charged := 0
	for account := range accounts {
		usage, _, err := k.Usage(t.Context(), k.free(fmt.Sprint("account ", account)), "", 100)
		require.NoError(t, err)
		for _, u := range usage {
			assert.Contains(t, []string{"charged", "refunded"}, u.Status)
			if u.Status == "charged" {
				charged++
			}
		}
	}
	assert.NotZero(t, charged)
	assert.Len(t, k.files(), charged)
}
