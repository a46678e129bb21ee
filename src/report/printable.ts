/** Text from files and servers, made safe to look at. */

/** C0, C1, DEL, and characters that change the direction of text or break a line. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** The same without C0, which JSON escapes itself. */
const CONTROLS_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** For a terminal: every control character is replaced by its escape. */
export function printable(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** For JSON text: control characters as `\u` escapes, which is the same value. */
export function escapeControls(json: string): string {
  return json.replace(CONTROLS_IN_JSON, escaped);
}
