import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { purgeUnboundDevices } from '../../../src/channels/fusion/devices/purge-unbound-devices.ts'
import { purgeUnreferencedParts } from '../../../src/channels/fusion/jobs/file-parts.ts'
import { deviceIdOf, fromComputer, openFusionWorld, samples } from './fusion-world.ts'
import { workingAgent } from './working-agent.ts'

const world = await openFusionWorld()
const { db, post, readyPackage, work } = world

test('a device that has never sent an inventory is deleted after a month, and no others', async () => {
  await post(fromComputer(samples.prolog, 'unbound'))
  await post(fromComputer(samples.prolog, 'newcomer'))
  await post(fromComputer(samples.fusionInventory, 'bound'))
  await sql`
    update fusion_devices set first_seen_at = now() - interval '31 days', asked_at = now() - interval '31 days'
    where device_id <> ${deviceIdOf('newcomer')}`.execute(db)

  const purged = await purgeUnboundDevices(db)

  const left = await db.selectFrom('fusion_devices').select('device_id').orderBy('device_id').execute()
  expect(purged).toBe(1)
  expect(left.map(({ device_id }) => device_id)).toEqual([deviceIdOf('bound'), deviceIdOf('newcomer')])
})

test('file parts are deleted when no package has the file any more', async () => {
  const agent = await workingAgent(world, 'parts')
  const [kept, gone] = [await readyPackage({ files: { a: 'kept' } }), await readyPackage({ files: { b: 'gone' } })]
  await work(agent, kept)
  await work(agent, gone)
  await agent.jobs()
  await db.deleteFrom('package_files').where('package_id', '=', gone.id).execute()

  const purged = await purgeUnreferencedParts(db)

  const { count } = await db
    .selectFrom('file_parts')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect([purged, count]).toEqual([1, 1])
})
