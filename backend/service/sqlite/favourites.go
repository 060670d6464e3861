package sqlite

import (
	"context"

	"github.com/voicewright/voicewright/backend/service/rows"
)

// Favourites implements service.FavouriteStore.
func (db *DB) Favourites(ctx context.Context, account int64) ([]string, error) {
	list, err := all(ctx, db.read, rows.One[string], `SELECT voice FROM favourites WHERE account = ? ORDER BY id`, account)
	return list, fail("list favourites", err)
}

// ToggleFavourite implements service.FavouriteStore.
func (db *DB) ToggleFavourite(
	ctx context.Context, account int64, voice string,
) (favorited bool, err error) {
	err = db.update(ctx, "toggle favourite", func(ctx context.Context, tx *tx) error {
		if _, err := accountByID(ctx, tx, account); err != nil {
			return err
		}
		removed, err := tx.change(ctx, `DELETE FROM favourites WHERE account = ? AND voice = ?`, account, voice)
		if favorited = removed == 0; !favorited || err != nil {
			return err
		}
		return tx.exec(ctx, `INSERT INTO favourites (account, voice, at) VALUES (?, ?, ?)`, account, voice, rows.Millis(tx.now()))
	})
	return favorited && err == nil, err
}
