package english

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/engines/english/internal/sound"
)

const (
	syllabic = "\u0329" // under a consonant that is a syllable of its own
	nasal    = "\u0303"
)

// vocabulary is every symbol in the vocabulary of Kokoro's models (tokenizer.json of Kokoro-82M), the commonest first.
const vocabulary = " əˈntɪsldɹkˌiɛzmpævbɑfuɡAhIʃŋOʌwɔᵊTjWʤʧθðʊɜYʒᵻɐ.,ːɒQa" +
	";:!?—…\"()“”oerxyqc" + nasal + "ʣʥʦʨᵝꭧSβɕçɖɚɟɥɨʝɯɰɳɲɴøɸœɾɻʁɽʂʈʋɣɤχʎʔʰʲ↓→↗↘"

// kokoro removes what is not in the vocabulary of Kokoro's models.
func kokoro(phonemes string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(vocabulary, r) {
			return r
		}
		return -1
	}, phonemes)
}

// FromEspeak turns English phonemes of espeak-ng with ties (t^ʃ, o^ʊ), accent en-gb where british is set and else en-us, into
// the symbols of Kokoro's models. It is the map that misaki uses for words outside its dictionary (EspeakFallback);
// language flags such as (en) and all that the map does not have stay as they are.
func FromEspeak(tied string, british bool) string {
	phonemes := strings.NewReplacer(
		"ʔˌn"+syllabic, "ʔn", "ʔn"+syllabic, "ʔn",
		"a^ɪ", "I", "a^ʊ", "W", "d^ʒ", "ʤ", "e^ɪ", "A", "t^ʃ", "ʧ", "ɔ^ɪ", "Y", "ə^l", "ᵊl", "ʲo", "jo", "ʲə", "jə",
		"e", "A", "ʲ", "", "ɚ", "əɹ", "r", "ɹ", "x", "k", "ç", "k", "ɐ", "ə", "ɬ", "l", nasal, "",
	).Replace(tied)
	phonemes = unsyllabic(phonemes)
	if british {
		phonemes = strings.NewReplacer("iə", "ɪə", "ə^ʊ", "Q").Replace(phonemes)
	} else {
		phonemes = strings.NewReplacer("o^ʊ", "O", "ɜːɹ", "ɜɹ", "ɜː", "ɜɹ", "ɪə", "iə", "ː", "").Replace(phonemes)
	}
	return strings.NewReplacer("o", "ɔ", "ɾ", "T", "ʔ", "t", "^", "").Replace(phonemes)
}

// syllable is a syllabic consonant.
var syllable = regexp.MustCompile(`(\S)` + syllabic)

// unsyllabic writes a syllabic consonant with the small ᵊ before it.
func unsyllabic(phonemes string) string {
	if !strings.Contains(phonemes, syllabic) {
		return phonemes
	}
	return strings.ReplaceAll(syllable.ReplaceAllString(phonemes, "ᵊ$1"), syllabic, "")
}

// languageFlag matches what espeak-ng puts where the language changes; with ties its letters are joined as well, as in (^e^n).
var languageFlag = regexp.MustCompile(`\([^)]*\)`)

// FromEspeakForeign turns phonemes of espeak-ng with ties, of a language that is not English (Spanish, French, Hindi,
// Italian, Portuguese), into the symbols of Kokoro's models, as misaki does (EspeakG2P): affricates and diphthongs become one
// symbol, language flags and hyphens are left out, and « » become the brackets of the text.
func FromEspeakForeign(tied string) string {
	return strings.NewReplacer(
		"a^ɪ", "I", "a^ʊ", "W", "d^z", "ʣ", "d^ʒ", "ʤ", "e^ɪ", "A", "o^ʊ", "O", "ə^ʊ", "Q", "s^s", "S", "t^s", "ʦ", "t^ʃ", "ʧ",
		"ɔ^ɪ", "Y", "^", "", "-", "", "«", "(", "»", ")",
	).Replace(languageFlag.ReplaceAllString(tied, ""))
}

// FromIPA turns English phonemes in plain IPA, as espeak-ng or a dictionary writes them, into the symbols of Kokoro's models.
// Letters that make one phoneme are joined whether they have a tie or not, stress moves to its vowel, and what is not in the
// vocabulary is left out. Kokoro's own symbols stay as they are.
func FromIPA(ipa string, british bool) string {
	ipa = norm.NFC.String(ipa)
	tied := strings.NewReplacer(
		"\u0361", "^", "\u035c", "^", "aɪ", "a^ɪ", "aʊ", "a^ʊ", "dʒ", "d^ʒ", "eɪ", "e^ɪ", "tʃ", "t^ʃ", "ɔɪ", "ɔ^ɪ",
		"əʊ", closeO(british), "oʊ", closeO(british), "ɝ", "ɜːɹ", "ɫ", "l", "g", "ɡ", "'", sound.Primary, "ɚɹ", "ɚ",
	).Replace(ipa)
	if british {
		tied = strings.NewReplacer("eə", "ɛː", "æ", "a").Replace(tied)
	} else {
		tied = strings.NewReplacer("ɒ", "ɑ").Replace(tied)
	}
	return strings.TrimSpace(kokoro(sound.StressVowels(FromEspeak(tied, british))))
}

// closeO returns the vowel of "no" in an accent.
func closeO(british bool) string {
	if british {
		return "ə^ʊ"
	}
	return "o^ʊ"
}
