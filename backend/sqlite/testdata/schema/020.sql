-- A book with sound and a state before a change.
INSERT INTO generations (id, profile_id, profile_name, status, progress, source, engine, model_name, voice, language, speed, seed, favorite,
    credits, parent_id, format, sample_rate, channels, duration, characters, created_at, audio_path, title, error, request, chunks, receipt, text) VALUES
    ('019a2001-0000-7000-8000-000000000001', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'complete', 1, 'local', 'espeak', '', 'de', 'de', 1, 5, 0,
        NULL, NULL, 'wav', 22050, 1, 0.5, 6, 1790120000000, '/data/audio/2026-11/019a2001-0000-7000-8000-000000000001.wav', '', NULL, '{"book_id":"019a2000-0000-7000-8000-000000000001"}',
        '[{"text":"Kapitel Nashorn.","start":0,"end":0.5,"take":0,"takes":1}]', NULL, 'Kapitel Nashorn.');
INSERT INTO books (id, title, created_at, updated_at, content) VALUES
    ('019a2000-0000-7000-8000-000000000001', 'Ein Buch 📚', 1790120000000, 1790120000001, '{"author":"Ömer","language":"de","description":"","cover":"cover.png","depth":1,"depths":[2],"options":{"profile_id":"019a0100-0000-7000-8000-000000000001","speed":1.5}}');
INSERT INTO book_chapters (book_id, position, content) VALUES
    ('019a2000-0000-7000-8000-000000000001', 0, '{"id":"019a2002-0000-7000-8000-000000000001","title":"Eins","level":1,"text":"t1","asks":["a1"],"parts":[{"generation":"019a2001-0000-7000-8000-000000000001","text":"a1","voice":"v1","version":0}]}'),
    ('019a2000-0000-7000-8000-000000000001', 1, '{"id":"019a2002-0000-7000-8000-000000000002","title":"","level":1,"text":"t2","asks":["a2"],"skipped":true}');
INSERT INTO book_texts (book_id, key, blocks) VALUES
    ('019a2000-0000-7000-8000-000000000001', 't1', '[{"kind":"paragraph","spans":[{"text":"Kapitel Nashorn."}]}]'),
    ('019a2000-0000-7000-8000-000000000001', 't2', '[]');
INSERT INTO book_states (book_id, content) VALUES
    ('019a2000-0000-7000-8000-000000000001', '{"depth":1,"depths":[2],"chapters":[{"id":"019a2002-0000-7000-8000-000000000001","title":"Uno","level":1,"text":"t1","asks":["a1"]},{"id":"019a2002-0000-7000-8000-000000000002","title":"","level":1,"text":"t2"}]}');
INSERT INTO book_generations (generation_id, book_id) VALUES ('019a2001-0000-7000-8000-000000000001', '019a2000-0000-7000-8000-000000000001');
