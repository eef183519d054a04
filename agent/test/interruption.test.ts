import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { linux } from '../src/platform/linux/index.ts'
import { runCommand } from '../src/work/run-command.ts'
import { testInterruptions } from './shared/interruptions.ts'
import { linuxKind } from './shared/linux-kind.ts'
import { openWorld } from './world.ts'

testInterruptions(linuxKind)

test('a command that waits at its gate never runs if what must come before it fails', async () => {
  const { root, left } = await openWorld()

  const run = runCommand(linux.processes, {
    command: { shell: 'touch "$ROOT/ran"', timeLimitMinutes: 1, successCodes: [0], rebootCodes: [] },
    folder: root,
    environment: { ...process.env, ROOT: root },
    beforeStart: async () => Promise.reject(new Error('no journal')),
  })

  await expect(run).rejects.toThrow('no journal')
  await sleep(50)
  expect(left('ran')).toBeUndefined()
})
