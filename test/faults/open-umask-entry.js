// @ts-check
// The program under a umask that takes no permission away from anybody.
process.umask(0);
await import('../../bin/gigwork.js');
