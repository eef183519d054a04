import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import type { AssignmentKind } from '../../src/features/assignments/effective-assignments.ts'
import type { Given } from '../world/given.ts'

/** What can be assigned to a group and give its computers an OU. */
export type SourceKind = Exclude<AssignmentKind, 'pmGroup' | 'patchPolicy'>
export type OuSource = {
  kind: SourceKind
  id: number | string
  /** The package that has the OU, if it is not a configuration. */
  packageId?: string
  setOu(value: string | null): Promise<unknown>
}

/** A schedule far in the future. */
export const laterSchedule = '2999-01-01T00:00:00Z'

/** Makes sources of the OU without an OU. */
export async function ouSourcesIn(db: Database, given: Given) {
  const ou = await db
    .selectFrom('variable_definitions')
    .select('id')
    .where('dotted_name', '=', 'DomainJoin.OuForComputerAccounts')
    .executeTakeFirstOrThrow()

  const ofPackage = (kind: SourceKind, packageId: string, id: number | string = packageId): OuSource => ({
    kind,
    id,
    packageId,
    setOu: (value) => setDefault(packageId, value),
  })

  async function setDefault(packageId: string, value: string | null) {
    if (value === null) return sql`delete from package_variables where package_id = ${packageId}`.execute(db)
    return sql`
      insert into package_variables (package_id, variable_id, value) values (${packageId}, ${ou.id}, ${value})
      on conflict (package_id, variable_id) do update set value = excluded.value`.execute(db)
  }

  const make: Record<SourceKind, () => Promise<OuSource>> = {
    package: async () => ofPackage('package', (await given.package()).id),
    languagePack: async () => ofPackage('languagePack', (await given.languagePack()).id),
    agentTemplate: async () => ofPackage('agentTemplate', (await given.agentTemplate()).id),
    async softwareClass() {
      const software = await given.package()
      return ofPackage('softwareClass', software.id, (await given.softwareClass({ packages: [software] })).id)
    },
    async osImageSku() {
      const { id, skus } = await given.osImage()
      return ofPackage('osImageSku', id, skus[0]?.id)
    },
    async pxeBootImage() {
      const { packageId, id } = await given.pxeBootImage()
      return ofPackage('pxeBootImage', packageId, id)
    },
    async variableConfiguration() {
      const { id } = await given.variableConfiguration()
      return { kind: 'variableConfiguration', id, setOu: (value) => setConfigured(id, value) }
    },
  }

  async function setConfigured(id: number, value: string | null, schedule: string | null = null) {
    if (value === null) return sql`delete from variable_configuration_values where configuration_id = ${id}`.execute(db)
    return sql`
      insert into variable_configuration_values (configuration_id, variable_id, value, schedule)
      values (${id}, ${ou.id}, ${value}, ${schedule})
      on conflict (configuration_id, variable_id) do update set value = excluded.value, schedule = excluded.schedule`.execute(
      db,
    )
  }

  /** Lets all later schedules begin now. No trigger runs, as when time passes. Returns their new start. */
  async function passTime(): Promise<string> {
    return db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ start: Date }>`select clock_timestamp() as start`.execute(transaction)
      const start = rows[0]?.start.toISOString() ?? ''
      for (const name of ['computer_variables', 'group_variables', 'variable_configuration_values']) {
        const table = sql.table(name)
        await sql`alter table ${table} disable trigger user`.execute(transaction)
        await sql`update ${table} set schedule = ${start} where schedule = ${laterSchedule}`.execute(transaction)
        await sql`alter table ${table} enable trigger user`.execute(transaction)
      }
      return start
    })
  }

  return { ou, make, setConfigured, passTime }
}
