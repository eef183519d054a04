import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorld } from './world.ts'

test('an agent enrols with what its configuration file says, unless the environment or an option says otherwise', async () => {
  const { root, server, agent, environment } = await openWorld({ isEnrolled: false })
  const lines = {
    SERVER: server.url,
    TOKEN: 'enrol-from-the-file',
    NAME: 'from-the-file',
    DOMAIN: 'file',
    UUID: 'none',
  }
  environment.MUSTER_AGENT_CONFIGURATION = join(root, 'agent.env')
  const text = Object.entries(lines).map(([name, value]) => `MUSTER_AGENT_${name}=${value}\n`)
  await writeFile(environment.MUSTER_AGENT_CONFIGURATION, `# A comment\n${text.join('')}`)
  environment.MUSTER_AGENT_NAME = 'from-the-environment'

  const { code, output } = await agent('enrol', '--domain', 'option', '--mac', '02:00:00:00:00:01')

  expect([code, output]).toEqual([0, expect.stringContaining('from-the-environment is enrolled')])
  expect(server.enrolments).toMatchObject([
    { token: 'enrol-from-the-file', computer: { name: 'from-the-environment', domain: 'option', uuid: null } },
  ])
})

test('the commands of packages do not see the enrolment token of the configuration', async () => {
  const { root, server, runOnce, left, environment } = await openWorld()
  environment.MUSTER_AGENT_CONFIGURATION = join(root, 'agent.env')
  await writeFile(environment.MUSTER_AGENT_CONFIGURATION, 'MUSTER_AGENT_TOKEN=enrol-from-the-file\n')
  const workId = server.give({ commands: { install: { shell: 'env > "$ROOT/environment"' } } })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(left('environment')).toContain(`MUSTER_WORK_ID=${workId}`)
  expect(left('environment')).not.toContain('MUSTER_AGENT_TOKEN')
})
