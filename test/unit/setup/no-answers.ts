import type { Answers } from '../../../src/setup/answers.js';

/** A person who has said nothing yet. */
export const NO_ANSWERS: Answers = {
  type: null,
  headerLine: null,
  decimal: null,
  dateOrder: null,
  negate: null,
  padShortRows: false,
  trim: null,
  allowNegative: false,
  allowTotalRow: false,
  profile: null,
  baseUrl: null,
  map: new Map(),
  ignore: new Set(),
  ignoreOthers: false,
  set: new Map(),
  setForAll: [],
  only: [],
  settled: new Set(),
};
