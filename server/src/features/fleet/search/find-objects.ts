import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { RolloutState } from '../../rollouts/rollout-record.ts'
import { isVisibleGroup } from '../pages/group-summaries.ts'
import { matchesPackageList } from '../pages/package-list.ts'
import { containsWords, qualityOf, type SearchedText } from './searched-text.ts'

// There are thousands of packages, groups, rollouts and principals, not as many as computers: the words are compared with all of them.

export type FoundPackage = { id: string; name: string; version: string | null; isOperational: boolean }

export async function findPackages(db: Database, searched: SearchedText, top: number): Promise<FoundPackage[]> {
  const { rows } = await sql<FoundPackage>`
    select id, name, version, is_operational as "isOperational" from packages
    where ${matchesPackageList({ search: searched.text })}
    order by least(${qualityOf(sql.ref('name'), searched)}, ${qualityOf(sql.ref('package_name'), searched)}),
      lower(name), version_numbers(version) desc, id
    limit ${top}`.execute(db)
  return rows
}

export type FoundGroup = { groupId: string; name: string; path: string }

export async function findGroups(db: Database, searched: SearchedText, top: number): Promise<FoundGroup[]> {
  const { rows } = await sql<FoundGroup>`
    select id as "groupId", name, path from groups
    where ${isVisibleGroup} and ${containsWords(sql.ref('path'), searched)}
    order by case when ${containsWords(sql.ref('name'), searched)} then ${qualityOf(sql.ref('name'), searched)} else 4 end,
      depth, lower(path), id
    limit ${top}`.execute(db)
  return rows
}

export type FoundRollout = { id: string; name: string; state: RolloutState; createdAtUtc: Date }

export async function findRollouts(db: Database, searched: SearchedText, top: number): Promise<FoundRollout[]> {
  const { rows } = await sql<FoundRollout>`
    select id, name, state, created_at as "createdAtUtc" from rollouts
    where ${containsWords(sql.ref('name'), searched)}
    order by ended_at is not null, ${qualityOf(sql.ref('name'), searched)}, created_at desc, id
    limit ${top}`.execute(db)
  return rows
}

export type FoundPrincipal = { id: number; kind: 'local' | 'client' | 'user'; name: string }

export async function findPrincipals(db: Database, searched: SearchedText, top: number): Promise<FoundPrincipal[]> {
  const { rows } = await sql<FoundPrincipal>`
    select id, kind, name
    from (
      select principal_id as id, kind, client_id as name, concat_ws(' ', client_id, description) as texts
      from local_principals
      union all
      select principal_id, subject_type, coalesce(display_name, subject_id), concat_ws(' ', display_name, subject_id)
      from identity_principals
    ) as principals
    where ${containsWords(sql.ref('texts'), searched)}
    order by ${qualityOf(sql.ref('name'), searched)}, lower(name), id limit ${top}`.execute(db)
  return rows
}
