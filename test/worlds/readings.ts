/**
 * How the oracle reads the CONTRACT where it can be read in more than one way. What is listed as tolerated may be either:
 * both are safe. To settle a case, change its line here and take its name out of TOLERATED.
 */
export interface Readings {
  /** A corrected row under --key-columns has the key of its columns, and not that of what it corrects. */
  readonly columnsBeforeReplaces: boolean;
  /** A row whose own key is the payment that it names, unchanged, is told by that key alone. */
  readonly ownKeyTells: boolean;
  /** A record that is itself in doubt, and would be sent again under its key, is asked about when it resembles another. */
  readonly doubtIsAskedAbout: boolean;
  /** A corrected correction resembles no payment of the first run either. */
  readonly correctsWholeChain: boolean;
  /** A payment belongs to every run that lists it, or to the first of them and the one that brought its state about. */
  readonly isOfEveryRun: boolean;
  /** In other batches too, records with own keys resemble each other only by the same content. */
  readonly ownKeysOnlyByContentElsewhere: boolean;
  /** A correction in doubt in another batch is told at any age, not only for 6 days. */
  readonly doubtfulCorrectionAtAnyAge: boolean;
  /** A correction in another batch is told whenever it was paid since the run began that goes on, as other payments are. */
  readonly correctionSinceTheRunCounts: boolean;
  /** A call that sends and leaves out nothing is remembered for its --key-lifetime all the same. */
  readonly idleCallsAreRemembered: boolean;
  /** `open-unknown` and `rejected-left` leave out what a record of the input stands for without having its key. */
  readonly stoodForIsInInput: boolean;
  /** A record that a run had left out before the journal was pruned has no body any more, so it stays left out. */
  readonly leftOutIsPruned: boolean;
  /** A correction that a run left out is asked about as that run did, and not as a correction of what was paid. */
  readonly leftOutIsAskedAsBefore: boolean;
  /** (b) A task that all results of a file share does not count, as it is with references of payouts. */
  readonly sharedTaskDoesNotCount: boolean;
  /** In another batch, the same amount is one of the same currency. */
  readonly currencyCountsElsewhere: boolean;
  /** A row with an empty cell gigwork_key is held against the user IDs that the journal knows. */
  readonly emptyCellsLoseZeros: boolean;
  /** A key protects while an attempt that ends at its time-out would still find it, and clocks may differ. */
  readonly timeIsKeptForTheAttempt: boolean;
  /** What stood in several files is compared by the last of them, and not by the first. */
  readonly lastFileCounts: boolean;
  /** (c) and (d): a payment has the places of every file that it stood in, and not of the first alone. */
  readonly everyFileCounts: boolean;
  /** (d) A file repeats a payment of a run also where a row of it only resembles that. */
  readonly likenessRepeats: boolean;
  /** A row of the rejects that was not changed is asked about, too, where its batch has paid the same content. */
  readonly unchangedRowsAreAskedAbout: boolean;
  /** (d) A file repeats a payment of a run also where that was rejected. */
  readonly rejectedIsRepeated: boolean;
  /** A record that resembles an open payment, and one that was paid, is `open-before`. */
  readonly openComesFirst: boolean;
  /** A corrected row with the content of an open payment of the run that it corrects is asked about. */
  readonly correctionsMeetOpenOnes: boolean;
  /** Under --skip-similar a record stands for the newest payment that it resembles, or is not left out. */
  readonly onlyTheNewestIsStoodFor: boolean;
  /** "The only other batch that has paid the same": records that reference or date tell apart are not the same. */
  readonly toldApartIsNotTheSame: boolean;
  /** A run that is resumed was given a name for its batch, unless that is the default one. */
  readonly runsNameTheirBatch: boolean;
  /** `known-elsewhere`: the same content under another key, too. */
  readonly elsewhereByContent: boolean;
  /** `known-elsewhere`: only records that would be sent. */
  readonly elsewhereIfSent: boolean;
  /** `similar-rows`: told by a run that is resumed, too. */
  readonly resumesTellSimilarRows: boolean;
  /** `similar-rows`: two rows of one content are not identical where one has a key of its own. */
  readonly ownKeysMakeOtherRows: boolean;
  /** `similar-rows`: two rows with own keys that differ only in how they are written, too. */
  readonly ownKeysOfRowsAreCompared: boolean;
  /** `similar-rows`: invalid records, too. */
  readonly invalidRowsAreSimilar: boolean;
  /** A file that has other bytes when its run is resumed is told. */
  readonly changedFilesAreTold: boolean;
  /** A rejected payment counts for `rejected-left` by the last run that lists it; or else by the one that had it rejected. */
  readonly lastRunCounts: boolean;
}

