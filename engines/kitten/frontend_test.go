package kitten

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestChunks(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"marks stay":               {"Is it? Yes! It is.", []string{"Is it?", "Yes!", "It is."}},
		"comma where no mark is":   {"Hello", []string{"Hello,"}},
		"comma after a quote":      {`"Really?" He said so`, []string{`"Really?",`, "He said so,"}},
		"other marks are an end":   {"One, two;", []string{"One, two;"}},
		"numbers stay whole":       {"Pi is 3.14 and it costs $5.20, Dr. Smith.", []string{"Pi is 3.14 and it costs $5.20, Dr. Smith."}},
		"addresses stay whole":     {"See example.com or v1.2.3 now.", []string{"See example.com or v1.2.3 now."}},
		"white space is folded":    {" a\n b\t\tc ", []string{"a b c,"}},
		"paragraphs":               {"A heading\n\nA text", []string{"A heading,", "A text,"}},
		"blocks stay whole":        {"Say [[wˈɜː. ld! hˈaɪ]] twice. Then stop.", []string{"Say [[wˈɜː. ld! hˈaɪ]] twice.", "Then stop."}},
		"block at the end":         {"Say [[wˈɜːld]]", []string{"Say [[wˈɜːld]],"}},
		"nothing":                  {"", nil},
		"white space":              {" \n\t ", nil},
		"only marks":               {"...", []string{"..."}},
		"unclosed block":           {"a [[b c", []string{"a [[b c,"}},
		"right to left":            {"שלום עולם", []string{"שלום עולם,"}},
		"more marks than one":      {"What?! No.", []string{"What?!", "No."}},
		"ends with another script": {"東京", []string{"東京,"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, c := range chunks(tt.text) {
				got = append(got, closed(c))
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestLongSentencesAreCutAtWords(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("quick brown foxes jump ", 60))
	got := chunks(text)
	require.Len(t, got, 4)
	var back []string
	for _, c := range got {
		require.LessOrEqual(t, utf8.RuneCountInString(c), longest+1)
		back = append(back, strings.TrimSuffix(c, ","))
	}
	require.Equal(t, text, strings.Join(back, " "))

	exact := chunks(strings.Repeat("a", 199) + " " + strings.Repeat("b", 200))
	require.Len(t, exact, 1, "400 characters fit")
	require.Len(t, chunks(strings.Repeat("a", 200)+" "+strings.Repeat("b", 200)), 2)

	word := chunks(strings.Repeat("ä", 5000))
	require.Len(t, word, 13)
	require.Equal(t, 401, characters(closed(word[0])))
	require.Equal(t, 201, characters(closed(word[12])))
}

// TestChunksLoseNothing: but for white space and added commas, the chunks are the text.
func TestChunksLoseNothing(t *testing.T) {
	squeeze := strings.NewReplacer(",", "")
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{
			"word", " ", " ", "\n\n", ". ", "? ", "3.14", "[[ə. b]]", "[[", "]]", "\"", "Dr. ", "é", "東京", "😀", ", ", strings.Repeat("x", 300),
		})).Draw(t, "parts")
		text := strings.Join(parts, "")
		got := chunks(text)
		fold := func(s string) string { return squeeze.Replace(strings.Join(strings.Fields(s), "")) }
		require.Equal(t, fold(text), fold(strings.Join(got, " ")))
		for _, c := range got {
			if !hasBlock(c) {
				require.LessOrEqual(t, utf8.RuneCountInString(c), longest+1)
			}
		}
	})
}

func FuzzChunks(f *testing.F) {
	for _, s := range []string{"Hello. World", "[[a. b]] c", "a [[", "\xff\xfe. x", "<speak>a</speak>", strings.Repeat("x", 900)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		front := newFrontend(letters{})
		for _, c := range chunks(s) {
			r, err := front.read(t.Context(), c)
			require.NoError(t, err)
			require.Len(t, r.written(c), len(r.spans))
			symbols, _ := front.symbols(r)
			for _, run := range runs(symbols) {
				require.LessOrEqual(t, len(run), maxSymbols+3)
			}
		}
	})
}

func TestCharactersCountPhonemesOfBlocks(t *testing.T) {
	require.Equal(t, len("Say , twice.")+6, characters("Say [[wˈɜːld]], twice."))
	require.Equal(t, 13, characters("Hello, world,"))
}

func TestPieces(t *testing.T) {
	for text, want := range map[string]string{
		"Hello, world!":         "Hello|,|world|!",
		"1,200.50 of 3.14.":     "1,200.50 of 3.14|.",
		"5. and ,5 and .5":      "5|.|and|,|5 and|.|5",
		"4,x x.5 1..2":          "4|,|x x|.|5 1|.|.|2",
		`("a") [b] {c}: d; e—f`: `(|"|a|"|)|[|b|]|{|c|}|:|d|;|e|—|f`,
		"¿Qué? ¡Sí!":            "¿|Qué|?|¡|Sí|!",
		"don't stop - ever":     "don't stop - ever",
		"٣,٤":                   "٣|,|٤",
		"":                      "",
		" . ":                   ".",
	} {
		var got []string
		for _, p := range pieces(text) {
			got = append(got, p.text)
			require.Equal(t, p.mark, len([]rune(p.text)) == 1 && strings.ContainsAny(p.text, marks+".,"))
		}
		require.Equal(t, want, strings.Join(got, "|"))
	}
}

