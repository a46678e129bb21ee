/** Whether a URL's host is this machine. Not subdomains of localhost: some systems look them up on the network. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