export const READINGS: Readings = {
  columnsBeforeReplaces: false,
  ownKeyTells: true,
  doubtIsAskedAbout: true,
  correctsWholeChain: true,
  isOfEveryRun: true,
  ownKeysOnlyByContentElsewhere: false,
  doubtfulCorrectionAtAnyAge: false,
  correctionSinceTheRunCounts: true,
  idleCallsAreRemembered: true,
  stoodForIsInInput: true,
  leftOutIsPruned: true,
  leftOutIsAskedAsBefore: true,
  lastRunCounts: true,
  sharedTaskDoesNotCount: false,
  currencyCountsElsewhere: false,
  emptyCellsLoseZeros: true,
  timeIsKeptForTheAttempt: true,
  lastFileCounts: false,
  everyFileCounts: true,
  likenessRepeats: false,
  unchangedRowsAreAskedAbout: false,
  rejectedIsRepeated: false,
  openComesFirst: true,
  correctionsMeetOpenOnes: false,
  onlyTheNewestIsStoodFor: false,
  toldApartIsNotTheSame: false,
  runsNameTheirBatch: true,
  elsewhereByContent: false,
  elsewhereIfSent: false,
  resumesTellSimilarRows: true,
  ownKeysMakeOtherRows: true,
  ownKeysOfRowsAreCompared: true,
  invalidRowsAreSimilar: false,
  changedFilesAreTold: true,
};

/** The oracle accepts either: what a call did decides which it was. */
const TOLERATED: readonly (keyof Readings)[] = [
  'ownKeyTells',
  'doubtIsAskedAbout',
  'correctsWholeChain',
  'isOfEveryRun',
  'ownKeysOnlyByContentElsewhere',
  'doubtfulCorrectionAtAnyAge',
  'correctionSinceTheRunCounts',
  'idleCallsAreRemembered',
  'stoodForIsInInput',
  'leftOutIsPruned',
  'leftOutIsAskedAsBefore',
  'lastRunCounts',
  'sharedTaskDoesNotCount',
  'currencyCountsElsewhere',
  'emptyCellsLoseZeros',
  'lastFileCounts',
  'everyFileCounts',
  'likenessRepeats',
  'unchangedRowsAreAskedAbout',
  'rejectedIsRepeated',
  'openComesFirst',
  'correctionsMeetOpenOnes',
  'onlyTheNewestIsStoodFor',
  'toldApartIsNotTheSame',
  'runsNameTheirBatch',
  'elsewhereByContent',
  'elsewhereIfSent',
  'ownKeysMakeOtherRows',
  'ownKeysOfRowsAreCompared',
  'invalidRowsAreSimilar',
  'changedFilesAreTold',
];

/** How a call may end that leaves out a record for a payment in doubt. */
export const LEFT_OUT_IN_DOUBT: readonly number[] = [5, 6];

/** The chosen readings first, then those that differ in one tolerated case, then those that differ in two. */
export function acceptable(): Readings[] {
  const flip = (readings: Readings, name: keyof Readings): Readings => ({ ...readings, [name]: !readings[name] });
  const ones = TOLERATED.map((name) => flip(READINGS, name));
  const twos = TOLERATED.flatMap((name, i) => TOLERATED.slice(i + 1).map((other) => flip(flip(READINGS, name), other)));
  return [READINGS, ...ones, ...twos];
}
