/** What a reader of JSON accepts. Untrusted text is measured before it is parsed. */
export type JsonLimits = {
  maxDepth: number
  /** The number of values, counted by commas and opening brackets. */
  maxValues?: number
}

/**
 * A CSAF document with 30 levels of branches, the deepest that anyone sends, has 66. The parser takes seconds for millions of
 * levels, and code that walks the result overflows its stack at thousands.
 */
const defaultLimits: JsonLimits = { maxDepth: 100 }

/** No text is this long. A small integer keeps the comparison cheap. */
const noLimit = 2 ** 30

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Returns how JSON exceeds the limits, as a predicate, or undefined. Invalid JSON is measured up to its first fault at
 * least, and the parser gets no further. The bytes of UTF-8 beyond ASCII are never those of a bracket or a quote.
 */
export function findJsonExcess(
  json: Uint8Array,
  { maxDepth, maxValues = noLimit } = defaultLimits,
): string | undefined {
  // Every level takes a byte.
  if (json.length <= maxDepth) return undefined
  const tooMany = `has more than ${maxValues} values`
  const end = json.length
  let [at, depth, values] = [0, 0, 0]
  while (at < end) {
    const byte = json[at++] as number
    if (byte === quote) {
      for (; at < end; at++) {
        const inString = json[at] as number
        if (inString === quote) break
        if (inString === backslash) at++
      }
      at++
    } else if (byte >= openBracket) {
      // Of what stands between values, only letters are here as well.
      if (byte === openBrace || byte === openBracket) {
        values++
        if (++depth > maxDepth) return `is nested deeper than ${maxDepth} levels`
      } else if (byte === closeBrace || byte === closeBracket) depth--
    } else if (byte === comma && ++values > maxValues) return tooMany
  }
  return values > maxValues ? tooMany : undefined
}
