import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type, Uuid } from '../../../platform/schema.ts'
import { upgradeRows } from '../upgrade-records.ts'
import { PackageUpgrade } from './schemas.ts'

export const listPackageUpgrades = operation({
  id: 'listPackageUpgrades',
  route: 'GET /api/package-upgrades',
  summary: 'List upgrades of package lines, newest first',
  role: 'package.read',
  query: closed({
    ...paging,
    packageId: Type.Optional({ ...Uuid, description: 'Only upgrades of the line of this package' }),
  }),
  returns: ok(pagedResultOf(PackageUpgrade)),
  extension: true,
  async handle(call) {
    const { db, query } = call
    let rows = upgradeRows(db)
    if (query.packageId !== undefined)
      rows = rows.where(
        sql<boolean>`upgrade.line_key = (select own.line_key from packages own where own.id = ${query.packageId})`,
      )
    const matching = db.selectFrom(rows.as('upgrade')).selectAll()
    const page = await pageOf(call, matching, { columns: ['createdAtUtc', 'upgradeId'], descending: true })
    return { ...page, items: page.items.map(({ lineKey: _, ...upgrade }) => upgrade) }
  },
})
