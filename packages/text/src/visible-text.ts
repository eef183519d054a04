/**
 * Characters that a reader cannot see, but that change what is read: control characters, which terminals obey, and format
 * characters, some of which reverse the direction of writing ("gnp.exe" would read as "exe.png"). Line breaks and tabs stay.
 * So do the joiners, which Persian, Indic scripts and emoji need, and the signs before Arabic and Syriac numbers, which are visible.
 */
const deceptive =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n\t\u200c\u200d\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/gv

/** A text of somebody else as it can be shown: each deceptive character as its escape, `\u202e`. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(/\r\n/g, '\n').replace(deceptive, escapeOf)
}

/** The same in one line, for tables, titles and messages. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]+/g, ' ')
}

/** Whether a text has characters that would be shown as escapes in one line. */
export function isDeceptive(text: string): boolean {
  return visibleLine(text) !== text
}

/** JSON as it can be shown: deceptive characters within its texts as escapes of JSON, so that it means the same. */
export function visibleJson(json: string): string {
  return json.replace(deceptive, (character) => character.split('').map(toJsonEscape).join(''))
}

const toJsonEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}
