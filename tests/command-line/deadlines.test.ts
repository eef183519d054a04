import { expect, test } from 'vitest'
import { getDistributionOptions } from '../../server/src/features/distribution/api/get-distribution-options.ts'
import { setDistributionOptions } from '../../server/src/features/distribution/api/set-distribution-options.ts'
import { getRollout } from '../../server/src/features/rollouts/api/get-rollout.ts'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openRolloutWorld()
const { as, create, fleet } = world
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
  expect((await muster('deadline', group.name, '--deadline', '1', '--quiet', '8-12')).err).toContain(
    'is not a range of quiet hours',
  )
})

test('the deadline of a rollout is shown, changed and removed', async () => {
  const { group } = await fleet(1)
  const { rolloutId: id, name } = (await create(group, { name: 'Delayed rollout' })).body

  const none = await muster('rollout', 'deadline', name)
  const set = await muster('rollout', 'deadline', name, '--deadline', '24', '--postponements', '1')
  const between = await as('computer.read').call(getRollout, { params: { id } })
  const checked = await muster('rollout', 'deadline', name, '--remove', '--dry-run')
  const removed = await muster('rollout', 'deadline', name, '--remove')

  const words = '24 hours after the computer got it, 1 postponements'
  expect([none.out, set.out]).toEqual([`${name}: none.\n`, `${name}: the deadline is now ${words}.\n`])
  expect(between.body.userDeadline).toMatchObject({ afterHours: 24, maxPostponements: 1 })
  expect([checked.out, removed.out]).toEqual([
    `${name}: the deadline would be none.\n`,
    `${name}: the deadline is now none.\n`,
  ])
  expect((await as('computer.read').call(getRollout, { params: { id } })).body.userDeadline).toBeNull()
})

test('a deployment ends with a power action that people can delay, and the deadline of nothing is refused', async () => {
  const { group, agents } = await fleet(1)
  const agent = agents[0] ?? expect.fail()
  const asked = ['--then', 'Shutdown', '--deadline', '8', '--postponements', '3']

  const deployed = await muster('computer', `#${agent.id}`, 'deploy', ...asked)
  const [install] = (await agent.contact()).body.work
  await agent.report(install?.workId ?? 0)
  const [power] = (await agent.contact()).body.work

  expect(deployed.code).toBe(0)
  expect(power).toMatchObject({ kind: 'Power', power: { action: 'Shutdown', timeoutMinutes: 15 } })
  expect(power).toMatchObject({ postponable: { remaining: 3 }, userDeadline: { noticeMinutes: 15 } })
  expect((await muster('group', group.name, 'deploy', '--deadline', '8')).err).toContain('A deadline needs --then')
  expect((await muster('group', group.name, '--then', 'Reboot')).err).toContain('are for deploy')
  expect((await muster('computer', `#${agent.id}`, 'rescan', '--then', 'Reboot')).err).toContain('--then is for deploy')
})
