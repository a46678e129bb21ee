// The bundle has code of other packages. Their licences must stay with that code.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A plugin of rolldown that writes the licences of all packages in the bundle into a file next to it. */
export function notices(fileName) {
  return {
    name: 'notices',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
      const folders = new Set(modules.flatMap((id) => packageFolder(id) ?? []));
      const source = `${[HEADING, ...[...folders].sort().map(notice)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

const HEADING = 'The files in this folder hold code of these packages, under their own licences.';

/** The folder of the package that a module belongs to; null for a module of ours. */
function packageFolder(id) {
  const path = id.split(sep).join('/');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? null;
}

/** Name, version and licence of a package. @throws if it has no licence */
function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = licenceIn(folder);
  if (text === null) throw new Error(`${name} has no licence that could be kept with its code`);
  return `${name} ${version} (${license})\n\n${text}`;
}

/** Usually a separate file; in some packages the last part of their readme. */
function licenceIn(folder) {
  const files = readdirSync(folder);
  const read = (pattern) => {
    const file = files.find((each) => pattern.test(each));
    return file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  };
  const own = read(/^(licen[cs]e|copying)(\.\w+)?$/i).trim();
  if (own !== '') return own;
  return /^#+ licen[cs]e\s+(?<text>\S.*)$/ims.exec(read(/^readme(\.\w+)?$/i))?.groups?.text.trim() ?? null;
}
