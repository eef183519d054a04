import { sql } from 'kysely'
import { isWantedByDepot } from '../../features/depots/wanted-packages.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, Type, text, Uuid } from '../../platform/schema.ts'
import { packageNotWanted } from './problems.ts'
import { Sha256 } from './schemas.ts'

export const listWantedFiles = operation({
  id: 'listWantedFiles',
  route: 'GET /depot/v1/packages/:id/files',
  summary: 'List the files of a package that the depot is to hold',
  role: 'machine',
  params: closed({ id: Uuid }),
  returns: ok(
    closed({
      contentHash: Sha256,
      files: Type.Array(
        closed({
          path: text(1000, 'bin/setup.sh'),
          size: Type.Integer({ minimum: 0, examples: [4096] }),
          sha256: Sha256,
        }),
      ),
    }),
  ),
  problems: [packageNotWanted],
  async handle({ params, db, machine }) {
    const found = await db
      .selectFrom('packages')
      .where('packages.id', '=', params.id)
      .where(isWantedByDepot(machine.clientId))
      .select([
        sql<string>`encode(packages.content_hash, 'hex')`.as('contentHash'),
        sql<{ path: string; size: number; sha256: string }[]>`(
          select coalesce(jsonb_agg(jsonb_build_object('path', path, 'size', size, 'sha256', encode(sha256, 'hex'))), '[]')
          from package_files where package_id = packages.id)`.as('files'),
      ])
      .executeTakeFirst()
    if (!found) throw packageNotWanted({ packageId: params.id })
    return found
  },
})
