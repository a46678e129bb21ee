/** What a person has said so far, with one thing more. */
import type { Answers } from '../input/setup/survey.js';

/** The column gives the field, and no other column does. */
export function withColumn(answers: Answers, name: string, path: string): Answers {
  const { map, ignore, set } = answers.columns;
  const others = [...map].filter(([, other]) => other !== path);
  return {
    ...withoutValue(answers, path),
    columns: {
      map: new Map([...others, [name, path]]),
      ignore: new Set([...ignore].filter((other) => other !== name)),
      set: set.filter((other) => other !== path),
    },
  };
}

/** The column gives nothing. */
export function withDropped(answers: Answers, name: string): Answers {
  const { map, ignore, set } = answers.columns;
  const kept = new Map([...map].filter(([other]) => other !== name));
  return { ...answers, columns: { map: kept, ignore: new Set([...ignore, name]), set } };
}

/** Every record gets the value. */
export function withValue(answers: Answers, path: string, value: string): Answers {
  const { columns, set } = answers;
  const paths = [...columns.set.filter((other) => other !== path), path];
  return { ...answers, columns: { ...columns, set: paths }, set: new Map([...set, [path, value]]) };
}

function withoutValue(answers: Answers, path: string): Answers {
  return { ...answers, set: new Map([...answers.set].filter(([other]) => other !== path)) };
}
