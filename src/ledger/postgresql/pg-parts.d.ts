/** The part of pg that is used; pg types only the whole, which looks for a package that is not installed. */
declare module 'pg/lib/client.js' {
  export { Client as default } from 'pg';
}
