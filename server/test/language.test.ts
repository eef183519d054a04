import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const repository = join(import.meta.dirname, '../..')

/** Words that docs/glossary.md has retired, each with what to write instead. They are matched in any case. */
const retiredWords: Record<string, string> = {
  told: 'reported, recorded',
  untold: 'unreported',
  tell: 'report, record, say',
  tells: 'reports, says',
  telling: 'reporting',
  said: 'reported',
  hold: 'lock, pin, keep, contain',
  holds: 'has, contains, applies',
  held: 'locked, leased, assigned',
  holding: 'locking, containing',
  holder: 'owner',
  holders: 'owners',
  longest: 'max…, …Limit, …Timeout',
  fewest: 'min…',
  piece: 'work item, chunk, part',
  pieces: 'work items, chunks, parts',
  taker: 'agent, requester',
  wishes: 'requested',
  stranger: 'unknown, foreign',
  strangers: 'unknown, foreign',
  entrance: 'sign-in, enrolment',
  vain: 'without progress',
  giver: 'source',
  forget: 'delete, purge',
  forgets: 'deletes, purges',
  forgotten: 'deleted, purged',
  dear: 'expensive',
  anew: 'again',
  whoever: 'anyone who',
  house: 'module',
}

/** Retired names and phrases that are not single words. */
const retiredPatterns: [RegExp, string][] = [
  [/\bmost[A-Z]\w*/, 'max…'],
  [/\bshortest[A-Z]\w*/, 'min…'],
  [/\bstandIns?\b/, 'placeholder'],
  [/\b(put|puts|putting)[ -]off\b|\bputOff\b/i, 'postpone'],
  [/\b(give|gives|gave|giving|given) up\b|\bgiveUp\b/i, 'abandon'],
]

/** Texts that contain a retired word and have to stay, each with the reason. */
const allowedTexts: [RegExp, string][] = [
  [/WorkNotHeld/g, 'a problem code of the agent protocol'],
  [/hold_group_trees/g, 'an SQL function of a released migration'],
  [/\\told/g, 'a tab before the word old, in recorded output of dpkg'],
  [/PaintHolding/g, 'the name of a feature of Chromium'],
  [/It is held by process/g, 'a message of dpkg'],
]

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !/(database\/tables|language\.test)\.ts$/.test(file))

/** Splits `holdGroupTrees` into hold, group and trees. */
const wordsOf = (line: string) => line.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.map((word) => word.toLowerCase()) ?? []

/** What a line must contain to be looked at word by word, which takes fifty times as long. */
const perhapsRetired = new RegExp(
  [...Object.keys(retiredWords), ...retiredPatterns.map(([pattern]) => pattern.source)].join('|'),
  'i',
)

function retiredIn(line: string): string[] {
  if (!perhapsRetired.test(line)) return []
  const checked = allowedTexts.reduce((text, [pattern]) => text.replaceAll(pattern, ''), line)
  const words = wordsOf(checked).filter((word) => Object.hasOwn(retiredWords, word))
  const phrases = retiredPatterns.flatMap(([pattern]) => checked.match(pattern)?.[0] ?? [])
  return [...words, ...phrases]
}

test('identifiers, comments and texts use no retired words', () => {
  const offences = sources.flatMap((file) =>
    readFileSync(join(repository, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => retiredIn(line).map((word) => `${file}:${index + 1} ${word}`)),
  )

  expect(sources.length).toBeGreaterThan(1_000)
  expect(offences).toEqual([])
})

test('the check for retired words finds them in names, comments and phrases', () => {
  expect(retiredIn('const heldWork = await holdGroup(db) // told later')).toEqual(['held', 'hold', 'told'])
  expect(retiredIn('  mostPieces, isPutOff, give up, threshold, placeholder')).toEqual([
    'pieces',
    'mostPieces',
    'give up',
  ])
  expect(retiredIn(`problem('WorkNotHeld', 409, 'The lease is lost.')`)).toEqual([])
})

test('no two files of the server export the same name, except types of one concept', () => {
  const exported = sources
    .filter((file) => file.startsWith('server/src/'))
    .flatMap((file) =>
      [
        ...readFileSync(join(repository, file), 'utf8').matchAll(
          /^export (?:async )?(?:const|let|function|class|type|interface) (\w+)/gm,
        ),
      ].map(([, name = '']) => ({ name, file })),
    )
  const files = Map.groupBy(exported, ({ name }) => name)
  const shared = [...files]
    .map(([name, places]) => [name, [...new Set(places.map(({ file }) => file))]] as const)
    .filter(([, places]) => places.length > 1)

  expect(Object.fromEntries(shared)).toEqual({})
})
