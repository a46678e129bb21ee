/** The used part of pg, which only types the whole package: that looks for a package that is not installed. */
declare module 'pg/lib/client.js' {
  export { Client as default } from 'pg';
}
