import { randomBytes } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { App } from '../../src/app.ts'
import type { Database } from '../../src/database/connect.ts'
import type { Computers } from '../../src/database/tables.ts'
import { insertLocalPrincipal, newSecret, replaceRoles } from '../../src/features/principals/principals.ts'
import { formatMacAddress } from '../../src/platform/mac-address.ts'
import type { Role } from '../../src/platform/roles.ts'
import { givenPackagesIn } from './given-packages.ts'
import { givenPatchesIn } from './given-patches.ts'

export type Tree = 'ConfigurationGroups' | 'AssignmentGroups' | 'UserGroups'

export type Given = ReturnType<typeof givenIn>

/** Factories for what a test needs but is not about. */
export function givenIn(db: Database, { services }: App) {
  return {
    ...givenPackagesIn(db),
    ...givenPatchesIn(db),

    async localPrincipal({
      roles = ['computer.read'],
      description = null,
      expiresAt = null,
      isProtected = false,
    }: {
      roles?: readonly Role[]
      description?: string | null
      expiresAt?: Date | null
      isProtected?: boolean
    } = {}) {
      const clientId = `client-${randomBytes(6).toString('hex')}`
      const secret = newSecret()
      const id = await insertLocalPrincipal(db, services.keys, {
        clientId,
        secret,
        roles,
        description,
        expiresAt,
        isProtected,
      })
      return { id, clientId, secret }
    },

    /** An agent that claims the computer, and waits for a person. */
    async quarantinedAgent({ id: computer_id }: { id: number }): Promise<void> {
      const known = { kind: 'Muster', version: '0.1.0', platform: 'Linux', name: 'claim', domain: 'example.org' }
      await db
        .insertInto('quarantined_agents')
        .values({
          ...known,
          computer_id,
          secret_hash: randomBytes(32),
          enrolment_key_hash: randomBytes(32),
          matched_by: ['Name'],
        })
        .execute()
    },

    async identityPrincipal({
      subjectType = 'user',
      subjectId = randomBytes(6).toString('hex'),
      issuer = 'https://login.example.org/',
      displayName = null,
      roles = ['computer.read'],
      isProtected = false,
    }: {
      subjectType?: 'client' | 'user'
      subjectId?: string
      issuer?: string | null
      displayName?: string | null
      roles?: readonly Role[]
      isProtected?: boolean
    } = {}) {
      const { id } = await db
        .insertInto('principals')
        .values({ kind: subjectType, is_protected: isProtected })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('identity_principals')
        .values({
          principal_id: id,
          subject_type: subjectType,
          subject_id: subjectId,
          issuer,
          display_name: displayName,
        })
        .execute()
      await replaceRoles(db, id, roles)
      return { id, subjectType, subjectId, issuer }
    },

    async computer({
      name = `pc-${randomBytes(6).toString('hex')}`,
      domain = 'corp.example.org',
      mac = randomBytes(6).toString('hex'),
      lastSeen,
      ...columns
    }: Partial<Omit<Insertable<Computers>, 'name' | 'domain'>> & {
      name?: string
      domain?: string
      mac?: string | null
      lastSeen?: Date
    } = {}) {
      const computer = await db
        .insertInto('computers')
        .values({ name, domain, is_domain: true, mac_address: mac && formatMacAddress(mac), ...columns })
        .returning(['id', 'name', 'domain'])
        .executeTakeFirstOrThrow()
      if (lastSeen)
        await db.insertInto('computer_contacts').values({ computer_id: computer.id, last_seen_at: lastSeen }).execute()
      return computer
    },

    /** An ordinary group, below the root of the configuration tree unless a parent is given. */
    async group({
      tree = 'ConfigurationGroups',
      parent,
      name = `group ${randomBytes(6).toString('hex')}`,
      kind = 'Ordinary',
      ...columns
    }: {
      tree?: Tree
      parent?: { id: string; tree: string }
      name?: string
      kind?: 'Ordinary' | 'Reinstall' | 'EOL' | 'Restore'
      description?: string
    } = {}) {
      const parentGroup = parent ?? (await this.root(tree))
      return db
        .insertInto('groups')
        .values({ tree: parentGroup.tree, parent_id: parentGroup.id, name, kind, ...columns })
        .returning(['id', 'tree', 'name', 'path'])
        .executeTakeFirstOrThrow()
    },

    /** The root of a tree. The root of the user groups is created on demand, because a new installation has none. */
    async root(tree: Tree) {
      if (tree === 'UserGroups')
        await db
          .insertInto('groups')
          .values({ tree, kind: 'System', name: 'Users' })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      return db
        .selectFrom('groups')
        .select(['id', 'tree', 'name'])
        .where('tree', '=', tree)
        .where('parent_id', 'is', null)
        .executeTakeFirstOrThrow()
    },

    async member(group: { id: string }, computer: { id: number }) {
      await sql`
        insert into group_computers (group_id, computer_id, is_exclusive)
        select id, ${computer.id}, is_exclusive from groups where id = ${group.id}`.execute(db)
    },

    /** A scalar variable at the top level of the catalog, unless specified otherwise. */
    async variable({
      designation = `Var${randomBytes(6).toString('hex')}`,
      parent,
      kind = 'Scalar',
      ...columns
    }: {
      designation?: string
      parent?: { id: number; dotted_name: string }
      kind?: 'Category' | 'Scalar' | 'Collection' | 'UserDefined'
      default_value?: string | null
      is_secret?: boolean
      description?: string
    } = {}) {
      return db
        .insertInto('variable_definitions')
        .values({
          designation,
          kind,
          parent_id: parent?.id ?? null,
          dotted_name: parent ? `${parent.dotted_name}.${designation}` : designation,
          ...columns,
        })
        .returning(['id', 'designation', 'dotted_name', 'kind'])
        .executeTakeFirstOrThrow()
    },

    async variableConfiguration(values: { variable: { id: number }; value: string; schedule?: string }[] = []) {
      const configuration = await db
        .insertInto('variable_configurations')
        .values({ name: `configuration ${randomBytes(6).toString('hex')}` })
        .returning(['id', 'name'])
        .executeTakeFirstOrThrow()
      for (const { variable, value, schedule = null } of values)
        await db
          .insertInto('variable_configuration_values')
          .values({ configuration_id: configuration.id, variable_id: variable.id, value, schedule })
          .execute()
      return configuration
    },
  }
}
