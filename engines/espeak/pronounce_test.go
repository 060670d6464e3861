package espeak_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/espeak"
)

// tied is a text with the phonemes of espeak-ng 1.51 for its chunks, with ties; IPA has the punctuation between them too.
type tied struct {
	Voice  string
	Chunks []string
	IPA    string
}

func tiedCases(t *testing.T) []tied {
	t.Helper()
	f, err := os.Open("testdata/tied.jsonl")
	require.NoError(t, err)
	defer f.Close()
	var all []tied
	rows := bufio.NewScanner(f)
	for rows.Scan() {
		var c tied
		require.NoError(t, json.Unmarshal(rows.Bytes(), &c))
		all = append(all, c)
	}
	require.NoError(t, rows.Err())
	require.Len(t, all, 140)
	return all
}

var flag = regexp.MustCompile(`\(.+?\)`)

// is151 reports whether the espeak-ng of this machine is the one that the cases were measured with.
func is151(t *testing.T, p *espeak.Phonemizer) bool {
	t.Helper()
	version, err := p.Version(t.Context())
	require.NoError(t, err)
	if strings.HasPrefix(version, "1.51") {
		return true
	}
	t.Logf("espeak-ng %s: the phonemes were measured with 1.51, so only their structure is compared", version)
	return false
}

func TestPronounceWithTies(t *testing.T) {
	p := newPhonemizer(t)
	exact := is151(t, p)
	pieces := 0
	for _, c := range tiedCases(t) {
		remaining := c.IPA
		for _, chunk := range c.Chunks {
			got, err := p.Pronounce(t.Context(), chunk, c.Voice, true)
			require.NoError(t, err)
			require.Equal(t, strings.TrimSpace(got), got)
			pieces++
			if !exact {
				continue
			}
			if !strings.HasPrefix(c.Voice, "en") {
				got = flag.ReplaceAllString(got, "") // the cases of foreign voices have no flags
			}
			before, after, found := strings.Cut(remaining, got)
			require.True(t, found, "%s: %q is %q, expected in %q", c.Voice, chunk, got, remaining)
			require.False(t, strings.ContainsFunc(before, unicode.IsLetter), "%q is before %q", before, got)
			remaining = after
		}
		if exact {
			require.False(t, strings.ContainsFunc(remaining, unicode.IsLetter), "%q is left over of %q", remaining, c.IPA)
		}
	}
	t.Logf("%d pieces, exact: %t", pieces, exact)
}

// TestPronounceTieIsTheOnlyDifference compares phonemes with ties, which are removed, and without.
func TestPronounceTieIsTheOnlyDifference(t *testing.T) {
	p := newPhonemizer(t)
	joined := 0
	for _, c := range tiedCases(t) {
		for _, chunk := range c.Chunks {
			with, err := p.Pronounce(t.Context(), chunk, c.Voice, true)
			require.NoError(t, err)
			without, err := p.Pronounce(t.Context(), chunk, c.Voice, false)
			require.NoError(t, err)
			require.NotContains(t, without, "^")
			require.Equal(t, without, strings.ReplaceAll(with, "^", ""), "%s: %q", c.Voice, chunk)
			joined += strings.Count(with, "^")
		}
	}
	require.Greater(t, joined, 100)
}

func TestPronounce(t *testing.T) {
	p := newPhonemizer(t)
	exact := is151(t, p)
	for name, tt := range map[string]struct{ text, voice, want string }{
		"clauses joined by a space": {"Hello, world! Yes", "en-us", "həlˈoʊ wˈɜːld jˈɛs"},
		"white space is a space":    {" \tHello\r\n\n world\u2028", "en-us", "həlˈoʊ wˈɜːld"},
		"an alias of a voice":       {"Hello", "en", "həlˈəʊ"},
		"language flags stay in":    {"les windows", "fr", "le- (en)wˈɪndəʊz(fr)"},
		"nothing":                   {"", "en-us", ""},
		"white space only":          {" \n\t\u00a0 ", "en-us", ""},
		"marks only":                {"... — !", "en-us", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := p.Pronounce(t.Context(), tt.text, tt.voice, false)
			require.NoError(t, err)
			if exact || tt.want == "" {
				require.Equal(t, tt.want, got)
			}
		})
	}
	brackets, err := p.Pronounce(t.Context(), "[[t@t@t@]] word", "en-us", true)
	require.NoError(t, err)
	plain, err := p.Pronounce(t.Context(), "[ [t@t@t@]] word", "en-us", true)
	require.NoError(t, err)
	require.Equal(t, plain, brackets, "brackets must not be phoneme input")
}

