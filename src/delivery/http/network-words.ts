/** Why no answer came, for people: what the network says, in words, with its own code behind. PURE. */

/** By the code of the system or of undici. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at this address and port',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was closed before the answer was complete',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be looked up at present',
  ETIMEDOUT: 'no connection was made in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
  EHOSTUNREACH: 'there is no way to this host',
  ENETUNREACH: 'there is no way to this network',
};
/** undici's words, and ours. */
const CLOSED = ['other side closed', 'the connection was closed before the answer was complete'] as const;
/** What does not speak HTTP: the codes of undici's parser. */
const PARSER = /^HPE_/;

/** `nothing answers at this address and port (connect ECONNREFUSED 127.0.0.1:1)` */
export function networkReason(failure: Error): string {
  const inmost = innermost(failure);
  const { code = '' } = inmost as NodeJS.ErrnoException;
  const said = inmost.message.replace(/\s+/g, ' ').trim();
  if (said === CLOSED[0]) return CLOSED[1];
  const words = PARSER.test(code) ? 'what answered does not speak HTTP' : WORDS[code];
  if (words === undefined) return said === '' ? code || 'the connection failed' : said;
  return `${words} (${said.includes(code) ? said : `${said} ${code}`.trim()})`;
}

/** Whether waiting does not help, because no host has this name. @param reason from {@link networkReason} */
export function isNoHost(reason: string | null): boolean {
  return reason !== null && /\bENOTFOUND\b/.test(reason);
}

/** The innermost failure that says something: undici wraps the system's. */
function innermost(failure: Error): Error {
  const inner = failure instanceof AggregateError ? (failure.errors as unknown[])[0] : failure.cause;
  return inner instanceof Error && inner.message !== '' ? innermost(inner) : failure;
}
