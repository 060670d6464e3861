INSERT INTO transcripts (id, status, progress, source, model_name, language, duration, file_name, generation_id, audio_path, title,
    created_at, updated_at, error, warnings, request, text, segments, turns, matches) VALUES
    ('019a2400-0000-7000-8000-000000000001', 'complete', 1, 'file', 'whisper-base', 'en', 0.5, 'anna.wav', NULL, '', 'Known',
        1790160000000, 1790160000000, NULL, '[]', '{}', 'Hello echidna.',
        '[{"id":1,"start":0,"end":0.5,"text":" Hello echidna.","words":[],"no_speech_prob":0,"speaker":"Speaker 1","paragraph":true,"speaker_found":true}]',
        '[{"start":0,"end":0.5,"speaker":"Speaker 1"}]', '[{"speaker":"Speaker 1","known":"k","cosine":0.75}]');
