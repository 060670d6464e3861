INSERT INTO accounts (id, subject, email, plan, created_at, email_unverified, access_groups, invited, changed_by, changed_at) VALUES
    (10, 'dora', 'dora@new.example', 'free', 1789000001001, 1, '["team","Größe"]', 'dora@old.example', 'olga', 1789000001002),
    (11, NULL, 'emil@example.com', 'pro', 1789000001003, 0, '', 'emil@example.com', 'olga', 1789000001004);
INSERT INTO keys (hash, id, account, prefix, name, created_at, revoked_at, revoked_by) VALUES
    (x'0303030303030303030303030303030303030303030303030303030303030303', 'key-3', 10, 'svc_sk_klmno', 'phone', 1789000001011, 1789000001012, 'olga');
INSERT INTO ledger (id, at, account, reason, plan, payg, held, granted, spent, expired, actor, note) VALUES
    (20, 1789000001301, 11, 'payg', 0, 500, 0, -500, 0, 0, 'olga', 'Rechnung "17"');
