import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../src/texts')

/** The texts, each with the number one. Texts that take no numbers are left out. */
function* textsAboutOne(value: unknown, path: string): Generator<[path: string, text: string]> {
  if (typeof value === 'function') {
    try {
      const text: unknown = value(1, 1, 1, 1, 1, 1)
      if (typeof text === 'string') yield [path, text]
    } catch {
      // It takes no numbers.
    }
  } else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) yield* textsAboutOne(part, `${path}.${name}`)
}

async function readTexts(language: string): Promise<[path: string, text: string][]> {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${language}-`))
  const found = files.map(async (file) => {
    const texts: object = await import(join(folder, file))
    return Object.values(texts).flatMap((part) => [...textsAboutOne(part, file)])
  })
  return (await Promise.all(found)).flat()
}

// Those that name all of many are never about one.
const german = [
  /(?<!Alle |einer von )\b1 (Computern|Gruppen|Pakete|Paketen|Aufgaben|Aufträge|Aufträgen|Agenten|Stunden|Minuten|Tage|Tagen|Ringe|Ringen|Versuche|Rollouts)\b/,
  /(^|[.;:] )1 \S+ (sind|haben|dürfen|werden|melden|erhalten|warten|folgen)\b/,
  /\b(sind|haben|werden|waren|dürfen) (noch )?1 (?!%)/,
  /\b1 dürfen\b/,
]
const english = [
  /(?<!all |one of )\b1 (computers|agents|groups|roles|times|packages|patches|tasks|rollouts|requests|rings|minutes|hours|days|files)\b/i,
  /\b1 (computer|agent|package|group|rollout|task)s? (are|have|were)\b/,
]

test.each([
  ['de', german],
  ['en', english],
] as const)('no text speaks of one thing in the plural (%s)', async (language, patterns) => {
  const texts = await readTexts(language)
  const wrong = texts.filter(([, text]) => patterns.some((pattern) => pattern.test(text)))

  expect(texts.length).toBeGreaterThan(200)
  expect(wrong).toEqual([])
})
