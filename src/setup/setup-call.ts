/** One call of setup: its command line as answers. */
import { inputOptions } from '../config/input-options.js';
import { parseName } from '../config/parsers.js';
import { type ConfigPlace, settingsWithoutProfile } from '../config/profiles.js';
import { resolveTable, type RunFlags } from '../config/resolve.js';
import { printable } from '../report/printable.js';
import { widthOf, wrapText } from '../report/table.js';
import type { World } from '../world.js';
import type { Answers } from './answers.js';
import type { SampleOptions } from './sample-source.js';

/** The agreement to write the profile: never kept for another call. */
export const WRITE_AGREED = 'write';

export interface SetupFlags extends RunFlags {
  readonly print?: boolean;
}

/** One call of setup, with everything that its parts need. */
export interface SetupCall {
  readonly file: string;
  readonly flags: SetupFlags;
  readonly world: World;
  /** Shows a message to a person. */
  readonly say: (text: string) => void;
  readonly place: ConfigPlace;
  /** Those on the command line. */
  readonly answers: Answers;
  /** How the analysis reads the file. */
  readonly source: SampleOptions;
}

/** @throws UsageError for a flag that cannot be read */
export function createSetupCall(file: string, flags: SetupFlags, place: ConfigPlace, world: World): SetupCall {
  const settings = settingsWithoutProfile(flags, place, world);
  const inForce = inputOptions({ files: [file], type: null, settings, fields: {} });
  // The config file's settings for all files about the notation of cells may be wrong for this file.
  const own = inputOptions({ files: [file], type: null, settings: { ...settings, layers: [] }, fields: {} });
  const set = [...resolveTable('set', settings)];
  return {
    file,
    flags,
    world,
    place,
    say: (text) => {
      for (const line of wrapText(printable(text), widthOf(world.stderr))) world.stderr.write(`${line}\n`);
    },
    source: {
      path: file,
      rules: inForce,
      from: { cwd: world.cwd(), stdin: world.stdin, stop: new AbortController().signal },
      platform: world.platform,
    },
    answers: {
      type: inForce.type,
      headerLine: own.headerLine,
      map: inForce.map,
      ignore: inForce.ignoreColumns,
      set: new Map(set.filter(([, { from }]) => from === 'flag').map(([path, { value }]) => [path, value])),
      setForAll: set.filter(([, { from }]) => from !== 'flag').map(([path]) => path),
      decimal: flags.decimal === undefined ? null : own.style.decimal,
      dateOrder: flags.date_format === undefined ? null : own.style.dateOrder,
      negate: flags.negate ?? null,
      ignoreOthers: flags.ignore_other_columns ?? false,
      only: inForce.only.map(({ written }) => written),
      padShortRows: inForce.padShortRows,
      trim: inForce.style.trim ? true : (flags.trim ?? null),
      allowNegative: flags.allow_negative ?? false,
      allowTotalRow: flags.allow_total_row ?? false,
      settled: new Set(),
      profile: flags.profile === undefined ? null : parseName('--profile', flags.profile),
      baseUrl: flags.base_url ?? null,
    },
  };
}
