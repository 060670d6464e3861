package client_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

func TestEndpoints(t *testing.T) {
	t.Parallel()
	s := start(t, hostedtest.Options{Voices: 1000})
	s.creds.token = hostedtest.Token
	ctx, c := t.Context(), s.client

	voices, err := c.Voices(ctx)
	require.NoError(t, err)
	require.Len(t, voices, 1000)
	require.Equal(t, backend.HostedVoice{
		ID: hostedtest.VoiceID(0), Name: "Voice 0", Gender: "female", Provider: "ProviderA", Accent: "United States", Language: "en",
		Category: "conversational", PreviewURL: s.base + "/previews/" + hostedtest.VoiceID(0) + ".mp3",
		Models: []string{"providerA-v3", "providerA-multilingual-v2", "providerA-flash-v2-5"},
	}, voices[0])
	filters, err := c.Filters(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"ProviderA", "ProviderB", "ProviderC"}, filters.Providers)
	for _, want := range []bool{true, false, true} {
		got, err := c.ToggleFavorite(ctx, hostedtest.VoiceID(7))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	favorites, err := c.Favorites(ctx)
	require.NoError(t, err)
	require.Len(t, favorites, 1)
	require.True(t, favorites[0].Favorite)
	models, err := c.Models(ctx)
	require.NoError(t, err)
	require.Len(t, models, 7)
	require.Equal(t, "pro", *models[0].PlanRequired)
	require.Nil(t, models[6].PlanRequired)

	credits, err := c.Credits(ctx)
	require.NoError(t, err)
	require.Equal(t, int64(100_000), credits.Credits)
	require.Equal(t, "pro", credits.Plan)
	require.NotNil(t, credits.ExpiresAt)
	renewal, err := c.CheckRenewal(ctx)
	require.NoError(t, err)
	require.Equal(t, client.ActionNone, renewal.Action)

	enhanced, err := c.Enhance(ctx, client.EnhanceRequest{Text: "Hello.", Voice: hostedtest.VoiceID(0)})
	require.NoError(t, err)
	require.Equal(t, client.EnhanceResult{Text: "[excited] Hello.", Original: "Hello."}, enhanced)
	turns, err := c.EnhanceDialogue(ctx, client.EnhanceDialogueRequest{Turns: []client.EnhanceTurn{{ID: "1", Text: "Hello."}}})
	require.NoError(t, err)
	require.Equal(t, []client.EnhanceTurn{{ID: "1", Text: "[excited] Hello."}}, turns.Turns)
	_, err = c.SynthesizeDialogue(ctx, client.DialogueRequest{
		Model: backend.HostedV3, Turns: []client.DialogueTurn{{Voice: hostedtest.VoiceID(0), Text: "Hello."}, {Voice: hostedtest.VoiceID(3), Text: "Hi."}},
	})
	require.NoError(t, err)

	made, err := c.CreateKey(ctx, "mine")
	require.NoError(t, err)
	require.Equal(t, made.Key[:12], made.APIKey.Prefix)
	require.NoError(t, c.RevokeKey(ctx, made.APIKey.ID))
	keys, err := c.Keys(ctx)
	require.NoError(t, err)
	require.Len(t, keys, 2)
	require.NotNil(t, keys[1].RevokedAt)
	err = c.RevokeKey(ctx, "no/such key")
	require.Equal(t, backend.Code("hosted_404"), client.AsError(err).Code)

	found, err := c.Discover(ctx)
	require.NoError(t, err)
	require.Equal(t, backend.Login{Issuer: s.base + "/issuer", ClientID: "voicewright", Audience: "voicewright"}, found)
	_, err = c.Ping(ctx, s.base)
	require.NoError(t, err)
	for _, r := range s.service.Requests("/.well-known/") {
		require.Empty(t, r.Header.Get("Authorization"))
	}
}

// TestMissingFields: an answer without what the contract promises is no answer.
func TestMissingFields(t *testing.T) {
	t.Parallel()
	for path, call := range map[string]func(c *client.Client) error{
		"/api/v1/tts/voices":                      func(c *client.Client) error { _, err := c.Voices(t.Context()); return err },
		"/api/v1/tts/favorites":                   func(c *client.Client) error { _, err := c.Favorites(t.Context()); return err },
		"/api/v1/tts/favorites/toggle":            func(c *client.Client) error { _, err := c.ToggleFavorite(t.Context(), "x"); return err },
		"/api/v1/tts/models":                      func(c *client.Client) error { _, err := c.Models(t.Context()); return err },
		"/api/v1/user/credits":                    func(c *client.Client) error { _, err := c.Credits(t.Context()); return err },
		"/api/v1/user/subscription/check-renewal": func(c *client.Client) error { _, err := c.CheckRenewal(t.Context()); return err },
		"/api/v1/user/api-keys":                   func(c *client.Client) error { _, err := c.Keys(t.Context()); return err },
		"/api/v1/tts/enhance": func(c *client.Client) error {
			_, err := c.Enhance(t.Context(), client.EnhanceRequest{Text: "a"})
			return err
		},
	} {
		s := start(t, hostedtest.Options{})
		s.creds.token = hostedtest.Token
		for _, body := range []string{`{"more":1}`, `null`, `{"voices":[{"name":"x"}],"favorites":[{}],"models":[{}],"credits":1}`, `{"credits":"x","voices":7}`, `<html>`, `{`} {
			s.service.Fault(path, hostedtest.Fault{Body: body})
			err := call(s.client)
			require.Equal(t, backend.CodeHostedBadAnswer, client.AsError(err).Code, "%s answers %s", path, body)
		}
	}
}

func TestAnswersThatAreNotRepeated(t *testing.T) {
	t.Parallel()
	s := start(t, hostedtest.Options{})
	s.creds.token = hostedtest.Token
	s.service.Fault("/api/v1/user/api-keys", hostedtest.Fault{Status: 409, Code: "KEY_LIMIT_REACHED"}, hostedtest.Fault{Cut: hostedtest.CutHalf})
	_, err := s.client.CreateKey(t.Context(), "")
	require.Equal(t, backend.Code("hosted_key_limit_reached"), client.AsError(err).Code)
	_, err = s.client.CreateKey(t.Context(), "")
	require.Equal(t, backend.CodeHostedAnswerLost, client.AsError(err).Code)
	require.Equal(t, "Check whether it took effect before you try again.", client.AsError(err).Remedy)
	require.Len(t, s.service.Requests("/api/v1/user/api-keys"), 2, "each call was sent once: a second one would make a second key")
	s.service.Fault("/api/v1/tts/voices", hostedtest.Fault{Body: `{"voices":[` + strings.Repeat(" ", 8<<20) + `]}`})
	_, err = s.client.Voices(t.Context())
	require.Contains(t, client.AsError(err).Detail, "over 8 MiB")
}
