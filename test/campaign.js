// The long campaigns: `npm run NAME -- --seed N --HOW_MUCH N`, and where one is repeated alone, `--only N`.
import { parseArgs } from 'node:util';
import { loadModule } from './support/load.js';

/** Of each campaign: its module, the flag that says how much of it is played, and how much that is by default. */
const CAMPAIGNS = {
  campaign: ['/test/faults/campaign/campaign.ts', 'rounds', '20'],
  'campaign:shared': ['/test/faults/shared/campaign.ts', 'faults', '1000'],
  fuzz: ['/test/fuzz/campaign.ts', 'inputs', '100000'],
  months: ['/test/worlds/months/year.ts', 'worlds', '100'],
  worlds: ['/test/worlds/world.ts', 'worlds', '100'],
};

const [name, ...args] = process.argv.slice(2);
const [path, much, most] = CAMPAIGNS[name];
const number = (initial) => ({ type: 'string', ...(initial && { default: initial }) });
const { values } = parseArgs({ args, options: { seed: number('1'), [much]: number(most), only: number() } });
const { module, close } = await loadModule(path);
const held = await module.campaign({
  seed: Number(values.seed),
  [much]: Number(values[much]),
  only: values.only === undefined ? null : Number(values.only),
  print: (line) => process.stdout.write(`${line}\n`),
});
await close();
process.exitCode = held ? 0 : 1;
