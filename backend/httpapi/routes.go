package httpapi

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend/extract"
)

// routes is the whole table of the API.
func (a *API) routes() {
	get(a, "/health", "health", "Whether the server answers", a.health, open)
	a.file("/events", "events", "What changes, as server-sent events", a.events, eventStream,
		describe("Named events `model`, `generation`, `profile`, `draft`, `pronunciation`, `script`, `history`, `settings`; each says what to look at again. "+
			"A `script` has the status `joined` or `failed` when the work on its file has ended, also in the background, else none."))

	if a.opts.Audio != nil {
		a.file("/audio/{id}", "audio", "The sound of a generation or a script", a.audio, audioFile,
			takes("exp", "when the signature expires, in Unix seconds"), takes("sig", "the signature"),
			describe("Takes the token, or `exp` and `sig` as in `audio_url`. Answers Range and HEAD."))
	}
	a.speechRoutes()
	a.profileRoutes()
	a.historyRoutes()
	a.draftRoutes()
	a.pronunciationRoutes()
	a.modelRoutes()
	a.systemRoutes()
	a.mux.HandleFunc("GET /openapi.json", a.openapi)
	a.mux.HandleFunc("GET /docs", a.docs)
}

type healthOutput struct {
	Body struct {
		Status  string `json:"status" enum:"ok"`
		Version string `json:"version"`
	} `nameHint:"Health"`
}

func (a *API) health(context.Context, *struct{}) (*healthOutput, error) {
	out := &healthOutput{}
	out.Body.Status, out.Body.Version = "ok", a.opts.Version
	return out, nil
}

func (a *API) speechRoutes() {
	if a.opts.Speech == nil {
		return
	}
	post(a, "/generate", "generate", "Speak a text", a.generate, accepts("GenerationView"))
	post(a, "/generate/stream", "generate-stream", "Speak a text and hear it while it is made", a.stream, gives("audio/wav", "audio/pcm"))
	get(a, "/generate/{generation_id}", "generation-state", "How far a generation is", a.generation)
	a.file("/generate/{generation_id}/events", "generation-events", "A generation until it ends, as server-sent events",
		a.generationEvents, eventStream)
	post(a, "/generate/{generation_id}/cancel", "cancel-generation", "Cancel a generation", a.cancelGeneration)
	post(a, "/generate/{generation_id}/retry", "retry-generation", "Try a failed generation again", a.retryGeneration, status(http.StatusAccepted))
	post(a, "/generate/{generation_id}/regenerate", "regenerate", "Speak the same again as a new generation", a.regenerate, status(http.StatusAccepted))
	post(a, "/generate/{generation_id}/chunks/{n}/regenerate", "regenerate-chunk", "Speak one chunk again, as a new take", a.regenerateChunk)
	post(a, "/text/preview", "text-preview", "How a text will be spoken", a.textPreview)
	a.scriptRoutes()
	if a.opts.Extract != nil {
		post(a, "/text/extract", "text-extract", "The text of a file, to be spoken", a.textExtract,
			upload(extract.MaxFile+formOverhead), describe("PDF files need pdftotext on this machine."))
	}
}

func (a *API) scriptRoutes() {
	post(a, "/script", "script", "Speak a text in several voices", a.script, accepts("ScriptView"))
	get(a, "/scripts", "scripts", "List the scripts, newest first", a.scripts)
	get(a, "/scripts/{script_id}", "stored-script", "A script with its turns", a.storedScript)
	post(a, "/scripts/{script_id}/join", "join-script", "Make the file of a script again from its turns", a.joinScript)
	a.file("/scripts/{script_id}/export", "export-script", "The joined file of a script as audio or subtitles", a.exportScript, audioFile,
		takes("format", "absent: wav", exportFormats...))
	del(a, "/scripts/{script_id}", "delete-script", "Delete a script; its turns stay in the history", a.deleteScript)
}

func (a *API) profileRoutes() {
	if a.opts.Voices == nil {
		return
	}
	get(a, "/profiles", "profiles", "List the voice profiles", a.profiles)
	post(a, "/profiles", "create-profile", "Make a voice profile", a.createProfile)
	post(a, "/profiles/import", "import-profile", "Make a profile of an exported file", a.importProfile,
		upload(maxProfileFile), status(http.StatusCreated))
	post(a, "/profiles/restore-presets", "restore-presets", "Make deleted preset profiles again", a.restorePresets)
	get(a, "/profiles/{profile_id}", "profile", "A voice profile", a.profile)
	put(a, "/profiles/{profile_id}", "update-profile", "Change the given fields", a.updateProfile)
	del(a, "/profiles/{profile_id}", "delete-profile", "Delete a profile; its history stays", a.deleteProfile)
	post(a, "/profiles/{profile_id}/duplicate", "duplicate-profile", "Copy a profile", a.duplicateProfile)
	a.file("/profiles/{profile_id}/export", "export-profile", "A profile as a zip file", a.exportProfile, gives("application/zip"))
	a.file("/profiles/{profile_id}/preview", "preview-profile", "Hear a voice; nothing is recorded", a.previewProfile, gives("audio/wav"))
}

