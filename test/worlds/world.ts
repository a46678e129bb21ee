/** A world from its seed alone: a few calls, and what the oracle has to say about them. */
import { type CampaignOptions, type Outcome, playAll } from './campaign.js';
import { closeDesk, openDesk } from './desk.js';
import { checkEnd, makePeace } from './peace.js';
import type { Past } from './running.js';
import { step } from './steps.js';

/** @param seed of the whole campaign, @param number of the world in it, from 1 */
export async function playWorld(seed: number, number: number): Promise<Outcome> {
  const desk = await openDesk(seed * 1_000_003 + number);
  const past: Past = { sent: [], last: null, files: 0 };
  const steps = 3 + desk.chance.below(8);
  try {
    for (let i = 0; i < steps && desk.problems.length === 0; i++) await step(desk, past);
    if (desk.problems.length === 0) await makePeace(desk);
    if (desk.problems.length === 0) await checkEnd(desk);
  } catch (cause) {
    desk.problems.push(`thrown: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
  }
  const { problems, log } = desk;
  await closeDesk(desk);
  return { size: past.sent.length, problems, log };
}

/** Whatever is played in them, nobody is paid twice and nobody is silently not paid. */
export function campaign(options: CampaignOptions): Promise<boolean> {
  return playAll('worlds', options, playWorld);
}
