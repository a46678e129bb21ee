/** Columns without a name, and columns of one name, in setup: settled by their position, or refused with the way out. */
import { describe, expect, it } from 'vitest';
import { distinctNames, refuseSameNames } from '../../../src/setup/column-names.js';
import { NO_ANSWERS } from './no-answers.js';

const NAMES = ['', 'user_id', 'Währung', 'Währung', 'Notiz', 'Notiz'];
const isField = (name: string): boolean => name !== 'Notiz';

describe('columns that setup tells apart', () => {
  it('have their position where the answers settle them by it', () => {
    const answers = { ...NO_ANSWERS, ignore: new Set(['#1', '#4']), map: new Map([['#3', 'currency']]) };
    expect(distinctNames(NAMES, answers, isField)).toEqual(['#1', 'user_id', '#3', '#4', 'Notiz', 'Notiz']);
  });

  it('and where both of a name are dropped', () => {
    const names = distinctNames(NAMES, { ...NO_ANSWERS, ignoreOthers: true }, isField);
    expect(names).toEqual(['', 'user_id', 'Währung', 'Währung', '#5', '#6']);
  });

  it('are refused with their positions where both are left', () => {
    expect(() => refuseSameNames(NAMES, 1, NO_ANSWERS, 'linux')).toThrow(
      /#3 and #4.*--ignore-column '#3' or --ignore-column '#4'/,
    );
    const ignored = { ...NO_ANSWERS, ignore: new Set(['Währung', 'Notiz']) };
    expect(() => refuseSameNames(NAMES, 1, ignored, 'linux')).not.toThrow();
  });
});
