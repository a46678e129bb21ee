/** The shared journal next to the embedded one: the same calls in turn, each on a journal that nobody has used. */
import { writePayouts } from './inputs.js';
import { startDatabase } from './journals.js';
import { gigwork, inTurn, median, serve } from './measure.js';
import { file, freshState, target } from './scratch.js';

export async function shared({ full }) {
  const database = await startDatabase();
  if (database === null) return [{ ...row('the shared journal', Number.NaN), detail: 'PostgreSQL is not installed' }];
  const rows = full ? 50_000 : 20_000;
  const path = await writePayouts(file('shared.csv'), 'csv', rows);
  const server = await serve('lean-server.js');
  const imported = (env) => gigwork(['batch', 'import', path, ...target(server), '--quiet'], env);
  const journals = [database.fresh, freshState];
  const first = await inTurn(
    3,
    journals.map((fresh) => () => imported(fresh())),
  );
  const kept = journals.map((fresh) => fresh());
  for (const journal of kept) await imported(journal);
  const again = await inTurn(
    3,
    kept.map((journal) => () => imported(journal)),
  );
  server.stop();
  await database.end();
  const ratio = ([ours, peer], figure) => median(ours.map(figure)) / median(peer.map(figure));
  const wall = ({ ms }) => ms;
  const processor = ({ cpu }) => cpu;
  return [
    row(`import of ${rows}, shared ÷ embedded, wall time`, ratio(first, wall), ['2', '1.5']),
    row('the same, processor time', ratio(first, processor)),
    row(`second run of ${rows}, shared ÷ embedded, wall time`, ratio(again, wall), ['3', '2']),
    row('the same, processor time', ratio(again, processor)),
  ];
}

const row = (question, ratio, [first, goal] = ['', '']) => ({ question, ratio, first, goal, detail: '' });
