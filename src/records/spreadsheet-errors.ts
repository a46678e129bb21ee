/** What a spreadsheet shows instead of a value, in the languages of Excel, LibreOffice and Google Sheets. */

/** By language, without the `#`; Spanish has `¡` or `¿` after it. */
const ERROR_NAMES = [
  'NULL! DIV/0! VALUE! REF! NAME? NUM! N/A n/a SPILL! CALC! FIELD! BLOCKED! CONNECT! UNKNOWN! BUSY! DATA! EXTERNAL! PYTHON!',
  'ERROR! GETTING_DATA CYCLE! CIRC! ERR? MACRO? ADDIN? SQREF?',
  // German, French, Spanish, Italian, Portuguese
  'NV WERT! BEZUG! ZAHL! ÜBERLAUF! KALK! FELD! BLOCKIERT! VERBINDEN! UNBEKANNT! DATEN_ABRUFEN ZYKLUS!',
  'NUL! VALEUR! NOM? NOMBRE! PROPAGATION! EPARS! CHAMP! BLOQUE! CHARGEMENT_DONNEES OBTENTION_DONNEES',
  'NULO! VALOR! NOMBRE? NÚM! NUM! DESBORDAMIENTO! CAMPO! BLOQUEADO! OBTENIENDO_DATOS N/D',
  'NULLO! VALORE! RIF! NOME? ESPANSIONE! CALCOLO! BLOCCATO! ESTRAZIONE_DATI DESPEJAR! DERRAMAR!',
  // Dutch, Swedish, Danish, Norwegian, Finnish
  'LEEG! DEEL/0! WAARDE! VERW! NAAM? GETAL! N/B OVERLOOP! BEREKENEN! VELD!',
  'SKÄRNING! DIVISION/0! VÄRDEFEL! REFERENS! NAMN? OGILTIGT! SAKNAS! SPILL! BERÄKNA! VÆRDI! REFERENCE! NAVN? I/T OVERLØB! VERDI! FLYTOVER!',
  'TYHJÄ! JAKO/0! ARVO! VIITTAUS! NIMI? LUKU! PUUTTUU! PUUTTUU LASKE!',
  // Polish, Czech, Slovak, Slovenian, Croatian, Hungarian, Romanian
  'ZERO! DZIEL/0! ARG! ADR! NAZWA? LICZBA! N/D! ROZLANIE! OBL!',
  'DĚLENÍ_NULOU! HODNOTA! ODKAZ! NÁZEV? ČÍSLO! NENÍ_K_DISPOZICI PŘESAH! DELENIENULOU! NÁZOV? NEDOSTUPNÝ NIČ!',
  'DEL/0! VREDN! VRED! SKLIC! IME? ŠTEV! N/V DIJ/0! VRIJEDNOST! NAZIV? BROJ!',
  'NULLA! ZÉRÓOSZTÓ! ÉRTÉK! HIV! NÉV? SZÁM! HIÁNYZIK KIBONTÁS! VALOARE! NUME?',
  // Turkish, Greek, Russian, Ukrainian
  'BOŞ! SAYI/0! DEĞER! BAŞV! AD? SAYI! YOK TAŞMA! HESAPLA! ΚΕΝΟ! ΔΙΑΙΡ./0! ΔΙΑΙΡ/0! ΤΙΜΗ! ΑΝΑΦ! ΟΝΟΜΑ? ΑΡΙΘ! Δ/Υ',
  'ПУСТО! ДЕЛ/0! ЗНАЧ! ССЫЛКА! ИМЯ? ЧИСЛО! Н/Д ПЕРЕНОС! ВЫЧИСЛ! ПОЛЕ! ДІЛ/0! ПОСИЛАННЯ! ІМЯ? Н/Д!',
].join(' ');

const ERROR_WORDS: ReadonlySet<string> = new Set(ERROR_NAMES.split(' ').map((name) => `#${name}`));
/** LibreOffice numbers its errors: `Err:502`. */
const NUMBERED_ERROR =
  /^(?:Err|Error|Fehler|Erro|Erreur|Fout|Fejl|Feil|Fel|Virhe|Błąd|Chyba|Hiba|Hata|Ошибка|エラー|错误|錯誤|오류) ?: ?5\d\d$/;
const LONGEST_ERROR_WORD = 24;
const NARROW = /^#+$/;

/** `########`: the column was too narrow for its value. */
export function isNarrowCell(text: string): boolean {
  return text.charAt(0) === '#' && NARROW.test(text.trim());
}

/** Whether a text is only such a word, or a cell of nothing but `#`. */
export function isSpreadsheetError(text: string): boolean {
  if (!mayBeError(text)) return false;
  const word = text.trim();
  if (NARROW.test(word)) return true;
  if (word.length > LONGEST_ERROR_WORD) return false;
  return ERROR_WORDS.has(word.normalize('NFC').replace(/^#[¡¿]/, '#')) || NUMBERED_ERROR.test(word);
}

/** Only for speed: one look at a text rules out most. */
export function mayBeError(text: string): boolean {
  const first = text.charCodeAt(0);
  return (
    first === NUMBER_SIGN ||
    first <= SPACE ||
    first === NO_BREAK_SPACE ||
    (text.length <= LONGEST_ERROR_WORD && text.includes(':'))
  );
}

const NUMBER_SIGN = 0x23;
const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
