import { sql } from 'kysely'
import { isWantedByDepot } from '../../features/depots/wanted-packages.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Type, text, Uuid } from '../../platform/schema.ts'
import { Sha256 } from './schemas.ts'

export const listWantedPackages = operation({
  id: 'listWantedPackages',
  route: 'GET /depot/v1/packages',
  summary: 'List the packages that the depot is to hold',
  role: 'machine',
  returns: ok(Type.Array(closed({ id: Uuid, name: text(255, 'Greeting'), contentHash: Sha256 }))),
  handle: ({ db, machine }) =>
    db
      .selectFrom('packages')
      .where(isWantedByDepot(machine.clientId))
      .select(['packages.id', 'packages.name', sql<string>`encode(packages.content_hash, 'hex')`.as('contentHash')])
      .orderBy('packages.id')
      .execute(),
})
