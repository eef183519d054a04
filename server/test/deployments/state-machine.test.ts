import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAgentWorld } from '../channels/agent/agent-world.ts'
import { computers, groups, modes, packages, type Target } from './state-machine-groups.ts'
import { DeploymentModel, type Report } from './state-machine-model.ts'
import type { Piece } from './state-machine-pieces.ts'
import { openStateMachine, type StateMachine } from './state-machine-world.ts'

// For a longer search, and to repeat what one has found.
const numRuns = Number(process.env.MUSTER_MODEL_RUNS ?? 12)
const seed = process.env.MUSTER_MODEL_SEED ? { seed: Number(process.env.MUSTER_MODEL_SEED) } : {}

const world = await openAgentWorld()

type Both = { model: DeploymentModel; ids: Map<Piece, number>; told: number[] }
type Act = (both: Both, real: StateMachine) => Promise<void>

/** One step in both worlds, after which everything that can be read must be the same. */
class Step implements fc.AsyncCommand<Both, StateMachine> {
  readonly #name: string
  readonly #act: Act

  constructor(name: string, act: Act) {
    this.#name = name
    this.#act = act
  }

  check = () => true

  async run(both: Both, real: StateMachine): Promise<void> {
    await this.#act(both, real)
    await compare(both, real)
  }

  toString = () => this.#name
}

const computer = fc.constantFrom(...computers)
const group = fc.nat(groups.length - 1)
const one = fc.nat(packages.length - 1)
const target = fc.oneof(fc.record({ computer }), fc.record({ group }))

/** A step that both worlds take, and answer alike. */
function asked<A extends unknown[]>(
  name: string,
  args: fc.Arbitrary<A>,
  ask: (side: DeploymentModel | StateMachine, ...args: A) => unknown,
) {
  return args.map(
    (values) =>
      new Step(`${name}${JSON.stringify(values)}`, async ({ model }, real) => {
        const expected = ask(model, ...values)
        expect(await ask(real, ...values)).toEqual(expected)
      }),
  )
}

const setReady = fc.tuple(one, fc.constantFrom(true, true, true, false)).map(
  ([at, isReady]) =>
    new Step(`setReady(${at}, ${isReady})`, async ({ model }, real) => {
      model.isReady[at] = isReady
      await real.setReady(at, isReady)
    }),
)

const renew = one.map(
  (at) =>
    new Step(`renew(${at})`, async ({ model }, real) => {
      model.content[at] = (model.content[at] ?? 0) + 1
      await real.renew(at)
    }),
)

const contact = fc.tuple(computer, fc.record({ isNewRun: fc.boolean(), isEmptyHanded: fc.boolean() })).map(
  ([at, said]) =>
    new Step(`contact(${at}, ${JSON.stringify(said)})`, async ({ model, ids }, real) => {
      const expected = model.contact(at, said)
      const handed = await real.contact(at, said)
      expect(
        handed.map(({ package: of, kind, attempt }) => ({
          package: real.packageOf(of?.packageId ?? ''),
          kind,
          attempt,
        })),
      ).toEqual(expected.map(({ package: of, kind, attempt }) => ({ package: of, kind, attempt })))
      for (const [n, piece] of expected.entries()) ids.set(piece, handed[n]?.workId ?? 0)
    }),
)

type OfPiece = (both: Both, real: StateMachine, piece: Piece, workId: number, attempt: number) => Promise<void>

/** A word of the agent about something that it was handed once; mostly about what it has, and about the last attempt. */
function aboutWork(name: string, act: OfPiece) {
  const which = fc.record({
    at: fc.nat(20),
    isHeld: fc.constantFrom(true, true, true, false),
    back: fc.constantFrom(0, 0, 0, 0, 1),
  })
  return which.map(
    ({ at, isHeld, back }) =>
      new Step(`${name} of ${isHeld ? 'held' : 'any'} work ${at}, ${back} attempts before`, async (both, real) => {
        const handed = [...both.ids].filter(([{ state }]) => !isHeld || state === 'Leased')
        const [piece, workId] = handed[at % Math.max(1, handed.length)] ?? []
        if (piece && workId && piece.attempt > back) await act(both, real, piece, workId, piece.attempt - back)
      }),
  )
}

const start = aboutWork('start', async ({ model }, real, piece, workId, attempt) => {
  const expected = model.start(piece, attempt)
  expect(await real.start(piece.computer, workId, attempt)).toEqual(expected)
})

const reported = (report: Report) =>
  aboutWork(`report ${Object.values(report).join(' ')}`, async ({ model }, real, piece, workId, attempt) => {
    const expected = model.report(piece, attempt, report)
    expect(await real.report(piece.computer, workId, attempt, report)).toEqual(expected)
  })

