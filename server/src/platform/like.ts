/** A LIKE pattern that matches this text and nothing else: its own wildcards and escapes are taken literally. */
export function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** A LIKE pattern for the texts in which this one occurs. */
export function containing(text: string): string {
  return `%${literally(text)}%`
}
