-- The studio: drafts, words, scripts.
INSERT INTO drafts (id, name, created_at, updated_at, content) VALUES
    ('019a0500-0000-7000-8000-000000000001', 'Untitled', 1790020000000, 1790020000000, '{}'),
    ('019a0500-0000-7000-8000-000000000002', '第一章 📖', 1790020000001, 1790020000002, '{"kind":"text","text":"He said: \"go\".\n\nثم ذهب.","speed":1.5,"nothing":null,"odd":[1,{"a":[]}]}'),
    ('019a0500-0000-7000-8000-000000000003', 'Long', 1790020000003, 1790020000003, json_object('text', replace(hex(zeroblob(20000)), '00', 'Satz. ')));
INSERT INTO pronunciations (id, word, respelling, language, word_key, language_key, sort_key, search_key) VALUES
    ('019a0501-0000-7000-8000-000000000001', 'Voicewright', 'voice right', '', 'voicewright', '', 'voicewright', 'voicewright voice right'),
    ('019a0501-0000-7000-8000-000000000002', 'Łódź', '/wut͡ɕ/', 'pl-PL', 'łódź', 'pl-pl', 'lodz', 'lodz /wut͡ɕ/');
INSERT INTO scripts (id, title, gap_ms, audio_path, duration, sample_rate, created_at, updated_at, turns) VALUES
    ('019a0502-0000-7000-8000-000000000001', 'Two turns', 300, '/data/audio/scripts/019a0502-0000-7000-8000-000000000001.wav', 1.3, 22050, 1790021000000, 1790021000000,
        '["019a0101-0000-7000-8000-000000000001","019a0101-0000-7000-8000-000000000001"]'),
    ('019a0502-0000-7000-8000-000000000002', 'Not joined', 0, '', 0, 0, 1790021000001, 1790021000001, '["019a0101-0000-7000-8000-000000000002","019a0599-0000-7000-8000-000000000009"]');
