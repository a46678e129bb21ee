// @ts-check
// Lets every module of a process load SQLite by way of counted-sqlite.js.

const COUNTED = new URL('counted-sqlite.js', import.meta.url).href;

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@photostructure/sqlite' && context.parentURL !== COUNTED) {
    return { url: COUNTED, shortCircuit: true };
  }
  return nextResolve(specifier, context);
}
