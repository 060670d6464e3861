package desktop

import (
	"fmt"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// phrases are the words of what the system draws around the page: menu, dialogs, notifications. The page has its own.
type phrases struct {
	file, newDraft, openText, settings, quit string
	view, reload, zoomIn, zoomOut, zoomReset string
	help, guide, shortcuts                   string

	running                       string // behind the title of a window onto another program's server
	saveAudio, saveFile           string
	openTextTitle                 string
	chooseModels, chooseImport    string
	textFiles, soundFiles         string
	busy, keepWorking, quitAnyway string
	speaking, downloading         string // counted
	speechReady, speechFailed     string
	modelReady, modelFailed       string
	seeApp                        string
}

// phrasesOf gives the words in a language (BCP 47): German, else English.
func phrasesOf(language string) phrases {
	if backend.BaseLanguage(language) == "de" {
		return germanPhrases()
	}
	return englishPhrases()
}

func englishPhrases() phrases {
	return phrases{
		file: "File", newDraft: "New draft", openText: "Open text file…", settings: "Settings",
		quit: "Quit", view: "View", reload: "Reload", zoomIn: "Zoom in", zoomOut: "Zoom out", zoomReset: "Actual size",
		help: "Help", guide: "Voicewright Help", shortcuts: "Keyboard shortcuts",
		running: "running server", saveAudio: "Save audio", saveFile: "Save file", openTextTitle: "Open text file",
		chooseModels: "Choose the folder for models", chooseImport: "Choose files to import",
		textFiles: "Text, subtitles, books, PDF", soundFiles: "Audio and subtitles",
		busy: "Voicewright is still working (%s). Quit anyway?", keepWorking: "Keep working", quitAnyway: "Quit",
		speaking: "speech: %d", downloading: "downloads: %d",
		speechReady: "Your speech is ready", speechFailed: "Your speech failed",
		modelReady: "%s is downloaded", modelFailed: "The download of %s failed", seeApp: "Voicewright shows more.",
	}
}

func germanPhrases() phrases {
	return phrases{
		file: "Datei", newDraft: "Neuer Entwurf", openText: "Textdatei öffnen…",
		settings: "Einstellungen", quit: "Beenden", view: "Ansicht", reload: "Neu laden", zoomIn: "Vergrößern",
		zoomOut: "Verkleinern", zoomReset: "Originalgröße", help: "Hilfe", guide: "Hilfe zu Voicewright",
		shortcuts: "Tastenkürzel", running: "laufender Server", saveAudio: "Audio sichern",
		saveFile: "Datei sichern", openTextTitle: "Textdatei öffnen",
		chooseModels: "Ordner für Modelle wählen", chooseImport: "Dateien zum Importieren wählen",
		textFiles: "Text, Untertitel, Bücher, PDF", soundFiles: "Audio und Untertitel",
		busy: "Voicewright arbeitet noch (%s). Trotzdem beenden?", keepWorking: "Weiterarbeiten", quitAnyway: "Beenden",
		speaking: "Sprache: %d", downloading: "Downloads: %d",
		speechReady: "Die Sprachausgabe ist fertig", speechFailed: "Die Sprachausgabe ist gescheitert",
		modelReady: "%s ist geladen", modelFailed: "Der Download von %s ist gescheitert", seeApp: "Mehr zeigt Voicewright.",
	}
}

// question asks whether to quit while work goes on; "" when nothing does.
func (p phrases) question(speaking, downloading int) string {
	var parts []string
	if speaking > 0 {
		parts = append(parts, fmt.Sprintf(p.speaking, speaking))
	}
	if downloading > 0 {
		parts = append(parts, fmt.Sprintf(p.downloading, downloading))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf(p.busy, strings.Join(parts, ", "))
}

// notice is the headline of a notification about a job that ended. Texts are not in it: others may see the screen.
func (p phrases) notice(f *finished) string {
	switch {
	case f.kind == downloadJob && f.failed:
		return fmt.Sprintf(p.modelFailed, f.name)
	case f.kind == downloadJob:
		return fmt.Sprintf(p.modelReady, f.name)
	case f.failed:
		return p.speechFailed
	default:
		return p.speechReady
	}
}

// title is the title of the window.
func (p phrases) title(running bool) string {
	if running {
		return "Voicewright (" + p.running + ")"
	}
	return "Voicewright"
}
