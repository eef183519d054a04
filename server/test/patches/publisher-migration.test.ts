import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../src/database/migrations/migrate.ts'
import { migrationsFolder } from '../../src/installation/files.ts'
import { copyOfTemplate } from '../world/test-database.ts'

/** A database with all migrations before the one that separates publishers. */
async function openEarlierDatabase() {
  const earlier = await mkdtemp(join(tmpdir(), 'muster-migrations-'))
  await cp(migrationsFolder, earlier, { recursive: true })
  const names = (await readdir(earlier)).sort()
  const from = names.findIndex((name) => name.endsWith('_patch_components.sql'))
  for (const name of names.slice(from)) await rm(join(earlier, name))
  const database = await copyOfTemplate('template0')
  await migrate(database.pool, { folder: earlier })
  await rm(earlier, { recursive: true })
  return database
}

test('advisories of two publishers that earlier versions merged into one patch are separated', async () => {
  const { db, pool } = await openEarlierDatabase()
  await sql`insert into patch_products (name) values ('One 9'), ('Other 9')`.execute(db)
  await sql`insert into patches (key, name, cves) values ('CVE-2023-2454', 'merged', '{CVE-2023-2454,CVE-2023-1}')`.execute(
    db,
  )
  await sql`insert into patch_links (patch_id, product_id) values (1, 1), (1, 2)`.execute(db)
  await sql`
    insert into patch_documents (format, key, revised_at, content_hash)
    values ('Csaf', 'https://one.example.org cve-2023-2454', now(), '\\x01'),
      ('Csaf', 'https://other.example.org cve-2023-2454', now(), '\\x02')`.execute(db)
  await sql`
    insert into patch_document_patches (document_id, patch_id, details)
    values (1, 1, '{"name": "Of one", "cves": ["CVE-2023-2454"]}'),
      (2, 1, '{"name": "Of the other", "cves": ["CVE-2023-1"], "cvssScore": 7.5}')`.execute(db)
  await sql`
    insert into patch_document_links (document_id, patch_id, product_id, link_items)
    values (1, 1, 1, 1), (2, 1, 2, 3)`.execute(db)

  await migrate(pool)

  const { rows } = await sql`
    select key, name, publisher, cves, cvss_score,
      (select array_agg(link_items) from patch_document_links named where named.patch_id = patches.id) as items
    from patches order by id`.execute(db)
  expect(rows).toEqual([
    {
      key: 'CVE-2023-2454',
      name: 'Of one',
      publisher: 'https://one.example.org',
      cves: ['CVE-2023-2454'],
      cvss_score: null,
      items: [1],
    },
    {
      key: 'CVE-2023-2454 https://other.example.org',
      name: 'Of the other',
      publisher: 'https://other.example.org',
      cves: ['CVE-2023-1'],
      cvss_score: 7.5,
      items: [3],
    },
  ])
})
