import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { listSetupErrorLog } from '../../../src/features/deployments/api/history/list-setup-error-log.ts'
import { openFusionWorld } from './fusion-world.ts'
import { workingAgent } from './working-agent.ts'

const world = await openFusionWorld()
const { as, readyPackage, state, work } = world

test('a job is the same job whichever node each of its lines reaches', async () => {
  const { app, database } = world
  const other = await buildApp({ database, configuration: app.services.configuration })
  onTestFinished(() => other.http.close())
  const install = { argv: ['sh', 'install.sh'], timeLimitMinutes: 5 }
  const detect = { shell: 'test -e /opt/x' }
  const wanted = await readyPackage({ manifest: JSON.stringify({ commands: { install, detect } }) })
  for (const name of ['nodes', 'more-nodes']) {
    const agent = await workingAgent(world, name, [app, other])
    await work(agent, wanted)
    const job = await agent.firstJob()
    if (name === 'more-nodes') await agent.begins(job)
    await agent.runs(job, 0, 'install', ['one', 'two', 'three'], 0)
    await agent.runs(job, 1, 'detect', [], 1)
    await agent.succeeds(job)

    expect(await state.deployment(agent, wanted)).toMatchObject({
      result: 'Failed',
      error_text: 'The command ended with success, but the detect command does not find the software.',
    })
    const { body } = await as('computer.read').call(listSetupErrorLog, { params: agent })
    expect(body.items[0]?.output).toContain('\none\ntwo\nthree\n')
  }
})
