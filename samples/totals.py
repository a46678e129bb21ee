#!/usr/bin/env python3
"""What the sample files add up to, computed without gigwork: Python's csv, json and decimal, nothing else.

    python3 samples/totals.py            prints the table of totals as it stands in README.md
    python3 samples/totals.py --check    fails when the table in README.md differs

Amounts follow service-interface.md: a payout counts its amount, a result quantity x base_price x multiplier (cents),
a gig the sum of its tasks' base_price (cents, per seat). In the bad files only valid records count: those for which
README.md lists no error.
"""

import csv
import io
import json
import re
import sys
from decimal import Decimal
from pathlib import Path

HERE = Path(__file__).parent
README = (HERE / 'README.md').read_text(encoding='utf-8')
TYPES = {'gigs': 'gig', 'results': 'result', 'payouts': 'payout', 'payroll': 'payout'}


def type_of(path):
    return TYPES[re.match('[a-z]+', path.name)[0]]


def flattened(value, prefix=''):
    """Nested members by dot path, as the CSV files name them."""
    members = value.items() if isinstance(value, dict) else enumerate(value)
    flat = {}
    for name, member in members:
        if isinstance(member, (dict, list)):
            flat |= flattened(member, f'{prefix}{name}.')
        else:
            flat[f'{prefix}{name}'] = member
    return flat


def read(path):
    """The records of a file in order, flat, without empty fields; numbers are text or Decimal, never float."""
    text = path.read_text(encoding='utf-8')
    numbers = {'parse_float': Decimal, 'parse_int': Decimal}
    if path.suffix == '.csv':
        rows = list(csv.DictReader(io.StringIO(text, newline=''), strict=True))
    elif path.suffix == '.ndjson':
        rows = [flattened(json.loads(line, **numbers)) for line in text.rstrip('\n').split('\n')]
    else:
        rows = [flattened(record) for record in json.loads(text, **numbers)]
    return [{name: value for name, value in row.items() if value not in ('', None)} for row in rows]


def prices():
    return {row['gig_task_id']: Decimal(row['base_price']) for row in read(HERE / 'prices.csv')}


def amount_of(record_type, record, known):
    """The exact amount, or None for a result whose base price is not known."""
    if record_type == 'payout':
        return Decimal(record['amount'])
    if record_type == 'gig':
        paths = [name for name in record if re.fullmatch(r'tasks\.\d+\.base_price', name)]
        return sum((Decimal(record[path]) for path in paths), Decimal(0))
    price = record.get('base_price') or known.get(record['gig_task_id'])
    if price is None:
        return None
    return Decimal(record['quantity']) * Decimal(price) * Decimal(record.get('multiplier', '1.0'))


def cost_center_of(record):
    names = ('cost_center_key', 'cost_center_data.partner_project_code', 'cost_center_data.customer_id')
    return next((record[name] for name in names if name in record), None)


def invalid_records(path):
    """Numbers of the records that README.md lists with an error, from the table under the file's heading."""
    section = re.search(rf'^### `{re.escape(path.name)}`\n(.*?)(?=^##|\Z)', README, re.M | re.S)
    return {int(number) for number in re.findall(r'^\| \d+ \| (\d+) \| error ', section[1], re.M)} if section else set()


def plain(amount):
    text = format(amount, 'f')
    return text.rstrip('0').rstrip('.') if '.' in text else text


def rows_of(path):
    record_type, known, wrong = type_of(path), prices(), invalid_records(path)
    groups = {}
    for number, record in enumerate(read(path), start=1):
        if number in wrong:
            continue
        place = (record.get('currency') or '—', cost_center_of(record) or '—')
        amount = amount_of(record_type, record, known)
        count, total, unpriced = groups.get(place, (0, Decimal(0), 0))
        groups[place] = (count + 1, total + (amount or 0), unpriced + (amount is None))
    for place in sorted(groups):
        yield place, groups[place]
    currencies = sorted({currency for currency, _ in groups})
    for currency in currencies:
        members = [figures for (own, _), figures in groups.items() if own == currency]
        yield (f'**{currency}**', '**all**'), tuple(sum(column) for column in zip(*members))


def table():
    lines = ['| file | currency | cost center | records | amount | unpriced |', '|---|---|---|---:|---:|---:|']
    for names, first in FILES:
        for (currency, center), (count, amount, unpriced) in rows_of(HERE / first):
            lines.append(f'| {names} | {currency} | {center} | {count} | {plain(amount)} | {unpriced} |')
    return '\n'.join(lines)


FILES = [
    ('payouts.*', 'payouts.csv'),
    ('results.*', 'results.csv'),
    ('gigs.*', 'gigs.csv'),
    ('payroll-2026-11.csv', 'payroll-2026-11.csv'),
    ('payouts-bad.csv', 'payouts-bad.csv'),
    ('results-bad.csv', 'results-bad.csv'),
    ('gigs-bad.ndjson', 'gigs-bad.ndjson'),
]


def check():
    for stem in ('payouts', 'results', 'gigs'):
        in_each = [list(rows_of(HERE / f'{stem}.{ending}')) for ending in ('csv', 'json', 'ndjson')]
        if in_each[1:] != in_each[:-1]:
            sys.exit(f'the three files of {stem} do not add up to the same')
    if table() not in README:
        sys.exit('the table of totals in README.md differs')


if __name__ == '__main__':
    if '--check' in sys.argv[1:]:
        check()
    else:
        print(table())
