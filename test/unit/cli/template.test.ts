import { expect, test } from 'vitest';
import { checkRecord } from '../../../src/records/check.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import { type Body, RECORD_TYPES } from '../../../src/records/types.js';
import { templateText } from '../../../src/cli/template.js';

test.each(
  RECORD_TYPES.flatMap((type) => ['2019-02-28', '2026-11-01', '2031-12-31'].map((today) => [type, today] as const)),
)('a %s made on %s is not doubted on that day', (type, today) => {
  const [{ base_price: _price, ...record }] = JSON.parse(templateText(RECORD_SCHEMAS[type], 'json', today)) as [Body];
  const findings: unknown[] = [];
  const body = checkRecord(RECORD_SCHEMAS[type], record, {
    now: Date.parse(today),
    report: (finding) => findings.push(finding),
  });
  expect(findings).toEqual([]);
  const start = body['start_at'] as number | undefined;
  if (start !== undefined) expect(Math.abs(start - Date.parse(today) / 1000)).toBeLessThan(60 * 86_400);
});
