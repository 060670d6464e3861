INSERT INTO accounts (id, subject, email, plan, plan_expires, plan_number, disabled, created_at) VALUES
    (1, 'anna', 'Änna@example.com', 'pro', 1790000060000, 3, 0, 1789000000001),
    (2, NULL, '', 'free', 0, 1, 0, 1789000000002), -- deleted
    (3, 'bob|x', '', 'max', 1, 2, 1, 1789000000003);
INSERT INTO accounts (id, subject, email, plan, created_at, email_unverified, access_groups, invited, changed_by, changed_at) VALUES
    (10, 'dora', 'dora@new.example', 'free', 1789000001001, 1, '["team","Größe"]', 'taken', 'olga', 1789000001002),
    (11, NULL, 'emil@example.com', 'pro', 1789000001003, 0, '', 'emil@example.com', 'olga', 1789000001004);
INSERT INTO keys (hash, number, id, account, prefix, name, created_at, last_used_at, revoked_at, revoked_by) VALUES
    ('\x0101010101010101010101010101010101010101010101010101010101010101', 1, 'key-1', 1, 'svc_sk_abcde', 'Ännas Gerät', 1789000000011, 1789999999999, 0, ''),
    ('\x0202020202020202020202020202020202020202020202020202020202020202', 2, 'key-2', 1, 'svc_sk_fghij', '', 1789000000012, 0, 1789000000999, ''),
    ('\x0303030303030303030303030303030303030303030303030303030303030303', 3, 'key-3', 10, 'svc_sk_klmno', 'phone', 1789000001011, 0, 1789000001012, 'olga');
INSERT INTO favourites (id, account, voice, at) VALUES (7, 1, 'voice-one', 1789000000021), (8, 3, 'voice-zwei', 1789000000022);
INSERT INTO rate_calls (account, at, number) VALUES (1, 1789999999000001, 1), (1, 1789999999000001, 2);
INSERT INTO calls (seq, id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits, plan_number, at,
    title, voice, seconds) VALUES
    (1, 'charged', 1, 'gone', 'charged', 'synthesize', 'ProviderC', 'providerC-neural2', 5, 40, 2, 3, 1789000000101, 'Schöne Grüße 📚', 'voice-one', 1.25),
    (2, 'refunded', 1, 'gone', 'refunded', 'dialogue', 'ProviderA', 'providerA-v3', 9, 11, 0, 3, 1789000000102, '', '', 0),
    (3, 'held', 1, 'gone', 'held', 'dialogue', 'ProviderA', 'providerA-v3', 7, 13, 0, 3, 1789000000103, '', '', 0),
    (5, 'of who left', 2, 'gone', 'charged', 'synthesize', 'ProviderC', 'providerC-neural2', 3, 1, 0, 1, 1789000000104, '', '', 0.5),
    (30, 'with a key', 1, 'gone', 'charged', 'synthesize', 'ProviderC', 'providerC-neural2', 4, 8, 0, 3, 1789000002101, 'Once', 'voice-one', 2);
INSERT INTO instances (id, beat, since) VALUES ('gone', 1789000000200, 0), ('since', 1789000003200, 1789000003100);
INSERT INTO ledger (id, at, account, call, reason, plan, payg, held, granted, spent, expired, actor, note) VALUES
    (1, 1789000000301, 1, NULL, 'plan', 1000, 0, 0, -1000, 0, 0, '', ''), (2, 1789000000302, 1, NULL, 'payg', 0, 77, 0, -77, 0, 0, '', ''),
    (3, 1789000000303, 1, 1, 'reserve', -40, -2, 42, 0, 0, 0, '', ''), (4, 1789000000304, 1, 1, 'charge', 0, 0, -42, 0, 42, 0, '', ''),
    (5, 1789000000305, 1, 2, 'reserve', -11, 0, 11, 0, 0, 0, '', ''), (6, 1789000000306, 1, 2, 'refund', 11, 0, -11, 0, 0, 0, '', ''),
    (7, 1789000000307, 1, 3, 'reserve', -13, 0, 13, 0, 0, 0, '', ''), (8, 1789000000308, 2, NULL, 'baseline', 6, 0, 0, -6, 0, 0, '', ''),
    (9, 1789000000309, 2, 5, 'reserve', -1, 0, 1, 0, 0, 0, '', ''), (10, 1789000000310, 2, 5, 'charge', 0, 0, -1, 0, 1, 0, '', ''),
    (11, 1789000000311, 2, NULL, 'delete', -5, 0, 0, 0, 0, 5, '', ''),
    (12, 1789000000312, 3, NULL, 'payg', 0, 9007199254740993, 0, -9007199254740993, 0, 0, '', ''),
    (20, 1789000001301, 11, NULL, 'payg', 0, 500, 0, -500, 0, 0, 'olga', 'Rechnung "17"'),
    (30, 1789000002301, 1, 30, 'reserve', -8, 0, 8, 0, 0, 0, '', ''), (31, 1789000002302, 1, 30, 'charge', 0, 0, -8, 0, 8, 0, '', '');
INSERT INTO files (call, name, format, bytes, created_at, expires_at, removed) VALUES
    (1, 'charged.mp3', 'mp3_44100_128', 1000, 1789000000401, 1792000000000, 0), (5, 'left.mp3', 'mp3_44100_128', 10, 1789000000402, 1789000000403, 1),
    (30, 'once.mp3', 'mp3_44100_128', 2000, 1789000002401, 1792000000000, 0);
INSERT INTO idempotency_keys (account, hash, request, call, credits_left, answered_at) VALUES
    (1, '\x0909090909090909090909090909090909090909090909090909090909090909',
        '\x0808080808080808080808080808080808080808080808080808080808080808', 30, 1003, 1789000002500);
-- The rows above brought their numbers along.
SELECT setval(pg_get_serial_sequence(t, c), 100) FROM (VALUES
    ('accounts', 'id'), ('keys', 'number'), ('favourites', 'id'), ('calls', 'seq'), ('ledger', 'id')) AS numbered (t, c);
