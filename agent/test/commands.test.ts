import { expect, onTestFinished, test } from 'vitest'
import { openWorld } from './world.ts'

test('an install command finds its files in the package folder and gets variables and the package name', async () => {
  const { server, runOnce, left, journal } = await openWorld()
  const workId = server.give({
    commands: { install: { argv: ['sh', 'scripts/install.sh', "two  words 'quoted'"] } },
    files: {
      'scripts/install.sh':
        'cat data.txt > "$ROOT/installed"; echo "$MUSTER_VAR_PRINTING_SERVER_1|$MUSTER_PACKAGE_NAME|$MUSTER_PACKAGE_VERSION|$MUSTER_WORK_KIND|$1" >> "$ROOT/installed"; test "$PWD" = "$MUSTER_PACKAGE_FOLDER" && echo done',
      'data.txt': 'content\n',
    },
    variables: { 'Printing.server-1': 'print01' },
  })

  const ended = await runOnce()

  expect(ended.code).toBe(0)
  expect(server.resultOf(workId)).toMatchObject({
    attempt: 1,
    status: 'Success',
    installationState: 'Installed',
    exitCode: 0,
    output: 'done\n',
    errorText: null,
    commandLine: `sh scripts/install.sh 'two  words '\\''quoted'\\'''`,
    rebootRequired: false,
  })
  expect(left('installed')).toBe(`content\nprint01|greeting|1.2.0|Install|two  words 'quoted'\n`)
  expect(await journal()).toEqual([])
})

test('commands find the entries of collections in a file that only the account of the agent can read', async () => {
  const { server, runOnce, left } = await openWorld()
  const collections = { 'Printing.Queues': [{ Name: 'floor-2', Colour: 'no' }, { Name: 'fl"oor\n3' }] }
  const show = 'cat "$MUSTER_COLLECTIONS"; stat -c %a "$MUSTER_COLLECTIONS"'
  server.give({
    commands: { install: { shell: `(${show}) > "$ROOT/install"` }, detect: { shell: `(${show}) > "$ROOT/detect"` } },
    files: { 'muster-collections.json': 'of the package' },
    collections,
  })
  const next = server.give({ commands: { install: { shell: 'cat "$MUSTER_COLLECTIONS"' } } })

  await runOnce()

  expect(left('install')).toBe(`${JSON.stringify(collections)}\n600\n`)
  expect(left('detect')).toBe(left('install'))
  expect(server.resultOf(next)).toMatchObject({ output: '{}\n' })
})

test('work is done in the order of the answer, and then the agent contacts the server again', async () => {
  const { server, runOnce, left } = await openWorld()
  for (const name of ['one', 'two', 'three'])
    server.give({ commands: { install: { shell: `echo ${name} >> "$ROOT/order"` } } })

  await runOnce()

  expect(left('order')).toBe('one\ntwo\nthree\n')
  expect(server.contacts).toHaveLength(2)
})

test('each kind of work runs its own command, and an update without one installs', async () => {
  const { server, runOnce, left } = await openWorld()
  const say = (word: string) => ({ shell: `echo ${word} $MUSTER_WORK_KIND >> "$ROOT/commands"` })
  const all = { install: say('install'), update: say('update'), uninstall: say('uninstall') }
  server.give({ kind: 'Update', commands: all })
  server.give({ kind: 'Update', commands: { install: say('install') } })
  const uninstalled = server.give({ kind: 'Uninstall', commands: all })

  await runOnce()

  expect(left('commands')).toBe('update Update\ninstall Update\nuninstall Uninstall\n')
  expect(server.resultOf(uninstalled)).toMatchObject({ status: 'Success', installationState: 'Uninstalled' })
})

test('a reinstallation uninstalls what is present before it installs', async () => {
  const { server, runOnce, left } = await openWorld()
  const commands = {
    install: { shell: 'echo install >> "$ROOT/commands"; touch "$ROOT/there"' },
    uninstall: { shell: 'echo uninstall >> "$ROOT/commands"; rm "$ROOT/there"' },
    detect: { shell: 'test -e "$ROOT/there"' },
  }
  const absent = server.give({ kind: 'Reinstall', commands })
  const present = server.give({ kind: 'Reinstall', commands })

  await runOnce()

  expect(left('commands')).toBe('install\nuninstall\ninstall\n')
  for (const workId of [absent, present])
    expect(server.resultOf(workId)).toMatchObject({ status: 'Success', installationState: 'Installed' })
})

test('uninstalling a package without an uninstall command is reported as failed', async () => {
  const { server, runOnce } = await openWorld()
  const workId = server.give({ kind: 'Uninstall', commands: { install: { shell: 'true' } } })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({
    status: 'Failed',
    errorText: 'The package has no uninstall command.',
  })
})

test('a command that fails is reported with its code and its output', async () => {
  const { server, runOnce } = await openWorld()
  const workId = server.give({ commands: { install: { shell: 'echo out; echo problem >&2; exit 3' } } })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({
    status: 'Failed',
    installationState: null,
    exitCode: 3,
    output: 'out\nproblem\n',
    errorText: 'The command exited with code 3.',
  })
})

