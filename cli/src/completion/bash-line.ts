/** A command line of bash up to the cursor. */
export type BashLine = {
  /** The words after the command, without quotes; the last one is completed. */
  words: readonly string[]
  /**
   * What bash puts into the line for a candidate, and later runs. It replaces only a part of the last word. Undefined if the
   * quotes of the line cannot contain the candidate.
   */
  toReply(candidate: string): string | undefined
}

/** Characters at which the completion of bash begins another word, although the shell does not. `@` belongs to the new word. */
const breaks = /[@=:]/

export function parseBashLine(line: string): BashLine {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  /** The beginning of the last word that bash leaves as it is. */
  let kept = ''
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? ''
    if (quote === '' && /\s/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
      kept = ''
      continue
    }
    word ??= ''
    if (letter === quote) quote = ''
    else if (quote === '' && (letter === '"' || letter === "'")) quote = letter
    else {
      const isEscaped = letter === '\\' && quote !== "'"
      if (isEscaped) at++
      const before = word
      word += isEscaped ? (line[at] ?? '') : letter
      if (quote === '' && !isEscaped && breaks.test(letter)) kept = letter === '@' ? before : word
    }
  }
  return {
    words: [...words, word ?? ''].slice(1),
    toReply(candidate) {
      if (quote === '') return escapeForBash(candidate.slice(kept.length))
      if (quote === "'") return candidate.includes("'") ? undefined : candidate
      // The history is expanded in double quotes, and nothing but the end of the quotes prevents it.
      return candidate.includes('!') ? undefined : candidate.replaceAll(/["\\$`]/g, '\\$&')
    },
  }
}

const escapeForBash = (text: string) => text.replaceAll(/[\s"'\\$`!*?()[\]{}<>|&;#~^]/g, '\\$&')
