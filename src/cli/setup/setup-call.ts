/** The command line of setup: flags about the file, and flags that only a run's command line can have. */
import { basename, extname, resolve } from 'node:path';
import { entriesOf, type RunFlags } from '../../config/sources.js';
import { inputOptions } from '../../config/input.js';
import { type ConfigPlace, settingsBelow } from '../../config/profiles.js';
import { readableName } from '../../config/values.js';
import { columnName } from '../../input/columns.js';
import type { SurveyOptions } from '../../input/setup/survey-source.js';
import type { Answers } from '../../input/setup/answers.js';
import type { Survey } from '../../input/setup/survey.js';
import type { Kind } from '../../records/kind.js';
import type { World } from '../../world.js';

export interface SetupFlags extends RunFlags {
  readonly print?: boolean;
}

export interface SetupCall {
  readonly file: string;
  readonly flags: SetupFlags;
  readonly place: ConfigPlace;
  readonly answers: Answers;
  /** How the survey reads the file. */
  readonly source: SurveyOptions;
}

/** @throws UsageError for a flag that cannot be read */
export function setupCall(file: string, flags: SetupFlags, place: ConfigPlace, world: World): SetupCall {
  const below = settingsBelow(flags, place, world);
  const inForce = inputOptions({ files: [file], type: null, settings: below, fields: {} });
  // The config file's settings for all files about the notation of cells may be wrong for this file.
  const own = inputOptions({ files: [file], type: null, settings: { ...below, layers: [] }, fields: {} });
  const set = [...entriesOf('set', below)];
  return {
    file,
    flags,
    place,
    source: {
      ...{ path: file, rules: inForce },
      ignored: new Set([...entriesOf('ignore_columns', below).keys()].map(columnName)),
      from: { cwd: world.cwd(), stdin: world.stdin, stop: new AbortController().signal },
    },
    answers: {
      type: inForce.type,
      headerLine: own.headerLine,
      map: new Map([...entriesOf('map', below)].map(([name, { value }]) => [columnName(name), value])),
      ignore: new Set([...entriesOf('ignore_columns', below).keys()].map(columnName)),
      set: new Map(set.flatMap(([path, { value, from }]) => (from === 'flag' ? [[path, value]] : []))),
      setForAll: set.flatMap(([path, { from }]) => (from === 'flag' ? [] : [path])),
      decimal: flags.decimal === undefined ? null : own.style.decimal,
      dateOrder: flags.dateFormat === undefined ? null : own.style.dateOrder,
      negate: flags.negate ?? null,
      ignoreOthers: flags.ignoreOtherColumns ?? false,
      only: inForce.only.map(({ written }) => written),
      padShortRows: inForce.padShortRows,
      allowNegative: flags.allowNegative ?? false,
      allowTotalRow: flags.allowTotalRow ?? false,
      settled: new Set(),
    },
  };
}

/** The name on the command line, or one from the file's name that is the same every month. @throws UsageError */
export function profileName({ flags, file }: SetupCall, kind: Kind): string {
  if (flags.profile !== undefined) return readableName('--profile', flags.profile);
  const stem = basename(file, extname(file)).normalize('NFC').toLowerCase();
  const words = stem.split(/[^\p{L}\p{N}]+/u).filter((word) => /\p{L}/u.test(word) && !/^\d|\d{4}/.test(word));
  return words.join('-').slice(0, LONGEST_NAME) || kind.type;
}

const LONGEST_NAME = 40;

/** The command for every month, from any folder: with the flags that a profile cannot contain. @param name of the profile */
export function monthlyWords({ file, flags, place }: SetupCall, survey: Survey, name: string, world: World): string[] {
  const given = (flag: string, value: string | undefined): string[] => (value === undefined ? [] : [flag, value]);
  const isNamed = flags.config !== undefined || (world.env['GIGWORK_CONFIG'] ?? '') !== '';
  const { kind, answers } = survey;
  const fromRoot = (path: string): string => resolve(world.cwd(), path);
  const month = survey.month ?? new Date(world.now()).toISOString().slice(0, 'YYYY-MM'.length);
  return [
    ...[world.program(), kind.type, 'create', fromRoot(file), '--profile', name],
    ...given('--config', isNamed ? fromRoot(place.path) : undefined),
    ...given('--format', flags.format),
    ...(answers.allowNegative ? ['--allow-negative'] : []),
    ...given('--prices', flags.prices === undefined ? undefined : fromRoot(flags.prices)),
    ...(answers.allowTotalRow ? ['--allow-total-row'] : []),
    ...['--batch-id', month],
  ];
}