test('a program that does not exist fails the work, and the next work is done', async () => {
  const { server, runOnce } = await openWorld()
  const broken = server.give({ commands: { install: { argv: ['no-such-program-here'] } } })
  const next = server.give()

  await runOnce()

  expect(server.resultOf(broken)).toMatchObject({ status: 'Failed', exitCode: 127 })
  expect(server.resultOf(next)).toMatchObject({ status: 'Success' })
})

test('the codes of the command decide what is success', async () => {
  const { server, runOnce } = await openWorld()
  const workId = server.give({ commands: { install: { shell: 'exit 7', successCodes: [0, 7] } } })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success', exitCode: 7 })
})

test('the detect command decides what is installed', async () => {
  const { server, runOnce } = await openWorld()
  const lying = server.give({ commands: { install: { shell: 'true' }, detect: { shell: 'false' } } })
  const failing = server.give({ commands: { install: { shell: 'exit 1' }, detect: { shell: 'true' } } })
  const staying = server.give({
    kind: 'Uninstall',
    commands: { install: { shell: 'true' }, uninstall: { shell: 'true' }, detect: { shell: 'true' } },
  })

  await runOnce()

  expect(server.resultOf(lying)).toMatchObject({ status: 'Failed', installationState: 'NotInstalled' })
  expect(server.resultOf(lying)?.errorText).toContain('does not find the software')
  expect(server.resultOf(failing)).toMatchObject({ status: 'Failed', installationState: 'Installed' })
  expect(server.resultOf(staying)).toMatchObject({ status: 'Failed', installationState: 'Installed' })
})

test('a reboot code counts as success, and the next contact reports which package needs the restart', async () => {
  const { server, runOnce } = await openWorld()
  const install = { shell: 'exit 100', rebootCodes: [100] }
  const workId = server.give({ commands: { install, detect: { shell: 'false' } } })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({
    status: 'Success',
    installationState: 'Installed',
    rebootRequired: true,
  })
  expect(server.contacts.at(-1)).toMatchObject({ rebootRequired: true, rebootRequiredSource: 'greeting 1.2.0' })
})

test('a package for another operating system is not even downloaded', async () => {
  const { server, runOnce, left } = await openWorld()
  const workId = server.give({
    package: { operatingSystems: ['Windows 11'] },
    commands: { install: { shell: 'touch "$ROOT/ran"' } },
    files: { a: 'a' },
  })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Failed' })
  expect(server.resultOf(workId)?.errorText).toContain('The package is for Windows 11')
  expect(left('ran')).toBeUndefined()
  expect(server.calls.some(({ path }) => path.includes('/files/'))).toBe(false)
})

test('after the time limit the command and everything it started are stopped', async () => {
  const { server, runOnce, times } = await openWorld()
  const shell = '(trap "" TERM; while true; do echo x >> "$ROOT/alive"; sleep 0.05; done) & sleep 60'
  const workId = server.give({ commands: { install: { shell, timeLimitMinutes: 0.005 } } })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Failed' })
  expect(server.resultOf(workId)?.errorText).toContain('time limit')
  const lines = times('alive')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(times('alive')).toBe(lines)
})

test('the lease is renewed while a command runs', async () => {
  const { server, runOnce } = await openWorld()
  server.give({ commands: { install: { shell: 'sleep 1.3' } } })

  await runOnce()

  expect(server.progress.length).toBeGreaterThan(1)
})

test('the last 64 KiB of a long output are reported', async () => {
  const { server, runOnce } = await openWorld()
  const workId = server.give({
    commands: { install: { shell: 'head -c 3000000 /dev/zero | tr "\\0" x; echo the end' } },
  })

  await runOnce()

  const output = server.resultOf(workId)?.output ?? ''
  expect(output).toHaveLength(65_536)
  expect(output.endsWith('xthe end\n')).toBe(true)
})

test('a service that a command leaves running does not delay the work', async () => {
  const { left, server, runOnce } = await openWorld()
  const workId = server.give({ commands: { install: { shell: 'sleep 5 & echo $! > "$ROOT/pid"; echo started' } } })
  onTestFinished(() => void process.kill(Number(left('pid'))))
  const before = Date.now()

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success', output: 'started\n' })
  expect(Date.now() - before).toBeLessThan(4_500)
})

test('work that is cancelled before its command started leaves no trace', async () => {
  const { server, runOnce, left } = await openWorld()
  const workId = server.give({ commands: { install: { shell: 'touch "$ROOT/ran"' } } })
  server.interfere = ({ path }) => {
    if (path.endsWith('/progress')) server.cancel(workId)
    return false
  }

  const ended = await runOnce()

  expect(ended.code).toBe(0)
  expect(left('ran')).toBeUndefined()
  expect(server.results).toEqual([])
})

test('an unknown kind of work is reported as failed', async () => {
  const { server, runOnce } = await openWorld()
  const workId = server.give({ kind: 'Teleport' as 'Install' })

  await runOnce()

  expect(server.resultOf(workId)?.errorText).toContain('does not support work of the kind Teleport')
})
