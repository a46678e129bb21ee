// npm run campaign:shared -- --seed N --faults N
// Vitest's own loader reads the TypeScript, which Node 20 does not.
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, faults: { type: 'string', default: '1000' } },
});
const loader = await createViteServer({
  configFile: false,
  root: fileURLToPath(new URL('../../../', import.meta.url)),
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  appType: 'custom',
  logLevel: 'error',
});
const { campaign } = await loader.ssrLoadModule('/test/faults/shared/campaign.ts');
const print = (line) => process.stdout.write(`${line}\n`);
const kept = await campaign({ seed: Number(values.seed), faults: Number(values.faults), print });
await loader.close();
process.exitCode = kept ? 0 : 1;
