package export

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// Script exports the joined file of a script like Generation; its subtitles have the chunks of all turns.
// Errors: script_not_found, audio_missing until it is joined, runtime_missing, ValidationError for an unknown format; for
// subtitles also those of CheckTurns, not_in_progress for a dialogue of the hosted service, and not_in_progress when a turn
// changed since the script was joined.
func (s *Service) Script(ctx context.Context, id, format string, o audio.ExportOptions) (backend.ExportedFile, error) {
	return s.current(ctx, format, o, func() (source, error) {
		script, err := s.o.Script(ctx, id)
		if err == nil && script.AudioPath == "" {
			err = backend.E(backend.CodeAudioMissing, "This script has not been joined yet.",
				"Join it when every turn is finished.").With("script_id", id)
		}
		return source{
			id: id, param: "script_id", path: script.AudioPath, seconds: script.Duration, format: backend.FormatWAV, name: scriptName(script),
			created: script.CreatedAt, tags: scriptTags(script),
			spoken:  func() (spoken, error) { return scriptSpeech(script) },
			missing: backend.E(backend.CodeAudioMissing, "The joined file of this script is missing.", "Join the script again."),
		}, err
	})
}

// scriptName returns a name for the file of a script, without extension.
func scriptName(script backend.ScriptWithTurns) string {
	named := backend.Generation{ID: script.ID, Title: script.Title}
	if len(script.Turns) > 0 {
		named.Text = script.Turns[0].Text
	}
	return named.FileName()
}

// scriptTags returns the metadata of a script's file, with the names of all its speakers.
func scriptTags(script backend.ScriptWithTurns) map[string]string {
	whole := backend.Generation{Title: script.Title}
	if whole.Title == "" {
		whole.Title = scriptName(script)
	}
	var names []string
	for i := range script.Turns {
		if name := script.Speaker(i); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	whole.ProfileName = strings.Join(names, ", ")
	tags := whole.Tags()
	tags["comment"] = backend.SyntheticSpeech(script.Turns...)
	return tags
}

// joinTolerance is how far the times of the turns may differ from the joined file, in seconds: each turn is resampled to
// whole samples.
const joinTolerance = 0.05

// stale reports whether a turn changed since the script was joined. Scripts that were joined before the hashes of turns
// were stored are compared by length, in seconds.
func stale(script backend.ScriptWithTurns, length float64) bool {
	if script.Joined == nil {
		return math.Abs(length-script.Duration) > joinTolerance
	}
	return !slices.EqualFunc(script.Turns, script.Joined, func(g backend.Generation, sha256 string) bool {
		return g.Receipt != nil && g.Receipt.AudioSHA256 == sha256
	})
}

// errDialogue is why a dialogue has no subtitles.
var errDialogue = backend.E(backend.CodeNotInProgress,
	"The hosted service spoke this dialogue in one piece, so it is not known when each line is spoken.",
	"Export the audio, or transcribe it for subtitles.")

// scriptSpeech returns the chunks of all turns at their times in the joined file.
func scriptSpeech(script backend.ScriptWithTurns) (spoken, error) {
	if err := script.CheckTurns(); err != nil {
		return spoken{}, err
	}
	for _, g := range script.Turns {
		if len(g.Request.Dialogue) > 0 {
			return spoken{}, errDialogue
		}
	}
	out := spoken{seconds: script.Duration}
	gap, at := float64(script.GapMS)/1000, 0.0
	for i, g := range script.Turns {
		out.segments = append(out.segments, segments(g, at, script.Speaker(i))...)
		at += g.Duration + gap
	}
	if stale(script, at-gap) {
		return spoken{}, backend.E(backend.CodeNotInProgress, "A turn changed since the script was joined.", "Join the script again.")
	}
	return out, nil
}
