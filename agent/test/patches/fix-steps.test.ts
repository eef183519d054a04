import { describe, expect, test } from 'vitest'
import type { GivenWork } from '../given-work.ts'
import { openWorld } from '../world.ts'

const mark = (name: string, end = 'true') => ({ shell: `echo ${name} >> "$ROOT/steps"; echo of ${name}; ${end}` })

async function runFix(commands: GivenWork['declared'] & object) {
  const { server, runOnce, left } = await openWorld()
  const workId = server.give({ package: { kind: 'PatchFix' }, declared: commands })
  await runOnce()
  return { result: server.resultOf(workId), steps: (left('steps') ?? '').trim().split('\n') }
}

describe('the steps before and after the patches', () => {
  test('run around the installation, and its result counts', async () => {
    const { result, steps } = await runFix({
      commands: { before: mark('before'), install: mark('install'), after: mark('after') },
    })

    expect(steps).toEqual(['before', 'install', 'after'])
    expect(result).toMatchObject({ status: 'Success', output: 'of before\nof install\nof after\n', errorText: null })
  })

  test('if the step before fails, no patch is installed, and the step after runs', async () => {
    const { result, steps } = await runFix({
      commands: { before: mark('before', 'exit 7'), install: mark('install'), after: mark('after') },
    })

    expect(steps).toEqual(['before', 'after'])
    expect(result).toMatchObject({ status: 'Failed', exitCode: 7 })
    expect(result?.errorText).toContain('In the step before the patches: The command exited with code 7.')
  })

  test('the step after runs when the installation fails, and that failure is reported', async () => {
    const { result, steps } = await runFix({
      commands: { before: mark('before'), install: mark('install', 'exit 3'), after: mark('after', 'exit 9') },
    })

    expect(steps).toEqual(['before', 'install', 'after'])
    expect(result).toMatchObject({ status: 'Failed', exitCode: 3 })
    expect(result?.errorText).toContain('The command exited with code 3.')
  })

  test('the failure of the step after fails the work', async () => {
    const { result } = await runFix({ commands: { install: mark('install'), after: mark('after', 'exit 9') } })

    expect(result).toMatchObject({ status: 'Failed', exitCode: 9 })
    expect(result?.errorText).toContain('In the step after the patches: The command exited with code 9.')
  })

  test('the restart that the installation requires is reported, whatever the step after returns', async () => {
    const { result } = await runFix({
      commands: { install: { ...mark('install', 'exit 5'), rebootCodes: [5] }, after: mark('after') },
    })

    expect(result).toMatchObject({ status: 'Success', rebootRequired: true })
  })
})
