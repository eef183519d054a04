import { startTrial } from '../../src/features/package-trials/start-trial.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import type { World } from '../world/open-world.ts'
import type { Scenario } from '../world/scenario.ts'

/** A package that can be tried, and a computer that can try it. */
async function triable({ db, given }: World) {
  const [pack, computer] = [
    await given.package({ is_operational: true, hash_state: 'Current' }),
    await given.computer(),
  ]
  await deploymentsIn(db, given).agent(computer)
  return { pack, computer }
}

async function openTrial(world: World) {
  const { pack, computer } = await triable(world)
  const createdBy = { id: 1, name: 'ada' }
  const trial = { packageId: pack.id, computerId: computer.id, expiresInMinutes: 60, createdBy }
  return { params: { id: await startTrial(world.db, trial) } }
}

export const packageTrialsScenarios: Record<string, Scenario> = {
  createPackageTrial: async (world) => {
    const { pack, computer } = await triable(world)
    return { params: { id: pack.id }, body: { computerId: computer.id } }
  },
  listPackageTrials: async ({ given }) => ({ params: { id: (await given.package()).id } }),
  getPackageTrial: openTrial,
  cancelPackageTrial: openTrial,
}
