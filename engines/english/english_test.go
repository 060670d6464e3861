package english_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/english"
)

// speak returns the American phonemes of a text.
func speak(t testing.TB, e *english.G2P, text string) string {
	t.Helper()
	sound, err := e.Phonemes(t.Context(), text, false)
	require.NoError(t, err)
	return sound
}

func TestNumbersUnitsAndSignsAreReadOut(t *testing.T) {
	e := english.New(nil)
	for text, same := range map[string]string{
		"":                               "",
		" \n\t ":                         "",
		"...":                            "",
		"東京 😀":                           "",
		"At 10:30 and 10:05.":            "At ten thirty and ten oh five.",
		"At 3:00 pm, 7am or 9:00.":       "At three PM, seven AM or nine o'clock.",
		"$5, $1.50, £20 and €3m":         "five dollars, one dollar and fifty cents, twenty pounds and three million euros",
		"It costs 20€.":                  "It costs twenty euros.",
		"pages 10-20":                    "pages ten to twenty",
		"555-0199":                       "five five five zero one nine nine",
		"3/4 cup, ½ cup, 1½ cups":        "three quarters cup, one half cup, one and one half cups",
		"5 kg, 1 km, 6ft and 60 mph.":    "five kilograms, one kilometer, six feet and sixty miles per hour.",
		"20°C":                           "twenty degrees celsius",
		"Prof. Lee, St. Ives, 5 Oak St.": "Professor Lee, Saint Ives, five Oak Street.",
		"MR. Lee met Mrs. Lee, Jr. in Dec. 1999.": "Mister Lee met Mrs. Lee, Junior in December nineteen ninety nine.",
		"C++ & x = 5%":             "C plus plus and x equals five percent",
		"#1 fan":                   "number one fan",
		"user@example.com":         "user at example dot com",
		"well--you know":           "well—you know",
		"well - you know…":         "well — you know…",
		"Wait!!!!!! What?":         "Wait!!! What?",
		"He said 'no'.":            "He said “no”.",
		"\"Yes,\" (she) [said].":   "“Yes,” (she) (said).",
		"«Oui»，好。":                 "“Oui”,.",
		"the café":                 "the cafe",
		"It's the dogs' home":      "It's the dogs home",
		"١٢ cats and １２ dogs":      "12 cats and 12 dogs",
		"a😀b and snake_case":       "a b and snake case",
		"1st, 2nd, 23rd and 112th": "first, second, twenty third and one hundred twelfth",
		"The 1990s and 2005":       "The nineteen nineties and two thousand five",
		"-5 and 1,234,567":         "minus five and one million two hundred thirty four thousand five hundred sixty seven",
		"J. K. Rowling":            "J K Rowling",
		"I can`t, he won´t":        "I can't, he won't",
		"say `code` now":           "say code now",
		"Z̴a̷l̸g̵o̶ H̡e̢l̨l̳o":     "Zalgo Hello",
		"I saw it. It was good.":   "I saw it. It was good.",
	} {
		require.Equal(t, speak(t, e, same), speak(t, e, text), text)
	}
	require.Equal(t, "ðə jˌuˌɛsˈA ænd jˌukˈA.", speak(t, e, "the U.S.A. and UK."))
	require.Equal(t, "nˈæsə, ˌɛfbˌiˈI.", speak(t, e, "NASA, FBI."))
}

