/**
 * Loads a module of the tests outside of vitest, for the long campaigns: vitest's own loader reads the TypeScript, which
 * Node 20 does not.
 */
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

/** @param path from the root of the project, such as `/test/worlds/world.ts`. `close` ends the loader. */
export async function loadModule(path) {
  const loader = await createViteServer({
    configFile: false,
    root: fileURLToPath(new URL('../../', import.meta.url)),
    server: { middlewareMode: true, watch: null, hmr: false, ws: false },
    appType: 'custom',
    logLevel: 'error',
  });
  return { module: await loader.ssrLoadModule(path), close: () => loader.close() };
}
