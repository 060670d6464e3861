package rows

import (
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

// UsedEvery is how often the last use of a key is written.
const UsedEvery = time.Minute

// KeyColumns are the columns of Key, of the table keys as k.
const KeyColumns = `k.id, k.prefix, k.name, k.created_at, k.last_used_at, k.revoked_at, k.revoked_by`

// Key is a row of KeyColumns.
type Key struct {
	key                          service.Key
	createdAt, usedAt, revokedAt int64
}

// Dest returns where the columns go.
func (r *Key) Dest() []any {
	return []any{&r.key.ID, &r.key.Prefix, &r.key.Name, &r.createdAt, &r.usedAt, &r.revokedAt, &r.key.RevokedBy}
}

// Value returns the key.
func (r *Key) Value() service.Key {
	k := r.key
	k.CreatedAt, k.LastUsedAt, k.RevokedAt = Time(r.createdAt), Time(r.usedAt), Time(r.revokedAt)
	return k
}

// Stale reports whether the last use of the key is to be written: it was long ago, or the clock has gone back.
func (r *Key) Stale(now int64) bool {
	return now-r.usedAt >= UsedEvery.Milliseconds() || r.usedAt-now >= UsedEvery.Milliseconds()
}

// ScanKey reads a key.
func ScanKey(row Scanner) (service.Key, error) {
	var r Key
	err := row.Scan(r.Dest()...)
	return r.Value(), err
}
