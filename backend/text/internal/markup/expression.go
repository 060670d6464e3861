package markup

import "strings"

// longestExpression bounds the search for the closing bracket, in bytes.
const longestExpression = 40

// readExpression returns the expression that s begins with: a known name in square or angle brackets, such as [laughs],
// <laugh> or </whisper>. Case does not matter; _ and - stand for a space. Other brackets are text.
func readExpression(s string) (Markup, bool) {
	last := byte(']')
	if s[0] == '<' {
		last = '>'
	}
	end := strings.IndexByte(s[:min(len(s), longestExpression)], last)
	if end < 0 {
		return Markup{}, false
	}
	form := s[1:end]
	name := ExpressionName(strings.Trim(form, "/"))
	if name == "" {
		return Markup{}, false
	}
	kind := Expression
	if strings.HasPrefix(form, "/") {
		kind = Inline
	}
	return Markup{Kind: kind, Name: name, Size: end + 1}, true
}

// ExpressionName returns the name that all forms of an expression share, empty for other texts.
func ExpressionName(form string) string {
	separator := func(r rune) bool { return r == ' ' || r == '_' || r == '-' }
	return nameOfForm[strings.Join(strings.FieldsFunc(strings.ToLower(form), separator), " ")]
}

// Forms returns all forms in which people write an expression, its name first; none for other names.
func Forms(name string) []string {
	forms, ok := expressions[name]
	if !ok {
		return nil
	}
	return append([]string{name}, forms...)
}

// nameOfForm has the name of an expression for each of its forms.
var nameOfForm = func() map[string]string {
	names := map[string]string{}
	for name, forms := range expressions {
		names[name] = name
		for _, form := range forms {
			names[form] = name
		}
	}
	return names
}()

// expressions are the expressions of the engines (Chatterbox, Supertonic) and of the hosted service, with the other forms
// that people write.
var expressions = map[string][]string{
	// Sounds that a voice makes beside words.
	"laugh":        {"laughs", "laughing", "laughter", "laughs softly", "laughs harder", "starts laughing"},
	"chuckle":      {"chuckles", "chuckling"},
	"giggle":       {"giggles", "giggling"},
	"sigh":         {"sighs", "sighing"},
	"breath":       {"breathe", "breathes", "breathing", "deep breath", "takes a breath", "takes a deep breath"},
	"inhale":       {"inhales", "inhales deeply"},
	"exhale":       {"exhales", "exhales sharply"},
	"gasp":         {"gasps", "gasping"},
	"cough":        {"coughs", "coughing"},
	"clear throat": {"clears throat", "clearing throat", "throat clearing", "clears his throat", "clears her throat"},
	"groan":        {"groans", "groaning", "moan", "moans"},
	"sniff":        {"sniffs", "sniffing", "sniffle", "sniffles"},
	"snort":        {"snorts", "snorting"},
	"shush":        {"shushes", "shushing"},
	"yawn":         {"yawns", "yawning"},
	"sneeze":       {"sneezes", "sneezing"},
	"gulp":         {"gulps", "swallows"},
	"crying":       {"cry", "cries", "sob", "sobs", "sobbing"},
	"scream":       {"screams", "screaming"},
	"hum":          {"hums", "humming"},
	"sing":         {"sings", "singing"},
	"applause":     {"clapping", "claps"},
	// Manners of speaking.
	"whisper":       {"whispers", "whispering", "whispered"},
	"shout":         {"shouts", "shouting", "yells", "yelling"},
	"angry":         {"angrily", "anger"},
	"sad":           {"sadly", "sadness", "sorrowful"},
	"happy":         {"happily", "happiness", "cheerful", "cheerfully"},
	"fear":          {"fearful", "afraid", "scared"},
	"surprised":     {"surprise"},
	"excited":       {"excitedly", "excitement"},
	"sarcastic":     {"sarcastically", "sarcasm"},
	"dramatic":      {"dramatically"},
	"curious":       {"curiously"},
	"nervous":       {"nervously"},
	"calm":          {"calmly"},
	"tired":         {"tiredly"},
	"playful":       {"playfully", "mischievously"},
	"serious":       {"seriously"},
	"narration":     nil,
	"advertisement": nil,
	"frustrated":    nil,
	"annoyed":       nil,
	"disappointed":  nil,
	"thoughtful":    nil,
	"impressed":     nil,
	"delighted":     nil,
}
