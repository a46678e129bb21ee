/** Faults by chance. CONTRACT: "The shared journal". */
import { describe, expect, it } from 'vitest';
import { PROGRAMS, startServer } from '../../support/postgresql.js';
import { playRound } from './table.js';

// One round of the campaign. All of it: npm run campaign:shared
describe.skipIf(PROGRAMS === null)('faults by chance, done to several processes', () => {
  it('gigs at most once, payments once', { timeout: 400_000 }, async () => {
    const server = await startServer();
    const { problems } = await playRound({ seed: 41, server, faults: 6 });
    expect(problems).toEqual([]);
    await server.end();
  });
});
