/** Which part of a workbook belongs to which: parts name each other through lists of relationships. */
import { posix } from 'node:path';
import type { Package } from './package.js';
import { readXml } from './xml.js';

export interface Relationship {
  /** The last step of its type: `worksheet`, `styles`. */
  readonly type: string;
  /** The part that it leads to. */
  readonly target: string;
}

/**
 * The relationships of a part, by their ids.
 * @param part empty for those of the package itself
 * @returns null where it has none
 * @throws FileFault
 */
export async function relationshipsOf(pack: Package, part: string): Promise<Map<string, Relationship> | null> {
  const folder = posix.dirname(part);
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const text = pack.part(name);
  if (text === null) return null;
  const found = new Map<string, Relationship>();
  await readXml(name, 'Relationships', text, {
    open: (element, { Id, Type, Target, TargetMode }) => {
      if (element !== 'Relationship' || TargetMode === 'External') return;
      if (Id === undefined || Type === undefined || Target === undefined) return;
      found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target: resolved(folder, Target) });
    },
  });
  return found;
}

/** Some programs write backslashes. Steps up end at the package's top. */
function resolved(folder: string, target: string): string {
  return posix.resolve('/', folder, target.replaceAll('\\', '/')).slice(1);
}
