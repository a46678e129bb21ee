/** The command that reads a file of every month under its profile. */
import { resolve } from 'node:path';
import type { RecordType } from '../records/types.js';
import { type CommandLine, type Flag, newCommandLine } from './command-line.js';

/** What the command names, since a profile cannot contain it. */
export interface MonthlyCall {
  readonly program: string;
  readonly type: RecordType;
  readonly file: string;
  /** The name of the profile, and its config file where it must be named. */
  readonly profile: string;
  readonly config: string | null;
  readonly format: string | null;
  readonly prices: string | null;
  readonly allowNegative: boolean;
  readonly allowTotalRow: boolean;
  /** YYYY-MM */
  readonly month: string;
}

/** Works from any folder. @param folder from which relative paths start */
export function monthlyCommand(call: MonthlyCall, folder: string): CommandLine {
  const { program, type, file, profile, config, format, prices, allowNegative, allowTotalRow, month } = call;
  const flags: readonly (Flag | null)[] = [
    { name: '--profile', value: profile },
    config === null ? null : { name: '--config', value: resolve(folder, config) },
    format === null ? null : { name: '--format', value: format },
    allowNegative ? { name: '--allow-negative', value: null } : null,
    prices === null ? null : { name: '--prices', value: resolve(folder, prices) },
    allowTotalRow ? { name: '--allow-total-row', value: null } : null,
    { name: '--batch-id', value: month },
  ];
  const named = flags.filter((flag) => flag !== null);
  return newCommandLine(program, `${type} create`, [resolve(folder, file)], named);
}
