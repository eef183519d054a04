import { sql } from 'kysely'
import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { listFleetComputers } from '../../src/features/fleet/api/list-fleet-computers.ts'
import { getComputerFacets } from '../../src/features/fleet/api/get-computer-facets.ts'
import { listFilterValues } from '../../src/features/fleet/api/list-filter-values.ts'
import { matchesBeyondFacets } from '../../src/features/fleet/computer-list/filter.ts'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import { recordComputerStates } from '../../src/features/issues/states/record-computer-states.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db } = await openWorld()
test('measure', async () => {
  const out: string[] = []
  const timed = async (name: string, act: () => Promise<unknown>) => {
    const runs = []
    for (let i = 0; i < 5; i++) { const s = performance.now(); await act(); runs.push(performance.now() - s) }
    out.push(`${name}: ${runs.map((r) => r.toFixed(0)).join(' ')} ms`)
  }
  await sql`update custom_fields set is_active = slot in ('Custom01', 'Custom02')`.execute(db)
  await sql`insert into computers (name, domain, is_domain, uuid, model, os_name, os_version, custom)
    select 'desk-' || n, 'corp.example.org', true, gen_random_uuid(), 'Model ' || n % 60, 'Windows 11', '10.0.' || n % 40,
      case when n % 2 = 0 then jsonb_build_object('Custom01', 'Room ' || n % 500, 'Custom02', 'asset ' || n) else '{}' end
    from generate_series(1, 20000) n`.execute(db)
  await sql`insert into computer_contacts (computer_id, last_seen_at) select id, now() - (id % 100) * interval '1 minute' from computers`.execute(db)
  await sql`insert into agents (computer_id, secret_hash) select id, sha256(id::text::bytea) from computers`.execute(db).catch((e: Error) => out.push(e.message))
  const { body: tag } = await as('package.write').call(createTag, { body: { designation: 'Berlin' } })
  await sql`insert into computer_tags (computer_id, tag_id) select id, ${tag.id} from computers where id % 20 = 0`.execute(db)
  await sql`analyze`.execute(db)
  await timed('record states', () => recordComputerStates(db))
  await refreshFleetStatistics(db)
  await timed('record states again', () => recordComputerStates(db))
  const reader = as('computer.read')
  for (const filter of [{}, { osVersion: ['10.0.7'] }, { model: ['Model 3'] }, { tag: ['berlin'] }, { customField: ['Custom01=Room 4'] }, { customField: ['Custom02=asset 4000'] }, { customField: ['Custom01='] }, { nextContact: ['Overdue' as const] }]) {
    const query = { ...filter, top: 100 }
    await timed(`list ${JSON.stringify(filter)}`, () => reader.call(listFleetComputers, { query }))
    await timed(`facets ${JSON.stringify(filter)}`, () => reader.call(getComputerFacets, { query: filter }))
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze, buffers, costs off, timing off) select count(*) from computer_summaries summary where ${matchesBeyondFacets(filter)}`.execute(db)
    out.push(...rows.map((r) => '    ' + r['QUERY PLAN']))
  }
  for (const property of ['osVersion', 'model', 'tag', 'customField'] as const)
    await timed(`values ${property}`, () => reader.call(listFilterValues, { query: { property } }))
  await timed('values find', () => reader.call(listFilterValues, { query: { property: 'customField', slot: 'Custom02', find: '4000' } }))
  writeFileSync('/tmp/tables36-explain.txt', out.join('\n'))
}, 300_000)
