package kitten

import "unicode"

// symbols are the symbols that the models know, each at its id; a symbol that occurs twice has the later id. Source:
// KittenTTS, kittentts/onnx_model.py (TextCleaner): pad, punctuation, letters, IPA.
const symbols = `$;:,.!?¡¿—…"«»"" ` +
	`ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz` +
	`ɑɐɒæɓʙβɔɕçɗɖðʤəɘɚɛɜɝɞɟʄɡɠɢʛɦɧħɥʜɨɪʝɭɬɫɮʟɱɯɰŋɳɲɴøɵɸθœɶʘɹɺɾɻʀʁɽʂʃʈʧʉʊʋⱱʌɣɤʍχʎʏʑʐʒʔʡʕʢǀǁǂǃ` +
	"ˈˌːˑʼʴʰʱʲʷˠˤ˞↓↑→↗↘'\u0329'ᵻ"

// The ids that frame a model's input, and the one between words.
const (
	edgeID  = 0
	spaceID = 16
	endID   = 10
)

func symbolIDs() map[rune]int64 {
	ids := make(map[rune]int64, len(symbols))
	next := int64(0)
	for _, r := range symbols {
		ids[r] = next
		next++
	}
	return ids
}

// sounds reports whether a symbol is a sound of its own: a letter that is no stress, length or colour mark.
func sounds(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Lm, r) }
