package maker_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// keyOnly is a keychain with an API key.
type keyOnly struct{ value, note string }

func (k *keyOnly) Get(context.Context, string) (string, error) { return k.value, nil }

func (k *keyOnly) Set(_ context.Context, _, value, note string) error {
	k.value, k.note = value, note
	return nil
}

func (k *keyOnly) Delete(context.Context, string) error { return nil }

func (k *keyOnly) Note(string) (string, bool) { return k.note, k.note != "" }

func (k *keyOnly) Place(context.Context) (string, error) { return "keychain", nil }

// nobody is a sign-in that did not take place.
type nobody struct{}

func (nobody) Token(context.Context, string) (string, error) { return "", nil }

func (nobody) Account() (hosted.Account, bool) { return hosted.Account{}, false }

func (nobody) Login() hosted.Login { return hosted.Login{} }

// clock is a time that each look moves, so that the rate has always room.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(3 * time.Second)
	return c.now
}

// paidLab returns a lab whose hosted service is the one of package hosted.
func paidLab(t *testing.T) (*studiotest.Lab, *hostedtest.Service) {
	t.Helper()
	server := hostedtest.Start(t, hostedtest.Options{})
	server.SetCredits(1 << 40)
	yes, no := func() bool { return true }, func() bool { return false }
	zero := func() int64 { return 0 }
	base := func() string { return server.URL }
	credentials := hosted.NewCredentials(&keyOnly{}, nobody{},
		hosted.Config{BaseURL: base, Enabled: yes, Offline: no, AllowFile: no, Warn: zero, Ask: zero})
	_, err := credentials.SetKey(t.Context(), hostedtest.Key)
	require.NoError(t, err)
	now := &clock{now: time.Now()}
	atOnce := func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	c := client.New(client.Options{BaseURL: base, Credentials: credentials, Offline: no, Wait: atOnce})
	return studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		service := hosted.New(hosted.Options{
			Client: c, Credentials: credentials, Dir: filepath.Dir(l.Dir), Parts: l.DB, Changed: func() {},
			Profiles: func(context.Context) ([]backend.Profile, error) { return nil, nil },
			Now:      now.Now, Sleep: atOnce,
			NewID: func() string { return "id" }, Log: slog.New(slog.DiscardHandler),
		})
		t.Cleanup(func() {
			require.NoError(t, service.Close(context.Background()))
			c.Close()
		})
		l.Options.Hosted = service
	}), server
}

// markup are pieces of which texts are made.
var markup = []string{
	"Hello there. ", "Über 日本語 ", "[laughs] ", "[pause 1s]", "[pause] ", "[[Oslo|/ˈʊʂlʊ/]] ", "<break time=\"500ms\"/>", "\n\n",
	"e\u0301 ", "👩‍👩‍👧 ", "[1] ", "nginx, ", "**bold** ", "\u200b", "...", "[whispers] Psst! ",
}

// TestHostedQuoteIsWhatIsCharged for texts with markup, tags and any characters.
func TestHostedQuoteIsWhatIsCharged(t *testing.T) {
	t.Parallel()
	l, server := paidLab(t)
	rapid.Check(t, func(rt *rapid.T) {
		pieces := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(markup), rapid.StringN(0, 20, -1)), 1, 12).Draw(rt, "pieces")
		r := l.HostedRequest(hostedtest.VoiceID(0), "Start. "+strings.Join(pieces, ""))
		r.Pronunciations = map[string]string{"nginx": "engine ex"}
		q, err := l.Generations.Previews.QuoteRequest(rt.Context(), r)
		if err != nil { // such as a pause that is too long: then it is not spoken either
			_, speakErr := l.Generations.Generate(rt.Context(), r)
			require.Equal(rt, backend.CodeOf(err), backend.CodeOf(speakErr))
			return
		}
		before, calls := server.Credits(), server.Charged()
		g, err := l.Generations.Generate(rt.Context(), r)
		require.NoError(rt, err)
		require.Equal(rt, *q.Credits, before-server.Credits())
		require.Equal(rt, *q.Credits, *g.Credits)
		require.Equal(rt, q.Calls, server.Charged()-calls)
	})
}
