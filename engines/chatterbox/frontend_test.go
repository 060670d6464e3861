package chatterbox

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestLanguages(t *testing.T) {
	f := openKit(t, multilingualRepo).frontend
	for asked, want := range map[string]string{"": "en", "en-US": "en", "DE": "de", "nb": "no", "zh-Hant-TW": "zh", "ja": "ja", "he": "he", "ru": "ru"} {
		got, err := f.language(asked)
		require.NoError(t, err, asked)
		require.Equal(t, want, got)
	}
	_, err := f.language("cs")
	require.Equal(t, backend.CodeLanguageNotSupported, backend.CodeOf(err))
	require.Contains(t, backend.AsError(err).Remedy, "ar, da, de, el, en, es, fi, fr, he, hi, it, ja, ko, ms, nl, no, pl, pt, ru, sv, sw, tr, zh.")
	_, err = openKit(t, turboRepo).frontend.language("de")
	require.Equal(t, backend.CodeLanguageNotSupported, backend.CodeOf(err))
	require.Equal(t, "The model Chatterbox Turbo does not speak de.", backend.AsError(err).Detail)
}

// TestChineseNeedsItsTable: without the table of characters a model has no tokens for most of them.
func TestChineseNeedsItsTable(t *testing.T) {
	e := openAt(t, folder(t, multilingualRepo, map[string][]byte{"Cangjie5_TC.json": nil}), 1)
	require.NotContains(t, e.Info().Languages, "zh")
	require.Len(t, e.Info().Languages, 22)
	err := refused(t, e, engines.Utterance{Text: "你好", Language: "zh", Reference: sample(t)})
	require.Equal(t, backend.CodeLanguageNotSupported, err.Code)
	_, _, wrong := NewDriver(library(t)).Find(folder(t, multilingualRepo, map[string][]byte{"Cangjie5_TC.json": []byte("[")}))
	require.Equal(t, "Cangjie5_TC.json", backend.AsError(wrong).Params["file"])
}

func TestPieces(t *testing.T) {
	f := openKit(t, turboRepo).frontend
	sentence := "It was the best of times, it was the worst of times, and the end of it all was near. "
	for name, tt := range map[string]struct {
		text   string
		pieces int
	}{
		"one sentence":    {sentence, 1},
		"as many as fit":  {strings.Repeat(sentence, 3), 1},
		"several":         {strings.Repeat(sentence, 9), 4},
		"one long clause": {strings.Repeat("word ", 200), 4},
		"one long word":   {strings.Repeat("a", 1000), 4},
		"only tags":       {"[laugh]", 1},
		"marks":           {"... !", 0},
		"an unknown tag":  {"[breath]", 1}, // words
	} {
		pieces := f.pieces(tt.text, "en")
		require.Len(t, pieces, tt.pieces, name)
		for _, p := range pieces {
			require.LessOrEqual(t, len(p.ids), 2*longestPiece)
			require.Equal(t, []int64{50256, 50256}, p.ids[len(p.ids)-2:])
		}
	}
	chinese := openKit(t, multilingualRepo).frontend
	require.Greater(t, len(chinese.pieces(strings.Repeat("你好世界。", 40), "zh")), 2)
	require.Len(t, chinese.pieces(strings.Repeat("你好世界。", 40), "en"), 1)
}

// TestLongTexts: pieces are spoken one after the other with the pauses of the structure between them.
func TestLongTexts(t *testing.T) {
	e := openKit(t, turboRepo)
	sentence := "It was the best of times, it was the worst of times, and the end of it all was near."
	text := strings.Repeat(sentence+" ", 4)
	require.Greater(t, utf8.RuneCountInString(text), longestPiece)
	parts := buffers(t, e, engines.Utterance{Text: text, Reference: sample(t), Seed: 3})
	require.Len(t, parts, 2, "the first sentence comes alone")
	alone := enginetest.Say(t, e, engines.Utterance{Text: sentence, Reference: sample(t), Seed: 3})
	require.Equal(t, alone, parts[0])
	silence := 24000 * 200 / 1000
	require.Equal(t, make([]float32, silence), parts[1][:silence])
	require.NotZero(t, parts[1][silence])
	require.Equal(t, 200*time.Millisecond, e.Info().Pauses.Sentence)
	for end, want := range map[string]time.Duration{
		"One.": 200, "One!”": 200, "一。": 200, "One…": 200, "One,": 100, "One; ": 100, "一，": 100, "One": 0, "(One.)": 200,
	} {
		require.Equal(t, want*time.Millisecond, pauseAfter(end), end)
	}
}

func TestNothingToSpeak(t *testing.T) {
	e := openKit(t, multilingualRepo)
	for _, text := range []string{"", " \n", "...", "—", "😀"} {
		require.Equal(t, backend.CodeNothingToSpeak, refused(t, e, engines.Utterance{Text: text, Reference: sample(t)}).Code, text)
	}
	require.Equal(t, backend.CodeEngineMismatch, refused(t, e, engines.Utterance{Text: "Hello.", Speed: 1.5, Reference: sample(t)}).Code)
}

// TestTagsReachTheModel: a tag is one token of Turbo, and Multilingual has none.
func TestTagsReachTheModel(t *testing.T) {
	f := openKit(t, turboRepo).frontend
	laugh, ok := f.bpe.ID("[laugh]")
	require.True(t, ok)
	require.Contains(t, f.ids("Well. [laugh] Yes.", "en"), int64(laugh))
	require.NotContains(t, f.ids("Well. [Laugh] Yes.", "en"), int64(laugh))
	require.Empty(t, openKit(t, multilingualRepo).Info().Tags)
}

// TestAllKindsOfText: text that no one writes for a speaker is spoken, too.
func TestAllKindsOfText(t *testing.T) {
	e := openKit(t, multilingualRepo)
	for name, text := range map[string]string{
		"mixed scripts":   "Hello Привет こんにちは 안녕 مرحبا שלום नमस्ते 你好 γειά",
		"emoji inside":    "I ❤️ this 👍🏽 very much 😀😀😀.",
		"broken encoding": "caf\xe9 and \xff\xfe then",
		"many accents":    "a" + strings.Repeat("\u0301", 100) + "b",
		"control signs":   "a\x00b\ufeffc",
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEmpty(t, enginetest.Say(t, e, engines.Utterance{Text: text, Language: "en", Reference: sample(t)}))
		})
	}
}