func TestTokens(t *testing.T) {
	require.Equal(t, []string{"həlˈoʊ", ",", "a_1", "n", "\u0329", "—", ".", "."}, tokens(" həlˈoʊ,a_1\tn\u0329—.. "))
	require.Empty(t, tokens(" \n\u2003"))
}

func TestFlagsAreNotSpoken(t *testing.T) {
	for spoken, want := range map[string]string{
		"(ru)slˈovə(en-us) wˈɜːd": "slˈovə wˈɜːd",
		"wˈɜːd":                   "wˈɜːd",
		"a (b":                    "a (b",
		"a) (b)":                  "a) ",
	} {
		require.Equal(t, want, withoutFlags(spoken))
	}
}

func TestReadingWithBlocks(t *testing.T) {
	f := newFrontend(letters{})
	r, err := f.read(t.Context(), "Say [[wˈɜːld]], twice [[ə n]]s.")
	require.NoError(t, err)
	require.Equal(t, "say wˈɜːld , twice ə n s .", r.String())
	require.Equal(t, [][]string{{"Say"}, {"wˈɜːld"}, {"twice"}, {"ə", "n"}, {"s"}}, r.spans)
}

// TestWordsAsTheyAreWritten: a word that is spoken in parts is emitted once, without the comma that closes a chunk.
func TestWordsAsTheyAreWritten(t *testing.T) {
	f := newFrontend(letters{})
	const text = "“So,” [[ə n]]s high—low ☐ (a [[n]]) n"
	r, err := f.read(t.Context(), text)
	require.NoError(t, err)
	require.Equal(t, "“ so , ” ə n s high — low ( a n ) n ,", r.String())
	var got []string
	for _, w := range wordTimes(t, f, r, text, 0) {
		got = append(got, w[:strings.LastIndex(w[:strings.LastIndex(w, " ")], " ")])
	}
	require.Equal(t, []string{"“So,”", "[[ə n]]s", "high—low", "(a", "[[n]])", "n"}, got)
}

// TestLongReadingsAreCutForTheEncoder: digits have many more sounds than characters.
func TestLongReadingsAreCutForTheEncoder(t *testing.T) {
	f := newFrontend(letters{})
	var symbols int
	for _, chunk := range chunks(strings.Repeat("12345 67890 ", 40)) {
		r, err := f.read(t.Context(), chunk)
		require.NoError(t, err)
		all, speakable := f.symbols(r)
		require.True(t, speakable)
		cut := runs(all)
		require.Greater(t, len(cut), 1)
		seen := map[int]int{}
		for at, run := range cut {
			require.LessOrEqual(t, len(run), maxSymbols+3)
			require.EqualValues(t, edgeID, run[0].id)
			require.EqualValues(t, endID, run[len(run)-2].id)
			symbols += len(run) - 3
			for _, s := range run {
				if first, ok := seen[s.span]; ok && s.span != noSpan {
					require.Equal(t, first, at, "words are told of twice")
				}
				seen[s.span] = at
			}
		}
		symbols -= len(all)
	}
	require.Zero(t, symbols, "no symbol is lost")
}

// together speaks everything as one group.
type together struct{}

func (together) Pronounce(_ context.Context, s, _ string, _ bool) (string, error) {
	return strings.Join(strings.Fields(strings.ToLower(s)), ""), nil
}

func TestWordTimes(t *testing.T) {
	f := newFrontend(letters{})
	text := "Hello, big world."
	r, err := f.read(t.Context(), text)
	require.NoError(t, err)
	times := wordTimes(t, f, r, text, 0)
	require.Equal(t, []string{"Hello, 0.025 0.15", "big 0.225 0.3", "world. 0.325 0.45"}, times)

	f = newFrontend(together{})
	text = "ab abcd, e."
	r, err = f.read(t.Context(), text)
	require.NoError(t, err)
	require.Equal(t, [][]string{{"ab", "abcd"}, {"e"}}, r.spans)
	require.Equal(t, []string{"ab 0.025 0.075", "abcd, 0.075 0.175", "e. 0.25 0.275"}, wordTimes(t, f, r, text, 0))

	require.Empty(t, wordTimes(t, f, r, text, 1), "frames that do not fit the samples tell nothing")
	symbols, _ := f.symbols(r)
	framed := request{symbols: frame(symbols), words: r.written(text)}
	require.Empty(t, framed.times(make([]int64, 3), 9000))
	require.Empty(t, framed.times(append(make([]int64, len(framed.symbols)-1), -1), 9000))
}

// wordTimes returns the times where each symbol takes one frame and extra samples follow.
func wordTimes(t *testing.T, f *frontend, r *phonemeText, text string, extra int) []string {
	t.Helper()
	symbols, _ := f.symbols(r)
	framed := request{symbols: frame(symbols), words: r.written(text)}
	frames := make([]int64, len(framed.symbols))
	for i := range frames {
		frames[i] = 1
	}
	frames[len(frames)-1] = 10 // so that the cut removes no word
	var out []string
	for _, w := range framed.times(frames, (len(frames)+9)*frameSize+extra) {
		out = append(out, fmt.Sprintf("%s %.4g %.4g", w.Text, w.Start, w.End))
	}
	return out
}

func TestSymbolsWithoutASound(t *testing.T) {
	f := newFrontend(letters{})
	for phonemes, want := range map[string]bool{"ˈ ː ,": false, "...": false, "ж": false, "": false, "ə": true, "a": true, "ⱱ": true} {
		r := &phonemeText{}
		r.add(phonemes)
		_, speakable := f.symbols(r)
		require.Equal(t, want, speakable, phonemes)
	}
}
