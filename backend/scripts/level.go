package scripts

import (
	"cmp"
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
)

// voiceLevels are the gains with which the files of turns are joined.
type voiceLevels struct {
	gains   map[string]float64 // linear, by generation
	receipt backend.ScriptReceipt
}

// of returns the level at which the file of a generation is joined.
func (v voiceLevels) of(id string) speech.Level { return speech.Level{Gain: cmp.Or(v.gains[id], 1)} }

// limiter returns the level of the joined audio: the limiter alone, and only where a turn becomes louder.
func (v voiceLevels) limiter() speech.Level {
	out := speech.Level{Gain: 1}
	for _, gain := range v.gains {
		out.Limit = out.Limit || gain > 1
	}
	return out
}

// voiceTurns are the turns of one voice.
type voiceTurns struct {
	backend.ScriptVoice
	turns []backend.Generation // each once
}

// voicesOf returns the voices of a script in the order of their first turns.
func voicesOf(script backend.ScriptWithTurns) []*voiceTurns {
	var out []*voiceTurns
	for i, g := range script.Turns {
		key := backend.ScriptVoice{Source: g.Source, ModelName: g.ModelName, Voice: g.Voice}
		if len(g.Request.Dialogue) > 0 {
			key.Voice = ""
		}
		at := slices.IndexFunc(out, func(v *voiceTurns) bool {
			return v.Source == key.Source && v.ModelName == key.ModelName && v.Voice == key.Voice
		})
		if at < 0 {
			at, out = len(out), append(out, &voiceTurns{ScriptVoice: key})
		}
		v := out[at]
		v.Turns++
		if i == 0 || script.Turns[i-1].ID != g.ID {
			v.turns = append(v.turns, g)
		}
	}
	return out
}

// levelVoices returns one gain for all turns of each voice, which brings them together to the target. The file of a local turn
// has been brought there alone, which a voice with one turn keeps.
func (s *Service) levelVoices(ctx context.Context, script backend.ScriptWithTurns, rate, channels int) (voiceLevels, error) {
	out := voiceLevels{gains: map[string]float64{}}
	for _, v := range voicesOf(script) {
		if err := s.levelVoice(ctx, v, out.gains, rate, channels); err != nil {
			return out, err
		}
		out.receipt.Voices = append(out.receipt.Voices, v.ScriptVoice)
	}
	return out, nil
}

func (s *Service) levelVoice(ctx context.Context, v *voiceTurns, gains map[string]float64, rate, channels int) error {
	first := v.turns[0]
	if len(v.turns) == 1 && v.Source == backend.SourceLocal && first.Receipt != nil {
		v.GainDB, v.Level = speech.Hundredths(first.Receipt.GainDB), first.Receipt.Level
		return nil
	}
	leveller, err := s.synth.Leveller(ctx, first.ID, &speech.Plan{Limit: true, Normalize: true}, rate, channels)
	if err != nil {
		return err
	}
	defer leveller.Close()
	for _, g := range v.turns {
		raw := speech.Level{Gain: audio.FromDB(-gainOf(g))}
		if _, err := s.readTurn(ctx, g.ID, rate, channels, raw.Emitting(leveller.Write)); err != nil {
			return speech.AudioGone(g.ID, err)
		}
	}
	level, err := leveller.Find()
	if err != nil || level.Receipt.LUFS == nil { // too short: the turns stay as they are alone
		return err
	}
	v.GainDB, v.Level = speech.Hundredths(audio.ToDB(level.Gain)), level.Receipt
	for _, g := range v.turns {
		gains[g.ID] = level.Gain * audio.FromDB(-gainOf(g))
	}
	return nil
}

// gainOf returns the gain in dB that the file of a turn already has.
func gainOf(g backend.Generation) float64 {
	if g.Receipt == nil {
		return 0
	}
	return g.Receipt.GainDB
}
