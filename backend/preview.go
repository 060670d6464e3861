package backend

// PreviewSentence returns the sentence in which a voice introduces itself in a language, English if there is none.
func PreviewSentence(language string) string {
	switch BaseLanguage(language) {
	case "de":
		return "Hallo. So klinge ich, wenn ich deinen Text spreche."
	case "fr":
		return "Bonjour. Voici ma voix quand je lis votre texte."
	case "es":
		return "Hola. Así sueno cuando leo tu texto."
	case "it":
		return "Ciao. Ecco la mia voce quando leggo il tuo testo."
	case "pt":
		return "Olá. É assim que eu soo quando leio o seu texto."
	case "nl":
		return "Hallo. Zo klink ik als ik je tekst voorlees."
	case "pl":
		return "Dzień dobry. Tak brzmię, gdy czytam twój tekst."
	case "uk":
		return "Вітаю. Так я звучу, коли читаю ваш текст."
	case "ru":
		return "Здравствуйте. Так я звучу, когда читаю ваш текст."
	default:
		return "Hello. This is how I sound when I speak your text."
	}
}
