package sqlite

import (
	"context"
	"database/sql"
	"reflect"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite/internal/words"
)

// profileRow is a profile with its position in lists.
type profileRow struct {
	backend.Profile
	seq     int64
	sortKey string
	consent backend.Consent
}

// The columns of a profile, those that are only read, and those that are only written. The consent is written by setConsent.
var (
	profileColumns = columns[profileRow]{
		{"id", func(p *profileRow) any { return &p.ID }},
		{"name", func(p *profileRow) any { return &p.Name }},
		{"description", func(p *profileRow) any { return &p.Description }},
		{"language", func(p *profileRow) any { return &p.Language }},
		{"voice_type", func(p *profileRow) any { return &p.VoiceType }},
		{"preset_engine", func(p *profileRow) any { return &p.PresetEngine }},
		{"preset_voice_id", func(p *profileRow) any { return &p.PresetVoiceID }},
		{"model_name", func(p *profileRow) any { return &p.ModelName }},
		{"hosted_voice_id", func(p *profileRow) any { return &p.HostedVoiceID }},
		{"hosted_model_id", func(p *profileRow) any { return &p.HostedModelID }},
		{"speed", func(p *profileRow) any { return &p.Speed }},
		{"favorite", func(p *profileRow) any { return &p.Favorite }},
		{"reason", func(p *profileRow) any { return &p.Reason }},
		{"created_at", func(p *profileRow) any { return asMillis(&p.CreatedAt) }},
		{"updated_at", func(p *profileRow) any { return asMillis(&p.UpdatedAt) }},
	}
	profileRead = columns[profileRow]{
		{"seq", func(p *profileRow) any { return &p.seq }},
		{"sort_key", func(p *profileRow) any { return &p.sortKey }},
		{"consent_kind", func(p *profileRow) any { return &p.consent.Kind }},
		{"consent_by", func(p *profileRow) any { return &p.consent.By }},
		{"consent_at", func(p *profileRow) any { return asMillis(&p.consent.At) }},
		{"(SELECT count(*) FROM samples WHERE samples.profile_id = profiles.id)", func(p *profileRow) any { return &p.Samples }},
	}
	profileDerived = columns[profileRow]{
		{"name_key", func(p *profileRow) any { return words.NameKey(p.Name) }},
		{"sort_key", func(p *profileRow) any { return words.Fold(p.Name) }},
		{"search_key", func(p *profileRow) any { return words.Fold(p.Name + " " + p.Description + " " + p.Language) }},
	}
)

// The columns of each statement, and the statements.
var (
	profileWhole   = join(profileColumns, profileRead)
	profileWritten = join(profileColumns, profileDerived)

	profileSelect = `SELECT ` + profileWhole.names() + ` FROM profiles`
	profileInsert = profileWritten.insert("profiles")
	profileUpdate = profileWritten.update("profiles", "id")
)

func scanProfile(rows *sql.Rows) (profileRow, error) {
	p, err := profileWhole.scan(rows)
	p.Usable = p.Reason == ""
	if p.consent.Kind != "" {
		p.Consent = &p.consent
	}
	return p, err
}

// Create stores a new profile. It sets an empty ID, zero times and speed 0; times are stored in
// milliseconds. Error: backend.CodeNameTaken (names are compared ignoring case).
func (db profiles) Create(ctx context.Context, p backend.Profile) (backend.Profile, error) {
	p.Reason = ""
	err := db.update(ctx, "create profile", func(tx *sql.Tx) (err error) {
		p, err = db.create(ctx, tx, p)
		return err
	})
	if err != nil {
		return backend.Profile{}, err
	}
	return p, nil
}

