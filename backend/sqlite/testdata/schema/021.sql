INSERT INTO books (id, title, created_at, updated_at, content, place_chapter, place_seconds) VALUES
    ('019a2100-0000-7000-8000-000000000001', 'Heard half-way', 1790130000000, 1790130000000, '{"depth":0}', 'gone', 12.5);