func TestPronounceHardTexts(t *testing.T) {
	p := newPhonemizer(t)
	want, err := p.Pronounce(t.Context(), "After", "en-us", true)
	require.NoError(t, err)
	for name, text := range map[string]string{
		"crashes 1.51":     "U.S.A" + strings.Repeat("b", 200),
		"5,000 letters":    strings.Repeat("a", 5000),
		"many clauses":     strings.Repeat("no, ", 3000),
		"phoneme input":    "[[t@t@t@]] [[[[t@t@t@]]]]",
		"NUL and controls": "a\x00b\x01c\x1bd\x85e\u2028f",
		"bad UTF-8":        "a\xff\xfeb",
		"mixed scripts":    "word слово λέξη مرحبا שלום 東京 😀",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.Pronounce(t.Context(), text, "en-us", true)
			require.NoError(t, err)
			got, err := p.Pronounce(t.Context(), "After", "en-us", true)
			require.NoError(t, err)
			require.Equal(t, want, got, "a text must not change the next one")
		})
	}
}

func TestPronounceUnknownVoice(t *testing.T) {
	p := newPhonemizer(t)
	for _, voice := range []string{"", "xx", "en-us-nope", "--help"} {
		_, err := p.Pronounce(t.Context(), "Hello", voice, true)
		require.Equal(t, backend.CodeNotFound, backend.CodeOf(err), voice)
	}
}

func TestPronounceManyAtOnce(t *testing.T) {
	p := newPhonemizer(t)
	type call struct {
		voice string
		tie   bool
	}
	want := map[call]string{}
	var calls []call
	for _, voice := range []string{"en-us", "en-gb", "de", "fr", "es"} {
		for _, tie := range []bool{false, true} {
			c := call{voice, tie}
			got, err := p.Pronounce(t.Context(), "Radio, taxi, hotel", voice, tie)
			require.NoError(t, err)
			want[c], calls = got, append(calls, c)
		}
	}
	sentences, err := p.Phonemize(t.Context(), "Radio, taxi. Hotel!", "en-us")
	require.NoError(t, err)
	got, errs := make([]string, 60), make([]error, 60)
	var wg sync.WaitGroup
	for i := range got {
		c := calls[i%len(calls)]
		wg.Go(func() { got[i], errs[i] = p.Pronounce(t.Context(), "Radio, taxi, hotel", c.voice, c.tie) })
	}
	mixed, err := p.Phonemize(t.Context(), "Radio, taxi. Hotel!", "en-us")
	wg.Wait()
	require.NoError(t, err)
	require.Equal(t, sentences, mixed)
	for i := range got {
		require.NoError(t, errs[i])
		require.Equal(t, want[calls[i%len(calls)]], got[i])
	}
}

func TestPronounceCancel(t *testing.T) {
	p := newPhonemizer(t)
	want, err := p.Pronounce(t.Context(), "Hello", "en-us", true)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = p.Pronounce(ctx, strings.Repeat("This goes on and on, you know ", 30_000), "en-us", true)
	require.ErrorIs(t, err, backend.ErrCancelled)
	got, err := p.Pronounce(t.Context(), "Hello", "en-us", true)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.NoError(t, p.Close())
	_, err = p.Pronounce(t.Context(), "Hello", "en-us", true)
	require.ErrorIs(t, err, backend.ErrCancelled)
}