func (db profiles) create(ctx context.Context, tx *sql.Tx, p backend.Profile) (backend.Profile, error) {
	if p.ID == "" {
		p.ID = db.newID()
	}
	if p.CreatedAt.IsZero() {
		p.CreatedAt = db.now()
	}
	if p.UpdatedAt.IsZero() {
		p.UpdatedAt = p.CreatedAt
	}
	if p.Speed == 0 {
		p.Speed = 1
	}
	p.CreatedAt, p.UpdatedAt = fromMillis(millis(p.CreatedAt)), fromMillis(millis(p.UpdatedAt))
	p.Name = strings.TrimSpace(p.Name)
	p.Usable = p.Reason == ""
	if err := checkNameFree(ctx, tx, p.Name, p.ID); err != nil {
		return p, err
	}
	_, err := tx.ExecContext(ctx, profileInsert, profileWritten.fields(&profileRow{Profile: p})...)
	return p, err
}

// storeProfile replaces the profile with the same id.
func storeProfile(ctx context.Context, tx *sql.Tx, p backend.Profile) error {
	_, err := tx.ExecContext(ctx, profileUpdate, append(profileWritten.fields(&profileRow{Profile: p}), p.ID)...)
	return err
}

// checkNameFree returns backend.CodeNameTaken when another profile than id has the name.
func checkNameFree(ctx context.Context, tx *sql.Tx, name, id string) error {
	var taken bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM profiles WHERE name_key = ? AND id <> ?)`,
		words.NameKey(name), id).Scan(&taken)
	if err == nil && taken {
		return errNameTaken(name)
	}
	return err
}

// Profile returns the profile with this id, else backend.CodeProfileNotFound.
func (db profiles) Profile(ctx context.Context, id string) (backend.Profile, error) {
	return db.profileWhere(ctx, id, `id = ?`, id)
}

// ProfileByName returns the profile with this name, compared ignoring case, else backend.CodeProfileNotFound.
func (db profiles) ProfileByName(ctx context.Context, name string) (backend.Profile, error) {
	return db.profileWhere(ctx, name, `name_key = ?`, words.NameKey(name))
}

// ProfileByPreset returns the oldest profile of this voice of an engine, else backend.CodeProfileNotFound.
func (db profiles) ProfileByPreset(ctx context.Context, engine, voiceID string) (backend.Profile, error) {
	return db.profileWhere(ctx, engine+":"+voiceID,
		`voice_type = 'preset' AND preset_engine = ? AND preset_voice_id = ?`, engine, voiceID)
}

func (db profiles) profileWhere(ctx context.Context, key, cond string, args ...any) (backend.Profile, error) {
	var p backend.Profile
	err := db.view(ctx, "read profile", func(tx *sql.Tx) (err error) {
		p, err = findProfile(ctx, tx, key, cond, args...)
		return err
	})
	return p, err
}

func findProfile(ctx context.Context, tx *sql.Tx, key, cond string, args ...any) (backend.Profile, error) {
	rows, err := collect(ctx, tx, scanProfile, profileSelect+` WHERE `+cond+` ORDER BY seq LIMIT 1`, args...)
	if err != nil {
		return backend.Profile{}, err
	}
	if len(rows) == 0 {
		return backend.Profile{}, errUnknownProfile(key)
	}
	return rows[0].Profile, nil
}

// UpdateProfile changes the given fields and, if they differ, updated_at. Errors: backend.CodeProfileNotFound, CodeNameTaken.
func (db profiles) UpdateProfile(ctx context.Context, id string, patch backend.ProfilePatch) (backend.Profile, error) {
	var p backend.Profile
	err := db.update(ctx, "change profile", func(tx *sql.Tx) (err error) {
		if p, err = findProfile(ctx, tx, id, `id = ?`, id); err != nil || patch == (backend.ProfilePatch{}) {
			return err
		}
		voice, before := voiceOf(p), p
		patch.Apply(&p)
		if p.Name = strings.TrimSpace(p.Name); reflect.DeepEqual(p, before) {
			return nil
		}
		if voiceOf(p) != voice {
			p.Usable, p.Reason = true, "" // the reason belonged to the other voice
		}
		p.UpdatedAt = fromMillis(millis(db.now()))
		if err := checkNameFree(ctx, tx, p.Name, id); err != nil {
			return err
		}
		return storeProfile(ctx, tx, p)
	})
	if err != nil {
		return backend.Profile{}, err
	}
	return p, nil
}

// voiceOf returns what identifies the voice of a profile.
func voiceOf(p backend.Profile) [4]string {
	return [4]string{string(p.VoiceType), p.PresetEngine, p.PresetVoiceID, p.ModelName}
}

// profileDeleted marks that a profile was deleted: a library without rows is then one that its user emptied.
const profileDeleted = "profile_deleted"

// DeleteProfile deletes a profile with its samples; its generations stay. The voice of a preset is remembered, so that AddPresets
// leaves it out. Error: backend.CodeProfileNotFound.
func (db profiles) DeleteProfile(ctx context.Context, id string) error {
	return db.erase(ctx, "delete profile", func(tx *sql.Tx) error {
		p, err := findProfile(ctx, tx, id, `id = ?`, id)
		if err != nil {
			return err
		}
		if p.VoiceType == backend.VoicePreset {
			_, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO deleted_presets (engine, voice_id) VALUES (?, ?)`,
				p.PresetEngine, p.PresetVoiceID)
			if err != nil {
				return err
			}
		}
		if _, err = tx.ExecContext(ctx, `DELETE FROM profiles WHERE id = ?`, id); err != nil {
			return err
		}
		if err := setMark(ctx, tx, profileDeleted, "1"); err != nil {
			return err
		}
		return forgetLevel(ctx, tx, id)
	})
}