func TestHeteronymsByContext(t *testing.T) {
	e := english.New(nil)
	for _, c := range []struct{ text, has, hasNot string }{
		{"I will read it.", "ɹˈid", "ɹˈɛd"},
		{"She wants to read.", "ɹˈid", "ɹˈɛd"},
		{"Read the letter.", "ɹˈid", "ɹˈɛd"},
		{"I read it yesterday.", "ɹˈɛd", "ɹˈid"},
		{"She has read it.", "ɹˈɛd", "ɹˈid"},
		{"The letter was read aloud.", "ɹˈɛd", "ɹˈid"},
		{"They read the news every morning.", "ɹˈid", "ɹˈɛd"},
		{"They live here.", "lˈɪv", "lˈIv"},
		{"He wants to live in peace.", "lˈɪv", "lˈIv"},
		{"We love live music.", "lˈIv", "lˈɪv"},
		{"The show is live.", "lˈIv", "lˈɪv"},
		{"The wind blew.", "wˈɪnd", "wˈInd"},
		{"Please wind the clock.", "wˈInd", "wˈɪnd"},
		{"A tear ran down her cheek.", "tˈɪɹ", "tˈɛɹ"},
		{"Do not tear the page.", "tˈɛɹ", "tˈɪɹ"},
		{"You can use it.", "jˈuz", "jˈus "},
		{"It is of no use.", "jˈus", "jˈuz"},
		{"The use of force is rare.", "jˈus", "jˈuz"},
		{"We use a pen.", "jˈuz", "jˈus "},
		{"Close the door.", "klˈOz", "klˈOs"},
		{"Please close it.", "klˈOz", "klˈOs"},
		{"We are close to home.", "klˈOs", "klˈOz"},
		{"It was a close race.", "klˈOs", "klˈOz"},
		{"He broke the record.", "ɹˈɛkəɹd", "ɹəkˈɔɹd"},
		{"We record music.", "ɹəkˈɔɹd", "ɹˈɛkəɹd"},
		{"They will record it.", "ɹəkˈɔɹd", "ɹˈɛkəɹd"},
		{"The object is round.", "ˈɑbʤəkt", "əbʤˈɛkt"},
		{"I object to that.", "əbʤˈɛkt", "ˈɑbʤəkt"},
		{"She bought a present.", "pɹˈɛzᵊnt", "pɹizˈɛnt"},
		{"I would like to present our plan.", "pɹizˈɛnt", "pɹˈɛzᵊnt"},
		{"Farms produce food.", "pɹədˈus", "pɹˈOdˌus"},
		{"They sell fresh local produce.", "pɹ", "pɹˈɛzᵊnt"},
		{"The produce is fresh.", "pɹˈOdˌus", "pɹədˈus"},
		{"There was a sharp increase in prices.", "ˈɪnkɹˌis", "ɪnkɹˈis"},
		{"Prices may increase.", "ɪnkɹˈis", "ˈɪnkɹˌis"},
		{"The desert is hot.", "dˈɛzəɹt", "dəzˈɜɹt"},
		{"Do not desert me.", "dəzˈɜɹt", "dˈɛzəɹt"},
		{"My house is old.", "hˈWs", "hˈWz"},
		{"The museum can house them.", "hˈWz", "hˈWs"},
		{"The project is late.", "pɹˈɑʤˌɛkt", "pɹəʤˈɛkt"},
		{"We project a loss.", "pɹəʤˈɛkt", "pɹˈɑʤˌɛkt"},
		{"He was wound up.", "wˈWnd", "wˈund"},
		{"The wound healed.", "wˈund", "wˈWnd"},
		{"It takes a minute.", "mˈɪnət", "mInˈut"},
		{"They excuse him.", "ɪkskjˈuz", "ɪkskjˈus"},
		{"There is no excuse.", "ɪkskjˈus", "ɪkskjˈuz"},
		{"I used to sing.", "jˈust", "jˈuzd"},
		{"I am used to it.", "jˈust", "jˈuzd"},
		{"It is used to cut bread.", "jˈuzd", "jˈust"},
		{"He used a pen.", "jˈuzd", "jˈust"},
		{"I like that.", "ðˈæt", "ðæt "},
		{"He said that it rains.", "ðæt", "ðˈæt"},
		{"the end", "ði", "ðə"},
		{"the start", "ðə", "ði"},
		{"to eat", "tʊ", "tə"},
		{"to sing", "tə", "tʊ"},
		{"Come in.", "ˈɪn", "zz"},
		{"in town", "ɪn", "ˈɪn"},
		{"a dog", "ɐ d", "ˈA"},
		{"vitamin A.", "ˈA", "ɐ"},
		{"It is a not uncommon mistake.", "ɐ nˌ", "ˈA n"},
		{"Take one vitamin a day.", "ɐ d", "ˈA d"},
		{"A B Smith", "ˈA bˈi", "ɐ"},
		{"He met A B Smith.", "ˈA bˈi", "ɐ"},
		{"J A Smith", "ʤˈA ˈA", "ɐ"},
		{"Ask A B.", "ˈA bˈi", "ɐ"},
		{"the A C unit", "ði ˈA sˈi", "ɐ"},
		{"A B movie is on.", "ɐ bˈi", "ˈA"},
		{"A T and T called.", "ˈA tˈi ænd tˈi", "ɐ"},
		{"She called A T and T.", "ˈA tˈi ænd tˈi", "ɐ"},
		{"In A D seventy it fell.", "ˈA dˈi", "ɐ"},
		{"A Smith", "ɐ s", "ˈA"},
		{"A [[smɪθ]] here", "ɐ s", "ˈA"},
		{"They told US troops.", "jˌuˈɛs", "ʌs"},
		{"WE ARE WITH US NOW", "ˈʌs", "jˌu"},
		{"It's 5 am.", "ˌAˈɛm", "æm"},
		{"I am here.", "ɐm", "æm"},
	} {
		sound := speak(t, e, c.text)
		require.Contains(t, sound, c.has, c.text)
		require.NotContains(t, sound, c.hasNot, c.text)
	}
}

