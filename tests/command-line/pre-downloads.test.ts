import { expect, test } from 'vitest'
import { getDistributionOptions } from '../../server/src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../server/src/features/distribution/api/set-distribution-options.ts'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openRolloutWorld()
const { as, create, fleet, tick } = world
const { muster } = await commandsIn(world)

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

test('downloading ahead is turned on and off for a package in a group, and the other options stay', async () => {
  const { group, packages } = await fleet(1, { name: 'Ahead', version: '1' })
  const target = { params: { id: group.id }, query: { packageId: packages[0]?.id ?? '' } }
  const read = async () => (await as('group.read').call(getDistributionOptions, target)).body
  await as('group.write').call(setDistributionOptions, { ...target, body: { commands: ['Install'], wol: true } })

  const checked = await muster('pre-downloads', group.name, 'Ahead', '--on', '--dry-run')
  const before = await read()
  const on = await muster('pre-downloads', group.name, 'Ahead', '--on')
  const between = await read()
  await muster('deadline', group.name, 'Ahead', '--deadline', '48')
  const withDeadline = await read()
  const off = await muster('pre-downloads', group.name, 'Ahead', '--off')

  expect(checked.out).toBe('Ahead@1: the files would be downloaded before their window opens.\n')
  expect(on.out).toBe('Ahead@1: the files are from the next activation on downloaded before their window opens.\n')
  expect(off.out).toBe('Ahead@1: the files are from the next activation on downloaded when their work begins.\n')
  expect([before, between].map(({ preDownload }) => preDownload)).toEqual([false, true])
  expect(withDeadline).toMatchObject({ preDownload: true, wol: true, userDeadline: { afterHours: 48 } })
  expect(await read()).toMatchObject({ preDownload: false, wol: true, userDeadline: { afterHours: 48 } })
})

test('a change needs a group and one of both switches', async () => {
  const { group } = await fleet(1)

  expect((await muster('pre-downloads', '--on')).err).toContain('Name the group')
  expect((await muster('pre-downloads', group.name, '--on', '--off')).err).toContain('Choose either --on or --off.')
})

test('the computers of a group and of a rollout are counted', async () => {
  const { group, packages } = await fleet(3, { name: 'Counted', version: '2' })
  await as('group.write').call(setDistributionOptions, {
    params: { id: group.id },
    query: { packageId: packages[0]?.id ?? '' },
    body: { commands: ['Install'], schedule: { from: inHours(8) }, preDownload: true },
  })
  const { name, rolloutId } = (await create(group, { name: 'Ahead of its window', rings: [{ percent: 100 }] })).body
  await tick(rolloutId)

  const ofGroup = await muster('pre-downloads', group.name)
  const ofRollout = await muster('pre-downloads', '--rollout', name, '-o', 'json')

  expect(ofGroup.err).toBe('')
  expect(ofGroup.out).toMatch(/Counted\s+2\s+0 of 3/)
  expect(JSON.parse(ofRollout.out)).toEqual([
    expect.objectContaining({ packageName: 'Counted', total: 3, ready: 0, failed: 0, fetching: 0, waiting: 3 }),
  ])
  expect(
    (await muster('pre-downloads', '--task', '00000000-0000-4000-8000-000000000000', '-o', 'json')).out.trim(),
  ).toBe('[]')
})
