// npm run months -- --seed N --worlds N       (and --only N to repeat one of them)
// Vitest's own loader reads the TypeScript, which Node 20 does not.
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '100' },
    only: { type: 'string' },
  },
});
const loader = await createViteServer({
  configFile: false,
  root: fileURLToPath(new URL('../../../', import.meta.url)),
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  appType: 'custom',
  logLevel: 'error',
});
const { campaign } = await loader.ssrLoadModule('/test/worlds/months/campaign.ts');
const held = await campaign({
  seed: Number(values.seed),
  worlds: Number(values.worlds),
  only: values.only === undefined ? null : Number(values.only),
  print: (line) => process.stdout.write(`${line}\n`),
});
await loader.close();
process.exitCode = held ? 0 : 1;
