/** The profile of a file: its settings, its name, and its place in the config file. */
import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { configAt, profileIn } from '../config/config-file.js';
import { parseName } from '../config/parsers.js';
import { type Profile, readingKeys, withProfile } from '../config/profiles.js';
import { type ConfigKeys, NO_SETTINGS } from '../config/resolve.js';
import { resolveTarget } from '../config/target.js';
import { UsageError } from '../errors.js';
import { BYTE_ORDER_MARK } from '../input/encoding.js';
import { parseFilter } from '../input/row-filter.js';
import { systemErrorText } from '../input/source.js';
import { fieldAt, isJsonKind } from '../records/fields.js';
import type { RecordSchema } from '../records/schema.js';
import { writeFileAtomically } from '../util/atomic-file.js';
import { withFileLock } from '../util/file-lock.js';
import type { World } from '../world.js';
import type { LayoutAnalysis } from './analyze.js';
import type { Answers } from './answers.js';
import { decidedValues } from './shown-filters.js';
import { inferredValue } from './inference.js';
import { sameInAllRows } from './row-questions.js';
import { type SetupCall, WRITE_AGREED } from './setup-call.js';
import { type SetupStep, STOP, type TextPrompt } from './setup-question.js';

const LONGEST_PROFILE_NAME = 40;

/** The name that the person has given, or one from the file's name that is the same every month. */
export function profileName({ file }: SetupCall, { answers, schema }: LayoutAnalysis): string {
  if (answers.profile !== null) return answers.profile;
  const stem = basename(file, extname(file)).normalize('NFC').toLowerCase();
  const words = stem.split(/[^\p{L}\p{N}]+/u).filter((word) => /\p{L}/u.test(word) && !/^\d|\d{4}/.test(word));
  return words.join('-').slice(0, LONGEST_PROFILE_NAME) || schema.type;
}

/**
 * Contains only what the file needs, so that next month's file is checked again, and what differs from the config
 * file's settings for all files.
 */
export function buildProfile({ flags, place, world }: SetupCall, analysis: LayoutAnalysis): Profile {
  const { fields, source, answers, currency } = analysis;
  const base: Profile = place.config;
  const all = [...answers.only, ...sameInAllRows(analysis)];
  // A column in a condition is used, and need not be ignored.
  const used = all.map((written) => parseFilter('only', written).column);
  const isUnused = (name: string): boolean => !used.includes(name);
  const dropped = [...answers.ignore].filter((name) => base.ignore_columns?.includes(name) !== true && isUnused(name));
  const taken = fields.columns.filter(({ name, path }) => name !== path && base.map?.[name] !== path);
  const { sheet, encoding, delimiter } = flags;
  const profile: { readonly [K in keyof Profile]: Profile[K] | null } = {
    header_line: inferredValue(analysis.header) ?? defaultOver(base.header_line, source.usualLine),
    sheet,
    encoding,
    delimiter,
    time_zone: flags.time_zone,
    map: Object.fromEntries(taken.map(({ name, path }) => [name, path])),
    set: {
      ...setValues(answers, analysis.schema, world.cwd()),
      ...(currency.kind === 'certain' ? { currency: currency.value } : {}),
    },
    ignore_other_columns: answers.ignoreOthers || null,
    ignore_columns: answers.ignoreOthers ? dropped : [...dropped, ...fields.others.filter(isUnused)],
    only: all.filter((written) => ![base.only].flat().includes(written)),
    known_values: decidedValues(analysis),
    pad_short_rows: answers.padShortRows && base.pad_short_rows !== true ? true : null,
    trim: answers.trim === true ? true : defaultOver(base.trim, false),
    known_sheets: analysis.knownSheets,
    negate: answers.negate === true ? true : defaultOver(base.negate, false),
    decimal: inferredValue(analysis.decimal) ?? defaultOver(base.decimal, 'point'),
    date_format: inferredValue(analysis.dateOrder) ?? defaultOver(base.date_format, 'ymd'),
    currency_signs: analysis.hasSigns || flags.currency_signs === true ? true : null,
  };
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => !isUnset(value)));
}

/** The program's default, if the config file sets another value for all files. */
function defaultOver<T>(base: T | undefined, usual: T): T | null {
  return base === undefined || base === usual ? null : usual;
}

