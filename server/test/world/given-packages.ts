import { randomBytes } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import type { Packages } from '../../src/database/tables.ts'
import { type AssignmentKind, assignmentTables } from '../../src/features/assignments/effective-assignments.ts'

type PackageColumns = Partial<Insertable<Packages>>

const uniqueName = (what: string) => `${what} ${randomBytes(6).toString('hex')}`

/** Computers boot images and follow templates only if these may be distributed. */
const distributable = { is_operational: true, hash_state: 'Current' }

const image = {
  file: 'install.wim',
  language: 'de-DE',
  os: 'Windows 11',
  osType: 'Workstation',
  architecture: 'x64',
}

/** Factories for packages and related objects. They are not imported, so they have no files in a package store. */
export function givenPackagesIn(db: Database) {
  async function anyPackage(columns: PackageColumns = {}) {
    const name = uniqueName('package')
    return db
      .insertInto('packages')
      .values({ name, package_name: name, version: '1.0', folder: name, ...columns })
      .returning(['id', 'name', 'folder'])
      .executeTakeFirstOrThrow()
  }

  return {
    package: anyPackage,

    /** An operating system image with these editions. */
    async osImage({ editions = ['Professional'], ...columns }: PackageColumns & { editions?: readonly string[] } = {}) {
      const manifest = JSON.stringify({ image })
      const created = await anyPackage({ kind: 'OperatingSystem', manifest, ...distributable, ...columns })
      const skus = await db
        .insertInto('os_image_skus')
        .values(editions.map((edition, index) => ({ package_id: created.id, sku_index: index + 1, edition })))
        .returning(['id', 'sku_index', 'edition'])
        .execute()
      return { ...created, skus }
    },

    async pxeBootImage(columns: PackageColumns = {}) {
      const boot = {
        loader: 'grub.efi',
        kernel: 'vmlinuz',
        initrd: 'initrd.img',
        arguments: 'quiet',
        architecture: 'x64',
      }
      const manifest = JSON.stringify({ boot })
      const created = await anyPackage({ kind: 'PxeBootImage', manifest, ...distributable, ...columns })
      const { id } = await db
        .insertInto('pxe_boot_images')
        .values({ package_id: created.id })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { ...created, id, packageId: created.id }
    },

    async agentTemplate({ settings = {}, ...columns }: PackageColumns & { settings?: object } = {}) {
      return anyPackage({ kind: 'AgentTemplate', manifest: JSON.stringify({ settings }), ...distributable, ...columns })
    },

    async languagePack({ language = 'de-DE', ...columns }: PackageColumns & { language?: string } = {}) {
      const manifest = JSON.stringify({ image: { ...image, file: 'lp.cab', language } })
      return anyPackage({ kind: 'LanguagePack', manifest, ...columns })
    },

    async softwareClass({
      name = uniqueName('class'),
      description = null,
      packages = [],
    }: {
      name?: string
      description?: string | null
      packages?: readonly { id: string }[]
    } = {}) {
      const created = await db
        .insertInto('software_classes')
        .values({ name, description })
        .returning(['id', 'name'])
        .executeTakeFirstOrThrow()
      for (const { id } of packages)
        await db.insertInto('software_class_packages').values({ class_id: created.id, package_id: id }).execute()
      return created
    },

    /** Assigns an object to a group. The object is a variable configuration unless another kind is given. */
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
