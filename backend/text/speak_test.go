package text_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/backend/text/internal/texttest"
)

func entry(word, respelling string) backend.Pronunciation {
	return backend.Pronunciation{Word: word, Respelling: respelling}
}

func TestTheInitialAOfANameIsMarkedForPhonemesOnly(t *testing.T) {
	for phonemes, want := range map[bool]string{true: "A\u00a0Lincoln left.", false: "A Lincoln left."} {
		require.Equal(t, want, text.Speak("A. Lincoln left.", text.SpeakOptions{Language: "en-us", Phonemes: phonemes}).Text)
	}
}

func TestSpeakMarkup(t *testing.T) {
	tags := []string{"[laugh]", "[sigh]"}
	for name, c := range map[string]struct {
		text    string
		o       text.SpeakOptions
		want    string
		dropped []string
	}{
		"respelling":                        {"Say [[GIF|jif]] now.", text.SpeakOptions{}, "Say jif now.", nil},
		"respelling is exact":               {"[[X|Dr. 5]]", text.SpeakOptions{Language: "en"}, "Dr. 5", nil},
		"respelling and ending":             {"two [[GIF|jif]]s", text.SpeakOptions{}, "two jifs", nil},
		"words stay apart":                  {"X[[Y|Z]]W and [[a|b]][[c|d]]<sigh>e and un[[do|doo]]able", text.SpeakOptions{}, "X Z W and b d e and un doo able", []string{"<sigh>"}},
		"IPA beside words":                  {"X[[Y|/z/]]W, [[GIF|/dʒɪf/]]s", text.SpeakOptions{Phonemes: true}, "X [[z]] W, [[dʒɪf]]s", nil},
		"unsupported IPA beside words":      {"X[[Y|/z/]]W", text.SpeakOptions{}, "X Y W", []string{"[[Y|/z/]]"}},
		"without white space":               {"我[[在|x]]北", text.SpeakOptions{}, "我x北", nil},
		"unknown elements":                  {"<script>alert(1)</script> and Vec<int>.", text.SpeakOptions{Language: "en"}, "script alert(one) script and Vec int.", nil},
		"comparisons":                       {"if a < b and c > d", text.SpeakOptions{Language: "en"}, "if a is less than b and c is greater than d", nil},
		"empty respelling":                  {"[[word|]] and [[|nothing]]", text.SpeakOptions{}, "word and nothing", nil},
		"IPA":                               {"Say [[tomato|/təˈmɑːtoʊ/]].", text.SpeakOptions{Phonemes: true}, "Say [[təˈmɑːtoʊ]].", nil},
		"IPA that the engine does not read": {"Say [[tomato|/təˈmɑːtoʊ/]].", text.SpeakOptions{}, "Say tomato.", []string{"[[tomato|/təˈmɑːtoʊ/]]"}},
		"raw is passed on":                  {"Say [[təˈmɑːtoʊ]] and [[a/b]] 5.", text.SpeakOptions{Language: "en"}, "Say [[təˈmɑːtoʊ]] and [[a/b]] five.", nil},
		"slashes":                           {"and/or /usr/bin [a/b]", text.SpeakOptions{}, "and/or /usr/bin [a/b]", nil},
		"not closed":                        {"Say [[GIF|jif and <p or [laughs", text.SpeakOptions{}, "Say [[GIF|jif and <p or [laughs", nil},
		"a tag in its form":                 {"Well, [laughs] yes <sigh> [SIGHING].", text.SpeakOptions{Tags: tags}, "Well, [laugh] yes [sigh] [sigh].", nil},
		"another form":                      {"Well, [laughs] yes.", text.SpeakOptions{Tags: []string{"<laugh>"}}, "Well, <laugh> yes.", nil},
		"unsupported tags":                  {"Well, [laughs] yes [whispers]. <sigh/> Oh[laughs]no [clears throat]", text.SpeakOptions{}, "Well, yes. Oh no", []string{"[laughs]", "[whispers]", "<sigh/>", "[clears throat]"}},
		"other brackets":                    {"See [1] and [sic] <int>.", text.SpeakOptions{}, "See [1] and [sic] <int>.", nil},
		"elements":                          {`<speak><p>One</p><p>two</p> <emphasis>big</emphasis>ger</speak>`, text.SpeakOptions{}, "One two bigger", nil},
		"English":                           {"Dr. [[Nguyen|win]] has 5 [laughs] $3.", text.SpeakOptions{Language: "en-GB"}, "Doctor win has five three dollars.", []string{"[laughs]"}},
		"digits": {
			"Test 1. I have 3 dogs, 1,234 men, 5 km, 2.5 or 007 in 1999, the 3rd of 10 (-4).",
			text.SpeakOptions{Language: "en", Digits: true},
			"Test 1. I have 3 dogs, one thousand two hundred thirty-four men, five kilometers, two point five or zero zero seven in " +
				"nineteen ninety-nine, the third of 10 (minus 4).", nil,
		},
		"German":       {"Er hat 5 € und [[Bob|bopp]].", text.SpeakOptions{Language: "de"}, "Er hat 5 € und bopp.", nil},
		"no language":  {"5", text.SpeakOptions{}, "5", nil},
		"nothing":      {" [laughs] ", text.SpeakOptions{}, "", []string{"[laughs]"}},
		"broken bytes": {"a\xffb", text.SpeakOptions{}, "a\ufffdb", nil},
		"RTL":          {"שלום [[עולם|olam]]", text.SpeakOptions{Language: "he"}, "שלום olam", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := text.Speak(c.text, c.o)
			require.Equal(t, c.want, got.Text)
			require.Equal(t, c.dropped, got.Dropped)
			require.Empty(t, got.Used)
		})
	}
}

