package service_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func TestEnhance(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.free("free")
	var voices []*service.Voice
	k.enhancer.enhance = func(text string, v *service.Voice) (string, error) {
		voices = append(voices, v)
		return "[happy] " + text, nil
	}
	r, err := k.Enhance(t.Context(), caller, service.EnhanceRequest{Text: "Hello.", VoiceID: anna.ID})
	require.NoError(t, err)
	assert.Equal(t, service.Enhanced{Text: "[happy] Hello.", Original: "Hello."}, r)
	_, err = k.Enhance(t.Context(), caller, service.EnhanceRequest{Text: "Hello."})
	require.NoError(t, err)
	assert.Equal(t, []*service.Voice{&anna, nil}, voices)
	assert.Equal(t, int64(10_000), k.account(caller).Credits(), "free of charge")

	_, err = k.Enhance(t.Context(), caller, service.EnhanceRequest{Text: strings.Repeat("ä", service.MaxEnhance)})
	require.NoError(t, err)
}

func TestEnhanceRefusesWrongRequests(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.free("free")
	for name, c := range map[string]struct {
		q    service.EnhanceRequest
		code service.Code
	}{
		"no text":       {service.EnhanceRequest{}, ""},
		"blank":         {service.EnhanceRequest{Text: " \n"}, ""},
		"unknown voice": {service.EnhanceRequest{Text: "a", VoiceID: uuid.NewString()}, ""},
		"wrong voice":   {service.EnhanceRequest{Text: "a", VoiceID: "anna"}, ""},
		"too long":      {service.EnhanceRequest{Text: strings.Repeat("ä", 2001)}, service.CodeTextTooLong},
		"voice first":   {service.EnhanceRequest{Text: strings.Repeat("ä", 2001), VoiceID: "anna"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := k.Enhance(t.Context(), caller, c.q)
			fails(t, err, 400, c.code)
		})
	}
	many := make([]service.EnhanceTurn, service.MaxTurns+1)
	for i := range many {
		many[i].Text = "x"
	}
	for name, c := range map[string]struct {
		turns []service.EnhanceTurn
		code  service.Code
	}{
		"no turns":      {nil, ""},
		"101 turns":     {many, ""},
		"empty turn":    {[]service.EnhanceTurn{{Text: "a"}, {Text: ""}}, ""},
		"unknown voice": {[]service.EnhanceTurn{{Text: "a", VoiceID: "x"}}, ""},
		"too long":      {[]service.EnhanceTurn{{Text: strings.Repeat("a", 1000)}, {Text: strings.Repeat("b", 1001)}}, service.CodeTextTooLong},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := k.EnhanceDialogue(t.Context(), caller, c.turns)
			fails(t, err, 400, c.code)
		})
	}
	for range service.CallsPerMinute {
		_, err := k.Enhance(t.Context(), caller, service.EnhanceRequest{Text: "a"})
		require.NoError(t, err, "refused requests were not counted")
	}
	_, err := k.Enhance(t.Context(), caller, service.EnhanceRequest{Text: "a"})
	fails(t, err, 429, service.CodeRateLimited)
}

// Whatever goes wrong, the answer is the original.
func TestEnhanceFallsBack(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.free("free")
	for name, enhancer := range map[string]func(string, *service.Voice) (string, error){
		"error":         func(string, *service.Voice) (string, error) { return "", errBoom },
		"panic":         func(string, *service.Voice) (string, error) { panic("boom") },
		"empty":         func(string, *service.Voice) (string, error) { return "", nil },
		"word added":    func(s string, _ *service.Voice) (string, error) { return "[happy] well, " + s, nil },
		"word removed":  func(s string, _ *service.Voice) (string, error) { return "[happy] " + s[6:], nil },
		"word replaced": func(s string, _ *service.Voice) (string, error) { return strings.Replace(s, "world", "earth", 1), nil },
	} {
		t.Run(name, func(t *testing.T) {
			k.enhancer.enhance = enhancer
			r, err := k.Enhance(t.Context(), caller, service.EnhanceRequest{Text: "Hello world"})
			require.NoError(t, err)
			assert.Equal(t, service.Enhanced{Text: "Hello world", Original: "Hello world", Fallback: true}, r)
		})
	}
	k.enhancer.enhance = func(s string, _ *service.Voice) (string, error) {
		if s == "b" {
			panic("boom")
		}
		return "[sad] " + s, nil
	}
	turns, fallback, err := k.EnhanceDialogue(t.Context(), caller,
		[]service.EnhanceTurn{{ID: "1", Text: "a", VoiceID: anna.ID}, {ID: "1", Text: "b"}, {ID: "", Text: "c"}})
	require.NoError(t, err)
	assert.True(t, fallback)
	assert.Equal(t, []service.EnhanceTurn{{ID: "1", Text: "[sad] a"}, {ID: "1", Text: "b"}, {Text: "[sad] c"}}, turns)
	_, fallback, err = k.EnhanceDialogue(t.Context(), caller, []service.EnhanceTurn{{ID: "1", Text: "a"}})
	require.NoError(t, err)
	assert.False(t, fallback)
}
