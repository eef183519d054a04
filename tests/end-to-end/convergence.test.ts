import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import { startServiceProcess } from '../../server/test/world/service-process.ts'
import { startMuster } from '../../server/test/world/start-muster.ts'
import { enrolAgent } from './agents.ts'

const twoMinutes = 120_000

test('a real agent that joins a converged group gets its software without an activation within two minutes, even if the service is killed', async () => {
  const muster = await startMuster()
  const groupId = await muster.group('Office')
  const greeting = await muster.importExample('greeting')
  await muster.post(`/api/group/${groupId}/packages`, { packageId: greeting })
  await muster.put(`/api/group/${groupId}/convergence`, { state: 'On', rings: [{ percent: 100 }, {}] })
  const token = await muster.enrolmentToken(groupId)
  const agent = await enrolAgent({
    server: muster.service.address,
    token,
    name: 'alpha',
    env: { MUSTER_AGENT_INVENTORY: 'off' },
  })
  const joinedAt = performance.now()
  const running = agent.run()

  await muster.service.kill('SIGKILL')
  await startServiceProcess({
    dataDirectory: muster.service.dataDirectory,
    env: { MUSTER_PORT: new URL(muster.service.address).port, MUSTER_PACKAGE_STORE: muster.store },
  })
  const installed = await until(
    () => readFile(join(agent.root, 'greeting/version'), 'utf8').catch(() => undefined),
    twoMinutes,
  )

  expect(installed).toBe('1.2.0\n')
  expect(performance.now() - joinedAt).toBeLessThan(twoMinutes)
  const { items } = await muster.get<{ items: { state: string }[] }>(`/api/rollouts?groupId=${groupId}&isWave=true`)
  expect(items).toHaveLength(1)
  expect(await running.kill('SIGTERM')).toEqual({ code: 0, signal: null })
}, 240_000)
