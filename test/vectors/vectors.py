#!/usr/bin/env python3
"""Known answers for canonical JSON, record keys and the digest, computed without a line of gigwork's own code.

    python3 test/vectors/vectors.py            writes keys.json beside this file
    python3 test/vectors/vectors.py --check    fails when keys.json is not what this file computes

The keys of records that were paid years ago must come out the same for ever, so keys.json never changes for a case
that stands in it; new cases are added. Standard library only.

keys.json:
  cases    name, batch_id, type, kind, value, ordinal; `canonical` is the text that is hashed, `key` the UUID
  bodies   name, input (JSON text), canonical (the bytes that are sent, as text), sha256 of its UTF-8
  digests  name, target, records in input order; `body` is the body as it is sent: a payout or a result carries its
           idempotency_key there, a gig never does, although its key stands in the digest's line
"""

import hashlib
import json
import sys
import uuid
from pathlib import Path

OUTPUT = Path(__file__).with_name('keys.json')


# --- Canonical JSON (RFC 8785) ---------------------------------------------------------------------------------------

SHORT_ESCAPES = {'"': '\\"', '\\': '\\\\', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r'}


def es_number(value: float) -> str:
    """A double as ECMAScript's Number::toString prints it (ECMA-262, 6.1.6.1.20), from the digits of Python's repr.

    repr gives the shortest digits that read back as the same double, which is what ECMAScript asks for; only the
    placing of point and exponent differs.
    """
    if value != value or value in (float('inf'), float('-inf')):
        raise ValueError('JSON has no such number')
    if value == 0:
        return '0'  # minus zero too
    sign = '-' if value < 0 else ''
    mantissa, _, exponent = repr(abs(value)).partition('e')
    whole, _, fraction = mantissa.partition('.')
    digits = (whole + fraction).lstrip('0')
    # `point` is ECMAScript's n: the value is 0.DIGITS times ten to the power of n.
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip('0')
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + '0' * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + '.' + digits[point:]
    if -6 < point <= 0:
        return sign + '0.' + '0' * -point + digits
    shown = f'{"+" if point > 0 else "-"}{abs(point - 1)}'
    return f'{sign}{digits[0]}{"." + digits[1:] if count > 1 else ""}e{shown}'


def es_string(text: str) -> str:
    """A string with the fewest escapes: the quote, the backslash and the C0 controls, nothing else."""
    return '"' + ''.join(SHORT_ESCAPES.get(c) or (f'\\u{ord(c):04x}' if c < ' ' else c) for c in text) + '"'


def canonical(value) -> str:
    """The canonical JSON text of a value. Members are sorted by the UTF-16 code units of their names."""
    if value is None or isinstance(value, bool):
        return {None: 'null', True: 'true', False: 'false'}[value]
    if isinstance(value, (int, float)):
        return es_number(float(value))
    if isinstance(value, str):
        return es_string(value)
    if isinstance(value, list):
        return '[' + ','.join(canonical(item) for item in value) + ']'
    names = sorted(value, key=lambda name: name.encode('utf-16-be'))
    return '{' + ','.join(f'{es_string(name)}:{canonical(value[name])}' for name in names) + '}'


def sha256(text: str) -> bytes:
    return hashlib.sha256(text.encode('utf-8')).digest()


# --- Keys and digest -------------------------------------------------------------------------------------------------


def key_text(batch_id: str, record_type: str, kind: str, value: dict, ordinal: int) -> str:
    return canonical(['gigwork-key-1', batch_id, record_type, kind, value, ordinal])


def key_of(text: str) -> str:
    """A UUID of version 8 (RFC 9562, 5.8) from the first 16 bytes of the text's SHA-256."""
    octets = bytearray(sha256(text)[:16])
    octets[6] = (octets[6] & 0x0F) | 0x80  # version 8
    octets[8] = (octets[8] & 0x3F) | 0x80  # variant 10
    return str(uuid.UUID(bytes=bytes(octets)))


def sent_body(record_type: str, key: str, content: dict) -> dict:
    """What is sent: payouts and results carry their key in the body, gigs have no field for it."""
    return content if record_type == 'gig' else {**content, 'idempotency_key': key}


def digest_of(target: str, records: list) -> str:
    lines = ['gigwork-digest-1', target]
    lines += [f'{record["key"]} {sha256(canonical(record["body"])).hex()}' for record in records]
    return sha256(''.join(line + '\n' for line in lines)).hex()


# --- What is computed ------------------------------------------------------------------------------------------------

BONUS = {'amount': 1200, 'cost_center_key': 'PP-7', 'title': 'Bonus', 'user_id': 'u1'}
CUSTOMER = {
    'amount': 89.9,
    'cost_center_data': {'legal_entity': 'Musterbau GmbH', 'inhouse': 'No', 'customer_id': 'C-1', 'company': 'Muster'},
    'currency': 'EUR',
    'title': 'Überstunden, „Nacht“',
    'user_id': 'usr_7f3a',
    'billing_date': '2026-11-01',
}
RESULT = {
    'gig_task_id': 'task_1',
    'user_id': 'u1',
    'title': 'Shelf photos',
    'quantity': 3,
    'cost_center_key': 'PP-7',
    'multiplier': '1.2500',
}
GIG = {
    'title': 'Inventory',
    'description': 'Count the shelves',
    'url': 'https://gigs.example/inventory',
    'start_at': 1796112000,
    'end_at': 1796140800,
    'invitation_mode': 'manual',
    'filter_query': {'$or': [{'city': 'Köln'}, {'address.city': 'Bonn'}], 'languages': {'$in': ['de', 'en']}},
    'tasks': [{'title': 'Count', 'base_price': 4500}, {'title': 'Report', 'base_price': 750.5}],
    'partner_options': {'extra_mile': True},
}
EMOJI = {
    'amount': 5,
    'cost_center_key': 'PP-🚀',
    'title': 'Danke 🎉 – für „alles“',
    'description': 'Zeile 1\nZeile 2\tTab "quoted" back\\slash / \u2028 \u007f',
    'user_id': 'usr_\U0001f600',
}
# U+1F600 starts with the code unit D83D, so it stands before U+FB33 although its code point is higher.
SORTING = {'\ufb33': 'dagesh', '\U0001f600': 'beyond the BMP', '\uffff': 'last',
           'z': 1, 'Z': 2, '': 'empty name', '10': 3, '9': 4}

NUMBERS = '[0.1,1e21,1e-7,-0,123456789.125,5e-324,1.7976931348623157e308]'

# name, batch id, type, kind, value, ordinal
CASES = [
    ('the known answer', 'default', 'payout', 'content', BONUS, 1),
    ('second of identical records', 'default', 'payout', 'content', BONUS, 2),
    ('third of identical records', 'default', 'payout', 'content', BONUS, 3),
    ('another batch', '2026-11', 'payout', 'content', BONUS, 1),
    ('a batch id beyond ASCII', 'Prämien "Q4" 🎉', 'payout', 'content', BONUS, 1),
    ('the same value as another type', 'default', 'result', 'content', BONUS, 1),
    ('payout with cost center data', 'default', 'payout', 'content', CUSTOMER, 1),
    ('payout with emoji and escapes', 'default', 'payout', 'content', EMOJI, 1),
    ('precomposed é', 'default', 'payout', 'content', {**BONUS, 'title': 'Caf\u00e9'}, 1),
    ('e with combining accent is another record', 'default', 'payout', 'content', {**BONUS, 'title': 'Cafe\u0301'}, 1),
    ('amount 0.1', 'default', 'payout', 'content', {**BONUS, 'amount': 0.1}, 1),
    ('amount 1e21', 'default', 'payout', 'content', {**BONUS, 'amount': 1e21}, 1),
    ('amount 1e-7', 'default', 'payout', 'content', {**BONUS, 'amount': 1e-7}, 1),
    ('amount -0', 'default', 'payout', 'content', {**BONUS, 'amount': -0.0}, 1),
    ('amount 0 has the key of -0', 'default', 'payout', 'content', {**BONUS, 'amount': 0}, 1),
    ('amount 123456789.125', 'default', 'payout', 'content', {**BONUS, 'amount': 123456789.125}, 1),
    ('amount 5e-324', 'default', 'payout', 'content', {**BONUS, 'amount': 5e-324}, 1),
    ('amount 1.7976931348623157e308', 'default', 'payout', 'content', {**BONUS, 'amount': 1.7976931348623157e308}, 1),
    ('amount -12.5', 'default', 'payout', 'content', {**BONUS, 'amount': -12.5}, 1),
    ('result with a multiplier as typed', 'default', 'result', 'content', RESULT, 1),
    ('the multiplier typed shorter is another record',
     'default', 'result', 'content', {**RESULT, 'multiplier': '1.25'}, 1),
    ('result with multiplier 0.0000', 'default', 'result', 'content', {**RESULT, 'multiplier': '0.0000'}, 1),
    ('result without multiplier',
     'default', 'result', 'content', {k: v for k, v in RESULT.items() if k != 'multiplier'}, 1),
    ('gig with the default invitation_mode filled in', 'default', 'gig', 'content', GIG, 1),
    ('second identical gig', 'default', 'gig', 'content', GIG, 2),
    ('gig with invitation_mode auto', 'default', 'gig', 'content', {**GIG, 'invitation_mode': 'auto'}, 1),
    ('gig with a numeric topic', 'default', 'gig', 'content', {**GIG, 'invitation_notification_topic': 42}, 1),
    ('gig with the topic as text', 'default', 'gig', 'content', {**GIG, 'invitation_notification_topic': '42'}, 1),
    ('gig with a payload sorted by UTF-16 units',
     'default', 'gig', 'content', {**GIG, 'notification_payload': SORTING}, 1),
    ('gig with null inside a query',
     'default', 'gig', 'content', {**GIG, 'filter_query': {'left_at': {'$eq': None}}}, 1),
    ('one key column', 'default', 'payout', 'columns', {'reference_id': 'INV-1'}, 1),
    ('two key columns', 'default', 'payout', 'columns', {'user_id': 'u1', 'billing_date': '2026-11-01'}, 1),
    ('a number as key column', 'default', 'payout', 'columns', {'user_id': 'u1', 'amount': 1200}, 1),
    ('a dot path as key column',
     '2026-11', 'payout', 'columns', {'user_id': 'u1', 'cost_center_data.customer_id': 'C-1'}, 1),
    ('a multiplier as key column',
     'default', 'result', 'columns', {'gig_task_id': 'task_1', 'multiplier': '1.2500'}, 1),
    ('task fields as key columns',
     'default', 'gig', 'columns', {'tasks.0.title': 'Count', 'tasks.0.base_price': 4500}, 1),
    ('all fields as key columns are not the content', 'default', 'payout', 'columns', BONUS, 1),
]

# name, JSON text
BODIES = [
    ('the known answer', '{"user_id":"u1","title":"Bonus","cost_center_key":"PP-7","amount":1200}'),
    ('white space and a number with trailing zeros', ' {\r\n "b" : 1.10 ,\t"a" : 1200.00 } '),
    ('nested objects and lists', '{"b":[{"z":1,"a":[]},{}],"a":{"d":null,"c":{"f":true,"e":false}}}'),
    ('numbers', f'{{"n":{NUMBERS}}}'),
    ('where ECMAScript changes to an exponent',
     '[1e20,123456789012345680000,1e21,1.5e21,1e-6,0.0000012,1e-7,1.5e-7,-1e-7,100,1e2,0.5,-0.25,9007199254740991]'),
    ('numbers of RFC 8785', '[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]'),
    ('strings of RFC 8785',
     r'{"string":"\u20ac$\u000F\u000aA' + "'" + r'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}'),
    ('names of RFC 8785',
     r'{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",'
     r'"\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}'),
    ('names sorted by UTF-16 units', json.dumps(SORTING, ensure_ascii=False)),
    ('names that look like numbers are sorted as text', '{"b":1,"10":2,"9":3,"a":4,"1":5,"01":6,"-1":7}'),
    ('names that a JavaScript object treats apart',
     '{"toString":1,"constructor":{"prototype":2},"__proto__":{"b":3,"a":4}}'),
    ('a name that is the start of another', '{"ab":1,"a":2,"a.b":3,"a b":4,"A":5}'),
    ('control characters', r'"\u0000\u0001\b\t\n\u000b\f\r\u001f \u007f\u0080\u009f"'),
    ('what is not escaped', r'"\u2028\u2029\ufeff\u00a0<>&\u0027\/\ud83c\udf89"'),
    ('text is not normalised', r'["\u00e9","e\u0301"]'),
    ('an empty object', '{}'),
    ('a gig with dollar names', json.dumps(GIG, ensure_ascii=False)),
    ('a payout beyond ASCII', json.dumps(EMOJI, ensure_ascii=True)),
]

# name, target, records as (type, own key or None, content)
DIGESTS = [
    ('the known answer', 'https://gigs.example/base', [('payout', None, BONUS)]),
    ('no records', 'https://gigs.example/base', []),
    ('the sandbox', 'sandbox', [('payout', None, BONUS)]),
    ('an account', 'https://gigs.example/base#acme', [('payout', None, BONUS)]),
    ('a port', 'http://127.0.0.1:8080', [('payout', None, BONUS)]),
    ('identical records', 'https://gigs.example/base', [('payout', None, BONUS), ('payout', None, BONUS)]),
    ('an own key', 'https://gigs.example/base', [('payout', 'bonus-2026-11', BONUS)]),
    ('a gig has its body hashed without a key', 'https://gigs.example/base', [('gig', None, GIG)]),
    ('a gig with an own key', 'https://gigs.example/base', [('gig', 'gig-1', GIG)]),
    ('three types',
     'https://gigs.example/base', [('payout', None, EMOJI), ('gig', None, GIG), ('result', None, RESULT)]),
    ('the same in another order', 'https://gigs.example/base',
     [('gig', None, GIG), ('result', None, RESULT), ('payout', None, EMOJI)]),
]


def case(name, batch_id, record_type, kind, value, ordinal):
    text = key_text(batch_id, record_type, kind, value, ordinal)
    return {'name': name, 'batch_id': batch_id, 'type': record_type, 'kind': kind, 'value': value, 'ordinal': ordinal,
            'canonical': text, 'key': key_of(text)}


def body(name, text):
    # JSON knows only doubles here, as in the program: whole numbers are read as such.
    sent = canonical(json.loads(text, parse_int=float))
    return {'name': name, 'input': text, 'canonical': sent, 'sha256': sha256(sent).hex()}


def digest(name, target, records):
    seen: dict = {}
    listed = []
    for record_type, own_key, content in records:
        same = (record_type, canonical(content))
        if own_key is None:
            seen[same] = seen.get(same, 0) + 1
        key = own_key or key_of(key_text('default', record_type, 'content', content, seen[same]))
        listed.append({'type': record_type, 'key': key, 'body': sent_body(record_type, key, content)})
    return {'name': name, 'target': target, 'records': listed, 'digest': digest_of(target, listed)}


def self_test(vectors):
    """The contract's own answers, and those that RFC 8785 prints."""
    assert vectors['cases'][0]['key'] == '4e353669-d28d-8c9e-99b3-1e2c9de495dd'
    assert vectors['digests'][0]['digest'] == '242a6a1b562263ce95b6b39ffe1009af3af711c2826a66a184a63f2fd738a25b'
    sent = {entry['name']: entry['canonical'] for entry in vectors['bodies']}
    assert sent['numbers of RFC 8785'] == '[333333333.3333333,1e+30,4.5,0.002,1e-27]'
    assert sent['strings of RFC 8785'] == '{"literals":[null,true,false],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    assert sent['names of RFC 8785'].startswith('{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":')
    assert sent['numbers'] == '{"n":[0.1,1e+21,1e-7,0,123456789.125,5e-324,1.7976931348623157e+308]}'


def main():
    vectors = {
        'cases': [case(*row) for row in CASES],
        'bodies': [body(*row) for row in BODIES],
        'digests': [digest(*row) for row in DIGESTS],
    }
    self_test(vectors)
    text = json.dumps(vectors, indent=2, ensure_ascii=True) + '\n'
    if '--check' not in sys.argv[1:]:
        OUTPUT.write_text(text, encoding='utf-8')
    elif json.loads(OUTPUT.read_text(encoding='utf-8')) != vectors:
        sys.exit('keys.json is not what vectors.py computes')


if __name__ == '__main__':
    main()
