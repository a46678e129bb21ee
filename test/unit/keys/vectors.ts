import { readFileSync } from 'node:fs';

/** Known answers, computed by test/vectors/vectors.py. */
export interface Vectors {
  readonly cases: readonly {
    readonly name: string;
    readonly batch_id: string;
    readonly type: 'gig' | 'result' | 'payout';
    readonly kind: 'content' | 'columns';
    readonly value: Record<string, unknown>;
    readonly ordinal: number;
    readonly canonical: string;
    readonly key: string;
  }[];
  readonly bodies: readonly {
    readonly name: string;
    readonly input: string;
    readonly canonical: string;
    readonly sha256: string;
  }[];
  readonly digests: readonly {
    readonly name: string;
    readonly target: string;
    readonly records: readonly {
      readonly type: string;
      readonly key: string;
      readonly body: Record<string, unknown>;
    }[];
    readonly digest: string;
  }[];
}

export const VECTORS = JSON.parse(readFileSync(new URL('../../vectors/keys.json', import.meta.url), 'utf8')) as Vectors;
