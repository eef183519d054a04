import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf } from '../../../platform/paging.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { requirePackage } from '../package-rows.ts'
import { packageTagRows } from '../package-tags.ts'
import { packageNotFound } from '../problems.ts'
import { getPackageTags } from './get-package-tags.ts'
import { PackagePath, PackageTagsRequest } from './schemas.ts'

export const setPackageTags = operation({
  id: 'setPackageTags',
  route: 'PUT /api/packages/:id/tags',
  summary: 'Replace all tags of a package',
  description: 'An empty list removes all tags.',
  role: 'package.write',
  params: PackagePath,
  body: PackageTagsRequest,
  returns: ok(getPackageTags.returns[200]),
  problems: [packageNotFound],
  changes: getPackageTags,
  async handle(call) {
    const { params, body, db } = call
    await requirePackage(db, params.id)
    const { rows } = await sql<{ id: number; tag_id: number | null }>`
      select requested.id, tag.id as tag_id
      from unnest(${body.tagIds}::integer[]) as requested (id)
        left join lateral (select id from tags where tags.id = requested.id for key share) as tag on true`.execute(db)
    const unknown = rows.find(({ tag_id }) => tag_id === null)
    if (unknown) throw invalidPart('body', 'tagIds', `names the unknown tag ${unknown.id}`)
    await sql`
      delete from package_tags where package_id = ${params.id} and tag_id <> all (${body.tagIds}::integer[])`.execute(
      db,
    )
    await sql`
      insert into package_tags (package_id, tag_id)
      select ${params.id}, unnest(${body.tagIds}::integer[]) on conflict do nothing`.execute(db)
    return pageOf({ ...call, query: { skip: 0, top: 50 } }, packageTagRows(db, params.id), { columns: ['id'] })
  },
})
