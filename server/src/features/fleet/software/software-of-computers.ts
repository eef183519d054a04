import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { productIds, type SelectedSoftware } from './find-products.ts'

export type SoftwareOfComputer = { name: string; version: string | null }

/** What the filter by software has selected on each of the computers. Null without such a filter. */
export async function withSoftware<Row extends { id: number }>(
  db: Database,
  rows: readonly Row[],
  software: SelectedSoftware,
): Promise<(Row & { software: SoftwareOfComputer[] | null })[]> {
  if (!software) return rows.map((row) => ({ ...row, software: null }))
  const { rows: installed } = await sql<SoftwareOfComputer & { computerId: number }>`
    select installed.computer_id as "computerId", product.name, product.version
    from installed_software installed join software_products product on product.id = installed.product_id
    where installed.computer_id = any (${rows.map(({ id }) => id)}::integer[])
      and installed.product_id = any (${productIds(software)}::integer[])
    order by lower(product.name), product.id`.execute(db)
  const byComputer = Map.groupBy(installed, ({ computerId }) => computerId)
  return rows.map((row) => ({
    ...row,
    software: (byComputer.get(row.id) ?? []).map(({ name, version }) => ({ name, version })),
  }))
}
