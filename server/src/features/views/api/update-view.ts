import { sql } from 'kysely'
import { forbidden } from '../../../platform/general-problems.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { patchOf } from '../../../platform/schema.ts'
import { getView } from './get-view.ts'
import { duplicateViewName, foreignView, viewNotFound, viewWithoutReaders } from './problems.ts'
import { requireChangeableView, requireSharing, requireView } from './require-view.ts'
import { View, ViewPath, viewProperties } from './schemas.ts'

export const updateView = operation({
  id: 'updateView',
  route: 'PATCH /api/views/:id',
  summary: 'Change a saved view, or share it with roles',
  description:
    'Its owner changes it, and administrators (admin.manage) those that are shared. `filters`, `columns` and `sharedWith` replace ' +
    'what the view has; null removes `density`. To add a role to `sharedWith`, the caller needs it, or admin.manage.',
  role: 'computer.read',
  extension: true,
  params: ViewPath,
  body: patchOf(viewProperties, { title: 'UpdateViewRequest' }),
  returns: ok(View),
  problems: [forbidden, viewNotFound, foreignView, duplicateViewName, viewWithoutReaders],
  changes: getView,
  async handle({ params, body, db, caller: { principal } }) {
    const { sharedWith } = await requireChangeableView(db, principal, params.id)
    requireSharing(
      principal,
      (body.sharedWith ?? []).filter((role) => !sharedWith.includes(role)),
    )
    await sql`
      update saved_views set name = coalesce(${body.name}, name),
        filters = coalesce(${body.filters ? JSON.stringify(body.filters) : null}::jsonb, filters),
        sort = coalesce(${body.sort}, sort), descending = coalesce(${body.descending}::boolean, descending),
        columns = coalesce(${body.columns}::text[], columns),
        density = ${body.density === undefined ? sql`density` : sql`${body.density}`},
        shared_with = coalesce(${body.sharedWith}::text[], shared_with), modified_at = now()
      where id = ${params.id}`.execute(db)
    return requireView(db, principal, params.id)
  },
})
