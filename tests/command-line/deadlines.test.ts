import { expect, test } from 'vitest'
import { getDistributionOptions } from '../../server/src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../server/src/features/distribution/api/set-distribution-options.ts'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openRolloutWorld()
const { as, fleet } = world
const { muster } = await commandsIn(world)

test('the deadline of a package in a group is set, shown and removed, and the other options stay', async () => {
  const { group, packages } = await fleet(1, { name: 'Delayed', version: '1' })
  await as('group.write').call(setDistributionOptions, {
    params: { id: group.id },
    query: { packageId: packages[0]?.id ?? '' },
    body: { commands: ['Install', 'Update'], wol: true },
  })
  const asked = ['--deadline', '48', '--postponements', '3', '--quiet', '08:00-12:00', '--close', 'soffice.bin']

  const set = await muster('deadline', group.name, 'Delayed', ...asked)
  const shown = await muster('deadline', group.name, 'Delayed')
  const removed = await muster('deadline', group.name, 'Delayed', '--remove')
  const { body } = await as('group.read').call(getDistributionOptions, {
    params: { id: group.id },
    query: { packageId: packages[0]?.id ?? '' },
  })

  const words =
    '48 hours after the computer got it, 3 postponements, quiet from 08:00 to 12:00, then closes soffice.bin with 15 minutes of notice'
  expect([set.out, shown.out]).toEqual([`Delayed@1: the deadline is now ${words}.\n`, `Delayed@1: ${words}.\n`])
  expect(removed.out).toBe('Delayed@1: the deadline is now none.\n')
  expect(body).toMatchObject({ commands: ['Install', 'Update'], wol: true, userDeadline: null })
})

test('what belongs to a deadline is refused without one', async () => {
  const { group } = await fleet(1)

  expect((await muster('deadline', group.name, '--close', 'x')).err).toContain('--close needs --deadline or --latest.')
  expect((await muster('deadline', group.name, '--deadline', '1', '--quiet', '8-12')).err).toContain('write them as')
})
