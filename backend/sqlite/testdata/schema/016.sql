INSERT INTO generations (id, profile_id, profile_name, status, progress, source, engine, model_name, voice, language, speed, seed, favorite,
    credits, parent_id, format, sample_rate, channels, duration, characters, created_at, audio_path, title, error, request, chunks, receipt, text, partial) VALUES
    ('019a1600-0000-7000-8000-000000000001', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'cancelled', 0.5, 'local', 'espeak', '', 'en', 'en', 1, 5, 0,
        NULL, NULL, 'wav', 0, 0, 0, 24, 1790080000000, '', 'Stopped', NULL, '{"pauses":{"sentence":0.3,"paragraph":0.7,"heading":1,"scene":1.5}}', '[]', NULL, 'One wombat. Two wombats.',
        '{"chunks":1,"total":2,"seconds":0.5}');
