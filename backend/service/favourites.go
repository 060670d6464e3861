package service

import (
	"context"
	"errors"
	"slices"
)

// Favourites returns the caller's favourite voices that are active, in the order in which they were added.
func (c *catalogue) Favourites(ctx context.Context, caller Caller) ([]Voice, error) {
	ids, err := c.o.Store.Favourites(ctx, caller.Account.ID)
	if err != nil {
		return nil, err
	}
	list, err := c.read(ctx)
	if err != nil {
		return nil, err
	}
	voices := []Voice{}
	for _, id := range ids {
		if v, ok := list.byID[id]; ok {
			voices = append(voices, v)
		}
	}
	return voices, nil
}

// ToggleFavourite adds a voice to the caller's favourites or removes it, and reports whether it is one now. A favourite that is
// not active now can be removed. Error: 404 for a voice that is neither.
func (c *catalogue) ToggleFavourite(ctx context.Context, caller Caller, voiceID string) (bool, error) {
	_, err := c.voice(ctx, voiceID)
	voiceID, _ = canonicalID(voiceID)
	if err != nil {
		ids, listErr := c.o.Store.Favourites(ctx, caller.Account.ID)
		switch {
		case listErr != nil:
			return false, listErr
		case slices.Contains(ids, voiceID):
		case errors.Is(err, ErrNotFound):
			return false, errNoVoiceFound
		default:
			return false, err
		}
	}
	return c.o.Store.ToggleFavourite(ctx, caller.Account.ID, voiceID)
}