func TestIPAInDoubleBrackets(t *testing.T) {
	e := english.New(nil)
	require.Equal(t, "sˈA kˈOkəɹO, plˈiz.", speak(t, e, "Say [[kˈoʊkəɹoʊ]], please."))
	sound, err := e.Phonemes(t.Context(), "[[kˈəʊkəɹəʊ]]", true)
	require.NoError(t, err)
	require.Equal(t, "kˈQkəɹQ", sound)
	require.Equal(t, "ði ˈɑ", speak(t, e, "the [[ˈɑː]]"), "what follows in IPA counts")
	require.Equal(t, "", speak(t, e, "[[]]"))
	require.NotPanics(t, func() { speak(t, e, "[[ and ]] and [[a]") })
}

func TestFromIPA(t *testing.T) {
	for _, c := range []struct {
		ipa, us, gb string
	}{
		{"həlˈoʊ", "həlˈO", "həlˈQ"},
		{"həˈləʊ", "həlˈO", "həlˈQ"},
		{"tʃˈiːz", "ʧˈiz", "ʧˈiːz"},
		{"t͡ʃˈiːz", "ʧˈiz", "ʧˈiːz"},
		{"nˈɜːs", "nˈɜɹs", "nˈɜːs"},
		{"ɡˈaɪ maʊs", "ɡˈI mWs", "ɡˈI mWs"},
		{"gˈɛt", "ɡˈɛt", "ɡˈɛt"},
		{"fˈeə", "fˈAə", "fˈɛː"},
		{"kˈæt", "kˈæt", "kˈat"},
		{"bˈʌʔn̩", "bˈʌtn", "bˈʌtn"},
		{"lˈɪɾəl", "lˈɪTəl", "lˈɪTəl"},
		{"həlˈO wˈɜɹld", "həlˈO wˈɜɹld", "həlˈO wˈɜɹld"},
		{"¤ §", "", ""},
	} {
		require.Equal(t, c.us, english.FromIPA(c.ipa, false), c.ipa)
		require.Equal(t, c.gb, english.FromIPA(c.ipa, true), c.ipa)
	}
}

func TestForeignFlagsAreNotSpoken(t *testing.T) {
	require.Equal(t, "wˈɪndQz sˈO", english.FromEspeakForeign("(^e^n)wˈɪndə^ʊz(^f^r) sˈo^ʊ"))
	require.Equal(t, "la(ʃˈo)", english.FromEspeakForeign("la-«ʃˈo»"))
}

// pronouncer is a fallback that records its calls.
type pronouncer struct {
	answer string
	err    error

	mu    sync.Mutex
	calls []string
}

var _ engines.Pronouncer = (*pronouncer)(nil)

func (p *pronouncer) Pronounce(ctx context.Context, text, voice string, tie bool) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, text+"/"+voice)
	if !tie {
		return "", errors.New("no ties")
	}
	return p.answer, p.err
}

func TestFallbackPronouncesUnknownWordsOnce(t *testing.T) {
	p := &pronouncer{answer: "(^f^r)t^ʃˈɔ^ɪ(^e^n)"}
	e := english.New(p)
	require.Equal(t, "ðə ʧˈY, ʧˈY.", speak(t, e, "The blorbifyx, blorbifyx."))
	require.Equal(t, "ʧˈY", speak(t, e, "blorbifyx"))
	require.Equal(t, []string{"blorbifyx/en-us"}, p.calls)
	sound, err := e.Phonemes(t.Context(), "O'Blorbifyx-Smith", true)
	require.NoError(t, err)
	require.Equal(t, "ʧˈY", sound)
	require.Equal(t, "O'Blorbifyx-Smith/en-gb", p.calls[1], "the fallback gets a compound with an unknown part in one piece")
	require.Equal(t, "kæfˈA", speak(t, e, "café"), "the dictionary goes before the fallback")
	require.Equal(t, "", speak(t, e, "東京"))
	require.Len(t, p.calls, 2, "the fallback gets no words in scripts that English readers cannot read")
}

func TestWithoutEspeakWordsAreReadByRules(t *testing.T) {
	missing := &pronouncer{err: backend.E(backend.CodeRuntimeMissing, "espeak-ng is missing.", "Install it.")}
	for _, e := range []*english.G2P{english.New(nil), english.New(missing)} {
		require.Equal(t, "blˈɔɹbɪfIz", speak(t, e, "blorbifies"))
		require.Equal(t, "ʧˈɪzbɹəkən", speak(t, e, "chizbracken"))
		require.Equal(t, "snˈOkˌæt", speak(t, e, "snowcat"), "two known words")
		require.Equal(t, "zˌikjˈu", speak(t, e, "zq"), "letters without a vowel")
	}
	broken := english.New(&pronouncer{err: backend.E(backend.CodeEngineFailed, "It broke.", "")})
	_, err := broken.Phonemes(t.Context(), "blorbify", false)
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
}

