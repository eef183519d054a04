import { type RawBuilder, sql } from 'kysely'
import type { WorkKind } from '../work-states/work-states.ts'

/** A work item with what is needed to record how it ended. */
export type WorkItem = {
  id: number
  computer_id: number
  /** Null for `Power` and `Refresh`. */
  package_id: string | null
  kind: WorkKind
  attempt: number
  commands: number
  reinstall_group_id: string | null
  /** The patches that a fix package was to install; null for other work and for work that was never started. */
  patch_ids: number[] | null
  name: string | null
  package_name: string | null
  version: string | null
  content_hash: Buffer | null
}

const ownColumns = ['id', 'computer_id', 'package_id', 'kind', 'attempt', 'commands', 'reinstall_group_id', 'patch_ids']

/** Selects the columns of a `WorkItem`, given the aliases of the work and of its package. */
export function workItemColumns(work: string, ofPackage: string): RawBuilder<WorkItem> {
  const packageColumns = ['name', 'package_name', 'version'].map((name) => sql.ref(`${ofPackage}.${name}`))
  const columns = [...ownColumns.map((name) => sql.ref(`${work}.${name}`)), ...packageColumns]
  return sql<WorkItem>`${sql.join(columns)},
    coalesce(${sql.ref(`${work}.content_hash`)}, ${sql.ref(`${ofPackage}.content_hash`)}) as content_hash`
}
