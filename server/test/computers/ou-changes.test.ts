import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { assignToGroup, unassignFromGroup } from '../../src/features/assignments/assign-to-group.ts'
import { type AssignmentKind, assignmentTables } from '../../src/features/assignments/effective-assignments.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { listComputers } from '../../src/features/computers/api/list-computers.ts'
import { ouVariableId } from '../../src/features/computers/organizational-unit.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { updateGroup } from '../../src/features/groups/api/update-group.ts'
import { effectiveVariables } from '../../src/features/variable-resolution/effective-variables.ts'
import { setComputerVariable } from '../../src/features/variables/api/computers/set-computer-variable.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { openWorld } from '../world/open-world.ts'
import { laterSchedule, type OuSource, ouSourcesIn, type SourceKind } from './ou-sources.ts'

const { as, db, given } = await openWorld()
const { ou, make, setConfigured, passTime } = await ouSourcesIn(db, given)
const groupWriter = as('group.write')

type Group = { id: string }

const assign = (group: Group, { kind, id }: OuSource) => assignToGroup(db, kind, group.id, id)
const unassign = (group: Group, { kind, id }: OuSource) => unassignFromGroup(db, kind, group.id, id)
const setOnGroup = ({ id }: Group, value: string | null, schedule: string | null = null) =>
  groupWriter.call(setGroupVariable, { params: { id, varId: ou.id }, body: { value, schedule } })
const join = ({ id }: Group, computer: { id: number }) =>
  groupWriter.call(addGroupComputers, { params: { id }, body: { computerIds: [computer.id] } })

/** A computer in a child group, and the parent of that group. */
async function arrange() {
  const parent = await given.group()
  const group = await given.group({ parent })
  const computer = await given.computer()
  await given.member(group, computer)
  return { parent, group, computer }
}

async function isModified({ id }: { id: number }, after: Date): Promise<boolean> {
  const query = { modifiedAfter: after.toISOString(), top: 1_000 }
  return (await as('computer.read').call(listComputers, { query })).body.items.some((one) => one.id === id)
}

const readOu = async ({ id }: { id: number }) =>
  (await as('computer.read').call(getComputer, { params: { id } })).body.ou

/** Makes a change that gives the computer this OU. The next synchronisation must find it. */
async function expectFound(computer: { id: number }, expectedOu: string | null, change: () => Promise<unknown>) {
  expect(await readOu(computer)).not.toBe(expectedOu)
  const lastSynchronisation = await readClock()
  await change()
  expect(await readOu(computer)).toBe(expectedOu)
  expect(await isModified(computer, lastSynchronisation)).toBe(true)
}

/** A time between earlier and later changes. The API shows milliseconds, so it waits until the next one has begun. */
async function readClock(): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`
    select date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' as now,
      pg_sleep(0.002)`.execute(db)
  return rows[0]?.now ?? new Date(0)
}

const kinds = Object.keys(make) as SourceKind[]
const singleKinds = kinds.filter((kind) => assignmentTables[kind].single)

test.each(kinds)('modifiedAfter finds the computers below a group whose OU comes from a source: %s', async (kind) => {
  const { parent, computer } = await arrange()
  const source = await make[kind]()
  await source.setOu('OU=First')

  await expectFound(computer, 'OU=First', () => assign(parent, source))
  await expectFound(computer, 'OU=Second', () => source.setOu('OU=Second'))
  await expectFound(computer, null, () => source.setOu(null))
  await expectFound(computer, 'OU=Third', () => source.setOu('OU=Third'))
  await expectFound(computer, null, () => unassign(parent, source))
})

test.each(kinds)('modifiedAfter finds a computer that joins a group with an OU from a source: %s', async (kind) => {
  const [{ parent, group }, computer, source] = [await arrange(), await given.computer(), await make[kind]()]
  await source.setOu('OU=Joined')
  await assign(parent, source)

  await expectFound(computer, 'OU=Joined', () => join(group, computer))
})