func TestSpeakLeavesOutPausesThatCannotBeRead(t *testing.T) {
	long := "[pause " + strings.Repeat("for a while ", 10) + "]"
	require.Equal(t, text.Spoken{Text: "One two three.", Dropped: []string{"[pause: soon]", long}},
		text.Speak("One [pause: soon] two "+long+" three.", text.SpeakOptions{}))
}

func TestSpeakReadsDigitsOfEveryScript(t *testing.T) {
	for _, c := range []struct{ language, in, want string }{
		{"en-US", "١٢٣ items", "one hundred twenty-three items"},
		{"en-US", "१५ August", "the fifteenth of August"},
		{"de", "１２３ Dinge", "123 Dinge"},
		{"hi", "१५ अगस्त", "15 अगस्त"},
		{"ne", "१५ अगस्त", "१५ अगस्त"},
	} {
		require.Equal(t, c.want, text.Speak(c.in, text.SpeakOptions{Language: c.language}).Text)
	}
}

func TestSpeakPronunciations(t *testing.T) {
	words := []backend.Pronunciation{
		entry("nginx", "engine x"), entry("New York", "noo yawk"), entry("York", "yark"), entry("US", "you ess"), entry("C++", "see plus"),
		entry("tomato", "/təˈmɑːtoʊ/"), entry("Smith", "smyth"), entry("rock'n'roll", "rock and roll"), entry("北京", "bay jing"),
		entry("lead", "led"),
		{Word: "lead", Respelling: "leed", Language: "en"},
		{Word: "Ei", Respelling: "I", Language: "de"},
		entry("5G", "five gee"), entry("[x]", "never"),
	}
	for name, c := range map[string]struct {
		text, want string
		used       map[string]string
	}{
		"any case":          {"Nginx, NGINX and nginx's", "engine x, engine x and engine x's", map[string]string{"nginx": "engine x"}},
		"whole words":       {"nginxes subnginx nginx_x", "nginxes subnginx nginx x", nil},
		"longest first":     {"New York, York, new \n york", "noo yawk, yark, noo yawk", map[string]string{"New York": "noo yawk", "York": "yark"}},
		"capitals":          {"US and us", "you ess and us", map[string]string{"US": "you ess"}},
		"marks":             {"C++ code", "see plus code", map[string]string{"C++": "see plus"}},
		"beside titles":     {"Dr. Smith", "Doctor smyth", map[string]string{"Smith": "smyth"}},
		"apostrophes":       {"rock’n’roll", "rock and roll", map[string]string{"rock'n'roll": "rock and roll"}},
		"without spaces":    {"我在北京住", "我在bay jing住", map[string]string{"北京": "bay jing"}},
		"of the language":   {"lead Ei", "leed Ei", map[string]string{"lead": "leed"}},
		"before numbers":    {"5G or 5 g", "five gee or five grams", map[string]string{"5G": "five gee"}},
		"not within markup": {"[[nginx|x]] [[York]] [x]", "x [[York]] [x]", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := text.Speak(c.text, text.SpeakOptions{Language: "en-US", Pronunciations: text.NewPronunciations(words, "en-US")})
			require.Equal(t, c.want, got.Text)
			require.Equal(t, c.used, got.Used)
		})
	}
	got := text.Speak("A Tomato.", text.SpeakOptions{Pronunciations: text.NewPronunciations(words, "")})
	require.Equal(t, text.Spoken{Text: "A Tomato.", Dropped: []string{"[[tomato|/təˈmɑːtoʊ/]]"}}, got)
	got = text.Speak("A Tomato.", text.SpeakOptions{Pronunciations: text.NewPronunciations(words, ""), Phonemes: true})
	require.Equal(t, text.Spoken{Text: "A [[təˈmɑːtoʊ]].", Used: map[string]string{"tomato": "/təˈmɑːtoʊ/"}}, got)
}

