import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findMsiFailure, readMsiFailure } from '../../src/work/declared/msi-log.ts'

const beginning = Array.from(
  { length: 40 },
  (_, index) => `MSI (s) (14:20) [10:00:00:${index}]: Doing action: Step${index}`,
)
const ended = {
  en: 'Action ended 10:00:01: Configure. Return value 3.',
  de: 'Aktion beendet um 10:00:01: Configure. Rückgabewert 3.',
}
const error = 'MSI (s) (14:20) [10:00:01:0]: Product: Example -- Error 1722. A program did not finish as expected.'
const rollback = ['Rollback: Copying new files', 'Action ended 10:00:02: INSTALL. Return value 3.']
const properties = Array.from({ length: 40 }, (_, index) => `Property(S): Name${index} = value`)

test.each(['en', 'de'] as const)('the failed action and its error are found in a log of msiexec (%s)', (language) => {
  const lines = [...beginning, error, ended[language], ...rollback, ...properties]

  const found = findMsiFailure(lines.join('\r\n'))

  expect(found.at(-1)).toBe(error)
  expect(found.at(-2)).toBe(ended[language])
  expect(found).toContain(beginning.at(-1))
  expect(found).not.toContain(beginning.at(0))
  expect(found.join()).not.toMatch(/Rollback|Property\(S\)/)
})

test('the end of a log is shown if it names no failed action', () => {
  expect(findMsiFailure(['1', '2', '', ...properties].join('\n'))).toEqual(['1', '2'])
})

test('a log is read in UTF-16, only its end if it is large, and not at all if it is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-msi-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'msi.log')
  await writeFile(path, `\uFEFF${'a line that is of no interest\r\n'.repeat(100_000)}${ended.de}\r\n`, 'utf16le')

  const found = await readMsiFailure(path)

  expect(found.at(-1)).toBe(ended.de)
  expect(await readMsiFailure(join(folder, 'missing'))).toEqual([])
})
