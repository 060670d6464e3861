package httpapi

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/transcribe"
)

// routes registers all routes of the API.
func (a *API) routes() {
	get(a, "/health", "health", "Server health", a.health, open)
	a.file("/events", "events", "Changes as server-sent events", a.events, eventStream,
		describe("Named events `model`, `generation`, `profile`, `draft`, `pronunciation`, `script`, `history`, `transcription`, `recording`, `hosted`, `settings`, `export`; each names what to read again. "+
			"A `script` event has the status `joined` or `failed` when its file was joined or could not be, otherwise no status. `export` has the progress of an export that was given an id, with the status `exporting`, "+
			"`complete`, `failed` or `cancelled`."))

	if a.opts.Audio != nil {
		a.file("/audio/{id}", "audio", "Audio of a generation, a script or a transcript", a.audio, audioFile,
			queryParam("exp", "when the signature expires, in Unix seconds"), queryParam("sig", "the signature"),
			describe("Accepts the token, or `exp` and `sig` as in `audio_url`. Supports Range and HEAD."))
	}
	a.speechRoutes()
	a.profileRoutes()
	a.historyRoutes()
	a.transcriptionRoutes()
	a.openAIRoutes()
	a.draftRoutes()
	a.pronunciationRoutes()
	a.dictationRoutes()
	a.hostedLoginRoutes()
	a.modelRoutes()
	a.recordingRoutes()
	a.hostedRoutes()
	a.systemRoutes()
	a.describeForward()
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
	post(a, "/generate", "generate", "Generate speech from a text", a.generate, accepts("Generation"))
	post(a, "/generate/stream", "generate-stream", "Generate speech and stream it while it is generated", a.stream, returnsFile("audio/wav", "audio/pcm"))
	get(a, "/generate/{generation_id}", "generation-state", "Generation progress", a.generation)
	a.file("/generate/{generation_id}/events", "generation-events", "Generation progress as server-sent events",
		a.generationEvents, eventStream)
	get(a, "/generate/{generation_id}/live", "generation-live", "Audio of a running generation while it is made", a.live, returnsFile("audio/pcm"), returnsNothing("There is no more: the generation is complete, and at `audio_url`"),
		describe("16-bit little-endian samples of the rate and channels in X-Sample-Rate and X-Channels, from `from` on, until the "+
			"generation ends. Of one whose text is changed it is the new version, up to the first passage that is not made yet; X-New-From says "+
			"where its first new passage begins, in seconds. Of one that was stopped or failed it is what is finished, up to the first passage "+
			"that is missing. Of a complete one: 204. Of others: 409 `not_in_progress`."))
	get(a, "/generate/{generation_id}/live/peaks", "generation-live-peaks", "Peaks of a running generation for a waveform", a.livePeaks)
	post(a, "/generate/{generation_id}/cancel", "cancel-generation", "Cancel a generation", a.cancelGeneration)
	post(a, "/generate/{generation_id}/stop", "stop-generation", "Stop a generation, and store its finished chunks for a retry", a.stopGeneration)
	post(a, "/generate/{generation_id}/retry", "retry-generation", "Retry a failed or cancelled generation", a.retryGeneration, status(http.StatusAccepted))
	post(a, "/generate/{generation_id}/regenerate", "regenerate", "Regenerate a text as a new generation", a.regenerate, status(http.StatusAccepted))
	post(a, "/generate/{generation_id}/chunks/{n}/regenerate", "regenerate-chunk", "Regenerate one chunk as a new take", a.regenerateChunk)
	post(a, "/generate/{generation_id}/revise", "revise", "Change the text of a generation; only new passages are spoken", a.revise, status(http.StatusAccepted))
	post(a, "/generate/{generation_id}/revise/undo", "undo-revise", "Undo the last change of the text of a generation", a.undoRevise)
	post(a, "/generate/{generation_id}/level", "level", "Level the audio of a generation again", a.level)
	post(a, "/text/preview", "text-preview", "Preview how a text will be spoken", a.textPreview)
	post(a, "/batch/parse", "batch-parse", "Read a list of texts from a CSV, JSONL or text file", a.batchParse,
		upload(maxListBytes+formOverhead), describe("Nothing is stored or spoken; a row that cannot be spoken has a problem."))
	a.scriptRoutes()
	if a.opts.Uploads != nil {
		post(a, "/text/extract", "text-extract", "Extract the text of a file", a.textExtract,
			upload(extract.MaxFile+formOverhead), describe("Reads "+extract.EndingList()+" files; PDF files need pdftotext on this machine. "+
				"`notes` name each part of the file that was left out or changed."))
	}
}

