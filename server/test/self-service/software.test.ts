import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getSoftwareIcon } from '../../src/channels/agent/self-service/get-software-icon.ts'
import { distributionCommands, toCommandMask } from '../../src/features/distribution/commands.ts'
import { sha256Of } from '../channels/agent/agent-world.ts'
import { openSelfServiceWorld } from './self-service-world.ts'

const { computerWithUser, db, readyPackage, work } = await openSelfServiceWorld()

const { Hidden } = distributionCommands
const offered = { commands: toCommandMask(['Install', 'Optional']) }
const inAnHour = () => new Date(Date.now() + 3_600_000)

async function setDeployment(computer: { id: number }, pack: { id: string }, columns: object) {
  await db
    .insertInto('deployments')
    .values({ computer_id: computer.id, package_id: pack.id, ...columns })
    .execute()
}

test('a user sees what is offered, pending, running, installed and failed', async () => {
  const computer = await computerWithUser()
  const named = (name: string) => readyPackage({ name, description: `About ${name}`, version: '2.0' })
  const [editor, reader, viewer] = [await named('B editor'), await named('C reader'), await named('D viewer')]
  await setDeployment(computer, editor, {
    result: 'Success',
    installation_state: 'Installed',
    installed_at: new Date(),
  })
  await setDeployment(computer, reader, { result: 'Failed', failed_at: new Date(), error_text: 'secret of a command' })
  await work(computer, viewer, { not_before: inAnHour(), delayed_by: 'User', revoke_count: 2 })
  await work(computer, await named('A offer'), { ...offered, optional_date: inAnHour() })
  const running = await work(computer, await named('E running'))
  await sql`update work set state = 'Leased', attempt = 1, leased_until = now() + interval '1 hour' where id = ${running}`.execute(
    db,
  )

  const { software } = await computer.look()

  expect(software).toMatchObject([
    { name: 'A offer', state: 'Offered', offeredUntilUtc: expect.any(String), description: 'About A offer' },
    { name: 'B editor', state: 'Installed', version: '2.0', sinceUtc: expect.any(String) },
    { name: 'C reader', state: 'Failed', sinceUtc: expect.any(String) },
    {
      ...{ name: 'D viewer', state: 'Pending', action: 'Install', postponementsLeft: 2 },
      reasons: [{ reason: 'Postponed', untilUtc: expect.any(String) }],
    },
    { name: 'E running', state: 'Running' },
  ])
  expect(JSON.stringify(software)).not.toContain('secret')
})

test('what is hidden from users, and what is not for them, is not shown', async () => {
  const computer = await computerWithUser()
  const hidden = await readyPackage({ name: 'Hidden' })
  await setDeployment(computer, hidden, {
    result: 'Success',
    installation_state: 'Installed',
    current_mode: 1 | Hidden,
  })
  await db
    .insertInto('distribution_events')
    .values({ computer_id: computer.id, package_id: hidden.id, result: 'Success', classification: 'Report' })
    .execute()
  await work(computer, await readyPackage({ name: 'Hidden work' }), { commands: 1 | Hidden })
  await work(computer, await readyPackage({ name: 'A scan', kind: 'InventoryScan' }))
  await work(computer, await readyPackage({ name: 'Not released', is_operational: false }), offered)
  await work(computer, await readyPackage({ name: 'Over' }), {
    ...offered,
    optional_date: new Date(Date.now() - 1_000),
  })

  expect(await computer.look()).toEqual({ software: [], history: [], requests: [] })
})

test('reasons name other software as its users know it, and never what is hidden from them', async () => {
  const computer = await computerWithUser()
  const [runtime, library] = [
    await readyPackage({ name: 'The Runtime', package_name: 'Runtime-x64' }),
    await readyPackage({ name: 'A hidden library', package_name: 'libhidden' }),
  ]
  const editor = await readyPackage({ name: 'Editor' })
  for (const required_name of ['runtime-X64', 'libhidden', 'absent'])
    await db.insertInto('package_requirements').values({ package_id: editor.id, required_name }).execute()
  await work(computer, runtime)
  await work(computer, library, { commands: 1 | Hidden })
  await work(computer, editor)

  const { software } = await computer.look()

  expect(software.find(({ name }) => name === 'Editor')?.reasons).toMatchObject([
    { reason: 'RequirementMissing', packages: ['The Runtime'] },
  ])
})

test('an offer whose conditions the computer does not meet is none', async () => {
  const computer = await computerWithUser()
  const manifest = JSON.stringify({ commands: { install: { argv: ['true'] } }, onlyFor: { minMemoryMb: 4096 } })
  await db.updateTable('computers').set({ memory_mb: 2048 }).where('id', '=', computer.id).execute()
  await work(computer, await readyPackage({ manifest }), offered)

  expect((await computer.look()).software).toEqual([])
})

test('a computer sees nothing of another one', async () => {
  const [computer, other] = [await computerWithUser(), await computerWithUser()]
  await work(other, await readyPackage(), offered)
  await other.ask('An editor')

  expect(await computer.look()).toEqual({ software: [], history: [], requests: [] })
})

test('the history says what happened, without commands and their output', async () => {
  const computer = await computerWithUser()
  const pack = await readyPackage({ name: 'Editor' })
  for (const result of ['Pending', 'Success'])
    await db
      .insertInto('distribution_events')
      .values({
        ...{ computer_id: computer.id, package_id: pack.id, result, classification: 'Report', install_mode: 'Install' },
        info: 'install.sh --password=x',
      })
      .execute()

  expect((await computer.look()).history).toEqual([
    { name: 'Editor', version: '1.0', result: 'Success', action: 'Install', atUtc: expect.any(String) },
    { name: 'Editor', version: '1.0', result: 'Pending', action: 'Install', atUtc: expect.any(String) },
  ])
})

test('category and icon come from the package, and only computers that see it get its icon', async () => {
  const [computer, other] = [await computerWithUser(), await computerWithUser()]
  const pack = await readyPackage({
    manifest: JSON.stringify({ category: 'Office', icon: 'art\\icon.png', commands: { install: { argv: ['sh'] } } }),
    files: { 'art/icon.png': 'an icon', 'install.sh': 'a secret' },
  })
  await work(computer, pack, offered)
  const icon = { params: { packageId: pack.id } }

  const [own, foreign] = [
    await computer.itself.call(getSoftwareIcon, icon),
    await other.itself.call(getSoftwareIcon, icon),
  ]

  expect((await computer.look()).software).toMatchObject([{ category: 'Office', iconSha256: sha256Of('an icon') }])
  expect(own.status).toBe(200)
  expect(String(own.raw ?? own.body)).toContain('an icon')
  expect(foreign).toMatchObject({ status: 404, problem: 'IconNotFound' })
})
