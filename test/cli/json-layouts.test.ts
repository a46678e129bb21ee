/** JSON that is not one object, a list, or a record a line: one fault that names the cause and the way out. */
import { expect, test } from 'vitest';
import { issuesOf } from '../support/desk.js';
import { bodiesOf, dry } from '../support/dry.js';

const RECORDS = [1, 2].map((n) => ({ user_id: `u${n}`, amount: n, title: 'Bonus', cost_center_key: 'PP-1' }));
const PRETTY = RECORDS.map((record) => `${JSON.stringify(record, null, 2)}\n`).join('');

test.each([
  ['e.json', JSON.stringify({ data: RECORDS }), 'jq -c ".data[]" e.json > e-records.ndjson'],
  ['my e.json', JSON.stringify({ page: { items: RECORDS } }, null, 2), `jq -c ".page.items[]" 'my e.json' > `],
  ['none.json', '{"data": [], "total": 0}', 'jq -c ".data[]" none.json > none-records.ndjson'],
  ['tagged.json', JSON.stringify({ tags: [], data: RECORDS }), 'jq -c ".data[]" tagged.json > '],
  ['p.json', PRETTY, 'jq -c "." p.json > p-records.ndjson'],
  ['p.ndjson', PRETTY, 'jq -c "." p.ndjson > p-records.ndjson'],
])('%s is a fault of the file', async (name, text, command) => {
  const found = await dry({ [name]: text }, '--skip-invalid');
  expect(found.code).toBe(3);
  expect(issuesOf(found)).toMatchObject([{ code: 'bad-json', file: name, message: expect.stringContaining(command) }]);
});

test('what the words advise by hand is read', async () => {
  const list = `[\n${PRETTY.replace('}\n{', '},\n{')}]`;
  const { code, events } = await dry({ 'l.ndjson': list }, '--format', 'json');
  expect([code, bodiesOf(events, 'l.ndjson')]).toMatchObject([0, RECORDS]);
});
