// npm run campaign -- --seed N --rounds N
import { parseArgs } from 'node:util';
import { loadModule } from '../../support/load.js';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, rounds: { type: 'string', default: '20' } },
});
const {
  module: { campaign },
  close,
} = await loadModule('/test/faults/campaign/campaign.ts');
const print = (line) => process.stdout.write(`${line}\n`);
const kept = await campaign({ seed: Number(values.seed), rounds: Number(values.rounds), print });
await close();
process.exitCode = kept ? 0 : 1;
