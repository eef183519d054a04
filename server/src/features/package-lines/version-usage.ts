import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { LineVersion, PackageLine } from './line-versions.ts'

export const versionStates = ['InUse', 'Superseded', 'Unused'] as const

export type VersionState = (typeof versionStates)[number]

export type VersionUsage = {
  sizeBytes: number
  /** Groups to which the version is assigned directly. */
  groupCount: number
  /** The first of them, by path. */
  groups: { groupId: string; path: string }[]
  softwareClassCount: number
  installedCount: number
  pendingCount: number
}

const maxGroups = 20

/** Reads where packages are assigned, installed and pending. */
export async function readUsage(db: Database, packageIds: readonly string[]): Promise<Map<string, VersionUsage>> {
  const { rows } = await sql<VersionUsage & { id: string }>`
    select asked.id,
      (select coalesce(sum(size), 0)::double precision from package_files where package_id = asked.id) as "sizeBytes",
      (select count(*)::integer from group_packages where package_id = asked.id) as "groupCount",
      (select coalesce(jsonb_agg(jsonb_build_object('groupId', listed.id, 'path', listed.path) order by listed.path), '[]')
        from (
          select groups.id, groups.path from group_packages join groups on groups.id = group_packages.group_id
          where package_id = asked.id order by groups.path limit ${maxGroups}
        ) as listed) as groups,
      (select count(*)::integer from software_class_packages where package_id = asked.id) as "softwareClassCount",
      deployed.installed as "installedCount", deployed.pending as "pendingCount"
    from unnest(${packageIds}::uuid[]) as asked (id) cross join lateral (
      select (count(*) filter (where installation_state = 'Installed'))::integer as installed,
        (count(*) filter (where pending_since is not null))::integer as pending
      from deployments where package_id = asked.id
    ) as deployed`.execute(db)
  return new Map(rows.map(({ id, ...usage }) => [id, usage]))
}

export type UsedVersion = LineVersion & VersionUsage & { state: VersionState }

const nothing: VersionUsage = {
  ...{ sizeBytes: 0, groupCount: 0, groups: [], softwareClassCount: 0, installedCount: 0, pendingCount: 0 },
}

/** The versions of a line with their use, the newest first. */
export function withUsage({ versions }: PackageLine, usage: ReadonlyMap<string, VersionUsage>): UsedVersion[] {
  let isNewerInUse = false
  return versions.map((version) => {
    const used = usage.get(version.id) ?? nothing
    const state = stateOf(used, isNewerInUse)
    isNewerInUse ||= state === 'InUse'
    return { ...version, ...used, state }
  })
}

/** A version that nothing assigns is superseded by a newer one in use, even where it is still installed. */
function stateOf(used: VersionUsage, isNewerInUse: boolean): VersionState {
  if (used.groupCount + used.softwareClassCount > 0) return 'InUse'
  if (isNewerInUse) return 'Superseded'
  return used.installedCount + used.pendingCount > 0 ? 'InUse' : 'Unused'
}
