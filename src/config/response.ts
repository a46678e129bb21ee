/** What confirms a creation, as the settings say it. CONTRACT: "Sending". */
import type { ResponseRules } from '../options.js';
import { type Chosen, DEFAULT, type Settings } from './sources.js';

const DEFAULTS: ResponseRules = { require: [], id: 'id', empty: false };

/** Each rule is decided for itself: a profile may change one and leave the others. */
export function chosenResponse({ layers }: Settings): {
  readonly [K in keyof ResponseRules]: Chosen<ResponseRules[K]>;
} {
  const chosen = <K extends keyof ResponseRules>(name: K): Chosen<ResponseRules[K]> => {
    for (const { keys, origin } of layers) {
      const value = keys.response?.[name] as ResponseRules[K] | undefined;
      if (value !== undefined) return { value, origin };
    }
    return { value: DEFAULTS[name], origin: DEFAULT };
  };
  return { require: chosen('require'), id: chosen('id'), empty: chosen('empty') };
}

/**
 * The rules at a target.
 * @param target its name, or null. The sandbox answers in its own way, so rules for another service are not for it:
 *   every rehearsal would end in doubt
 */
export function responseRules(settings: Settings, target: string | null): ResponseRules {
  if (target === 'sandbox') return DEFAULTS;
  const { require, id, empty } = chosenResponse(settings);
  return { require: require.value, id: id.value, empty: empty.value };
}