func (a *API) historyRoutes() {
	if a.opts.Library == nil {
		return
	}
	get(a, "/history", "history", "List or search the history, newest first", a.history)
	get(a, "/history/stats", "history-stats", "The history in numbers", a.historyStats)
	get(a, "/history/storage", "history-storage", "How much room the audio takes", a.historyStorage)
	get(a, "/history/export", "export-history-index", "The list of the history as CSV or JSON", a.exportIndex, gives("text/csv", "application/json"))
	post(a, "/history/export", "export-history", "Many generations as a zip file", a.exportMany, gives("application/zip"))
	post(a, "/history/delete", "delete-history", "Delete many generations", a.deleteMany)
	post(a, "/history/favorite", "favorite-history", "Mark many generations as favourites, or not", a.favoriteMany)
	get(a, "/history/{generation_id}", "history-item", "A generation", a.generation)
	patch(a, "/history/{generation_id}", "patch-history-item", "Change title, favourite mark or takes", a.patchHistory)
	del(a, "/history/{generation_id}", "delete-history-item", "Delete a generation with its audio", a.deleteHistory)
	get(a, "/history/{generation_id}/peaks", "history-peaks", "The shape of the sound for drawing", a.historyPeaks)
	a.file("/history/{generation_id}/chunks/{n}/takes/{take}", "take", "The sound of one take of a chunk, both from 0, chosen or not",
		a.takeAudio, gives("audio/wav"))
	a.file("/history/{generation_id}/export", "export-history-item", "A generation as audio or subtitles", a.exportOne, audioFile,
		takes("format", "absent: as it was made", exportFormats...))
}

func (a *API) draftRoutes() {
	if a.opts.Drafts == nil {
		return
	}
	get(a, "/drafts", "drafts", "List the drafts, the last changed first", a.drafts,
		describe("A part ends after `limit` drafts or 8 MB of content, whatever comes first."))
	post(a, "/drafts", "create-draft", "Keep a draft", a.createDraft)
	get(a, "/drafts/{draft_id}", "draft", "A draft", a.draft)
	put(a, "/drafts/{draft_id}", "update-draft", "Change the given fields", a.updateDraft,
		describe("With `if_updated_at` a draft that was changed meanwhile stays as it is: 409 `draft_changed`, whose params are its "+
			"`name` and `updated_at` now."))
	del(a, "/drafts/{draft_id}", "delete-draft", "Delete a draft", a.deleteDraft)
}

func (a *API) pronunciationRoutes() {
	if a.opts.Pronunciations == nil {
		return
	}
	get(a, "/pronunciations", "pronunciations", "List or search the dictionary, A to Z", a.pronunciations)
	post(a, "/pronunciations", "create-pronunciation", "Add a word to the dictionary", a.createPronunciation)
	get(a, "/pronunciations/export", "export-pronunciations", "The dictionary as CSV or JSON", a.exportPronunciations,
		gives("text/csv", "application/json"))
	post(a, "/pronunciations/import", "import-pronunciations", "Add a dictionary, in place of equal words", a.importPronunciations,
		dictionaryBody, upload(maxDictionaryBytes), status(http.StatusCreated),
		describe("CSV with the columns word, respelling and language, named in the first line or in this order, or a JSON list. "+
			"Lines that are not acceptable are named in the answer; all others count."))
	get(a, "/pronunciations/{pronunciation_id}", "pronunciation", "A word of the dictionary", a.pronunciation)
	put(a, "/pronunciations/{pronunciation_id}", "update-pronunciation", "Change the given fields", a.updatePronunciation)
	del(a, "/pronunciations/{pronunciation_id}", "delete-pronunciation", "Delete a word from the dictionary", a.deletePronunciation)
}

func (a *API) systemRoutes() {
	if a.opts.Backup != nil {
		get(a, "/backup", "backup", "The whole library as a zip file", a.backup, gives("application/zip"),
			describe("Database with the settings, list of models and audio, as they are together at one moment; no models, no secrets. "+
				"`voicewright restore FILE` reads it. A connection that breaks off before the end has brought no backup."))
	}
	if a.opts.System == nil {
		return
	}
	get(a, "/system", "system", "What this machine has", a.system)
	get(a, "/settings", "settings", "All settings with their values", a.settings)
	put(a, "/settings", "put-settings", "Change settings", a.putSettings)
}
