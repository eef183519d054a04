/** Escapes the wildcards of a text for use in a LIKE pattern. */
export function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** The LIKE pattern that matches everything that contains the text. Names are stored with composed characters. */
export function containing(text: string): string {
  return `%${literal(text.normalize('NFC'))}%`
}