func TestPhonemesStopWhenCancelled(t *testing.T) {
	e := english.New(nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := e.Phonemes(ctx, "Hello.", false)
	require.ErrorIs(t, err, backend.ErrCancelled)

	ctx, cancel = context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := e.Phonemes(ctx, strings.Repeat("supercalifragilistic-blorbification, ", 300_000), false)
		ended <- err
	}()
	time.Sleep(20 * time.Millisecond)
	cancel()
	select {
	case err := <-ended:
		require.ErrorIs(t, err, backend.ErrCancelled)
	case <-time.After(2 * time.Minute):
		t.Fatal("still running after it was cancelled")
	}
}

// oddTexts returns texts that no dictionary was made for.
func oddTexts() map[string]string {
	return map[string]string{
		"a long word":        strings.Repeat("blorb", 1000),
		"consonants":         strings.Repeat("z", 5000),
		"capitals":           strings.Repeat("FBI", 2000),
		"repeats":            strings.Repeat("blorbify ", 10_000),
		"hyphens":            strings.Repeat("a-", 5000),
		"slashes":            strings.Repeat("x/", 5000),
		"digits":             strings.Repeat("7", 5000),
		"digits and letters": strings.Repeat("7x", 5000),
		"dots":               strings.Repeat("a.", 5000),
		"numbers with dots":  strings.Repeat("1.", 5000),
		"apostrophes":        strings.Repeat("a'", 5000) + strings.Repeat("'", 5000),
		"brackets":           strings.Repeat("[[", 5000),
		"blocks":             strings.Repeat("[[a]]", 5000),
		"emoji":              strings.Repeat("👩‍👩‍👧‍👦🏳️‍🌈", 1000),
		"right to left":      "שלום hello مرحبا ١٢٣ world \u202eevil\u202c",
		"scripts":            "Привет мир, γειά σου, 你好, สวัสดี, नमस्ते, hello",
		"marks":              "Z̷̧̢͙a̴l̸g̶o̷ " + strings.Repeat("e\u0301", 2000),
		"invalid":            "a\xff\xfeb \xc3",
		"zero width":         "he\u200bllo wor\u00adld\ufeff",
		"camel":              strings.Repeat("aB", 5000),
		"spaces":             strings.Repeat(" \u00a0\u3000\n", 5000),
	}
}

func TestOddTextStaysInTheVocabulary(t *testing.T) {
	e := english.New(nil)
	for name, text := range oddTexts() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			for _, british := range []bool{false, true} {
				sound, err := e.Phonemes(t.Context(), text, british)
				require.NoError(t, err)
				require.Empty(t, strings.Trim(sound, english.Symbols))
				require.NotContains(t, sound, "  ")
			}
			t.Log(time.Since(start))
		})
	}
	require.Contains(t, speak(t, e, oddTexts()["right to left"]), "həlˈO")
	require.Contains(t, speak(t, e, oddTexts()["scripts"]), "həlˈO")
}

func TestGoldenTextsHaveASound(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.json")
	require.NoError(t, err)
	var golden map[string][]struct{ Text, IPA string }
	require.NoError(t, json.Unmarshal(data, &golden))
	e := english.New(nil)
	bare := strings.NewReplacer("ˈ", "", "ˌ", "", "ᵊ", "ə", "“", "", "”", "", "\"", "", "(", "", ")", "", ".", "", " ", "")
	for accent, texts := range golden {
		wrong, all := 0, 0
		for _, g := range texts {
			if strings.ContainsFunc(g.Text, func(r rune) bool { return r > 0x3000 && r < 0xf000 }) {
				continue
			}
			sound, err := e.Phonemes(t.Context(), g.Text, accent == "en-gb")
			require.NoError(t, err)
			want := []rune(bare.Replace(english.FromIPA(g.IPA, accent == "en-gb")))
			wrong += enginetest.EditDistance([]rune(bare.Replace(sound)), want)
			all += len(want)
		}
		t.Logf("%s: %d of %d phonemes differ from those of espeak-ng", accent, wrong, all)
		require.Less(t, float64(wrong), 0.08*float64(all))
	}
}

func FuzzEnglish(f *testing.F) {
	for _, text := range oddTexts() {
		f.Add(text[:min(len(text), 60)], false)
	}
	for _, text := range []string{"It's 10:05 on 3/4, $1.50 [[tˈɛst]] e.g. \"x\".", "U.S. A. I. 'tis 'n' -5 --- ½", "1st-2nd,3.4.5/6 7's 8'd"} {
		f.Add(text, true)
	}
	e := english.New(nil)
	f.Fuzz(func(t *testing.T, text string, british bool) {
		sound, err := e.Phonemes(t.Context(), text, british)
		require.NoError(t, err)
		require.Empty(t, strings.Trim(sound, english.Symbols))
		require.Empty(t, strings.Trim(english.FromIPA(text, british), english.Symbols))
	})
}
