package hosted_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

func TestSameWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		original, enhanced string
		want               bool
	}{
		{"Hello, world.", "[laughs] Hello, [sighs] world.", true},
		{"Hello, world.", "Hello,[sighs] world.", true},
		{"Hello,  world.\n\nMore", "Hello, world. [whispers] More", true},
		{"Hello [laughs] you", "[excited] Hello [laughs] you", true},
		{"Café", "[happy] Cafe\u0301", true},
		{"Items [1] and [2]", "[curious] Items [1] and [2]", true},
		{"Hello, world.", "Hello, dear world.", false},
		{"Hello, world.", "hello, world.", false},
		{"Hello, world.", "Hello world.", false},
		{"Hello there", "Hel [laughs] lo there", false},
		{"now here", "nowhere", false},
		{"nowhere", "now here", false},
		{"Hello [laughs] you", "[excited] Hello you", false},
		{"Items [1]", "Items", false},
		{"One. Two.", "One.", false},
		{"One.", "", false},
	} {
		assert.Equal(t, c.want, hosted.SameWords(c.original, c.enhanced), "%q -> %q", c.original, c.enhanced)
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.StringOfN(rapid.SampledFrom([]rune("ab é. \n!日")), 0, 300, -1).Draw(rt, "text")
		limit := rapid.IntRange(5, 60).Draw(rt, "limit")
		parts := hosted.Split(s, limit)
		require.Equal(rt, s, strings.Join(parts, ""))
		for _, p := range parts {
			require.LessOrEqual(rt, utf8.RuneCountInString(strings.TrimSpace(p)), limit)
		}
	})
	assert.Equal(t, []string{"One two. ", "Three four."}, hosted.Split("One two. Three four.", 12), "at the ends of sentences")
}

func TestEnhance(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, c := range []struct{ text, want string }{
		{"Hello.", "[excited] Hello."},
		{"  Hello.\n", "  [excited] Hello.\n"},
		{"Hello [pause 1s] there, [[nginx|engine ex]].", "[excited] Hello [pause 1s] there, [[nginx|engine ex]]."},
		{"[pause 2s] Hello <b>you</b>.", "[pause 2s] [excited] Hello <b>you</b>."},
	} {
		e, err := k.Enhance(t.Context(), hosted.EnhanceTurn{Text: c.text, Voice: hostedtest.VoiceID(0)})
		require.NoError(t, err)
		assert.Equal(t, hosted.Enhanced{Text: c.want, Original: c.text}, e)
	}
	sent := k.server.Requests("/api/v1/tts/enhance")
	require.JSONEq(t, `{"text":"Hello there, nginx.","voiceId":"`+hostedtest.VoiceID(0)+`"}`, sent[2].Body)
}

// TestEnhancePutsMarkupBack returns tags around and within marked words.
func TestEnhancePutsMarkupBack(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, c := range []struct{ text, answer, want string }{
		{"Go [pause 1s] to [[New York|nju]] now.", "Go [sighs] to [happy] New York [laughs] now.", "Go [pause 1s] [sighs] to [happy] [[New York|nju]] [laughs] now."},
		{"End here. [pause 3s]", "[sad] End here.", "[sad] End here. [pause 3s]"},
		{"[[a|b]] [[c|d]]", "[happy] a [sad] c", "[happy] [[a|b]] [sad] [[c|d]]"},
		{"Hi [laughs] [pause 1s] you", "Hi [sighs] [laughs] you", "Hi [pause 1s] [sighs] [laughs] you"},
	} {
		body, _ := json.Marshal(map[string]any{"text": c.answer})
		k.server.Fault("/api/v1/tts/enhance", hostedtest.Fault{Body: string(body)})
		e, err := k.Enhance(t.Context(), hosted.EnhanceTurn{Text: c.text})
		require.NoError(t, err)
		assert.Equal(t, c.want, e.Text)
		assert.Nil(t, e.Reason, c.text)
	}
}

func TestEnhanceFallsBack(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for answer, reason := range map[string]string{
		`{"text":"Hello, dear world.","original":"Hello, world."}`:            "words",
		`{"text":"Hello, world.","original":"Hello, world.","fallback":true}`: "service",
	} {
		k.server.Fault("/api/v1/tts/enhance", hostedtest.Fault{Body: answer})
		e, err := k.Enhance(t.Context(), hosted.EnhanceTurn{Text: "Hello, world."})
		require.NoError(t, err)
		assert.Equal(t, hosted.Enhanced{Text: "Hello, world.", Original: "Hello, world.", Fallback: true, Reason: &reason}, e)
	}
}

