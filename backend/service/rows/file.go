package rows

import "github.com/voicewright/voicewright/backend/service"

// FileColumns are the columns of File, of the tables files as f and calls as c.
const FileColumns = `f.name, f.format, f.bytes, c.seconds, f.created_at, f.expires_at`

// File is a row of FileColumns.
type File struct {
	file             service.File
	created, expires int64
}

// Dest returns where the columns go.
func (r *File) Dest() []any {
	f := &r.file
	return []any{&f.Name, &f.Format, &f.Bytes, &f.Seconds, &r.created, &r.expires}
}

// Value returns the entry of a file. Error: service.ErrExpired, with the entry, where it has expired at a time.
func (r *File) Value(now int64) (f service.File, err error) {
	f = r.file
	f.CreatedAt, f.ExpiresAt = Time(r.created), Time(r.expires)
	if r.expires <= now {
		err = service.ErrExpired
	}
	return f, err
}
