/** Whether a URL's host is this machine. Not subdomains of localhost: some systems look them up on the network. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The same for a server's address, which may be the folder of a socket. */
export function isThisMachine(host: string): boolean {
  return host.startsWith('/') || host === '::1' || isLoopback(host);
}
