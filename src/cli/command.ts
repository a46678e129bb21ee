/** What a command is: a row of the tables in commands.ts and batch-commands.ts. */
import type { Argument, Option } from 'commander';
import type { RunFlags } from '../config/sources.js';
import { EXIT } from '../errors.js';
import type { World } from '../world.js';

/** How a command was called. */
export interface Call<Flags = RunFlags> {
  /** `payout create` */
  readonly name: string;
  /** What stands behind the name, without flags. */
  readonly operands: readonly string[];
  readonly flags: Flags;
  /** All words after `gigwork`. */
  readonly argv: readonly string[];
  readonly world: World;
}

export interface CommandRow {
  /** One word, or two: then the first one is the name of a group. */
  readonly name: string;
  readonly operand?: Argument;
  readonly help: string;
  /** In the order of its help; with a heading, below those without. */
  readonly flags: readonly Option[];
  /** The flags that `--help` shows where `--help-all` shows all. */
  readonly everyday?: readonly string[];
  readonly examples: readonly string[];
  readonly exitCodes: Readonly<Record<number, string>>;
  /** Loads what the command needs, and gives the exit code. The parser has found the flags that must be there. */
  run(call: Call<never>): Promise<number>;
}

/** Exit codes of commands that send nothing and read no records. @param done what 0 means, @param usage what 2 means */
export function plainCodes(done: string, usage = 'usage or configuration'): Record<number, string> {
  return { [EXIT.ok]: done, [EXIT.internal]: 'a fault in gigwork itself', [EXIT.usage]: usage };
}
