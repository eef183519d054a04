/** No answer of the service has half as many levels. Without the limit, recursive code could overflow the stack and end the agent. */
const maxDepth = 32

const [quote, backslash] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)]
const [openings, closings] = [charactersOf('[{'), charactersOf(']}')]

function charactersOf(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0))
}

/** Parses JSON, unless it has too many levels. The text is checked first, because deeply nested values take a lot of memory. */
export function parseJson(text: string): unknown {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (isInText && character === backslash) at += 1
    else if (character === quote) isInText = !isInText
    else if (isInText) continue
    else if (openings.includes(character)) depth += 1
    else if (closings.includes(character)) depth -= 1
    if (depth > maxDepth) throw new SyntaxError(`it has more than ${maxDepth} levels`)
  }
  return JSON.parse(text)
}
