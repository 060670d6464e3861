package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// builtInMade marks that the first profile was created, so that it is not created again after it was deleted.
const builtInMade = "built_in_made"

// EnsureBuiltIn creates the first profile of a new library, backend.BuiltInProfileName, in this language (BCP 47). It does so
// once: a profile that was deleted or renamed is not created again.
func (db profiles) EnsureBuiltIn(ctx context.Context, language string) error {
	return db.update(ctx, "make first profile", func(tx *sql.Tx) error {
		added, err := mark(ctx, tx, builtInMade)
		if err != nil || added != "" {
			return err
		}
		_, err = db.create(ctx, tx, backend.Profile{
			Name: backend.BuiltInProfileName, Language: language, VoiceType: backend.VoiceDefault,
		})
		if err != nil && backend.CodeOf(err) != backend.CodeNameTaken {
			return err
		}
		return setMark(ctx, tx, builtInMade, "1")
	})
}

// AddPresets creates a profile for each preset whose voice has none and was not deleted by the user, in one transaction, and
// returns the new profiles. If a name is taken it tries Preset.Taken, then "Name 2", "Name 3" and so on. Of existing profiles
// it updates the reason why this build cannot use them.
func (db profiles) AddPresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error) {
	var added []backend.Profile
	err := db.update(ctx, "add preset profiles", func(tx *sql.Tx) (err error) {
		added, err = db.addPresets(ctx, tx, presets)
		return err
	})
	return added, err
}

// RestorePresets forgets that the user deleted these presets and adds them like AddPresets.
func (db profiles) RestorePresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error) {
	var added []backend.Profile
	err := db.update(ctx, "restore preset profiles", func(tx *sql.Tx) (err error) {
		for _, p := range presets {
			_, err := tx.ExecContext(ctx, `DELETE FROM deleted_presets WHERE engine = ? AND voice_id = ?`,
				p.Engine, p.VoiceID)
			if err != nil {
				return err
			}
		}
		added, err = db.addPresets(ctx, tx, presets)
		return err
	})
	return added, err
}

func (db profiles) addPresets(ctx context.Context, tx *sql.Tx, presets []backend.Preset) ([]backend.Profile, error) {
	var added []backend.Profile
	for _, preset := range presets {
		var known bool
		err := tx.QueryRowContext(ctx,
			`SELECT EXISTS (SELECT 1 FROM profiles
			     WHERE voice_type = 'preset' AND preset_engine = ?1 AND preset_voice_id = ?2)
			 OR EXISTS (SELECT 1 FROM deleted_presets WHERE engine = ?1 AND voice_id = ?2)`,
			preset.Engine, preset.VoiceID).Scan(&known)
		if err != nil {
			return nil, err
		}
		if known {
			_, err := tx.ExecContext(ctx, `UPDATE profiles SET reason = ?
			     WHERE voice_type = 'preset' AND preset_engine = ? AND preset_voice_id = ? AND reason <> ?`,
				preset.Reason, preset.Engine, preset.VoiceID, preset.Reason)
			if err != nil {
				return nil, err
			}
			continue
		}
		p, err := db.createPreset(ctx, tx, preset)
		if err != nil {
			return nil, err
		}
		added = append(added, p)
	}
	return added, nil
}

// createPreset stores the profile of a preset under the first free name.
func (db profiles) createPreset(ctx context.Context, tx *sql.Tx, preset backend.Preset) (backend.Profile, error) {
	p := backend.Profile{
		Language: preset.Language, VoiceType: backend.VoicePreset,
		PresetEngine: preset.Engine, PresetVoiceID: preset.VoiceID, ModelName: preset.Model,
		Reason: preset.Reason,
	}
	for try := 0; ; try++ {
		switch {
		case try == 0:
			p.Name = preset.Name
		case try == 1 && preset.Taken == "":
			continue
		case try == 1:
			p.Name = preset.Taken
		default:
			p.Name = fmt.Sprintf("%s %d", preset.Name, try)
		}
		stored, err := db.create(ctx, tx, p)
		if err == nil || backend.CodeOf(err) != backend.CodeNameTaken {
			return stored, err
		}
	}
}
