import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/database/migrations/migrate.ts'
import { migrationsFolder } from '../../src/installation/files.ts'
import { copyOfTemplate } from '../world/test-database.ts'

const { pool } = await copyOfTemplate()
const folder = await mkdtemp(join(tmpdir(), 'muster-repeatable-'))
afterAll(() => rm(folder, { recursive: true }))

beforeEach(async () => {
  await rm(folder, { recursive: true })
  await cp(migrationsFolder, folder, { recursive: true })
})

const writeTriggers = (sql: string) => writeFile(join(folder, 'repeatable/event_triggers.sql'), sql)

async function listTriggers(): Promise<string[]> {
  const { rows } = await pool.query<{ trigger: string }>(
    `select t.oid || ' ' || t.tgname as trigger from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where p.pronamespace = 'event_triggers'::regnamespace order by 1`,
  )
  return rows.map(({ trigger }) => trigger)
}

test('a start with the same triggers does not create them again', async () => {
  const before = await listTriggers()

  expect(await migrate(pool, { folder })).toEqual([])

  expect(before.length).toBeGreaterThan(80)
  expect(await listTriggers()).toEqual(before)
})

test('a version with other triggers replaces all of them, and the version before does so again', async () => {
  const before = await listTriggers()
  await writeTriggers(`drop schema if exists event_triggers cascade; create schema event_triggers;
    create function event_triggers.other() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger tags_record_other after insert on tags for each row execute function event_triggers.other()`)

  await migrate(pool, { folder })
  const others = await listTriggers()
  await migrate(pool)

  expect(others.map((trigger) => trigger.split(' ')[1])).toEqual(['tags_record_other'])
  const names = (triggers: string[]) => triggers.map((trigger) => trigger.split(' ')[1]).sort()
  expect(names(await listTriggers())).toEqual(names(before))
})

test('triggers that cannot be created leave the database as it was, with the migrations before them', async () => {
  const before = await listTriggers()
  await mkdir(join(folder, 'repeatable'), { recursive: true })
  await writeFile(join(folder, '9999_complete.sql'), 'create table complete (id integer primary key)')
  await writeTriggers('drop schema event_triggers cascade; select no_such_function();')

  await expect(migrate(pool, { folder })).rejects.toThrow('The migration event_triggers.sql failed: function no_such')

  expect(await listTriggers()).toEqual(before)
  expect((await pool.query(`select to_regclass('complete') as "table"`)).rows).toEqual([{ table: null }])
})
