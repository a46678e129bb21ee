import fc from 'fast-check';
import sax from 'sax';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../../../src/input/raw-record.js';
import { type Attributes, XmlReader } from '../../../../src/input/xlsx/xml.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** What is told. @param size of the pieces in which the text comes */
function told(xml: string, size = xml.length): unknown[] {
  const events: unknown[] = [];
  const reader = new XmlReader('x.xml', 'sst', {
    open: (name, attributes) => events.push(['open', name, { ...attributes }]),
    close: (name, text) => events.push(['close', name, text]),
  });
  for (let at = 0; at < xml.length; at += Math.max(1, size)) reader.write(xml.slice(at, at + size));
  reader.end();
  return events;
}

/** The same by another parser. Null where it finds a fault, or text stands beside elements. */
function byAnother(xml: string): unknown[] | null {
  const events: unknown[] = [];
  const parser = sax.parser(true, { strictEntities: true } as object);
  let text = '';
  let isMixed = false;
  const add = (found: string): void => void (text += found);
  Object.assign(parser, {
    onopentag: ({ name, attributes }: { name: string; attributes: Attributes }) => {
      isMixed ||= text.trim() !== '';
      text = '';
      events.push(['open', name, { ...attributes }]);
    },
    onclosetag: (name: string) => {
      events.push(['close', name, text]);
      text = '';
    },
    ontext: add,
    oncdata: add,
  });
  try {
    parser.write(xml).close();
  } catch {
    return null;
  }
  return isMixed ? null : events;
}

function faultOf(xml: string): string {
  try {
    told(xml);
  } catch (cause) {
    expect(cause).toBeInstanceOf(FileFault);
    return (cause as FileFault).message;
  }
  return '';
}

const inRoot = (inner: string): string => `<sst xmlns="${MAIN}">${inner}</sst>`;

describe('what is read', () => {
  it('tags, attributes, texts and what stands for characters', () => {
    const xml = `<?xml version="1.0"?>\r\n<!-- a > b --><sst xmlns="${MAIN}" a='1 > 2'><t  x = "&lt;&#65;&#x20ac;&quot;"/>5 &amp; 6<![CDATA[ <&> ]]></sst>\n`;
    expect(told(xml)).toEqual([
      ['open', 'sst', { xmlns: MAIN, a: '1 > 2' }],
      ['open', 't', { x: '<A€"' }],
      ['close', 't', ''],
      ['close', 'sst', '5 & 6 <&> '],
    ]);
  });

  it('elements with a prefix, without those of other vocabularies', () => {
    const xml = `<x:sst xmlns:x="${MAIN}" xmlns:y="y" xmlns="z"><x:t>1</x:t><y:t>2</y:t><t/></x:sst>`;
    expect(told(xml).filter((event) => (event as string[])[0] === 'open')).toHaveLength(2);
  });

  it.each(['\r\n', '\r', '\n'])('one line end, whatever the file has: %j', (end) => {
    for (const size of [1, 2, 3, 1000])
      expect(told(inRoot(`a${end}b${end}${end}c`), size)[1]).toEqual(['close', 'sst', 'a\nb\n\nc']);
  });

  it('whatever the pieces are in which it comes', () => {
    const xml = inRoot('<t a="1" b="&#10;x">a&amp;b</t><!-- - -- --><t/><t><![CDATA[]] ]]>  <?x y?>z</t>');
    const whole = told(xml);
    for (let size = 1; size < xml.length; size++) expect(told(xml, size)).toEqual(whole);
  });
});

describe('what is refused', () => {
  it.each([
    ['<!DOCTYPE sst [<!ENTITY x "y">]><sst/>', 'document type'],
    [inRoot('&x;'), 'stands for nothing'],
    [inRoot('&#xd800;'), 'stands for nothing'],
    [inRoot('\u0000'), 'XML does not have'],
    [inRoot('<t>'), 'closes nothing'],
    [inRoot('<t a=1/>'), 'no tag'],
    [inRoot('<t a/>'), 'no tag'],
    [inRoot('<t>a<r/></t>'), 'text is next to <r>'],
    [inRoot('<t a="<"/>'), 'no tag'],
    [inRoot('<t a="1" a="2"/>'), 'twice'],
    [`${inRoot('')}<t/>`, 'not what belongs there'],
    [`x${inRoot('')}`, 'outside'],
    ['<sst xmlns="other"/>', 'not what belongs there'],
    [`<styleSheet xmlns="${MAIN}"/>`, 'not what belongs there'],
    [`<sst xmlns="${MAIN}">`, 'ends before its end'],
    [`${inRoot('')}<`, 'ends before its end'],
    [inRoot(`<t>${'<t>'.repeat(100)}`), 'too deep'],
  ])('%j: %s', (xml, words) => {
    expect(faultOf(xml)).toContain(words);
  });

  it('a tag or a text without an end, within bounded memory', () => {
    const reader = new XmlReader('x.xml', 'sst', { open: () => {} });
    reader.write(`<sst xmlns="${MAIN}" a="`);
    const write = (): void => {
      for (let i = 0; i < 100; i++) reader.write('x'.repeat(64 * 1024));
    };
    expect(write).toThrow('has no end');
  });
});

it('another parser reads the same', () => {
  const text = fc.constantFrom('', 'a', ' 5 &amp; &lt;', '&#x41;', 'ä€😀', '<![CDATA[x]]>', '<!-- c -->', '<?p i?>');
  const attributes = fc.constantFrom('', ' a="1"', " b='x\"y'", ' c = "&gt; >"');
  const { xml } = fc.letrec<{ xml: string }>((tie) => ({
    xml: fc
      .tuple(fc.constantFrom('t', 'r', 'si'), attributes, text, text, fc.option(tie('xml'), { nil: '', maxDepth: 4 }))
      .map(
        ([name, attribute, start, more, inner]) =>
          `<${name}${attribute}>${inner === '' ? start + more : inner}</${name}>`,
      ),
  }));
  fc.assert(
    fc.property(xml, (inner) => {
      expect(told(inRoot(inner))).toEqual(byAnother(inRoot(inner)));
    }),
  );
});

it('what another parser refuses is refused, with few exceptions', () => {
  const pieces = fc.array(
    fc.constantFrom('<', '>', '/', '"', "'", '=', 'a', 't', ' ', '&', ';', '#', '!', '-', '[', ']', '?', '<t>', '</t>'),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, (found) => {
      const xml = inRoot(found.join(''));
      const other = byAnother(xml);
      const ours = faultOf(xml) === '' ? told(xml) : null;
      // Where both read it, both read the same: nobody is paid by a reading of one's own.
      if (other !== null && ours !== null) expect(ours).toEqual(other);
    }),
    { numRuns: 2000 },
  );
});