test.each(singleKinds)('modifiedAfter finds an OU that is displaced by one without an OU: %s', async (kind) => {
  const { parent, group, computer } = await arrange()
  const [source, nearer, other] = [await make[kind](), await make[kind](), await make[kind]()]
  const second = await given.group({ tree: 'AssignmentGroups' })
  await source.setOu('OU=Far')
  await assign(parent, source)
  await assign(second, other)

  await expectFound(computer, null, () => assign(group, nearer))
  await expectFound(computer, 'OU=Far', () => assign(group, source))
  await expectFound(computer, null, () => assign(group, nearer))
  await expectFound(computer, 'OU=Far', () => unassign(group, nearer))
  await expectFound(computer, null, () => join(second, computer))
})

test('modifiedAfter finds a change of the packages of a software class', async () => {
  const { parent, computer } = await arrange()
  const [source, software] = [await make.softwareClass(), await make.package()]
  const member = { class_id: Number(source.id), package_id: String(software.packageId) }
  await software.setOu('OU=New member')
  await assign(parent, source)

  await expectFound(computer, 'OU=New member', () => db.insertInto('software_class_packages').values(member).execute())
  await expectFound(computer, null, () =>
    db.deleteFrom('software_class_packages').where('package_id', '=', member.package_id).execute(),
  )
})

/** Packages by name, in which each requires the next one. The last one has an OU. */
async function chainOf(length: number) {
  const packages: OuSource[] = []
  for (let made = 0; made < length; made++) packages.push(await make.package())
  await packages.at(-1)?.setOu('OU=Pulled')
  const links = packages.slice(1).map((required, place) => async () => {
    await sql`
      insert into package_requirements (package_id, required_name)
      select ${packages[place]?.packageId}::uuid, package_name from packages where id = ${required.packageId}::uuid`.execute(
      db,
    )
  })
  const link = async () => {
    for (const add of links) await add()
  }
  const [first] = packages
  return { packages, link, first: first ?? expect.fail() }
}

const deletePackage = ({ packageId }: OuSource) =>
  db.deleteFrom('packages').where('id', '=', String(packageId)).execute()

test('modifiedAfter finds an OU of a package that an assigned package pulls in', async () => {
  const [{ parent, computer }, { packages, link, first }] = [await arrange(), await chainOf(3)]
  const last = packages.at(-1) ?? expect.fail()

  await assign(parent, first)
  await expectFound(computer, 'OU=Pulled', link)
  await expectFound(computer, null, () => unassign(parent, first))
  await expectFound(computer, 'OU=Pulled', () => assign(parent, first))
  await expectFound(computer, 'OU=Other', () => last.setOu('OU=Other'))
  await expectFound(computer, null, () =>
    db.deleteFrom('package_requirements').where('package_id', '=', String(first.packageId)).execute(),
  )
})

test('modifiedAfter finds an OU that a package in a software class pulls in', async () => {
  const [{ parent, computer }, source, { link, first }] = [
    await arrange(),
    await make.softwareClass(),
    await chainOf(2),
  ]
  const member = { class_id: Number(source.id), package_id: String(first.packageId) }
  await link()
  await assign(parent, source)

  await expectFound(computer, 'OU=Pulled', () => db.insertInto('software_class_packages').values(member).execute())
})

test('modifiedAfter finds a computer that joins a group whose package pulls in one with an OU', async () => {
  const [{ parent, group }, computer, { link, first }] = [await arrange(), await given.computer(), await chainOf(2)]
  await link()
  await assign(parent, first)

  await expectFound(computer, 'OU=Pulled', () => join(group, computer))
})

test.each(['first', 'second', 'last'])(
  'modifiedAfter finds an OU that ends with the %s of three packages',
  async (which) => {
    const [{ parent, computer }, { packages, link, first }] = [await arrange(), await chainOf(3)]
    const deleted = packages[['first', 'second', 'last'].indexOf(which)] ?? expect.fail()
    await link()
    await assign(parent, first)

    await expectFound(computer, null, () => deletePackage(deleted))
  },
)

test('modifiedAfter finds an OU that ends with the edition of an operating system', async () => {
  const [{ parent, computer }, source] = [await arrange(), await make.osImageSku()]
  await source.setOu('OU=Edition')
  await assign(parent, source)

  await expectFound(computer, null, () => db.deleteFrom('os_image_skus').where('id', '=', Number(source.id)).execute())
})

