import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { agents, fromComputer, openFusionWorld, samples } from './fusion-world.ts'

const { db, post } = await openFusionWorld()

const marker = 'MARKER-THAT-MUST-NOT-BE-STORED'

/** Every row of every table, as text. */
async function dumpDatabase(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(db)
      return rows.map(({ row }) => row).join('\n')
    }),
  )
  return texts.join('\n')
}

test('environment, processes, licence keys and the arguments of the agent are stored nowhere', async () => {
  const xml = fromComputer(samples.fusionInventory, 'private')
    .replaceAll('(redacted)', marker)
    .replace(
      '</CONTENT>',
      `<ENVS><KEY>SECRET</KEY><VAL>${marker}</VAL></ENVS><LICENSEINFOS><KEY>${marker}</KEY><NAME>Office</NAME></LICENSEINFOS></CONTENT>`,
    )
    .replace('<VMSYSTEM>', `<WINPRODKEY>${marker}</WINPRODKEY><WINPRODID>${marker}</WINPRODID><VMSYSTEM>`)
  const full = JSON.parse(fromComputer(samples.full, 'private-json').replaceAll('(redacted)', marker))
  full.content.envs = [{ key: 'SECRET', val: marker }]
  full.content.licenseinfos = [{ name: 'Office', key: marker }]
  full.content.hardware.winprodkey = marker

  const answers = [await post(xml), await post(JSON.stringify(full), { headers: agents.glpi })]

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const dump = await dumpDatabase()
  expect(dump).toContain('adwaita-icon-theme')
  expect(dump).not.toContain(marker)
})
