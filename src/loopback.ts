/**
 * Whether a host of a URL is this machine. Names below localhost are not counted in: some systems ask the network for
 * them.
 */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
