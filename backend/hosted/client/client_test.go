package client_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// credentials are a key and a token, which is refreshed to another one.
type credentials struct {
	mu        sync.Mutex
	key       string
	token     string
	next      string // after a refresh; "" = the sign-in has ended
	refreshes int
	asked     int
}

func (c *credentials) Credential(_ context.Context, _ string, auth client.Auth, rejected client.Credential) (client.Credential, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	if rejected.Token != "" && rejected.Token == c.token {
		c.refreshes++
		c.token = c.next
	}
	switch {
	case auth != client.Token && c.key != "":
		return client.Credential{Key: c.key}, nil
	case auth != client.Key && c.token != "":
		return client.Credential{Token: c.token}, nil
	default:
		return client.Credential{}, backend.E(backend.CodeHostedNotSignedIn, "Nobody is signed in.", "Sign in.")
	}
}

// setup is a service with a client that waits for nothing.
type setup struct {
	service *hostedtest.Service
	client  *client.Client
	creds   *credentials
	base    string
	offline bool
	waits   []time.Duration
	free    int64
}

func start(t *testing.T, o hostedtest.Options, change ...func(*client.Options)) *setup {
	t.Helper()
	s := &setup{service: hostedtest.Start(t, o), creds: &credentials{key: hostedtest.Key}, free: 1 << 40}
	s.base = s.service.URL
	options := client.Options{
		BaseURL: func() string { return s.base }, Credentials: s.creds, Offline: func() bool { return s.offline }, Version: "1.2.3",
		FreeSpace: func(context.Context, string) (int64, bool) { return s.free, true },
		Wait: func(ctx context.Context, d time.Duration) error {
			s.waits = append(s.waits, d)
			return ctx.Err()
		},
	}
	for _, f := range change {
		f(&options)
	}
	s.client = client.New(options)
	t.Cleanup(s.client.Close)
	return s
}

func request() client.SynthesizeRequest {
	return client.SynthesizeRequest{Text: "Hello [laughs] there.", Voice: hostedtest.VoiceID(0), Model: backend.HostedV3}
}

func TestSpeechIsPaidOnceAndFetched(t *testing.T) {
	t.Parallel()
	s := start(t, hostedtest.Options{Prefix: "/api-root"})
	result, err := s.client.Synthesize(t.Context(), request())
	require.NoError(t, err)
	require.True(t, result.Key)
	require.Equal(t, s.service.Credits(), *result.RemainingCredits)
	require.Equal(t, int64(100_000-40), s.service.Credits(), "21 characters at 2,100 per 1,000, less 10 %")
	path := filepath.Join(t.TempDir(), "a.mp3")
	got, err := s.client.Fetch(t.Context(), result.URL, path)
	require.NoError(t, err)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, hostedtest.MP3, content)
	sum := sha256.Sum256(content)
	require.Equal(t, client.Fetched{SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(content)), ContentType: "audio/mpeg"}, got)
	for _, r := range s.service.Requests("/files/") {
		require.Empty(t, r.Header.Get("Authorization"), "the credential never goes to a link")
	}
	sent := s.service.Requests("/api/v1/tts/synthesize")
	require.Len(t, sent, 1)
	require.JSONEq(t, `{"text":"Hello [laughs] there.","voice":"`+hostedtest.VoiceID(0)+`","ttsModel":"providerA-v3"}`, sent[0].Body)
	require.Equal(t, "voicewright/1.2.3", sent[0].Header.Get("User-Agent"))
}
