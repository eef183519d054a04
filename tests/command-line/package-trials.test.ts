import { expect, test } from 'vitest'
import { openTrialWorld, trialReport, trialStep } from '../../server/test/package-trials/trial-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openTrialWorld()
const { agent, readyPackage, runningTrial } = world
const { muster } = await commandsIn(world)

/** Waits for the work of a trial, begins it, and reports the result. */
async function carryOut(computer: Awaited<ReturnType<typeof agent>>, result: object): Promise<void> {
  for (;;) {
    const [item] = (await computer.contact()).body.work
    if (item) return void (await computer.report(item.workId, result as never))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a package is tried by name, and the command waits for the result and shows it', async () => {
  const [pack, computer] = [await readyPackage(), await agent()]

  const dryRun = await muster('packages', 'try', pack.name, '--on', `#${computer.id}`, '--dry-run')
  const [tried] = await Promise.all([
    muster('packages', 'try', pack.name, '--on', `#${computer.id}`, '--wait'),
    carryOut(computer, { trial: trialReport() }),
  ])

  expect(dryRun).toMatchObject({ code: 0, out: expect.stringContaining('would be tried') })
  expect(tried.code).toBe(0)
  expect(tried.out).toMatch(/State +Succeeded\n/)
  expect(tried.out).toMatch(/Install +exit code 0, 2\.5 s\n +Detected +before: no, after: yes\n/)
  expect(tried.out).toMatch(/Uninstall +exit code 0, 2\.5 s\n +Detected +before: yes, after: no\n/)
  expect(tried.out).toMatch(/Leftovers +File \/etc\/greeting\.conf\n/)
})

test('a trial that fails ends the command with a failure, and its log is shown', async () => {
  const [pack, computer] = [await readyPackage(), await agent()]
  const step = { ...trialStep('Install', false), exitCode: 1, output: 'No room.\n', errorText: 'It failed.' }
  const trial = trialReport({ steps: [step], leftovers: [], leftoverCount: 0 })

  const [tried] = await Promise.all([
    muster('packages', 'try', pack.name, '--on', `#${computer.id}`, '--wait'),
    carryOut(computer, { status: 'Failed', errorText: 'It failed.', trial }),
  ])

  expect(tried).toMatchObject({ code: 1, err: expect.stringContaining('The trial failed.') })
  expect(tried.out).toMatch(/Log +No room\.\n/)
})

test('trials are listed and cancelled, and a refusal is explained', async () => {
  const { pack, computer, trialId } = await runningTrial()

  const again = await muster('packages', 'try', pack.name, '--on', `#${computer.id}`)
  const cancelled = await muster('packages', 'cancel-trial', trialId)
  const listed = await muster('packages', 'trials', pack.name)
  const nowhere = await muster('packages', 'try', pack.name)

  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('PackageTrialPending') })
  expect(cancelled).toMatchObject({ code: 0, out: expect.stringContaining('is cancelled.') })
  expect(listed.out).toMatch(new RegExp(`${trialId} +Cancelled`))
  expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('--on') })
})
