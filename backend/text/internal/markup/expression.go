package markup

import "strings"

// longestExpression bounds the search for the closing bracket, in bytes.
const longestExpression = 40

// readExpression reads a mark of expression at the beginning of s: a known name in square or angle brackets, such as
// [laughs], <laugh> or </whisper>. Case does not matter; _ and - stand for a space. Other brackets are text.
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
	ending := strings.HasPrefix(form, "/")
	name := ExpressionName(strings.Trim(form, "/"))
	switch {
	case name == "":
		return Markup{}, false
	case ending:
		return Markup{Kind: Inline, Name: name, Size: end + 1}, true
	}
	return Markup{Kind: Expression, Name: name, Size: end + 1}, true
}

// ExpressionName returns the name that all forms of an expression share, empty for other texts. The list is that of
// the engines (Chatterbox, Supertonic) and of the hosted service, with the forms that people write.
func ExpressionName(form string) string {
	form = strings.Join(strings.FieldsFunc(strings.ToLower(form), func(r rune) bool { return r == ' ' || r == '_' || r == '-' }), " ")
	if name := sound(form); name != "" {
		return name
	}
	return mood(form)
}

// sound names the sounds that a voice makes beside words.
func sound(form string) string {
	switch form {
	case "laugh", "laughs", "laughing", "laughter", "laughs softly", "laughs harder", "starts laughing":
		return "laugh"
	case "chuckle", "chuckles", "chuckling":
		return "chuckle"
	case "giggle", "giggles", "giggling":
		return "giggle"
	case "sigh", "sighs", "sighing":
		return "sigh"
	case "breath", "breathe", "breathes", "breathing", "deep breath", "takes a breath", "takes a deep breath":
		return "breath"
	case "inhale", "inhales", "inhales deeply":
		return "inhale"
	case "exhale", "exhales", "exhales sharply":
		return "exhale"
	case "gasp", "gasps", "gasping":
		return "gasp"
	case "cough", "coughs", "coughing":
		return "cough"
	case "clear throat", "clears throat", "clearing throat", "throat clearing", "clears his throat", "clears her throat":
		return "clear throat"
	case "groan", "groans", "groaning", "moan", "moans":
		return "groan"
	case "sniff", "sniffs", "sniffing", "sniffle", "sniffles":
		return "sniff"
	case "snort", "snorts", "snorting":
		return "snort"
	case "shush", "shushes", "shushing":
		return "shush"
	case "yawn", "yawns", "yawning":
		return "yawn"
	case "sneeze", "sneezes", "sneezing":
		return "sneeze"
	case "gulp", "gulps", "swallows":
		return "gulp"
	case "cry", "cries", "crying", "sob", "sobs", "sobbing":
		return "crying"
	case "scream", "screams", "screaming":
		return "scream"
	case "hum", "hums", "humming":
		return "hum"
	case "sing", "sings", "singing":
		return "sing"
	case "applause", "clapping", "claps":
		return "applause"
	}
	return ""
}

// mood names the manners of speaking.
func mood(form string) string {
	switch form {
	case "whisper", "whispers", "whispering", "whispered":
		return "whisper"
	case "shout", "shouts", "shouting", "yells", "yelling":
		return "shout"
	case "angry", "angrily", "anger":
		return "angry"
	case "sad", "sadly", "sadness", "sorrowful":
		return "sad"
	case "happy", "happily", "happiness", "cheerful", "cheerfully":
		return "happy"
	case "fear", "fearful", "afraid", "scared":
		return "fear"
	case "surprised", "surprise":
		return "surprised"
	case "excited", "excitedly", "excitement":
		return "excited"
	case "sarcastic", "sarcastically", "sarcasm":
		return "sarcastic"
	case "dramatic", "dramatically":
		return "dramatic"
	case "curious", "curiously":
		return "curious"
	case "nervous", "nervously":
		return "nervous"
	case "calm", "calmly":
		return "calm"
	case "tired", "tiredly":
		return "tired"
	case "playful", "playfully", "mischievously":
		return "playful"
	case "serious", "seriously":
		return "serious"
	case "narration", "advertisement", "frustrated", "annoyed", "disappointed", "thoughtful", "impressed", "delighted":
		return form
	}
	return ""
}
