/** Approval files in tests, as another person's machine would have written them. */
import { createHash } from 'node:crypto';
import type { Workspace } from './cli.js';

// oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
type Json = any;

export function approvalIn(work: Workspace, name: string): Json {
  return JSON.parse(work.read(name));
}

/** Writes a copy of an approval in which something is otherwise, with the checksum that belongs to it. */
export function rewritten(work: Workspace, name: string, change: object, copy = name): string {
  const { checksum: _old, ...document } = { ...approvalIn(work, name), ...change };
  const checksum = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  work.file(copy, `${JSON.stringify({ ...document, checksum }, null, 2)}\n`);
  return copy;
}

/** Nobody who runs tests has this name. */
export const OTHER = { user: 'auditor-of-the-tests', host: 'desk-2' };

/** A copy that another person has given. */
export function byAnother(work: Workspace, name: string, copy = `other-${name}`): string {
  return rewritten(work, name, { by: OTHER }, copy);
}
