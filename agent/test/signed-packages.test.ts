import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type GivenWork, sha256 } from './given-work.ts'
import { generateSecretKey, leaving, manifestName, signatureName, signedWork } from './signed.ts'
import { openWorld, type World } from './world.ts'

const [key, foreignKey] = [generateSecretKey(), generateSecretKey()]

async function openPinnedWorld(): Promise<World> {
  const world = await openWorld()
  const { code, output } = await world.agent('trust-key', key.publicKey.text)
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(key.publicKey.keyId) })
  return world
}

test('an agent with a pinned key runs signed packages of the server and of a depot, with all their commands', async () => {
  const { server, runOnce, left } = await openPinnedWorld()
  const commands = {
    install: { ...leaving('installed'), timeLimitMinutes: 60 },
    uninstall: { ...leaving('removed'), timeLimitMinutes: 60 },
    detect: { shell: 'test -e "$ROOT/installed" && ! test -e "$ROOT/removed"', timeLimitMinutes: 60 },
  }
  const signed = { ...signedWork(key, 'installed', { commands }), commands, depots: [{ url: server.url }] }
  const workIds = [server.give(signed), server.give({ ...signed, kind: 'Uninstall' })]

  await runOnce()

  expect(workIds.map((id) => server.resultOf(id)?.status)).toEqual(['Success', 'Success'])
  expect([left('installed'), left('removed')]).toEqual(['done\n', 'done\n'])
  expect(server.calls.filter(({ path }) => path.startsWith('/files/')).length).toBeGreaterThan(2)
})

/** What is handed out and why it is refused. Each attack leaves its trace if a command of it runs. */
const attacks: Record<string, [reason: string, attack: (trace: string) => GivenWork]> = {
  'a package without a signature': [
    'is not signed',
    (trace) => ({ commands: { install: leaving(trace) }, files: { a: 'a' } }),
  ],
  'a package whose signature was removed': [
    'is not signed',
    (trace) => {
      const { files, commands } = signedWork(key, trace)
      return { commands, files: Object.fromEntries(Object.entries(files).filter(([name]) => name !== signatureName)) }
    },
  ],
  'commands that were changed in the database': [
    'commands that differ from those in the signed manifest',
    (trace) => ({
      ...signedWork(key, 'the signed command'),
      commands: { install: leaving(trace) },
    }),
  ],
  'a command that was added in the database': [
    'commands that differ from those in the signed manifest',
    (trace) => ({
      ...signedWork(key, trace),
      commands: { ...signedWork(key, trace).commands, detect: leaving(trace) },
    }),
  ],
  'a manifest that was changed after it was signed': [
    'signature of the package is not valid',
    (trace) => {
      const { files, commands } = signedWork(key, trace)
      return { commands, files: { ...files, [manifestName]: `${files[manifestName]} ` } }
    },
  ],
  'a file with other content': [
    'files that differ from those in the signed manifest',
    (trace) => {
      const { files, commands } = signedWork(key, trace)
      return { commands, files: { ...files, 'install.sh': 'echo other' } }
    },
  ],
  'a file that the manifest does not list': [
    'files that differ from those in the signed manifest',
    (trace) => {
      const { files, commands } = signedWork(key, trace)
      return { commands, files: { ...files, 'more.sh': 'echo more' } }
    },
  ],
  'a signature of another key': ['comes from another key', (trace) => signedWork(foreignKey, trace)],
  'a signature of another package': [
    'signature of the package is not valid',
    (trace) => ({
      ...signedWork(key, trace),
      files: { ...signedWork(key, trace).files, [signatureName]: signedWork(key, 'other').files[signatureName] },
    }),
  ],
  'another signed package under this name': [
    'belongs to the package other 1.2.0',
    (trace) => signedWork(key, trace, { name: 'other' }),
  ],
  'another signed version under this version': [
    'belongs to the package greeting 1.1.0',
    (trace) => signedWork(key, trace, { version: '1.1.0' }),
  ],
  'a signed package as one of another kind': [
    'belongs to the package',
    (trace) => signedWork(key, trace, { kind: 'inventoryScan' }),
  ],
  'commands of the server for a signed language pack': [
    'does not list the commands',
    (trace) => ({
      ...signedWork(key, trace, { kind: 'languagePack', commands: undefined }),
      package: { kind: 'LanguagePack' },
    }),
  ],
  'a signed manifest without a list of files': [
    'does not list the commands and the files',
    (trace) => signedWork(key, trace, { files: undefined }),
  ],
  'a file that the agent would replace with texts of the server': [
    'reserved for the agent',
    (trace) => signedWork(key, trace, {}, { 'muster-collections.json': '{}' }),
  ],
  'a signed path that leaves the folder of the package': [
    "is empty, '.' or '..'",
    (trace) => signedWork(key, trace, { files: [{ path: '../up', size: 1, sha256: sha256('a') }] }, { '../up': 'a' }),
  ],
}

