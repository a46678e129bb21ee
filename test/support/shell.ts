/** Runs scripts as a shell does for a person, in a workspace, with `gigwork` on the PATH. */
import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { ROOT } from './documents.js';
import type { Workspace } from './cli.js';

export interface ShellResult {
  readonly code: number | null;
  /** Both streams, as a terminal shows them. */
  readonly output: string;
}

export type Shell = (script: string, env?: Readonly<Record<string, string>>) => Promise<ShellResult>;

const TIMEOUT_MS = 150_000;

/** @param until ends the script with SIGTERM once its output holds this text */
export function shellIn(space: Workspace, until?: string): Shell {
  const program = space.file('bin/gigwork', `#!/bin/sh\nexec '${process.execPath}' '${ROOT}bin/gigwork.js' "$@"\n`);
  chmodSync(program, 0o755);
  const own = {
    PATH: `${space.path('bin')}:${process.env['PATH'] ?? ''}`,
    HOME: space.path('home'),
    XDG_CONFIG_HOME: space.path('config'),
    GIGWORK_STATE_DIR: space.stateDir,
  };
  return (script, env = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn('sh', ['-e', '-c', `exec 2>&1\n${script}`], {
        cwd: space.dir,
        env: { ...own, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: TIMEOUT_MS,
      });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (until !== undefined && output.includes(until)) child.kill('SIGTERM');
      });
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output }));
    });
}
