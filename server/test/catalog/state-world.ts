import { applyDesiredState } from '../../src/features/catalog/api/desired-state/apply-desired-state.ts'
import type { DesiredState } from '../../src/features/catalog/api/desired-state/document-schemas.ts'
import { getDesiredState } from '../../src/features/catalog/api/desired-state/get-desired-state.ts'
import { planDesiredState } from '../../src/features/catalog/api/desired-state/plan-desired-state.ts'
import type { StatePlan } from '../../src/features/catalog/api/desired-state/schemas.ts'
import { roleNames } from '../../src/platform/roles.ts'
import type { Caller, Json } from '../world/caller.ts'
import { openWorld } from '../world/open-world.ts'

export type State = Json<DesiredState>

export const firefox = { name: 'firefox', version: '128.0' }
export const vpn = { name: 'vpn', version: '5.2', revision: '2' }
export const variableDefinitions: NonNullable<State['variableDefinitions']> = [
  {
    name: 'Printing',
    kind: 'Category',
    children: [
      { name: 'Password', secret: true },
      { name: 'Queues', kind: 'Collection', children: [{ name: 'Colour', default: 'no' }, { name: 'Name' }] },
      { name: 'Server', default: 'print01' },
    ],
  },
]

export const groups = (name: string): NonNullable<State['groups']> => [
  { path: `Configuration/${name}`, description: 'Everything below' },
  {
    path: `Configuration/${name}/Berlin`,
    packages: [firefox, vpn],
    options: [
      { commands: ['Install', 'Update'], wol: true },
      { package: firefox, commands: ['Install'], schedule: 'CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=180' },
    ],
    variables: [
      { variable: 'Printing.Password', secret: 'env:PRINT' },
      { variable: 'Printing.Server', value: 'print02', forced: true },
    ],
    collections: [{ variable: 'Printing.Queues', entries: [{ Name: 'floor-2' }, { Colour: 'yes', Name: 'floor-3' }] }],
  },
]

type ApplyOptions = {
  prune?: boolean
  plan?: StatePlan
  who?: Caller
  expectedRemovals?: number
  maxSteps?: number
  dryRun?: boolean
}

/** A service with two packages, and the calls that plan and apply a state with all roles. */
export async function openStateWorld() {
  const world = await openWorld()
  const { as, given } = world
  const caller = as(...roleNames)
  await given.package({ package_name: 'firefox', version: '128.0', operating_systems: ['Linux'], is_operational: true })
  await given.package({ package_name: 'vpn', version: '5.2', revision: '2', operating_systems: ['Linux'] })

  const exportState = async () => (await caller.call(getDesiredState)).body
  const planOf = async (state: State, prune = false) =>
    (await caller.call(planDesiredState, { body: { state, prune } })).body

  /** Applies a plan. By default, it is made now. */
  async function apply(state: State, { prune = false, plan, who = caller, ...rest }: ApplyOptions = {}) {
    const planned = plan ?? (await planOf(state, prune))
    return who.call(applyDesiredState, {
      ...(rest.dryRun && { query: { dryRun: true } }),
      body: {
        state,
        prune,
        plan: planned.changes.map(({ fingerprint }) => fingerprint),
        expectedRemovals: rest.expectedRemovals ?? planned.removed,
        secrets: Object.fromEntries(planned.secrets.map((reference) => [reference, 'open sesame'])),
        ...(rest.maxSteps && { maxSteps: rest.maxSteps }),
      },
    })
  }

  return { ...world, caller, exportState, planOf, apply }
}
