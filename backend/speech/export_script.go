package speech

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/text"
)

// ExportScript gives the joined file of a script in a format, or the times of all its chunks as subtitles; see Export.
// Errors: script_not_found, audio_missing until it is joined, runtime_missing, ValidationError for an unknown format; for
// subtitles also those of JoinScript, and not_in_progress when a turn has changed since the file was made.
func (s *Service) ExportScript(ctx context.Context, id, format string) (Exported, error) {
	script, err := s.StoredScript(ctx, id)
	if err != nil {
		return Exported{}, err
	}
	if script.AudioPath == "" {
		return Exported{}, backend.E(backend.CodeAudioMissing, "This script has not been joined yet.",
			"Join it when every turn is finished.").With("script_id", id)
	}
	out, err := s.export(ctx, finished{
		id, script.AudioPath, audio.FormatWAV, scriptName(script), scriptTags(script),
		func() ([]text.Cue, error) { return scriptCues(script) },
		backend.E(backend.CodeAudioMissing, "The joined file of this script is gone.", "Join the script again."),
	}, format)
	return out, naming(err, "script_id", id)
}

// scriptName names the file of a script, without extension.
func scriptName(script Script) string {
	named := backend.Generation{ID: script.ID, Title: script.Title}
	if len(script.Turns) > 0 {
		named.Text = script.Turns[0].Text
	}
	return fileName(named)
}

func scriptTags(script Script) map[string]string {
	said := backend.Generation{Title: or(script.Title, scriptName(script))}
	seen := map[string]bool{}
	var names, voices []string
	for _, g := range script.Turns {
		if !seen[g.ProfileName+g.Voice] {
			seen[g.ProfileName+g.Voice] = true
			names, voices = append(names, g.ProfileName), append(voices, g.Voice)
		}
	}
	said.ProfileName, said.Voice = strings.Join(names, ", "), strings.Join(voices, ", ")
	return tags(said)
}

// stale tells whether a turn sounds otherwise than in the joined file. Where its sounds were not written down, the length of
// all decides, in seconds.
func stale(script Script, length float64) bool {
	if script.Joined == nil {
		return math.Abs(length-script.Duration) > joinedWithin
	}
	return !slices.EqualFunc(script.Turns, script.Joined, func(g backend.Generation, sha256 string) bool {
		return g.Receipt != nil && g.Receipt.AudioSHA256 == sha256
	})
}

// joinedWithin is how far the times of the turns may be from the file, in seconds: each turn is resampled to whole samples.
const joinedWithin = 0.05

// scriptCues gives the chunks of all turns at their times in the joined file.
func scriptCues(script Script) ([]text.Cue, error) {
	if err := joinable(script); err != nil {
		return nil, err
	}
	var out []text.Cue
	gap, at := float64(script.GapMS)/1000, 0.0
	for _, g := range script.Turns {
		out = append(out, cues(g, at)...)
		at += g.Duration + gap
	}
	if stale(script, at-gap) {
		return nil, backend.E(backend.CodeNotInProgress, "A turn was made anew since the script was joined.", "Join the script again.")
	}
	return out, nil
}
