// @ts-check
// SQLite as it is, with its statements counted. With --kill-at=N, the process is killed before the N-th of them.
import { DatabaseSync as Database } from '@photostructure/sqlite';

const killAt = Number(/^--kill-at=(\d+)$/.exec(process.argv[2] ?? '')?.[1] ?? 0);
let count = 0;

export function statementsSoFar() {
  return count;
}

function counted() {
  if (++count === killAt) process.kill(process.pid, 'SIGKILL');
}

export class DatabaseSync extends Database {
  /** @override @param {string} sql */
  exec(sql) {
    counted();
    super.exec(sql);
  }

  /** @override @param {string} sql @returns {any} */
  prepare(sql) {
    const statement = super.prepare(sql);
    /** @param {'get' | 'all' | 'run'} name */
    const call =
      (name) =>
      (/** @type {any[]} */ ...values) => {
        counted();
        return statement[name](...values);
      };
    const setReturnArrays = (/** @type {boolean} */ on) => statement.setReturnArrays(on);
    return { get: call('get'), all: call('all'), run: call('run'), setReturnArrays };
  }
}
