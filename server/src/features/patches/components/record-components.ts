import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { PatchComponent } from './component-keys.ts'

/** A component of the patch with this key. */
export type KeyedComponent = PatchComponent & { key: string }

/**
 * Records the components of patches. Of different reports, the highest version and the lowest replaced version count: one
 * agent can attach too many advisories to a patch, but cannot hide any. Returns the ids of the patches that changed.
 */
export async function recordComponents(db: Database, components: readonly KeyedComponent[]): Promise<number[]> {
  const { rows } = await sql<{ patch_id: number }>`
    insert into patch_components as known (patch_id, component, version_key, replaced_key)
    select patches.id, reported.component, max(reported.version_key collate "C"), min(reported.replaced_key collate "C")
    from unnest(${components.map(({ key }) => key)}::text[], ${components.map(({ component }) => component)}::text[],
        ${components.map(({ versionKey }) => versionKey)}::text[],
        ${components.map(({ replacedKey }) => replacedKey)}::text[])
        as reported (patch_key, component, version_key, replaced_key)
      join patches on lower(patches.key) = lower(reported.patch_key)
    group by patches.id, reported.component order by patches.id, reported.component
    on conflict on constraint patch_components_pkey do update
      set version_key = greatest(known.version_key, excluded.version_key),
        replaced_key = least(known.replaced_key, excluded.replaced_key)
      where excluded.version_key > known.version_key or excluded.replaced_key < known.replaced_key
        or known.replaced_key is null and excluded.replaced_key is not null
    returning patch_id`.execute(db)
  return [...new Set(rows.map(({ patch_id }) => patch_id))]
}
