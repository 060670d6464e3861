INSERT INTO calls (seq, id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits, plan_number, at,
    title, voice, seconds) VALUES
    (30, 'with a key', 1, 'gone', 'charged', 'synthesize', 'ProviderC', 'providerC-neural2', 4, 8, 0, 3, 1789000002101, 'Once', 'voice-one', 2);
INSERT INTO ledger (id, at, account, call, reason, plan, payg, held, granted, spent, expired) VALUES
    (30, 1789000002301, 1, 30, 'reserve', -8, 0, 8, 0, 0, 0), (31, 1789000002302, 1, 30, 'charge', 0, 0, -8, 0, 8, 0);
INSERT INTO files (call, name, format, bytes, created_at, expires_at) VALUES
    (30, 'once.mp3', 'mp3_44100_128', 2000, 1789000002401, 1792000000000);
INSERT INTO idempotency_keys (account, hash, request, call, credits_left, answered_at) VALUES
    (1, x'0909090909090909090909090909090909090909090909090909090909090909',
        x'0808080808080808080808080808080808080808080808080808080808080808', 30, 1003, 1789000002500);
