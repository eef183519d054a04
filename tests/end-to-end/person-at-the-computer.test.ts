import { expect, onTestFinished, test } from 'vitest'
import { findReasonAgainstDesktop, openDesktop, uidOfDesktop } from '../../agent/test/deadlines/desktop-session.ts'
import type { OnEnd } from '../../agent/test/world.ts'
import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import { startMuster } from '../../server/test/world/start-muster.ts'
import { enrolAgent } from './agents.ts'
import { assignTemplate } from './deployments.ts'

const reason = findReasonAgainstDesktop()
if (reason) console.warn(`The person at the computer is not tested: ${reason}`)

type Events = { items: { data: { choice: string; user: string; packageName: string; workId: number } }[] }

test.skipIf(reason)(
  'a rollout with a deadline asks the person at a real desktop, and Later is in the timeline of the computer',
  async () => {
    const [muster, desktop] = await Promise.all([startMuster(), openDesktop('en_GB.UTF-8', onTestFinished as OnEnd)])
    const groupId = await muster.group('Office')
    await assignTemplate(muster, groupId, { contactIntervalMinutes: 0.02 })
    const greeting = await muster.importExample('greeting')
    await muster.post(`/api/group/${groupId}/packages`, { packageId: greeting })
    const agent = await enrolAgent({
      server: muster.service.address,
      token: await muster.enrolmentToken(groupId),
      name: 'alpha',
      env: { MUSTER_AGENT_INVENTORY: 'off', ...desktop.names },
      uid: uidOfDesktop,
    })
    const running = agent.run()
    const userDeadline = {
      ...{ afterHours: 24, latestUtc: null, maxPostponements: 2, quietHours: null },
      ...{ closePrograms: [], noticeMinutes: 15 },
    }
    await muster.post('/api/rollouts', { name: 'Greeting', groupId, rings: [{ percent: 100 }], userDeadline })

    await until(() => desktop.shown().includes('Muster is about to install'), 60_000)
    await desktop.choose('Later')
    const [event] = await until(async () => {
      const path = `/api/fleet/computers/${agent.clientId}/events?types=muster.work.choice`
      const { items } = await muster.get<Events>(path)
      return items.length > 0 && items
    })

    expect(desktop.shown()).toContain('Muster is about to install Greeting 1.2.0.')
    expect(event?.data).toMatchObject({ choice: 'Later', user: 'mia', packageName: 'Greeting' })
    const explained = await muster.get(`/api/computer/${agent.clientId}/explain?packageId=${greeting}`)
    expect(explained).toMatchObject({ verdict: 'Waiting', blockers: [{ reason: 'Postponed' }] })
    expect(running.output()).toContain('is postponed until')
  },
  120_000,
)
