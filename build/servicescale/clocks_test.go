//go:build scale && postgres

package servicescale_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/encode"
	"github.com/voicewright/voicewright/backend/service/enhance"
	"github.com/voicewright/voicewright/backend/service/folder"
	"github.com/voicewright/voicewright/backend/service/providers/providertest"
)

// newService starts a service in this process, whose clock is ahead.
func newService(
	t *testing.T, db database, files service.Files, ahead time.Duration, providers map[service.ProviderID]service.Provider,
) *service.Service {
	t.Helper()
	s, err := service.New(service.Config{
		Store: db.open(t), Files: files, Providers: providers, Encoder: encode.New(&audio.Codecs{}), Enhancer: enhance.Enhancer{},
		Now: func() time.Time { return time.Now().Add(ahead) }, NewID: uuid.NewString, Random: rand.Reader,
		Instance: uuid.NewString(), Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	require.NoError(t, s.Start(t.Context()))
	return s
}

// TestFaultClocks runs services whose clocks are 30 s ahead and 30 s behind on one database: in this process, as another's clock cannot be
// changed. Calls that take longer than the silence of a dead process are not taken from each other.
func TestFaultClocks(t *testing.T) {
	db := onPostgres(t, newCluster(t, false))
	users := signUp(t, db.open(t), 60)
	const spoken = 13 * time.Second
	speaker := providertest.Func{Null: providertest.Null{Provider: service.ProviderC}}
	speaker.SpeakFunc = func(ctx context.Context, s service.Speech) (audio.Buffer, error) {
		select {
		case <-time.After(spoken):
			return speaker.Null.Speak(ctx, s)
		case <-ctx.Done():
			return audio.Buffer{}, context.Cause(ctx)
		}
	}
	files, err := folder.Open(t.TempDir())
	require.NoError(t, err)
	var services []*service.Service
	for _, ahead := range []time.Duration{30 * time.Second, -30 * time.Second, 0} {
		s := newService(t, db, files, ahead, map[service.ProviderID]service.Provider{service.ProviderC: speaker})
		t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
		services = append(services, s)
	}
	format := service.PCM24000
	var calls sync.WaitGroup
	errs := make([]error, len(users))
	for i, u := range users {
		calls.Go(func() {
			_, errs[i] = services[i%len(services)].Synthesize(t.Context(), service.Caller{Account: u.account}, service.SynthesizeRequest{
				Text: "A word.", Voice: service.VoiceID(service.ProviderC, "null"), TTSModel: "providerC-neural2",
				Options: service.Options{ResponseFormat: &format},
			})
		})
	}
	calls.Wait()
	require.NoError(t, errors.Join(errs...), "no process takes the calls of another for those of a dead one")
	require.NoError(t, db.open(t).Check(t.Context()))
	t.Logf("clocks 30 s ahead, 30 s behind and right: %d calls of %v, all charged", len(users), spoken)
}
