-- Names that are sorted and found without accents.
INSERT INTO profiles (id, name, name_key, description, language, voice_type, preset_engine, preset_voice_id, model_name,
    hosted_voice_id, hosted_model_id, speed, favorite, created_at, updated_at, sort_key, search_key) VALUES
    ('019a0200-0000-7000-8000-000000000001', 'Ömer', 'ömer', 'Kitap okur', 'tr', 'preset', 'piper', 'tr_TR-dfki-medium#0', 'piper-tr_TR-dfki-medium', '', '', 1, 0, 1790010000000, 1790010000000, 'omer', 'omer kitap okur tr');