test('an agent with a pinned key refuses everything else, runs nothing of it and reports why', async () => {
  const { server, runOnce, left } = await openPinnedWorld()
  const given = Object.entries(attacks).map(([what, [reason, attack]], index) => {
    const trace = `trace-${index}`
    return { what, reason, trace, workId: server.give(attack(trace)) }
  })
  for (const kind of ['Update', 'Uninstall', 'Reinstall'] as const) {
    const commands = { install: leaving(kind), update: leaving(kind), uninstall: leaving(kind), detect: leaving(kind) }
    const what = `${kind} of a package without a signature`
    given.push({ what, reason: 'is not signed', trace: kind, workId: server.give({ kind, commands }) })
  }

  await runOnce()

  const outcomes = given.map(({ what, trace, workId }) => {
    const { status, exitCode, errorText } = server.resultOf(workId) ?? {}
    return { what, status, exitCode, errorText, trace: left(trace) }
  })
  expect(outcomes).toEqual(
    given.map(({ what, reason }) => ({
      what,
      status: 'Failed',
      exitCode: null,
      errorText: expect.stringContaining(reason),
      trace: undefined,
    })),
  )
  expect(server.resultOf(given[0]?.workId ?? 0)?.errorText).toBe(
    `The package is not signed. This agent runs only what these keys have signed: ${key.publicKey.keyId}.`,
  )
})

test('a file that a depot or the server replaces on the way is not used', async () => {
  const { server, runOnce, left } = await openPinnedWorld()
  const workId = server.give({ ...signedWork(key, 'trace'), depots: [{ url: server.url }] })
  server.interfere = ({ path }, answer) => {
    if (!path.endsWith(sha256('echo hello'))) return false
    answer.end('echo evil!')
    return true
  }

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Failed', exitCode: null })
  expect(server.resultOf(workId)?.errorText).toContain('SHA-256 does not match')
  expect(left('trace')).toBeUndefined()
})

test('names, values and collections of the server reach a signed command as data only', async () => {
  const { server, runOnce, left } = await openPinnedWorld()
  const commands = { install: { shell: 'echo "$MUSTER_VAR_A" > "$ROOT/value"', timeLimitMinutes: 60 } }
  server.give({
    ...signedWork(key, 'unused', { commands }),
    commands,
    variables: { A: '$(touch "$ROOT/evil"); `touch "$ROOT/evil"`', LD_PRELOAD: '/evil.so' },
  })

  await runOnce()

  expect(left('value')).toBe('$(touch "$ROOT/evil"); `touch "$ROOT/evil"`\n')
  expect(left('evil')).toBeUndefined()
})

