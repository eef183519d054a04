import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../server/test/world/open-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openWorld()
const { db, given } = world
const { muster } = await commandsIn(world)
const office = await given.group({ name: 'Office' })
await given.group({ name: 'Berlin', parent: office })
await given.group({ name: 'Berlin', tree: 'AssignmentGroups' })
const first = await given.computer({ name: 'pc-01' })
await given.computer({ name: 'pc-02' })
await given.package({ name: 'Firefox', version: '129' })

test('the search lists what it finds with its kind', async () => {
  const { out, code } = await muster('search', 'firefox')
  const berlin = await muster('search', 'berlin', '-o', 'json')

  expect(code).toBe(0)
  expect(out).toMatch(/^package +Firefox +129 /m)
  expect(JSON.parse(berlin.out)).toMatchObject([
    { kind: 'group', detail: 'Assignment/Berlin' },
    { kind: 'group', detail: 'Configuration/Office/Berlin' },
  ])
})

test('the computers with an older version of a program are listed, and a name that nothing has is completed', async () => {
  await sql`
    with product as (
      insert into software_products (name, version) values ('openssl', '3.0.15'), ('openssl', '3.0.16') returning id, version
    )
    insert into installed_software (computer_id, product_id) select ${first.id}, id from product where version = '3.0.15'
    union all select computers.id, product.id from computers, product where name = 'pc-02' and product.version = '3.0.16'`.execute(
    db,
  )

  const versions = await muster('software', 'openssl', '--below', '3.0.16')
  const computers = await muster('software', 'openssl', '--below', '3.0.16', '--computers', '-o', 'csv')
  const mistyped = await muster('software', 'openss')

  expect(versions.out).toMatch(/^openssl +3\.0\.15 +1$/m)
  expect(versions.out).not.toContain('3.0.16')
  expect(computers.out.split('\r\n')[1]).toMatch(/^pc-01,.*,openssl 3\.0\.15$/)
  expect(mistyped.code).toBe(1)
  expect(mistyped.err).toContain('No software is named openss. Names that contain it: openssl.')
})
