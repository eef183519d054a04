import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { protocolTypes, typesFile } from '../tools/protocol-types.ts'

test('the types of the agent are those of the published description', async () => {
  expect(await readFile(typesFile, 'utf8')).toBe(await protocolTypes())
})
