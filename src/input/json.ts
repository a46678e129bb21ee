/** Streams JSON (one object or a list of objects) and NDJSON as raw records. */
import { UsageError } from '../errors.js';
import { error, type Finding } from '../records/issue.js';
import { isObject } from '../records/types.js';
import type { JsonFormat } from './formats.js';
import { type MemberBinder, MemberFields } from './json-fields.js';
import type { FieldOf } from './json-parser.js';
import { severalObjectsText } from './json-layout.js';
import { type JsonValue, readJson } from './json-stream.js';
import { knownValuesPlace } from './known-values.js';
import type { RawRecord } from './raw-record.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import { extractKey, KEY_COLUMN } from './result-columns.js';
import { MemberVariables } from './template-objects.js';

/** @throws FileFault if the text is not JSON or not a valid input; records before the fault are yielded first */
export async function* readObjects(
  format: JsonFormat,
  texts: AsyncIterable<string>,
  options: ReadOptions,
  info: FileInfo,
): AsyncIterable<RawRecord[]> {
  const [only] = options.only;
  if (only !== undefined)
    throw new UsageError(
      `${info.path}: ${only.source} ${JSON.stringify(only.written)} chooses rows of CSV and workbooks, and this file is JSON: leave the objects out of the file`,
    );
  const [known] = options.knownValues;
  if (known !== undefined)
    throw new UsageError(
      `${info.path}: ${knownValuesPlace(known)} is about a column of CSV and workbooks, and this file is JSON: leave it out`,
    );
  const binder = new JsonBinder(options, info);
  const advice = severalObjectsText({ path: info.path, platform: options.platform });
  let record = 0;
  for await (const batch of readJson(format, texts, binder.fieldOf, advice))
    yield batch.map((value) => binder.read(value, ++record));
  binder.noteDropped();
}

/** Objects as raw records of one file. */
export class JsonBinder {
  readonly fieldOf: FieldOf;
  private readonly members: MemberBinder;
  private readonly info: FileInfo;
  private isFirst = true;

  constructor(options: ReadOptions, info: FileInfo) {
    const { template } = options;
    this.info = info;
    this.members = template === null ? new MemberFields(options, info) : new MemberVariables(template, options, info);
    this.fieldOf = this.members.fieldOf;
  }

  read({ value, line, findings: found, typed }: JsonValue, record: number): RawRecord {
    const { members, info } = this;
    if (!isObject(value)) {
      const finding = error('wrong-type', null, `${members.noun} must be an object: {…}`, value);
      return { record, line, read: () => ({ input: null, findings: [finding] }) };
    }
    if (this.isFirst) members.begin(value, line);
    this.isFirst = false;
    const findings: Finding[] = [...found];
    const hasKey = Object.hasOwn(value, KEY_COLUMN);
    const replaces = extractKey(value, findings);
    const { source, content } = members.read({ value, findings, typed }, { record, line });
    const lacksKey = hasKey && replaces === undefined;
    const { isEncodingGuessed } = info;
    return { record, line, source, replaces, lacksKey, isEncodingGuessed, read: () => content };
  }

  noteDropped(): void {
    this.members.noteDropped();
  }
}
