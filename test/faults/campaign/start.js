// npm run campaign -- --seed N --rounds N
// Vitest's own loader reads the TypeScript, which Node 20 does not.
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, rounds: { type: 'string', default: '20' } },
});
const loader = await createViteServer({
  configFile: false,
  root: fileURLToPath(new URL('../../../', import.meta.url)),
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  appType: 'custom',
  logLevel: 'error',
});
const { campaign } = await loader.ssrLoadModule('/test/faults/campaign/campaign.ts');
const print = (line) => process.stdout.write(`${line}\n`);
const kept = await campaign({ seed: Number(values.seed), rounds: Number(values.rounds), print });
await loader.close();
process.exitCode = kept ? 0 : 1;
