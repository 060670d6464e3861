package generations

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech"
)

// settings are what shapes the audio of a generation beside its text, by the names of the fields of a request.
type settings map[string]any

// DifferentSettings returns, sorted, the names of the fields of a request whose values are not those with which a generation was
// made, so that a change of its text would not bring them. A field that is not set has its default, as in Submit, but the profile,
// which is that of the generation; a request without any differs in nothing. The text, the title and what is accepted are not
// compared. Errors: generation_not_found, those of Submit about the voice.
func (p *Previews) DifferentSettings(ctx context.Context, id string, r Request) ([]string, error) {
	if !r.setsAny() {
		return []string{}, nil
	}
	g, err := p.o.Store.Generation(ctx, id)
	if err != nil {
		return nil, err
	}
	r.ProfileID = cmp.Or(r.ProfileID, g.ProfileID)
	profile, err := p.gens.Profile(ctx, r)
	if err != nil {
		return nil, err
	}
	wanted, err := p.settingsOf(r, profile, g)
	if err != nil {
		return nil, err
	}
	return wanted.differences(madeWith(g)), nil
}

// setsAny reports whether a request has a field that DifferentSettings compares.
func (r Request) setsAny() bool {
	r.Text, r.Title, r.AcceptLicense, r.AcceptCredits = "", "", false, nil
	return !reflect.ValueOf(r).IsZero()
}

// differences returns the names of the settings that have other values in recorded, which may have more of them.
func (wanted settings) differences(recorded settings) []string {
	names := []string{}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if !reflect.DeepEqual(wanted[name], recorded[name]) {
			names = append(names, name)
		}
	}
	return names
}

// settingsOf returns the settings that count for a generation with this request instead of g.
func (p *Previews) settingsOf(r Request, profile backend.Profile, g backend.Generation) (settings, error) {
	if tag, ok := backend.CanonicalLanguage(r.Language); ok {
		r.Language = tag
	}
	if id, model, ok := HostedVoice(r, profile); ok {
		return wantedOfHosted(r, profile, g, speech.Voice{Model: model, Engine: backend.HostedEngine, ID: id, Language: r.Language}), nil
	}
	v, err := p.synth.Resolve(r.GenerateOptions, profile)
	if err != nil {
		return nil, err
	}
	if g.Request.Pauses != nil || r.Pauses != (backend.PauseOptions{}) { // before pauses followed the structure, none were recorded
		r.pauses = new(r.Pauses.Over(p.o.Pauses()))
	}
	wanted := localSettings(r, v, *cmp.Or(r.Speed, new(cmp.Or(profile.Speed, 1))))
	wanted["profile_id"] = r.ProfileID
	if *cmp.Or(r.Seed, new(int64(-1))) < 0 { // any
		delete(wanted, "seed")
	}
	if r.Verify == nil { // what is heard does not shape the audio
		delete(wanted, "verify")
	}
	if g.Receipt != nil && sameNumber(g.Receipt.Parameters["steps"], r.Steps) { // the engine's own number, named
		delete(wanted, "steps")
	}
	return wanted, nil
}

// wantedOfHosted is settingsOf for a hosted voice, whose model may be left open. What is not set is as it was received.
func wantedOfHosted(r Request, profile backend.Profile, g backend.Generation, v speech.Voice) settings {
	wanted := hostedSettings(r, v, *cmp.Or(r.Speed, new(cmp.Or(profile.Speed, 1))))
	wanted["profile_id"] = r.ProfileID
	for name, open := range map[string]bool{
		"model_name": v.Model == "", "language": v.Language == "", "format": r.Format == "",
		"hosted.response_format": wanted["hosted.response_format"] == "",
		"speed":                  cmp.Or(v.Model, g.ModelName) == backend.HostedV3, // fixed
	} {
		if open {
			delete(wanted, name)
		}
	}
	return wanted
}

// madeWith returns the settings that a revision of a generation has.
func madeWith(g backend.Generation) settings {
	r := Again(g)
	v := speech.Voice{Model: g.ModelName, Engine: g.Engine, ID: g.Voice, Language: g.Language}
	of := localSettings
	if g.Source == backend.SourceHosted {
		of = hostedSettings
	}
	recorded := of(r, v, g.Speed)
	recorded["profile_id"], recorded["format"] = g.ProfileID, g.Format
	return recorded
}

// localSettings returns the settings of a request with a local voice, with the defaults of Submit.
func localSettings(r Request, v speech.Voice, speed float64) settings {
	normalize := *cmp.Or(r.Normalize, new(true))
	all := voiceSettings(r, v, speed)
	maps.Copy(all, settings{
		"seed": *cmp.Or(r.Seed, new(int64(-1))), "format": cmp.Or(r.Format, backend.FormatWAV), "normalize": normalize,
		"limit":           !normalize || *cmp.Or(r.Limit, new(true)), // without normalisation it changes nothing
		"max_chunk_chars": *cmp.Or(r.MaxChunkChars, new(speech.DefaultMaxChunkChars)), "crossfade_ms": *cmp.Or(r.CrossfadeMS, new(0)),
		"verify": *cmp.Or(r.Verify, new(false)), "steps": r.Steps,
	})
	if p := r.pauses; p != nil {
		maps.Copy(all, settings{
			"pauses.sentence": p.Sentence, "pauses.paragraph": p.Paragraph, "pauses.heading": p.Heading, "pauses.scene": p.Scene,
		})
	}
	return all
}

// hostedSettings returns the settings of a request with a hosted voice, which has no others.
func hostedSettings(r Request, v speech.Voice, speed float64) settings {
	o := *cmp.Or(r.Hosted, new(backend.HostedOptions{}))
	all := voiceSettings(r, v, speed)
	maps.Copy(all, settings{
		"format": r.Format, "hosted.stability": o.Stability, "hosted.similarity_boost": o.SimilarityBoost,
		"hosted.speaker_boost": o.SpeakerBoost, "hosted.language_override": o.LanguageOverride,
		"hosted.response_format": o.ResponseFormat,
	})
	return all
}

// voiceSettings returns the settings of all voices.
func voiceSettings(r Request, v speech.Voice, speed float64) settings {
	return settings{
		"model_name": v.Model, "voice": v.ID, "language": v.Language, "speed": speed, "pronunciations": speech.OwnWords(r.Pronunciations),
	}
}

// sameNumber reports whether a value of a receipt, which JSON has made a float, is n.
func sameNumber(stored any, n int) bool {
	switch stored := stored.(type) {
	case float64:
		return stored == float64(n)
	case int:
		return stored == n
	default:
		return false
	}
}
