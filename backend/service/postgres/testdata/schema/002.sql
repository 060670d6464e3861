INSERT INTO accounts (id, subject, email, plan, plan_expires, created_at, plan_days, renews_until) VALUES
    (40, 'fritz', 'fritz@example.com', 'pro', 1790000060000, 1789000004001, 365, 1900000000000);