// The entry with the longest tag that matches the voice's language wins.
func TestPronunciationLanguages(t *testing.T) {
	words := []backend.Pronunciation{
		entry("a", "all"),
		{Word: "a", Respelling: "english", Language: "en"},
		{Word: "a", Respelling: "american", Language: "en-US"},
		{Word: "a", Respelling: "quebec", Language: "fr_CA"},
		{Word: "b", Respelling: "british", Language: "EN-gb"},
	}
	for language, want := range map[string]string{
		"en-US": "american b", "en-us-nyc": "american b", "en-GB": "english british", "en_gb_scotland": "english british",
		"en": "english b", "eng": "all b", "fr-CA": "quebec b", "fr": "all b", "": "all b", "de": "all b",
	} {
		o := text.SpeakOptions{Pronunciations: text.NewPronunciations(words, language)}
		require.Equal(t, want, text.Speak("a b", o).Text, "%q", language)
	}
}

func TestSpeakOwnPronunciations(t *testing.T) {
	words := []backend.Pronunciation{
		entry("don't", "theirs"),
		{Word: "lead", Respelling: "theirs", Language: "en"},
		entry("US", "theirs"), entry("New York", "longer"),
		entry("left", "stays"),
	}
	own := []backend.Pronunciation{
		entry("DON’T", "never"), entry("don’t", "mine"),
		{Word: "Lead", Respelling: "mine", Language: "fr"},
		entry("us", "mine"),
		entry("York", "shorter"),
	}
	got := text.Speak("I don't lead US, left New York.", text.SpeakOptions{Language: "en", Pronunciations: text.NewPronunciations(words, "en"), OwnPronunciations: own})
	require.Equal(t, "I mine mine mine, stays longer.", got.Text)
	require.Equal(t, map[string]string{
		"don’t": "mine", "Lead": "mine", "us": "mine", "left": "stays", "New York": "longer",
	}, got.Used)
}

func TestSpeakOfHostileTexts(t *testing.T) {
	s := text.NewSpeaker(text.SpeakOptions{Language: "en", Pronunciations: text.NewPronunciations(manyPronunciations(1000), "en"), Tags: []string{"[laugh]"}})
	for _, h := range texttest.Hostile() {
		require.True(t, utf8.ValidString(s.Speak(h).Text))
		checkPieces(t, text.Plan(h, 300), 300)
	}
	require.Equal(t, strings.Repeat("x", 5000), s.Speak(strings.Repeat("x", 5000)).Text)
}

func FuzzSpeak(f *testing.F) {
	for _, line := range texttest.Golden(f, "english/testdata/normalize.tsv") {
		f.Add(line[1], "word", "ward")
	}
	for _, s := range []string{
		"[[a|b]] a", "[[a|/b/]]", "[laughs] a", "<p>a</p>", "<break time=\"1s\"/>", "[[a|0]] [[b|1]]", "[[[a]]]", "<!-- a -->", "[pause 1]",
	} {
		f.Add(s, "a", "[[c|0]]")
	}
	f.Fuzz(func(t *testing.T, s, word, respelling string) {
		words := text.NewPronunciations([]backend.Pronunciation{entry(word, respelling)}, "en")
		for _, o := range []text.SpeakOptions{
			{Language: "en", Pronunciations: words, Tags: []string{"[laugh]", "<sigh>"}}, {Pronunciations: words, Phonemes: true},
		} {
			require.True(t, utf8.ValidString(text.Speak(s, o).Text))
		}
	})
}

// manyPronunciations returns n+1 entries, half of them phrases that begin alike.
func manyPronunciations(n int) []backend.Pronunciation {
	var words []backend.Pronunciation
	for i := range n {
		word := fmt.Sprintf("quick%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676)
		if i%2 == 0 {
			word = "the quick " + word
		}
		words = append(words, entry(word, "x"))
	}
	return append(words, entry("fox", "focks"))
}

func BenchmarkSpeakPronunciations(b *testing.B) {
	chunk := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 200_000/45)
	for _, n := range []int{0, 1000} {
		s := text.NewSpeaker(text.SpeakOptions{Language: "de", Pronunciations: text.NewPronunciations(manyPronunciations(n)[:n], "de")})
		b.Run(fmt.Sprintf("%d entries", n), func(b *testing.B) {
			b.SetBytes(int64(len(chunk)))
			for b.Loop() {
				s.Speak(chunk)
			}
		})
	}
}

func BenchmarkNewSpeaker(b *testing.B) {
	for _, n := range [][2]int{{0, 1000}, {3000, 10_000}} {
		o := text.SpeakOptions{Language: "en", OwnPronunciations: manyPronunciations(n[0]), Pronunciations: text.NewPronunciations(manyPronunciations(n[1]), "en")}
		b.Run(fmt.Sprintf("%d own and %d words", n[0], n[1]), func(b *testing.B) {
			for b.Loop() {
				text.NewSpeaker(o)
			}
		})
	}
}

func TestSpeakOfMarkupThatAppearsWhereOtherMarkupWas(t *testing.T) {
	require.Equal(t, "[[a|-1]] b", text.Speak("[<b>[a|-1]] b", text.SpeakOptions{}).Text)
}
