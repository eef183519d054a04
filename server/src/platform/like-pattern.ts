/** The text as a part of a LIKE pattern in which none of its characters is a wildcard. */
export function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** The pattern of everything that contains the text. */
export function containing(text: string): string {
  return `%${literal(text)}%`
}
