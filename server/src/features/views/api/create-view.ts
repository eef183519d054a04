import { sql } from 'kysely'
import { lockTextForTransaction } from '../../../database/advisory-locks.ts'
import { forbidden } from '../../../platform/general-problems.ts'
import { created, operation } from '../../../platform/operation.ts'
import { closed, nullable, Type } from '../../../platform/schema.ts'
import { duplicateViewName, tooManyViews } from './problems.ts'
import { requireSharing, requireView } from './require-view.ts'
import { View, ViewPageName, viewProperties } from './schemas.ts'

const maxViews = 100

const { name, filters, sort, descending, columns, density, sharedWith } = viewProperties

export const createView = operation({
  id: 'createView',
  route: 'POST /api/views',
  summary: 'Save a view: a list under a name, with its filters, its order and its columns',
  description:
    'It belongs to the caller. Only principals with one of the roles of `sharedWith` see it as well, if they may read computers. ' +
    `The caller needs these roles, or admin.manage. A principal has at most ${maxViews} views.`,
  role: 'computer.read',
  extension: true,
  body: closed(
    {
      page: ViewPageName,
      name,
      filters: Type.Optional(filters),
      sort: Type.Optional(sort),
      descending: Type.Optional(descending),
      columns: Type.Optional(columns),
      density: Type.Optional(nullable(density)),
      sharedWith: Type.Optional(sharedWith),
    },
    { title: 'CreateViewRequest' },
  ),
  returns: created(View),
  problems: [forbidden, duplicateViewName, tooManyViews],
  async handle({ body, db, caller: { principal } }) {
    requireSharing(principal, body.sharedWith ?? [])
    // Several requests at once must not exceed the limit.
    await lockTextForTransaction(db, `views of principal ${principal.id}`)
    const { rows } = await sql<{ id: string; views: number }>`
      insert into saved_views (principal_id, page, name, filters, sort, descending, columns, density, shared_with)
      values (${principal.id}, ${body.page}, ${body.name}, ${JSON.stringify(body.filters ?? {})}, ${body.sort ?? 'hostname'},
        ${body.descending ?? false}, ${body.columns ?? []}, ${body.density ?? null}, ${body.sharedWith ?? []})
      returning id, (select count(*)::integer from saved_views where principal_id = ${principal.id}) as views`.execute(
      db,
    )
    const [inserted] = rows
    if (!inserted) throw new Error('An insert returns its row.')
    if (inserted.views >= maxViews) throw tooManyViews({ maxViews })
    return requireView(db, principal, inserted.id)
  },
})
