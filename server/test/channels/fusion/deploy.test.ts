import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { getUemAgent } from '../../../src/features/agents/api/get-uem-agent.ts'
import { listSetupErrorLog } from '../../../src/features/deployments/api/history/list-setup-error-log.ts'
import { listSoftwareDeployments } from '../../../src/features/deployments/api/history/list-software-deployments.ts'
import { createComputerCollectionEntry } from '../../../src/features/variables/api/computers/create-computer-collection-entry.ts'
import { deviceIdOf, fromComputer, openFusionWorld, samples } from './fusion-world.ts'
import { workingAgent } from './working-agent.ts'

const world = await openFusionWorld()
const { as, given, post, readyPackage, state, work, computerOf } = world

/** An agent that has sent its inventory. */
const openAgent = (name: string) => workingAgent(world, name)

const manifest = (commands: object, more: object = {}) => JSON.stringify({ commands, ...more })
const install = { argv: ['sh', 'install.sh', "it's"], timeLimitMinutes: 5 }

test('due work becomes a job with everything that agents need', async () => {
  const agent = await openAgent('job')
  const queues = await given.variable({ kind: 'Collection', designation: 'Queues' })
  await given.variable({ parent: queues, designation: 'Host' })
  const [params, values] = [{ id: agent.id, varId: queues.id }, { Host: 'print01' }]
  await as('computer.write').call(createComputerCollectionEntry, { params, body: { values } })
  const wanted = await readyPackage({
    files: { 'install.sh': 'echo hello\n', 'data/a.txt': 'same', 'data/b.txt': 'same' },
    manifest: manifest({ install, detect: { shell: 'test -e /opt/x' } }),
  })
  await work(agent, wanted)

  const { jobs, associatedFiles } = await agent.jobs()

  const [job] = jobs
  expect(job).toEqual({
    uuid: expect.stringMatching(/^[\da-f-]{36}$/),
    name: expect.stringContaining(`Install ${wanted.name}`),
    checks: [],
    associatedFiles: Object.keys(associatedFiles),
    actions: [
      { mkdir: { name: 'folders', list: ['data'], logLineLimit: 0 } },
      { copy: { name: 'place', from: expect.stringMatching(/^muster-/), to: 'data/a.txt', logLineLimit: 0 } },
      { move: { name: 'place', from: expect.stringMatching(/^muster-/), to: 'data/b.txt', logLineLimit: 0 } },
      { move: { name: 'place', from: expect.stringMatching(/^muster-/), to: 'install.sh', logLineLimit: 0 } },
      { cmd: expect.objectContaining({ name: 'install', retChecks: [{ type: 'okCode', values: ['0'] }] }) },
      { cmd: expect.not.objectContaining({ retChecks: expect.anything() }) },
    ],
  })
  expect(job?.actions[4]?.cmd?.exec).toContain("limit 300 sh install.sh 'it'\\''s'")
  expect(job?.actions[4]?.cmd?.envs).toMatchObject({ MUSTER_PACKAGE_NAME: wanted.name, MUSTER_WORK_KIND: 'Install' })
  expect(job?.actions[4]?.cmd?.envs).toMatchObject({
    MUSTER_VAR_QUEUES_1_HOST: 'print01',
    MUSTER_VAR_QUEUES_COUNT: '1',
  })
  expect(Object.values(associatedFiles)).toHaveLength(2)
  for (const file of Object.values(associatedFiles))
    expect(file).toEqual({
      name: expect.stringMatching(/^muster-[\da-f]{32}$/),
      mirrors: [expect.stringMatching(/^http:\/\/.+\/agent\/fusion\/files\/\d+\.1?\d\.\d{10}\.[\w-]{43}\/$/)],
      multiparts: [expect.stringMatching(/^[\da-f]{128}$/)],
      p2p: 0,
      'p2p-retention-duration': 0,
      uncompress: 0,
    })
})