// TestEnhanceOfALongText sends parts of whole sentences; one whose words differ stays as it was.
func TestEnhanceOfALongText(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	text := strings.TrimSpace(strings.Repeat("This is a sentence of some words. ", 150)) // 5,099 characters
	k.server.Fault("/api/v1/tts/enhance", hostedtest.Fault{Body: `{"text":"Else."}`})
	e, err := k.Enhance(t.Context(), hosted.EnhanceTurn{Text: text})
	require.NoError(t, err)
	assert.Len(t, k.server.Requests("/api/v1/tts/enhance"), 3)
	assert.True(t, e.Fallback)
	assert.Equal(t, "words", *e.Reason)
	assert.Equal(t, text, strings.ReplaceAll(e.Text, "[excited] ", ""))
	assert.Equal(t, 2, strings.Count(e.Text, "[excited] "))
	assert.True(t, strings.HasPrefix(e.Text, "This is"))
}

func TestEnhanceDialogue(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	long := strings.TrimSpace(strings.Repeat("Nine words are in this sentence of the turn. ", 50)) // 2,249 characters
	turns := []hosted.EnhanceTurn{{ID: "a", Text: "Hi [pause 1s] you."}, {ID: "a", Text: long, Voice: "hosted:" + hostedtest.VoiceID(3)}, {ID: "c", Text: " "}}
	out, fallback, err := k.EnhanceDialogue(t.Context(), turns)
	require.NoError(t, err)
	assert.False(t, fallback)
	assert.Equal(t, []string{"a", "a", "c"}, []string{out[0].ID, out[1].ID, out[2].ID})
	assert.Equal(t, "[excited] Hi [pause 1s] you.", out[0].Text)
	assert.Equal(t, long, strings.ReplaceAll(out[1].Text, "[excited] ", ""))
	assert.Equal(t, " ", out[2].Text)
	sent := k.server.Requests("/api/v1/tts/enhance-dialogue")
	require.Len(t, sent, 2)
	require.Contains(t, sent[0].Body, hostedtest.VoiceID(3))

	k.server.Fault("/api/v1/tts/enhance-dialogue", hostedtest.Fault{Body: `{"turns":[{"id":"2","text":"[sad] Two."}],"fallback":false}`})
	out, fallback, err = k.EnhanceDialogue(t.Context(), []hosted.EnhanceTurn{{ID: "x", Text: "One."}, {ID: "y", Text: "Two."}})
	require.NoError(t, err)
	assert.True(t, fallback)
	assert.Equal(t, "One.", out[0].Text)
	assert.Equal(t, "service", *out[0].Reason, "its id is missing in the answer")
	assert.Equal(t, "[sad] Two.", out[1].Text)
}

// TestEnhanceSharesTheRate refuses a request that would wait long, as nobody is told, waits 10 seconds, and sends nothing for a
// wrong voice.
func TestEnhanceSharesTheRate(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	_, err := k.Enhance(t.Context(), hosted.EnhanceTurn{Text: "Hi.", Voice: "nobody"})
	backendtest.RequireCode(t, backend.CodeHostedVoiceNotFound, err)
	require.Empty(t, k.server.Requests("/api/v1/tts/enhance"))
	hi := hosted.EnhanceTurn{Text: "Hi."}
	for range 30 {
		_, err := k.Enhance(t.Context(), hi)
		require.NoError(t, err)
	}
	_, err = k.Enhance(t.Context(), hi)
	require.Equal(t, 61, backendtest.Failure(t, "hosted_rate_limited", err).Params["retry_after"])
	_, _, err = k.EnhanceDialogue(t.Context(), []hosted.EnhanceTurn{hi})
	backendtest.RequireCode(t, "hosted_rate_limited", err)
	require.Len(t, k.server.Requests("/api/v1/tts/enhance"), 30)
	require.Empty(t, k.waits)
	k.pass(51 * time.Second)
	_, err = k.Enhance(t.Context(), hi)
	require.NoError(t, err)
	require.Equal(t, []time.Duration{10 * time.Second}, k.waits)
}