function isUnset(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Files with values get their full path: relative paths in a config file start from its folder. */
function setValues({ set }: Answers, schema: RecordSchema, cwd: string): Record<string, unknown> {
  return Object.fromEntries(
    [...set].map(([path, value]) => {
      const field = fieldAt(schema.fields, path);
      const isFile = typeof value === 'string' && value.startsWith('@') && field !== null && isJsonKind(field.kind);
      return [path, isFile ? `@${resolve(cwd, value.slice(1))}` : value];
    }),
  );
}

/** Whether a profile of this name says other things of files, or pays through another address or account than this call. */
export function isOtherProfile(call: SetupCall, analysis: LayoutAnalysis): boolean {
  const { flags, world } = call;
  const there = profileIn(call.place.config, profileName(call, analysis));
  if (there === undefined) return false;
  const differs = (its: unknown, ours: string | undefined): boolean =>
    its !== undefined && ours !== undefined && ours !== '' && its !== ours;
  return (
    !isDeepStrictEqual(readingKeys(there), buildProfile(call, analysis)) ||
    differs(there.base_url, flags.base_url ?? world.env['GIGWORK_BASE_URL']) ||
    differs(there.account, flags.account)
  );
}

/** The profile as it is to stand in the config file: keeps settings of an existing one that do not concern files. */
export function toConfigKeys(call: SetupCall, analysis: LayoutAnalysis, profile: Profile): ConfigKeys {
  const { account } = call.flags;
  const { baseUrl } = analysis.answers;
  const there = profileIn(call.place.config, profileName(call, analysis)) ?? {};
  const reading = readingKeys(there);
  const rest = Object.entries(there).filter(([key]) => !Object.hasOwn(reading, key));
  const target = { ...(baseUrl === null ? {} : { base_url: baseUrl }), ...(account === undefined ? {} : { account }) };
  return { ...Object.fromEntries(rest), ...target, ...profile };
}

const ADDRESS_SETTLED = 'address';

/** The name of the profile, the address of the service, and whether all of it is to be written. */
export function* profileSteps(call: SetupCall, analysis: LayoutAnalysis): Iterable<SetupStep> {
  const { place, world } = call;
  const { answers } = analysis;
  const name = profileName(call, analysis);
  const namePrompt = (initial: string): TextPrompt => ({
    ask: 'Name for this profile:',
    initial,
    check: (text) => usageProblem(() => parseName('A profile', text)),
    answerOf: (profile) => ({ profile }),
  });
  if (answers.profile === null) yield namePrompt(name);
  const replaced = `replace ${name}`;
  if (isOtherProfile(call, analysis) && !answers.settled.has(replaced))
    yield {
      ask: `There is another profile "${name}" in ${place.path}.`,
      choices: [
        { value: namePrompt(`${name}-2`), label: 'Use another name' },
        {
          value: { settled: replaced },
          label: 'Replace its settings for files. Its address stays, unless you gave another one',
        },
        STOP,
      ],
    };
  const stored = [profileIn(place.config, name)?.base_url, place.config.base_url, world.env['GIGWORK_BASE_URL']];
  const hasAddress = [answers.baseUrl, ...stored].some((each) => typeof each === 'string' && each !== '');
  if (!hasAddress && !answers.settled.has(ADDRESS_SETTLED))
    yield {
      ask: 'Address of the service, such as https://gigs.example (press Enter to leave it out):',
      initial: '',
      check: (text) => (text === '' ? null : usageProblem(() => checkAddress(text, world))),
      answerOf: (baseUrl) => (baseUrl === '' ? { settled: ADDRESS_SETTLED } : { baseUrl }),
    };
  if (!answers.settled.has(WRITE_AGREED))
    yield {
      ask: `Write the profile ${name} into ${place.path}?`,
      choices: [{ value: { settled: WRITE_AGREED }, label: 'Yes' }, STOP],
      first: 0,
    };
}

/** @throws UsageError if this is not the address of a service */
export function checkAddress(baseUrl: string, world: World): void {
  resolveTarget({ ...NO_SETTINGS, flags: { base_url: baseUrl } }, false, world);
}

/** What a check throws against; null for nothing. */
function usageProblem(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (cause) {
    if (cause instanceof UsageError) return cause.message;
    throw cause;
  }
}

/** New files may contain secrets one day: only their owner may read them. */
const OWNER_ONLY = 0o600;

/**
 * @param replaces the profile that the person has agreed to replace; undefined for none. Another one that was added
 *   since is never written over
 * @throws UsageError when the file cannot be written, is broken, or has another profile of this name
 */
export async function writeProfile(path: string, name: string, profile: ConfigKeys, replaces: unknown): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A config file that is a link to another place stays a link.
    const file = await realpath(path).catch(() => path);
    await withFileLock(file, () => changeProfile(path, file, name, profile, replaces));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw new UsageError(`the config file ${path} could not be written: ${systemErrorText(cause)}`, { cause });
  }
}

/** @param file the config file itself, which `path` may be a link to */
async function changeProfile(
  path: string,
  file: string,
  name: string,
  profile: ConfigKeys,
  replaces: unknown,
): Promise<void> {
  const text = await readFile(file, 'utf8').catch(noFile);
  // Read again as every run reads it: the file may have been changed since setup began.
  const config = text === null ? {} : ((await configAt(file, true)) ?? {});
  const isMarked = text?.startsWith(BYTE_ORDER_MARK) === true;
  const bare = isMarked ? text.slice(BYTE_ORDER_MARK.length) : text;
  const found = profileIn(config, name);
  if (isDeepStrictEqual(found, profile)) return;
  if (found !== undefined && !isDeepStrictEqual(found, replaces))
    throw new UsageError(`the config file ${path} has another profile "${name}" now. Nothing was written`);
  const edited = withProfile(bare, name, profile);
  const mode = text === null ? OWNER_ONLY : (await stat(file)).mode & 0o7777;
  await writeFileAtomically(file, '/', [isMarked ? BYTE_ORDER_MARK + edited : edited], { mode });
  // Restores permissions that the umask has removed.
  await chmod(file, mode);
}

function noFile(cause: unknown): null {
  if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw cause;
}
