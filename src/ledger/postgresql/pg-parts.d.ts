/**
 * The part of pg that is used. pg only has types for the whole package, which looks for a package that is not
 * installed.
 */
declare module 'pg/lib/client.js' {
  export { Client as default } from 'pg';
}
