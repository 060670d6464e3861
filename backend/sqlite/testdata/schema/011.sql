-- Transcripts in every state, one with edits.
INSERT INTO transcripts (seq, id, status, progress, source, model_name, language, duration, file_name, generation_id, audio_path, title,
    created_at, updated_at, error, warnings, request, text, segments) VALUES
    (1, '019a1100-0000-7000-8000-000000000001', 'complete', 1, 'file', 'whisper-base', 'de', 0.5, 'Grüße 🎧.wav', NULL, '/data/transcripts/2026-10/019a1100-0000-7000-8000-000000000001.wav', 'Vortrag',
        1790030000000, 1790030000000, NULL, '[{"code":"repeated_text","detail":"Repeated text was removed.","start":0,"end":1}]', '{"language":"de","words":true}', 'Schöne Grüße. مرحبا',
        '[{"id":1,"start":0,"end":0.25,"text":" Schöne Grüße.","words":[{"word":" Schöne","start":0,"end":0.125,"probability":0.9}],"no_speech_prob":0,"speaker":"Zoë","paragraph":true},{"id":2,"start":0.25,"end":0.5,"text":" مرحبا","words":[],"no_speech_prob":0.5,"speaker":"","paragraph":false}]'),
    (2, '019a1100-0000-7000-8000-000000000002', 'failed', 0.5, 'recording', '', '', 0, '', NULL, '/data/transcripts/2026-10/019a1100-0000-7000-8000-000000000002.wav', '',
        1790030000001, 1790030000001, '{"code":"interrupted","detail":"Closed.","remedy":"Try again."}', '[]', '{}', '', '[]'),
    (3, '019a1100-0000-7000-8000-000000000003', 'complete', 1, 'generation', 'whisper-base', 'tr', 0.5, '', '019a0101-0000-7000-8000-000000000001', '', 'Of a generation',
        1790030000002, 1790030000002, NULL, '[]', '{}', '', '[]'),
    (4, '019a1100-0000-7000-8000-000000000004', 'transcribing', 0.5, 'file', 'whisper-base', '', 0, 'b.wav', NULL, '', 'Running', 1790030000003, 1790030000003, NULL, '[]', '{}', '', '[]');
INSERT INTO transcript_edits (transcript, undo) VALUES (1, '{"segments":{"at":0,"added":1,"removed":[{"id":1,"start":0,"end":0.25,"text":" Schöne Grüsse.","words":[],"no_speech_prob":0,"speaker":"","paragraph":true}]}}');
