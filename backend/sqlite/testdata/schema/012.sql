INSERT INTO generations (id, profile_id, profile_name, status, progress, source, engine, model_name, voice, language, speed, seed, favorite,
    credits, parent_id, format, sample_rate, channels, duration, characters, created_at, audio_path, title, error, request, chunks, receipt, text, verify, verify_error) VALUES
    ('019a1200-0000-7000-8000-000000000001', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'complete', 1, 'local', 'espeak', '', 'en', 'en', 1, 5, 0,
        NULL, NULL, 'wav', 22050, 1, 0.5, 11, 1790040000000, '/data/audio/2026-10/019a1200-0000-7000-8000-000000000001.wav', 'Heard', NULL, '{"verify":true}',
        '[{"text":"Hello axolotl.","start":0,"end":0.5,"take":0,"takes":1,"verify":{"wer":0.5,"heard":"hello","dropped":["axolotl"],"repeated":[],"words":2}}]', NULL, 'Hello axolotl.',
        '{"model_name":"whisper-base","wer":0.5,"at":"2026-10-01T10:00:00Z"}', NULL),
    ('019a1200-0000-7000-8000-000000000002', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'complete', 1, 'local', 'espeak', '', 'en', 'en', 1, 5, 0,
        NULL, NULL, 'wav', 22050, 1, 0.5, 9, 1790040000001, '/data/audio/2026-10/019a1200-0000-7000-8000-000000000002.wav', 'Not heard', NULL, '{"verify":true}', '[]', NULL, 'Not heard.',
        NULL, '{"code":"model_not_downloaded","detail":"There is no model.","remedy":"Download it."}');
