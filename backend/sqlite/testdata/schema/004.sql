-- A voice that the program of its time could not speak with.
INSERT INTO profiles (id, name, name_key, description, language, voice_type, preset_engine, preset_voice_id, model_name,
    hosted_voice_id, hosted_model_id, speed, favorite, created_at, updated_at, reason) VALUES
    ('019a0400-0000-7000-8000-000000000001', 'Unsupported', 'unsupported', '', 'zh-CN', 'preset', 'piper', 'zh_CN-huayan-medium#0', 'piper-zh_CN-huayan-medium', '', '', 1, 0, 1790012000000, 1790012000000, 'This build cannot speak Chinese.');
