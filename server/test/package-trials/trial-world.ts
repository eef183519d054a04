import type { TrialReport } from '../../src/features/deployments/trials/trial-report-schemas.ts'
import { createPackageTrial } from '../../src/features/package-trials/api/create-package-trial.ts'
import { getPackageTrial } from '../../src/features/package-trials/api/get-package-trial.ts'
import { openAgentWorld } from '../channels/agent/agent-world.ts'

type Subject<Id> = { id: Id }

/** A world in which packages are tried. */
export async function openTrialWorld() {
  const world = await openAgentWorld()
  const administrator = world.as('activation.execute', 'package.read')

  const begin = (pack: Subject<string>, computer: Subject<number>, expiresInMinutes?: number) =>
    administrator.call(createPackageTrial, {
      params: { id: pack.id },
      body: { computerId: computer.id, ...(expiresInMinutes && { expiresInMinutes }) },
    })

  const read = async (trialId: string) => (await administrator.call(getPackageTrial, { params: { id: trialId } })).body

  /** A package, a computer and their trial, which waits. */
  async function waitingTrial() {
    const [pack, computer] = [await world.readyPackage(), await world.agent()]
    const { trialId } = (await begin(pack, computer)).body
    return { pack, computer, trialId }
  }

  /** A trial that the agent has begun. */
  async function runningTrial() {
    const trial = await waitingTrial()
    const [item] = (await trial.computer.contact()).body.work
    await trial.computer.start(item?.workId ?? 0)
    return { ...trial, workId: item?.workId ?? 0 }
  }

  /** The computer has the package. */
  const install = (computer: Subject<number>, { id: package_id }: Subject<string>) =>
    world.db
      .insertInto('deployments')
      .values({ computer_id: computer.id, package_id, installation_state: 'Installed' })
      .execute()

  return { ...world, administrator, begin, read, waitingTrial, runningTrial, install }
}

/** What an agent reports about a trial that left a file. */
export function trialReport(changes: Partial<ReportedTrial> = {}): ReportedTrial {
  return {
    steps: [trialStep('Install', false), trialStep('Uninstall', true)],
    leftovers: [{ kind: 'File', name: '/etc/greeting.conf' }],
    leftoverCount: 1,
    leftoversComplete: true,
    ...changes,
  }
}

type ReportedTrial = Omit<TrialReport, 'steps'> & { steps: ReturnType<typeof trialStep>[] }

export function trialStep(step: 'Install' | 'Uninstall', wasPresent: boolean) {
  return {
    step,
    startedUtc: '2026-03-14T09:26:53.000Z',
    finishedUtc: '2026-03-14T09:26:55.500Z',
    commandLine: `sh ${step.toLowerCase()}.sh` as string | null,
    exitCode: 0 as number | null,
    output: `${step} is done.\n`,
    detectedBefore: wasPresent as boolean | null,
    detectedAfter: !wasPresent as boolean | null,
    errorText: null as string | null,
  }
}
