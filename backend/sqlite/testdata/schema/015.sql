INSERT INTO scripts (id, title, gap_ms, audio_path, duration, sample_rate, created_at, updated_at, turns, joined, previous, spare, receipt) VALUES
    ('019a1500-0000-7000-8000-000000000001', 'Revised', 250, '/data/audio/scripts/019a1500-0000-7000-8000-000000000001.1.wav', 0.5, 22050, 1790070000000, 1790070000001,
        '["019a0101-0000-7000-8000-000000000001"]', '["aa00000000000000000000000000000000000000000000000000000000000000"]',
        '{"title":"Before","gap_ms":300,"generations":["019a0101-0000-7000-8000-000000000001","019a1200-0000-7000-8000-000000000001"],"joined":null,"file":"","duration":0,"sample_rate":0,"receipt":null}',
        '["019a1200-0000-7000-8000-000000000002"]', '{"voices":[{"source":"local","model_name":"","voice":"tr","turns":1,"gain_db":-1.5,"level":null}]}');