test('a signed fix gets only patches that this computer has found missing, and no files of patches', async () => {
  const { server, state, runOnce, left } = await openPinnedWorld()
  await writeFile(join(state, 'patches.json'), JSON.stringify(['openssl 3.0.16']))
  const commands = {
    install: {
      shell: 'cat "$MUSTER_PATCHES" > "$ROOT/list"; find . -name "*.deb" > "$ROOT/debs"',
      timeLimitMinutes: 60,
    },
  }
  const signed = signedWork(key, 'unused', { commands, kind: 'patchFix' })
  const deb = 'muster-patches/1-2/ab/openssl.deb'
  const patch = { patchId: 1, productId: 2, key: 'openssl 3.0.16', name: '$(evil)', product: '$(evil)', files: [deb] }
  const workId = server.give({
    ...signed,
    commands,
    package: { kind: 'PatchFix' },
    files: { ...signed.files, [deb]: 'not signed' },
    patches: [patch, { ...patch, key: '-o APT::Update::Pre-Invoke::=evil' }],
  })

  await runOnce()

  expect(server.resultOf(workId)?.status).toBe('Success')
  expect(JSON.parse(left('list') ?? '')).toMatchObject([{ key: 'openssl 3.0.16', name: 'openssl 3.0.16', files: [] }])
  expect(left('list')).not.toContain('evil')
  expect(left('debs')).toBe('')
})

test('a signed fix decides whether patches are rolled back, and gets only those that this computer has reported', async () => {
  const { server, state, runOnce, left } = await openPinnedWorld()
  await writeFile(join(state, 'patches.json'), JSON.stringify(['openssl 3.0.16']))
  const commands = { install: { shell: 'cat "$MUSTER_ROLLBACKS" > "$ROOT/list"', timeLimitMinutes: 60 } }
  const patch = { patchId: 1, productId: 2, key: 'openssl 3.0.16' }
  const workId = server.give({
    ...signedWork(key, 'unused', { commands, kind: 'patchFix' }),
    commands,
    package: { kind: 'PatchFix' },
    rollbacks: [patch, { ...patch, key: '-o APT::Update::Pre-Invoke::=evil' }],
  })

  await runOnce()

  expect(server.resultOf(workId)?.status).toBe('Success')
  expect(JSON.parse(left('list') ?? '')).toEqual([patch])
})

test('an agent with a pinned key ignores rebootCommand and other actions, and does the power action that is ordered', async () => {
  const { server, runOnce, left, installFakeTool, environment } = await openPinnedWorld()
  environment.MUSTER_AGENT_REBOOT_COMMAND = ''
  await installFakeTool('systemctl', 'echo "$@" >> "$ROOT/systemctl"')
  await installFakeTool('who', 'true')
  server.settings = { hash: 'h', values: { rebootCommand: 'touch "$ROOT/evil"' } }
  const power = { timeoutMinutes: 0, reminderMinutes: 0 }
  const unknown = server.give({ kind: 'Power', power: { ...power, action: '$(touch "$ROOT/evil")' as 'Reboot' } })
  const inherited = server.give({ kind: 'Power', power: { ...power, action: 'constructor' as 'Reboot' } })
  const reboot = server.give({ kind: 'Power', power: { ...power, action: 'Reboot' } })

  await runOnce()

  expect([unknown, inherited, reboot].map((id) => server.resultOf(id)?.status)).toEqual(['Failed', 'Failed', 'Success'])
  expect(left('systemctl')).toBe('reboot\n')
  expect(left('evil')).toBeUndefined()
})

test('the detect command of interrupted work runs only if a key has signed it that is still pinned', async () => {
  const { server, state, runOnce, left } = await openPinnedWorld()
  const workId = server.give(signedWork(key, 'unused'))
  await mkdir(join(state, 'journal'), { recursive: true })
  const entry = {
    phase: 'running',
    workId,
    attempt: 1,
    kind: 'Install',
    runs: 1,
    step: 'install',
    package: { name: 'p', version: '1', kind: 'Software', operatingSystems: [] },
    detect: { ...leaving('detected'), timeLimitMinutes: 1, successCodes: [0], rebootCodes: [] },
    variables: {},
    folder: join(state, 'packages', 'p'),
    commandLine: 'true',
    startedUtc: new Date().toISOString(),
    deadlineUtc: new Date(0).toISOString(),
    process: { pid: process.pid, startTicks: '1', bootId: 'another' },
  }
  await writeFile(join(state, 'journal', `${workId}.json`), JSON.stringify(entry))

  await runOnce()

  expect(server.results[0]).toMatchObject({ status: 'Failed', errorText: expect.stringContaining('interrupted') })
  expect(left('detected')).toBeUndefined()
})
