package printable_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/printable"
)

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"Hello there.":             "Hello there.",
		"":                         "",
		" \n ":                     "",
		"rm -rf ~\nexit\r\n":       "rm -rf ~ exit",
		"a\x1b[31mred\x1b[0m":      "a[31mred[0m",
		"a\x00b\x07c\x7fd":         "abcd",
		"a\u0085b\u009bc\u2028d":   "a bc d",
		"a\vb\fc\td":               "a b c d",
		"\u202eevil\u202c \u2066x": "evil x",
		"\u200f\u061cשלום":         "שלום",
		"naïve 東京 می\u200cخواهم 👩\u200d👩\u200d👧": "naïve 東京 می\u200cخواهم 👩\u200d👩\u200d👧",
		"bad \xff\xfe bytes": "bad bytes",
	} {
		require.Equal(t, want, printable.OneLine(in), "%q", in)
	}
	var all strings.Builder
	for r := rune(0); r < 0x3000; r++ {
		all.WriteRune(r)
	}
	for _, r := range printable.OneLine(all.String()) {
		require.False(t, unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029', "%U", r)
	}
}

func TestWithoutControls(t *testing.T) {
	require.Equal(t, " Hello there. ", printable.WithoutControls(" Hello\nthere.\x1b\r"))
	require.Equal(t, "\u200fשלום", printable.WithoutControls("\u200fשלום"))
}

func TestSentence(t *testing.T) {
	for message, want := range map[string][2]string{
		"":                 {"", ""},
		"disk on fire":     {"Disk on fire.", "Disk on fire."},
		"It failed.":       {"It failed.", "It failed."},
		"ähnlich":          {"Ähnlich.", "Ähnlich."},
		"--plan is odd":    {"--plan is odd.", "--plan is odd."},
		"a.db is locked.":  {"A.db is locked.", "a.db is locked."},
		"text: is missing": {"Text: is missing.", "text: is missing."},
	} {
		require.Equal(t, want, [2]string{printable.Sentence(message), printable.SentenceAbout(message)}, message)
	}
}

func TestFirstBytes(t *testing.T) {
	for n, want := range []string{"", "", "ü", "ü", "ü", "ü€", "ü€"} {
		require.Equal(t, want, printable.FirstBytes("ü€", n), n)
	}
}

func TestClock(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0:00", 59.9: "0:59", 245: "4:05", 3723: "1:02:03", 360_000: "100:00:00"} {
		require.Equal(t, want, printable.Clock(seconds))
	}
}

func TestBytes(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0.0 kB", 1500: "1.5 kB", 2_345_678: "2.3 MB", 1_234_000_000: "1.23 GB"} {
		require.Equal(t, want, printable.Bytes(bytes))
	}
}
