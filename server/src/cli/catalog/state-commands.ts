import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { resolveSecrets } from './resolve-secrets.ts'
import { type CallService, CatalogCommandError } from './service-client.ts'
import { readStateFolder, type StateDocument, writeStateFolder } from './state-folder.ts'

type PlannedChange = {
  section: string
  name: string
  action: 'add' | 'change' | 'remove'
  fields: { field: string; before: string | null; after: string | null }[]
  computers: number
  members: { joining: number; leaving: number } | null
  blockers: string[]
  fingerprint: string
}

type Plan = {
  added: number
  changed: number
  removed: number
  changes: PlannedChange[]
  secrets: string[]
  missingRoles: string[]
}

type Applied = {
  applied: number
  remaining: number
  work: { group: string; computers: number; workItems: number | null }[] | null
}

export type StateOptions = {
  folder: string
  prune: boolean
  /** The file of a plan: `plan` writes it, `apply` reads it. */
  planFile?: string | undefined
  /** How many objects may be removed, if nobody can be asked. */
  expectedRemovals?: number | undefined
  print(line: string): void
}

export async function exportStateFolder(
  call: CallService,
  folder: string,
  print: (line: string) => void,
): Promise<void> {
  const files = await writeStateFolder(folder, await call<StateDocument>('GET', '/api/catalog/state'))
  print(`Exported ${files.length} files to ${folder}.`)
}

/** Shows the changes and, if the principal may make them, the work that they would cause. */
export async function planStateFolder(call: CallService, options: StateOptions): Promise<void> {
  const { folder, prune, planFile, print } = options
  const state = await readStateFolder(folder)
  const plan = await call<Plan>('POST', '/api/catalog/state/plan', { state, prune })
  printPlan(plan, print)
  if (planFile) await writeFile(planFile, `${JSON.stringify({ prune, ...plan }, null, 2)}\n`)
  if (plan.changes.length > 0) await printWork(call, state, plan, options)
}

/** Applies what was planned: the saved plan, or one that is made now. */
export async function applyStateFolder(call: CallService, options: StateOptions): Promise<void> {
  const { folder, print } = options
  const state = await readStateFolder(folder)
  const saved = options.planFile
    ? (JSON.parse(await readFile(options.planFile, 'utf8')) as Plan & { prune: boolean })
    : undefined
  const prune = saved?.prune ?? options.prune
  const plan = saved ?? (await call<Plan>('POST', '/api/catalog/state/plan', { state, prune }))
  if (!saved) printPlan(plan, print)
  if (plan.changes.length === 0) return
  const expectedRemovals = await confirmRemovals(plan, options)
  const secrets = await resolveSecrets(plan.secrets, folder, process.env)
  const fingerprints = plan.changes.map(({ fingerprint }) => fingerprint)
  const body = { state, prune, plan: fingerprints, expectedRemovals, secrets }
  for (let remaining = Number.POSITIVE_INFINITY, made = 0; remaining > 0; ) {
    const applied = await call<Applied>('POST', '/api/catalog/state/apply', body)
    made += applied.applied
    remaining = applied.remaining
    print(
      remaining > 0
        ? `${made} changes made, ${remaining} left`
        : `Applied: ${made} ${made === 1 ? 'change' : 'changes'}.`,
    )
  }
}

const countObjects = (count: number) => (count === 1 ? '1 object' : `${count} objects`)

/** People confirm removals by typing their number. */
async function confirmRemovals(plan: Plan, { expectedRemovals }: StateOptions): Promise<number> {
  const { removed } = plan
  if (removed === 0) return 0
  if (expectedRemovals !== undefined) {
    if (expectedRemovals === removed) return removed
    throw new CatalogCommandError(
      `${countObjects(removed)} would be removed, not ${expectedRemovals}. Nothing was applied.`,
    )
  }
  if (!process.stdin.isTTY)
    throw new CatalogCommandError(
      `${countObjects(removed)} would be removed: repeat with --expect-removals ${removed}.`,
    )
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${countObjects(removed)} will be removed. Type ${removed} to continue: `)
    if (answer.trim() !== String(removed)) throw new CatalogCommandError('Nothing was applied.')
    return removed
  } finally {
    terminal.close()
  }
}

async function printWork(call: CallService, state: StateDocument, plan: Plan, options: StateOptions): Promise<void> {
  const { prune, print } = options
  if (plan.missingRoles.length > 0) return print(`To apply, the principal needs ${plan.missingRoles.join(', ')}.`)
  if (plan.changes.some(({ blockers }) => blockers.length > 0)) return
  const { applied, work } = await call<Applied>('POST', '/api/catalog/state/apply?dryRun=true', {
    state,
    prune,
    plan: plan.changes.map(({ fingerprint }) => fingerprint),
    expectedRemovals: plan.removed,
    // A rehearsal is rolled back, so that it needs no real secrets.
    secrets: Object.fromEntries(plan.secrets.map((reference) => [reference, 'rehearsal'])),
  })
  print(`Rehearsed: ${applied} changes would succeed.`)
  for (const { group, computers, workItems } of work ?? [])
    print(`An activation of ${group} would create ${workItems ?? 'very many'} work items for ${computers} computers.`)
}

function printPlan({ changes, added, changed, removed }: Plan, print: (line: string) => void): void {
  for (const { action, section, name, computers, members, fields, blockers } of changes) {
    print(`${action.padEnd(6)} ${section} ${name}${computers > 0 ? ` (${computers} computers)` : ''}`)
    if (members) print(`         ${members.joining} computers would join, ${members.leaving} would leave`)
    for (const { field, before, after } of fields) print(`         ${field}: ${before ?? '—'} → ${after ?? '—'}`)
    for (const blocker of blockers) print(`         blocked: ${blocker}`)
  }
  print(`Planned: ${added} added, ${changed} changed, ${removed} removed.`)
}
