import { expect } from 'vitest'
import { computers, packages } from './state-machine-groups.ts'
import type { DeploymentModel } from './state-machine-model.ts'
import { isOpen, type ModelWorkItem } from './state-machine-work.ts'
import type { StateMachine } from './state-machine-world.ts'

export type Both = { model: DeploymentModel; ids: Map<ModelWorkItem, number>; eventCounts: number[]; steps: number }

/** Everything that the API returns must equal the model. */
export async function compare(both: Both, real: StateMachine): Promise<void> {
  const { model, eventCounts } = both
  const ofComputers = computers.map(async (at) => {
    const events = model.events[at]?.splice(0) ?? []
    eventCounts[at] = (eventCounts[at] ?? 0) + events.length
    const [deployments, reinstalls, tasks, history] = await Promise.all([
      real.deployments(at),
      real.reinstalls(at),
      real.tasks(at),
      real.history(at, events.length),
    ])
    expect(byPackage(deployments), `software-deployment of ${at}`).toEqual(deploymentsOf(model, at))
    expect(byPackage(reinstalls), `software-reinstall of ${at}`).toEqual(reinstallsOf(model, at))
    expect(tasks, `tasks of ${at}`).toEqual(tasksOf(model, at))
    expect(history, `history of ${at}`).toEqual({ newest: events.toSorted(), totalCount: eventCounts[at] })
  })
  const ofPackages = [...packages.keys()].map(async (at) => {
    expect(await real.counts(at), `status of package ${at}`).toEqual(countsOf(model, at))
  })
  await Promise.all([...ofComputers, ...ofPackages])
  expect(await real.unjustified(), 'work that nothing justifies').toEqual([])
  // One explanation after each step, of another computer and package each time.
  const [at, of] = [both.steps % computers.length, Math.floor(both.steps / computers.length) % packages.length]
  both.steps++
  const explained = await real.explain(at, of)
  const item = model.workItems.find((open) => open.computer === at && open.package === of && isOpen(open))
  expect(explained.kind, `explanation of ${of} on ${at}`).toBe(item?.kind ?? null)
  if (!item) expect(explained.verdict).toBe(settledVerdict(model, at, of, explained.verdict))
  const failed = [...packages.keys()].filter((one) => hasFailed(model, at, one))
  const health = failed.length > 0 ? 'Warning' : 'Healthy'
  expect(await real.issues(at), `issues and health of ${at}`).toEqual({ failed, health })
}

/** A failure is an issue while the package is assigned and nothing else is pending. */
const hasFailed = (model: DeploymentModel, at: number, of: number) =>
  model.nearest(at, of) !== null && statusOf(model, at, of) === 'Failed'

/** What a package without open work is. Whether the next activation would create work is left to the service. */
function settledVerdict(model: DeploymentModel, at: number, of: number, shown: string): string {
  const { result, installation } = model.state(at, of)
  if (isForOthers(model, at, of)) return 'NotApplicable'
  if (result === 'Failed') return 'Failed'
  if (installation === 'Installed') return 'Installed'
  if (model.nearest(at, of) === null) return installation === 'Uninstalled' ? 'Removed' : 'NotAssigned'
  return shown === 'NothingToDo' ? shown : 'NotActivated'
}

const byPackage = <T extends { package: number }>(items: T[]) => items.toSorted((a, b) => a.package - b.package)

/** What is installed has shown that it is for the computer. */
const isForOthers = (model: DeploymentModel, at: number, of: number) =>
  model.nearest(at, of) !== null && !model.isApplicable(at, of) && model.state(at, of).installation !== 'Installed'

function statusOf(model: DeploymentModel, at: number, of: number): 'Pending' | 'Success' | 'Failed' {
  const { result, isPending, installation } = model.state(at, of)
  const nearest = model.nearest(at, of)
  if (nearest === null || isForOthers(model, at, of)) return 'Success'
  const isWanted = installation === 'Uninstalled' && model.modeIn(nearest, of) !== 'Uninstall'
  return isPending || result === null || (result === 'Success' && isWanted) ? 'Pending' : result
}

function deploymentsOf(model: DeploymentModel, at: number) {
  return [...packages.keys()].flatMap((of) => {
    const { installation, currentMode } = model.state(at, of)
    const nearest = model.nearest(at, of)
    if (nearest === null && installation !== 'Installed') return []
    const assignedMode = nearest === null ? '' : model.modeIn(nearest, of)
    return {
      package: of,
      status: statusOf(model, at, of),
      installationState: installation,
      desiredMode: model.reinstallOf(at, of) ? 'Reinstall, Force' : assignedMode,
      currentMode,
      isApplicable: !isForOthers(model, at, of),
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
      const states = workItems.map(({ state }) => state)
      if (states.includes('Due') || states.includes('Leased')) return `${type} 1`
      return `${type} ${states.includes('Failed') ? 3 : 2}`
    })
}

function countsOf(model: DeploymentModel, of: number) {
  const statuses = computers
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
