/**
 * Characters that a reader cannot see, but that change what is read: control characters, which terminals obey, format
 * characters, some of which reverse the direction of writing ("gnp.exe" would read as "exe.png"), and what looks like nothing at all.
 * Line breaks and tabs stay. So do the signs before Arabic and Syriac numbers, which are visible.
 */
const alwaysDeceptive =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]--[\n\t\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]--[\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]/v

/** Characters that change the one before: they stay where a script needs them, and would be invisible elsewhere. */
const elsewhereDeceptive = [
  // Joiners, which Persian, Indic scripts and emoji need.
  /(?<![\P{ASCII}--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u200c\u200d]])[\u200c\u200d]/v,
  // The choice between emoji and text, even for a key such as 1\ufe0f\u20e3.
  /(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f](?!\u20e3)/v,
  // Variants of Mongolian and Chinese characters.
  /(?<!\p{Script=Mongolian})[\u180b-\u180d\u180f]/v,
  /(?<!\p{Script=Han})[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]/v,
]

const deceptive = new RegExp([alwaysDeceptive, ...elsewhereDeceptive].map(({ source }) => source).join('|'), 'gv')

/** A text of somebody else as it can be shown: each deceptive character as its escape, `\u202e`. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(/\r\n/g, '\n').replace(deceptive, escapeOf)
}

/** The same in one line, for tables, titles and messages. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]+/g, ' ')
}

/** Lines of a message: what others wrote in one of them cannot look like another. */
export function visibleLines(lines: string | readonly string[]): string {
  return [lines].flat().map(visibleLine).join('\n')
}

/** Whether a text has characters that would be shown as escapes in one line. */
export function isDeceptive(text: string): boolean {
  return visibleLine(text) !== text
}

/** JSON as it can be shown: deceptive characters within its texts as escapes of JSON so that it means the same. */
export function visibleJson(json: string): string {
  return json.replace(deceptive, (character) => character.split('').map(toJsonEscape).join(''))
}

const toJsonEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}
