// npm run months -- --seed N --worlds N       (and --only N to repeat one of them)
import { parseArgs } from 'node:util';
import { loadModule } from '../../support/load.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '100' },
    only: { type: 'string' },
  },
});
const {
  module: { campaign },
  close,
} = await loadModule('/test/worlds/months/year.ts');
const held = await campaign({
  seed: Number(values.seed),
  worlds: Number(values.worlds),
  only: values.only === undefined ? null : Number(values.only),
  print: (line) => process.stdout.write(`${line}\n`),
});
await close();
process.exitCode = held ? 0 : 1;
