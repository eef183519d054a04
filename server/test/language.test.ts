import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const repository = join(import.meta.dirname, '../..')

/** Words that docs/glossary.md has retired, each with what to write instead. Upper and lower case are the same. */
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

/** Retired names and phrases that are not single words. A phrase may continue on the next line. */
const retiredPatterns: [RegExp, string][] = [
  [/\bmost[A-Z]\w*/, 'max…'],
  [/\bshortest[A-Z]\w*/, 'min…'],
  [/\bstandIns?\b/, 'placeholder'],
  [/\b(put|puts|putting)[ -]off\b|\bputOff\b/i, 'postpone'],
  [/\b(give|gives|gave|giving|given) up\b|\bgiveUp\b/i, 'abandon'],
  [/\b(work|leased|package)[ -]?orders?\b(?! by\b)/i, 'work item'],
  [/\border\??\.(workId|attempt|kind|package|power|started|content)\b/, 'item, for a work item'],
  [/, so that\b/, '", so" for a consequence, "so that" without a comma for a purpose'],
  [/\b(is|has)?emptyHanded\b|\bempty_handed\b/i, 'hasNoLeasedWork'],
  [/\bhasComeBack\b|\bhas_come_back\b/, 'isDuplicateProcess'],
  [/\bhasDone\b/, 'what was done: hasResult, isFinished'],
  [/\bgoes(Down|Ahead|On)\b/, 'isPoweringDown, shouldProceed'],
  [/\bwaits? whether\b/i, 'wait to see if'],
  [/\bso many percent\b/i, 'percentage of'],
  [
    /\b(at most|up to|from|only|with|of|in|for|after|accepts) so (many|much|long)\b|^\W*So (many|often|long)\b/,
    'this many, how many',
  ],
  [/\belse than\b/i, 'other than'],
  [/\b(an)?other [\w-]+( [\w-]+){0,3}(?<!more|less|fewer|later|longer|older) than\b/i, 'different from, other than'],
  [/\bthe own\b(?! values?\b)/i, 'its own'],
  [/\b(while|as|what|when) one (scrolls|reads|types)\b/i, 'the user'],
  [/(?<!\bthere )\b(is|are) no (failure|fault|secret|text|key|depot|shortage|part of)\b/i, 'is not a'],
  [/\bbrings? along\b/i, 'includes'],
  [/\bin small letters\b/i, 'in lower case'],
  [/\bfor ever\b/i, 'forever'],
  [/, also (if|when|while|after|during|those|what)\b/, 'even if, including'],
  [/\bby why\b/i, 'by cause'],
  [/\b(a|an|the|its|no|each) roll backs?\b/i, 'rollback, as a noun'],
  [/\bhow (people|users|others|the [\w ]+) calls?\b/i, 'what people call'],
  [/\bprevents? that the\b/i, 'keeps the … from'],
]

/** Texts that contain a retired word and have to stay, each with the reason. */
const allowedTexts: [RegExp, string][] = [
  [/WorkNotHeld/g, 'a problem code of the agent protocol'],
  [/hold_group_trees/g, 'an SQL function of replaced migrations, which the upgrade renames'],
  [/(?<!\w)emptyHanded/g, 'a property of the agent protocol'],
  [/Longer each time, so that/g, 'a comment in an SQL function, which is the same in databases of earlier versions'],
  [/longest (transaction|frame)/g, 'a measured time, not a limit'],
  [/(?<=an upgrade or|work of) a roll back/g, 'comments of a released migration'],
  [/packages on hold/gi, 'what Debian calls packages that are not updated'],
  [/apt-mark hold|'hold'|Status: hold|change-held-packages/g, 'words of apt and dpkg'],
  [/\\told/g, 'a tab before the word old, in recorded output of dpkg'],
  [/PaintHolding/g, 'the name of a feature of Chromium'],
  [/It is held by process/g, 'a message of dpkg'],
]

/** What people read: programs with their messages, SQL, scripts, documents, and files of configuration with their comments. */
const kinds = [
  ...['*.ts', '*.tsx', '*.mjs', '*.sql', '*.md', '*.sh', '*.ps1'],
  ...['*.css', '*.html', '*.yaml', '*.yml', '*.service', '*.wxs', '*Containerfile'],
]

/** The glossary names the retired words, the change log is history, and table types are generated. */
const notChecked = /^(CHANGELOG|docs\/glossary)\.md$|(database\/tables|language\.test)\.ts$/

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...kinds], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !notChecked.test(file))

/** Splits `holdGroupTrees` into hold, group and trees. */
const wordsOf = (line: string) => line.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.map((word) => word.toLowerCase()) ?? []

/** What a text must contain to be looked at word by word, which takes fifty times as long. */
const perhapsRetired = new RegExp(
  [...Object.keys(retiredWords), ...retiredPatterns.map(([pattern]) => pattern.source)].join('|'),
  'i',
)

const withoutAllowed = (text: string) => allowedTexts.reduce((rest, [pattern]) => rest.replaceAll(pattern, ''), text)

/** The marks with which lines of comments and lists begin. */
const lineBeginning = /^\s*(\/\/|\*|--|#)?\s*/

/** The retired words of a line, and the retired phrases that begin in it. */
function retiredIn(line: string, nextLine = ''): string[] {
  const text = `${line} ${nextLine.replace(lineBeginning, '')}`
  if (!perhapsRetired.test(text)) return []
  const words = wordsOf(withoutAllowed(line)).filter((word) => Object.hasOwn(retiredWords, word))
  const phrases = retiredPatterns.flatMap(([pattern]) => {
    const found = pattern.exec(withoutAllowed(text))
    return found && found.index < withoutAllowed(line).length ? found[0] : []
  })
  return [...words, ...phrases]
}

test('identifiers, comments, messages and documents use no retired words', () => {
  const offences = sources.flatMap((file) => {
    const lines = readFileSync(join(repository, file), 'utf8').split('\n')
    return lines.flatMap((line, index) =>
      retiredIn(line, lines[index + 1]).map((word) => `${file}:${index + 1} ${word}`),
    )
  })

  for (const kind of kinds)
    expect(
      sources.filter((file) => file.endsWith(kind.slice(1))),
      kind,
    ).not.toEqual([])
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
  expect(retiredIn('-- Locks the row, so', '-- that nobody else changes it.')).toEqual([', so that'])
  expect(retiredIn('The lock comes first', 'so that nobody waits, so that is that.')).toEqual([])
  expect(retiredIn('if (order.kind === known) doWork(leasedOrder)')).toEqual(['leasedOrder', 'order.kind'])
  expect(retiredIn('in the order of their ids: order.length')).toEqual([])
  expect(retiredIn('/** So many rows, in another order than before. */')).toEqual(['/** So many', 'another order than'])
  expect(retiredIn('It takes so long that others wait. There is no key.')).toEqual([])
})

test('no two files of the server export the same name, except types of one concept', () => {
  const exported = sources
    .filter((file) => /^server\/src\/.*\.tsx?$/.test(file))
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
