// What is published: the compiled modules as a few files. Loading each by itself takes longer than all other work of a
// short command. Packages stay outside.
import { defineConfig } from 'rolldown';

export default defineConfig({
  input: 'dist/main.js',
  platform: 'node',
  external: /^(?!\.{0,2}\/)/,
  logLevel: 'warn',
  output: { dir: 'bundle', format: 'esm', cleanDir: true },
});
