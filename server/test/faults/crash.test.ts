import { expect, test } from 'vitest'
import { modelRuns } from '../world/model-runs.ts'
import { installedFolder } from '../world/service-process.ts'
import { openEventReader } from './crash/event-reader.ts'
import { kills } from './crash/kills.ts'
import { runRound } from './crash/run-round.ts'
import { openWorld } from './matrix/world.ts'

/** The matrix kills workers and backends, too. */
const victims = kills.filter(({ name }) => ['service', 'postmaster', 'everything'].includes(name))
const rounds = modelRuns(victims.length)
const load = { readers: 0, writers: 3, enrollers: 1, agentPauseMs: 200, pauseMs: 20, timeoutMs: 60_000 }

test(
  'acknowledged writes survive kill -9 of the service, of its database and of everything, and none is made twice',
  async () => {
    const installation = await installedFolder()
    const world = await openWorld({ agents: 3, arrangement: 'embedded, workers', hasSmallDisk: false, installation })
    const events = openEventReader()
    try {
      for (let round = 0; round < rounds; round++) {
        const kill = victims[round % victims.length] ?? expect.fail()
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
