import { createHash } from 'node:crypto'
import type { Database } from '../../../database/connect.ts'
import type { DesiredState } from '../api/desired-state/document-schemas.ts'
import { countAffectedComputers } from './affected-computers.ts'
import { compareObjects, listKnownObjects, listMissingReferences } from './compare-state.ts'
import { readState, type StateReading } from './read-state.ts'
import { stateSections } from './sections/index.ts'
import type { ChangeContext, StateChange, StateProperty, StateSection } from './state-section.ts'

export type PlannedChange = StateChange & {
  /** Different for changes that differ in anything that the plan shows. */
  fingerprint: string
  /** The operations that make the change. */
  operations: string[]
  blockers: string[]
  /** How many computers it affects. */
  computers: number
}

/** Changes that are made in one transaction. */
export type StateStep = { section: StateSection; changes: PlannedChange[] }

export type ComputedPlan = { changes: PlannedChange[]; steps: StateStep[]; reading: StateReading }

export const propertiesOf = (document: DesiredState) => Object.keys(document) as StateProperty[]

/** Computes what applying the document would change. Writes nothing. */
export async function computeStatePlan(db: Database, document: DesiredState, prune: boolean): Promise<ComputedPlan> {
  const reading = await readState(db, propertiesOf(document))
  const compared = stateSections.map((section) => ({
    section,
    changes: compareSection(section, document, reading, prune),
  }))
  const all = compared.flatMap(({ changes }) => changes)
  const computersOf = await countAffectedComputers(db, all)
  const known = listKnownObjects(reading.current, all)
  const preview = previewContext(document, reading)
  const steps = toSteps(
    compared.map(({ section, changes }) => ({
      section,
      changes: changes.map((change) => ({
        ...change,
        fingerprint: fingerprintOf(change),
        operations: [...new Set(section.toRequests([change], preview).map(({ operation }) => operation))],
        blockers: [...(section.blockersOf?.(change) ?? []), ...listMissingReferences(change, known)],
        computers: computersOf(change),
      })),
    })),
  )
  return { changes: steps.flatMap(({ changes }) => changes), steps, reading }
}

function compareSection(
  section: StateSection,
  document: DesiredState,
  { packages, current }: StateReading,
  prune: boolean,
): StateChange[] {
  const target = section.readDocument(document, { packages, current })
  return target ? compareObjects(section, current.get(section.name) ?? new Map(), target, prune) : []
}

/** Objects are added in the order of the sections, so that references exist, and removed in the reverse order. */
function toSteps(compared: readonly StateStep[]): StateStep[] {
  const select = (isSelected: (change: PlannedChange, section: StateSection) => boolean) =>
    compared.flatMap(({ section, changes }): StateStep[] => {
      const selected = changes.filter((change) => isSelected(change, section))
      if (selected.length === 0) return []
      return section.whole
        ? [{ section, changes: selected }]
        : selected.map((change) => ({ section, changes: [change] }))
    })
  const isFirst = (change: PlannedChange, section: StateSection) => section.isFirst?.(change) === true
  return [
    ...select(isFirst),
    ...select((change, section) => change.action !== 'remove' && !isFirst(change, section)),
    ...select(({ action }) => action === 'remove').reverse(),
  ]
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
