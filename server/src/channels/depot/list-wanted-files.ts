import { sql } from 'kysely'
import { isWantedByDepot } from '../../features/depots/wanted-packages.ts'
import { ok, operation } from '../../platform/operation.ts'
import { closed, sha256, Type, text, Uuid } from '../../platform/schema.ts'
import { depotContentHash, patchFilesOfPackage } from './patch-files.ts'
import { packageNotWanted } from './problems.ts'

export const listWantedFiles = operation({
  id: 'listWantedFiles',
  route: 'GET /depot/v1/packages/:id/files',
  summary: 'List the files of a package',
  description:
    'Only for the packages that listWantedPackages returns; 404 for others. Fix packages have the stored files of all ' +
    'patches, too. The files belong to the returned content hash.',
  role: 'machine',
  params: closed({ id: { ...Uuid, description: 'Id of the package' } }),
  returns: ok(
    closed({
      contentHash: sha256('Hash over all files for the depot'),
      files: Type.Array(
        closed({
          path: text(1000, 'bin/setup.sh', 'Path within the package'),
          size: Type.Integer({ minimum: 0, examples: [4096], description: 'Size in bytes' }),
          sha256: sha256('Hash of the file'),
        }),
        { description: 'All files for the depot' },
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
        depotContentHash.as('contentHash'),
        sql<{ path: string; size: number; sha256: string }[]>`(
          select coalesce(jsonb_agg(jsonb_build_object('path', path, 'size', size, 'sha256', encode(sha256, 'hex'))), '[]')
          from (
            select path, size, sha256 from package_files where package_id = packages.id
            union all
            ${patchFilesOfPackage}
          ) as file)`.as('files'),
      ])
      .executeTakeFirst()
    if (!found) throw packageNotWanted({ packageId: params.id })
    return found
  },
})
