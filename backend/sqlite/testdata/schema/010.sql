INSERT INTO profiles (id, name, name_key, description, language, voice_type, preset_engine, preset_voice_id, model_name,
    hosted_voice_id, hosted_model_id, speed, favorite, created_at, updated_at) VALUES
    ('019a1000-0000-7000-8000-000000000001', 'Faber', 'faber', '', 'pt-BR', 'preset', 'piper', 'pt_BR-faber-medium#1', 'piper-pt_BR-faber-medium', '', '', 1, 0, 1790025000000, 1790025000000);
