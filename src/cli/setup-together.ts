/** Setup with a person at a terminal. */
import { chooseColor } from '../config/color.js';
import { EXIT } from '../errors.js';
import { startSurvey } from '../input/setup/survey.js';
import { SIGNAL_EXIT, type StopSignal, type World } from '../world.js';
import { profileName, type SetupCall, surveyOptions } from './setup-call.js';
import { askAll } from './setup-dialog.js';
import { finish, profileIn, type Say, unusable } from './setup-finish.js';
import { askName } from './setup-name.js';
import { openPrompts, Stopped } from './setup-prompts.js';
import { rehearse } from './setup-rehearse.js';

/** Asks what the file does not prove, and gives the exit code. @throws FileFault, UsageError */
export async function setUpTogether(call: SetupCall, say: Say, world: World): Promise<number> {
  const stop = new AbortController();
  let signalled: StopSignal | null = null;
  world.onStopSignal((signal) => {
    signalled ??= signal;
    stop.abort();
  });
  const color = chooseColor({ flags: call.flags, env: world.env }, world).value;
  const prompts = openPrompts(world, color, stop.signal);
  try {
    const known = await askAll(call.answers, startSurvey(surveyOptions(call, world)), prompts);
    const { kind } = known;
    const profile = profileIn(call, known, world);
    const offered = profileName(call, kind);
    const named = call.flags.print
      ? { name: offered, profile }
      : await askName(call.flags.profile, offered, profile, call.place, prompts);
    const tried = await rehearse(call, kind, named.name, profile, world);
    if (tried.summary === null) return tried.exitCode;
    if (!tried.isUsable) return unusable(say);
    if (!call.flags.print && !(await prompts.yes(`Write the profile ${named.name} into ${call.place.path}?`)))
      throw new Stopped();
    return await finish(call, kind, named, tried, say, world);
  } catch (cause) {
    if (!(cause instanceof Stopped)) throw cause;
    say('Stopped: nothing was written.');
    return cause.isInterrupt ? SIGNAL_EXIT[signalled ?? 'SIGINT'] : EXIT.usage;
  }
}
