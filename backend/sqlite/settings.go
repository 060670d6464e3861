package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// Settings gives every stored setting by its dotted key, as the JSON that was set.
func (db *DB) Settings(ctx context.Context) (map[string]json.RawMessage, error) {
	settings := map[string]json.RawMessage{}
	err := db.view(ctx, "read settings", func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) error {
			var key, value string
			err := rows.Scan(&key, &value)
			settings[key] = json.RawMessage(value)
			return err
		}, `SELECT key, value FROM settings`)
	})
	if err != nil {
		return nil, err
	}
	return settings, nil
}

// SetSettings stores the given settings and leaves the others, all in one step. A nil value removes the key,
// so that its default counts again. A value that is not JSON is an error and nothing is stored.
func (db *DB) SetSettings(ctx context.Context, changes map[string]json.RawMessage) error {
	return db.update(ctx, "store settings", func(tx *sql.Tx) error {
		for key, value := range changes {
			if err := setSetting(ctx, tx, key, value); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		return nil
	})
}

func setSetting(ctx context.Context, tx *sql.Tx, key string, value json.RawMessage) error {
	if value == nil {
		_, err := tx.ExecContext(ctx, `DELETE FROM settings WHERE key = ?`, key)
		return err
	}
	if !json.Valid(value) {
		return errors.New("the value is not JSON")
	}
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)`, key, string(value))
	return err
}

// VoiceLevel returns what was last measured of a model's voice on this machine; ok is false before the first
// measurement.
func (db *DB) VoiceLevel(ctx context.Context, model, voice string) (level backend.VoiceLevel, ok bool, err error) {
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

// SetVoiceLevel stores what was measured of a model's voice in place of an older measurement.
func (db *DB) SetVoiceLevel(ctx context.Context, model, voice string, level backend.VoiceLevel) error {
	return db.update(ctx, "store voice level", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT OR REPLACE INTO voice_gains (model, voice, gain_db, peak_db, measured_at) VALUES (?, ?, ?, ?, ?)`,
			model, voice, level.GainDB, level.PeakDB, millis(db.now()))
		return err
	})
}
