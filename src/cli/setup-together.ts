/** Setup with a person at a terminal. */
import { chooseColor } from '../config/color.js';
import { EXIT } from '../errors.js';
import { sheetsToChoose } from '../input/setup/survey-source.js';
import { startSurvey } from '../input/setup/survey.js';
import { SIGNAL_EXIT, type StopSignal, type World } from '../world.js';
import { profileName, type SetupCall, surveyOptions } from './setup-call.js';
import { askAll } from './setup-dialog.js';
import { finish, profileIn, type Say, unusable } from './setup-finish.js';
import { askName } from './setup-name.js';
import { openPrompts, type Prompts, Stopped } from './setup-prompts.js';
import { rehearse } from './setup-rehearse.js';

/** Asks what the file does not prove, and gives the exit code. @throws FileFault, UsageError */
export async function setUpTogether(first: SetupCall, say: Say, world: World): Promise<number> {
  const stop = new AbortController();
  let signalled: StopSignal | null = null;
  world.onStopSignal((signal) => {
    signalled ??= signal;
    stop.abort();
  });
  const color = chooseColor({ flags: first.flags, env: world.env }, world).value;
  const prompts = openPrompts(world, color, stop.signal);
  try {
    const call = await withSheet(first, prompts, world);
    const known = await askAll(call.answers, startSurvey(surveyOptions(call, world)), prompts);
    const { kind } = known;
    const profile = profileIn(call, known, world);
    const offered = profileName(call, kind);
    const name = call.flags.print ? offered : await askName(call.flags.profile, offered, profile, call.place, prompts);
    const tried = await rehearse(call, kind, name, profile, world);
    if (tried.summary === null) return tried.exitCode;
    if (!tried.isUsable) return unusable(say);
    if (!call.flags.print && !(await prompts.yes(`Write the profile ${name} into ${call.place.path}?`)))
      throw new Stopped();
    return await finish(call, known, { name, profile }, tried, say, world);
  } catch (cause) {
    if (!(cause instanceof Stopped)) throw cause;
    say('Stopped: nothing was written.');
    return cause.isInterrupt ? SIGNAL_EXIT[signalled ?? 'SIGINT'] : EXIT.usage;
  }
}

/** Asks which sheet is meant, where a workbook has several. */
async function withSheet(call: SetupCall, prompts: Prompts, world: World): Promise<SetupCall> {
  const { path, rules, from } = surveyOptions(call, world);
  const names = await sheetsToChoose(path, rules, from);
  if (names.length === 0) return call;
  const choices = names.map((name) => ({ value: name, label: name }));
  const sheet = await prompts.choose('Which sheet has the table?', choices, names[0] ?? '');
  return { ...call, flags: { ...call.flags, sheet }, rules: { ...rules, sheet } };
}
