import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../world/open-world.ts'
import { fingerprints, tableVersions } from '../world/tables.ts'

const { db } = await openWorld()

test('the comparison of all tables notices every change of a value, and nothing else', async () => {
  await sql`insert into tags (designation) values ('a'), ('b')`.execute(db)
  const [before, versions] = [await fingerprints(db), await tableVersions(db)]

  await sql`update tags set designation = designation`.execute(db)
  expect(await fingerprints(db)).toEqual(before)
  expect(await tableVersions(db)).not.toEqual(versions)

  for (const [change, restore] of [
    [
      sql`update tags set designation = 'c' where designation = 'b'`,
      sql`update tags set designation = 'b' where designation = 'c'`,
    ],
    [sql`insert into tags (designation) values ('c')`, sql`delete from tags where designation = 'c'`],
  ] as const) {
    await change.execute(db)
    expect(await fingerprints(db)).toEqual({ ...before, tags: expect.not.stringMatching(before.tags ?? '') })
    await restore.execute(db)
    expect(await fingerprints(db)).toEqual(before)
  }
})
