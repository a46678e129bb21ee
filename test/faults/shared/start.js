// npm run campaign:shared -- --seed N --faults N
import { parseArgs } from 'node:util';
import { loadModule } from '../../support/load.js';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, faults: { type: 'string', default: '1000' } },
});
const {
  module: { campaign },
  close,
} = await loadModule('/test/faults/shared/campaign.ts');
const print = (line) => process.stdout.write(`${line}\n`);
const kept = await campaign({ seed: Number(values.seed), faults: Number(values.faults), print });
await close();
process.exitCode = kept ? 0 : 1;
