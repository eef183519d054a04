/**
 * A key of several texts, for maps and sets. Different texts have different keys, whatever characters they contain: texts that
 * are joined with a separator can contain the separator themselves.
 */
export function compositeKey(...parts: readonly (string | number | boolean | null | undefined)[]): string {
  return JSON.stringify(parts)
}

/** The same for names that are equal regardless of case. */
export function caselessKey(...parts: readonly string[]): string {
  return JSON.stringify(parts.map((part) => part.toLowerCase()))
}
