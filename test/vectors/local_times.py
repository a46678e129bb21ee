#!/usr/bin/env python3
"""Known answers for local times: the UNIX seconds at which the clocks of a zone show them, by Python's zoneinfo.

    python3 test/vectors/local_times.py        writes local-times.json beside this file

Each row: zone, local time, and its moments: none if the clocks skip the time, two if they are set back. Half of the
times are within minutes of a change of the clocks. Other versions of the time zone database may know other changes.
"""

import json
import random
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

OUTPUT = Path(__file__).with_name('local-times.json')
ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC']
FIRST_YEAR, LAST_YEAR = 1970, 2100
RANDOM_TIMES, CHANGES = 12, 9


def moments(local, zone):
    found = set()
    for fold in (0, 1):
        at = local.replace(tzinfo=zone, fold=fold).astimezone(timezone.utc)
        if at.astimezone(zone).replace(tzinfo=None, fold=0) == local:
            found.add(int(at.timestamp()))
    return sorted(found)


def changes(zone):
    """The first second after each change, with the offsets before and after it."""
    offset = lambda at: at.astimezone(zone).utcoffset()
    at, end = datetime(FIRST_YEAR, 1, 1, tzinfo=timezone.utc), datetime(LAST_YEAR, 1, 1, tzinfo=timezone.utc)
    while at < end:
        low, high = at, at + timedelta(hours=6)
        at = high
        if offset(low) == offset(high):
            continue
        while high - low > timedelta(seconds=1):
            middle = (low + (high - low) // 2).replace(microsecond=0)
            low, high = (middle, high) if offset(middle) == offset(low) else (low, middle)
        yield high, offset(low), offset(high)


def rows():
    chance = random.Random(1)
    for name in ZONES:
        zone = ZoneInfo(name)
        minutes = (LAST_YEAR - FIRST_YEAR) * 365 * 1440
        times = [datetime(FIRST_YEAR, 1, 2) + timedelta(minutes=chance.randrange(minutes)) for _ in range(RANDOM_TIMES)]
        known = list(changes(zone))
        for at, before, after in chance.sample(known, min(CHANGES, len(known))):
            shown = sorted([(at + before).replace(tzinfo=None), (at + after).replace(tzinfo=None)])
            middle = shown[0] + (shown[1] - shown[0]) / 2
            minute = timedelta(minutes=1)
            times += [shown[0] - minute, shown[0], middle, shown[1] - minute, shown[1]]
        for local in times:
            yield [name, local.strftime('%Y-%m-%d %H:%M'), moments(local, zone)]


OUTPUT.write_text('[\n' + ',\n'.join(f'  {json.dumps(row)}' for row in rows()) + '\n]\n')
