package postgres

import (
	"context"

	"github.com/voicewright/voicewright/backend/service/rows"
)

// Favourites implements service.FavouriteStore.
func (db *DB) Favourites(ctx context.Context, account int64) (list []string, err error) {
	err = db.view(ctx, "list favourites", func(ctx context.Context, q querier) error {
		list, err = all(ctx, q, rows.One[string], `SELECT voice FROM favourites WHERE account = $1 ORDER BY id`, account)
		return err
	})
	return list, err
}

// ToggleFavourite implements service.FavouriteStore.
func (db *DB) ToggleFavourite(ctx context.Context, account int64, voice string) (favorited bool, err error) {
	err = db.update(ctx, "toggle favourite", func(ctx context.Context, tx *tx) error {
		_, now, err := tx.lock(ctx, account)
		if err != nil {
			return err
		}
		removed, err := tx.change(ctx, `DELETE FROM favourites WHERE account = $1 AND voice = $2`, account, voice)
		if favorited = removed == 0; !favorited || err != nil {
			return err
		}
		return tx.exec(ctx, `INSERT INTO favourites (account, voice, at) VALUES ($1, $2, $3)`, account, voice, now)
	})
	return favorited && err == nil, err
}
