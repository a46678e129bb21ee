/** The rights that a call asks for before it sends are those that the documents grant. CONTRACT: "The shared journal". */
import Client from 'pg/lib/client.js';
import { expect, test } from 'vitest';
import { MISSING_PRIVILEGE, SCHEMA } from '../../../src/journal/postgresql/schema.js';
import { DATABASE, PROGRAMS, sharedServer } from '../../support/postgresql.js';

/** The rights of senders, as REVOKE and GRANT name them. */
const GRANTED = `SELECT format('%s ON %s', privilege_type, c.oid::regclass)
  FROM pg_class c, aclexplode(c.relacl) a WHERE a.grantee = 'gigwork_senders'::regrole AND c.relnamespace = $1::regnamespace
  UNION ALL SELECT format('%s (%I) ON %s', privilege_type, attname, c.oid::regclass)
  FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
  WHERE a.grantee = 'gigwork_senders'::regrole AND c.relnamespace = $1::regnamespace`;

test.skipIf(PROGRAMS === null)(
  'each right of grants.sql is missed when it is taken away, and no other is asked for',
  async () => {
    const { port, say, runScript } = await sharedServer();
    const schema = `rights_${process.pid}`;
    say(`CREATE SCHEMA ${schema}; SET search_path = ${schema}; ${SCHEMA}`);
    runScript('docs/operations/grants.sql', [`schema=${schema}`]);
    const boss = new Client({ port, host: '127.0.0.1', user: 'postgres', database: DATABASE, ssl: false });
    await boss.connect();
    const rows = async (text: string, values?: string[]): Promise<string[]> =>
      (await boss.query<string[]>({ text, rowMode: 'array', ...(values && { values }) })).rows.map(
        ([cell = '']) => cell,
      );
    await rows(`SET search_path = ${schema}`);
    const granted = await rows(GRANTED, [schema]);
    const lacking = async (): Promise<string[]> => {
      await rows('SET ROLE gigwork_senders');
      const found = await rows(MISSING_PRIVILEGE);
      await rows('RESET ROLE');
      return found;
    };
    expect(await lacking()).toEqual([]);
    expect(granted.length).toBeGreaterThan(60);
    for (const right of granted) {
      await rows(`REVOKE ${right} FROM gigwork_senders`);
      const [, may, column, table] = /^(\w+)(?: \((\w+)\))? ON (\w+)$/.exec(right) ?? [];
      expect(await lacking(), right).toEqual([`${may} on ${table}${column === undefined ? '' : `.${column}`}`]);
      await rows(`GRANT ${right} TO gigwork_senders`);
    }
    await boss.end();
  },
);
