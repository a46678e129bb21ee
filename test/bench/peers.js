/** The peers that the bench compares with: installed when they are needed, and no dependency of the package. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The start script of autocannon, installed into a folder of its own. */
export function autocannon() {
  const folder = join(tmpdir(), 'gigwork-bench-peers');
  const script = join(folder, 'node_modules', 'autocannon', 'autocannon.js');
  if (!existsSync(script)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', 'autocannon@8'], {
      cwd: folder,
      stdio: 'ignore',
    });
  }
  return script;
}
