import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { requestAccessToken } from '@muster/client'
import { afterAll, expect, test } from 'vitest'
import { enrolAgent } from '../../server/src/channels/agent/enrol-agent.ts'
import { parseDownloadHost } from '../../server/src/platform/downloads/download-hosts.ts'
import { enrolment } from '../../server/test/channels/agent/agent-world.ts'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { commandsIn } from './muster-command.ts'

const receiver = await openReceiver()
const world = await openRolloutWorld({ webhookPrivateHosts: [parseDownloadHost('', receiver.host, true)] })
const { doWork, enrolmentToken, fail, fleet, given, withToken } = world
const { address, muster, musterOn, settings } = await commandsIn(world)

/** A receiver of webhooks that answers with a status. */
async function openReceiver() {
  const made = { status: 204, host: '', url: '' }
  const server = createServer((request, response) =>
    request.resume().on('end', () => response.writeHead(made.status).end()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  made.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  made.url = `http://${made.host}/`
  return made
}

test('a rollout in which computers failed is a failure that names them', async () => {
  const { group } = await fleet(2)
  await muster('rollout', 'start', 'Finished badly', '--group', group.name, '--rings', '100%')
  // The answers of a rollout that has ended.
  const send = async (request: Request) => {
    const { pathname } = new URL(request.url)
    const failed = { hostname: 'pc-broken', error: 'The disk is full.\nMore.' }
    if (/^\/api\/rollouts\/[^/]+\/computers$/.test(pathname)) return Response.json({ items: [failed] })
    const response = await fetch(request)
    if (!/^\/api\/rollouts\/[^/]+$/.test(pathname)) return response
    return Response.json({ ...((await response.json()) as object), state: 'Completed', failedCount: 3, pause: null })
  }

  const { code, err } = await musterOn({ send }, 'rollout', 'watch', 'Finished badly')

  expect(code).toBe(1)
  expect(err).toContain('Finished badly: 3 computers failed:\n  pc-broken: The disk is full. More.\n  … and 2 more\n')
})

test('a dry run of a restart or a deployment of a computer names the next contact and leaves no task', async () => {
  const { agents } = await fleet(1, { name: 'Explained viewer' })
  await agents[0]?.contact()
  const name = `#${agents[0]?.id}`

  const tried = [
    await muster('computer', name, 'reboot', '--dry-run'),
    await muster('computer', name, 'deploy', '--dry-run'),
  ]

  expect(tried.map(({ code }) => code)).toEqual([0, 0])
  expect((await muster('explain', name, 'Explained viewer')).out).toMatch(/^Next contact +expected /m)
  for (const { out } of tried) expect(out).toMatch(/Next contact of the agent: expected \d{4}-\d\d-\d\d \d\d:\d\d\.$/m)
  expect(JSON.parse((await muster('tasks', '--computer', name, '-o', 'json')).out)).toEqual([])
})

test('what failed is retried by its task, its package or its rollout', async () => {
  const { group, agents } = await fleet(1, { name: 'Retried', version: '1' })
  await muster('group', group.name, 'deploy')
  await fail(agents)
  const [{ trackingId = '' } = {}] = JSON.parse((await muster('tasks', '--package', 'Retried', '-o', 'json')).out)

  const planned = await muster('packages', 'retry', 'Retried', '--dry-run')
  const unexpected = await muster('tasks', trackingId, '--retry', '--expect', '2')
  const ofTask = await muster('tasks', trackingId.slice(0, 13), '--retry', '--expect', '1')
  await fail(agents)
  const ofPackage = await muster('packages', 'retry', 'Retried')
  const wrong = [await muster('tasks', '--retry'), await muster('tasks', trackingId, '--dry-run')]
  await muster('rollout', 'start', 'Not failed', '--group', group.name, '--rings', '100%')
  const ofRollout = await muster('rollout', 'retry', 'Not failed')

  expect(planned.out).toBe('Retried@1 would be retried on 1 computer.\n')
  expect(unexpected.err).toContain('(UnexpectedCount)')
  expect(ofTask.out).toMatch(/^What failed on 1 computer is retried: task [0-9a-f-]{36}\.\n$/)
  expect(ofPackage.out).toMatch(/^Retried@1 is retried on 1 computer: task [0-9a-f-]{36}\.\n$/)
  expect(wrong.map(({ code }) => code)).toEqual([2, 2])
  expect(ofRollout).toMatchObject({ code: 1, err: expect.stringContaining('(NothingFailed)') })
})

test('a package is uninstalled from a computer, and from its group only by those who know how many computers it has', async () => {
  const { agents } = await fleet(2, { name: 'Unwanted', version: '1' })
  const [first] = agents
  const name = `#${first?.id}`
  for (const one of agents) await muster('computer', `#${one.id}`, 'deploy')
  await doWork(agents)
  const uninstall = ['computer', name, 'uninstall', 'Unwanted']

  const planned = await muster(...uninstall, '--dry-run')
  const unasked = await muster(...uninstall)
  const nameless = await muster('computer', name, 'uninstall')
  const named = await muster('computer', name, 'deploy', 'Unwanted')
  const confirmed = await musterOn({ ask: async () => '2' }, ...uninstall)

  expect(planned.out).toContain('Uninstallation of Unwanted@1 would be requested.')
  expect(planned.out).toMatch(/\nThe 2 computers of Assignment\/.+ would uninstall it at the next activation/)
  expect(unasked).toMatchObject({
    code: 1,
    err: expect.stringMatching(/affects 2 computers: repeat with --expect 2\.\n$/),
  })
  expect([nameless.err, named.err]).toEqual(['Name the package.\n', 'deploy takes no package.\n'])
  expect(confirmed.out).toMatch(/^Uninstallation of Unwanted@1 was requested: task /)
  expect((await first?.contact())?.body.work).toMatchObject([{ kind: 'Uninstall' }])
})

test('an enrolment token is valid for the days and uses that were asked for', async () => {
  const { out } = await muster('enrol-token', 'create', 'For two', '--uses', '2', '--days', '3', '-o', 'json')

  const { expiresAtUtc, maxUses } = JSON.parse(out) as { expiresAtUtc: string; maxUses: number }
  expect(maxUses).toBe(2)
  expect((Date.parse(expiresAtUtc) - Date.now()) / 86_400_000).toBeCloseTo(3, 1)
})

test('a principal is created, gets another secret, and is revoked', async () => {
  const created = await muster('principal', 'create', 'Nightly report', '--roles', 'computer.read', '-o', 'json')
  const { clientId, plaintextKey } = JSON.parse(created.out) as { clientId: string; plaintextKey: string }
  const rotated = await muster('principal', 'rotate', 'nightly report', '--keep', '1')
  const replaced = await muster('principal', 'rotate', 'nightly report', '--keep', '0', '-o', 'json')
  const { plaintextKey: latest } = JSON.parse(replaced.out) as { plaintextKey: string }
  const tokenWith = (clientSecret: string) =>
    requestAccessToken(address, { clientId, clientSecret }).then(
      () => 'accepted',
      ({ code }: { code: string }) => code,
    )
  const secrets = [await tokenWith(plaintextKey), await tokenWith(latest)]
  const revoked = await muster('principal', 'revoke', clientId)
  const whileRevoked = await tokenWith(latest)
  const restored = await muster('principal', 'revoke', clientId, '--undo')

  expect(secrets).toEqual(['invalid_client', 'accepted'])
  expect([whileRevoked, await tokenWith(latest)]).toEqual(['invalid_client', 'accepted'])
  expect(restored.out).toBe('Nightly report is restored.\n')
  expect(rotated.out).toMatch(new RegExp(`^Client ID {2}${clientId}\nSecret {5}\\S+\n$`))
  expect(rotated.out).not.toContain(plaintextKey)
  expect(revoked.out).toBe('Nightly report is revoked.\n')
})

test('a principal has the roles that were named when it was created or asked for, and those granted and revoked later', async () => {
  const rolesOf = async (name: string) =>
    (
      JSON.parse((await muster('principal', 'list', '-o', 'json')).out) as { description: string; roles: string[] }[]
    ).find(({ description }) => description === name)?.roles
  const answering = (answer: string) => ({ ask: async () => answer })
  await given.identityPrincipal({ displayName: 'Ada Lovelace', roles: ['group.read'] })

  const unasked = await muster('principal', 'create', 'Dashboard')
  const emptied = await musterOn(answering(' '), 'principal', 'create', 'Dashboard')
  const misspelt = await muster('principal', 'create', 'Dashboard', '--roles', 'computer.reed')
  const before = await rolesOf('Dashboard')
  const asked = await musterOn(answering('computer.read Group.Read'), 'principal', 'create', 'Dashboard')
  const planned = await muster('principal', 'roles', 'grant', 'Dashboard', 'package.read', '--dry-run')
  const granted = await muster('principal', 'roles', 'grant', 'Dashboard', 'package.read', 'group.read')
  const revoked = await muster('principal', 'roles', 'revoke', 'dashboard', 'group.read', 'computer.read')
  const ofPerson = await muster('principal', 'roles', 'grant', 'Ada Lovelace', 'computer.read')
  const people = await muster('principal', 'list', '--identity-providers', '-o', 'csv')

  expect([unasked.code, emptied.code, misspelt.code]).toEqual([2, 2, 2])
  expect(unasked.err).toMatch(/^Name the roles with --roles/)
  expect(misspelt.err).toBe('No role is named "computer.reed". Similar names: computer.read\n')
  expect(before).toBeUndefined()
  expect(asked.err).toContain('  computer.read  ')
  expect(planned.out).toBe('Dashboard would have the roles computer.read, group.read, package.read.\n')
  expect(granted.out).toBe('Dashboard has the roles computer.read, group.read, package.read.\n')
  expect(revoked.out).toBe('Dashboard has the roles package.read.\n')
  expect(await rolesOf('Dashboard')).toEqual(['package.read'])
  expect(ofPerson.out).toBe('Ada Lovelace has the roles computer.read, group.read.\n')
  expect(people.out).toMatch(/,Ada Lovelace,computer\.read group\.read,/)
})

test('an agent in quarantine is confirmed or rejected by its name, and a computer is enrolled again with a code', async () => {
  /** An agent that knows name and domain of a computer enrols, and can do so again with a code. */
  const claim = async (name: string) => {
    const { domain } = await given.computer({ name })
    const { computer } = enrolment()
    const enrolWith = async (token: string) =>
      (
        await withToken(undefined).call(enrolAgent, {
          body: { ...enrolment(), token, computer: { ...computer, name, domain } },
        })
      ).status
    await enrolWith((await enrolmentToken()).token)
    return enrolWith
  }
  const enrolFirst = await claim('till-7')
  const enrolSecond = await claim('till-8')

  const listed = await muster('agents', 'quarantine', '-o', 'csv')
  const planned = await muster('agents', 'confirm', 'till-7', '--dry-run')
  const confirmed = await muster('agents', 'confirm', 'TILL-7')
  const rejected = await muster('agents', 'reject', 'till-8')
  const left = await muster('agents', 'quarantine', '-o', 'json')
  const revoked = await muster('agents', 'revoke', 'till-7')
  const code = await muster('agents', 're-enrol', 'till-7', '--hours', '2')
  const enrolled = await enrolFirst(code.out.trim())
  const { out: withdrawable } = await muster('agents', 're-enrol', 'till-8')
  const withdrawn = await muster('agents', 're-enrol', 'till-8', '--withdraw')
  const refused = await enrolSecond(withdrawable.trim())
  const forever = await muster('agents', 're-enrol', 'till-8', '--hours', 'x')

  expect(listed.out).toMatch(/^id,reported name,computer,.*\r\n#\d+,till-7\.\S+,till-7,Name,no,/)
  expect(planned.out).toMatch(/^till-7\.\S+ would be the agent of till-7\.\n$/)
  expect(confirmed.out).toMatch(/^till-7\.\S+ is the agent of till-7\.\n$/)
  expect(rejected.out).toMatch(/^till-8\.\S+ is rejected\.\n$/)
  expect(JSON.parse(left.out)).toEqual([])
  expect(revoked.out).toMatch(/^The credential of the agent of till-7\.\S+ is revoked\.\n$/)
  expect(code.err).toMatch(/^Valid until [\d :-]+\.\n$/)
  expect(withdrawn.out).toMatch(/^The code of till-8\.\S+ is withdrawn\.\n$/)
  expect([enrolled, refused]).toEqual([200, 401])
  expect(forever).toMatchObject({ code: 2, err: '"x" is not a number of hours.\n' })
})

test('a webhook is created, tested, changed, followed and deleted by its name', async () => {
  const create = ['webhooks', 'create', 'To the chat', receiver.url, '--types', 'muster.rollout.*']

  const planned = await muster(...create, '--dry-run', '-o', 'json')
  const created = await muster(...create, '-o', 'json')
  const accepted = await muster('webhooks', 'test', 'to the chat')
  receiver.status = 503
  const refused = await muster('webhooks', 'test', 'To the chat')
  const paused = await muster('webhooks', 'update', 'To the chat', '--pause', '--dry-run')
  const changed = await muster('webhooks', 'update', 'To the chat', '--all-types', '--pause', '--name', 'Chat')
  const wrong = await muster('webhooks', 'update', 'Chat')
  const rotated = await muster('webhooks', 'rotate', 'Chat')
  const { position } = JSON.parse((await muster('webhooks', 'show', 'Chat', '-o', 'json')).out) as { position: string }
  const replayed = await muster('webhooks', 'replay', 'Chat', position, '--dry-run')
  const deliveries = await muster('webhooks', 'deliveries', 'Chat', '-o', 'json')
  const listed = await muster('webhooks', 'list', '-o', 'csv')
  const deleted = await muster('webhooks', 'delete', 'Chat')
  const absent = await muster('webhooks', 'show', 'Chat')

  expect(JSON.parse(planned.out)).toMatchObject({ name: 'To the chat' })
  expect(JSON.parse(created.out)).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
    types: ['muster.rollout.*'],
  })
  expect(accepted.out).toMatch(/^To the chat answered with 204 after \d+ ms\.\n$/)
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('To the chat did not accept the test event: '),
  })
  expect(paused.out).toBe('To the chat would be paused.\n')
  expect(changed.out).toBe('To the chat is changed.\n')
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('Name what is to be changed') })
  expect(rotated.out).toMatch(/^whsec_\S+\n$/)
  expect(rotated.out).not.toContain((JSON.parse(created.out) as { secret: string }).secret)
  expect(replayed.out).toBe(`Chat would deliver the events after ${position} again.\n`)
  expect(JSON.parse(deliveries.out)).toEqual([])
  expect(listed.out).toMatch(/^name,address,.*\r\nChat,http:\/\/127\.0\.0\.1:\d+\/,all,yes,0,/)
  expect(deleted.out).toBe('Chat is deleted.\n')
  expect(absent).toMatchObject({ code: 2, err: 'No webhook is named "Chat".\n' })
})

test('on a terminal, a new enrolment token comes with the commands that use it; elsewhere the token stands alone', async () => {
  const shown = await musterOn({ showsProgress: true }, 'enrol-token', 'create')
  const piped = await muster('enrol-token', 'create')

  const token = shown.out.trim()
  expect(token).toMatch(/^enrol-/)
  expect(shown.err).toMatch(new RegExp(`On Linux.*\\n\\n.*${token}.* enrol --server ${address}`))
  expect(shown.err).toMatch(/On Windows, in an elevated prompt.*:\n\n.*msiexec/)
  // The log of a pipeline must not contain the token.
  expect(piped.err).toMatch(/^Valid until [\d :-]+\.\n$/)
})

test('a line that follows the bar of an apply begins below it', async () => {
  const folder = join(settings, 'state')
  await muster('catalog', 'export', folder)
  await writeFile(join(folder, 'more.yaml'), 'tags:\n  - name: Below the bar\n')
  let screen = ''
  const write = (part: string | Uint8Array) => {
    screen += String(part)
  }

  await musterOn({ showsProgress: true, write, note: write }, 'catalog', 'apply', folder)

  expect(screen).toMatch(/█ {2}1\/1 \(100 %\) {2}changes made\nApplied: 1 change\.\n$/)
})
