import { onTestFinished } from 'vitest'
import { createEnrolmentToken } from '../../server/src/features/enrolment/api/create-enrolment-token.ts'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { setGroupVariable } from '../../server/src/features/variables/api/groups/set-group-variable.ts'
import { deploymentsIn } from '../../server/test/deployments/deployment-world.ts'
import { eventually } from '../../server/test/web/in-browser/open-browser.ts'
import type { Pages } from '../../server/test/web/in-browser/open-pages.ts'
import { readScenario } from '../../simulator/src/scenario.ts'
import { simulate } from '../../simulator/src/simulation.ts'

export const ready = { is_operational: true, hash_state: 'Current', content_hash: Buffer.alloc(32, 'a') }

/** Groups with something to show on every tab: members, own and inherited assignments with results, and variables. */
export async function givenShownGroups({ as, db, given }: Pages) {
  const world = deploymentsIn(db, given)
  const berlin = await given.group({ name: 'Berlin' })
  const hamburg = await given.group({ name: 'Hamburg' })
  const tills = await given.group({ name: 'Tills', parent: berlin })
  await given.group({ name: 'Self-service', parent: tills })
  const editor = await given.package({ name: 'Example Editor', version: '4.2', ...ready })
  const driver = await given.package({ name: 'Card Reader Driver', version: '1.9', ...ready })
  const harbour = await given.package({ name: 'Harbour Map', version: '2.1', ...ready })
  await given.assignment(berlin, editor, 'package')
  await given.assignment(tills, driver, 'package')
  await given.assignment(hamburg, harbour, 'package')
  for (let number = 1; number <= 5; number++) {
    const computer = await given.computer({ name: `till-${number}`, lastSeen: new Date(), os_name: 'Debian GNU/Linux' })
    await given.member(tills, computer)
    await world.agent(computer, { version: '0.1.0' })
    if (number < 4) await world.deployment(computer, editor, { installation_state: 'Installed', result: 'Success' })
    if (number === 4) await world.deployment(computer, editor, { result: 'Failed', failed_at: new Date() })
  }
  const proxy = await given.variable({ designation: 'ProxyServer', default_value: 'proxy.example.org' })
  const password = await given.variable({ designation: 'StorePassword', is_secret: true })
  const set = (group: { id: string }, { id: varId }: { id: number }, value: string) =>
    as('group.write').call(setGroupVariable, { params: { id: group.id, varId }, body: { value } })
  await set(berlin, proxy, 'proxy.berlin.example.org')
  await set(tills, password, 'never shown')
  await refreshFleetStatistics(db)
  return { berlin, hamburg, tills, editor, driver, harbour, proxy }
}

let simulatedComputers = 0

/** Starts a simulated computer, which does its work at once, until the end of the test. `wake` makes it contact the service. */
export async function givenSimulatedComputer({ address, as }: Pages) {
  const { body: token } = await as('admin.manage').call(createEnrolmentToken, {
    body: { expiresAtUtc: '2099-01-01T00:00:00Z' },
  })
  const scenario = readScenario({
    seed: 5,
    computers: 1,
    // Each is another machine.
    firstNumber: ++simulatedComputers,
    connections: 1,
    enrolment: { perSecond: 1_000 },
    work: { failureRate: 0, interruptionRate: 0, postponementRate: 0, minimumSeconds: 0, maximumSeconds: 0.01 },
    reboots: { perDay: 0 },
    shares: { suspended: 0 },
  })
  const simulation = simulate({ scenario, server: address, tokenOf: () => token.token })
  onTestFinished(() => simulation.stop())
  await eventually(async () => simulation.fleet.clientId[0]).toBeGreaterThan(0)
  return { id: Number(simulation.fleet.clientId[0]), wake: () => simulation.wake([0]) }
}
