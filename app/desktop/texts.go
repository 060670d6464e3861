package desktop

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// texts are the texts in the parts of the window that the system draws: menu, dialogs, notifications. The page has its own.
type texts struct {
	file, newDraft, openText, settings, quit string
	view, reload, zoomIn, zoomOut, zoomReset string
	help, guide, shortcuts                   string
	edit, undo, redo, cut, copy, paste       string
	pastePlain, selectAll                    string
	show, readClipboard, dictate             string // in the tray

	running                       string // in the title of a window that uses a server of another process
	saveAudio, saveFile           string
	openTextTitle                 string
	chooseModels, chooseImport    string
	textFiles, audioFiles         string
	busy, keepWorking, quitAnyway string
	generations, downloads        string // with a number
	speechReady, speechFailed     string
	modelReady, modelFailed       string
	seeApp                        string

	webViewTitle, webViewNeeded, webViewCrashed string // on Windows; the version follows webViewNeeded
}

// textsFor returns the texts in a language (BCP 47): German, else English.
func textsFor(language string) texts {
	if backend.BaseLanguage(language) == "de" {
		return germanTexts()
	}
	return englishTexts()
}

func englishTexts() texts {
	return texts{
		file: "File", newDraft: "New draft", openText: "Open text file…", settings: "Settings",
		quit: "Quit", view: "View", reload: "Reload", zoomIn: "Zoom in", zoomOut: "Zoom out", zoomReset: "Actual size",
		help: "Help", guide: "Voicewright Help", shortcuts: "Keyboard shortcuts",
		edit: "Edit", undo: "Undo", redo: "Redo", cut: "Cut", copy: "Copy", paste: "Paste",
		pastePlain: "Paste without formatting", selectAll: "Select all",
		show: "Show Voicewright", readClipboard: "Read the clipboard aloud", dictate: "Dictate",
		running: "running server", saveAudio: "Save audio", saveFile: "Save file", openTextTitle: "Open text file",
		chooseModels: "Choose the folder for models", chooseImport: "Choose files to import",
		textFiles: "Text, subtitles, books, PDF", audioFiles: "Audio and subtitles",
		busy: "Voicewright is still working (%s). Quit anyway?", keepWorking: "Keep working", quitAnyway: "Quit",
		generations: "speech: %d", downloads: "downloads: %d",
		speechReady: "Your speech is ready", speechFailed: "Speech generation failed",
		modelReady: "%s has been downloaded", modelFailed: "Downloading %s failed", seeApp: "Open Voicewright for details.",
		webViewTitle: "Voicewright needs WebView2",
		webViewNeeded: "The window needs Microsoft Edge WebView2, which is missing on this computer or too old. Click OK to open " +
			"Microsoft’s page, choose “Download” there under “Evergreen Bootstrapper”, open the file, and start Voicewright again.\n\n" +
			"Version needed, or newer: ",
		webViewCrashed: "Microsoft Edge WebView2 has crashed. Start Voicewright again.",
	}
}

func germanTexts() texts {
	return texts{
		file: "Datei", newDraft: "Neuer Entwurf", openText: "Textdatei öffnen…",
		settings: "Einstellungen", quit: "Beenden", view: "Ansicht", reload: "Neu laden", zoomIn: "Vergrößern",
		zoomOut: "Verkleinern", zoomReset: "Originalgröße", help: "Hilfe", guide: "Hilfe zu Voicewright",
		edit: "Bearbeiten", undo: "Rückgängig", redo: "Wiederholen", cut: "Ausschneiden", copy: "Kopieren", paste: "Einfügen",
		pastePlain: "Ohne Formatierung einfügen", selectAll: "Alles auswählen",
		show: "Voicewright zeigen", readClipboard: "Zwischenablage vorlesen", dictate: "Diktieren",
		shortcuts: "Tastenkürzel", running: "laufender Server", saveAudio: "Audio speichern",
		saveFile: "Datei speichern", openTextTitle: "Textdatei öffnen",
		chooseModels: "Ordner für Modelle wählen", chooseImport: "Dateien zum Importieren wählen",
		textFiles: "Text, Untertitel, Bücher, PDF", audioFiles: "Audio und Untertitel",
		busy: "Voicewright arbeitet noch (%s). Trotzdem beenden?", keepWorking: "Weiterarbeiten", quitAnyway: "Beenden",
		generations: "Sprachausgabe: %d", downloads: "Downloads: %d",
		speechReady: "Die Sprachausgabe ist fertig", speechFailed: "Die Sprachausgabe ist fehlgeschlagen",
		modelReady: "%s wurde heruntergeladen", modelFailed: "%s konnte nicht heruntergeladen werden",
		seeApp:       "Einzelheiten zeigt Voicewright.",
		webViewTitle: "Voicewright braucht WebView2",
		webViewNeeded: "Das Fenster braucht Microsoft Edge WebView2. Es fehlt auf diesem Rechner oder ist zu alt. Klicke auf OK, um die " +
			"Seite von Microsoft zu öffnen, wähle dort bei „Evergreen Bootstrapper“ den Download, öffne die Datei und starte Voicewright neu.\n\n" +
			"Benötigte Version, oder neuer: ",
		webViewCrashed: "Microsoft Edge WebView2 ist abgestürzt. Starte Voicewright neu.",
	}
}

// quitQuestion returns the question whether to quit with running jobs, "" without any.
func (t texts) quitQuestion(generations, downloads int) string {
	var parts []string
	if generations > 0 {
		parts = append(parts, fmt.Sprintf(t.generations, generations))
	}
	if downloads > 0 {
		parts = append(parts, fmt.Sprintf(t.downloads, downloads))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf(t.busy, strings.Join(parts, ", "))
}

// notification returns the title of a notification about a job that ended. It contains no text of the user: others may see
// the screen.
func (t texts) notification(f *finished) string {
	switch {
	case f.kind == downloadJob && f.failed:
		return fmt.Sprintf(t.modelFailed, f.name)
	case f.kind == downloadJob:
		return fmt.Sprintf(t.modelReady, f.name)
	case f.failed:
		return t.speechFailed
	default:
		return t.speechReady
	}
}

// title returns the title of the window with that of the page, "" before it is loaded.
func (t texts) title(page string, running bool) string {
	title := cmp.Or(page, "Voicewright")
	if running {
		title += " (" + t.running + ")"
	}
	return title
}
