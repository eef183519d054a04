import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { PatchComponent } from './component-keys.ts'

/** A component of the patch with this key. */
export type KeyedComponent = PatchComponent & { key: string }

type UnknownComponent = { patch_key: string; component: string; version_key: string; replaced_key: string | null }

/** Those of the components that are not known, or that replace a lower version than known. */
export function unknownComponents(components: readonly KeyedComponent[]): RawBuilder<UnknownComponent> {
  return sql<UnknownComponent>`
    select reported.* from unnest(${components.map(({ key }) => key)}::text[],
        ${components.map(({ component }) => component)}::text[],
        ${components.map(({ versionKey }) => versionKey)}::text[],
        ${components.map(({ replacedKey }) => replacedKey)}::text[])
      as reported (patch_key, component, version_key, replaced_key)
    where not exists (
      select from patches join patch_components known on known.patch_id = patches.id
      where lower(patches.key) = lower(reported.patch_key) and known.component = reported.component
        and (reported.replaced_key is null or known.replaced_key <= reported.replaced_key))`
}

/** Records the components of patches. Returns the ids of those patches that get a new component or replace a lower version. */
export async function recordComponents(db: Database, components: readonly KeyedComponent[]): Promise<number[]> {
  const { rows } = await sql<{ patch_id: number }>`
    insert into patch_components as known (patch_id, component, version_key, replaced_key)
    select patches.id, unknown.component, max(unknown.version_key collate "C"), min(unknown.replaced_key collate "C")
    from (${unknownComponents(components)}) as unknown join patches on lower(patches.key) = lower(unknown.patch_key)
    group by patches.id, unknown.component order by patches.id, unknown.component
    on conflict on constraint patch_components_pkey do update
      set replaced_key = least(known.replaced_key, excluded.replaced_key)
    returning patch_id`.execute(db)
  return [...new Set(rows.map(({ patch_id }) => patch_id))]
}
