package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/voicewright/voicewright/backend"
)

// VoiceLevel returns the last measured level of a voice on this machine; ok is false before the first measurement.
func (db levels) VoiceLevel(ctx context.Context, model, voice string) (level backend.VoiceLevel, ok bool, err error) {
	err = db.view(ctx, "read voice level", func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx,
			`SELECT gain_db, peak_db FROM voice_gains WHERE model = ? AND voice = ?`, model, voice).
			Scan(&level.GainDB, &level.PeakDB)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		ok = err == nil
		return err
	})
	return level, ok, err
}

// SetVoiceLevel stores the measured level of a voice and replaces an older one.
func (db levels) SetVoiceLevel(ctx context.Context, model, voice string, level backend.VoiceLevel) error {
	return db.update(ctx, "store voice level", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT OR REPLACE INTO voice_gains (model, voice, gain_db, peak_db, measured_at) VALUES (?, ?, ?, ?, ?)`,
			model, voice, level.GainDB, level.PeakDB, millis(db.now()))
		return err
	})
}
