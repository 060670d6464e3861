package providers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
)

func TestDropTags(t *testing.T) {
	for text, want := range map[string]string{
		"":                                        "",
		"Nothing  to drop ":                       "Nothing  to drop ",
		"[laughs] Hello":                          "Hello",
		"Hello [laughs]":                          "Hello",
		"Well, [laughs] yes":                      "Well, yes",
		"Oh[laughs]no":                            "Oh no",
		"Oh [laughs] [sighs][whispers] no":        "Oh no",
		"Yes [sighs]. No [laughs]!":               "Yes. No!",
		"[strong French accent] Bonjour":          "Bonjour",
		"[laughs]":                                "",
		"First.\n[sighs] Second.":                 "First.\nSecond.",
		"First. [sighs]\nSecond.":                 "First.\nSecond.",
		"See [1] and [a1] and [] and [.]":         "See [1] and [a1] and [] and [.]",
		"a[0] [not closed":                        "a[0] [not closed",
		"[[tomato|təˈmeɪtoʊ]] stays":              "[[tomato|təˈmeɪtoʊ]] stays",
		"[" + strings.Repeat("x", 61) + "] stays": "[" + strings.Repeat("x", 61) + "] stays",
		`"[whispers] Come," she said`:             `"Come," she said`,
		`He: "[shouts] Run!"`:                     `He: "Run!"`,
		`(“[sighs] Oh.” [laughs])`:                `(“Oh.”)`,
		`"Yes" [laughs] he said`:                  `"Yes" he said`,
		`"Yes"[laughs] he said`:                   `"Yes" he said`,
		"[lacht] Größe [küsst]":                   "Größe",
	} {
		require.Equal(t, want, providers.DropTags(text), text)
	}
}

func TestDropTagsKeepsEveryWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var with, without []string
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			if rapid.Bool().Draw(t, "tag") {
				with = append(with, rapid.SampledFrom([]string{"[laughs]", "[sighs]", "[very  long-drawn one]"}).Draw(t, "name"))
				continue
			}
			word := rapid.StringMatching(`[a-zäé0-9.,?\[\]]{1,5}`).Filter(func(s string) bool { return !strings.ContainsAny(s, "[]") }).Draw(t, "word")
			with, without = append(with, word), append(without, word)
		}
		got := providers.DropTags(strings.Join(with, " "))
		require.Equal(t, strings.Join(without, ""), strings.Join(strings.Fields(got), ""))
		require.Equal(t, got, providers.DropTags(got))
	})
}

func FuzzDropTags(f *testing.F) {
	f.Add("a [laughs] b")
	f.Add("[[a]] [b]")
	f.Fuzz(func(t *testing.T, s string) {
		require.LessOrEqual(t, len(providers.DropTags(s)), len(s))
	})
}

func TestSpoken(t *testing.T) {
	spoken, err := providers.Spoken(service.Speech{Turns: []service.Turn{{Text: "[sighs] One."}, {Text: "[laughs] ..."}, {Text: "Two."}, {Text: "😀🇬🇧"}}})
	require.NoError(t, err)
	require.Equal(t, []service.Turn{{Text: "One."}, {Text: "Two."}, {Text: "😀🇬🇧"}}, spoken)
	_, err = providers.Spoken(service.Speech{Turns: []service.Turn{{Text: "[sighs]"}}})
	require.Equal(t, http.StatusBadRequest, service.StatusOf(err))
	require.Empty(t, service.CodeOf(err))
}

func TestJoin(t *testing.T) {
	tone := func(rate, channels, frames int) audio.Buffer {
		b := audio.Buffer{Samples: make([]float32, frames*channels), Rate: rate, Channels: channels}
		for i := range b.Samples {
			b.Samples[i] = 0.5
		}
		return b
	}
	one, err := providers.Join([]audio.Buffer{tone(8000, 2, 800)})
	require.NoError(t, err)
	require.Equal(t, tone(8000, 1, 800), one)

	joined, err := providers.Join([]audio.Buffer{tone(8000, 1, 800), tone(24_000, 1, 2400)})
	require.NoError(t, err)
	require.Equal(t, 24_000, joined.Rate)
	require.Equal(t, 1, joined.Channels)
	require.Equal(t, 200*time.Millisecond+providers.TurnPause, joined.Duration())
	require.Zero(t, joined.Samples[joined.Frames()/2-2000], "there is silence between turns")
}

func TestAccent(t *testing.T) {
	for tag, want := range map[string][2]string{
		"en-GB": {"en", "United Kingdom"}, "en_us": {"en", "United States"}, "de": {"de", ""}, "zh-Hant-TW": {"zh", "Taiwan"},
		"es-419": {"es", "Latin America"}, "": {"", ""},
	} {
		require.Equal(t, want, [2]string{providers.Language(tag), providers.Accent(tag)}, tag)
	}
}