func (a *API) scriptRoutes() {
	post(a, "/script", "script", "Generate speech in several voices", a.script, accepts("Script"))
	get(a, "/scripts", "scripts", "List the scripts, newest first", a.scripts)
	get(a, "/scripts/{script_id}", "stored-script", "Get a script with its turns", a.storedScript)
	put(a, "/scripts/{script_id}", "revise-script", "Change a script: only new and changed turns are generated", a.reviseScript,
		status(http.StatusAccepted), describe("Equal turns keep their audio whatever their place. The script and its file stay as they are "+
			"until the new file is there, also when a turn fails. `turns` are those of the new version."))
	post(a, "/scripts/{script_id}/revise/undo", "undo-script", "Return to the version before the last change", a.undoScript)
	post(a, "/scripts/{script_id}/join", "join-script", "Join the turns of a script again", a.joinScript)
	a.file("/scripts/{script_id}/export", "export-script", "Export a script as audio or subtitles", a.exportScript, audioFile,
		queryParam("format", "absent: wav", backend.ExportFormats()...), exportParams)
	del(a, "/scripts/{script_id}", "delete-script", "Delete a script; its turns stay in the history", a.deleteScript)
}

func (a *API) profileRoutes() {
	if a.opts.Profiles == nil {
		return
	}
	get(a, "/profiles", "profiles", "List voice profiles", a.profiles)
	post(a, "/profiles", "create-profile", "Create a voice profile", a.createProfile)
	post(a, "/profiles/import", "import-profile", "Import a voice profile", a.importProfile,
		upload(maxProfileFile), status(http.StatusCreated))
	post(a, "/profiles/restore-presets", "restore-presets", "Restore deleted preset profiles", a.restorePresets)
	get(a, "/profiles/{profile_id}", "profile", "Get a voice profile", a.profile)
	put(a, "/profiles/{profile_id}", "update-profile", "Update a voice profile", a.updateProfile)
	del(a, "/profiles/{profile_id}", "delete-profile", "Delete a voice profile with its samples; its history stays", a.deleteProfile)
	post(a, "/profiles/{profile_id}/duplicate", "duplicate-profile", "Duplicate a voice profile", a.duplicateProfile)
	post(a, "/profiles/{profile_id}/similarity", "profile-similarity", "Compare a cloned voice with its samples by listening to it; nothing is recorded", a.similarity)
	get(a, "/profiles/{profile_id}/export", "export-profile", "Export a voice profile with its samples as a zip file", a.exportProfile, returnsFile("application/zip"))
	a.file("/profiles/{profile_id}/preview", "preview-profile", "Preview a voice; nothing is recorded", a.previewProfile, returnsFile("audio/wav"))
	a.sampleRoutes()
}

func (a *API) historyRoutes() {
	if a.opts.Store == nil {
		return
	}
	get(a, "/history", "history", "List or search the history, newest first", a.history)
	get(a, "/history/stats", "history-stats", "History statistics", a.historyStats)
	get(a, "/history/storage", "history-storage", "Disk space used by the history", a.historyStorage)
	get(a, "/history/export", "export-history-index", "Export the list of the history as CSV or JSON", a.exportIndex, returnsFile("text/csv", "application/json"))
	del(a, "/exports/{export_id}", "cancel-export", "Cancel an export that was given an id", a.cancelExport)
	post(a, "/history/export", "export-history", "Export several generations as a zip file", a.exportMany, returnsFile("application/zip"))
	post(a, "/history/delete", "delete-history", "Delete several generations", a.deleteMany)
	post(a, "/history/favorite", "favorite-history", "Add several generations to the favourites, or remove them", a.favoriteMany)
	post(a, "/history/verify", "verify-history", "Listen to several generations with a transcription model", a.verifyMany, status(http.StatusAccepted))
	get(a, "/history/{generation_id}", "history-item", "Get a generation", a.generation)
	patch(a, "/history/{generation_id}", "patch-history-item", "Change title, favourite or takes", a.patchHistory)
	del(a, "/history/{generation_id}", "delete-history-item", "Delete a generation with its audio", a.deleteHistory)
	get(a, "/history/{generation_id}/peaks", "history-peaks", "Peaks of the audio for a waveform", a.historyPeaks)
	get(a, "/history/{generation_id}/chunks/{n}/takes", "takes", "List the takes of a chunk, with peaks for waveforms", a.chunkTakes)
	a.file("/history/{generation_id}/chunks/{n}/takes/{take}", "take", "Audio of one take of a chunk",
		a.takeAudio, returnsFile("audio/wav"))
	a.file("/history/{generation_id}/export", "export-history-item", "Export a generation as audio or subtitles", a.exportOne, audioFile,
		queryParam("format", "absent: the format of the generation", backend.ExportFormats()...), exportParams)
}

// maxUpload is the maximum size of an uploaded recording in bytes: more than a day of audio in most formats.
const maxUpload = 8 << 30

