import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { repository } from '../../server/test/world/service-process.ts'
import { commandsIn } from './muster-command.ts'

const world = await openRolloutWorld()
const { db, given, fleet, readyPackage, doWork, fail } = world
const { muster, musterOn, settings } = await commandsIn(world)

const nameOf = async ({ id }: { id: number }) =>
  (await db.selectFrom('computers').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name

/** Runs a command that follows something, until its output contains the text. */
function following(text: string, ...args: string[]) {
  const { promise: isSeen, resolve } = Promise.withResolvers<void>()
  const interruption = new AbortController()
  let seen = ''
  const write = (part: string | Uint8Array) => {
    seen += String(part)
    if (seen.includes(text)) resolve()
  }
  const ended = musterOn({ write, note: write, signal: interruption.signal }, ...args)
  return { isSeen, ended, interrupt: () => interruption.abort(), seen: () => seen }
}

test('computers and packages get into a group by their names', async () => {
  await given.group({ name: 'Warehouse' })
  await given.computer({ name: 'scanner-1' })
  await given.computer({ name: 'scanner-2' })
  await readyPackage({ name: 'Label printer', version: '3' })

  const planned = await muster('group', 'Warehouse', 'add', 'scanner-1', 'scanner-2', '--dry-run')
  const added = await muster('group', 'Warehouse', 'add', 'scanner-1', 'scanner-2')
  const assigned = await muster('group', 'Warehouse', 'assign', 'label printer@3')
  const { out } = await muster('group', 'Warehouse')

  expect(planned.out).toBe('2 computers would be added.\n')
  expect(added.out).toBe('2 computers are added.\n')
  expect(assigned.out).toBe('Label printer@3 is assigned.\n')
  expect(out).toContain('2, 2 of them in the group itself')
  expect(out).toContain('Label printer')
})

test('computers that do not exist are all named, and none is added', async () => {
  await given.group({ name: 'Empty' })
  await given.computer({ name: 'exists' })

  const { code, err } = await muster('group', 'Empty', 'add', 'missing-1', 'exists', 'missing-2')

  expect(code).toBe(2)
  expect(err).toBe('No computer is named "missing-1".\nNo computer is named "missing-2".\n')
  expect((await muster('group', 'Empty')).out).toContain('0, 0 of them')
})

test('computers that stay in their configuration group are named, and the others are added', async () => {
  const elsewhere = await given.group({ name: 'Elsewhere' })
  await given.group({ name: 'Target' })
  await given.member(elsewhere, await given.computer({ name: 'settled' }))
  await given.computer({ name: 'free' })

  const { code, err, out } = await muster('group', 'Target', 'add', 'settled', 'free')

  expect([code, out]).toEqual([1, '1 computer is added; 1 is in another configuration group.\n'])
  expect(err).toMatch(/^Not added, .*:\n {2}settled\.\S+ is in Configuration\/Elsewhere\n$/)
})

test('packages that cannot be assigned are named, and the others are assigned', async () => {
  const special = await given.group({ name: 'Farewell', kind: 'EOL' })
  await readyPackage({ name: 'Alpha', version: '1' })

  const { code, err } = await muster('group', special.name, 'assign', 'Alpha')

  expect(code).toBe(1)
  expect(err).toMatch(/^Failed:\n {2}Alpha@1: /)
})

test('a deployment that does not affect the expected number of computers is refused', async () => {
  const { group } = await fleet(2)

  const refused = await muster('group', group.name, 'deploy', '--expect', '3')
  const made = await muster('group', group.name, 'deploy', '--expect', '2')

  expect(refused.code).toBe(1)
  expect(refused.err).toContain('(UnexpectedCount)\n  expectedCount: 3\n  tolerance: 0\n  actualCount: 2')
  expect(made.out).toMatch(/^The assigned software is deployed to 2 computers: task /)
})

test('the dry run of a deployment says by package what it installs and where nothing is to be done', async () => {
  const { group, agents } = await fleet(2, { name: 'Planned', version: '1' })
  await muster('group', group.name, 'deploy')
  const [first] = agents
  if (first) await doWork([first])
  await readyPackage({ name: 'Added', version: '2' }).then((added) => given.assignment(group, added, 'package'))

  const ofGroup = await muster('group', group.name, 'deploy', '--dry-run')
  const ofComputer = await muster('computer', `#${first?.id}`, 'deploy', '--dry-run')

  expect(ofGroup.out.split('\n').slice(1, 4)).toEqual([
    'In total: install on 2 computers, already on its way on 1 computer.',
    '  Added 2: install on 2 computers',
    '  Planned 1: already on its way on 1 computer, nothing to do for 1 computer',
  ])
  expect(ofComputer.out).toContain('\n  Planned 1: nothing to do for 1 computer\n')
})

test('a task is followed until it has finished, and what failed is named', async () => {
  const { group, agents } = await fleet(2, { name: 'Fragile', version: '1' })
  const [good, bad] = agents
  const follow = following('0/2', 'group', group.name, 'deploy', '--watch')
  await follow.isSeen
  const running = await muster('tasks', '--running', '-o', 'csv')

  if (good) await doWork([good])
  if (bad) await fail([bad])
  await sequenceAll(db)
  const { code } = await follow.ended
  const ended = await muster('tasks', '--limit', '1', '-o', 'csv')
  const drawn = await musterOn({ showsProgress: true }, 'tasks', '--watch')

  expect(running.out).toMatch(/,Activation,Running,/)
  expect(ended.out).toMatch(/,Activation,Failed,/)
  expect(drawn.err).toContain(`\r\x1b[2K${'█'.repeat(30)}  2/2 (100 %)`)
  expect(follow.seen()).not.toContain('█')
  expect(code).toBe(1)
  expect(follow.seen()).toContain('2/2 (100 %)  1 succeeded, 1 failed\n')
  expect(follow.seen()).toContain(`1 failed:\n  ${bad && (await nameOf(bad))}  Fragile`)
})

test('a rollout is planned, started, paused, resumed and cancelled by its name', async () => {
  const { group } = await fleet(4)
  const start = ['rollout', 'start', 'Viewer 24', '--group', group.name, '--rings', '1', '100%']

  const planned = await muster(...start, '--dry-run')
  await given.package({ name: 'Unassigned viewer' })
  const unassigned = await muster(...start, '--package', 'Unassigned viewer', '--dry-run')
  const absent = await muster('rollout', 'pause', 'Viewer 24')
  const started = await muster(...start)
  const paused = await muster('rollout', 'pause', 'viewer 24', '--reason', 'A question')
  const resumed = await muster('rollout', 'resume', 'Viewer 24')
  const cancelled = await muster('rollout', 'cancel', 'Viewer 24')

  const again = await muster(...start)
  const chosen = await muster('rollout', 'pause', 'Viewer 24', '--dry-run')

  // The one that has not ended is meant.
  expect([again.code, chosen.out]).toEqual([0, 'Viewer 24 would be paused.\n'])
  expect((await muster('rollout', 'list', '--state', 'Paused')).out).not.toContain('Viewer 24')
  expect(planned.out).toMatch(
    /^Viewer 24 would reach 4 computers in 2 rings:\n {2}Ring 1: 1 computer, 1 work item\n {2}Ring 2: 3 computers, 3 work items\n$/,
  )
  expect(unassigned).toMatchObject({ code: 1, err: expect.stringContaining('Assign it first') })
  expect(absent).toMatchObject({ code: 2, err: 'No rollout is named "Viewer 24".\n' })
  expect([started, paused, resumed, cancelled].map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(cancelled.out).toBe('Viewer 24 is cancelled.\n')
})

test('a rollout that pauses ends the command that follows it, with the reason', async () => {
  const { group } = await fleet(2)
  await muster('rollout', 'start', 'Questioned', '--group', group.name, '--rings', '100%')
  const follow = following('Running', 'rollout', 'watch', 'Questioned')
  await follow.isSeen

  await muster('rollout', 'pause', 'Questioned', '--reason', 'Is it the right version?')
  await sequenceAll(db)
  const { code } = await follow.ended

  expect(code).toBe(1)
  expect(follow.seen()).toMatch(/Questioned is paused: .*Is it the right version\?/)
})

test('events and the audit trail are followed until the person interrupts it', async () => {
  const events = following('pc-followed', 'events', '--follow', '--types', 'muster.computer.*', '-o', 'json')
  const audit = following('createEnrolmentToken', 'audit', '--follow')
  // Nothing shows when a stream is open, so there is an event every now and then.
  const timer = setInterval(async () => {
    await given.computer({ name: `pc-followed-${Math.random()}` })
    await sequenceAll(db)
  }, 200)
  const token = await muster('enrol-token', 'create', 'For the audit', '--uses', '1')
  await Promise.all([events.isSeen, audit.isSeen])
  clearInterval(timer)
  events.interrupt()
  audit.interrupt()
  const codes = (await Promise.all([events.ended, audit.ended])).map(({ code }) => code)

  expect(token.out.trim()).toMatch(/^\S{20,}$/)
  expect(codes).toEqual([0, 0])
  expect(JSON.parse(events.seen().split('\n')[0] ?? '')).toMatchObject({ type: 'muster.computer.created' })
})

test('following ends by itself after as many events or entries as were asked for', async () => {
  const events = following('', 'events', '--follow', '--limit', '2', '-o', 'json')
  const audit = following('', 'audit', '--follow', '--limit', '2', '-o', 'json')
  const timer = setInterval(async () => {
    await given.computer()
    await muster('enrol-token', 'create', 'For those who follow', '--uses', '1')
    await sequenceAll(db)
  }, 200)
  const codes = (await Promise.all([events.ended, audit.ended])).map(({ code }) => code)
  clearInterval(timer)

  expect(codes).toEqual([0, 0])
  expect(events.seen().trim().split('\n')).toHaveLength(2)
  expect(audit.seen().trim().split('\n')).toHaveLength(2)
})

test('a package is withdrawn and released by its name, and its folder is signed without the service', async () => {
  await readyPackage({ name: 'Reader', version: '7' })
  const folder = join(settings, 'greeting')
  await cp(join(repository, 'examples/packages/greeting'), folder, { recursive: true })
  const key = join(settings, 'release.key')

  const withdrawn = await muster('packages', 'withdraw', 'reader@7')
  const released = await muster('packages', 'release', 'Reader', '--dry-run')
  const created = await muster('sign', '--new-key', key, '--no-passphrase')
  const signed = await muster('sign', folder, '--key', key)
  const missing = await muster('sign', join(settings, 'nowhere'), '--key', key)

  expect([withdrawn.out, released.out]).toEqual(['Reader@7 is withdrawn.\n', 'Reader@7 would be released.\n'])
  expect([created.code, signed.code, missing.code]).toEqual([0, 0, 1])
  expect(await readdir(folder)).toContain('muster-package.json.minisig')
})

test('names behind an action that is about the whole group are refused, and nothing is deployed', async () => {
  const { group, agents } = await fleet(2)
  const [first] = agents
  const name = first ? await nameOf(first) : ''

  const deploy = await muster('group', group.name, 'deploy', name)
  const show = await muster('group', group.name, 'show', name)

  expect([deploy.code, show.code]).toEqual([2, 2])
  expect(deploy.err).toBe('deploy takes no names: it is about the whole group.\n')
  expect(JSON.parse((await muster('tasks', '--computer', name, '-o', 'json')).out)).toEqual([])
})

test('the result of several packages is one JSON document', async () => {
  const { group } = await fleet(1)
  await readyPackage({ name: 'First of two', version: '1' })
  await readyPackage({ name: 'Second of two', version: '1' })

  const { out } = await muster('group', group.name, 'assign', 'First of two', 'Second of two', '-o', 'json')

  expect(JSON.parse(out)).toMatchObject([{ effect: 'assigned' }, { effect: 'assigned' }])
})

test('a package of the agent is designated for its platform, and is shown with its signature', async () => {
  const { id } = await given.package({
    name: 'Muster agent',
    package_name: 'muster-agent',
    version: '9.9',
    is_operational: true,
    hash_state: 'Current',
    content_hash: Buffer.alloc(32, 1),
    folder: 'agent-9.9',
  })
  await db
    .insertInto('package_files')
    .values({ package_id: id, path: 'muster-agent-linux-x64.tar.gz', size: 1, sha256: Buffer.alloc(32, 2) })
    .execute()
  await readyPackage({ name: 'Ordinary', version: '1' })

  const planned = await muster('packages', 'designate', 'muster-agent@9.9', '--dry-run')
  const before = await muster('packages', 'agents')
  const designated = await muster('packages', 'designate', 'muster-agent@9.9')
  const after = await muster('packages', 'agents')
  const ordinary = await muster('packages', 'designate', 'Ordinary')

  const text = 'the agent for new computers with Linux. State: Served.\n'
  expect(planned.out).toBe(`Muster agent@9.9 (not signed) would be ${text}`)
  expect(before.out).toMatch(/^Linux .*NotDesignated/m)
  expect(designated.out).toBe(`Muster agent@9.9 (not signed) is ${text}`)
  expect(after.out).toMatch(/^Linux +Muster agent@9\.9 +not signed +Served/m)
  expect(ordinary).toMatchObject({ code: 1, err: expect.stringContaining('is not a package of the agent') })
})
