INSERT INTO transcripts (id, status, progress, source, model_name, language, duration, file_name, generation_id, audio_path, title,
    created_at, updated_at, error, warnings, request, text, segments, speakers_error, turns) VALUES
    ('019a2300-0000-7000-8000-000000000001', 'complete', 1, 'file', 'whisper-base', 'en', 0.5, 'talk.wav', NULL, '/data/transcripts/2026-11/019a2300-0000-7000-8000-000000000001.wav', 'Two people',
        1790150000000, 1790150000000, NULL, '[]', '{"speakers":{"mode":"number","count":2}}', 'Good platypus.',
        '[{"id":1,"start":0,"end":0.5,"text":" Good platypus.","words":[],"no_speech_prob":0,"speaker":"Speaker 1","paragraph":true,"speaker_found":true}]',
        NULL, '[{"start":0,"end":0.5,"speaker":"Speaker 1"}]'),
    ('019a2300-0000-7000-8000-000000000002', 'complete', 1, 'file', 'whisper-base', 'en', 0.5, 'noise.wav', NULL, '', 'Nobody',
        1790150000001, 1790150000001, NULL, '[]', '{}', 'Hm.', '[{"id":1,"start":0,"end":0.5,"text":" Hm.","words":[],"no_speech_prob":0,"speaker":"","paragraph":true}]',
        '{"code":"interrupted","detail":"Closed.","remedy":"Try again."}', '[]');
