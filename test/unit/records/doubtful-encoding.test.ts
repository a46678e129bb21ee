/** Words that show that Windows-1252 was guessed wrongly. CONTRACT: `--encoding`. */
import { describe, expect, it } from 'vitest';
import { encodingDoubtIn } from '../../../src/records/doubtful-encoding.js';

const wordOf = (text: string): string | null => encodingDoubtIn(text, true)?.word ?? null;

describe('a word that is not Western', () => {
  it.each<[string, string, string]>([
    ['Russian in Windows-1251', 'Èâàí 5', 'Èâàí'],
    ['Greek in Windows-1253', 'für Ãéþñãïò', 'Ãéþñãïò'],
    ['Polish in Windows-1250, at the start of a word', 'Herr ³ukasz', '³ukasz'],
    ['and within it', 'Wa³êsa', 'Wa³êsa'],
    ['and at its end', 'Pawe³ K.', 'Pawe³'],
    ['and after an m', 'um³y', 'um³y'],
    ['German on an old Mac', 'mŸller', 'mŸller'],
    ['a letter before an inverted mark', 'ma¿', 'ma¿'],
    ['Slovak', 'Bie¾', 'Bie¾'],
  ])('%s', (_name, text, word) => {
    expect(wordOf(text)).toBe(word);
    expect(encodingDoubtIn(text, true)?.problem).toContain('save it as CSV UTF-8, or name --encoding');
    expect(encodingDoubtIn(text, false)).toBeNull();
  });
});

describe('Western texts', () => {
  it.each([
    'Müller Straße Größe ÄÖÜ',
    'créées été Élysée L’Haÿ-les-Roses L’HAŸ',
    '¿Qué? ¡Señor! (¡ay!) ¿¡Qué!?',
    '25 m², 3 m³, 5m³/h, cm³ m³ mm³ M³',
    '1½ 2½fach ½ 4×5 2×Bonus 3 × 4 ½-Tag',
    'þýð óþýður Þórður Ægir æðarvarp',
    'Ærø Øresund Ångström',
    'Kreuz-Apotheke, 12 °C, «Bonus», 5 €, 3 £',
    'Façade no. 3¹',
    'œuvre Œ Šimon Žofia',
  ])('%s', (text) => {
    expect(wordOf(text)).toBeNull();
  });
});
