package sqlite

import (
	"context"
	"database/sql"

	"github.com/voicewright/voicewright/backend"
)

// The columns of a sample, and the statements.
var (
	sampleColumns = columns[backend.Sample]{
		{"id", func(s *backend.Sample) any { return &s.ID }},
		{"profile_id", func(s *backend.Sample) any { return &s.ProfileID }},
		{"name", func(s *backend.Sample) any { return &s.Name }},
		{"seconds", func(s *backend.Sample) any { return &s.Seconds }},
		{"sample_rate", func(s *backend.Sample) any { return &s.SampleRate }},
		{"level_lufs", func(s *backend.Sample) any { return &s.LevelLUFS }},
		{"noise_db", func(s *backend.Sample) any { return &s.NoiseDB }},
		{"clipped", func(s *backend.Sample) any { return &s.Clipped }},
		{"speakers", func(s *backend.Sample) any { return &s.Speakers }},
		{"warnings", func(s *backend.Sample) any { return asJSON(&s.Warnings) }},
		{"transcript", func(s *backend.Sample) any { return &s.Transcript }},
		{"sha256", func(s *backend.Sample) any { return &s.SHA256 }},
		{"created_at", func(s *backend.Sample) any { return asMillis(&s.CreatedAt) }},
	}

	sampleSelect = `SELECT ` + sampleColumns.names() + ` FROM samples`
	sampleInsert = sampleColumns.insert("samples")
)

// insertSample adds a sample to its profile.
func insertSample(ctx context.Context, tx *sql.Tx, s backend.Sample) error {
	fillWarnings(&s)
	_, err := tx.ExecContext(ctx, sampleInsert, sampleColumns.fields(&s)...)
	return err
}

// fillWarnings replaces a list of warnings that is nil.
func fillWarnings(s *backend.Sample) {
	if s.Warnings == nil {
		s.Warnings = []backend.SampleWarning{}
	}
}

// CreateWithSamples stores a new profile with its samples, whose profile_id is that of the profile, in one transaction.
// Errors: those of Create.
func (db profiles) CreateWithSamples(
	ctx context.Context, p backend.Profile, samples []backend.Sample, c backend.Consent,
) (backend.Profile, error) {
	p.Reason = ""
	err := db.update(ctx, "create profile", func(tx *sql.Tx) (err error) {
		if p, err = db.create(ctx, tx, p); err != nil {
			return err
		}
		for _, s := range samples {
			if err := insertSample(ctx, tx, s); err != nil {
				return err
			}
		}
		if err := setConsent(ctx, tx, p.ID, c); err != nil {
			return err
		}
		p, err = findProfile(ctx, tx, p.ID, `id = ?`, p.ID)
		return err
	})
	return p, err
}

// AddSample stores a sample and the consent to clone its voice, and makes its profile a cloned one.
// Error: backend.CodeProfileNotFound.
func (db profiles) AddSample(ctx context.Context, s backend.Sample, c backend.Consent) error {
	return db.update(ctx, "add sample", func(tx *sql.Tx) error {
		if _, err := findProfile(ctx, tx, s.ProfileID, `id = ?`, s.ProfileID); err != nil {
			return err
		}
		if err := insertSample(ctx, tx, s); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE profiles SET voice_type = ?, updated_at = ? WHERE id = ?`,
			backend.VoiceCloned, millis(db.now()), s.ProfileID); err != nil {
			return err
		}
		if err := setConsent(ctx, tx, s.ProfileID, c); err != nil {
			return err
		}
		return forgetLevel(ctx, tx, s.ProfileID)
	})
}

// setConsent replaces the consent of a profile; a zero one removes it.
func setConsent(ctx context.Context, tx *sql.Tx, profileID string, c backend.Consent) error {
	var at int64
	if !c.At.IsZero() {
		at = millis(c.At)
	}
	_, err := tx.ExecContext(ctx, `UPDATE profiles SET consent_kind = ?, consent_by = ?, consent_at = ? WHERE id = ?`,
		c.Kind, c.By, at, profileID)
	return err
}

// forgetLevel removes the measured level of a profile's cloned voice, which another sample changes.
func forgetLevel(ctx context.Context, tx *sql.Tx, profileID string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM voice_gains WHERE voice = ?`, backend.ClonePrefix+profileID)
	return err
}

// Samples returns the samples of a profile, oldest first. Error: backend.CodeProfileNotFound.
func (db profiles) Samples(ctx context.Context, profileID string) (samples []backend.Sample, err error) {
	err = db.view(ctx, "list samples", func(tx *sql.Tx) (err error) {
		if _, err := findProfile(ctx, tx, profileID, `id = ?`, profileID); err != nil {
			return err
		}
		samples, err = collect(ctx, tx, sampleColumns.scan, sampleSelect+` WHERE profile_id = ? ORDER BY seq`, profileID)
		return err
	})
	return samples, err
}

// Sample returns a sample of a profile. Errors: backend.CodeProfileNotFound, CodeSampleNotFound.
func (db profiles) Sample(ctx context.Context, profileID, id string) (s backend.Sample, err error) {
	err = db.view(ctx, "read sample", func(tx *sql.Tx) (err error) {
		s, err = findSample(ctx, tx, profileID, id)
		return err
	})
	return s, err
}

func findSample(ctx context.Context, tx *sql.Tx, profileID, id string) (backend.Sample, error) {
	if _, err := findProfile(ctx, tx, profileID, `id = ?`, profileID); err != nil {
		return backend.Sample{}, err
	}
	samples, err := collect(ctx, tx, sampleColumns.scan, sampleSelect+` WHERE profile_id = ? AND id = ?`, profileID, id)
	if err != nil {
		return backend.Sample{}, err
	}
	if len(samples) == 0 {
		return backend.Sample{}, errUnknownSample(id)
	}
	return samples[0], nil
}

// UpdateSample calls change with a sample and stores its transcript and warnings.
// Errors: those of Sample.
func (db profiles) UpdateSample(ctx context.Context, profileID, id string, change func(*backend.Sample)) (s backend.Sample, err error) {
	err = db.update(ctx, "change sample", func(tx *sql.Tx) (err error) {
		if s, err = findSample(ctx, tx, profileID, id); err != nil {
			return err
		}
		change(&s)
		fillWarnings(&s)
		_, err = tx.ExecContext(ctx, `UPDATE samples SET transcript = ?, warnings = ? WHERE id = ?`,
			s.Transcript, asJSON(&s.Warnings), id)
		return err
	})
	return s, err
}

// DeleteSample deletes a sample; with the last one, the consent of its profile. Errors: those of Sample.
func (db profiles) DeleteSample(ctx context.Context, profileID, id string) error {
	return db.erase(ctx, "delete sample", func(tx *sql.Tx) error {
		if _, err := findSample(ctx, tx, profileID, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM samples WHERE id = ?`, id); err != nil {
			return err
		}
		p, err := findProfile(ctx, tx, profileID, `id = ?`, profileID)
		if err == nil && p.Samples == 0 {
			err = setConsent(ctx, tx, profileID, backend.Consent{})
		}
		if err != nil {
			return err
		}
		return forgetLevel(ctx, tx, profileID)
	})
}

// SampleIDs returns the samples of each profile that has any, oldest first.
func (db profiles) SampleIDs(ctx context.Context) (map[string][]string, error) {
	ids := map[string][]string{}
	err := db.view(ctx, "list samples", func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) error {
			var profile, id string
			err := rows.Scan(&profile, &id)
			ids[profile] = append(ids[profile], id)
			return err
		}, `SELECT profile_id, id FROM samples ORDER BY seq`)
	})
	return ids, err
}
