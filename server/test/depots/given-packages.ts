import { randomBytes } from 'node:crypto'
import type { World } from '../world/open-world.ts'

type Db = World['db']

export async function givenTag(db: Db, designation = `tag ${randomBytes(6).toString('hex')}`) {
  return db.insertInto('tags').values({ designation }).returning(['id', 'designation']).executeTakeFirstOrThrow()
}

export async function givenPackage(db: Db, { tags = [] }: { tags?: readonly { id: number }[] } = {}) {
  const name = `package ${randomBytes(6).toString('hex')}`
  const made = await db
    .insertInto('packages')
    .values({ name, package_name: name, version: '1.0', operating_systems: ['Windows 11'] })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
  for (const tag of tags) await db.insertInto('package_tags').values({ package_id: made.id, tag_id: tag.id }).execute()
  return made
}

export async function givenAssignment(db: Db, group: { id: string }, made: { id: string }) {
  await db.insertInto('group_packages').values({ group_id: group.id, package_id: made.id }).execute()
}
