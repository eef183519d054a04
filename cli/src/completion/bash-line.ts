/** A command line of bash up to the cursor. */
export type BashLine = {
  /** The words after the command, without quotes; the last one is completed. */
  words: readonly string[]
  /** What bash puts into the line for a candidate. It replaces only a part of the last word. */
  toReply(candidate: string): string
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
  const isQuoted = quote !== ''
  return {
    words: [...words, word ?? ''].slice(1),
    toReply: (candidate) => (isQuoted ? candidate : escapeForBash(candidate.slice(kept.length))),
  }
}

const escapeForBash = (text: string) => text.replaceAll(/[\s"'\\$`!*?()[\]{}<>|&;#~^]/g, '\\$&')