describe('file parts', () => {
  test('file parts are packed, have the hash of their bytes as name, and form the file again', async () => {
    const agent = await openAgent('parts')
    // It begins like a gzip file: agents would unpack such a part by mistake if parts were not packed.
    const content = `\u001f\u008b${'x'.repeat(2_500_000)}`
    await work(agent, await readyPackage({ files: { 'pkg.tar.gz': content, empty: '' } }))

    const { associatedFiles } = await agent.jobs()

    const contents = await Promise.all(
      Object.entries(associatedFiles).map(
        async ([
          sha512,
          {
            multiparts,
            mirrors: [mirror = ''],
          },
        ]) => {
          const parts = await Promise.all(multiparts.map((part) => agent.part(mirror, part)))
          expect(parts.map(({ rawPayload }) => sha512Of(rawPayload))).toEqual(multiparts)
          const whole = Buffer.concat(parts.map(({ rawPayload }) => gunzipSync(rawPayload)))
          expect(sha512Of(whole)).toBe(sha512)
          return whole.toString()
        },
      ),
    )
    expect(contents.toSorted()).toEqual(['', content])
    expect(
      Object.values(associatedFiles)
        .map(({ multiparts }) => multiparts.length)
        .toSorted(),
    ).toEqual([1, 3])
  })

  test('file parts are only for the agent that has work with their package', async () => {
    const [owner, other] = [await openAgent('owner'), await openAgent('other')]
    await work(owner, await readyPackage({ files: { 'secret.txt': 'for the owner' } }))
    await work(other, await readyPackage({ files: { 'other.txt': 'for the other' } }))
    const [file] = Object.values((await owner.jobs()).associatedFiles)
    const [foreign] = Object.values((await other.jobs()).associatedFiles)
    const part = file?.multiparts[0] ?? ''

    const own = await owner.part(file?.mirrors[0] ?? '', part)
    const stolen = await other.part(foreign?.mirrors[0] ?? '', part)
    const forged = await other.part((file?.mirrors[0] ?? '').replace(/.{5}\/$/, 'AAAAA/'), part)

    expect([own.statusCode, stolen.statusCode, forged.statusCode]).toEqual([200, 404, 401])
  })
})

test('a successful job appears in the history and marks the software as installed', async () => {
  const agent = await openAgent('success')
  const wanted = await readyPackage({ manifest: manifest({ install }) })
  const workId = await work(agent, wanted)

  const job = await agent.firstJob()
  await agent.begins(job)
  await agent.runs(job, 0, 'install', ['one', 'two'], 0)
  await agent.succeeds(job)

  expect(await state.work(workId)).toMatchObject({ state: 'Success' })
  expect(await state.deployment(agent, wanted)).toMatchObject({ result: 'Success', installation_state: 'Installed' })
  expect((await state.events(agent)).map(({ result }) => result)).toEqual(['Running', 'Success'])
  const { body } = await as('computer.read').call(getUemAgent, { params: agent })
  expect(body).toMatchObject({ inventory: { agentKind: 'FusionInventory' }, dailyStatus: { succeededWork24h: 1 } })
})

test('a failed job is retried, and its output is kept', async () => {
  const agent = await openAgent('failure')
  const wanted = await readyPackage({ manifest: manifest({ install }) })
  const workId = await work(agent, wanted)

  const job = await agent.firstJob()
  await agent.begins(job)
  await agent.runs(job, 0, 'install', ['no space left'], 3)
  await agent.fails(job, 0, 'install, processing failure')

  expect(await state.work(workId)).toMatchObject({ state: 'Due', failures: 1 })
  expect(await state.deployment(agent, wanted)).toMatchObject({
    result: 'Failed',
    error_text: 'The command ended with the code 3.',
  })
  const { body } = await as('computer.read').call(listSetupErrorLog, { params: agent })
  expect(body.items[0]).toMatchObject({ exitCode: 3, output: expect.stringContaining('no space left') })
})

test('the output of a command may be in any script', async () => {
  const agent = await openAgent('output')
  const workId = await work(agent, await readyPackage({ manifest: manifest({ install }) }))

  const job = await agent.firstJob()
  // Agents send every byte of the output as a character.
  const asBytes = (text: string) => Buffer.from(text).toString('latin1')
  await agent.runs(job, 0, 'install', [asBytes('Zürich 日本'), 'größe', 'plain'], 3)
  await agent.fails(job, 0, 'install, processing failure')

  expect(await state.work(workId)).toMatchObject({ failures: 1 })
  const { body } = await as('computer.read').call(listSetupErrorLog, { params: agent })
  expect(body.items[0]?.output).toContain('\nZürich 日本\ngröße\nplain\n')
})

/** Decodes a job and runs its commands, as agents do; the option is whether the decoder expects UTF-8. */
const perlAgent = `
  use JSON::PP; use File::Path;
  my $answer = JSON::PP->new->utf8(shift)->decode(do { local $/; <STDIN> });
  for my $action (@{$answer->{jobs}[0]{actions}}) {
    mkpath($action->{mkdir}{list}) if $action->{mkdir};
    next unless $action->{cmd};
    $ENV{$_} = $action->{cmd}{envs}{$_} for keys %{$action->{cmd}{envs}};
    print \`$action->{cmd}{exec} 2>&1\`;
  }`
const hasPerl = spawnSync('perl', ['-MJSON::PP', '-e', '1']).status === 0

