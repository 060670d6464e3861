// Made by npm run gen:api; do not edit.
export interface paths {
    "/api/v1/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Forward to the hosted service
         * @description The paths of the hosted API go to the service at `hosted.base_url` with the stored API key, or with the sign-in (for `/api/v1/user/api-keys`, or where there is no key). The header `X-Voicewright-Auth: key` or `jwt` chooses one. Answers come back unchanged.
         */
        get: operations["hosted-api-get"];
        put?: never;
        /**
         * Forward to the hosted service
         * @description The paths of the hosted API go to the service at `hosted.base_url` with the stored API key, or with the sign-in (for `/api/v1/user/api-keys`, or where there is no key). The header `X-Voicewright-Auth: key` or `jwt` chooses one. Answers come back unchanged.
         */
        post: operations["hosted-api-post"];
        /**
         * Forward to the hosted service
         * @description The paths of the hosted API go to the service at `hosted.base_url` with the stored API key, or with the sign-in (for `/api/v1/user/api-keys`, or where there is no key). The header `X-Voicewright-Auth: key` or `jwt` chooses one. Answers come back unchanged.
         */
        delete: operations["hosted-api-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audio/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Audio of a generation, a script or a transcript
         * @description Accepts the token, or `exp` and `sig` as in `audio_url`. Supports Range and HEAD.
         */
        get: operations["audio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Back up the library as a zip file
         * @description A consistent copy of the database with the settings, the list of models and the audio; no models, no secrets. `voicewright restore FILE` reads it. If the connection breaks off before the end, the file is not a backup.
         */
        get: operations["backup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backup/size": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How large a backup would be */
        get: operations["backup-size"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batch/parse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a list of texts from a CSV, JSONL or text file
         * @description Nothing is stored or spoken; a row that cannot be spoken has a problem.
         */
        post: operations["batch-parse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the books, last changed first */
        get: operations["books"];
        put?: never;
        /**
         * Make a book of a file
         * @description A form with the part `file`: .txt, .fountain, .md, .markdown, .srt, .vtt, .html, .htm, .xhtml, .epub, .docx, .docm or .pdf, up to 500 MB for EPUB and Word files, up to 50 MB for others. Every word of the file is in `words`, kept or left out.
         */
        post: operations["create-book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a book with its chapters */
        get: operations["book"];
        put?: never;
        post?: never;
        /** Delete a book with its generations */
        delete: operations["delete-book"];
        options?: never;
        head?: never;
        /** Change details, options or depth */
        patch: operations["patch-book"];
        trace?: never;
    };
    "/books/{book_id}/chapters/{chapter_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a chapter with its text */
        get: operations["book-chapter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename or skip a chapter, or change its options */
        patch: operations["patch-book-chapter"];
        trace?: never;
    };
    "/books/{book_id}/chapters/{chapter_id}/blocks/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Replace the text of a block of a chapter */
        patch: operations["patch-book-block"];
        trace?: never;
    };
    "/books/{book_id}/chapters/{chapter_id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Join a chapter with the next one */
        post: operations["merge-book-chapters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/chapters/{chapter_id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move a chapter to another place */
        post: operations["move-book-chapter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/chapters/{chapter_id}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a chapter of the end of another one */
        post: operations["split-book-chapter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Words that may be spoken wrongly */
        get: operations["check-book"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/cover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The cover of a book
         * @description Accepts the token, or `exp` and `sig` as in `cover_url`.
         */
        get: operations["book-cover"];
        /**
         * Replace the cover of a book
         * @description A form with a JPEG or PNG picture of at most 20 MB as the part `file`.
         */
        put: operations["set-book-cover"];
        post?: never;
        /** Remove the cover of a book */
        delete: operations["delete-book-cover"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a book as m4b, or as a zip with a file for each chapter
         * @description m4b is one file, and a zip of parts for more than 24 hours; it needs ffmpeg. Each voice has one level over the whole book.
         */
        get: operations["export-book"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/export/size": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How large an exported book would be */
        get: operations["book-export-size"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate chapters, one after the other
         * @description Behind what else is generated. It goes on after a stop of the program; chapters that are done stay as they are. `accept_credits` is the price of `/quote`, where that asks for it.
         */
        post: operations["generate-book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/place": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Remember where somebody listens to a book
         * @description It is no change of the book: no event says it, and `updated_at` stays.
         */
        put: operations["set-book-place"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The price of generating chapters with hosted voices
         * @description Takes the body of `/generate`. Passages that are taken from earlier generations cost nothing, nor do local voices.
         */
        post: operations["quote-book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop generating a book; what is finished stays */
        post: operations["stop-book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo the last change of chapters, options, depth or text */
        post: operations["undo-book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{book_id}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the text of a book by that of a changed file
         * @description A form with the part `file`: .txt, .fountain, .md, .markdown, .srt, .vtt, .html, .htm, .xhtml, .epub, .docx, .docm or .pdf, up to 500 MB for EPUB and Word files, up to 50 MB for others. Chapters are matched by their content: only what changed is generated again. `undo` brings the text before back.
         */
        post: operations["update-book"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dictation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What dictation is doing */
        get: operations["dictation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dictation/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop dictating without a text */
        post: operations["cancel-dictation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dictation/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The text of the last dictation, which is in memory only */
        get: operations["last-dictation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dictation/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the microphone and dictate
         * @description Dictation is off until the setting `dictation.enabled` is true: 409 `dictation_off`. Where the transcription model is missing, the microphone stays closed: 409 `model_not_downloaded`.
         */
        post: operations["start-dictation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dictation/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop dictating and return the text */
        post: operations["stop-dictation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drafts, last changed first
         * @description A page ends after `limit` drafts or 8 MB of content, whichever comes first.
         */
        get: operations["drafts"];
        put?: never;
        /** Create a draft */
        post: operations["create-draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/drafts/{draft_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a draft */
        get: operations["draft"];
        /**
         * Update a draft
         * @description With `if_updated_at`, a draft that has changed since is not updated: 409 `draft_changed`, whose params are its current `name` and `updated_at`.
         */
        put: operations["update-draft"];
        post?: never;
        /** Delete a draft */
        delete: operations["delete-draft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes as server-sent events
         * @description Named events `model`, `generation`, `profile`, `draft`, `pronunciation`, `script`, `book`, `history`, `transcription`, `recording`, `speaker`, `hosted`, `settings`, `export`; each names what to read again. A `script` event has the status `joined` or `failed` when its file was joined or could not be, otherwise no status. `export` has the progress of an export that was given an id, with the status `exporting`, `complete`, `failed` or `cancelled`.
         */
        get: operations["events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/{export_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancel an export that was given an id */
        delete: operations["cancel-export"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generate speech from a text */
        post: operations["generate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Generation progress */
        get: operations["generation-state"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a generation */
        post: operations["cancel-generation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/chunks/{n}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Regenerate one chunk as a new take */
        post: operations["regenerate-chunk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Generation progress as server-sent events */
        get: operations["generation-events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/level": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Level the audio of a generation again */
        post: operations["level"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Audio of a running generation while it is made
         * @description 16-bit little-endian samples of the rate and channels in X-Sample-Rate and X-Channels, from `from` on, until the generation ends. Of one whose text is changed it is the new version, up to the first passage that is not made yet; X-New-From says where its first new passage begins, in seconds. Of one that was stopped or failed it is what is finished, up to the first passage that is missing. Of a complete one: 204. Of others: 409 `not_in_progress`.
         */
        get: operations["generation-live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/live/peaks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Peaks of a running generation for a waveform */
        get: operations["generation-live-peaks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Regenerate a text as a new generation */
        post: operations["regenerate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry a failed or cancelled generation */
        post: operations["retry-generation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/revise": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the text of a generation; only new passages are spoken */
        post: operations["revise"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/revise/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo the last change of the text of a generation */
        post: operations["undo-revise"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/{generation_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a generation, and store its finished chunks for a retry */
        post: operations["stop-generation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/generate/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generate speech and stream it while it is generated */
        post: operations["generate-stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Server health */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or search the history, newest first */
        get: operations["history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/{generation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a generation */
        get: operations["history-item"];
        put?: never;
        post?: never;
        /** Delete a generation with its audio */
        delete: operations["delete-history-item"];
        options?: never;
        head?: never;
        /** Change title, favourite or takes */
        patch: operations["patch-history-item"];
        trace?: never;
    };
    "/history/{generation_id}/chunks/{n}/takes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the takes of a chunk, with peaks for waveforms */
        get: operations["takes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/{generation_id}/chunks/{n}/takes/{take}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Audio of one take of a chunk */
        get: operations["take"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/{generation_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a generation as audio or subtitles */
        get: operations["export-history-item"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/{generation_id}/peaks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Peaks of the audio for a waveform */
        get: operations["history-peaks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete several generations */
        post: operations["delete-history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the list of the history as CSV or JSON */
        get: operations["export-history-index"];
        put?: never;
        /** Export several generations as a zip file */
        post: operations["export-history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/favorite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add several generations to the favourites, or remove them */
        post: operations["favorite-history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** History statistics */
        get: operations["history-stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Disk space used by the history */
        get: operations["history-storage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Listen to several generations with a transcription model */
        post: operations["verify-history"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/enhance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Insert audio tags into a text, or into the turns of a dialogue
         * @description Free. Long texts are sent in several requests. With the tags taken out, the words must equal those of the text; else the text is returned as it was, and `reason` says why. Pauses, respellings and SSML stay in their places.
         */
        post: operations["hosted-enhance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The first characters of the stored API key */
        get: operations["hosted-key"];
        /**
         * Store an API key
         * @description The key is not sent anywhere. It is used for the service whose address is set at the time.
         */
        put: operations["put-hosted-key"];
        /** Make an API key with the sign-in, and store it */
        post: operations["make-hosted-key"];
        /** Forget the API key; it is not revoked */
        delete: operations["delete-hosted-key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in to the hosted service in the browser
         * @description The address is also opened in the browser of this machine, if it has one. A sign-in ends after 2 minutes; a new one replaces it. `GET /hosted/status` and the event `hosted` say how it goes.
         */
        post: operations["hosted-login"];
        /** Cancel the sign-in that is in progress */
        delete: operations["cancel-hosted-login"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/login/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete the sign-in with the address at which the browser ended
         * @description For a browser on another machine, which cannot reach 127.0.0.1 of this one.
         */
        post: operations["finish-hosted-login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out of the hosted service; the API key stays */
        post: operations["hosted-logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models of the hosted service */
        get: operations["hosted-models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The price of a text with a hosted voice
         * @description Our markup is taken out before, pauses separate calls, and each call is rounded up. `credits` is null where the service's rate is not known.
         */
        get: operations["hosted-quote"];
        put?: never;
        /**
         * The price of a request to generate, or of a script
         * @description Takes the body of `/generate` or of `/script`. Local voices cost nothing.
         */
        post: operations["hosted-quote-request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account at the hosted service
         * @description Plan and credits that are older than 30 s are read again, for at most 5 s. Nothing is contacted before there is a sign-in or an API key.
         */
        get: operations["hosted-status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the connection to the hosted service
         * @description With an address other than the setting's, no credential is sent.
         */
        post: operations["hosted-test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the voices of the hosted service
         * @description The last list is kept, and shown while the service cannot be reached. One that is older than 10 minutes is shown at once and read again; the event `hosted` says when.
         */
        get: operations["hosted-voices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/voices/{voice}/favorite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Add a voice to the service's favourites, or remove it */
        put: operations["favorite-hosted-voice"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hosted/voices/{voice}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview of a hosted voice */
        get: operations["hosted-preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a model with its voices */
        get: operations["model"];
        put?: never;
        post?: never;
        /** Delete a downloaded model */
        delete: operations["delete-model"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/{name}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a download and delete its partial files */
        post: operations["cancel-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/{name}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Import the files of a listed model from disk */
        post: operations["fill-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a download */
        post: operations["pause-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a download */
        post: operations["resume-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/{name}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify the files of a model by their checksums */
        post: operations["verify-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/{name}/voices/{voice}/sample": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Published sample of a voice, also of a model that is not downloaded */
        get: operations["voice-sample"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List voices that can be registered */
        get: operations["model-catalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/directory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the models folder */
        get: operations["models-directory"];
        /** Move the models to another folder, or adopt one */
        put: operations["move-models-directory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start the download of a model, or join one that runs */
        post: operations["download-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Import a model from disk */
        post: operations["import-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/load": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Load a model into memory */
        post: operations["load-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/loaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List loaded models */
        get: operations["models-loaded"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/progress/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download progress as server-sent events
         * @description Unnamed messages whose data is a ModelProgress. The first is the current state. Only `complete` and `error` end the stream, so it may be opened before the download is started.
         */
        get: operations["model-progress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a model
         * @description Either {"catalogue":"piper","key":"en_US-amy-low"}, or an entry in the format of the registry.
         */
        post: operations["register-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List models */
        get: operations["models-status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models/unload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unload a model from memory */
        post: operations["unload-model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List voice profiles */
        get: operations["profiles"];
        put?: never;
        /** Create a voice profile */
        post: operations["create-profile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{profile_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a voice profile */
        get: operations["profile"];
        /** Update a voice profile */
        put: operations["update-profile"];
        post?: never;
        /** Delete a voice profile with its samples; its history stays */
        delete: operations["delete-profile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{profile_id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Duplicate a voice profile */
        post: operations["duplicate-profile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{profile_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a voice profile with its samples as a zip file */
        get: operations["export-profile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{profile_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview a voice; nothing is recorded */
        get: operations["preview-profile"];
        put?: never;
        /**
         * Hear a short text in a voice; nothing is recorded
         * @description A hosted voice answers with the preview of the service, which costs nothing.
         */
        post: operations["hear-profile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{profile_id}/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the samples of a profile, oldest first */
        get: operations["samples"];
        put?: never;
        /**
         * Add a recording of the voice of a cloned profile
         * @description A form with the recording as the part `file`, of at most 1 GiB and of any kind that ffmpeg reads, or JSON with `recording_id`. At most the first five minutes are read, of which 3 to 60 seconds may remain without the silence at both ends; else 422 `sample_rejected` with params reason (silent, no_speech, too_short, too_long, clipped) and seconds.
         */
        post: operations["add-sample"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{profile_id}/samples/{sample_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a sample and what was computed from it */
        delete: operations["delete-sample"];
        options?: never;
        head?: never;
        /** Change the transcript of a sample */
        patch: operations["patch-sample"];
        trace?: never;
    };
    "/profiles/{profile_id}/samples/{sample_id}/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Audio of a sample
         * @description Mono WAV. Accepts the token, or `exp` and `sig` as in `audio_url`. Supports Range and HEAD.
         */
        get: operations["sample-audio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{profile_id}/similarity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare a cloned voice with its samples by listening to it; nothing is recorded */
        post: operations["profile-similarity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Import a voice profile */
        post: operations["import-profile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/restore-presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore deleted preset profiles */
        post: operations["restore-presets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pronunciations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or search pronunciations, A to Z */
        get: operations["pronunciations"];
        put?: never;
        /** Add a pronunciation */
        post: operations["create-pronunciation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pronunciations/{pronunciation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a pronunciation */
        get: operations["pronunciation"];
        /** Update a pronunciation */
        put: operations["update-pronunciation"];
        post?: never;
        /** Delete a pronunciation */
        delete: operations["delete-pronunciation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pronunciations/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the pronunciations as CSV or JSON */
        get: operations["export-pronunciations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pronunciations/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import pronunciations, replacing existing ones
         * @description CSV with the columns word, respelling and language, named in the first line or in this order, or a JSON list. Invalid lines are listed in the response; all others are imported.
         */
        post: operations["import-pronunciations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record from a microphone
         * @description One recording runs at a time. It ends by itself after 4 hours. Audio that no transcript or voice has used is deleted at the first start after a day.
         */
        post: operations["start-recording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recordings/{recording_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a recording */
        get: operations["recording"];
        put?: never;
        post?: never;
        /** Delete a recording with its audio, also while it is running */
        delete: operations["delete-recording"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recordings/{recording_id}/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Audio of a recording
         * @description A WAV file, which can be read while it grows. Supports Range and HEAD.
         */
        get: operations["recording-audio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recordings/{recording_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Status and level as server-sent events
         * @description Each message is the recording with its level, at most 10 a second; the last one is stopped or failed.
         */
        get: operations["recording-events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recordings/{recording_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a recording */
        post: operations["pause-recording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recordings/{recording_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a paused recording */
        post: operations["resume-recording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recordings/{recording_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a recording */
        post: operations["stop-recording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recordings/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the microphones
         * @description Empty where there is no microphone or no sound system. Monitors of outputs are listed too where the sound system has them.
         */
        get: operations["recording-devices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a restore is being completed */
        get: operations["restore-state"];
        put?: never;
        /**
         * Check a backup before it is restored
         * @description The whole backup is checked and unpacked beside the library, which does not change. An earlier one is removed.
         */
        post: operations["check-backup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/restore/{restore_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the library with a checked backup
         * @description The program closes its library, moves it to the folder `before-restore` of the data directory, where it stays until the next restore, and opens the restored one. Running work is stopped. `GET /restore` answers again once that is done.
         */
        post: operations["restore"];
        /** Remove a checked backup that is not restored */
        delete: operations["discard-restore"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/samples/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a recording of a voice; nothing is stored
         * @description A form with the recording as the part `file`, of at most 1 GiB and of any kind that ffmpeg reads, or JSON with `recording_id`. At most the first five minutes are read, of which 3 to 60 seconds may remain without the silence at both ends; else 422 `sample_rejected` with params reason (silent, no_speech, too_short, too_long, clipped) and seconds.
         */
        post: operations["check-sample"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/script": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generate speech in several voices */
        post: operations["script"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scripts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the scripts, newest first */
        get: operations["scripts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scripts/{script_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a script with its turns */
        get: operations["stored-script"];
        /**
         * Change a script: only new and changed turns are generated
         * @description Equal turns keep their audio whatever their place. The script and its file stay as they are until the new file is there, also when a turn fails. `turns` are those of the new version.
         */
        put: operations["revise-script"];
        post?: never;
        /** Delete a script; its turns stay in the history */
        delete: operations["delete-script"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scripts/{script_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a script as audio or subtitles */
        get: operations["export-script"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scripts/{script_id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Join the turns of a script again */
        post: operations["join-script"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scripts/{script_id}/revise/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return to the version before the last change */
        post: operations["undo-script"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get all settings */
        get: operations["settings"];
        /** Change settings */
        put: operations["put-settings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/speakers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the known speakers by name
         * @description People whose voice prints are stored, so that later transcripts suggest their names. The prints are in no answer.
         */
        get: operations["speakers"];
        put?: never;
        /**
         * Store the voice print of a speaker of a transcript
         * @description The lines of the speaker are heard again, up to 60 seconds. A name that is known, ignoring case, gets a better print.
         */
        post: operations["remember-speaker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/speakers/{speaker_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a known speaker with the voice print */
        delete: operations["forget-speaker"];
        options?: never;
        head?: never;
        /** Rename a known speaker */
        patch: operations["patch-speaker"];
        trace?: never;
    };
    "/speakers/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Measure how well voices are told apart, with recordings of your own
         * @description The folder has a folder for each person. Nothing is stored.
         */
        post: operations["verify-speakers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** System information */
        get: operations["system"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/text/extract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extract the text of a file
         * @description Reads .txt, .fountain, .md, .markdown, .srt, .vtt, .html, .htm, .xhtml, .epub, .docx, .docm or .pdf files; PDF files need pdftotext on this machine. `notes` name each part of the file that was left out or changed.
         */
        post: operations["text-extract"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/text/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview how a text will be spoken */
        post: operations["text-preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or search the transcripts, newest first */
        get: operations["transcriptions"];
        put?: never;
        /**
         * Transcribe a file, a recording or a generation
         * @description A form with the recording as the part `file`, of at most 8 GiB and of any kind that ffmpeg reads, or JSON. The fields are the same; in a form `timestamps` may be repeated.
         */
        post: operations["transcribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions/{transcript_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a transcript */
        get: operations["transcript"];
        put?: never;
        post?: never;
        /** Delete a transcript with its audio */
        delete: operations["delete-transcript"];
        options?: never;
        head?: never;
        /** Change title, texts or speakers */
        patch: operations["patch-transcript"];
        trace?: never;
    };
    "/transcriptions/{transcript_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a transcription or a rerun */
        post: operations["cancel-transcription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions/{transcript_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Progress of a transcription as server-sent events */
        get: operations["transcript-events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions/{transcript_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a transcript */
        get: operations["export-transcript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions/{transcript_id}/peaks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Peaks of the audio for a waveform */
        get: operations["transcript-peaks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions/{transcript_id}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe a part or all again
         * @description A failed transcription is repeated from the start; so is a cancelled one whose audio is still stored.
         */
        post: operations["rerun-transcription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions/{transcript_id}/script": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a script of a transcript with speakers
         * @description As drafts of the page, which nobody has spoken yet: one, or more where it has over 200 turns or 200,000 characters. What a speaker says in a row is a turn.
         */
        post: operations["make-script"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions/{transcript_id}/segments/{segment_id}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cut a segment before a word */
        post: operations["split-segment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions/{transcript_id}/speakers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the speakers of a transcript
         * @description By its stored audio, without transcribing it again. With the mode off what was found is removed; channels makes the left channel of the source one speaker and the right one another. What a person set stays in any case.
         */
        post: operations["find-speakers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions/{transcript_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo the last edit or rerun */
        post: operations["undo-transcript"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transcriptions/model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the model that a transcription would use
         * @description Where neither the request nor the user's settings name one, an installed model takes the place of a missing default.
         */
        get: operations["transcription-model"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether this build can check for a new version */
        get: operations["updates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/updates/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check for a new version
         * @description Only this route connects to the address of `GET /updates`, and nothing calls it unasked. Nothing is downloaded or installed.
         */
        post: operations["check-updates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate speech, in OpenAI's shape
         * @description `model` is a model name, `espeak`, or one of OpenAI's names for the default; `voice` is the name or id of a profile, a voice of the model, or one of OpenAI's names for the default. pcm is 24 kHz 16-bit little-endian mono.
         */
        post: operations["openai-speech"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/transcriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe a file, in OpenAI's shape
         * @description A form with the part `file`, as OpenAI's clients send it. With `stream` the text comes as server-sent events.
         */
        post: operations["openai-transcription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/translations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Translate a file into English text, in OpenAI's shape
         * @description A form with the part `file`, as OpenAI's clients send it. With `stream` the text comes as server-sent events.
         */
        post: operations["openai-translation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the usable voices, as clients of OpenAI's shape ask for them */
        get: operations["openai-voices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the usable models, in OpenAI's shape */
        get: operations["openai-models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a model, in OpenAI's shape */
        get: operations["openai-model"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/voices/built-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the voices of the built-in engine, which need no download */
        get: operations["built-in-voices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AudioDevice: {
            /** @description the system's default */
            default: boolean;
            /** @description the same after a restart */
            id: string;
            name: string;
        };
        AudioDeviceList: {
            items: components["schemas"]["AudioDevice"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        BackupSize: {
            /**
             * Format: int64
             * @description of its files; some get smaller in the backup
             */
            bytes: number;
        };
        BackupToRestore: {
            [key: string]: unknown;
        };
        Book: {
            author: string;
            chapters: components["schemas"]["BookChapter"][];
            /** @description a path that works without a token for one hour; absent without a cover */
            cover_url?: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int64
             * @description entries of the table of contents down to this level begin a chapter
             */
            depth: number;
            /** @description how many chapters there are at each level, from 1 */
            depths: number[];
            description: string;
            /**
             * Format: double
             * @description estimated time until all that is wanted is generated; null where unknown
             */
            eta_seconds: number | null;
            generating: boolean;
            genre: string;
            has_cover: boolean;
            id: string;
            isbn: string;
            /** @description BCP 47 */
            language: string;
            /**
             * Format: double
             * @description length of the whole sound, estimated where it is not generated
             */
            length_seconds: number;
            /** @description name of a deleted voice profile that is needed; absent in lists */
            missing_voice?: string;
            narrator: string;
            options: components["schemas"]["BookOptions"];
            passages: components["schemas"]["BookPassages"];
            /** @description where somebody listens; absent where nobody does, or the chapter is gone */
            place?: components["schemas"]["BookPlace"] | null;
            /**
             * Format: double
             * @description 0 to 1, by characters
             */
            progress: number;
            publisher: string;
            /**
             * Format: double
             * @description length of the sound
             */
            seconds: number;
            series: string;
            series_part: string;
            /** @description the file that the book was read from */
            source: components["schemas"]["BookSource"];
            /**
             * @description of all chapters that are not skipped together
             * @enum {string}
             */
            state: "new" | "partial" | "done" | "changed" | "failed";
            title: string;
            /**
             * Format: int64
             * @description how many changes can be undone
             */
            undos: number;
            /** Format: date-time */
            updated_at: string;
            words: components["schemas"]["BookWords"];
            year: string;
        };
        BookBlock: {
            begins?: components["schemas"]["BookSection"][];
            kind: string;
            language?: string;
            /** Format: int64 */
            level?: number;
            spans?: components["schemas"]["BookSpan"][];
        };
        BookBlockChanges: {
            /** @description what is spoken, with its markup; empty: the block is removed */
            text: string;
        };
        BookChanges: {
            author?: string | null;
            /**
             * Format: int64
             * @description entries of the table of contents down to this level begin a chapter
             */
            depth?: number | null;
            description?: string | null;
            genre?: string | null;
            isbn?: string | null;
            /**
             * Format: bcp47
             * @description BCP 47
             */
            language?: string | null;
            narrator?: string | null;
            /** @description replace those of the book */
            options?: components["schemas"]["SentBookOptions"] | null;
            publisher?: string | null;
            series?: string | null;
            series_part?: string | null;
            title?: string | null;
            year?: string | null;
        };
        BookChapter: {
            /**
             * Format: int64
             * @description that are spoken
             */
            characters: number;
            error: components["schemas"]["Failure"] | null;
            /** @description ids of its parts in order */
            generations: string[];
            id: string;
            /** @description that the file states; absent: that of the book */
            language?: string;
            /**
             * Format: int64
             * @description words that are not spoken
             */
            left_out: number;
            /**
             * Format: int64
             * @description 1 is the outermost
             */
            level: number;
            /** @description over those of the book */
            options: components["schemas"]["BookOptions"];
            /**
             * Format: double
             * @description 0 to 1
             */
            progress: number;
            /**
             * Format: double
             * @description length of its sound
             */
            seconds: number;
            /** @description it is not part of the audiobook */
            skipped: boolean;
            /** @enum {string} */
            state: "new" | "partial" | "done" | "changed" | "failed";
            title: string;
            /** @description it is generated, or waits to be */
            wanted: boolean;
            /**
             * Format: int64
             * @description that are spoken; in Chinese, Japanese and Thai characters
             */
            words: number;
        };
        BookChapterChanges: {
            /** @description replace those of the chapter; empty fields are those of the book */
            options?: components["schemas"]["SentBookOptions"] | null;
            /** @description true: the chapter is not part of the audiobook */
            skipped?: boolean | null;
            title?: string | null;
        };
        BookChapterText: {
            /** @description its text in order; their numbers count from 0 */
            blocks: components["schemas"]["BookBlock"][];
            /**
             * Format: int64
             * @description that are spoken
             */
            characters: number;
            error: components["schemas"]["Failure"] | null;
            /** @description ids of its parts in order */
            generations: string[];
            id: string;
            /** @description that the file states; absent: that of the book */
            language?: string;
            /**
             * Format: int64
             * @description words that are not spoken
             */
            left_out: number;
            /**
             * Format: int64
             * @description 1 is the outermost
             */
            level: number;
            /** @description over those of the book */
            options: components["schemas"]["BookOptions"];
            /**
             * Format: double
             * @description 0 to 1
             */
            progress: number;
            /**
             * Format: double
             * @description length of its sound
             */
            seconds: number;
            /** @description it is not part of the audiobook */
            skipped: boolean;
            /** @enum {string} */
            state: "new" | "partial" | "done" | "changed" | "failed";
            title: string;
            /** @description it is generated, or waits to be */
            wanted: boolean;
            /**
             * Format: int64
             * @description that are spoken; in Chinese, Japanese and Thai characters
             */
            words: number;
        };
        BookCover: {
            [key: string]: unknown;
        };
        BookExportSize: {
            /**
             * Format: int64
             * @description about
             */
            bytes: number;
            /** Format: double */
            seconds: number;
        };
        BookLeftOut: {
            class: string;
            /** @description its first words */
            sample: string;
            /** @description what is added to options.read to have it read aloud; empty for chapters that are skipped */
            switch: string;
            /** Format: int64 */
            words: number;
        };
        BookOptions: {
            /**
             * Format: double
             * @description seconds after a chapter in an exported book; default 2
             */
            chapter_pause?: number;
            /** @description BCP 47 */
            language?: string;
            pauses?: components["schemas"]["PauseOptions"];
            /** @description UUID of the voice profile */
            profile_id?: string;
            /** @description its name when it was chosen */
            readonly profile_name?: string;
            /** @description word to respelling or /ipa/, over the dictionary; up to 1,000 */
            pronunciations?: {
                [key: string]: string;
            };
            /** @description classes of words that are read aloud, which are left out otherwise */
            read?: string[];
            /** Format: double */
            speed?: number;
            /** @description MODEL:VOICE instead of the profile's voice */
            voice?: string;
        };
        BookPassages: {
            /**
             * Format: int64
             * @description passages that were spoken
             */
            generated: number;
            /**
             * Format: int64
             * @description passages that were taken from earlier generations
             */
            reused: number;
        };
        BookPlace: {
            chapter_id: string;
            /**
             * Format: double
             * @description from the beginning of the chapter
             */
            seconds: number;
        };
        BookRow: {
            author: string;
            /** @description that are not skipped */
            chapters: components["schemas"]["ChaptersDone"];
            /** @description a path that works without a token for one hour; absent without a cover */
            cover_url?: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int64
             * @description entries of the table of contents down to this level begin a chapter
             */
            depth: number;
            /** @description how many chapters there are at each level, from 1 */
            depths: number[];
            description: string;
            /**
             * Format: double
             * @description estimated time until all that is wanted is generated; null where unknown
             */
            eta_seconds: number | null;
            generating: boolean;
            genre: string;
            has_cover: boolean;
            id: string;
            isbn: string;
            /** @description BCP 47 */
            language: string;
            /**
             * Format: double
             * @description length of the whole sound, estimated where it is not generated
             */
            length_seconds: number;
            /** @description name of a deleted voice profile that is needed; absent in lists */
            missing_voice?: string;
            narrator: string;
            options: components["schemas"]["BookOptions"];
            passages: components["schemas"]["BookPassages"];
            /** @description where somebody listens; absent where nobody does, or the chapter is gone */
            place?: components["schemas"]["BookPlace"] | null;
            /**
             * Format: double
             * @description 0 to 1, by characters
             */
            progress: number;
            publisher: string;
            /**
             * Format: double
             * @description length of the sound
             */
            seconds: number;
            series: string;
            series_part: string;
            /** @description the file that the book was read from */
            source: components["schemas"]["BookSource"];
            /**
             * @description of all chapters that are not skipped together
             * @enum {string}
             */
            state: "new" | "partial" | "done" | "changed" | "failed";
            title: string;
            /**
             * Format: int64
             * @description how many changes can be undone
             */
            undos: number;
            /** Format: date-time */
            updated_at: string;
            words: components["schemas"]["BookWords"];
            year: string;
        };
        BookRowList: {
            items: components["schemas"]["BookRow"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        BookSection: {
            /** Format: int64 */
            level: number;
            title: string;
        };
        BookSource: {
            /** Format: int64 */
            bytes: number;
            name: string;
            sha256: string;
        };
        BookSpan: {
            class?: string;
            markup?: boolean;
            say?: string;
            text: string;
        };
        BooksUse: {
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            files: number;
            /**
             * Format: int64
             * @description generations and transcripts whose file is missing
             */
            missing: number;
            /**
             * Format: int64
             * @description of their manuscripts, which are in the database and not part of bytes
             */
            text_bytes: number;
        };
        BookUpdate: {
            /** @description character encoding of the file, such as windows-1251; default: the one that is found */
            encoding?: string;
        };
        BookUpdateReport: {
            /** Format: int64 */
            changed: number;
            /** Format: int64 */
            new: number;
            /** Format: int64 */
            removed: number;
            /** Format: int64 */
            same: number;
        };
        BookWords: {
            /** Format: int64 */
            body: number;
            /** Format: int64 */
            kept: number;
            left_out: components["schemas"]["BookLeftOut"][];
            /** @description classes that are left out by default and are read aloud; their words are kept */
            read: components["schemas"]["BookLeftOut"][];
        };
        BuiltInVoices: {
            /** @description other speakers of the first voice; all voices have them, with the same endings of their ids */
            variants: components["schemas"]["ModelVoice"][];
            voices: components["schemas"]["ModelVoice"][];
        };
        CatalogueItem: {
            key: string;
            language: string;
            license: string;
            name: string;
            quality: string;
            registered: boolean;
            /** Format: int64 */
            size_mb: number;
            /** Format: int64 */
            speakers: number;
        };
        CatalogueItemList: {
            items: components["schemas"]["CatalogueItem"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        Change: {
            backup: string;
            here: string;
            key: string;
        };
        Channels: {
            /** @description each channel has one speaker */
            separate: boolean;
        };
        ChaptersDone: {
            /** Format: int64 */
            done: number;
            /** Format: int64 */
            total: number;
        };
        CheckedBackup: {
            /** @description of the program that made it */
            app_version: string;
            /**
             * Format: int64
             * @description of its files
             */
            bytes: number;
            /** Format: date-time */
            created_at: string;
            /** @description what is in it */
            holds: components["schemas"]["LibraryCounts"];
            /** @description for the request that restores it */
            id: string;
            /**
             * Format: int64
             * @description audio files that were missing when it was made
             */
            missing: number;
            /** @description settings that change what this program connects to, or who can connect to it */
            network: components["schemas"]["Change"][];
            /** @description what is in the library that it replaces */
            present: components["schemas"]["LibraryCounts"];
            /**
             * Format: int64
             * @description known speakers whose voice prints are in it
             */
            voice_prints: number;
        };
        Chunk: {
            /**
             * Format: double
             * @description seconds from the start of the audio
             */
            end: number;
            /**
             * Format: double
             * @description seconds from the start of the audio
             */
            start: number;
            /**
             * Format: int64
             * @description the chosen take, from 0
             */
            take: number;
            /**
             * Format: int64
             * @description number of takes
             */
            takes: number;
            text: string;
            /** @description how well a transcription model understood it; absent until it was heard */
            verify?: components["schemas"]["ChunkVerification"] | null;
            /** @description times of the words, where the model supports them */
            words?: components["schemas"]["Word"][];
        };
        ChunkChange: {
            /**
             * Format: int64
             * @description from 0
             */
            take: number;
        };
        ChunkCounts: {
            /**
             * Format: int64
             * @description as chunks_done
             */
            done: number;
            /**
             * Format: int64
             * @description as chunks_total
             */
            total: number;
        };
        ChunkVerification: {
            /** @description words that were not heard, normalised */
            dropped: string[];
            /** @description the transcript of the chunk; empty where nothing was heard */
            heard: string;
            /** @description words that were heard once more than they are in the text, normalised */
            repeated: string[];
            /**
             * Format: double
             * @description word error rate
             */
            wer: number;
            /**
             * Format: int64
             * @description number of words that were compared
             */
            words: number;
        };
        CloneModel: {
            display_name: string;
            downloaded: boolean;
            /** @enum {string} */
            fits: "yes" | "tight" | "no" | "unknown";
            languages: string[];
            model_name: string;
            /** @description why the model cannot use the recording, else null */
            problem: components["schemas"]["Failure"] | null;
            /** Format: int64 */
            size_mb: number;
        };
        Consent: {
            /** Format: date-time */
            at: string;
            /** @description who stated it: the name of the user's account on the machine, or as the request named it */
            by: string;
            /** @enum {string} */
            kind: "own_voice" | "permission";
        };
        CosineFigures: {
            /** Format: double */
            max: number;
            /** Format: double */
            mean: number;
            /** Format: double */
            min: number;
            /** Format: int64 */
            pairs: number;
        };
        CreatedBook: {
            author: string;
            chapters: components["schemas"]["BookChapter"][];
            /** @description a path that works without a token for one hour; absent without a cover */
            cover_url?: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int64
             * @description entries of the table of contents down to this level begin a chapter
             */
            depth: number;
            /** @description how many chapters there are at each level, from 1 */
            depths: number[];
            description: string;
            /**
             * Format: double
             * @description estimated time until all that is wanted is generated; null where unknown
             */
            eta_seconds: number | null;
            generating: boolean;
            genre: string;
            has_cover: boolean;
            id: string;
            isbn: string;
            /** @description BCP 47 */
            language: string;
            /**
             * Format: double
             * @description length of the whole sound, estimated where it is not generated
             */
            length_seconds: number;
            /** @description name of a deleted voice profile that is needed; absent in lists */
            missing_voice?: string;
            narrator: string;
            /** @description what was changed in the file, or could not be read */
            notes: components["schemas"]["ExtractedTextNote"][];
            options: components["schemas"]["BookOptions"];
            passages: components["schemas"]["BookPassages"];
            /** @description where somebody listens; absent where nobody does, or the chapter is gone */
            place?: components["schemas"]["BookPlace"] | null;
            /**
             * Format: double
             * @description 0 to 1, by characters
             */
            progress: number;
            publisher: string;
            /**
             * Format: double
             * @description length of the sound
             */
            seconds: number;
            series: string;
            series_part: string;
            /** @description the file that the book was read from */
            source: components["schemas"]["BookSource"];
            /**
             * @description of all chapters that are not skipped together
             * @enum {string}
             */
            state: "new" | "partial" | "done" | "changed" | "failed";
            title: string;
            /**
             * Format: int64
             * @description how many changes can be undone
             */
            undos: number;
            /** Format: date-time */
            updated_at: string;
            words: components["schemas"]["BookWords"];
            year: string;
        };
        DeleteRequest: {
            ids: string[];
        };
        DeleteResult: {
            /** Format: int64 */
            deleted: number;
        };
        DialogueLine: {
            profile_id: string;
            /** @description the name of the profile when the generation was made */
            profile_name: string;
            text: string;
            /** @description id of the hosted voice */
            voice: string;
        };
        DictatedText: {
            /** Format: date-time */
            at: string;
            text: string;
        };
        Dictation: {
            /** @description why the shortcut or the last dictation did not work, else null */
            error: components["schemas"]["Failure"] | null;
            /** @description the key, as the desktop describes it; empty while it is not listened to */
            shortcut: string;
            /** @enum {string} */
            status: "off" | "idle" | "recording" | "transcribing";
        };
        DictationRequest: {
            /** @description id of a microphone of /recordings/devices; absent: the default one */
            device?: string | null;
            /**
             * @description where the text goes: into the focused text field of any program, onto the clipboard, or only into the answer of stop; absent: the setting dictation.target
             * @enum {string|null}
             */
            target?: "field" | "clipboard" | "page" | null;
        };
        Draft: {
            /** @description any object; the server does not read it */
            content: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** @description UUID version 7 */
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description increases with every change
             */
            updated_at: string;
        };
        DraftChanges: {
            content?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description updated_at of the version being edited; 409 draft_changed if the draft has changed since
             */
            if_updated_at?: string | null;
            name?: string | null;
        };
        DraftList: {
            items: components["schemas"]["Draft"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        ExportRequest: {
            /**
             * Format: int64
             * @description kbit/s of mp3, opus and m4a; absent: the usual quality
             */
            bitrate?: number | null;
            /**
             * Format: uuid
             * @description chosen by the caller, for the progress and to cancel it
             */
            export_id?: string | null;
            /** @enum {string|null} */
            format?: "wav" | "flac" | "mp3" | "opus" | "m4a" | "srt" | "vtt" | null;
            ids: string[];
            /**
             * Format: double
             * @description LUFS, with a true peak of at most -1 dB; absent: as it is
             */
            loudness?: number | null;
            /** @description of the files, without extension, in the order of ids; absent or empty: as for one */
            names?: string[] | null;
        };
        ExtractedText: {
            /** @description character encoding that the file was read in, such as UTF-8 or windows-1251; empty for kinds that have none */
            encoding: string;
            /** @description the kind of the file */
            format: string;
            /** @description whether the file has a title of its own */
            has_title: boolean;
            /** @description each part of the file that was left out or changed */
            notes: components["schemas"]["ExtractedTextNote"][];
            /** @description paragraphs, with an empty line between them */
            text: string;
            /** @description the title in the file, else its name; at most 1,000 characters */
            title: string;
        };
        ExtractedTextNote: {
            /** @description kind of the note */
            code: string;
            /** @description one English sentence */
            detail: string;
            /** @description the values in the sentence */
            params: {
                [key: string]: unknown;
            };
        };
        Failure: {
            code: string;
            detail: string;
            params?: {
                [key: string]: unknown;
            };
            remedy: string;
        };
        FavoriteRequest: {
            favorite: boolean;
            ids: string[];
        };
        FavoriteResult: {
            /**
             * Format: int64
             * @description how many were changed
             */
            changed: number;
        };
        FieldError: {
            ctx?: {
                [key: string]: unknown;
            };
            loc: string[];
            msg: string;
            type: string;
        };
        FileHash: {
            path: string;
            sha256: string;
        };
        FindingSpeakers: {
            /**
             * Format: double
             * @description 0 to 1
             */
            progress: number;
            /** @enum {string} */
            status: "queued" | "downloading_model" | "loading_model" | "listening";
        };
        GenerateBook: {
            /**
             * Format: int64
             * @description the price of all of them that you accept, in credits
             */
            accept_credits?: number | null;
            /** @description true: passages that have sound are spoken anew, too */
            again?: boolean | null;
            /** @description ids; default: all that are not skipped */
            chapters?: string[] | null;
        };
        GenerateRequest: {
            /**
             * Format: int64
             * @description the price of a hosted voice that the user accepted
             */
            accept_credits?: number | null;
            /** @description accept the licence of the model, where required */
            accept_license?: boolean | null;
            /** Format: int64 */
            crossfade_ms?: number | null;
            /** @enum {string|null} */
            format?: "wav" | "flac" | "mp3" | "opus" | "m4a" | null;
            /** @description options of a hosted voice; not all models have them */
            hosted?: components["schemas"]["HostedOptions"] | null;
            /**
             * Format: bcp47
             * @description BCP 47
             */
            language?: string | null;
            /** @description false: normalise by one gain only, without the limiter, which reduces peaks by up to 9 dB; default true */
            limit?: boolean | null;
            /** Format: int64 */
            max_chunk_chars?: number | null;
            model_name?: string | null;
            /** @description normalise to -16 LUFS with a true peak of at most -1 dB; default true */
            normalize?: boolean | null;
            /** @description override the settings */
            pauses?: components["schemas"]["SentPauseOptions"] | null;
            /** @description UUID of the voice profile */
            profile_id: string;
            /** @description word to respelling or /ipa/, over the dictionary; up to 1,000 */
            pronunciations?: {
                [key: string]: string;
            } | null;
            /** Format: int64 */
            seed?: number | null;
            /** Format: double */
            speed?: number | null;
            /**
             * Format: int64
             * @description for models with refinement steps, such as 2, 5 or 12: more steps take longer and sound better
             */
            steps?: number | null;
            /** @description 1 to 200,000 characters after trimming */
            text: string;
            title?: string | null;
            /** @description hear the finished audio with the model of speech.verify_model, and make passages again that are not understood; default: the setting speech.verify */
            verify?: boolean | null;
            /** @description MODEL:VOICE instead of the profile's voice; hosted:ID for a hosted voice, whose model is model_name */
            voice?: string | null;
        };
        Generation: {
            /** @description true when the file of a finished generation is gone: use regenerate. Only in /history/{id} and /generate/{id}, not in lists */
            audio_missing?: boolean;
            /** @description absolute path of the finished file, empty until complete */
            audio_path: string;
            /** @description a path that works without a token for one hour; empty until complete */
            audio_url: string;
            /** @description true when the last change of its text can be undone */
            can_undo: boolean;
            /**
             * Format: int64
             * @description 0 until complete
             */
            channels: number;
            chunks: components["schemas"]["Chunk"][];
            /**
             * Format: int64
             * @description how many of the finished chunks come after one that is missing, and are not heard until it is there; absent: none
             */
            chunks_behind?: number;
            /**
             * Format: int64
             * @description chunks that are finished
             */
            chunks_done: number;
            /**
             * Format: int64
             * @description 0 until it is known
             */
            chunks_total: number;
            /** Format: date-time */
            created_at: string;
            /** Format: int64 */
            credits: number | null;
            /** @description the lines of a dialogue that the hosted service spoke in one call; absent for others */
            dialogue?: components["schemas"]["DialogueLine"][];
            /**
             * Format: double
             * @description seconds, 0 until complete
             */
            duration: number;
            engine: string;
            error: components["schemas"]["Failure"] | null;
            /**
             * Format: double
             * @description estimated time left, null where unknown
             */
            eta_seconds: number | null;
            favorite: boolean;
            /** @enum {string} */
            format: "wav" | "flac" | "mp3" | "opus" | "m4a";
            /** @description UUID version 7 */
            id: string;
            language: string;
            /**
             * Format: double
             * @description how far a changed text is from the loudness that it was levelled to, in LU; absent up to 0.5, and where the receipt is not shown
             */
            level_off?: number;
            model_name: string;
            parent_id: string | null;
            /** @description the finished chunks of one that was stopped or failed, which a retry reuses; null otherwise */
            partial: components["schemas"]["Partial"] | null;
            profile_id: string;
            /** @description the name of the profile when the generation was made */
            profile_name: string;
            /**
             * Format: double
             * @description 0 to 1
             */
            progress: number;
            receipt: components["schemas"]["Receipt"] | null;
            /** @description what it was made for; absent where it was made for itself */
            request?: components["schemas"]["GenerationOrigin"] | null;
            /**
             * Format: int64
             * @description Hz, 0 until complete
             */
            sample_rate: number;
            /**
             * Format: int64
             * @description the seed that was used
             */
            seed: number;
            /** @enum {string} */
            source: "local" | "hosted";
            /** Format: double */
            speed: number;
            /** @enum {string} */
            status: "queued" | "downloading_model" | "loading_model" | "generating" | "complete" | "failed" | "cancelled";
            text: string;
            title: string;
            /** @description how well a transcription model understood the audio; null until it was heard */
            verify: components["schemas"]["Verification"] | null;
            /** @description why the audio could not be heard; null otherwise */
            verify_error: components["schemas"]["Failure"] | null;
            /** @description true while it waits to be heard, or is heard */
            verifying?: boolean;
            voice: string;
            /** @description why a hosted generation waits; null otherwise */
            wait: components["schemas"]["Wait"] | null;
        };
        GenerationChanges: {
            /** @description the take to use, by chunk number from 0 */
            chunks?: {
                [key: string]: components["schemas"]["ChunkChange"];
            } | null;
            favorite?: boolean | null;
            title?: string | null;
        };
        GenerationOrigin: {
            /** @description the book that it belongs to */
            book_id: string;
        };
        GenerationRow: {
            /** @description absolute path of the finished file, empty until complete */
            audio_path: string;
            /** @description a path that works without a token for one hour; empty until complete */
            audio_url: string;
            /** @description true when the last change of its text can be undone */
            can_undo: boolean;
            /**
             * Format: int64
             * @description 0 until complete
             */
            channels: number;
            /** @description counts; with full=true the chunks themselves */
            chunks: components["schemas"]["ChunkCounts"] | components["schemas"]["Chunk"][];
            /**
             * Format: int64
             * @description how many of the finished chunks come after one that is missing, and are not heard until it is there; absent: none
             */
            chunks_behind?: number;
            /**
             * Format: int64
             * @description chunks that are finished
             */
            chunks_done: number;
            /**
             * Format: int64
             * @description 0 until it is known
             */
            chunks_total: number;
            /** Format: date-time */
            created_at: string;
            /** Format: int64 */
            credits: number | null;
            /**
             * Format: double
             * @description seconds, 0 until complete
             */
            duration: number;
            engine: string;
            error: components["schemas"]["Failure"] | null;
            /**
             * Format: double
             * @description estimated time left, null where unknown
             */
            eta_seconds: number | null;
            favorite: boolean;
            /** @enum {string} */
            format: "wav" | "flac" | "mp3" | "opus" | "m4a";
            /** @description the text around the hits of a search, with <mark> around each */
            highlight?: string;
            /** @description UUID version 7 */
            id: string;
            language: string;
            /**
             * Format: double
             * @description how far a changed text is from the loudness that it was levelled to, in LU; absent up to 0.5, and where the receipt is not shown
             */
            level_off?: number;
            model_name: string;
            parent_id: string | null;
            /** @description the finished chunks of one that was stopped or failed, which a retry reuses; null otherwise */
            partial: components["schemas"]["Partial"] | null;
            profile_id: string;
            /** @description the name of the profile when the generation was made */
            profile_name: string;
            /**
             * Format: double
             * @description 0 to 1
             */
            progress: number;
            /** @description null unless full=true */
            receipt: components["schemas"]["Receipt"] | null;
            /** @description what it was made for; absent where it was made for itself */
            request?: components["schemas"]["GenerationOrigin"] | null;
            /**
             * Format: int64
             * @description Hz, 0 until complete
             */
            sample_rate: number;
            /**
             * Format: int64
             * @description the seed that was used
             */
            seed: number;
            /** @enum {string} */
            source: "local" | "hosted";
            /** Format: double */
            speed: number;
            /** @enum {string} */
            status: "queued" | "downloading_model" | "loading_model" | "generating" | "complete" | "failed" | "cancelled";
            text: string;
            /** @description true when text holds only the first 240 characters */
            text_truncated?: boolean;
            title: string;
            /** @description how well a transcription model understood the audio; null until it was heard */
            verify: components["schemas"]["Verification"] | null;
            /** @description why the audio could not be heard; null otherwise */
            verify_error: components["schemas"]["Failure"] | null;
            /** @description true while it waits to be heard, or is heard */
            verifying?: boolean;
            voice: string;
            /** @description why a hosted generation waits; null otherwise */
            wait: components["schemas"]["Wait"] | null;
        };
        GenerationRowList: {
            items: components["schemas"]["GenerationRow"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        Health: {
            /** @enum {string} */
            status: "ok";
            version: string;
        };
        HeardWord: {
            /**
             * Format: double
             * @description seconds
             */
            end: number;
            /**
             * Format: double
             * @description 0 to 1: how sure the model is
             */
            probability: number;
            /**
             * Format: double
             * @description seconds
             */
            start: number;
            word: string;
        };
        HearRequest: {
            /**
             * Format: bcp47
             * @description BCP 47
             */
            language?: string | null;
            /** @description word to respelling or /ipa/, over the dictionary; up to 1,000 */
            pronunciations?: {
                [key: string]: string;
            } | null;
            /** Format: double */
            speed?: number | null;
            text: string;
        };
        HistoryStats: {
            by_engine: {
                [key: string]: number;
            };
            /** @description by the profile's name at generation time */
            by_profile: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description of finished text
             */
            characters: number;
            /** Format: int64 */
            complete: number;
            /** Format: int64 */
            failed: number;
            /** Format: int64 */
            generations: number;
            /**
             * Format: double
             * @description of finished audio
             */
            seconds: number;
            /**
             * Format: double
             * @description of audio in finished transcripts
             */
            transcribed_seconds: number;
            /** Format: int64 */
            transcripts: number;
        };
        HistoryStorage: {
            /** @description the part of the audiobooks: their audio and covers */
            books: components["schemas"]["BooksUse"];
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            files: number;
            /**
             * Format: int64
             * @description generations and transcripts whose file is missing
             */
            missing: number;
            /** @description the part of the transcripts */
            transcripts: components["schemas"]["StorageUse"];
            /** @description of known speakers, which are not part of the others */
            voice_prints: components["schemas"]["StorageUse"];
        };
        HostedEnhancedTurn: {
            /** @description the text, or a part of a long one, is the original */
            fallback: boolean;
            id: string;
            original: string;
            /**
             * @description why: the service fell back, or its words differed
             * @enum {string|null}
             */
            reason: "service" | "words" | null;
            text: string;
        };
        HostedEnhanceRequest: {
            /** @description or turns */
            text?: string | null;
            /** @description of a dialogue */
            turns?: components["schemas"]["Item"][] | null;
            /** @description id of a hosted voice, for tags that fit it */
            voice?: string | null;
        } & ({
            text: unknown;
        } | {
            turns: unknown;
        });
        HostedFavorite: {
            favorite: boolean;
        };
        HostedFilters: {
            accents: string[];
            categories: string[];
            genders: string[];
            languages: string[];
            providers: string[];
        };
        HostedKey: {
            /** @description first characters of the key */
            key_prefix: string;
        };
        HostedKeyName: {
            name?: string | null;
        };
        HostedKeyText: {
            /** @description svc_sk_ followed by base64url */
            key: string;
        };
        HostedLogin: {
            /** @description to open in a browser */
            authorization_url: string;
            /**
             * Format: date-time
             * @description when the sign-in ends
             */
            expires_at: string;
        };
        HostedLoginFinish: {
            /** @description the address, or what follows ? in it */
            url: string;
        };
        HostedLoginRequest: {
            /** @description false: open no browser on this machine; absent: true */
            browser?: boolean | null;
        };
        HostedLoginStatus: {
            authorization_url: string;
            error: components["schemas"]["Failure"] | null;
            /** Format: date-time */
            expires_at: string | null;
            /** @enum {string} */
            status: "idle" | "waiting" | "failed";
        };
        HostedLogout: {
            /** @description why it could not be told */
            notice: components["schemas"]["Failure"];
        };
        HostedModel: {
            category: string;
            description: string;
            id: string;
            name: string;
            /** @description null: every plan */
            plan_required: string | null;
            provider: string;
        };
        HostedModelList: {
            items: components["schemas"]["HostedModel"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        HostedNotice: {
            /**
             * Format: date-time
             * @description when the plan ended, or will end
             */
            expires_at: string;
            /** @enum {string} */
            kind: "plan_expired" | "plan_expires";
        };
        HostedOptions: {
            language_override?: boolean | null;
            /** @enum {string|null} */
            response_format?: "mp3_44100_128" | "pcm_8000" | "pcm_16000" | "pcm_22050" | "pcm_24000" | null;
            /** Format: double */
            similarity_boost?: number | null;
            speaker_boost?: boolean | null;
            /** Format: double */
            stability?: number | null;
        };
        HostedQuote: {
            /** @description the price reaches the setting hosted.ask_credits, or is unknown while that is set: send accept_credits */
            ask: boolean;
            /**
             * Format: int64
             * @description in how many parts the text is sent
             */
            calls: number;
            /**
             * Format: int64
             * @description that are sent, in Unicode code points
             */
            characters: number;
            /**
             * Format: int64
             * @description null: price unknown
             */
            credits: number | null;
            /**
             * Format: int64
             * @description before the call, as last read; null where unknown
             */
            credits_left: number | null;
            /**
             * Format: int64
             * @description after the discount of an API key; null: price unknown
             */
            credits_per_1000: number | null;
            /** @description the price reaches the setting hosted.warn_credits */
            warn: boolean;
        };
        HostedQuoteRequest: {
            /** Format: int64 */
            accept_credits?: number | null;
            /**
             * Format: uuid
             * @description of a turn, as in PUT /scripts/{script_id}
             */
            generation_id?: string | null;
            /** Format: bcp47 */
            language?: string | null;
            model_name?: string | null;
            profile_id?: string | null;
            pronunciations?: {
                [key: string]: string;
            } | null;
            /** @description the price of what PUT /scripts/{script_id} generates */
            script_id?: string | null;
            text?: string | null;
            /** @description of a script */
            turns?: components["schemas"]["QuotedText"][] | null;
            /** @description hosted:ID */
            voice?: string | null;
        };
        HostedReceipt: {
            /** Format: int64 */
            calls: number;
            /**
             * Format: int64
             * @description null where unknown
             */
            credits: number | null;
            /**
             * Format: int64
             * @description after the last call; null where unknown
             */
            credits_left: number | null;
            provider: string;
            /** @description a call failed before and cost nothing, as the service refunds failures */
            refunded: boolean;
            /**
             * Format: int64
             * @description of them for the last change of the text; absent where it was never changed, or where that is unknown
             */
            revision_credits?: number;
            voice_name: string;
        };
        HostedSecrets: {
            /** @description the setting secrets.allow_file */
            file_allowed: boolean;
            /** @enum {string} */
            place: "keychain" | "file" | "none";
        };
        HostedStatus: {
            /** @description name, email address or id of who is signed in */
            account: string;
            base_url: string;
            /**
             * Format: date-time
             * @description when plan and credits were read
             */
            checked_at: string | null;
            /** @description there is a base URL */
            configured: boolean;
            /** Format: int64 */
            credits: number | null;
            email: string;
            enabled: boolean;
            /** @description why plan and credits could not be read; the last known values stay */
            error: components["schemas"]["Failure"] | null;
            /**
             * Format: date-time
             * @description when the credits of the plan expire; null on the free plan
             */
            expires_at: string | null;
            /** @description first characters of the stored API key */
            key_prefix: string;
            login: components["schemas"]["HostedLoginStatus"];
            notice: components["schemas"]["HostedNotice"] | null;
            /**
             * Format: int64
             * @description of credits: pay-as-you-go
             */
            payg_credits: number | null;
            /** @description free, pro or max */
            plan: string;
            secrets: components["schemas"]["HostedSecrets"];
            /** @description in the browser; an API key shows as key_prefix alone */
            signed_in: boolean;
            /** Format: date-time */
            signed_in_at: string | null;
        };
        HostedTest: {
            error: components["schemas"]["Failure"] | null;
            /** @description null where no key was sent, or no answer came */
            key_accepted: boolean | null;
            /**
             * Format: int64
             * @description how long its answer took
             */
            ms: number;
            /** @description a service answers at the address */
            ok: boolean;
        };
        HostedTestRequest: {
            /** @description absent: the setting hosted.base_url */
            base_url?: string | null;
        };
        HostedVoice: {
            accent: string;
            category: string;
            /**
             * Format: int64
             * @description with the default model, after the discount of an API key; null: price unknown
             */
            credits_per_1000: number | null;
            /** @description that speaks it on the service, such as espeak-ng; absent where the service does not say */
            engine?: string;
            /** @description in the service's list of favourites */
            favorite: boolean;
            gender: string;
            /** @description UUID of the service */
            id: string;
            /** @description BCP 47 */
            language: string;
            /** @description the default one, of the voice's provider */
            model: string;
            /** @description models for which the voice was made; empty where the service does not say */
            models: string[];
            name: string;
            /** @description needs a Pro or Max plan, or pay-as-you-go credits */
            paid: boolean;
            preview_url: string;
            /** @description a profile with this voice */
            profile_id: string | null;
            provider: string;
            /** @description made for other models of its provider than v3, with which it sounds less similar */
            v3_hint: boolean;
        };
        HostedVoices: {
            /** Format: date-time */
            fetched_at: string;
            /** @description the values that voices of the service have */
            filters: components["schemas"]["HostedFilters"];
            items: components["schemas"]["HostedVoice"][];
            next_cursor: string | null;
            /** @description the list is older than 10 minutes, or the service cannot be reached */
            stale: boolean;
            /** Format: int64 */
            total: number;
        };
        Installation: {
            /** @description the system's own packages, that of this distribution first */
            packages: components["schemas"]["InstallPackage"][];
            page: string;
        };
        InstallPackage: {
            /** @description installs it in a terminal */
            command: string;
            /** @description in the software centre */
            name: string;
            /** @description the distributions that have it, such as Debian, Ubuntu; empty on other systems than Linux */
            systems: string;
        };
        Item: {
            id: string;
            text: string;
            voice?: string | null;
        };
        KnownSpeaker: {
            consent: components["schemas"]["Consent"];
            /** Format: date-time */
            created_at: string;
            /** @description UUID version 7 */
            id: string;
            name: string;
            /**
             * Format: int64
             * @description transcripts that the print was made of
             */
            recordings: number;
            /**
             * Format: double
             * @description of speech that the print was made of
             */
            seconds: number;
            /** Format: date-time */
            updated_at: string;
            /** @description false where the print was made with another version of the model than the one that is installed: it is not compared */
            usable: boolean;
        };
        KnownSpeakerChanges: {
            name: string;
        };
        KnownSpeakerList: {
            items: components["schemas"]["KnownSpeaker"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        LibraryCounts: {
            /** Format: int64 */
            books: number;
            /** Format: int64 */
            drafts: number;
            /** Format: int64 */
            generations: number;
            /** Format: int64 */
            profiles: number;
            /** Format: int64 */
            pronunciations: number;
            /** Format: int64 */
            transcripts: number;
        };
        License: {
            accept_required: boolean;
            accepted: boolean;
            name: string;
            url: string;
        };
        LiveChunk: {
            /**
             * Format: double
             * @description seconds; of the last chunk, what is spoken of it
             */
            end: number;
            /**
             * Format: double
             * @description seconds
             */
            start: number;
            /** @description of one whose text is changed; absent otherwise */
            text?: string;
        };
        LivePeaks: {
            /** @description the chunks that end after from */
            chunks: components["schemas"]["LiveChunk"][];
            /**
             * Format: double
             * @description where the first peak begins, in seconds
             */
            from: number;
            /** @description lowest and highest sample of each complete part; request the rest from where these end */
            peaks: number[][];
            /**
             * Format: int64
             * @description peaks in a second
             */
            per_second: number;
            /**
             * Format: double
             * @description of all audio so far
             */
            seconds: number;
        };
        MadeScript: {
            /** @description in order; their content has kind script */
            items: components["schemas"]["Draft"][];
        };
        MakeScriptRequest: {
            /** @description profiles (UUID) by the names of speakers; others get the profile of their name, else one in the language of the text that no other speaker has, else the default one */
            voices?: {
                [key: string]: string;
            } | null;
        };
        ModelConcurrency: {
            /**
             * Format: int64
             * @description threads of each worker; 0 where the engine does not control them
             */
            threads: number;
            /**
             * Format: int64
             * @description sentences of a long text that are generated in parallel
             */
            workers: number;
        };
        ModelDeleteResult: {
            downloaded: boolean;
            /** Format: int64 */
            freed_mb: number;
            model_name: string;
        };
        ModelDetail: {
            cloning: boolean;
            default: boolean;
            /** @description where the model is loaded, empty when it is not */
            device: string;
            /** @description what the setting was when it was loaded, empty when it is not */
            device_requested: string;
            /** @description why it runs on the CPU in place of the GPU that was asked for, else null */
            device_warning: components["schemas"]["Failure"] | null;
            display_name: string;
            downloaded: boolean;
            downloading: components["schemas"]["ModelDownload"] | null;
            engine: string;
            error: components["schemas"]["Failure"] | null;
            /** @description those of languages that it speaks only where espeak-ng is installed */
            espeak_languages: string[];
            /** @description what its voices play in square brackets, in all forms: laugh, laughs, laughing */
            expressions: string[];
            /** @enum {string} */
            family: "speech" | "transcription" | "speakers";
            files: components["schemas"]["ModelFile"][];
            /** @enum {string} */
            fits: "yes" | "tight" | "no" | "unknown";
            /** Format: date-time */
            idle_unload_at: string | null;
            /** @description what the model does badly in a language, one sentence by tag */
            language_notes: {
                [key: string]: string;
            };
            languages: string[];
            /** Format: date-time */
            last_used_at: string | null;
            license: components["schemas"]["License"];
            loaded: boolean;
            memory_mb: components["schemas"]["ModelMemory"];
            /** @description whether its voices can be mixed: af_heart:0.6+af_bella:0.4 */
            mixes: boolean;
            model_name: string;
            /** @description whether each of its voices speaks all of its languages */
            multilingual: boolean;
            /** @description what the model is good for */
            note: string;
            /**
             * Format: int64
             * @description size of the partial files of a stopped download
             */
            partial_mb: number;
            repo_id: string;
            revision: string;
            /**
             * Format: double
             * @description real-time factor: seconds of synthesis per second of audio, measured on this machine
             */
            rtf: number | null;
            /** @description whether its makers publish samples of its voices, to be heard before the download */
            samples: boolean;
            /** @description how the loaded model uses the CPU cores, null when it is not loaded */
            shape: components["schemas"]["ModelConcurrency"] | null;
            /**
             * Format: int64
             * @description of the chosen variant, 1,000,000 bytes, rounded up
             */
            size_mb: number;
            state: string;
            /** @description whether it supports steps in a generation request */
            steps: boolean;
            /** @description whether this program has the engine of the model */
            supported: boolean;
            variant: string;
            /**
             * Format: int64
             * @description voices that this build can use
             */
            voices: number;
            /** @description the first is the default voice */
            voices_list: components["schemas"]["ModelVoice"][];
        };
        ModelDownload: {
            /** Format: int64 */
            current: number;
            /** Format: int64 */
            total: number;
        };
        ModelDownloadAccepted: {
            model_name: string;
            progress_url: string;
            status: string;
        };
        ModelDownloadRequest: {
            /** @description accept the model's licence, where it must be accepted first */
            accept_license?: boolean | null;
            model_name: string;
        };
        ModelFile: {
            /**
             * Format: int64
             * @description 0 where unknown
             */
            bytes: number;
            path: string;
            /** @description repository at the hub; those of one model may differ; empty for an imported file */
            repo_id: string;
            /** @description empty where unknown before the download */
            sha256: string;
        };
        ModelFilesImport: {
            /**
             * Format: path
             * @description a file or folder on this machine, also as a file: URL, where its bytes are no UTF-8
             */
            path: string;
        };
        ModelImportRequest: {
            /** @description guessed when absent */
            engine?: string | null;
            /** @description a-z, 0-9, dot, underscore, hyphen; from the file when absent */
            name?: string | null;
            /**
             * Format: path
             * @description a file or folder on this machine, also as a file: URL, where its bytes are no UTF-8
             */
            path: string;
        };
        ModelLoadRequest: {
            /** @description accept the model's licence, where it must be accepted first */
            accept_license?: boolean | null;
            /** @description load even if the memory may not suffice */
            force?: boolean | null;
            model_name: string;
        };
        ModelLoadResult: {
            device: string;
            /** @description why it runs on the CPU in place of the GPU that was asked for, else null */
            device_warning: components["schemas"]["Failure"] | null;
            /** Format: int64 */
            load_ms: number;
            loaded: boolean;
            /** Format: int64 */
            memory_mb: number;
            model_name: string;
        };
        ModelMemory: {
            /** Format: int64 */
            estimate: number | null;
            /** Format: int64 */
            measured: number | null;
        };
        ModelProgress: {
            /** Format: int64 */
            bytes_per_second: number;
            code?: string;
            /**
             * Format: int64
             * @description bytes so far; never goes down within one download
             */
            current: number;
            detail?: string;
            /**
             * Format: double
             * @description null while it is unknown
             */
            eta_seconds: number | null;
            filename: string;
            model_name: string;
            remedy?: string;
            /** @description while waiting to retry after a failed attempt */
            retry?: components["schemas"]["ModelRetry"] | null;
            /** @enum {string} */
            status: "idle" | "queued" | "resolving" | "downloading" | "verifying" | "paused" | "complete" | "error";
            /**
             * Format: int64
             * @description bytes of all files
             */
            total: number;
        };
        ModelRetry: {
            /**
             * Format: int64
             * @description the next attempt, counted since the last received byte
             */
            attempt: number;
            /** @description why the last attempt failed */
            code: string;
            detail: string;
            /** @description no connection can be made: the download resumes as soon as one can, and fails after an hour */
            network_lost?: boolean;
            /**
             * Format: int64
             * @description number of attempts; 0 while the network is lost
             */
            of: number;
            /**
             * Format: double
             * @description total wait, from the first record with this retry
             */
            wait_seconds: number;
        };
        ModelsDirectory: {
            /** @description how much of the files of an adopted folder has been checked, else null */
            adopting: components["schemas"]["ModelDownload"] | null;
            /**
             * Format: int64
             * @description null where unknown
             */
            free_bytes: number | null;
            /** Format: int64 */
            moved_bytes: number;
            moving: boolean;
            path: string;
            /** Format: int64 */
            used_bytes: number;
        };
        ModelsDirectoryChange: {
            /** @description use the models that are already in the folder; the current ones stay where they are */
            adopt?: boolean | null;
            /**
             * Format: path
             * @description an absolute path of an empty folder or a new one
             */
            path: string;
        };
        ModelsStatus: {
            models: components["schemas"]["ModelStatus"][];
        };
        ModelStatus: {
            cloning: boolean;
            default: boolean;
            /** @description where the model is loaded, empty when it is not */
            device: string;
            /** @description what the setting was when it was loaded, empty when it is not */
            device_requested: string;
            /** @description why it runs on the CPU in place of the GPU that was asked for, else null */
            device_warning: components["schemas"]["Failure"] | null;
            display_name: string;
            downloaded: boolean;
            downloading: components["schemas"]["ModelDownload"] | null;
            engine: string;
            error: components["schemas"]["Failure"] | null;
            /** @description those of languages that it speaks only where espeak-ng is installed */
            espeak_languages: string[];
            /** @description what its voices play in square brackets, in all forms: laugh, laughs, laughing */
            expressions: string[];
            /** @enum {string} */
            family: "speech" | "transcription" | "speakers";
            /** @enum {string} */
            fits: "yes" | "tight" | "no" | "unknown";
            /** Format: date-time */
            idle_unload_at: string | null;
            /** @description what the model does badly in a language, one sentence by tag */
            language_notes: {
                [key: string]: string;
            };
            languages: string[];
            /** Format: date-time */
            last_used_at: string | null;
            license: components["schemas"]["License"];
            loaded: boolean;
            memory_mb: components["schemas"]["ModelMemory"];
            /** @description whether its voices can be mixed: af_heart:0.6+af_bella:0.4 */
            mixes: boolean;
            model_name: string;
            /** @description whether each of its voices speaks all of its languages */
            multilingual: boolean;
            /** @description what the model is good for */
            note: string;
            /**
             * Format: int64
             * @description size of the partial files of a stopped download
             */
            partial_mb: number;
            repo_id: string;
            revision: string;
            /**
             * Format: double
             * @description real-time factor: seconds of synthesis per second of audio, measured on this machine
             */
            rtf: number | null;
            /** @description whether its makers publish samples of its voices, to be heard before the download */
            samples: boolean;
            /** @description how the loaded model uses the CPU cores, null when it is not loaded */
            shape: components["schemas"]["ModelConcurrency"] | null;
            /**
             * Format: int64
             * @description of the chosen variant, 1,000,000 bytes, rounded up
             */
            size_mb: number;
            state: string;
            /** @description whether it supports steps in a generation request */
            steps: boolean;
            /** @description whether this program has the engine of the model */
            supported: boolean;
            variant: string;
            /**
             * Format: int64
             * @description voices that this build can use
             */
            voices: number;
        };
        ModelStatusList: {
            items: components["schemas"]["ModelStatus"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        ModelUnloadRequest: {
            model_name: string;
        };
        ModelUnloadResult: {
            /** Format: int64 */
            freed_mb: number;
            loaded: boolean;
            model_name: string;
        };
        ModelVerifyResult: {
            /** Format: int64 */
            bytes: number;
            error: components["schemas"]["Failure"] | null;
            /** Format: int64 */
            files: number;
            model_name: string;
            ok: boolean;
        };
        ModelVoice: {
            /**
             * @description empty where unknown
             * @enum {string}
             */
            gender: "female" | "male" | "";
            /** @description VOICE in MODEL:VOICE */
            id: string;
            /** @description BCP 47, of the voice itself */
            language: string;
            name: string;
            /** @description why it is not usable, else empty */
            reason: string;
            /** @description false when this build cannot use it */
            usable: boolean;
        };
        MoveBookChapter: {
            /**
             * Format: int64
             * @description its place among the chapters, from 0
             */
            to: number;
        };
        NewBook: {
            /** @description default: that of the file */
            author?: string;
            /** @description numbers of chapters such as 3-5,8: the others are skipped */
            chapters?: string;
            /**
             * Format: int64
             * @description entries of the table of contents down to this level begin a chapter; default: the best one
             */
            depth?: number;
            /** @description character encoding of the file, such as windows-1251; default: the one that is found */
            encoding?: string;
            /** @description BCP 47; default: that of the file */
            language?: string;
            /**
             * Format: uuid
             * @description the voice profile
             */
            profile_id?: string;
            /** @description classes of words that are read aloud, as a list or separated by commas */
            read?: string | ("notes" | "note_marks" | "page_numbers" | "page_headers" | "citations" | "urls" | "tables" | "captions" | "contents" | "front_matter" | "back_matter" | "aside")[];
            /** Format: double */
            speed?: number;
            /** @description default: that of the file */
            title?: string;
            /** @description MODEL:VOICE instead of the profile's voice */
            voice?: string;
        };
        NewDraft: {
            /** @description any object */
            content: {
                [key: string]: unknown;
            };
            /** @description 1 to 100 characters after trimming; default Untitled */
            name?: string | null;
        };
        NewestVersion: {
            /** @description the version of this program */
            current: string;
            /** @description when it was released, as 2026-11-29 */
            date: string;
            /** @description what changed: plain text, whatever it looks like */
            notes: string;
            /** @description where to download it, on the host that was asked; for a browser */
            page: string;
            /**
             * @description newer: there is a newer version; current: there is none; unknown: this program was built between two versions, so they cannot be compared; none: no version for this platform is listed
             * @enum {string}
             */
            status: "newer" | "current" | "unknown" | "none";
            /** @description the newest version, without v; empty where there is none */
            version: string;
        };
        NewKnownSpeaker: {
            /**
             * @description why the voice print may be stored: the voice is yours, or its owner allowed it
             * @enum {string}
             */
            consent: "own_voice" | "permission";
            /** @description whose statement it is; default: the name of your account on this machine */
            consent_by?: string | null;
            /** @description of the person; default: that name, where a person gave it */
            name?: string | null;
            /** @description the name in the transcript */
            speaker: string;
            /** Format: uuid */
            transcription_id: string;
        };
        NewProfile: {
            description?: string | null;
            favorite?: boolean | null;
            hosted_model_id?: string | null;
            hosted_voice_id?: string | null;
            /**
             * Format: bcp47
             * @description BCP 47
             */
            language?: string | null;
            /** @description without a voice: the first voice of that model */
            model_name?: string | null;
            /** @description 1 to 100 characters after trimming, unique, ignoring case */
            name: string;
            preset_engine?: string | null;
            preset_voice_id?: string | null;
            /** Format: double */
            speed?: number | null;
            /** @enum {string|null} */
            voice_type?: "default" | "preset" | "cloned" | "hosted" | null;
        };
        NewPronunciation: {
            /**
             * Format: bcp47
             * @description BCP 47; empty for all languages
             */
            language?: string | null;
            /** @description 1 to 200 characters, plain or /ipa/, without [[, ]] and | */
            respelling: string;
            /** @description 1 to 100 characters, among them a letter or a digit and none of [ ] < > |; once in its language */
            word: string;
        };
        NewRecording: {
            /** @description id of a microphone; absent: the system's default */
            device?: string | null;
            /**
             * @description absent: transcript
             * @enum {string|null}
             */
            purpose?: "transcript" | "sample" | "dictation" | null;
        };
        NewSample: {
            /**
             * @description why the voice may be cloned: it is yours, or its owner allowed it
             * @enum {string}
             */
            consent: "own_voice" | "permission";
            /** @description whose statement it is; default: the name of your account on this machine */
            consent_by?: string | null;
            /**
             * Format: double
             * @description seconds of the recording; default: the start
             */
            from?: number | null;
            /**
             * Format: uuid
             * @description a recording of the microphone, in place of file
             */
            recording_id?: string | null;
            /**
             * Format: double
             * @description seconds of the recording; default: the end
             */
            to?: number | null;
            /** @description an installed transcription model writes a missing transcript */
            transcribe?: boolean | null;
            /** @description what is said */
            transcript?: string | null;
        };
        OpenAIError: {
            error: components["schemas"]["OpenAIErrorDetail"];
        };
        OpenAIErrorDetail: {
            /** @description as in the other routes, or the type of a validation error */
            code: string;
            message: string;
            /** @description the field that is wrong */
            param: string | null;
            /** @enum {string} */
            type: "invalid_request_error" | "server_error";
        };
        OpenAIModel: {
            /**
             * Format: int64
             * @description always 0
             */
            created: number;
            id: string;
            /** @enum {string} */
            object: "model";
            owned_by: string;
        };
        OpenAIModels: {
            data: components["schemas"]["OpenAIModel"][];
            /** @enum {string} */
            object: "list";
        };
        OpenAISpeech: {
            /** @description 1 to 200,000 characters */
            input: string;
            /** @description a model name, espeak, or tts-1 and its like for the default */
            model: string;
            /** @description mp3 (default), opus, aac, flac, wav or pcm, in any case */
            response_format?: string | null;
            /** Format: double */
            speed?: number | null;
            /** @description audio (default) or sse, in any case */
            stream_format?: string | null;
            /** @description a profile, a voice of the model, or alloy and its like for the default; also as the id of an object */
            voice?: string | {
                id: string;
            } | null;
        };
        OpenAITranscriptionRequest: {
            /** @description BCP 47; default: detected */
            language?: string;
            /** @description a model name, or whisper-1 and its like for the default */
            model?: string;
            prompt?: string;
            /** @description json (default), text, srt, verbose_json, diarized_json or vtt, in any case */
            response_format?: string;
            stream?: boolean;
            /** @description segment and word, for verbose_json */
            timestamp_granularities?: string | ("segment" | "word")[];
        };
        OpenAIVoice: {
            /** @description for voice in /v1/audio/speech: the id of a profile */
            id: string;
            /** @description BCP 47 */
            language: string;
            name: string;
            /** @enum {string} */
            object: "voice";
        };
        OpenAIVoices: {
            voices: components["schemas"]["OpenAIVoice"][];
        };
        ParsedBatch: {
            /**
             * Format: int64
             * @description rows with a problem
             */
            bad: number;
            /** @description character encoding that the file was read in, such as UTF-8 or windows-1251 */
            encoding: string;
            /** @description the encoding is the one that the file looks like, as it does not name one */
            encoding_guessed: boolean;
            /** @description all rows in their order, also those with a problem */
            items: components["schemas"]["Row"][];
            /** Format: int64 */
            total: number;
        };
        Partial: {
            /**
             * Format: int64
             * @description how many of the finished chunks come after one that is missing, and are not heard until it is there; absent: none
             */
            behind?: number;
            /**
             * Format: int64
             * @description finished chunks
             */
            chunks: number;
            /**
             * Format: double
             * @description length of the finished chunks, without the pauses between them
             */
            seconds: number;
            /**
             * Format: int64
             * @description chunks of the text
             */
            total: number;
        };
        PauseOptions: {
            /**
             * Format: double
             * @description seconds before and after a heading
             */
            heading?: number;
            /**
             * Format: double
             * @description seconds between paragraphs
             */
            paragraph?: number;
            /**
             * Format: double
             * @description seconds at a scene break, a line such as * * *
             */
            scene?: number;
            /**
             * Format: double
             * @description seconds between sentences
             */
            sentence?: number;
        };
        Peaks: {
            /** @description lowest and highest sample of each part */
            peaks: number[][];
        };
        Problem: {
            /** @description machine-readable cause */
            code: string;
            /** @description what happened, one sentence */
            detail: string;
            /** @description the generation that failed */
            generation_id?: string;
            /** @description values for wording the error in another language */
            params: {
                [key: string]: unknown;
            };
            /** @description what to do about it, one sentence */
            remedy: string;
            /** @description the transcript that failed */
            transcript_id?: string;
        };
        Profile: {
            /** @description that the voice may be cloned; null without samples */
            consent: components["schemas"]["Consent"] | null;
            /** Format: date-time */
            created_at: string;
            description: string;
            favorite: boolean;
            /**
             * @description of a preset voice, from the model registry; of a mixture, if voices with more than half of the weight share it; empty where unknown
             * @enum {string}
             */
            gender: "female" | "male" | "";
            hosted_model_id?: string;
            hosted_voice_id?: string;
            /** @description UUID version 7 */
            id: string;
            /** @description BCP 47 */
            language: string;
            model_name?: string;
            name: string;
            preset_engine?: string;
            preset_voice_id?: string;
            /** @description why it cannot be used */
            reason?: string;
            /**
             * Format: int64
             * @description how many recordings a cloned profile has
             */
            samples: number;
            /**
             * Format: double
             * @description 1 is the normal speed of the voice; 0.25 to 4
             */
            speed: number;
            /** Format: date-time */
            updated_at: string;
            /** @description false when this build cannot use it */
            usable: boolean;
            /** @enum {string} */
            voice_type: "default" | "preset" | "cloned" | "hosted";
        };
        ProfileChanges: {
            description?: string | null;
            favorite?: boolean | null;
            hosted_model_id?: string | null;
            hosted_voice_id?: string | null;
            /**
             * Format: bcp47
             * @description BCP 47
             */
            language?: string | null;
            /** @description without a voice: the first voice of that model */
            model_name?: string | null;
            name?: string | null;
            preset_engine?: string | null;
            preset_voice_id?: string | null;
            /** Format: double */
            speed?: number | null;
            /** @enum {string|null} */
            voice_type?: "default" | "preset" | "cloned" | "hosted" | null;
        };
        ProfileList: {
            items: components["schemas"]["Profile"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        Pronunciation: {
            /** @description UUID version 7 */
            id: string;
            /** @description BCP 47; empty for all languages */
            language: string;
            /** @description what is spoken instead, or phonemes as /ipa/ */
            respelling: string;
            /** @description a word or a phrase, matched ignoring case */
            word: string;
        };
        PronunciationChanges: {
            /** Format: bcp47 */
            language?: string | null;
            respelling?: string | null;
            word?: string | null;
        };
        PronunciationImport: {
            /** Format: int64 */
            added: number;
            /**
             * Format: int64
             * @description existing words
             */
            replaced: number;
            /** @description the first 1,000 of them */
            skipped: components["schemas"]["SkippedLine"][];
            /**
             * Format: int64
             * @description how many lines were skipped
             */
            skipped_total: number;
        };
        PronunciationList: {
            items: components["schemas"]["Pronunciation"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        QuotedText: {
            /**
             * Format: uuid
             * @description of a turn, as in PUT /scripts/{script_id}
             */
            generation_id?: string | null;
            /** Format: bcp47 */
            language?: string | null;
            model_name?: string | null;
            profile_id?: string | null;
            pronunciations?: {
                [key: string]: string;
            } | null;
            text?: string | null;
            /** @description hosted:ID */
            voice?: string | null;
        };
        Receipt: {
            app_version: string;
            audio_sha256: string;
            chunks: components["schemas"]["ReceiptChunk"][];
            device: string;
            /** @description tags and characters that the engine does not support */
            dropped_tags: string[];
            engine: string;
            /**
             * Format: double
             * @description before the limiter
             */
            gain_db: number;
            /** @description of the hosted service; absent for local voices */
            hosted?: components["schemas"]["HostedReceipt"] | null;
            language: string;
            /** @description what the model does badly in this language */
            language_note?: string;
            /** @description how the loudness was reached; absent with one gain only, or none */
            level?: components["schemas"]["ReceiptLevel"] | null;
            model_files: components["schemas"]["FileHash"][];
            model_name: string;
            model_revision: string;
            parameters: {
                [key: string]: unknown;
            };
            /** @description pronunciations that were used, of the dictionary or the request */
            pronunciations: {
                [key: string]: string;
            };
            reproducible: boolean;
            /** @description name to version */
            runtimes: {
                [key: string]: string;
            };
            /** @description wall seconds per stage */
            seconds: {
                [key: string]: number;
            };
            /** Format: int64 */
            seed: number;
            /** @description pauses longer than 60 s, which were shortened */
            shortened_pauses?: string[];
            /** Format: double */
            speed: number;
            spoken_text: string;
            /**
             * Format: int64
             * @description of each run of the model
             */
            threads: number;
            /** @description how well a transcription model understood the audio, when it was last heard */
            verify?: components["schemas"]["Verification"] | null;
            voice: string;
            /**
             * Format: int64
             * @description sentences generated in parallel; 0 where unknown
             */
            workers: number;
        };
        ReceiptChunk: {
            /**
             * @description what precedes the chunk: pause for markup; absent within a sentence, and in generations whose pauses did not follow the structure
             * @enum {string}
             */
            break?: "pause" | "sentence" | "paragraph" | "heading" | "scene";
            dropped_tags?: string[];
            /** @description the generation that its sound was copied from; absent where it was spoken */
            from?: string;
            /**
             * Format: double
             * @description its level, where it differs from the file's
             */
            gain_db?: number;
            /**
             * Format: int64
             * @description silence before the chunk, by the markup or the structure of the text
             */
            pause_ms: number;
            pronunciations?: {
                [key: string]: string;
            };
            /** @description identifies the samples that its voice was cloned from; absent for other voices, and where unknown */
            sample?: string;
            /** Format: int64 */
            seed: number;
            /** @description the text passed to the engine */
            spoken: string;
            /** @description all takes, if there are several */
            takes?: components["schemas"]["ReceiptTake"][];
            /** @description the chunk as written */
            text: string;
            /** @description how well a transcription model understood the take */
            verify?: components["schemas"]["ChunkVerification"] | null;
        };
        ReceiptLevel: {
            /**
             * Format: double
             * @description integrated loudness of the result; null if too quiet to measure
             */
            lufs: number | null;
            /**
             * Format: double
             * @description greatest reduction by the limiter
             */
            reduction_db: number;
            /**
             * Format: double
             * @description how far the loudness is below -16 LUFS, because the peaks would need more than 9 dB of reduction
             */
            shortfall_lu: number;
            /**
             * Format: int64
             * @description of the levelling method: the same version gives the same samples
             */
            version: number;
        };
        ReceiptTake: {
            dropped_tags?: string[];
            /** @description the generation that its sound was copied from; absent where it was spoken */
            from?: string;
            /**
             * Format: double
             * @description its level, where it differs from the file's
             */
            gain_db?: number;
            pronunciations?: {
                [key: string]: string;
            };
            /** @description identifies the samples that its voice was cloned from; absent for other voices, and where unknown */
            sample?: string;
            /** Format: int64 */
            seed: number;
            /** @description the text passed to the engine */
            spoken: string;
            /** @description how well a transcription model understood the take */
            verify?: components["schemas"]["ChunkVerification"] | null;
        };
        Recording: {
            /** @description a sample has reached full scale since the recording started */
            clipped: boolean;
            /** @description id of the microphone; empty for the system's default */
            device: string;
            /**
             * Format: double
             * @description seconds of audio lost because this machine was too busy
             */
            dropped: number;
            /** @description why it ended; null where it was stopped by a request or at the longest duration */
            error: components["schemas"]["Failure"] | null;
            /** @description UUID version 7 */
            id: string;
            /**
             * Format: double
             * @description RMS of the last moment in dB below full scale, at least -100
             */
            level_db: number;
            /**
             * Format: double
             * @description highest sample of the last moment in dB below full scale, at least -100
             */
            peak_db: number;
            /** @enum {string} */
            purpose: "transcript" | "sample" | "dictation";
            /**
             * Format: double
             * @description of audio so far, without pauses
             */
            seconds: number;
            /** @enum {string} */
            status: "recording" | "paused" | "stopped" | "failed";
        };
        RegenerateChunkRequest: {
            /** @description false: add the take and leave the audio as it is; default true */
            choose?: boolean | null;
            /** Format: int64 */
            seed?: number | null;
        };
        RegenerateRequest: {
            /**
             * Format: int64
             * @description the price of a hosted voice that the user accepted
             */
            accept_credits?: number | null;
            /** Format: int64 */
            seed?: number | null;
        };
        RerunRequest: {
            /** @description false: fail with model_not_downloaded, whose params name the model and its size, where the model is missing; default: it is downloaded */
            download?: boolean | null;
            /**
             * Format: double
             * @description seconds; default: the start
             */
            from?: number | null;
            /**
             * Format: bcp47
             * @description BCP 47 or auto; default: as requested before
             */
            language?: string | null;
            /** @description default: the same model */
            model_name?: string | null;
            /** @description text that precedes the audio, such as names and their spelling; default: as requested before */
            prompt?: string | null;
            /** @description auto, channels, off, a number, or {mode, count, pace}; default: as requested before, for a part those that were found before */
            speakers?: string | number | {
                count?: number;
                mode?: string;
                pace?: string;
            } | null;
            /**
             * Format: double
             * @description seconds; default: the end
             */
            to?: number | null;
        };
        RestoreRequest: {
            /** @description take the settings of the network from the backup; absent: those of this machine stay */
            network_settings?: boolean | null;
        };
        RestoreState: {
            /** @description the folder with the library from before the last restore; empty where there is none */
            former: string;
            /** @description a restored library waits until this one is closed */
            restoring: boolean;
            /** @description the library of the last restore could not be opened, so the former one is back in its place; until the next restore or start */
            undone: boolean;
        };
        RetryRequest: {
            /**
             * Format: int64
             * @description the price of what a hosted voice still has to speak that the user accepted
             */
            accept_credits?: number | null;
        };
        RevisedGeneration: {
            /** @description true when the file of a finished generation is gone: use regenerate. Only in /history/{id} and /generate/{id}, not in lists */
            audio_missing?: boolean;
            /** @description absolute path of the finished file, empty until complete */
            audio_path: string;
            /** @description a path that works without a token for one hour; empty until complete */
            audio_url: string;
            /** @description true when the last change of its text can be undone */
            can_undo: boolean;
            /**
             * Format: int64
             * @description 0 until complete
             */
            channels: number;
            chunks: components["schemas"]["Chunk"][];
            /**
             * Format: int64
             * @description how many of the finished chunks come after one that is missing, and are not heard until it is there; absent: none
             */
            chunks_behind?: number;
            /**
             * Format: int64
             * @description chunks that are finished
             */
            chunks_done: number;
            /**
             * Format: int64
             * @description 0 until it is known
             */
            chunks_total: number;
            /** Format: date-time */
            created_at: string;
            /** Format: int64 */
            credits: number | null;
            /** @description the lines of a dialogue that the hosted service spoke in one call; absent for others */
            dialogue?: components["schemas"]["DialogueLine"][];
            /** @description of a dry run: the settings of the request that this generation was not made with, such as speed or hosted.stability */
            different_settings?: string[];
            /**
             * Format: double
             * @description seconds, 0 until complete
             */
            duration: number;
            engine: string;
            error: components["schemas"]["Failure"] | null;
            /**
             * Format: double
             * @description estimated time left, null where unknown
             */
            eta_seconds: number | null;
            favorite: boolean;
            /** @enum {string} */
            format: "wav" | "flac" | "mp3" | "opus" | "m4a";
            /**
             * Format: int64
             * @description passages of the new text that are spoken
             */
            generated: number;
            /** @description UUID version 7 */
            id: string;
            language: string;
            /**
             * Format: double
             * @description how far a changed text is from the loudness that it was levelled to, in LU; absent up to 0.5, and where the receipt is not shown
             */
            level_off?: number;
            model_name: string;
            parent_id: string | null;
            /** @description the finished chunks of one that was stopped or failed, which a retry reuses; null otherwise */
            partial: components["schemas"]["Partial"] | null;
            profile_id: string;
            /** @description the name of the profile when the generation was made */
            profile_name: string;
            /**
             * Format: double
             * @description 0 to 1
             */
            progress: number;
            /** @description price of the passages of a hosted generation that are spoken; null for a local voice */
            quote: components["schemas"]["HostedQuote"] | null;
            receipt: components["schemas"]["Receipt"] | null;
            /**
             * Format: int64
             * @description passages of the old text that are not in the new one
             */
            removed: number;
            /** @description what it was made for; absent where it was made for itself */
            request?: components["schemas"]["GenerationOrigin"] | null;
            /**
             * Format: int64
             * @description passages of the new text that keep their audio and takes
             */
            reused: number;
            /** @description of a dry run: whether a generation with the settings of the request would have those of this one, so that only its text changes; true where none was sent */
            same_settings?: boolean;
            /**
             * Format: int64
             * @description Hz, 0 until complete
             */
            sample_rate: number;
            /**
             * Format: int64
             * @description the seed that was used
             */
            seed: number;
            /** @enum {string} */
            source: "local" | "hosted";
            /** Format: double */
            speed: number;
            /** @enum {string} */
            status: "queued" | "downloading_model" | "loading_model" | "generating" | "complete" | "failed" | "cancelled";
            text: string;
            title: string;
            /** @description how well a transcription model understood the audio; null until it was heard */
            verify: components["schemas"]["Verification"] | null;
            /** @description why the audio could not be heard; null otherwise */
            verify_error: components["schemas"]["Failure"] | null;
            /** @description true while it waits to be heard, or is heard */
            verifying?: boolean;
            voice: string;
            /** @description why a hosted generation waits; null otherwise */
            wait: components["schemas"]["Wait"] | null;
        };
        RevisedScript: {
            /** @description absolute path of the joined file, empty until it is joined */
            audio_path: string;
            /** @description a path that works without a token for one hour; empty until it is joined */
            audio_url: string;
            /** @description true when the version before the last revision can be taken back */
            can_undo: boolean;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: double
             * @description seconds of the joined file, 0 until it is joined
             */
            duration: number;
            /**
             * Format: int64
             * @description silence between turns, in milliseconds
             */
            gap_ms: number;
            /**
             * Format: int64
             * @description turns that are generated
             */
            generated: number;
            /** @description UUID version 7 */
            id: string;
            /** @description how the voices were levelled; null until it is joined */
            receipt: components["schemas"]["ScriptReceipt"] | null;
            /**
             * Format: int64
             * @description turns of the version before that the script no longer has
             */
            removed: number;
            /**
             * Format: int64
             * @description turns that keep their audio
             */
            reused: number;
            /**
             * Format: int64
             * @description Hz, 0 until it is joined
             */
            sample_rate: number;
            /** @description names of the turns' speakers, empty for those of their profile; empty list where none was given */
            speakers: string[];
            title: string;
            /** @description those that are still in the history */
            turns: components["schemas"]["Generation"][];
            /** Format: date-time */
            updated_at: string;
        };
        ReviseRequest: {
            /**
             * Format: int64
             * @description the price of a hosted voice that the user accepted
             */
            accept_credits?: number | null;
            /** @description accept the licence of the model, where required */
            accept_license?: boolean | null;
            /** Format: int64 */
            crossfade_ms?: number | null;
            /** @description return the counts, the price and same_settings with status 200 and change nothing */
            dry_run?: boolean | null;
            /** @enum {string|null} */
            format?: "wav" | "flac" | "mp3" | "opus" | "m4a" | null;
            /** @description options of a hosted voice; not all models have them */
            hosted?: components["schemas"]["HostedOptions"] | null;
            /**
             * Format: bcp47
             * @description BCP 47
             */
            language?: string | null;
            /** @description false: normalise by one gain only, without the limiter, which reduces peaks by up to 9 dB; default true */
            limit?: boolean | null;
            /** Format: int64 */
            max_chunk_chars?: number | null;
            model_name?: string | null;
            /** @description normalise to -16 LUFS with a true peak of at most -1 dB; default true */
            normalize?: boolean | null;
            /** @description override the settings */
            pauses?: components["schemas"]["SentPauseOptions"] | null;
            /** @description for same_settings of a dry run, as are the options of a request to generate; default: that of the generation */
            profile_id?: string | null;
            /** @description word to respelling or /ipa/, over the dictionary; up to 1,000 */
            pronunciations?: {
                [key: string]: string;
            } | null;
            /** Format: int64 */
            seed?: number | null;
            /** Format: double */
            speed?: number | null;
            /**
             * Format: int64
             * @description for models with refinement steps, such as 2, 5 or 12: more steps take longer and sound better
             */
            steps?: number | null;
            /** @description the new text, 1 to 200,000 characters after trimming */
            text: string;
            title?: string | null;
            /** @description hear the finished audio with the model of speech.verify_model, and make passages again that are not understood; default: the setting speech.verify */
            verify?: boolean | null;
            /** @description MODEL:VOICE instead of the profile's voice; hosted:ID for a hosted voice, whose model is model_name */
            voice?: string | null;
        };
        Row: {
            format: string;
            language: string;
            /**
             * Format: int64
             * @description line of the file in which the row begins, from 1
             */
            line: number;
            /** @description of the audio file, without extension */
            name: string;
            /** @description the values in the problem */
            params?: {
                [key: string]: unknown;
            };
            /** @description why the row cannot be spoken, in one sentence; empty for a good row */
            problem: string;
            /** @description the problem for programs: no_text, too_long, format, speed, quotes, too_few, too_many, not_object or not_text */
            reason?: string;
            /**
             * Format: int64
             * @description counts the rows with texts, from 1
             */
            row: number;
            /** Format: double */
            speed: number | null;
            text: string;
            /** @description MODEL:VOICE, or the name of a profile */
            voice: string;
        };
        Sample: {
            /** @description a path that works without a token for one hour */
            audio_url: string;
            clipped: boolean;
            /** Format: date-time */
            created_at: string;
            /** @description UUID version 7 */
            id: string;
            /** Format: double */
            level_lufs: number;
            /** @description of the uploaded file, or empty */
            name: string;
            /**
             * Format: double
             * @description level of the background in dB below full scale
             */
            noise_db: number;
            profile_id: string;
            /**
             * Format: int64
             * @description Hz
             */
            sample_rate: number;
            /**
             * Format: double
             * @description without the silence at both ends
             */
            seconds: number;
            /**
             * Format: int64
             * @description 2 where the pitch suggests two people, else 1
             */
            speakers: number;
            transcript: string;
            warnings: components["schemas"]["SampleWarning"][];
        };
        SampleChanges: {
            transcript: string;
        };
        SampleCheck: {
            /** @description a path that works without a token for one hour */
            audio_url: string;
            clipped: boolean;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: double
             * @description seconds of the file, of which at most the first 300 are read
             */
            duration: number;
            /**
             * Format: double
             * @description seconds of the file: where the part begins that is kept
             */
            from: number;
            /** @description UUID version 7 */
            id: string;
            /** Format: double */
            level_lufs: number;
            /** @description the models that clone voices */
            models: components["schemas"]["CloneModel"][];
            /** @description of the uploaded file, or empty */
            name: string;
            /**
             * Format: double
             * @description level of the background in dB below full scale
             */
            noise_db: number;
            /** @description of the file, 0 to 1 each */
            peaks: number[];
            profile_id: string;
            /**
             * Format: int64
             * @description Hz
             */
            sample_rate: number;
            /**
             * Format: double
             * @description without the silence at both ends
             */
            seconds: number;
            /**
             * Format: int64
             * @description 2 where the pitch suggests two people, else 1
             */
            speakers: number;
            /**
             * Format: double
             * @description seconds of the file: where it ends
             */
            to: number;
            transcript: string;
            warnings: components["schemas"]["SampleWarning"][];
        };
        SampleList: {
            items: components["schemas"]["Sample"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        SampleToCheck: {
            /**
             * Format: double
             * @description seconds of the recording; default: the start
             */
            from?: number | null;
            /**
             * Format: uuid
             * @description a recording of the microphone, in place of file
             */
            recording_id?: string | null;
            /**
             * Format: double
             * @description seconds of the recording; default: the end
             */
            to?: number | null;
            /** @description an installed transcription model writes a missing transcript */
            transcribe?: boolean | null;
            /** @description what is said */
            transcript?: string | null;
        };
        SampleWarning: {
            code: string;
            detail: string;
            params?: {
                [key: string]: unknown;
            };
            remedy: string;
        };
        Script: {
            /** @description absolute path of the joined file, empty until it is joined */
            audio_path: string;
            /** @description a path that works without a token for one hour; empty until it is joined */
            audio_url: string;
            /** @description true when the version before the last revision can be taken back */
            can_undo: boolean;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: double
             * @description seconds of the joined file, 0 until it is joined
             */
            duration: number;
            /**
             * Format: int64
             * @description silence between turns, in milliseconds
             */
            gap_ms: number;
            /** @description UUID version 7 */
            id: string;
            /** @description how the voices were levelled; null until it is joined */
            receipt: components["schemas"]["ScriptReceipt"] | null;
            /**
             * Format: int64
             * @description Hz, 0 until it is joined
             */
            sample_rate: number;
            /** @description names of the turns' speakers, empty for those of their profile; empty list where none was given */
            speakers: string[];
            title: string;
            /** @description those that are still in the history */
            turns: components["schemas"]["Generation"][];
            /** Format: date-time */
            updated_at: string;
        };
        ScriptReceipt: {
            voices: components["schemas"]["ScriptVoice"][];
        };
        ScriptRequest: {
            /**
             * Format: int64
             * @description the price of all hosted turns that the user accepted
             */
            accept_credits?: number | null;
            /**
             * Format: int64
             * @description silence between turns; default 300
             */
            gap_ms?: number | null;
            title?: string | null;
            turns: components["schemas"]["ScriptTurn"][];
        };
        ScriptRow: {
            /** @description absolute path of the joined file, empty until it is joined */
            audio_path: string;
            /** @description a path that works without a token for one hour; empty until it is joined */
            audio_url: string;
            /** @description true when the version before the last revision can be taken back */
            can_undo: boolean;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: double
             * @description seconds of the joined file, 0 until it is joined
             */
            duration: number;
            /**
             * Format: int64
             * @description silence between turns, in milliseconds
             */
            gap_ms: number;
            /** @description UUID version 7 */
            id: string;
            /**
             * Format: int64
             * @description Hz, 0 until it is joined
             */
            sample_rate: number;
            /** @description names of the turns' speakers, empty for those of their profile; empty list where none was given */
            speakers: string[];
            title: string;
            /** @description those that are still in the history */
            turns: components["schemas"]["GenerationRow"][];
            /** Format: date-time */
            updated_at: string;
        };
        ScriptRowList: {
            items: components["schemas"]["ScriptRow"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        ScriptTurn: {
            /**
             * Format: uuid
             * @description for PUT: a generation with the same text and voice, to keep for this turn
             */
            generation_id?: string | null;
            /**
             * Format: bcp47
             * @description BCP 47
             */
            language?: string | null;
            /** @description UUID of the voice profile */
            profile_id: string;
            /** Format: int64 */
            seed?: number | null;
            /** @description name in subtitles, tags and lists; absent: that of the profile */
            speaker?: string | null;
            /** Format: double */
            speed?: number | null;
            /** @description 1 to 200,000 characters after trimming */
            text: string;
            /** @description MODEL:VOICE instead of the profile's voice */
            voice?: string | null;
        };
        ScriptVoice: {
            /**
             * Format: double
             * @description from the output of the engine, before the limiter; of hosted voices from the audio received
             */
            gain_db: number;
            /** @description of all its turns together; null if too short to measure */
            level: components["schemas"]["ReceiptLevel"] | null;
            model_name: string;
            /** @enum {string} */
            source: "local" | "hosted";
            /** Format: int64 */
            turns: number;
            /** @description empty for the dialogues of the hosted service */
            voice: string;
        };
        Segment: {
            /**
             * Format: int64
             * @description id of the segment that it was cut off, where the speaker changes; 0 for others
             */
            cut_from: number;
            /**
             * Format: double
             * @description seconds
             */
            end: number;
            /**
             * Format: int64
             * @description unique in its transcript; kept by edits
             */
            id: number;
            /**
             * Format: double
             * @description 0 to 1: how likely the segment is no speech
             */
            no_speech_prob: number;
            /** @description a new paragraph begins with it */
            paragraph: boolean;
            /** @description who speaks, as found or as set by a person; else empty */
            speaker: string;
            /** @description the speaker was found; false where a person set it */
            speaker_found: boolean;
            /**
             * Format: double
             * @description seconds
             */
            start: number;
            /** @description with the space that the model writes before it */
            text: string;
            /** @description empty where no times were requested, and after the text was edited */
            words: components["schemas"]["HeardWord"][];
        };
        SegmentChange: {
            /** Format: int64 */
            id: number;
            speaker?: string | null;
            /** @description empty: the segment is removed */
            text?: string | null;
        };
        SentBookOptions: {
            /**
             * Format: double
             * @description seconds after a chapter in an exported book; default 2
             */
            chapter_pause?: number | null;
            /**
             * Format: bcp47
             * @description BCP 47
             */
            language?: string | null;
            pauses?: components["schemas"]["SentPauseOptions"] | null;
            /** @description UUID of the voice profile */
            profile_id?: string | null;
            /** @description its name when it was chosen */
            readonly profile_name?: string | null;
            /** @description word to respelling or /ipa/, over the dictionary; up to 1,000 */
            pronunciations?: {
                [key: string]: string;
            } | null;
            /** @description classes of words that are read aloud, which are left out otherwise */
            read?: string[] | null;
            /** Format: double */
            speed?: number | null;
            /** @description MODEL:VOICE instead of the profile's voice */
            voice?: string | null;
        };
        SentPauseOptions: {
            /**
             * Format: double
             * @description seconds before and after a heading
             */
            heading?: number | null;
            /**
             * Format: double
             * @description seconds between paragraphs
             */
            paragraph?: number | null;
            /**
             * Format: double
             * @description seconds at a scene break, a line such as * * *
             */
            scene?: number | null;
            /**
             * Format: double
             * @description seconds between sentences
             */
            sentence?: number | null;
        };
        SetBookPlace: {
            /** Format: uuid */
            chapter_id: string;
            /**
             * Format: double
             * @description from the beginning of the chapter
             */
            seconds: number;
        };
        Similarity: {
            /**
             * Format: double
             * @description of voice and samples, -1 to 1; null without a model that finds speakers
             */
            cosine: number | null;
            heard: string;
            /**
             * Format: double
             * @description before it is levelled
             */
            level_lufs: number | null;
            /** @description the transcription model */
            model_name: string;
            /** Format: double */
            pitch_hz: number | null;
            /** Format: double */
            sample_level_lufs: number | null;
            /** Format: double */
            sample_pitch_hz: number | null;
            /**
             * Format: double
             * @description of samples with a transcript
             */
            sample_words_per_minute: number | null;
            /** @description what was spoken */
            text: string;
            warnings: components["schemas"]["SampleWarning"][];
            /**
             * Format: double
             * @description word error rate, 0 is best
             */
            wer: number;
            /** Format: double */
            words_per_minute: number | null;
        };
        SimilarityRequest: {
            /** @description of transcription; absent: that of proof-listening */
            model_name?: string | null;
        };
        SkippedLine: {
            /**
             * Format: int64
             * @description in the file or the list, from 1
             */
            line: number;
            reason: string;
        };
        Speaker: {
            /**
             * Format: int64
             * @description segments
             */
            lines: number;
            name: string;
            /**
             * Format: double
             * @description how long the speaker speaks
             */
            seconds: number;
            /** @description the known speaker who this may be, else null; set where it is shown */
            suggestion: components["schemas"]["SpeakerSuggestion"] | null;
        };
        SpeakerPatch: {
            name: string;
            new_name: string;
        };
        SpeakersRequest: {
            /**
             * Format: int64
             * @description exactly so many; with auto at most, default: 20
             */
            count?: number | null;
            /**
             * @description channels: of a stereo source; default: auto
             * @enum {string|null}
             */
            mode?: "auto" | "number" | "channels" | "off" | null;
            /**
             * @description default: the setting transcribe.speakers_pace
             * @enum {string|null}
             */
            pace?: "thorough" | "balanced" | "fast" | null;
            /** @description compare each line with the voices of the lines that a person set, and find no new speakers */
            reassign?: boolean | null;
        };
        SpeakerSuggestion: {
            /**
             * Format: double
             * @description how alike the voices are: 0.5 to 1
             */
            cosine: number;
            id: string;
            name: string;
        };
        SpeakerTurn: {
            /**
             * Format: double
             * @description seconds
             */
            end: number;
            /** @description the name */
            speaker: string;
            /**
             * Format: double
             * @description seconds
             */
            start: number;
        };
        SplitBookChapter: {
            /**
             * Format: int64
             * @description number of the block, from 0, with which the new chapter begins
             */
            block: number;
            /** @description default: the block where it is a heading, else that of the chapter */
            title?: string | null;
        };
        SplitRequest: {
            /**
             * Format: int64
             * @description the word that begins the second part, counted from 1
             */
            word: number;
        };
        StorageUse: {
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            files: number;
            /**
             * Format: int64
             * @description generations and transcripts whose file is missing
             */
            missing: number;
        };
        Suspect: {
            /** Format: int64 */
            count: number;
            /** @enum {string} */
            kind: "capitals" | "roman" | "name";
            /** @description its first place, with the words around it */
            sample: string;
            word: string;
        };
        SuspectList: {
            items: components["schemas"]["Suspect"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        SystemDevice: {
            /**
             * Format: int64
             * @description logical cores that this process may use
             */
            cores?: number;
            id: string;
            memory: components["schemas"]["SystemSpace"] | null;
            name: string;
        };
        SystemDeviceChoice: {
            /** @description null = not known before the first model is loaded */
            available: boolean | null;
            /** @enum {string} */
            device: "cuda" | "directml" | "coreml";
            /** @enum {string} */
            family: "speech" | "transcription";
            /** @description why it is not available, else null */
            reason: components["schemas"]["Failure"] | null;
        };
        SystemInfo: {
            arch: string;
            /** @description the GPUs that the settings of devices can name on this system */
            device_choices: components["schemas"]["SystemDeviceChoice"][];
            devices: components["schemas"]["SystemDevice"][];
            /** @description of the data directory; null = unknown */
            disk: components["schemas"]["SystemSpace"] | null;
            /** @description audio formats that can be written */
            encoders: string[];
            libraries: components["schemas"]["SystemLibrary"][];
            /** @description of the machine, or of the container when that has less; null = unknown */
            memory: components["schemas"]["SystemSpace"] | null;
            offline: boolean;
            os: string;
            paths: {
                [key: string]: string;
            };
        };
        SystemLibrary: {
            available: boolean;
            /** @description how to get the program where it is not available; null for parts of Voicewright */
            install: components["schemas"]["Installation"] | null;
            name: string;
            /** @description why it is not available, and what to do */
            reason?: string;
            /** @description empty when unknown */
            version: string;
        };
        SystemSpace: {
            /** Format: int64 */
            free: number;
            /** Format: int64 */
            total: number;
        };
        Take: {
            /**
             * Format: double
             * @description seconds; null for a take without audio of its own, as chunks overlap
             */
            duration: number | null;
            /** @description lowest and highest sample of each part; empty without audio */
            peaks: number[][];
            /** Format: int64 */
            seed: number;
            /**
             * Format: int64
             * @description from 0
             */
            take: number;
        };
        TakeList: {
            items: components["schemas"]["Take"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        TextPreview: {
            /** @description what will be spoken at a time */
            chunks: string[];
            /** @description marks that will not be played, and characters that the voice has no sound for */
            dropped_tags: string[];
            /** @description what the model does badly in the language of the voice */
            language_note?: string;
            /** @description the silences between the chunks, and at the ends */
            pauses: components["schemas"]["TextPreviewPause"][];
            /** @description of the first 5,000 characters in whole sentences; empty where they are not known */
            phonemes: string;
            /**
             * Format: double
             * @description estimated, pauses included
             */
            seconds: number;
            sentences: string[];
            /** @description pauses longer than 60 s, which is the maximum */
            shortened_pauses: string[];
            /** @description as the engine will get it: numbers spelled out, your words replaced */
            spoken: string;
        };
        TextPreviewPause: {
            /**
             * @description pause for markup
             * @enum {string}
             */
            break: "pause" | "sentence" | "paragraph" | "heading" | "scene";
            /**
             * Format: int64
             * @description the chunk after it, from 0; the number of chunks for one at the end
             */
            chunk: number;
            /** Format: double */
            seconds: number;
        };
        TextPreviewRequest: {
            /** Format: int64 */
            crossfade_ms?: number | null;
            /**
             * Format: bcp47
             * @description BCP 47
             */
            language?: string | null;
            /** Format: int64 */
            max_chunk_chars?: number | null;
            model_name?: string | null;
            /** @description override the settings */
            pauses?: components["schemas"]["SentPauseOptions"] | null;
            /** @description UUID of the voice profile; default: the default voice */
            profile_id?: string | null;
            /** @description word to respelling or /ipa/, over the dictionary; up to 1,000 */
            pronunciations?: {
                [key: string]: string;
            } | null;
            /** Format: double */
            speed?: number | null;
            /** @description 1 to 200,000 characters after trimming */
            text: string;
            /** @description MODEL:VOICE instead of the profile's voice */
            voice?: string | null;
        };
        Transcript: {
            /** @description true when the file of the audio is gone. Only in /transcriptions/{id}, not in lists */
            audio_missing?: boolean;
            /** @description absolute path of the stored audio, empty if there is none */
            audio_path: string;
            /** @description a path that works without a token for one hour; empty without audio */
            audio_url: string;
            /** @description there is an edit or a rerun to undo */
            can_undo: boolean;
            /** @description of a stereo source; null for others, and for transcripts of older versions */
            channels: components["schemas"]["Channels"] | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: double
             * @description seconds of audio
             */
            duration: number;
            /** @description why it failed; of a complete transcript why its last rerun failed */
            error: components["schemas"]["Failure"] | null;
            /** @description of the uploaded file, without its folder */
            file_name: string;
            /** @description how far its speakers are found; null while they are not being found */
            finding_speakers: components["schemas"]["FindingSpeakers"] | null;
            /** @description the generation that was transcribed */
            generation_id: string | null;
            /** @description UUID version 7 */
            id: string;
            /** @description BCP 47, as given or detected; empty until known */
            language: string;
            model_name: string;
            /**
             * Format: double
             * @description 0 to 1
             */
            progress: number;
            /** @description the text that preceded the audio, as requested last */
            prompt?: string;
            segments: components["schemas"]["Segment"][];
            /** @enum {string} */
            source: "file" | "recording" | "generation";
            /** @description in the order of their first words */
            speakers: components["schemas"]["Speaker"][];
            /** @description why its speakers were not found; the transcript is complete without them */
            speakers_error: components["schemas"]["Failure"] | null;
            /** @enum {string} */
            status: "queued" | "downloading_model" | "loading_model" | "transcribing" | "complete" | "failed" | "cancelled";
            /** @description all segments, in paragraphs */
            text: string;
            title: string;
            /** @description when the speakers that were found speak, also two at once */
            turns: components["schemas"]["SpeakerTurn"][];
            /** Format: date-time */
            updated_at: string;
            /** @description a cancelled run of the model must end before this one begins */
            waiting: boolean;
            /** @description what a reader of the text should know, such as repeated text that was removed */
            warnings: components["schemas"]["TranscriptWarning"][];
        };
        TranscriptChanges: {
            segments?: components["schemas"]["SegmentChange"][] | null;
            /** @description new names, in all segments; that of another speaker makes both one */
            speakers?: components["schemas"]["SpeakerPatch"][] | null;
            title?: string | null;
        };
        TranscriptionModel: {
            display_name: string;
            /** @description false: the request would download it */
            downloaded: boolean;
            model_name: string;
            /** @description the request or the user's settings name it; else it was chosen */
            named: boolean;
            /**
             * Format: int64
             * @description of the download; 0 where it is unknown
             */
            size_mb: number;
        };
        TranscriptionRequest: {
            /** @description false: fail with model_not_downloaded, whose params name the model and its size, where the model is missing; default: it is downloaded */
            download?: boolean | null;
            /**
             * Format: uuid
             * @description transcribe the audio of this generation
             */
            generation_id?: string | null;
            /**
             * Format: bcp47
             * @description BCP 47; auto, the default, detects it
             */
            language?: string | null;
            /** @description default: the setting transcribe.model */
            model_name?: string | null;
            /** @description text that precedes the audio, such as names and their spelling */
            prompt?: string | null;
            /**
             * Format: uuid
             * @description transcribe this recording of the microphone
             */
            recording_id?: string | null;
            /** @description auto, channels, off, a number, or {mode, count, pace}; default: auto where the model Speakers is downloaded, else off */
            speakers?: string | number | {
                count?: number;
                mode?: string;
                pace?: string;
            } | null;
            /** @description segment, word or both, as a list or separated by commas; word adds the times of words */
            timestamps?: string | ("segment" | "word")[] | null;
            /** @description default: the name of the file, or the title of the generation */
            title?: string | null;
            /** @description translate into English */
            translate?: boolean | null;
            /** @description true: only what is detected as speech; false: everything; default: everything but silence and noise */
            vad?: boolean | null;
        };
        TranscriptRow: {
            /** @description absolute path of the stored audio, empty if there is none */
            audio_path: string;
            /** @description a path that works without a token for one hour; empty without audio */
            audio_url: string;
            /** @description there is an edit or a rerun to undo */
            can_undo: boolean;
            /** @description of a stereo source; null for others, and for transcripts of older versions */
            channels: components["schemas"]["Channels"] | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: double
             * @description seconds of audio
             */
            duration: number;
            /** @description why it failed; of a complete transcript why its last rerun failed */
            error: components["schemas"]["Failure"] | null;
            /** @description of the uploaded file, without its folder */
            file_name: string;
            /** @description how far its speakers are found; null while they are not being found */
            finding_speakers: components["schemas"]["FindingSpeakers"] | null;
            /** @description the generation that was transcribed */
            generation_id: string | null;
            /** @description the text around the hits of a search, with <mark> around each */
            highlight?: string;
            /** @description UUID version 7 */
            id: string;
            /** @description BCP 47, as given or detected; empty until known */
            language: string;
            model_name: string;
            /**
             * Format: double
             * @description 0 to 1
             */
            progress: number;
            /** @description empty in lists unless full=true; in progress messages the newest 20 */
            segments: components["schemas"]["Segment"][];
            /** @enum {string} */
            source: "file" | "recording" | "generation";
            /** @description why its speakers were not found; the transcript is complete without them */
            speakers_error: components["schemas"]["Failure"] | null;
            /** @enum {string} */
            status: "queued" | "downloading_model" | "loading_model" | "transcribing" | "complete" | "failed" | "cancelled";
            /** @description all segments, in paragraphs */
            text: string;
            /** @description true when text holds only the first 240 characters */
            text_truncated?: boolean;
            title: string;
            /** Format: date-time */
            updated_at: string;
            /** @description a cancelled run of the model must end before this one begins */
            waiting: boolean;
        };
        TranscriptRowList: {
            items: components["schemas"]["TranscriptRow"][];
            next_cursor: string | null;
            /** Format: int64 */
            total: number;
            total_capped?: boolean;
        };
        TranscriptWarning: {
            /** @enum {string} */
            code: "repeated_text" | "speakers_uncounted" | "speakers_fewer";
            /** @description one sentence */
            detail: string;
            /**
             * Format: double
             * @description seconds
             */
            end: number;
            /**
             * Format: double
             * @description seconds
             */
            start: number;
        };
        UpdatedBook: {
            author: string;
            chapters: components["schemas"]["BookChapter"][];
            /** @description a path that works without a token for one hour; absent without a cover */
            cover_url?: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int64
             * @description entries of the table of contents down to this level begin a chapter
             */
            depth: number;
            /** @description how many chapters there are at each level, from 1 */
            depths: number[];
            description: string;
            /**
             * Format: double
             * @description estimated time until all that is wanted is generated; null where unknown
             */
            eta_seconds: number | null;
            generating: boolean;
            genre: string;
            has_cover: boolean;
            id: string;
            isbn: string;
            /** @description BCP 47 */
            language: string;
            /**
             * Format: double
             * @description length of the whole sound, estimated where it is not generated
             */
            length_seconds: number;
            /** @description name of a deleted voice profile that is needed; absent in lists */
            missing_voice?: string;
            narrator: string;
            /** @description what was changed in the file, or could not be read */
            notes: components["schemas"]["ExtractedTextNote"][];
            options: components["schemas"]["BookOptions"];
            passages: components["schemas"]["BookPassages"];
            /** @description where somebody listens; absent where nobody does, or the chapter is gone */
            place?: components["schemas"]["BookPlace"] | null;
            /**
             * Format: double
             * @description 0 to 1, by characters
             */
            progress: number;
            publisher: string;
            /** @description what the file has, in chapters */
            report: components["schemas"]["BookUpdateReport"];
            /**
             * Format: double
             * @description length of the sound
             */
            seconds: number;
            series: string;
            series_part: string;
            /** @description the file that the book was read from */
            source: components["schemas"]["BookSource"];
            /**
             * @description of all chapters that are not skipped together
             * @enum {string}
             */
            state: "new" | "partial" | "done" | "changed" | "failed";
            title: string;
            /**
             * Format: int64
             * @description how many changes can be undone
             */
            undos: number;
            /** Format: date-time */
            updated_at: string;
            words: components["schemas"]["BookWords"];
            year: string;
        };
        Updates: {
            /** @description that is asked for new versions; empty where this build has none */
            address: string;
        };
        ValidationError: {
            detail: components["schemas"]["FieldError"][];
        };
        Verification: {
            /** Format: date-time */
            at: string;
            /** @description the transcription model */
            model_name: string;
            /**
             * Format: double
             * @description word error rate: 0 = every word was understood, 1 = none
             */
            wer: number;
        };
        VerifyRequest: {
            /** @description false: fail with model_not_downloaded, whose params name the model and its size, where the model is missing; default: it is downloaded */
            download?: boolean | null;
            ids: string[];
        };
        VerifyResult: {
            /**
             * Format: int64
             * @description how many will be heard: finished generations of local voices
             */
            accepted: number;
        };
        VoiceCheck: {
            /** @description of pairs of recordings of two people */
            different: components["schemas"]["CosineFigures"];
            /**
             * Format: int64
             * @description pairs of two people at the limit or above it
             */
            different_above: number;
            /** Format: double */
            equal_error_cosine: number;
            /**
             * Format: double
             * @description 0 is best: at equal_error_cosine as many pairs of one person are taken for two as of two for one
             */
            equal_error_rate: number;
            /**
             * Format: double
             * @description below it this program takes two recordings for those of two people
             */
            limit: number;
            model_name: string;
            /** Format: int64 */
            people: number;
            /**
             * Format: int64
             * @description that were compared
             */
            recordings: number;
            /** @description of pairs of recordings of one person */
            same: components["schemas"]["CosineFigures"];
            /**
             * Format: int64
             * @description pairs of one person below the limit
             */
            same_below: number;
            /** @description files without audio or without a voice */
            skipped: string[];
        };
        VoiceCheckRequest: {
            /**
             * Format: path
             * @description a folder on this machine, also as a file: URL, where its bytes are no UTF-8
             */
            path: string;
        };
        Wait: {
            /** @description of the service's answer */
            code?: string;
            /**
             * Format: int64
             * @description in the queue, 1 is the next one
             */
            place?: number;
            /**
             * @description queue: others are first; rate: 30 requests a minute; busy: the service asked to try again
             * @enum {string}
             */
            reason: "queue" | "rate" | "busy";
            /**
             * Format: double
             * @description until it goes on, where known
             */
            seconds?: number;
        };
        Word: {
            /**
             * Format: double
             * @description seconds from the start of the audio
             */
            end: number;
            /**
             * Format: double
             * @description seconds from the start of the audio
             */
            start: number;
            word: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "hosted-api-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of the hosted service, or an error of Voicewright */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "hosted-api-post": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of the hosted service, or an error of Voicewright */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "hosted-api-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of the hosted service, or an error of Voicewright */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    audio: {
        parameters: {
            query?: {
                /** @description when the signature expires, in Unix seconds */
                exp?: string;
                /** @description the signature */
                sig?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                };
            };
            /** @description The part that Range asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    backup: {
        parameters: {
            query?: {
                /** @description chosen by the caller, for the progress and to cancel it */
                export_id?: string;
                /** @description with the voice prints of known speakers, which no backup has otherwise */
                voice_prints?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "backup-size": {
        parameters: {
            query?: {
                /** @description with the voice prints of known speakers, which no backup has otherwise */
                voice_prints?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupSize"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "batch-parse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": {
                    /** @description character encoding of the file, such as windows-1251; default: the one that is found */
                    encoding?: string;
                    /**
                     * Format: binary
                     * @description a .csv, .jsonl or .txt file of up to 16 MB and 10,000 rows
                     */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParsedBatch"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    books: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookRowList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "create-book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description default: that of the file */
                    author?: string;
                    /** @description numbers of chapters such as 3-5,8: the others are skipped */
                    chapters?: string;
                    /**
                     * Format: int64
                     * @description entries of the table of contents down to this level begin a chapter; default: the best one
                     */
                    depth?: number;
                    /** @description character encoding of the file, such as windows-1251; default: the one that is found */
                    encoding?: string;
                    /** Format: binary */
                    file: Blob;
                    /**
                     * Format: bcp47
                     * @description BCP 47; default: that of the file
                     */
                    language?: string;
                    /**
                     * Format: uuid
                     * @description the voice profile
                     */
                    profile_id?: string;
                    /** @description classes of words that are read aloud, as a list or separated by commas */
                    read?: string | ("notes" | "note_marks" | "page_numbers" | "page_headers" | "citations" | "urls" | "tables" | "captions" | "contents" | "front_matter" | "back_matter" | "aside")[];
                    /** Format: double */
                    speed?: number;
                    /** @description default: that of the file */
                    title?: string;
                    /** @description MODEL:VOICE instead of the profile's voice */
                    voice?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedBook"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    book: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-book": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-book": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "book-chapter": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
                chapter_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookChapterText"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-book-chapter": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
                chapter_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookChapterChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-book-block": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
                chapter_id: string;
                /** @description number of the block, from 0 */
                n: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookBlockChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "merge-book-chapters": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
                chapter_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "move-book-chapter": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
                chapter_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveBookChapter"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "split-book-chapter": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
                chapter_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SplitBookChapter"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "check-book": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuspectList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "book-cover": {
        parameters: {
            query?: {
                /** @description when the signature expires, in Unix seconds */
                exp?: string;
                /** @description the signature */
                sig?: string;
            };
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": Blob;
                    "image/png": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "set-book-cover": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-book-cover": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "export-book": {
        parameters: {
            query?: {
                /** @description kbit/s of mp3, opus and m4a; absent: the usual quality */
                bitrate?: number;
                /** @description chosen by the caller: the events `export` with it tell the progress, and `DELETE /exports/{export_id}` cancels */
                export_id?: string;
                /** @description absent: m4b; others: a zip with a file for each chapter */
                format?: "m4b" | "wav" | "flac" | "mp3" | "opus" | "m4a";
            };
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                    "audio/mp4": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "book-export-size": {
        parameters: {
            query?: {
                /** @description kbit/s; absent: the usual quality */
                bitrate?: number;
                format?: "m4b" | "wav" | "mp3" | "flac" | "opus" | "m4a";
            };
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookExportSize"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "generate-book": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateBook"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "set-book-place": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetBookPlace"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "quote-book": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateBook"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedQuote"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "stop-book": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "undo-book": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "update-book": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                book_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description character encoding of the file, such as windows-1251; default: the one that is found */
                    encoding?: string;
                    /** Format: binary */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedBook"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dictation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dictation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "cancel-dictation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dictation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "last-dictation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DictatedText"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "start-dictation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DictationRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dictation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "stop-dictation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DictatedText"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    drafts: {
        parameters: {
            query?: {
                /** @description false omits content fields longer than 100 bytes */
                content?: boolean;
                /** @description next_cursor of the previous page */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "create-draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDraft"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "update-draft": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-draft": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    events: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description JSON */
                        data: string;
                        event?: string;
                        id?: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "cancel-export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                export_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    generate: {
        parameters: {
            query?: never;
            header?: {
                /** @description respond-async: respond immediately with 202 */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Accepted; the work continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "generation-state": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "cancel-generation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "regenerate-chunk": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
                /** @description from 0 */
                n: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RegenerateChunkRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "generation-events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description JSON */
                        data: string;
                        event?: string;
                        id?: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    level: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "generation-live": {
        parameters: {
            query?: {
                /** @description seconds from the start; absent: 0 */
                from?: number;
                /** @description at most this many seconds; absent: to the end */
                seconds?: number;
            };
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/pcm": Blob;
                };
            };
            /** @description There is no more: the generation is complete, and at `audio_url` */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "generation-live-peaks": {
        parameters: {
            query?: {
                /** @description seconds from the start; absent: 0 */
                from?: number;
            };
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LivePeaks"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    regenerate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RegenerateRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "retry-generation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revise: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviseRequest"];
            };
        };
        responses: {
            /** @description With `dry_run`: what would change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisedGeneration"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisedGeneration"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "undo-revise": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "stop-generation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "generate-stream": {
        parameters: {
            query?: never;
            header?: {
                /** @description audio/pcm for raw 16-bit little-endian samples, else audio/wav */
                Accept?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateRequest"];
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/pcm": Blob;
                    "audio/wav": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    history: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: string;
                engine?: string;
                favorite?: "true" | "false";
                /** @description created at or after */
                from?: string;
                /** @description whole text, chunks and receipt of each generation */
                full?: boolean;
                limit?: number;
                /** @description whether an audiobook has it */
                of_book?: "true" | "false";
                profile_id?: string;
                /** @description words and prefixes of words in text and title */
                search?: string;
                sort?: "newest" | "oldest" | "longest" | "shortest";
                source?: "local" | "hosted";
                status?: "queued" | "downloading_model" | "loading_model" | "generating" | "complete" | "failed" | "cancelled";
                /** @description created before */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerationRowList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "history-item": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-history-item": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-history-item": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerationChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Generation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    takes: {
        parameters: {
            query?: {
                /** @description peaks of each take */
                peaks?: number;
            };
            header?: never;
            path: {
                generation_id: string;
                /** @description from 0 */
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TakeList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    take: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                generation_id: string;
                n: number;
                take: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "export-history-item": {
        parameters: {
            query?: {
                /** @description kbit/s of mp3, opus and m4a; absent: the usual quality */
                bitrate?: number;
                /** @description chosen by the caller: the events `export` with it tell the progress, and `DELETE /exports/{export_id}` cancels */
                export_id?: string;
                /** @description absent: the format of the generation */
                format?: "wav" | "flac" | "mp3" | "opus" | "m4a" | "srt" | "vtt";
                /** @description LUFS, with a true peak of at most -1 dB; absent: as it is */
                loudness?: number;
            };
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-subrip": Blob;
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                    "text/vtt": Blob;
                };
            };
            /** @description The part that Range asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-subrip": Blob;
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                    "text/vtt": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "history-peaks": {
        parameters: {
            query?: {
                n?: number;
            };
            header?: never;
            path: {
                generation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Peaks"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteResult"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "export-history-index": {
        parameters: {
            query?: {
                engine?: string;
                favorite?: "true" | "false";
                format?: "csv" | "json";
                /** @description created at or after */
                from?: string;
                /** @description whether an audiobook has it */
                of_book?: "true" | "false";
                profile_id?: string;
                /** @description words and prefixes of words in text and title */
                search?: string;
                sort?: "newest" | "oldest" | "longest" | "shortest";
                source?: "local" | "hosted";
                status?: "queued" | "downloading_model" | "loading_model" | "generating" | "complete" | "failed" | "cancelled";
                /** @description created before */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/csv": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "export-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "favorite-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FavoriteRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteResult"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "history-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryStats"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "history-storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryStorage"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "verify-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyResult"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-enhance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostedEnhanceRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the text, or a part of a long one, is the original */
                        fallback: boolean;
                        original: string;
                        /**
                         * @description why: the service fell back, or its words differed
                         * @enum {string|null}
                         */
                        reason: "service" | "words" | null;
                        text: string;
                    } | {
                        /** @description of one turn at least */
                        fallback: boolean;
                        turns: components["schemas"]["HostedEnhancedTurn"][];
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedKey"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-hosted-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostedKeyText"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedKey"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "make-hosted-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HostedKeyName"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedKey"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-hosted-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HostedLoginRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedLogin"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "cancel-hosted-login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "finish-hosted-login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostedLoginFinish"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out on this machine only: the sign-in server could not be told */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedLogout"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedModelList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-quote": {
        parameters: {
            query: {
                /** @description absent: that of the profile, or the default one of the voice's provider */
                model?: string;
                /** @description of a profile with a hosted voice, in the place of voice */
                profile_id?: string;
                text: string;
                /** @description id of a hosted voice, or hosted:ID */
                voice?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedQuote"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-quote-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostedQuoteRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedQuote"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedStatus"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HostedTestRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedTest"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-voices": {
        parameters: {
            query?: {
                accent?: string;
                category?: string;
                /** @description next_cursor of the previous page */
                cursor?: string;
                favorite?: "true" | "false";
                gender?: string;
                language?: string;
                limit?: number;
                provider?: string;
                /** @description true: wait for a new list */
                refresh?: "true" | "false";
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedVoices"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "favorite-hosted-voice": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voice: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostedFavorite"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostedVoice"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hosted-preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voice: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                };
            };
            /** @description The part that Range asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    model: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model_name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDetail"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-model": {
        parameters: {
            query?: {
                /** @description cancel the work that runs on the model instead of waiting for it */
                force?: boolean;
            };
            header?: never;
            path: {
                /** @description model_name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDeleteResult"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "cancel-model": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model_name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProgress"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "fill-model": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model_name */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelFilesImport"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelStatus"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "pause-model": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model_name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProgress"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "resume-model": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model_name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelProgress"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "verify-model": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model_name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelVerifyResult"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "voice-sample": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                voice: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                };
            };
            /** @description The part that Range asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "model-catalogue": {
        parameters: {
            query?: {
                engine?: "piper";
                /** @description en also finds en-US */
                language?: string;
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueItemList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "models-directory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsDirectory"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "move-models-directory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelsDirectoryChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsDirectory"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "download-model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelDownloadRequest"];
            };
        };
        responses: {
            /** @description Already downloaded */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDownloadAccepted"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDownloadAccepted"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "import-model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelImportRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelStatus"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "load-model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelLoadRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelLoadResult"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "models-loaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelStatusList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "model-progress": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description JSON */
                        data: string;
                        event?: string;
                        id?: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "register-model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelStatus"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "models-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsStatus"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "unload-model": {
        parameters: {
            query?: {
                /** @description cancel the work that runs on the model instead of waiting for it */
                force?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelUnloadRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelUnloadResult"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    profiles: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: string;
                engine?: string;
                favorite?: "true" | "false";
                language?: string;
                limit?: number;
                search?: string;
                sort?: "name" | "newest" | "oldest" | "updated";
                /** @description all: also profiles that this build cannot use */
                usable?: "true" | "all";
                voice_type?: "default" | "preset" | "cloned" | "hosted";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "create-profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProfile"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    profile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "update-profile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-profile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "duplicate-profile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "export-profile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "preview-profile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "hear-profile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HearRequest"];
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    samples: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SampleList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "add-sample": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSample"] & {
                    recording_id: unknown;
                };
                "multipart/form-data": {
                    /**
                     * @description why the voice may be cloned: it is yours, or its owner allowed it
                     * @enum {string}
                     */
                    consent: "own_voice" | "permission";
                    /** @description whose statement it is; default: the name of your account on this machine */
                    consent_by?: string;
                    /** Format: binary */
                    file: Blob;
                    /**
                     * Format: double
                     * @description seconds of the recording; default: the start
                     */
                    from?: number;
                    /**
                     * Format: double
                     * @description seconds of the recording; default: the end
                     */
                    to?: number;
                    /** @description an installed transcription model writes a missing transcript */
                    transcribe?: boolean;
                    /** @description what is said */
                    transcript?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sample"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-sample": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
                sample_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-sample": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
                sample_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SampleChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sample"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "sample-audio": {
        parameters: {
            query?: {
                /** @description when the signature expires, in Unix seconds */
                exp?: string;
                /** @description the signature */
                sig?: string;
            };
            header?: never;
            path: {
                profile_id: string;
                sample_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "profile-similarity": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SimilarityRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Similarity"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "import-profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": {
                    /** @description own_voice or permission: why the voice may be cloned; needed for a profile with samples */
                    consent?: string;
                    /** @description whose statement it is; default: the name of your account on this machine */
                    consent_by?: string;
                    /** Format: binary */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "restore-presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pronunciations: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: string;
                /** @description en also finds en-GB */
                language?: string;
                limit?: number;
                /** @description in word and respelling */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PronunciationList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "create-pronunciation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPronunciation"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pronunciation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pronunciation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pronunciation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pronunciation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "update-pronunciation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pronunciation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PronunciationChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pronunciation"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-pronunciation": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pronunciation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "export-pronunciations": {
        parameters: {
            query?: {
                format?: "csv" | "json";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/csv": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "import-pronunciations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown[];
                "text/csv": Blob;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PronunciationImport"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "start-recording": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewRecording"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-recording": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "recording-audio": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                };
            };
            /** @description The part that Range asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "recording-events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description JSON */
                        data: string;
                        event?: string;
                        id?: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "pause-recording": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "resume-recording": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "stop-recording": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                recording_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "recording-devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AudioDeviceList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "restore-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreState"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "check-backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedBackup"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                restore_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreState"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "discard-restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                restore_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "check-sample": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SampleToCheck"] & {
                    recording_id: unknown;
                };
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                    /**
                     * Format: double
                     * @description seconds of the recording; default: the start
                     */
                    from?: number;
                    /**
                     * Format: double
                     * @description seconds of the recording; default: the end
                     */
                    to?: number;
                    /** @description an installed transcription model writes a missing transcript */
                    transcribe?: boolean;
                    /** @description what is said */
                    transcript?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SampleCheck"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    script: {
        parameters: {
            query?: never;
            header?: {
                /** @description respond-async: respond immediately with 202 */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScriptRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Script"];
                };
            };
            /** @description Accepted; the work continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Script"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    scripts: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: string;
                /** @description whole text, chunks and receipt of each generation */
                full?: boolean;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScriptRowList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "stored-script": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                script_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Script"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "revise-script": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                script_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScriptRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisedScript"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-script": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                script_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "export-script": {
        parameters: {
            query?: {
                /** @description kbit/s of mp3, opus and m4a; absent: the usual quality */
                bitrate?: number;
                /** @description chosen by the caller: the events `export` with it tell the progress, and `DELETE /exports/{export_id}` cancels */
                export_id?: string;
                /** @description absent: wav */
                format?: "wav" | "flac" | "mp3" | "opus" | "m4a" | "srt" | "vtt";
                /** @description LUFS, with a true peak of at most -1 dB; absent: as it is */
                loudness?: number;
            };
            header?: never;
            path: {
                script_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-subrip": Blob;
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                    "text/vtt": Blob;
                };
            };
            /** @description The part that Range asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-subrip": Blob;
                    "audio/flac": Blob;
                    "audio/mp4": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/wav": Blob;
                    "text/vtt": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "join-script": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                script_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Script"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "undo-script": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                script_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Script"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    settings: {
        parameters: {
            query?: {
                /** @description add the type, default, range and description of each */
                describe?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "put-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    speakers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnownSpeakerList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "remember-speaker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKnownSpeaker"];
            };
        };
        responses: {
            /** @description The print of the known speaker with this name is better now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnownSpeaker"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnownSpeaker"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "forget-speaker": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                speaker_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-speaker": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                speaker_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KnownSpeakerChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnownSpeaker"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "verify-speakers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoiceCheckRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceCheck"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    system: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemInfo"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "text-extract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": {
                    /** @description character encoding of the file, such as windows-1251; default: the one that is found */
                    encoding?: string;
                    /**
                     * Format: binary
                     * @description up to 50 MB
                     */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtractedText"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "text-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TextPreviewRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextPreview"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    transcriptions: {
        parameters: {
            query?: {
                /** @description next_cursor of the previous page */
                cursor?: string;
                /** @description whole text and segments of each transcript */
                full?: boolean;
                limit?: number;
                /** @description words and prefixes of words in text, title and speakers */
                search?: string;
                status?: "queued" | "downloading_model" | "loading_model" | "transcribing" | "complete" | "failed" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranscriptRowList"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    transcribe: {
        parameters: {
            query?: never;
            header?: {
                /** @description respond-async: respond immediately with 202 */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TranscriptionRequest"] & ({
                    generation_id: unknown;
                } | {
                    recording_id: unknown;
                });
                "multipart/form-data": {
                    /** @description false: fail with model_not_downloaded, whose params name the model and its size, where the model is missing; default: it is downloaded */
                    download?: boolean;
                    /** Format: binary */
                    file: Blob;
                    /**
                     * Format: bcp47
                     * @description BCP 47; auto, the default, detects it
                     */
                    language?: string;
                    /** @description default: the setting transcribe.model */
                    model_name?: string;
                    /** @description text that precedes the audio, such as names and their spelling */
                    prompt?: string;
                    /** @description auto, channels, off, a number, or {mode, count, pace}; default: auto where the model Speakers is downloaded, else off */
                    speakers?: string | number | {
                        count?: number;
                        mode?: string;
                        pace?: string;
                    };
                    /** @description segment, word or both, as a list or separated by commas; word adds the times of words */
                    timestamps?: string | ("segment" | "word")[];
                    /** @description default: the name of the file, or the title of the generation */
                    title?: string;
                    /** @description translate into English */
                    translate?: boolean;
                    /** @description true: only what is detected as speech; false: everything; default: everything but silence and noise */
                    vad?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Accepted; the work continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    transcript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "delete-transcript": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "patch-transcript": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TranscriptChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "cancel-transcription": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "transcript-events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        /** @description JSON */
                        data: string;
                        event?: string;
                        id?: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "export-transcript": {
        parameters: {
            query?: {
                /** @description absent: txt */
                format?: "txt" | "srt" | "vtt" | "json" | "md" | "docx" | "rttm";
                /** @description of srt and vtt: by the rules of subtitles, or a cue for each segment; absent: subtitles */
                layout?: "subtitles" | "segments";
                /** @description of md and docx: with the time of each paragraph; absent: true */
                times?: "true" | "false";
            };
            header?: never;
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": Blob;
                    "application/x-subrip": Blob;
                    "text/markdown": Blob;
                    "text/plain": Blob;
                    "text/vtt": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "transcript-peaks": {
        parameters: {
            query?: {
                n?: number;
            };
            header?: never;
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Peaks"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "rerun-transcription": {
        parameters: {
            query?: never;
            header?: {
                /** @description respond-async: respond immediately with 202 */
                Prefer?: string;
            };
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RerunRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Accepted; the work continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "make-script": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MakeScriptRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeScript"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "split-segment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                segment_id: number;
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SplitRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "find-speakers": {
        parameters: {
            query?: never;
            header?: {
                /** @description respond-async: respond immediately with 202 */
                Prefer?: string;
            };
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpeakersRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Accepted; the work continues */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "undo-transcript": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transcript_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "transcription-model": {
        parameters: {
            query?: {
                /** @description BCP 47; absent or auto: unknown */
                language?: string;
                /** @description as in the request */
                model_name?: string;
                /** @description into English */
                translate?: boolean;
                /** @description what it listens to: files, or generated speech */
                use?: "transcription" | "verification";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranscriptionModel"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Updates"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "check-updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewestVersion"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "openai-speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenAISpeech"];
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/aac": Blob;
                    "audio/flac": Blob;
                    "audio/mpeg": Blob;
                    "audio/ogg": Blob;
                    "audio/pcm": Blob;
                    "audio/wav": Blob;
                    "text/event-stream": {
                        /** @description JSON */
                        data: string;
                        event?: string;
                        id?: string;
                    };
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    "openai-transcription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                    /**
                     * Format: bcp47
                     * @description BCP 47; default: detected
                     */
                    language?: string;
                    /** @description a model name, or whisper-1 and its like for the default */
                    model?: string;
                    prompt?: string;
                    /** @description json (default), text, srt, verbose_json, diarized_json or vtt, in any case */
                    response_format?: string;
                    stream?: boolean;
                    /** @description segment and word, for verbose_json */
                    timestamp_granularities?: string | ("segment" | "word")[];
                };
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "application/x-subrip": Blob;
                    "text/event-stream": {
                        /** @description JSON */
                        data: string;
                        event?: string;
                        id?: string;
                    };
                    "text/plain": Blob;
                    "text/vtt": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    "openai-translation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                    /**
                     * Format: bcp47
                     * @description BCP 47; default: detected
                     */
                    language?: string;
                    /** @description a model name, or whisper-1 and its like for the default */
                    model?: string;
                    prompt?: string;
                    /** @description json (default), text, srt, verbose_json, diarized_json or vtt, in any case */
                    response_format?: string;
                    stream?: boolean;
                    /** @description segment and word, for verbose_json */
                    timestamp_granularities?: string | ("segment" | "word")[];
                };
            };
        };
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "application/x-subrip": Blob;
                    "text/event-stream": {
                        /** @description JSON */
                        data: string;
                        event?: string;
                        id?: string;
                    };
                    "text/plain": Blob;
                    "text/vtt": Blob;
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    "openai-voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIVoices"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    "openai-models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIModels"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    "openai-model": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIModel"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAIError"];
                };
            };
        };
    };
    "built-in-voices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuiltInVoices"];
                };
            };
            /** @description Validation error */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["Problem"];
                };
            };
            /** @description An error with its code and remedy */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