// Profiles returns a page of the profiles and their total number. A wrong cursor, limit or sort is
// a *backend.ValidationError.
func (db profiles) Profiles(ctx context.Context, f backend.ProfileFilter) (backend.List[backend.Profile], error) {
	if f.Sort == "" {
		f.Sort = backend.ProfilesByName
	}
	o, ok := profileOrder(f.Sort)
	if !ok {
		return backend.List[backend.Profile]{},
			backend.Invalid("enum", "Input should be 'name', 'newest', 'oldest' or 'updated'", "query", "sort")
	}
	return list(ctx, db.library, selection{
		table: "profiles", columns: profileWhole.names(), where: profileConditions(f), order: o,
		sort: string(f.Sort), page: f.Page,
	}, func(rows *sql.Rows) (backend.Profile, cursor, error) {
		r, err := scanProfile(rows)
		return r.Profile, r.cursor(f.Sort), err
	})
}

func profileOrder(sort backend.ProfileSort) (o order, ok bool) {
	switch sort {
	case backend.ProfilesByName:
		return order{column: "sort_key", text: true}, true
	case backend.ProfilesNewest:
		return order{column: "created_at", desc: true}, true
	case backend.ProfilesOldest:
		return order{column: "created_at"}, true
	case backend.ProfilesByUpdate:
		return order{column: "updated_at", desc: true}, true
	}
	return order{}, false
}

// cursor returns the position of a row in the list in this order.
func (r profileRow) cursor(sort backend.ProfileSort) cursor {
	switch sort {
	case backend.ProfilesByName:
		return cursor{Text: r.sortKey, Seq: r.seq}
	case backend.ProfilesByUpdate:
		return cursor{Number: float64(millis(r.UpdatedAt)), Seq: r.seq}
	default:
		return cursor{Number: float64(millis(r.CreatedAt)), Seq: r.seq}
	}
}

func profileConditions(f backend.ProfileFilter) (w where) {
	w.search(f.Search)
	if f.Language != "" {
		w.language("language", f.Language)
	}
	if f.Engine != "" {
		w.add("preset_engine = ?", f.Engine)
	}
	if f.VoiceType != "" {
		w.add("voice_type = ?", f.VoiceType)
	}
	if f.Favorite != nil {
		w.add("favorite = ?", *f.Favorite)
	}
	if !f.All {
		w.add("reason = ''")
	}
	return w
}
