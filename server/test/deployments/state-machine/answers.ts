import { expect } from 'vitest'
import { computers, groups } from './groups.ts'
import type { DeploymentModel } from './model.ts'
import { assignablePackages, bitOf, kindOf, operatingSystem, packages } from './packages.ts'
import { isPending, type ModelWorkItem, noPackage } from './work.ts'
import type { StateMachine } from './world.ts'

export type Both = {
  model: DeploymentModel
  ids: Map<ModelWorkItem, number>
  eventCounts: number[]
  /** The status of each package after the step before. */
  packageCounts: string[]
  steps: number
}

/** Everything that the API returns must equal the model. */
export async function compare(both: Both, real: StateMachine): Promise<void> {
  const { model, eventCounts } = both
  const ofComputers = computers.map(async (at) => {
    const events = model.events[at]?.splice(0) ?? []
    eventCounts[at] = (eventCounts[at] ?? 0) + events.length
    const [deployments, reinstalls, tasks, history, installation, missing] = await Promise.all([
      real.deployments(at),
      real.reinstalls(at),
      real.tasks(at),
      real.history(at, events.length),
      real.installationState(at),
      real.readiness(at),
    ])
    expect(byPackage(deployments), `software-deployment of ${at}`).toEqual(deploymentsOf(model, at))
    expect(byPackage(reinstalls), `software-reinstall of ${at}`).toEqual(reinstallsOf(model, at))
    expect(tasks, `tasks of ${at}`).toEqual(tasksOf(model, at))
    expect(history, `history of ${at}`).toEqual({ newest: events.toSorted(), totalCount: eventCounts[at] })
    expect(installation, `installation of ${at}`).toEqual(model.installationState(at))
    expect(missing, `readiness of ${at}`).toEqual(missingFor(model, at))
    expect(await real.boot(at), `boot script of ${at}`).toEqual(model.boot(at))
    expect(await real.installation(at), `document for the installer of ${at}`).toEqual(model.installation(at))
  })
  // The status of packages is expensive: after each step, those that should have changed are compared, and one more in turn.
  const ofPackages = [...packages.keys()].map(async (at) => {
    const counts = countsOf(model, at)
    const isChanged = both.packageCounts[at] !== JSON.stringify(counts)
    both.packageCounts[at] = JSON.stringify(counts)
    if (isChanged || both.steps % packages.length === at)
      expect(await real.counts(at), `status of package ${at}`).toEqual(counts)
  })
  await Promise.all([...ofComputers, ...ofPackages])
  const group = both.steps % groups.length
  expect(await real.groupPage(group), `page of group ${group}`).toEqual(groupPageOf(model, group))
  expect(await real.unjustified(), 'work that nothing justifies').toEqual([])
  // One explanation after each step, of another computer and package each time.
  const [at, of] = [both.steps % computers.length, Math.floor(both.steps / computers.length) % packages.length]
  both.steps++
  const explained = await real.explain(at, of)
  const item = model.open(at).find((open) => open.package === of)
  expect(explained.kind, `explanation of ${of} on ${at}`).toBe(item?.kind ?? null)
  if (!item) expect(explained.verdict, `verdict about ${of} on ${at}`).toBe(settledVerdict(model, at, of))
  const failed = [...packages.keys()].filter((one) => hasFailed(model, at, one))
  const health = failed.length > 0 ? 'Warning' : 'Healthy'
  expect(await real.issues(at), `issues and health of ${at}`).toEqual({ failed, health })
}

/** A failure is an issue while the package is assigned and nothing else is pending. */
const hasFailed = (model: DeploymentModel, at: number, of: number) => {
  const { result, isPending: isAwaited } = model.state(at, of)
  return result === 'Failed' && !isAwaited && model.comesThrough(model.groupsOf(at), of)
}

/** What a package without open work is. */
function settledVerdict(model: DeploymentModel, at: number, of: number): string {
  const { result, installation } = model.state(at, of)
  const group = model.nearest(at, of)
  if (isForOthers(model, at, of)) return 'NotApplicable'
  if (kindOf(of) === 'PxeBootImage' && group !== null) return 'Applied'
  if (result === 'Failed') return 'Failed'
  if (installation === 'Installed') return 'Installed'
  if (isPulled(model, at, of)) return 'NotActivated'
  if (group === null) return installation === 'Uninstalled' ? 'Removed' : 'NotAssigned'
  const isActivated = model.reaches(model.activeGroupsOf(at, bitOf(of)), group)
  const isDue = model.dueOn(at, bitOf(of)).some(({ one }) => one === of)
  return isActivated && !isDue ? 'NothingToDo' : 'NotActivated'
}

