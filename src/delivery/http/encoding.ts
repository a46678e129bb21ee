/** Reads answers that come compressed although the request forbids it: a confirmation must not be lost by that. PURE. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';

type Decode = (bytes: Buffer, options: ZlibOptions) => Buffer;

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some services leave out the header that tells how the data was made (RFC 9110, 8.4.1.2).
  deflate: (bytes, options) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync : inflateRawSync)(bytes, options),
  br: (bytes, { maxOutputLength }) =>
    brotliDecompressSync(bytes, maxOutputLength === undefined ? {} : { maxOutputLength }),
  identity: (bytes) => bytes,
};

export interface Decoded {
  /** Null when they are more than the limit. */
  readonly bytes: Buffer | null;
  /** The encoding that could not be undone: then the bytes are as they came. */
  readonly encoding?: string;
}

/**
 * @param encoding names, in the order in which they were applied
 * @param limit the most bytes that are read
 */
export function decoded(body: Buffer, encoding: string, limit: number): Decoded {
  const decoders = encoding.split(',').map((name) => DECODERS[name.trim().toLowerCase()]);
  let bytes = body;
  for (const decode of decoders.toReversed()) {
    if (decode === undefined) return { bytes: body, encoding };
    try {
      bytes = decode(bytes, { maxOutputLength: limit });
    } catch (cause) {
      return (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? { bytes: null }
        : { bytes: body, encoding };
    }
  }
  return { bytes };
}
