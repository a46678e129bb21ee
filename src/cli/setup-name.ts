/** What the profile is called, and what becomes of another one of that name. */
import type { ConfigPlace, Profile } from '../config/profile-settings.js';
import { readableName } from '../config/values.js';
import { UsageError } from '../errors.js';
import { isOther } from './setup-profile.js';
import { type Choice, type Prompts, Stopped } from './setup-prompts.js';

/**
 * @param given the name that the command line gives; undefined to ask
 * @param offered the name that is offered first
 * @throws Stopped
 */
export async function askName(
  given: string | undefined,
  offered: string,
  profile: Profile,
  place: ConfigPlace,
  prompts: Prompts,
): Promise<string> {
  let name = given ?? (await typeName(offered, prompts));
  for (;;) {
    if (!isOther(place, name, profile)) return name;
    const choices: Choice<'name' | 'replace' | 'stop'>[] = [
      { value: 'name', label: 'take another name' },
      { value: 'replace', label: 'replace it', hint: 'all that it says of files; an address and the like stay' },
      { value: 'stop', label: 'stop, nothing is written' },
    ];
    const answer = await prompts.choose(`There is another profile "${name}" in ${place.path}.`, choices, 'name');
    if (answer === 'stop') throw new Stopped();
    if (answer === 'replace') return name;
    name = await typeName(`${name}-2`, prompts);
  }
}

function typeName(offered: string, prompts: Prompts): Promise<string> {
  return prompts.type('What is the profile to be called?', offered, (text) => {
    try {
      readableName('A profile', text);
      return null;
    } catch (cause) {
      if (cause instanceof UsageError) return cause.message;
      throw cause;
    }
  });
}
