import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cells } from './matrix/cells.ts'
import { describeCell } from './matrix/describe-cell.ts'

test('docs/faults.md describes the faults of the matrix and their promises, and no others', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/faults.md'), 'utf8')
  const [promises = ''] = page.split('\n## ')
  const [, ...rows] = promises.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))

  expect(rows.map((row) => row.replaceAll(/ +/g, ' '))).toEqual(cells.map(describeCell))
})
