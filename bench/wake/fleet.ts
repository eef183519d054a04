import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from '../../simulator/src/fleet.ts'
import { readScenario } from '../../simulator/src/scenario.ts'
import { type Simulation, simulate } from '../../simulator/src/simulation.ts'
import type { Api } from '../api.ts'

export type Server = { address: string; certificates?: string }

export type Enrolled = {
  computers: number
  firstNumber: number
  saved: { fleet: Fleet; startedAt: number }
  tokenOf(): string
}

type Contact = { intervalSeconds: number | null; connectedShare: number }

const scenarioOf = (computers: number, firstNumber: number, contact: Contact) =>
  readScenario({
    computers,
    firstNumber,
    durationSeconds: null,
    connections: 64,
    enrolment: { perSecond: 300 },
    contact,
    inventory: { isSent: false },
    patchScan: { everyMinutes: 1_000_000 },
    reboots: { perDay: 0 },
    work: { failureRate: 0, interruptionRate: 0, minimumSeconds: 0, maximumSeconds: 1, rebootRate: 0 },
    shares: { suspended: 0, rebootRequired: 0 },
  })

const isSilent = { intervalSeconds: null, connectedShare: 0 }

let nextNumber = 1

/** Computers that have enrolled and make no contact by themselves for an hour. */
export async function enrol(server: Server, api: Api, computers: number, groupId?: string): Promise<Enrolled> {
  const expiresAtUtc = new Date(Date.now() + 86_400_000).toISOString()
  const { token } = await api.post<{ token: string }>('/api/enrolment-tokens', { expiresAtUtc, groupId })
  const tokenOf = () => token
  const firstNumber = nextNumber
  nextNumber += computers
  const { fleet, startedAt, measurements, stop } = simulate({
    scenario: scenarioOf(computers, firstNumber, isSilent),
    server: server.address,
    ...(server.certificates && { certificates: server.certificates }),
    tokenOf,
  })
  const end = performance.now() + 1e3 * (60 + computers / 20)
  while (measurements.countOf('contacts') < computers) {
    await sleep(100)
    if (performance.now() > end)
      throw new Error(`Not all computers have enrolled: ${JSON.stringify(measurements.summary(1).errors)}`)
  }
  await stop()
  return { computers, firstNumber, saved: { fleet, startedAt }, tokenOf }
}

/** The same computers, each with a wake connection. */
export async function connectAll(server: Server, enrolled: Enrolled): Promise<Simulation> {
  const simulation = resume(server, enrolled, { intervalSeconds: null, connectedShare: 1 })
  await secondsUntilConnected([simulation], enrolled.computers, 600)
  return simulation
}

/** The same computers, without wake connections: each makes a contact at this interval. */
export const contactRegularly = (server: Server, enrolled: Enrolled, intervalSeconds: number): Simulation =>
  resume(server, enrolled, { intervalSeconds, connectedShare: 0 })

function resume(
  { address, certificates }: Server,
  { computers, firstNumber, saved, tokenOf }: Enrolled,
  contact: Contact,
): Simulation {
  const scenario = scenarioOf(computers, firstNumber, contact)
  return simulate({ scenario, server: address, ...(certificates && { certificates }), tokenOf, saved })
}

export async function secondsUntilConnected(
  simulations: readonly Simulation[],
  computers: number,
  maxSeconds: number,
): Promise<number> {
  const began = performance.now()
  const countConnected = () => simulations.reduce((sum, { progress }) => sum + progress().connected, 0)
  while (countConnected() < computers) {
    await sleep(100)
    if (performance.now() - began > maxSeconds * 1e3)
      throw new Error(`Only ${countConnected()} of ${computers} agents are connected.`)
  }
  return (performance.now() - began) / 1e3
}
