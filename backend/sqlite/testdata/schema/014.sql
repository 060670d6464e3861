INSERT INTO profiles (id, name, name_key, description, language, voice_type, preset_engine, preset_voice_id, model_name,
    hosted_voice_id, hosted_model_id, speed, favorite, created_at, updated_at, consent_kind, consent_by, consent_at) VALUES
    ('019a1400-0000-7000-8000-000000000001', 'Großmutter', 'grossmutter', '', 'de', 'cloned', '', '', 'pocket', '', '', 1, 1, 1790060000000, 1790060000000, 'permission', 'Oma', 1790060000000);
INSERT INTO samples (id, profile_id, name, seconds, sample_rate, level_lufs, noise_db, clipped, speakers, warnings, transcript, sha256, created_at) VALUES
    ('019a1401-0000-7000-8000-000000000001', '019a1400-0000-7000-8000-000000000001', 'Küche.m4a', 12.5, 24000, -20.5, -60, 0, 1, '[]', 'Es war einmal.', 'c0', 1790060000001),
    ('019a1401-0000-7000-8000-000000000002', '019a1400-0000-7000-8000-000000000001', '📞', 3, 8000, -30, -35, 1, 2, '[{"code":"noisy","detail":"It is noisy."}]', '', 'c1', 1790060000002);
