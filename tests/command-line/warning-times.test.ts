import { expect, test } from 'vitest'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openRolloutWorld()
const { muster } = await commandsIn(world)

/** What an agent is asked to do with the power of its computer after its other work. */
async function powerOf(agent: Awaited<ReturnType<typeof world.fleet>>['agents'][number]) {
  for (const { workId } of (await agent.contact()).body.work) await agent.report(workId)
  return (await agent.contact()).body.work.map(({ power }) => power)
}

test.for([
  ['15 minutes by default', [], 15, 'users have 15 minutes'],
  ['the time that is given', ['--minutes', '45'], 45, 'users have 45 minutes'],
  ['none only with an option', ['--now'], -1, 'without a warning'],
] as const)(
  'people have a warning time before their computers restart after a deployment: %s',
  async ([, words, timeoutMinutes, shown]) => {
    const { group, agents } = await world.fleet(1)

    const { code, out } = await muster('group', group.name, 'deploy', '--then', 'Reboot', ...words)

    expect([code, out]).toEqual([0, expect.stringContaining(`Then: Reboot, ${shown}`)])
    expect(await powerOf(agents[0] ?? expect.fail())).toMatchObject([{ action: 'Reboot', timeoutMinutes }])
  },
)

test('a restart of one computer gives its user as much time as one of several', async () => {
  const { agents } = await world.fleet(3)
  const [usual, kiosk, several] = agents.map(({ id }) => `#${id}`) as [string, string, string]

  const outs = [
    (await muster('computer', usual, 'reboot')).out,
    (await muster('computer', kiosk, 'reboot', '--now')).out,
    (await muster('selection', 'restart', several)).out,
  ]

  expect(outs).toEqual([
    expect.stringContaining('It restarts; users have 15 minutes.'),
    expect.stringContaining('It restarts; without a warning.'),
    expect.stringContaining('users have 15 minutes.'),
  ])
  const found = []
  for (const agent of agents)
    found.push((await agent.contact()).body.work.find(({ power }) => power)?.power?.timeoutMinutes)
  expect(found).toEqual([15, -1, 15])
})

test('a warning time that has no effect is wrong use', async () => {
  const { group, agents } = await world.fleet(1)
  const name = `#${agents[0]?.id}`

  const refused = [
    await muster('group', group.name, 'deploy', '--now'),
    await muster('group', group.name, '--minutes', '5'),
    await muster('computer', name, 'rescan', '--now'),
    await muster('computer', name, 'reboot', '--now', '--minutes', '5'),
    await muster('computer', name, 'reboot', '--now', '--deadline', '8'),
  ]

  expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2])
})
