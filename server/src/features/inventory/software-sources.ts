import { type RawBuilder, sql } from 'kysely'
import type { Static } from '../../platform/schema.ts'
import type { InstalledProductReport } from './items.ts'

export type SoftwareSource = { productId: number; name: string; version: string; language: string | null }

/** More than any computer has. A computer that reports others all the time cannot fill the table. */
const maxSourcesOfComputer = 20_000

/** What a report says about the packages from which the products are built. `ids` has the id of each product. */
export function sourcesOf(
  products: readonly Static<typeof InstalledProductReport>[],
  ids: readonly number[],
): SoftwareSource[] {
  return products.flatMap(({ sourceName, sourceVersion, language = null }, at) => {
    const productId = ids[at]
    return sourceName && sourceVersion && productId !== undefined
      ? [{ productId, name: sourceName, version: sourceVersion, language }]
      : []
  })
}

/** The part of the statement of an inventory that adds sources that are new to the fleet. Mostly, none is. */
export function storeSources(computerId: number, sources: readonly SoftwareSource[]): RawBuilder<unknown>[] {
  if (sources.length === 0) return []
  return [
    sql`
      new_sources as (
        insert into software_sources (product_id, name, version, language, reported_by)
        select distinct product_id, name, version, language, ${computerId}::integer
        from unnest(${sources.map(({ productId }) => productId)}::integer[],
            ${sources.map(({ name }) => name)}::text[], ${sources.map(({ version }) => version)}::text[],
            ${sources.map(({ language }) => language)}::text[])
            as reported (product_id, name, version, language)
        where not exists (
            select from software_sources known
            where known.product_id = reported.product_id and known.name = reported.name
              and known.version = reported.version and known.language is not distinct from reported.language)
          and (select count(*) from software_sources where reported_by = ${computerId}) < ${maxSourcesOfComputer}
        order by product_id, name, version, language
        on conflict on constraint software_sources_key do nothing
      )`,
  ]
}
