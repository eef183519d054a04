import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import { type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { enrolAgent } from './agents.ts'
import { waitFor } from './deployments.ts'

type Trial = {
  trialId: string
  state: string
  errorText: string | null
  steps: {
    step: string
    exitCode: number | null
    output: string
    detectedBefore: boolean | null
    detectedAfter: boolean | null
    errorText: string | null
    startedUtc: string
    finishedUtc: string
  }[]
  leftovers: { kind: string; name: string }[]
  leftoversComplete: boolean
}

const installed = 'test -f "$MUSTER_EXAMPLE_ROOT/tool/version"'
const install =
  'echo putting the tool in its place; mkdir -p "$MUSTER_EXAMPLE_ROOT/tool"; echo 1 > "$MUSTER_EXAMPLE_ROOT/tool/version"'
const uninstall = 'rm -r "$MUSTER_EXAMPLE_ROOT/tool"'

/** Imports and releases a package with these commands. */
async function importTool(muster: Muster, name: string, commands: Record<string, string>): Promise<string> {
  const toCommand = ([step, shell]: [string, string]) => [step, { shell, timeLimitMinutes: 1 }]
  const manifest = {
    ...{ name, version: '1', operatingSystems: ['Linux'], kind: 'software' },
    commands: Object.fromEntries(Object.entries({ install, uninstall, detect: installed, ...commands }).map(toCommand)),
  }
  await muster.write(`${name}/muster-package.json`, JSON.stringify(manifest))
  return muster.importFolder(name)
}

// Leftovers are looked for where software is installed, which only root may change.
test.skipIf(process.getuid?.() !== 0)(
  'a real agent tries packages, and shows what they do, what they leave behind and what they claim wrongly',
  async () => {
    const root = await mkdtemp('/opt/muster-trial-')
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    // The example removes the folder when it is empty.
    await writeFile(join(root, 'other'), '')
    const muster = await startMuster()
    const greeting = await muster.importExample('greeting')
    const token = await muster.enrolmentToken(await muster.group('Test computers'))
    const env = { MUSTER_EXAMPLE_ROOT: root }
    const agent = await enrolAgent({ server: muster.service.address, token, name: 'alpha', env })
    agent.run()
    const read = (id: string) => muster.get<Trial>(`/api/package-trials/${id}`)
    const start = async (packageId: string) =>
      (await muster.post(`/api/packages/${packageId}/trials`, { computerId: agent.clientId })).trialId as string
    const tryIt = async (packageId: string) => {
      const trialId = await start(packageId)
      await until(async () => ((await read(trialId)).state === 'Waiting' ? undefined : true), 20_000)
      return waitFor(
        async () => {
          const trial = await read(trialId)
          return { ...trial, hasEnded: !['Waiting', 'Running'].includes(trial.state) }
        },
        { hasEnded: true },
      )
    }

    // The example installs, is detected, uninstalls and leaves nothing.
    const succeeded = await tryIt(greeting)
    expect(succeeded).toMatchObject({
      ...{ state: 'Succeeded', errorText: null, leftovers: [], leftoversComplete: true },
      steps: [
        { step: 'Install', exitCode: 0, detectedBefore: false, detectedAfter: true, errorText: null },
        { step: 'Uninstall', exitCode: 0, detectedBefore: true, detectedAfter: false, errorText: null },
      ],
    })
    expect(await muster.get(`/api/packages/${greeting}`)).toMatchObject({
      lastTrial: { trialId: succeeded.trialId, state: 'Succeeded', hostname: 'alpha', isCurrentContent: true },
    })
    expect(await muster.get(`/api/packages/${greeting}/status`)).toMatchObject({ total: 0 })

    // What an uninstall leaves is named, without what is in a folder that is named.
    const untidy = await tryIt(
      await importTool(muster, 'untidy', {
        install: `${install}; mkdir -p "$MUSTER_EXAMPLE_ROOT/cache/deep"; touch "$MUSTER_EXAMPLE_ROOT/settings.ini"`,
      }),
    )
    expect(untidy).toMatchObject({ state: 'Succeeded', errorText: null })
    expect(untidy.leftovers).toEqual([
      { kind: 'File', name: join(root, 'settings.ini') },
      { kind: 'Folder', name: join(root, 'cache') },
    ])

    // A command that fails is shown with its output, and nothing is uninstalled that is not installed.
    const broken = await tryIt(await importTool(muster, 'broken', { install: 'echo no space in the shed; exit 7' }))
    expect(broken).toMatchObject({
      ...{ state: 'Failed', errorText: expect.stringContaining('code 7') },
      steps: [{ step: 'Install', exitCode: 7, output: 'no space in the shed\n', detectedAfter: false }],
    })

    // A detection that does not find what is installed fails the trial, and the software is removed all the same.
    const lying = await tryIt(await importTool(muster, 'lying', { detect: 'false' }))
    expect(lying).toMatchObject({
      ...{ state: 'Failed', errorText: expect.stringContaining('the detection does not find the software') },
      steps: [
        { step: 'Install', exitCode: 0, detectedAfter: false },
        { step: 'Uninstall', exitCode: 0 },
      ],
    })
    expect(await readdir(root)).not.toContain('tool')

    // What is there already, without the service knowing, is not taken away.
    const present = await tryIt(await importTool(muster, 'present', { detect: 'true' }))
    expect(present).toMatchObject({
      ...{ state: 'Failed', errorText: expect.stringContaining('already installed'), steps: [] },
    })

    // A cancelled trial removes what it has installed.
    const slow = await importTool(muster, 'slow', { install: `${install}; sleep 3` })
    const trialId = await start(slow)
    await until(async () => (await readdir(root)).includes('tool') || undefined, 20_000)
    await muster.post(`/api/package-trials/${trialId}/cancel`)
    await until(async () => ((await read(trialId)).steps.length === 2 ? true : undefined), 20_000)
    expect(await read(trialId)).toMatchObject({
      state: 'Cancelled',
      steps: [{ exitCode: 0 }, { detectedAfter: false }],
    })
    expect(await readdir(root)).not.toContain('tool')
  },
)

test.skipIf(process.getuid?.() !== 0)(
  'a trial that a crash of the agent interrupts ends without the software',
  async () => {
    const root = await mkdtemp('/opt/muster-trial-')
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    const muster = await startMuster()
    const token = await muster.enrolmentToken(await muster.group('Test computers'))
    const agent = await enrolAgent({
      ...{ server: muster.service.address, token, name: 'alpha', env: { MUSTER_EXAMPLE_ROOT: root } },
    })
    const packageId = await importTool(muster, 'slow', { install: `${install}; sleep 2` })
    const first = agent.run()
    const { trialId } = await muster.post(`/api/packages/${packageId}/trials`, { computerId: agent.clientId })
    await until(async () => (await readdir(root)).includes('tool') || undefined, 20_000)

    await first.kill('SIGKILL')
    agent.run()

    const trial = await waitFor(() => muster.get<Trial>(`/api/package-trials/${trialId}`), { state: 'Failed' })
    expect(trial).toMatchObject({
      ...{ errorText: expect.stringContaining('interrupted'), leftoversComplete: false },
      steps: [{ step: 'Uninstall', detectedBefore: true, detectedAfter: false }],
    })
    expect(await readdir(root)).not.toContain('tool')
  },
)
