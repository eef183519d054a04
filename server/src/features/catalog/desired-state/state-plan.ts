import { createHash } from 'node:crypto'
import { compositeKey } from '@muster/text'
import type { Database } from '../../../database/connect.ts'
import type { DesiredState } from '../api/desired-state/document-schemas.ts'
import { countAffectedComputers } from './affected-computers.ts'
import { compareObjects, listKnownObjects, listMissingReferences } from './compare-state.ts'
import { readState, type StateReading } from './read-state.ts'
import { countRuleMembers, listRuleBlockers, type RuleMembers } from './rule-members.ts'
import { stateSections } from './sections/index.ts'
import type { ChangeContext, StateChange, StateProperty, StateSection } from './state-section.ts'

export type PlannedChange = StateChange & {
  /** Different for changes that differ in anything that the plan shows. */
  fingerprint: string
  /** The operations that make the change. */
  operations: string[]
  blockers: string[]
  /** How many computers it affects; 0 if they were not counted. */
  computers: number
  /** Who would join and leave by the rule of a group; null for other changes, and if they were not counted. */
  members: RuleMembers | null
}

/** Changes that are made in one transaction. */
export type StateStep = { section: StateSection; changes: PlannedChange[] }

export type ComputedPlan = { changes: PlannedChange[]; steps: StateStep[]; reading: StateReading }

export const propertiesOf = (document: DesiredState) => Object.keys(document) as StateProperty[]

type PlanOptions = {
  prune: boolean
  /** Counting looks at the whole fleet. An apply does without, because it is repeated for each part of a large plan. */
  countsComputers: boolean
  /** Whether to count who would join and leave by rules, which reveals properties of computers. */
  countsMembers: boolean
}

/** Computes what applying the document would change. Writes nothing. */
export async function computeStatePlan(
  db: Database,
  document: DesiredState,
  { prune, countsComputers, countsMembers }: PlanOptions,
): Promise<ComputedPlan> {
  const reading = await readState(db, propertiesOf(document))
  const compared = stateSections.map((section) => ({
    section,
    changes: compareSection(section, document, reading, prune),
  }))
  const all = compared.flatMap(({ changes }) => changes)
  const computersOf = countsComputers ? await countAffectedComputers(db, all) : () => 0
  const membersOf = countsMembers ? await countRuleMembers(db, all) : () => null
  const ruleBlockersOf = await listRuleBlockers(db, all)
  const known = listKnownObjects(reading.current, all)
  const preview = previewContext(document, reading)
  const steps = toSteps(
    compared.map(({ section, changes }) => ({
      section,
      changes: changes.map((change) => ({
        ...change,
        fingerprint: fingerprintOf(change),
        operations: [...new Set(section.toRequests([change], preview).map(({ operation }) => operation))],
        blockers: [
          ...(section.blockersOf?.(change) ?? []),
          ...ruleBlockersOf(change),
          ...listMissingReferences(change, known),
        ],
        computers: sumOf(membersOf(change)) ?? computersOf(change),
        members: membersOf(change),
      })),
    })),
  )
  return { changes: steps.flatMap(({ changes }) => changes), steps, reading }
}

const sumOf = (members: RuleMembers | null) => members && members.joining + members.leaving

function compareSection(
  section: StateSection,
  document: DesiredState,
  { packages, current }: StateReading,
  prune: boolean,
): StateChange[] {
  const target = section.readDocument(document, { packages, current })
  return target ? compareObjects(section, current.get(section.name) ?? new Map(), target, prune) : []
}

/** Objects are added in the order of the sections so that references exist, and removed in the reverse order. */
function toSteps(compared: readonly StateStep[]): StateStep[] {
  const select = (isSelected: (change: PlannedChange, section: StateSection) => boolean) =>
    compared.flatMap(({ section, changes }): StateStep[] => {
      const selected = changes.filter((change) => isSelected(change, section))
      if (selected.length === 0) return []
      return (section.whole ? [selected] : separate(section, selected)).map((changes) => ({ section, changes }))
    })
  const isFirst = (change: PlannedChange, section: StateSection) => section.isFirst?.(change) === true
  return [
    ...select(isFirst),
    ...select((change, section) => change.action !== 'remove' && !isFirst(change, section)),
    ...select(({ action }) => action === 'remove').reverse(),
  ]
}

/** Enough to make the transactions of a large section few, and few enough for a short one. */
const maxTogether = 500

/** Changes that are one step each, except for additions that can be made together. */
function separate({ together }: StateSection, changes: readonly PlannedChange[]): PlannedChange[][] {
  const key = (change: PlannedChange) =>
    together && change.action === 'add' ? together(change) : compositeKey(change.action, change.object.key)
  return [...Map.groupBy(changes, key).values()].flatMap((same) =>
    Array.from({ length: Math.ceil(same.length / maxTogether) }, (_, part) =>
      same.slice(part * maxTogether, (part + 1) * maxTogether),
    ),
  )
}

/** Shows which requests would be made. Ids that do not exist yet are zero. */
function previewContext(document: DesiredState, { packages, current }: StateReading): ChangeContext {
  const find: ChangeContext['find'] = (section, key) => current.get(section)?.get(key)
  return { document, packages, find, idOf: (section, key) => find(section, key)?.id ?? 0, secretOf: () => '' }
}

function fingerprintOf({ section, action, object, before, after }: StateChange): string {
  const content = [section, action, object.key, before?.fields ?? null, after?.fields ?? null]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32)
}
