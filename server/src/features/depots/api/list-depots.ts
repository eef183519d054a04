import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, type Static } from '../../../platform/schema.ts'
import type { Tag } from '../../tags/api/schemas.ts'
import { syncDepotRows } from '../sync-depots.ts'
import { Depot } from './schemas.ts'

/** The tags of a depot as a JSON array. Takes the alias of `computers`. */
const tagsOf = (computers: string) => sql<Static<typeof Tag>[]>`coalesce((
  select jsonb_agg(jsonb_build_object('id', tag.id, 'designation', tag.designation, 'description', tag.description,
    'isReadOnly', tag.is_read_only) order by tag.id)
  from depot_tags join tags tag on tag.id = depot_tags.tag_id
  where depot_tags.computer_id = ${sql.ref(`${computers}.id`)}), '[]')`

const isSyncWaiting = (computers: string) => sql<boolean>`exists (
  select from sync_jobs where sync_jobs.computer_id = ${sql.ref(`${computers}.id`)} and sync_jobs.status = 'Pending')`

export const listDepots = operation({
  id: 'listDepots',
  route: 'GET /api/depots',
  summary: 'List the depots with their tags, heartbeat, credential and last synchronisation',
  description: 'What a page about depots needs. The master server is not listed, because it is not synchronised.',
  role: 'computer.read',
  query: closed(paging),
  returns: ok(pagedResultOf(Depot)),
  extension: true,
  handle(call) {
    const rows = syncDepotRows(call.db).select([
      'last_job.message as lastResult',
      isSyncWaiting('computers').as('isSyncWaiting'),
      sql<boolean>`depots.secret_hash is not null`.as('hasCredential'),
      tagsOf('computers').as('tags'),
    ])
    return pageOf(call, rows, { columns: ['clientId'] })
  },
})
