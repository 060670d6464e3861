-- A text that was changed once.
INSERT INTO generations (id, profile_id, profile_name, status, progress, source, engine, model_name, voice, language, speed, seed, favorite,
    credits, parent_id, format, sample_rate, channels, duration, characters, created_at, audio_path, title, error, request, chunks, receipt, text, version) VALUES
    ('019a1700-0000-7000-8000-000000000001', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'complete', 1, 'local', 'espeak', '', 'en', 'en', 1, 5, 0,
        NULL, NULL, 'wav', 22050, 1, 0.5, 10, 1790090000000, '/data/audio/2026-11/019a1700-0000-7000-8000-000000000001.2.wav', 'Changed', NULL, '{}',
        '[{"text":"New quokka.","start":0,"end":0.5,"take":0,"takes":1}]', NULL, 'New quokka.', 1);
INSERT INTO generation_versions (generation_id, audio_path, content) VALUES
    ('019a1700-0000-7000-8000-000000000001', '/data/audio/2026-11/019a1700-0000-7000-8000-000000000001.wav',
        '{"text":"Old quokka.","duration":0.5,"version":0,"chunks":[{"text":"Old quokka.","start":0,"end":0.5,"take":0,"takes":1}],"receipt":null}');
