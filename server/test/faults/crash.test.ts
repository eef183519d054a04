import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { modelRuns } from '../world/model-runs.ts'
import { installedFolder } from '../world/service-process.ts'
import { openEventReader } from './crash/event-reader.ts'
import { kills } from './crash/kills.ts'
import { runRound } from './crash/run-round.ts'
import { openWorld } from './matrix/world.ts'

// The short version of `npm run bench -- crash`: everything, then one of the others. The matrix kills each by itself.
const [others, everything] = [kills.slice(0, -1), kills.at(-1)]
const rounds = modelRuns(2)
const load = { readers: 0, writers: 3, enrollers: 1, agentPauseMs: 200, pauseMs: 20, timeoutMs: 60_000 }

test(
  'acknowledged writes survive kill -9 of any process and of all at once, and none is made twice',
  async () => {
    const installation = await installedFolder()
    const world = await openWorld({ agents: 3, arrangement: 'embedded, workers', hasSmallDisk: false, installation })
    const events = openEventReader()
    try {
      for (let round = 0; round < rounds; round++) {
        const kill = (round % 2 === 0 ? everything : others[randomInt(others.length)]) ?? expect.fail()
        const { acknowledged, broken, faults } = await runRound(world, kill, load, events)

        expect([...broken, ...faults], `after round ${round} (${kill.name})`).toEqual([])
        expect(acknowledged).toBeGreaterThan(0)
      }
      expect(await events.readAgain(world.fleet.api)).toEqual([])
      expect(await world.verifyAudit()).toBeUndefined()
    } finally {
      await world.close()
    }
  },
  120_000 + 30_000 * rounds,
)
