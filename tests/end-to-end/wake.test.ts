import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import { startMuster } from '../../server/test/world/start-muster.ts'
import { enrolAgent } from './agents.ts'
import { deploymentOf, waitFor } from './deployments.ts'

test('a real agent begins its work within three seconds of the activation, long before its next contact', async () => {
  const muster = await startMuster()
  const groupId = await muster.group('Office')
  const greeting = await muster.importExample('greeting')
  await muster.post(`/api/group/${groupId}/packages`, { packageId: greeting })
  const token = await muster.enrolmentToken(groupId)
  const agent = await enrolAgent({
    server: muster.service.address,
    token,
    name: 'alpha',
    env: { MUSTER_AGENT_INVENTORY: 'off' },
  })
  const running = agent.run()
  const computer = () => muster.get(`/api/computer/${agent.clientId}`)
  await until(async () => ((await computer()).connectedNow ? true : undefined))
  const page = await muster.get(`/api/fleet/computers/${agent.clientId}`)

  const activatedAt = performance.now()
  const { trackingId } = await muster.post(`/api/group/${groupId}/activation`, { software: true })
  await until(async () => {
    const { actions } = await muster.get<{ actions: { items: { attempt: number }[] } }>(`/api/tasks/${trackingId}`)
    return actions.items.some(({ attempt }) => attempt > 0) ? true : undefined
  })

  expect(performance.now() - activatedAt).toBeLessThan(3_000)
  expect(Date.parse(String(page.nextContactUtc))).toBeGreaterThan(Date.now() + 30 * 60_000)
  await waitFor(() => deploymentOf(muster, agent.clientId, greeting), { status: 'Success' })
  expect(await readFile(join(agent.root, 'greeting/version'), 'utf8')).toBe('1.2.0\n')
  expect(await running.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  await until(async () => ((await computer()).connectedNow ? undefined : true))
}, 120_000)
