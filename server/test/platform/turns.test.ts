import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openTurns } from '../../src/platform/load/turns.ts'

const stepMs = 10

type Fleet = {
  agents: number
  /** The agents make their first contact within this time. */
  withinSeconds: number
  /** Hand-outs that the service completes in a second, by the second. */
  capacity(second: number): number
  /** How much later than asked an agent comes. */
  lateness(): number
  /** The number of processes; an agent may come back to another one. */
  processes?: number
}

type Agent = { refusals: number; servedAt?: number; turnAt?: Date }

/** Plays a fleet in which every agent has work, on a clock of its own, until all agents are served. */
async function play({ agents: count, withinSeconds, capacity, lateness, processes = 1 }: Fleet) {
  let at = 0
  const fleet: Agent[] = Array.from({ length: count }, () => ({ refusals: 0 }))
  const contacts = new Map<number, Agent[]>()
  const nodes = Array.from({ length: processes }, () => ({
    turns: openTurns(100, () => at),
    running: [] as PromiseWithResolvers<void>[],
    credit: 0,
  }))
  let maxRunning = 0

  function schedule(agent: Agent, milliseconds: number): void {
    const step = Math.ceil(Math.max(at + stepMs, milliseconds) / stepMs)
    contacts.set(step, [...(contacts.get(step) ?? []), agent])
  }

  async function contact(agent: Agent): Promise<void> {
    const node = nodes[Math.floor(Math.random() * processes)] ?? expect.fail('There is no process.')
    const claim = async (offered: Date) => {
      agent.turnAt ??= offered
      return agent.turnAt
    }
    const { secondsToTurn } = await node.turns.run(claim, () => {
      const work = Promise.withResolvers<void>()
      node.running.push(work)
      return work.promise
    })
    if (secondsToTurn === undefined) {
      agent.servedAt = at
      return
    }
    agent.refusals++
    schedule(agent, at + 1_000 * (secondsToTurn + lateness()))
  }

  for (const agent of fleet) schedule(agent, 1_000 * withinSeconds * Math.random())
  for (let step = 1; fleet.some(({ servedAt }) => servedAt === undefined); step++) {
    at = step * stepMs
    for (const agent of contacts.get(step) ?? []) void contact(agent)
    contacts.delete(step)
    for (const node of nodes) {
      maxRunning = Math.max(maxRunning, node.running.length)
      node.credit = Math.min(node.credit + (capacity(at / 1_000) * stepMs) / 1_000 / processes, node.running.length)
      for (const work of node.running.splice(0, Math.floor(node.credit))) work.resolve()
      node.credit %= 1
    }
    await setImmediate()
    if (at > 3_600_000) break
  }
  const unserved = fleet.filter(({ servedAt }) => servedAt === undefined).length
  return { seconds: at / 1_000, unserved, refusals: fleet.map((agent) => agent.refusals), maxRunning, nodes }
}

const onTime = () => 0.5 * Math.random()
const largest = (numbers: readonly number[]) => Math.max(...numbers)
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

describe('turns', () => {
  test('a fleet that the service can serve never notices that there are turns', async () => {
    const played = await play({ agents: 2_000, withinSeconds: 20, capacity: () => 250, lateness: onTime })

    expect({ unserved: played.unserved, refused: sum(played.refusals) }).toEqual({ unserved: 0, refused: 0 })
  })

  test('a fleet that comes at once is served in about the time that its work takes, a few agents at a time', async () => {
    const played = await play({ agents: 5_000, withinSeconds: 5, capacity: () => 250, lateness: onTime })

    expect(played.unserved).toBe(0)
    expect(played.seconds).toBeLessThan(1.6 * (5_000 / 250))
    // What the service completes in about a quarter of a second; more at the start, before it has measured anything.
    expect(played.maxRunning).toBeLessThanOrEqual(130)
    expect(largest(played.refusals)).toBeLessThanOrEqual(12)
    expect(sum(played.refusals) / 5_000).toBeLessThan(3)
  })

  test('the pace follows a service that becomes slower and faster again', async () => {
    const capacity = (second: number) => (second > 10 && second < 30 ? 50 : 300)

    const played = await play({ agents: 5_000, withinSeconds: 5, capacity, lateness: onTime })

    expect(played.unserved).toBe(0)
    expect(played.seconds).toBeLessThan(60)
    expect(largest(played.refusals)).toBeLessThanOrEqual(30)
  })

  test('agents that come back to another process keep their turns', async () => {
    const played = await play({ agents: 4_000, withinSeconds: 5, capacity: () => 400, lateness: onTime, processes: 4 })

    expect(played.unserved).toBe(0)
    expect(played.seconds).toBeLessThan(30)
    expect(largest(played.refusals)).toBeLessThanOrEqual(12)
  })

  test('nobody starves in generated fleets, however late they are and however slow the service is', async () => {
    for (let round = 0; round < 10; round++) {
      const rate = 20 + 400 * Math.random()
      const agents = Math.round(500 + 2_000 * Math.random())
      const latest = 20 * Math.random()
      const fleet = { agents, withinSeconds: 1 + 30 * Math.random(), processes: 1 + (round % 3) }

      const played = await play({ ...fleet, capacity: () => rate, lateness: () => latest * Math.random() })

      const message = JSON.stringify({ ...fleet, rate, latest, seconds: played.seconds })
      expect(played.unserved, message).toBe(0)
      expect(played.seconds, message).toBeLessThan(fleet.withinSeconds + 2 * (agents / rate) + 2 * latest + 20)
      // After its turn, an agent waits at most a minute for room.
      expect(largest(played.refusals), message).toBeLessThanOrEqual(40)
    }
  })

  test('without a limit there are no turns', async () => {
    const turns = openTurns(0)
    const never = Promise.withResolvers<never>()

    const outcomes = Array.from({ length: 1_000 }, () =>
      turns.run(
        () => never.promise,
        async () => 1,
      ),
    )

    expect(new Set((await Promise.all(outcomes)).map(({ result }) => result))).toEqual(new Set([1]))
  })
})