const isPulled = (model: DeploymentModel, at: number, of: number) => model.pulledTo(at).some(({ one }) => one === of)

const byPackage = <T extends { package: number }>(items: T[]) => items.toSorted((a, b) => a.package - b.package)

/** What is installed has shown that it is for the computer. */
const isForOthers = (model: DeploymentModel, at: number, of: number) =>
  model.nearest(at, of) !== null && !model.isApplicable(at, of) && model.state(at, of).installation !== 'Installed'

/** The mode with which a package is assigned to a computer, or comes because another one requires it; null if neither is the case. */
function assignedMode(model: DeploymentModel, at: number, of: number): string | null {
  if (isPulled(model, at, of)) return 'Install'
  const group = model.nearest(at, of)
  return group === null ? null : model.optionsIn(group, of).mode
}

function statusOf(model: DeploymentModel, at: number, of: number): 'Pending' | 'Success' | 'Failed' {
  const { result, isPending: isAwaited, installation } = model.state(at, of)
  const mode = assignedMode(model, at, of)
  if (mode === null || isForOthers(model, at, of)) return 'Success'
  const isWanted = installation === 'Uninstalled' && !mode.includes('Uninstall')
  return isAwaited || result === null || (result === 'Success' && isWanted) ? 'Pending' : result
}

/** The group and the mode with which a package is deployed to a computer. A boot image is one only if it is the system. */
function deploymentOf(model: DeploymentModel, at: number, of: number): string | null {
  const group = model.nearest(at, of)
  if (kindOf(of) === 'PxeBootImage' && model.systemOf(at)?.one !== of) return null
  const isSystem = kindOf(of) === 'PxeBootImage' || kindOf(of) === 'OperatingSystem'
  return isSystem && group !== null ? model.systemMode({ group, one: of }) : assignedMode(model, at, of)
}

function deploymentsOf(model: DeploymentModel, at: number) {
  return [...packages.keys()].flatMap((of) => {
    const { installation, currentMode } = model.state(at, of)
    const desiredMode = deploymentOf(model, at, of)
    if (desiredMode === null && installation !== 'Installed') return []
    return {
      package: of,
      status: desiredMode === null ? 'Success' : statusOf(model, at, of),
      installationState: installation,
      desiredMode: model.reinstallOf(at, of) ? 'Reinstall, Force' : (desiredMode ?? ''),
      currentMode,
      isApplicable: desiredMode === null || !isForOthers(model, at, of),
    }
  })
}

function reinstallsOf(model: DeploymentModel, at: number) {
  return [...packages.keys()].flatMap((of) => {
    const item = model.reinstallOf(at, of)
    return item ? { package: of, group: item.group } : []
  })
}

function tasksOf(model: DeploymentModel, at: number): string[] {
  return model.tasks
    .filter((task) => task.computer === at || task.workItems.some((item) => item.computer === at))
    .map(({ type, workItems }) => {
      if (workItems.some(isPending)) return `${type} 1`
      return `${type} ${workItems.some(({ state }) => state === 'Failed') ? 3 : 2}`
    })
}

/** The packages that the group has, itself or from above, without those of the class. */
function groupPageOf(model: DeploymentModel, group: number) {
  const shown = assignablePackages.filter((of) => model.hasDirectly(group, of))
  return Object.fromEntries(shown.map((of) => [of, countsOf(model, of, model.below(group))]))
}

/** What is missing to install an operating system. */
function missingFor(model: DeploymentModel, at: number): string[] {
  const [edition, boot] = [model.editionOf(at), model.bootImageOf(at)]
  const image = boot?.image ?? noPackage
  const found = {
    OsImageSku: !edition,
    PxeBootImage: !boot,
    OsImageReadyToInstall: edition && !model.isReady[operatingSystem],
    PxeBootImageReadyToInstall: boot && !model.isReady[image],
    OsImageForArchitecture: edition && !model.isForArchitecture(at, operatingSystem),
    PxeBootImageForArchitecture: boot && !model.isForArchitecture(at, image),
    PxeSupport: !model.supportsPxe[at],
  }
  return Object.entries(found).flatMap(([condition, isMissing]) => (isMissing ? condition : []))
}

function countsOf(model: DeploymentModel, of: number, among: readonly number[] = computers) {
  const statuses = among
    .filter((at) => model.nearest(at, of) !== null)
    .map((at) => (isForOthers(model, at, of) ? 'NotApplicable' : statusOf(model, at, of)))
  const count = (status: string) => statuses.filter((found) => found === status).length
  return {
    total: statuses.length,
    pending: count('Pending'),
    success: count('Success'),
    failed: count('Failed'),
    notApplicable: count('NotApplicable'),
  }
}
