INSERT INTO hosted_parts (generation_id, n, kind, state, hash, characters, quoted, credits, credits_left, url, format, file, sha256, created_at, updated_at, idempotency_key, account, request) VALUES
    ('019a1300-0000-7000-8000-000000000001', 3, 'text', 'lost', 'a3', 5, 10, NULL, NULL, '', '', '', '', 1790110000000, 1790110000001, 'key-1', 'account-1', '{"text":"hier."}');
