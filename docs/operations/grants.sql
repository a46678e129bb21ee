-- Rights on a shared journal of gigwork, for three groups of people:
--
--   gigwork_senders    send payments, go on with runs, settle, close and prune
--   gigwork_approvers  look at everything and approve; they cannot send: they have no right to claim a payment
--   gigwork_readers    look at everything
--
-- Whoever owns the schema runs this once after it was made, and again after an update of gigwork that says so:
--
--   psql -v ON_ERROR_STOP=1 -v schema=gigwork -f grants.sql postgresql://OWNER@HOST/DATABASE
--
-- and then puts the users of the database into the groups, each person with a user of their own:
--
--   GRANT gigwork_senders TO anna; GRANT gigwork_approvers TO bert; GRANT gigwork_readers TO controller;
--
-- Nobody who sends or approves may own the schema or be a superuser: an owner can write what it likes. A person may be in
-- several groups; nobody's own approval allows what they send.
\if :{?schema}
\else
  \set schema gigwork
\endif

SELECT format('CREATE ROLE %I NOLOGIN', name)
FROM unnest(ARRAY['gigwork_senders', 'gigwork_approvers', 'gigwork_readers']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec

BEGIN;
SET LOCAL search_path = :"schema";

REVOKE ALL ON SCHEMA :"schema" FROM PUBLIC, gigwork_senders, gigwork_approvers, gigwork_readers;
REVOKE ALL ON ALL TABLES IN SCHEMA :"schema" FROM PUBLIC, gigwork_senders, gigwork_approvers, gigwork_readers;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA :"schema" FROM PUBLIC, gigwork_senders, gigwork_approvers, gigwork_readers;

GRANT USAGE ON SCHEMA :"schema" TO gigwork_senders, gigwork_approvers, gigwork_readers;
GRANT SELECT ON ALL TABLES IN SCHEMA :"schema" TO gigwork_senders, gigwork_approvers, gigwork_readers;
GRANT SELECT ON SEQUENCE claim_number TO gigwork_senders, gigwork_approvers, gigwork_readers;

GRANT USAGE ON SEQUENCE claim_number TO gigwork_senders;
GRANT INSERT, UPDATE ON target, outcome TO gigwork_senders;
GRANT INSERT, UPDATE, DELETE ON run, payment, by_key, invalid_record TO gigwork_senders;
GRANT INSERT, DELETE ON file, span, by_payee, claim, delivery, late, written_file TO gigwork_senders;
GRANT INSERT, UPDATE, DELETE ON progress TO gigwork_senders;
GRANT INSERT (host, lease_until), UPDATE (lease_until), DELETE ON process TO gigwork_senders;

-- The log is only ever added to, and the database itself writes down whose event it is, and when: nobody may write
-- `user_name`, `copied_user` or `at`. An approval counts by its `digest`, which senders have no right to write. Whoever has
-- no right to write `run` can write approvals and nothing else: a condition of the table sees to that.
GRANT INSERT (what, run, payment, idx, note, facts, host, version, command_line) ON event TO gigwork_senders;
GRANT INSERT (what, digest, facts, host, version, command_line) ON event TO gigwork_approvers;
COMMIT;
