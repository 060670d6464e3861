package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// Settings returns every stored setting by its dotted key, as the JSON that was set.
func (db settings) Settings(ctx context.Context) (map[string]json.RawMessage, error) {
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

// SetSettings stores the given settings in one transaction and does not change the others. A nil value deletes the key, so
// that its default applies again. A value that is not JSON is an error and nothing is stored.
func (db settings) SetSettings(ctx context.Context, changes map[string]json.RawMessage) error {
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
