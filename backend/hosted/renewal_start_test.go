package hosted_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted"
)

// TestStartWithAKeyContactsNobody: only who is signed in has the plan checked at the start.
func TestStartWithAKeyContactsNobody(t *testing.T) {
	t.Parallel()
	for _, signedIn := range []bool{false, true} {
		k := newKit(t)
		if signedIn {
			k.signInAs()
		}
		o, waits := k.options(), make(chan struct{}, 1)
		o.Sleep = func(ctx context.Context, d time.Duration) error {
			if d >= time.Hour {
				waits <- struct{}{}
				<-ctx.Done()
			}
			return ctx.Err()
		}
		s := hosted.New(o)
		s.Start()
		<-waits // the check of this day is over
		assert.Equal(t, signedIn, len(k.server.Requests("/")) > 0)
		require.NoError(t, s.Close(t.Context()))
	}
}
