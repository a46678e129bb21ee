/** This checkout beside another one that is built: the same calls in turn, in processor time. */
import { join } from 'node:path';
import { writePayouts } from './inputs.js';
import { startDatabase } from './journals.js';
import { CLI, gigwork, inTurn, median, serve } from './measure.js';
import { file, freshState, target } from './scratch.js';

/** @param other folder of the other checkout; without one, nothing is measured */
export async function beside({ full, other }) {
  if (other === null) return [];
  const rows = full ? 100_000 : 20_000;
  const path = await writePayouts(file('beside.csv'), 'csv', rows);
  const five = await writePayouts(file('beside-five.csv'), 'csv', 5);
  const server = await serve('lean-server.js');
  const dry = (input) => () => ['batch', 'import', input, '--dry-run'];
  const sent = (input) => () => ['batch', 'import', input, ...target(server), '--quiet'];
  const asked = [
    { name: `dry run of ${rows}`, args: dry(path), repetitions: 7, isAgain: false },
    { name: `import of ${rows}`, args: sent(path), repetitions: 5, isAgain: false },
    { name: `second run of ${rows}`, args: sent(path), repetitions: 7, isAgain: true },
    { name: 'dry run of five rows', args: dry(five), repetitions: 21, isAgain: false },
    { name: 'import of five rows', args: sent(five), repetitions: 21, isAgain: false },
    { name: '--version', args: () => ['--version'], repetitions: 21, isAgain: false },
    { name: 'payout create --help', args: () => ['payout', 'create', '--help'], repetitions: 21, isAgain: false },
  ];
  const answers = [];
  const programs = [CLI, join(other, 'bin/gigwork.js')];
  for (const each of asked) answers.push(await compared(each, programs, freshState));
  const database = await startDatabase();
  if (database !== null) {
    const each = { name: `import of ${rows} on a shared journal`, args: sent(path), repetitions: 3, isAgain: false };
    answers.push(await compared(each, programs, database.fresh));
    await database.end();
  }
  server.stop();
  return answers;
}

/**
 * @param isAgain each call after the first finds what the first one has done
 * @param journal environment of a call on a journal that nobody has used
 */
async function compared({ name, args, repetitions, isAgain }, programs, journal) {
  const calls = programs.map((cli) => {
    const kept = journal();
    return { first: () => gigwork(args(), kept, cli), call: () => gigwork(args(), isAgain ? kept : journal(), cli) };
  });
  for (const { first } of calls) await first();
  const [ours, theirs] = await inTurn(
    repetitions,
    calls.map(({ call }) => call),
  );
  const ratio = (figure, of) => of(ours.map(figure)) / of(theirs.map(figure));
  const least = (values) => Math.min(...values);
  return {
    question: `${name} ÷ the other, processor time`,
    ratio: ratio(({ cpu }) => cpu, median),
    first: '1.0',
    goal: '1.0',
    detail: `least ${ratio(({ cpu }) => cpu, least).toFixed(2)}; wall time ${ratio(({ ms }) => ms, median).toFixed(2)}`,
  };
}