test.runIf(hasPerl).each([
  ['FusionInventory', '0'],
  ['GLPI', '1'],
])('a %s agent runs commands with names and variables in any script', async (kind, expectsUtf8) => {
  const agent = await openAgent(`script-${kind}`.toLowerCase())
  const shell = 'ls ; echo größe "$MUSTER_PACKAGE_NAME"'
  const wanted = await readyPackage({
    name: `Zürich größe ${kind}`,
    files: { '日本/größe': 'x' },
    manifest: manifest({ install: { shell } }),
  })
  await work(agent, wanted)
  const cwd = await mkdtemp(join(tmpdir(), 'muster-test-'))
  onTestFinished(() => rm(cwd, { recursive: true }))

  const { stdout, stderr } = spawnSync('perl', ['-e', perlAgent, expectsUtf8], { cwd, input: await agent.rawJobs() })

  expect(stdout.toString(), stderr.toString()).toBe(`日本\ngröße Zürich größe ${kind}\n`)
})

test.each([
  [194, 3010, true],
  [124, 124, false],
])('the exit code %i under Linux is interpreted by the manifest', async (observed, manifestCode, isSuccess) => {
  const agent = await openAgent(`code-${observed}`)
  const command = { ...install, successCodes: [0], rebootCodes: [3010] }
  const wanted = await readyPackage({ manifest: manifest({ install: command }) })
  await work(agent, wanted)

  const job = await agent.firstJob()
  await agent.runs(job, 0, 'install', [], observed)
  await (isSuccess ? agent.succeeds(job) : agent.fails(job, 0, 'install, processing failure'))

  expect(job.actions[0]?.cmd?.retChecks?.[0]?.values).toEqual(['0', '194'])
  if (isSuccess) expect(await state.agent(agent)).toMatchObject({ is_reboot_required: true })
  else
    expect(await state.deployment(agent, wanted)).toMatchObject({
      error_text: 'The command was stopped after 5 minutes.',
    })
  expect(manifestCode).toBeGreaterThan(0)
})

test('software that the detect command does not find counts as not installed', async () => {
  const agent = await openAgent('detect')
  const wanted = await readyPackage({ manifest: manifest({ install, detect: { shell: 'test -e /opt/x' } }) })
  await work(agent, wanted)

  const job = await agent.firstJob()
  await agent.runs(job, 0, 'install', [], 0)
  await agent.runs(job, 1, 'detect', [], 1)
  await agent.succeeds(job)

  expect(await state.deployment(agent, wanted)).toMatchObject({
    result: 'Failed',
    installation_state: 'NotInstalled',
    error_text: 'The command ended with success, but the detect command does not find the software.',
  })
})

test('a job is handed out again only while its agent has reported nothing about it', async () => {
  const agent = await openAgent('once')
  await work(agent, await readyPackage())

  const first = await agent.firstJob()
  const again = await agent.firstJob()
  await agent.begins(again)
  const none = await agent.jobs()
  await agent.succeeds(first)

  expect(again.uuid).not.toBe(first.uuid)
  expect(none).toEqual({})
})

test.each([
  ['a scan for patches', { kind: 'PatchScan' as const }, 'The agent of this computer does not support patches'],
  [
    'secret values',
    { manifest: manifest({ install }, { secrets: ['Licence.Key'] }) },
    'The package needs the values of secret variables',
  ],
  ['no command', { manifest: manifest({}) }, 'The package has no command to install it.'],
])('work that the agent cannot do fails with a reason: %s', async (what, columns, reason) => {
  const agent = await openAgent(`refused-${what.replaceAll(' ', '-')}`)
  const wanted = await readyPackage(columns)
  const group = await given.group()
  await given.member(group, agent)
  await given.assignment(group, wanted, 'package')
  const workId = await work(agent, wanted)

  const jobs = await agent.jobs()

  expect(jobs).toEqual({})
  expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
  const shown = await as('computer.read').call(listSoftwareDeployments, { params: agent })
  expect(shown.body).toMatchObject([{ status: 'Failed', errorText: expect.stringContaining(reason) }])
})

test('a restart fails, and its task gives the reason', async () => {
  const agent = await openAgent('power')
  const workId = await work(agent, { id: null }, { kind: 'Power', power_action: 'Reboot' })

  await agent.jobs()

  expect(await state.work(workId)).toMatchObject({ state: 'Failed' })
  const { task_id } = await state.work(workId)
  const task = await as('computer.read').send({ url: `/api/tasks/${task_id}` })
  expect(JSON.stringify(task.raw)).toContain('cannot restart it')
})

test('after a job the agent is asked for its inventory, because the job has changed the computer', async () => {
  const agent = await openAgent('after-work')
  await work(agent, await readyPackage({ manifest: manifest({ install }) }))
  const contact = () => post(fromComputer(samples.prolog, 'after-work'), agent)
  const before = await contact()

  await agent.succeeds(await agent.firstJob())
  const after = await contact()

  expect(before.text).toContain('<RESPONSE>OTHER')
  expect(after.text).toContain('<RESPONSE>SEND')
  expect(await computerOf(deviceIdOf('after-work'))).toEqual({ id: agent.id })
})

const sha512Of = (bytes: Buffer) => createHash('sha512').update(bytes).digest('hex')
