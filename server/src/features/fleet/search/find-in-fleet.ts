import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Role } from '../../../platform/roles.ts'
import { findComputers } from './find-computers.ts'
import { findGroups, findPackages, findPrincipals, findRollouts } from './find-objects.ts'
import { findCves, findPatches } from './find-patches.ts'
import { findUsers } from './find-users.ts'
import { type SearchedText, toSearchedText } from './searched-text.ts'

/** What can be found, with the role that may read it. */
const kinds = {
  computers: { role: 'computer.read', find: findComputers },
  users: { role: 'computer.read', find: findUsers },
  packages: { role: 'package.read', find: findPackages },
  groups: { role: 'group.read', find: findGroups },
  rollouts: { role: 'computer.read', find: findRollouts },
  cves: { role: 'pm.read', find: findCves },
  patches: { role: 'pm.read', find: findPatches },
  principals: { role: 'admin.manage', find: findPrincipals },
} as const satisfies Record<
  string,
  { role: Role; find: (db: Database, searched: SearchedText, top: number) => Promise<unknown[]> }
>

export type FoundKind = keyof typeof kinds

export type FoundByKind = { [K in FoundKind]: Awaited<ReturnType<(typeof kinds)[K]['find']>> | null }

/** The best matches of each kind that the roles may read; null for the other kinds. */
export async function findInFleet(
  db: Database,
  search: string,
  { top, roles }: { top: number; roles: ReadonlySet<string> },
): Promise<FoundByKind> {
  const searched = toSearchedText(search)
  const found: Partial<Record<FoundKind, unknown[] | null>> = {}
  await db.transaction().execute(async (transaction) => {
    // A search ends with the first candidates. If the planner expects many, it would look for them without an index, and read a
    // whole table if there are none.
    await sql`set local enable_seqscan = off`.execute(transaction)
    for (const [kind, { role, find }] of Object.entries(kinds))
      found[kind as FoundKind] = roles.has(role) ? await find(transaction, searched, top) : null
  })
  return found as FoundByKind
}