func (a *API) transcriptionRoutes() {
	if a.opts.Transcriptions == nil || a.opts.Store == nil {
		return
	}
	post(a, "/transcriptions", "transcribe", "Transcribe a file, a recording or a generation", a.createTranscription,
		a.acceptForm(maxUpload, "TranscriptionRequest"), accepts("Transcript"),
		describe("A form with the recording as the part `file`, of at most 8 GiB and of any kind that ffmpeg reads, or JSON. "+
			"The fields are the same; in a form `timestamps` may be repeated."))
	get(a, "/transcriptions", "transcriptions", "List or search the transcripts, newest first", a.transcriptions)
	if a.opts.Models != nil && a.opts.Speech != nil {
		get(a, "/transcriptions/model", "transcription-model", "Get the model that a transcription would use", a.transcriptionModel,
			describe("Where neither the request nor the user's settings name one, an installed model takes the place of a missing default."))
	}
	get(a, "/transcriptions/{transcript_id}", "transcript", "Get a transcript", a.storedTranscript)
	patch(a, "/transcriptions/{transcript_id}", "patch-transcript", "Change title, texts or speakers", a.patchTranscript)
	del(a, "/transcriptions/{transcript_id}", "delete-transcript", "Delete a transcript with its audio", a.deleteTranscript)
	a.file("/transcriptions/{transcript_id}/events", "transcript-events", "Progress of a transcription as server-sent events",
		a.transcriptEvents, eventStream)
	post(a, "/transcriptions/{transcript_id}/cancel", "cancel-transcription", "Cancel a transcription or a rerun", a.cancelTranscription)
	post(a, "/transcriptions/{transcript_id}/undo", "undo-transcript", "Undo the last edit or rerun", a.undoTranscript)
	post(a, "/transcriptions/{transcript_id}/rerun", "rerun-transcription", "Transcribe a part or all again", a.rerunTranscription,
		accepts("Transcript"), describe("A failed transcription is repeated from the start; so is a cancelled one whose audio is still stored."))
	get(a, "/transcriptions/{transcript_id}/peaks", "transcript-peaks", "Peaks of the audio for a waveform", a.transcriptPeaks)
	a.file("/transcriptions/{transcript_id}/export", "export-transcript", "Export a transcript", a.exportTranscript,
		returnsFile("text/plain", "application/x-subrip", "text/vtt", jsonType, "text/markdown"),
		queryParam("format", "absent: txt", backend.TranscriptFormats()...),
		queryParam("layout", "of srt and vtt: by the rules of subtitles, or a cue for each segment; absent: subtitles", transcribe.Layouts()...))
}

func (a *API) draftRoutes() {
	if a.opts.Store == nil {
		return
	}
	get(a, "/drafts", "drafts", "List drafts, last changed first", a.drafts,
		describe("A page ends after `limit` drafts or 8 MB of content, whichever comes first."))
	post(a, "/drafts", "create-draft", "Create a draft", a.createDraft)
	get(a, "/drafts/{draft_id}", "draft", "Get a draft", a.draft)
	put(a, "/drafts/{draft_id}", "update-draft", "Update a draft", a.updateDraft,
		describe("With `if_updated_at`, a draft that has changed since is not updated: 409 `draft_changed`, whose params are its "+
			"current `name` and `updated_at`."))
	del(a, "/drafts/{draft_id}", "delete-draft", "Delete a draft", a.deleteDraft)
}

func (a *API) pronunciationRoutes() {
	if a.opts.Store == nil {
		return
	}
	get(a, "/pronunciations", "pronunciations", "List or search pronunciations, A to Z", a.pronunciations)
	post(a, "/pronunciations", "create-pronunciation", "Add a pronunciation", a.createPronunciation)
	get(a, "/pronunciations/export", "export-pronunciations", "Export the pronunciations as CSV or JSON", a.exportPronunciations,
		returnsFile("text/csv", "application/json"))
	post(a, "/pronunciations/import", "import-pronunciations", "Import pronunciations, replacing existing ones", a.importPronunciations,
		dictionaryBody, upload(maxDictionaryBytes), status(http.StatusCreated),
		describe("CSV with the columns word, respelling and language, named in the first line or in this order, or a JSON list. "+
			"Invalid lines are listed in the response; all others are imported."))
	get(a, "/pronunciations/{pronunciation_id}", "pronunciation", "Get a pronunciation", a.pronunciation)
	put(a, "/pronunciations/{pronunciation_id}", "update-pronunciation", "Update a pronunciation", a.updatePronunciation)
	del(a, "/pronunciations/{pronunciation_id}", "delete-pronunciation", "Delete a pronunciation", a.deletePronunciation)
}

func (a *API) systemRoutes() {
	if a.opts.Backup != nil {
		get(a, "/backup", "backup", "Back up the library as a zip file", a.backup, returnsFile("application/zip"),
			describe("A consistent copy of the database with the settings, the list of models and the audio; no models, no secrets. "+
				"`voicewright restore FILE` reads it. If the connection breaks off before the end, the file is not a backup."))
	}
	if a.opts.System == nil {
		return
	}
	get(a, "/system", "system", "System information", a.system)
	get(a, "/settings", "settings", "Get all settings", a.settings)
	put(a, "/settings", "put-settings", "Change settings", a.putSettings)
}
