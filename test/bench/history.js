/** What an import costs beside a long history, as a ratio to the same import in an empty journal. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { writePayouts } from './inputs.js';
import { gigwork, inTurn, median, serve } from './measure.js';
import { file, freshState, target } from './scratch.js';

const ROWS = 20_000;
/** Payouts of one import of the history, and the number of its first, which no measured import has. */
const [A_YEAR, OTHERS] = [200_000, 5_000_000];

const bytesIn = ({ GIGWORK_STATE_DIR }) => statSync(join(GIGWORK_STATE_DIR, 'journal.db')).size;

/**
 * The state directory of a journal with so many payments; it grows by one import a repetition, a twentieth at most.
 * Processor time is what is compared: how long the disk takes says more of the machine.
 */
async function filled(payments, server) {
  const state = freshState();
  for (let from = 0; from < payments; from += A_YEAR) {
    const path = await writePayouts(file('year.csv'), 'csv', A_YEAR, OTHERS + from);
    await gigwork(['batch', 'import', path, ...target(server), '--quiet'], state);
  }
  return state;
}

/** Each repetition imports other rows, the same into each journal. */
export async function history({ full }) {
  const sizes = full ? [400_000, 2_000_000] : [400_000];
  const repetitions = full ? 5 : 3;
  const paths = [];
  for (let i = 0; i <= repetitions; i++)
    paths.push(await writePayouts(file(`history-${i}.csv`), 'csv', ROWS, i * ROWS));
  const server = await serve('lean-server.js');
  const states = [];
  for (const size of sizes) states.push(await filled(size, server));
  const imported = (path, state) => gigwork(['batch', 'import', path, ...target(server), '--quiet'], state);
  // The first import finds nothing of the file in the system's memory: it is not counted.
  for (const state of states) await imported(paths[repetitions], state);
  let empty;
  const [alone, ...beside] = await inTurn(repetitions, [
    (i) => imported(paths[i], (empty = freshState())),
    ...states.map((state) => (i) => imported(paths[i], state)),
  ]);
  server.stop();
  const ratio = (results, figure) => median(results.map(figure)) / median(alone.map(figure));
  const least = (results, figure) => Math.min(...results.map(figure)) / Math.min(...alone.map(figure));
  return [
    {
      question: `journal of ${ROWS}: bytes a payment`,
      ratio: bytesIn(empty) / ROWS,
      first: '400',
      goal: '380',
      detail: '',
    },
    ...sizes.flatMap((size, at) => {
      const payments = size + (repetitions + 1) * ROWS;
      const results = beside[at];
      return [
        {
          question: `import of ${ROWS} beside ${size} ÷ in an empty journal, processor time`,
          ratio: ratio(results, ({ cpu }) => cpu),
          first: '1.15',
          goal: '1.05',
          detail: `least ${least(results, ({ cpu }) => cpu).toFixed(2)}; wall time ${ratio(results, ({ ms }) => ms).toFixed(2)}`,
        },
        {
          question: `journal of ${payments}: bytes a payment`,
          ratio: bytesIn(states[at]) / payments,
          first: '400',
          goal: '380',
          detail: '',
        },
      ];
    }),
  ];
}
