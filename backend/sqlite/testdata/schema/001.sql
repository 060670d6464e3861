-- What a library of schema 1 had: voices, a history in every state, settings.
INSERT INTO profiles (id, name, name_key, description, language, voice_type, preset_engine, preset_voice_id, model_name,
    hosted_voice_id, hosted_model_id, speed, favorite, created_at, updated_at) VALUES
    ('019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'built-in voice', '', 'en', 'default', '', '', '', '', '', 1, 0, 1790000000000, 1790000000000),
    ('019a0100-0000-7000-8000-000000000002', 'Bella 🦊', 'bella 🦊', 'O''Brien said "yes"; 100 % -- so', 'en-US', 'preset', 'kokoro', 'af_bella', 'kokoro', '', '', 1.25, 1, 1790000100000, 1790000200000),
    ('019a0100-0000-7000-8000-000000000003', 'صوت جدتي', 'صوت جدتي', replace(hex(zeroblob(400)), '00', 'ab c '), 'pt_BR', 'preset', 'piper', 'pt_BR-faber-medium#0', 'piper-pt_BR-faber-medium', '', '', 4, 0, 1790000300000, 1790000300000),
    ('019a0100-0000-7000-8000-000000000004', 'Far voice', 'far voice', '', 'de', 'hosted', '', '', '', 'abc', 'providerC-neural2', 0.25, 0, 1790000400000, 1790000400000);
INSERT INTO deleted_presets VALUES ('kokoro', 'af_sky');
INSERT INTO generations (id, profile_id, profile_name, status, progress, source, engine, model_name, voice, language, speed, seed, favorite,
    credits, parent_id, format, sample_rate, channels, duration, characters, created_at, audio_path, title, error, request, chunks, receipt, text) VALUES
    ('019a0101-0000-7000-8000-000000000001', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'complete', 1, 'local', 'espeak', '', 'tr', 'tr', 1, 42, 1,
        NULL, NULL, 'wav', 22050, 1, 0.5, 33, 1790001000000, '/data/audio/2026-09/019a0101-0000-7000-8000-000000000001.wav', 'İlk ses', NULL, '{"seed":42}',
        '[{"text":"Çalışma odasında ışık açık kaldı.","start":0,"end":0.5,"take":1,"takes":2}]',
        '{"app_version":"0.1.0","engine":"espeak","model_name":"","model_revision":"","model_files":null,"voice":"tr","language":"tr","seed":42,"speed":1,"parameters":null,"spoken_text":"Çalışma odasında ışık açık kaldı.","chunks":[{"text":"Çalışma odasında ışık açık kaldı.","seed":43}],"device":"cpu","threads":1,"runtimes":{"espeak-ng":"1.51"},"gain_db":-1.5,"audio_sha256":"","seconds":{"speak":0.1},"dropped_tags":null,"reproducible":true}',
        'Çalışma odasında ışık açık kaldı.'),
    ('019a0101-0000-7000-8000-000000000002', '019a0100-0000-7000-8000-000000000002', 'Bella 🦊', 'failed', 0.5, 'local', 'kokoro', 'kokoro', 'af_bella', 'en-US', 1, 7, 0,
        NULL, NULL, 'wav', 0, 0, 0, 29, 1790002000000, '', '', '{"code":"out_of_memory","detail":"There is not enough memory.","remedy":"Use a smaller variant."}',
        '{}', '[]', NULL, 'The quick brown fox ran away.'),
    ('019a0101-0000-7000-8000-000000000003', '019a0100-0000-7000-8000-000000000009', 'Deleted voice', 'complete', 1, 'hosted', 'hosted', 'v3', 'abc', 'ja', 1, 2147483647, 0,
        21, '019a0101-0000-7000-8000-000000000001', 'mp3', 44100, 1, 3.25, 13, 1790003000000, 'C:\Users\me\voicewright\audio\2026-09\019a0101-0000-7000-8000-000000000003.mp3', '', NULL, '{}', '[]', NULL,
        '東京は今日も晴れています。'),
    ('019a0101-0000-7000-8000-000000000004', '019a0100-0000-7000-8000-000000000002', 'Bella 🦊', 'generating', 0.25, 'local', 'kokoro', 'kokoro', 'af_bella', 'en-US', 1, 8, 0,
        NULL, NULL, 'wav', 0, 0, 0, 26, 1790004000000, '', 'Café', NULL, '{}', '[]', NULL, 'Straße and café are words.'),
    ('019a0101-0000-7000-8000-000000000005', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'cancelled', 0, 'local', 'espeak', '', 'en', 'en', 1, 0, 0,
        NULL, NULL, 'flac', 0, 0, 0, 6, 1790005000000, '', '', NULL, '{}', '[]', NULL, 'שלום 👩‍👩‍👧'),
    ('019a0101-0000-7000-8000-000000000006', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'queued', 0, 'local', 'espeak', '', 'en', 'en', 1, 0, 0,
        NULL, NULL, 'wav', 0, 0, 0, 20000, 1790006000000, '', '', NULL, '{"max_chunk_chars":50}', '[]', NULL, replace(hex(zeroblob(4000)), '00', 'Wort ')),
    ('019a0101-0000-7000-8000-000000000007', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'loading_model', 0, 'local', 'espeak', '', 'en', 'en', 1, 0, 0,
        NULL, NULL, 'wav', 0, 0, 0, 8, 1790007000000, '', '', NULL, '{}', '[]', NULL, 'Loading.'),
    ('019a0101-0000-7000-8000-000000000008', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'downloading_model', 0, 'local', 'espeak', '', 'en', 'en', 1, 0, 0,
        NULL, NULL, 'wav', 0, 0, 0, 12, 1790008000000, '', '', NULL, '{}', '[]', NULL, 'Downloading.'),
    ('019a0101-0000-7000-8000-000000000009', '019a0100-0000-7000-8000-000000000001', 'Built-in voice', 'complete', 1, 'local', 'espeak', '', 'en', 'en', 1, 0, 0,
        NULL, NULL, 'wav', 22050, 1, 0.5, 9, 1790009000000, '/data/audio/2026-09/lost.wav', 'Its file is gone', NULL, '{}', '[]', NULL, 'Bye	bye.');
INSERT INTO settings VALUES ('hosted.base_url', '"http://127.0.0.1:9000"'), ('models.idle_unload', '"10m"'), ('long.gone', '"a setting that no program knows"');
INSERT INTO marks VALUES ('built_in_made', '1');
