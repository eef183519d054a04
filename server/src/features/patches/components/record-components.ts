import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { PatchComponent } from './component-keys.ts'

/** A component of the patch with this key. */
export type KeyedComponent = PatchComponent & { key: string }

/** Records the components of patches. Returns the ids of those patches that get a new component or replace a lower version. */
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
    on conflict on constraint patch_components_pkey do update set replaced_key = excluded.replaced_key
      where excluded.replaced_key < known.replaced_key or known.replaced_key is null and excluded.replaced_key is not null
    returning patch_id`.execute(db)
  return [...new Set(rows.map(({ patch_id }) => patch_id))]
}
