/**
 * `import { gig, gigResult, payout } from 'gigwork/schemas'`: the zod schemas of the records. They check each field;
 * what holds between fields (a cost center is needed) and all doubts are found by `validate` alone.
 */
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import type { Gig, GigResult, Payout } from './event-types.js';

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * A schema of zod 4, as far as its types need no zod: `z.infer` takes it, and what takes a Standard Schema. Zod is part
 * of gigwork, and nothing that a project would install for its types.
 */
export interface ZodSchema<Body> {
  /** @throws ZodError */
  parse(value: unknown): Body;
  safeParse(value: unknown):
    | { readonly success: true; readonly data: Body; readonly error?: undefined }
    | {
        readonly success: false;
        readonly error: Error & { readonly issues: readonly SchemaIssue[] };
        readonly data?: undefined;
      };
  readonly _zod: { readonly input: Body; readonly output: Body };
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Body> | Promise<StandardResult<Body>>;
    readonly types?: { readonly input: Body; readonly output: Body } | undefined;
  };
}

/** What a Standard Schema says of a value. */
export type StandardResult<Body> =
  | { readonly value: Body; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly PropertyKey[] | undefined }[] };

const gigSchema = RECORD_SCHEMAS.gig.input as unknown as ZodSchema<Gig>;
const gigResultSchema = RECORD_SCHEMAS.result.input as unknown as ZodSchema<GigResult>;
const payoutSchema = RECORD_SCHEMAS.payout.input as unknown as ZodSchema<Payout>;

export { gigSchema as gig, gigResultSchema as gigResult, payoutSchema as payout };
