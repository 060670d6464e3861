package hosted_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
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
		{"Hello [laughs] you", "[laughs] Hello you", false},
		{"Hello [laughs] you", "Hello [sighs] you", false},
		{"Hello [laughs] you", "Hello [laughs] [laughs] you", true},
		{"Cafe\u0301 [ge\u0301ne\u0301] la", "[sad] Caf\u00e9 [g\u00e9n\u00e9] la", true},
		{"a\u200db", "ab", false},
		{"\u2764\ufe0f", "\u2764", false},
		{"co\u00adop", "coop", false},
		{"Items [1]", "Items", false},
		{"One. Two.", "One.", false},
		{"One.", "", false},
		{"don't", "don [sad] 't", false},
		{"don\u2019t", "don\u2019[sad] t", false},
		{"It is 3.14 or 1,000.", "It is 3. [sad] 14 or 1,000.", false},
		{"It is 3.14 or 1,000.", "It is 3.14 or 1[sad],000.", false},
		{"At 10:30, 5% of .5", "At 10:[sad] 30, 5% of .5", false},
		{"At 10:30, 5% of .5", "At 10:30, 5 [sad] % of .5", false},
		{"At 10:30, 5% of .5", "At 10:30, 5% of . [sad] 5", false},
		{"dog-like", "dog [sad] -like", false},
		{"dog-like", "dog-[sad] like", false},
		{"a.b@example.com", "a.b@[sad] example.com", false},
		{"\U0001f469\u200d\U0001f469\u200d\U0001f466", "\U0001f469 [sad] \u200d\U0001f469\u200d\U0001f466", false},
		{"\U0001f469\u200d\U0001f469\u200d\U0001f466", "\U0001f469\u200d[sad] \U0001f469\u200d\U0001f466", false},
		{"\U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd", "\U0001f1e9[sad]\U0001f1ea \U0001f44d\U0001f3fd", false},
		{"\U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd", "\U0001f1e9\U0001f1ea \U0001f44d[sad]\U0001f3fd", false},
		{"\U0001f1e9\U0001f1ea \U0001f44d\U0001f3fd", "\U0001f1e9\U0001f1ea [sad] \U0001f44d\U0001f3fd [happy]", true},
		{"\u0645\u06cc\u200c\u062e\u0648", "\u0645\u06cc\u200c[sad] \u062e\u0648", false},
		{"\u4f60\u597d\u4e16\u754c", "\u4f60[sad]\u597d\u4e16\u754c", false},
		{"\u4f60\u597d\uff0c\u4e16\u754c\u3002\u518d\u89c1", "\u4f60\u597d\uff0c[sad]\u4e16\u754c\u3002 [happy] \u518d\u89c1", true},
		{"Wait\u2014what?", "Wait\u2014[sighs] what?", true},
		{"He (she) said: \u201cno!\u201d", "He ([sad] she [sighs] ) said: \u201c[happy] no![sad]\u201d [laughs]", true},
		{"\u00bfQu\u00e9? \"No.\"", "\u00bf[sad] Qu\u00e9? \"[happy]No [sad] .\"", true},
		{"Oh[laughs]no", "Oh [sad] [laughs]no", true},
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
		{"Hi [laughs] [pause 1s] you", "Hi [sighs] [laughs] you", "Hi [sighs] [laughs] [pause 1s] you"},
	} {
		body, _ := json.Marshal(map[string]any{"text": c.answer})
		k.server.Fault("/api/v1/tts/enhance", hostedtest.Fault{Body: string(body)})
		e, err := k.Enhance(t.Context(), hosted.EnhanceTurn{Text: c.text})
		require.NoError(t, err)
		assert.Equal(t, c.want, e.Text)
		assert.Nil(t, e.Reason, c.text)
	}
}

// TestEnhanceKeepsCodePoints: whatever forms of Unicode and white space the answer has, only tags are inserted into the text.
func TestEnhanceKeepsCodePoints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, answer, want string }{
		{"Cafe\u0301 e\u0323\u0302 [pause 1s] Noe\u0308l.", "[happy] Caf\u00e9 \u1ec7 [sad] No\u00ebl.", "[happy] Cafe\u0301 e\u0323\u0302 [pause 1s] [sad] Noe\u0308l."},
		{"\u1112\u1161\u11ab\u1100\u116e\u11a8 \u212b", "\ud55c\uad6d [gasps] \u00c5", "\u1112\u1161\u11ab\u1100\u116e\u11a8 [gasps] \u212b"},
		{"\tOne.\r\n\r\n\u00a0Two.\u2028 Three.\r\n", "[sad] One. Two. [happy] Three.", "\t[sad] One.\r\n\r\n\u00a0Two.\u2028 [happy] Three.\r\n"},
		{"\U0001f469\u200d\U0001f469\u200d\U0001f466 \u2764\ufe0f \u2764\ufe0e!", "[happy] \U0001f469\u200d\U0001f469\u200d\U0001f466 \u2764\ufe0f \u2764\ufe0e!", "[happy] \U0001f469\u200d\U0001f469\u200d\U0001f466 \u2764\ufe0f \u2764\ufe0e!"},
		{"\ufeffA\u200bb \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 co\u00adop", "[sad] \ufeffA\u200bb \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 [sighs] co\u00adop", "[sad] \ufeffA\u200bb \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 [sighs] co\u00adop"},
		{"He said: \u201cno\u201d and left.", "He said: \u201c[whispers] no [laughs]\u201d and left. [sighs]", "He said: \u201c[whispers] no [laughs]\u201d and left. [sighs]"},
		{"Wait[pause 1s]here  <b>now</b>.", "Wait [sad] here [angry] now.", "Wait[pause 1s][sad] here  <b>[angry] now</b>."},
		{"[[New York|nju]] calls", "New [happy] York [sad] calls", "[happy] [[New York|nju]] [sad] calls"},
		{"\u2764\ufe0f you", "[happy] \u2764 you", "\u2764\ufe0f you"},
		{"\ufb01ne, \uff21", "[happy] fine, A", "\ufb01ne, \uff21"},
	} {
		got := hosted.EnhancedBy(c.text, func(string) string { return c.answer })
		assert.Equal(t, c.want, got.Text, "%q", c.text)
		assert.Equal(t, c.text, got.Original)
		assert.Equal(t, c.want == c.text, got.Fallback)
	}
	tag := regexp.MustCompile(` \[gasps\]|\[gasps\] `)
	rapid.Check(t, func(rt *rapid.T) {
		pieces := []string{
			"a", "e", "\u0301", "\u0323", "\u1100", "\u1161", "\u200d", "\ufe0f", "\u2764", "\u65e5", ".", "\u201c", " ", "  ", "\n", "\r\n", "\u00a0",
			"[sad]", "[pause 1s]", "[[a b|c]]", "<b>", "</b>", "[", "]", "[1]", "\u212b", "\ufeff",
		}
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(rt, "text"), "")
		form := rapid.SampledFrom([]norm.Form{norm.NFC, norm.NFD}).Draw(rt, "form")
		got := hosted.EnhancedBy(s, func(passage string) string {
			words := strings.Fields(form.String(passage))
			for i := range words {
				words[i] = rapid.SampledFrom([]string{"", "[gasps] "}).Draw(rt, "before") + words[i] + rapid.SampledFrom([]string{"", " [gasps]"}).Draw(rt, "behind")
			}
			return strings.Join(words, " ")
		})
		require.Equal(rt, s, got.Original)
		require.Equal(rt, s, tag.ReplaceAllString(got.Text, ""))
	})
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
