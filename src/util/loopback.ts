/** Whether a host of a URL is this machine. Subdomains of localhost do not count: some systems resolve them over the network. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
