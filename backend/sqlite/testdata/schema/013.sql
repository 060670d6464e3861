-- Paid calls in every state.
INSERT INTO generations (id, profile_id, profile_name, status, progress, source, engine, model_name, voice, language, speed, seed, favorite,
    credits, parent_id, format, sample_rate, channels, duration, characters, created_at, audio_path, title, error, request, chunks, receipt, text) VALUES
    ('019a1300-0000-7000-8000-000000000001', '019a0100-0000-7000-8000-000000000004', 'Far voice', 'failed', 0.5, 'hosted', 'hosted', 'providerC-neural2', 'abc', 'de', 1, 0, 0,
        21, NULL, 'mp3', 0, 0, 0, 20, 1790050000000, '', 'Half paid', '{"code":"interrupted","detail":"Closed.","remedy":"Try again."}', '{}', '[]', NULL, 'Bezahlte Sprache hier.');
INSERT INTO hosted_parts (generation_id, n, kind, state, hash, characters, quoted, credits, credits_left, url, format, file, sha256, created_at, updated_at) VALUES
    ('019a1300-0000-7000-8000-000000000001', 0, 'text', 'stored', 'a0', 10, 21, 20, 9980, '', 'mp3_44100_128', '/data/audio/hosted/019a1300-0000-7000-8000-000000000001/0.mp3', 'b0', 1790050000000, 1790050000001),
    ('019a1300-0000-7000-8000-000000000001', 1, 'text', 'lost', 'a1', 5, NULL, NULL, NULL, '', '', '', '', 1790050000002, 1790050000003),
    ('019a1300-0000-7000-8000-000000000001', 1, 'text', 'refused', 'a1', 5, 1, 0, 9980, '', '', '', '', 1790050000004, 1790050000005),
    ('019a1300-0000-7000-8000-000000000001', 2, 'dialogue', 'expired', 'a2', 5, 1, 1, 9979, 'https://voice.example.org/a.mp3', 'mp3_44100_128', '', '', 1790050000006, 1790050000007);
