/** The journals that the bench compares: the embedded one in a fresh folder, and a schema of a server of PostgreSQL's. */
import { loadModule } from '../support/load.js';
import { freshState } from './scratch.js';

let schemas = 0;

/** Null where PostgreSQL is not installed. Its data is on the disk, as the embedded journal's is. */
export async function startDatabase() {
  const { module, close } = await loadModule('/test/support/postgresql.ts');
  const { PROGRAMS, startServer, USER } = module;
  if (PROGRAMS === null) {
    await close();
    return null;
  }
  // What a server of today has for a history of millions.
  const settings = ['shared_buffers=512MB', 'max_wal_size=4GB', 'checkpoint_timeout=30min'];
  const server = await startServer({ settings, onDisk: true });
  return {
    /** Environment of a call on a new schema. */
    fresh: () => ({ ...freshState(), GIGWORK_JOURNAL: `${server.url(USER)}?schema=bench_${++schemas}` }),
    end: async () => {
      await server.end();
      await close();
    },
  };
}
