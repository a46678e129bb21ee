// @ts-check
// The SQLite driver. It calls a listener before each statement, so that crash-entry.js can kill between any two.
import { DatabaseSync as RealDatabase } from '@photostructure/sqlite';

let tell = () => {};

/** @param {() => void} listener */
export function onStatement(listener) {
  tell = listener;
}

export class DatabaseSync extends RealDatabase {
  /** @override @param {string} sql */
  exec(sql) {
    tell();
    super.exec(sql);
  }

  /** @override @param {string} sql */
  prepare(sql) {
    const statement = super.prepare(sql);
    for (const name of /** @type {const} */ (['run', 'get', 'all'])) {
      /** @type {Function} */
      const method = statement[name];
      /** @param {unknown[]} values */
      const told = (...values) => {
        tell();
        return method.apply(statement, values);
      };
      Object.defineProperty(statement, name, { value: told });
    }
    return statement;
  }

  /** @override */
  close() {
    tell();
    super.close();
  }
}
