import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { readScenario } from '../../simulator/src/scenario.ts'
import { type Simulation, simulate } from '../../simulator/src/simulation.ts'
import type { AgentsOptions, Behaviour, Report } from './fleet.ts'

/*
 * A process of simulated agents. There are several, because a process may only have so many sockets. It enrols its agents, behaves as
 * each message asks, and reports several times a second.
 */

const reportMs = 200

const { server, certificates, token, computers, firstNumber } = JSON.parse(process.argv[2] ?? '{}') as AgentsOptions

const scenarioOf = ({ intervalSeconds, connectedShare }: Behaviour) =>
  readScenario({
    computers,
    firstNumber,
    durationSeconds: null,
    connections: 64,
    enrolment: { perSecond: 300 },
    contact: { intervalSeconds, connectedShare },
    inventory: { isSent: false },
    patchScan: { everyMinutes: 1_000_000 },
    reboots: { perDay: 0 },
    work: { failureRate: 0, interruptionRate: 0, minimumSeconds: 0, maximumSeconds: 1, rebootRate: 0 },
    shares: { suspended: 0, rebootRequired: 0 },
  })

const begin = (behaviour: Behaviour, saved?: { fleet: Simulation['fleet']; startedAt: number }) =>
  simulate({
    scenario: scenarioOf(behaviour),
    server,
    tokenOf: () => token,
    ...(certificates && { certificates }),
    ...(saved && { saved }),
  })

const report = (message: Report) => process.send?.(message)

const enrolment = begin({ intervalSeconds: null, connectedShare: 0 })
const end = performance.now() + 1e3 * (60 + computers / 10)
while (enrolment.measurements.countOf('contacts') < computers) {
  await sleep(100)
  if (performance.now() > end)
    throw new Error(`Not all computers have enrolled: ${JSON.stringify(enrolment.measurements.summary(1).errors)}`)
}
await enrolment.stop()
const { fleet, startedAt } = enrolment
report({ clientIds: Array.from(fleet.clientId, String) })

// Agents stand for other machines: what they take must not be missing to the service, which has the two cores of the targets.
setPriority(19)
let simulation: Simulation | undefined
process.on('message', (behaviour: Behaviour) => {
  simulation = begin(behaviour, { fleet, startedAt })
})
process.on('disconnect', () => process.exit())
setInterval(() => {
  if (!simulation) return
  const { connected } = simulation.progress()
  const { measurements } = simulation
  const answered = measurements.summary(1).operations.find(({ operation }) => operation === 'contact')
  report({ connected, contacts: measurements.countOf('contacts'), refused: answered?.failed ?? 0 })
}, reportMs)
