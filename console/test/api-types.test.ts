import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { apiTypes, typesFile } from '../tools/api-types.ts'

test('the types of the pages are those of the published description', async () => {
  expect(await readFile(typesFile, 'utf8')).toBe(await apiTypes())
})
