import { randomBytes } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import type { Packages } from '../../src/database/tables.ts'
import { type AssignmentKind, assignmentTables } from '../../src/features/assignments/effective-assignments.ts'

type PackageColumns = Partial<Insertable<Packages>>

const unlikely = (what: string) => `${what} ${randomBytes(6).toString('hex')}`

const image = {
  file: 'install.wim',
  language: 'de-DE',
  os: 'Windows 11',
  osType: 'Workstation',
  architecture: 'x64',
}

/** Makes packages and what comes out of them. None of it was imported: there is nothing of it in any store. */
export function givenPackagesIn(db: Database) {
  async function anyPackage(columns: PackageColumns = {}) {
    const name = unlikely('package')
    return db
      .insertInto('packages')
      .values({ name, package_name: name, version: '1.0', folder: name, ...columns })
      .returning(['id', 'name', 'folder'])
      .executeTakeFirstOrThrow()
  }

  return {
    package: anyPackage,

    /** An operating system with the editions. */
    async osImage({ editions = ['Professional'], ...columns }: PackageColumns & { editions?: readonly string[] } = {}) {
      const made = await anyPackage({ kind: 'OperatingSystem', manifest: JSON.stringify({ image }), ...columns })
      const skus = await db
        .insertInto('os_image_skus')
        .values(editions.map((edition, at) => ({ package_id: made.id, sku_index: at + 1, edition })))
        .returning(['id', 'sku_index', 'edition'])
        .execute()
      return { ...made, skus }
    },

    async pxeBootImage(columns: PackageColumns = {}) {
      const boot = {
        loader: 'grub.efi',
        kernel: 'vmlinuz',
        initrd: 'initrd.img',
        arguments: 'quiet',
        architecture: 'x64',
      }
      const made = await anyPackage({ kind: 'PxeBootImage', manifest: JSON.stringify({ boot }), ...columns })
      const { id } = await db
        .insertInto('pxe_boot_images')
        .values({ package_id: made.id })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { ...made, id, packageId: made.id }
    },

    async agentTemplate({ settings = {}, ...columns }: PackageColumns & { settings?: object } = {}) {
      return anyPackage({ kind: 'AgentTemplate', manifest: JSON.stringify({ settings }), ...columns })
    },

    async languagePack({ language = 'de-DE', ...columns }: PackageColumns & { language?: string } = {}) {
      const manifest = JSON.stringify({ image: { ...image, file: 'lp.cab', language } })
      return anyPackage({ kind: 'LanguagePack', manifest, ...columns })
    },

    async softwareClass({
      name = unlikely('class'),
      description = null,
      packages = [],
    }: {
      name?: string
      description?: string | null
      packages?: readonly { id: string }[]
    } = {}) {
      const made = await db
        .insertInto('software_classes')
        .values({ name, description })
        .returning(['id', 'name'])
        .executeTakeFirstOrThrow()
      for (const { id } of packages)
        await db.insertInto('software_class_packages').values({ class_id: made.id, package_id: id }).execute()
      return made
    },

    /** Assigns an object to a group: a variable configuration, unless another kind is named. */
    async assignment(
      group: { id: string },
      object: { id: number | string },
      kind: AssignmentKind = 'variableConfiguration',
    ) {
      const { table, column } = assignmentTables[kind]
      await sql`insert into ${sql.table(table)} (group_id, ${sql.ref(column)}) values (${group.id}, ${object.id})`.execute(
        db,
      )
    },
  }
}
