import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { protocolTypes, typesFile } from '../tools/protocol-types.ts'

test('the protocol types of the agent match the published OpenAPI document', async () => {
  expect(await readFile(typesFile, 'utf8')).toBe(await protocolTypes())
})
