import { expect, test } from 'vitest'
import { createLocalPrincipal } from '../../src/areas/administration/create-local-principal.ts'
import { getLocalPrincipal } from '../../src/areas/administration/get-local-principal.ts'
import { openWorld } from '../world/open-world.ts'

const { as } = await openWorld()
const admin = as('admin.manage')

test('a created local principal can be read, without its secret', async () => {
  const created = await admin.call(createLocalPrincipal, {
    body: { description: 'reports', roles: ['computer.read'], expiresAtUtc: null },
  })

  const read = await admin.call(getLocalPrincipal, { params: { id: created.body.id } })

  const { plaintextKey, ...shown } = created.body
  expect(plaintextKey).toMatch(/^[\w-]{43}$/)
  expect(read.body).toEqual(shown)
})
