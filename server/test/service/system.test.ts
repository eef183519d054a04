import { describe, expect, test } from 'vitest'
import { readMigrations } from '../../src/database/migrations/migrate.ts'
import { getDepotTopologySetting } from '../../src/features/depots/api/synchronisation/get-depot-topology-setting.ts'
import { listDepotServers } from '../../src/features/depots/api/synchronisation/list-depot-servers.ts'
import { setDepotTopologySetting } from '../../src/features/depots/api/synchronisation/set-depot-topology-setting.ts'
import { getSystem } from '../../src/features/service/api/get-system.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()

test('the system shows the versions of service and database, and null for a patch catalog that was not imported yet', async () => {
  const newest = (await readMigrations()).at(-1)?.name.replace('.sql', '')

  const { body } = await as('computer.read').call(getSystem)

  expect(body).toEqual({
    serviceVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
    databaseVersion: expect.stringMatching(/^PostgreSQL \d+/),
    databaseMigration: newest,
    patchCatalog: { version: null, releasedUtc: null, importedUtc: null, patchCount: null },
  })
})

test('depot servers and the master server can be assigned, other computers cannot', async () => {
  await given.computer()
  const depot = await given.computer({ role: 'DepotServer' })
  const master = await given.computer({ role: 'MasterServer' })

  const { body } = await as('computer.read').call(listDepotServers)

  expect(body.items).toEqual([
    { clientId: depot.id, hostname: depot.name, domain: depot.domain, role: 'DepotServer' },
    { clientId: master.id, hostname: master.name, domain: master.domain, role: 'MasterServer' },
  ])
})

describe('the depot topology', () => {
  test('the depot topology is inactive at first and can be switched on and off', async () => {
    const read = () => as('package.read').call(getDepotTopologySetting)
    const first = await read()

    const switched = await as('package.write').call(setDepotTopologySetting, { body: { isActive: true } })

    expect(first.body).toEqual({ isActive: false })
    expect(switched).toMatchObject({ status: 200, body: { isActive: true } })
    expect((await read()).body).toEqual({ isActive: true })
  })

  test.each([{}, { isActive: null }, { isActive: 'true' }])(
    'the depot topology cannot be switched with %j',
    async (payload) => {
      const before = await fingerprints(db)

      const refused = await as('package.write').send({
        method: 'PUT',
        url: '/api/system/depot-topology-setting',
        payload,
      })

      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: 'isActive' }] } })
      expect(await fingerprints(db)).toEqual(before)
    },
  )
})