test('modifiedAfter finds an OU that another name of a group decides', async () => {
  const computer = await given.computer()
  const tree = 'AssignmentGroups'
  const [first, last] = [await given.group({ tree, name: 'B group' }), await given.group({ tree, name: 'C group' })]
  for (const [group, value] of [[first, 'OU=B'] as const, [last, 'OU=C'] as const]) {
    await given.member(group, computer)
    await setOnGroup(group, value)
  }

  await expectFound(computer, 'OU=C', () =>
    groupWriter.call(updateGroup, { params: { id: last.id }, body: { name: 'A group' } }),
  )
})

type Arranged = Awaited<ReturnType<typeof arrange>>
const assignConfigured = async ({ parent }: Arranged, value: string | null, schedule: string | null) => {
  const configuration = await make.variableConfiguration()
  await setConfigured(Number(configuration.id), value, schedule)
  await assign(parent, configuration)
  return configuration
}

/** How the OU of the computer gets a value with a schedule. Each returns how the value is deleted. */
const scheduled: Record<string, (arranged: Arranged, schedule: string) => Promise<() => Promise<unknown>>> = {
  async computer({ computer: { id } }, schedule) {
    const set = (body: { value: string | null; schedule?: string }) =>
      as('computer.write').call(setComputerVariable, { params: { id, varId: ou.id }, body })
    await set({ value: 'OU=Scheduled', schedule })
    return () => set({ value: null })
  },
  async group({ parent }, schedule) {
    await setOnGroup(parent, 'OU=Scheduled', schedule)
    return () => setOnGroup(parent, null)
  },
  async configuration(arranged, schedule) {
    const source = await assignConfigured(arranged, 'OU=Scheduled', schedule)
    return () => source.setOu(null)
  },
}

test.each(Object.keys(scheduled))('modifiedAfter finds a scheduled OU of a %s when it begins', async (owner) => {
  const arranged = await arrange()
  const { computer } = arranged
  const deleteValue = await scheduled[owner]?.(arranged, laterSchedule)
  let start = ''

  expect(await isModified(computer, await readClock())).toBe(false)
  await expectFound(computer, 'OU=Scheduled', async () => {
    start = await passTime()
  })
  const { body } = await as('computer.read').call(getComputer, { params: { id: computer.id } })
  expect(body.lastModified).toBe(start)
  expect(await isModified(computer, await readClock())).toBe(false)
  await expectFound(computer, null, async () => deleteValue?.())
})

test.each(Object.keys(scheduled))('an OU of a %s that is deleted before it begins is never found', async (owner) => {
  const arranged = await arrange()
  const deleteValue = await scheduled[owner]?.(arranged, laterSchedule)
  await deleteValue?.()
  const lastSynchronisation = await readClock()

  await passTime()

  expect(await readOu(arranged.computer)).toBe(null)
  expect(await isModified(arranged.computer, lastSynchronisation)).toBe(false)
})

test('modifiedAfter finds each of several scheduled OUs, on computers that joined the group before they began', async () => {
  const [arranged, computer] = [await arrange(), await given.computer()]
  await assignConfigured(arranged, 'OU=Soon', laterSchedule)
  await join(arranged.group, computer)

  await expectFound(computer, 'OU=Soon', passTime)
  await setOnGroup(arranged.group, 'OU=Late', laterSchedule)
  await expectFound(computer, 'OU=Late', passTime)
})

/** The tables that decide about the OU although no trigger on them records changes. */
const withoutTrigger = {
  group_ancestors: 'follows from groups',
  os_image_skus: 'belongs to one package forever, and its assignments are deleted with it',
  pxe_boot_images: 'belongs to one package forever, and its assignments are deleted with it',
}

test('every table that decides about the OU has a trigger that records its changes', async () => {
  const effective = effectiveVariables('computer', sql`select 1 as owner_id`, ouVariableId)
  const { rows } = await sql`explain (format json) ${effective}`.execute(db)
  const tables = [...JSON.stringify(rows).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name]) => name)
  const { rows: triggers } = await sql<{ name: string }>`
    select distinct tgrelid::regclass::text as name from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where prosrc ~ 'computer_changes|record_changes_below'`.execute(db)
  const recorded = new Set(triggers.map(({ name }) => name))

  expect(tables).toEqual(expect.arrayContaining(kinds.map((kind: AssignmentKind) => assignmentTables[kind].table)))
  expect([...new Set(tables)].filter((name) => !recorded.has(name ?? '')).sort()).toEqual(Object.keys(withoutTrigger))
})
