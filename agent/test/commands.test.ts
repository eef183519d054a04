import { expect, test } from 'vitest'
import { testCommands } from './shared/commands.ts'
import { linuxKind } from './shared/linux-kind.ts'
import { openWorld } from './world.ts'

testCommands(linuxKind)

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

test('uninstalling a package without an uninstall command is reported as failed', async () => {
  const { server, runOnce } = await openWorld()
  const workId = server.give({ kind: 'Uninstall', commands: { install: { shell: 'true' } } })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({
    status: 'Failed',
    errorText: 'The package has no uninstall command.',
  })
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

test('an unknown kind of work is reported as failed', async () => {
  const { server, runOnce } = await openWorld()
  const workId = server.give({ kind: 'Teleport' as 'Install' })

  await runOnce()

  expect(server.resultOf(workId)?.errorText).toContain('does not support work of the kind Teleport')
})
