INSERT INTO scripts (id, title, gap_ms, audio_path, duration, sample_rate, created_at, updated_at, turns, speakers) VALUES
    ('019a1800-0000-7000-8000-000000000001', 'With names', 300, '', 0, 0, 1790100000000, 1790100000000,
        '["019a0101-0000-7000-8000-000000000001","019a1200-0000-7000-8000-000000000001"]', '["Zoë","بدر"]');