const timePasses = (name: 'letLeasesRunOut' | 'letBackOffsEnd') =>
  computer.map(
    (at) =>
      new Step(`${name}(${at})`, async ({ model }, real) => {
        model[name](at)
        await real[name](at)
      }),
  )

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)
const inGroup = fc.tuple(group, one)
const onComputer = fc.tuple(computer, one)
const options = fc.tuple(group, fc.option(one, { freq: 2 }), fc.constantFrom(...modes))
const scope: fc.Arbitrary<[Target, boolean]> = fc.tuple(target, fc.boolean())

const steps = [
  ...times(
    3,
    asked('assign', inGroup, (side, ...args) => side.assign(...args)),
  ),
  asked('unassign', inGroup, (side, ...args) => side.unassign(...args)),
  ...times(
    2,
    asked('setOptions', options, (side, ...args) => side.setOptions(...args)),
  ),
  ...times(
    3,
    asked('activate', scope, (side, ...args) => side.activate(...args)),
  ),
  asked('deactivate', scope, (side, ...args) => side.deactivate(...args)),
  asked('uninstall', onComputer, (side, ...args) => side.uninstall(...args)),
  ...times(
    2,
    asked('reinstall', onComputer, (side, ...args) => side.reinstall(...args)),
  ),
  asked('cancelReinstall', onComputer, (side, ...args) => side.cancelReinstall(...args)),
  asked('replaceGroup', fc.tuple(fc.constantFrom(0, 2)), (side, ...args) => side.replaceGroup(...args)),
  setReady,
  ...times(2, renew),
  ...times(8, contact),
  ...times(2, start),
  ...times(6, reported({ status: 'Success', installationState: null })),
  ...times(5, reported({ status: 'Failed', installationState: null })),
  reported({ status: 'Failed', installationState: 'NotInstalled' }),
  timePasses('letLeasesRunOut'),
  ...times(4, timePasses('letBackOffsEnd')),
]

async function compare(both: Both, real: StateMachine): Promise<void> {
  const { model, told } = both
  const ofComputers = computers.map(async (at) => {
    const events = model.events[at]?.splice(0) ?? []
    told[at] = (told[at] ?? 0) + events.length
    const [deployments, reinstalls, tasks, history] = await Promise.all([
      real.deployments(at),
      real.reinstalls(at),
      real.tasks(at),
      real.history(at, events.length),
    ])
    expect(byPackage(deployments), `software-deployment of ${at}`).toEqual(deploymentsOf(model, at))
    expect(byPackage(reinstalls), `software-reinstall of ${at}`).toEqual(reinstallsOf(model, at))
    expect(tasks, `tasks of ${at}`).toEqual(tasksOf(model, at))
    expect(history, `history of ${at}`).toEqual({ newest: events.toSorted(), totalCount: told[at] })
  })
  const ofPackages = [...packages.keys()].map(async (at) => {
    expect(await real.counts(at), `status of package ${at}`).toEqual(countsOf(model, at))
  })
  await Promise.all([...ofComputers, ...ofPackages])
}

const byPackage = <T extends { package: number }>(items: T[]) => items.toSorted((a, b) => a.package - b.package)

function statusOf(model: DeploymentModel, at: number, of: number): 'Pending' | 'Success' | 'Failed' {
  const { result, isPending } = model.state(at, of)
  return isPending || result === null ? 'Pending' : result
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
    }
  })
}

function reinstallsOf(model: DeploymentModel, at: number) {
  return [...packages.keys()].flatMap((of) => {
    const piece = model.reinstallOf(at, of)
    return piece ? { package: of, group: piece.group } : []
  })
}

function tasksOf(model: DeploymentModel, at: number): string[] {
  return model.tasks
    .filter((task) => task.computer === at || task.pieces.some((piece) => piece.computer === at))
    .map(({ type, pieces }) => {
      const states = pieces.map(({ state }) => state)
      if (states.includes('Due') || states.includes('Leased')) return `${type} 1`
      return `${type} ${states.includes('Failed') ? 3 : 2}`
    })
}

function countsOf(model: DeploymentModel, of: number) {
  const statuses = computers.filter((at) => model.nearest(at, of) !== null).map((at) => statusOf(model, at, of))
  const count = (status: string) => statuses.filter((found) => found === status).length
  return { total: statuses.length, pending: count('Pending'), success: count('Success'), failed: count('Failed') }
}

// Otherwise most of the time goes by until anything can be installed.
const assignedFirst = [
  [0, 0],
  [1, 1],
  [0, 2],
] as const

test('whatever is asked for, reported and lost in whatever order, the API tells what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: 'max' }), async (commands) => {
      const real = await openStateMachine(world)
      const model = new DeploymentModel()
      for (const [group, one] of assignedFirst) expect(await real.assign(group, one)).toBe(model.assign(group, one))
      await fc.asyncModelRun(() => ({ model: { model, ids: new Map<Piece, number>(), told: [0, 0] }, real }), commands)
    }),
    // What was found is made smaller for as long.
    { numRuns, interruptAfterTimeLimit: numRuns * 10_000, ...seed },
  )
}, 3_600_000)
