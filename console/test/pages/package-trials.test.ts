import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, dialog, isDisabled } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const page = '/api/fleet/packages/{id}'
const trialPath = '/api/package-trials/{id}'

type Package = AnswerOf<'GET /api/packages/{id}'>
type LastTrial = NonNullable<Package['lastTrial']>
type Trial = AnswerOf<`GET ${typeof trialPath}`>
type Summary = AnswerOf<'GET /api/packages/{id}/trials'>['items'][number]

const pack = (changes: Partial<Package> = {}): Package =>
  example('GET /api/packages/{id}', {
    ...{ id: 'p1', name: 'Shared', operational: true, kind: 'Software', hashState: 'Current' },
    lastTrial: null,
    ...changes,
  })

const trial = (changes: Partial<Trial>): Trial =>
  example(`GET ${trialPath}`, {
    ...{ trialId: 't1', packageId: 'p1', hostname: 'PC-7', startedBy: 'ada', errorText: null, cancelReason: null },
    ...{ steps: [], leftovers: [], leftoverCount: null, leftoversComplete: true, blockers: [], isCurrentContent: true },
    ...changes,
  })

const step = (name: 'Install' | 'Uninstall', before: boolean): Trial['steps'][number] => ({
  ...{ step: name, startedUtc: '2026-03-14T09:26:53.000Z', finishedUtc: '2026-03-14T09:26:55.500Z' },
  ...{ commandLine: `sh ${name}.sh`, exitCode: 0, output: `${name} is done.`, errorText: null },
  ...{ detectedBefore: before, detectedAfter: !before },
})

/** A package with this trial, which requests change. */
function givenTrial(first: Trial | null, found = pack()) {
  const state = { trial: first, sent: [] as unknown[] }
  const service = fakeService()
    .on(`GET ${page}`, () => example(`GET ${page}`, { package: found }))
    .on('GET /api/packages/{id}', () => found)
    .on('GET /api/packages/{id}/trials', () => listOf(state.trial ? [state.trial as Summary] : []))
    .on(`GET ${trialPath}`, ({ params: [id] }) =>
      id === found.lastTrial?.trialId
        ? trial({ ...found.lastTrial, steps: [step('Install', false)] })
        : (state.trial as Trial),
    )
    .on('POST /api/packages/{id}/trials', ({ body, query }) => {
      const started = trial({ state: 'Running', progress: 40 })
      if (!query.has('dryRun')) {
        state.sent.push(body)
        state.trial = started
      }
      return started
    })
    .on(`POST ${trialPath}/cancel`, () => {
      state.trial = trial({ state: 'Cancelled', cancelReason: 'RequestCancelled' })
      return state.trial
    })
  return { service, state }
}

const section = () => screen.findByRole('region', { name: 'Try it first' })

test('a package is tried on a computer that is searched, and its progress and result appear', async () => {
  const { state } = givenTrial(null)
  const [computer] = example('GET /api/fleet/computers').items
  await openPage('/packages/p1')

  await click(button(await section(), 'Try on a computer'))
  const panel = await dialog('Try Shared')
  await expectAccessible(panel)
  await choose(within(panel).getByRole('combobox', { name: /Computer/ }), new RegExp(computer?.hostname ?? ''))
  await click(await within(panel).findByRole('button', { name: 'Install and uninstall' }))
  await within(await section()).findByText('Running')
  expect(state.sent).toEqual([{ computerId: computer?.id }])

  state.trial = trial({
    ...{ state: 'Succeeded', steps: [step('Install', false), step('Uninstall', true)] },
    ...{ leftoverCount: 1, leftovers: [{ kind: 'File', name: '/etc/shared.conf' }] },
  })
  await waitFor(async () => expect(within(await section()).getByText('Succeeded')).toBeTruthy(), { timeout: 5_000 })
  const shown = await section()
  within(shown).getByRole('row', { name: /Install No Yes 0 2\.5 s/ })
  within(shown).getByRole('row', { name: /Uninstall Yes No 0 2\.5 s/ })
  within(shown).getByText('/etc/shared.conf')
  await click(button(shown, 'Log: Install'))
  await within(shown).findByText('Install is done.')
  await expectAccessible(shown)
})

test('a trial that waits says why, and can be cancelled', async () => {
  const blockers: Trial['blockers'] = [{ reason: 'AgentSuspended', untilUtc: null, message: 'The agent is suspended.' }]
  givenTrial(trial({ state: 'Waiting', blockers }))
  await openPage('/packages/p1')

  await within(await section()).findByText('The agent is suspended.')
  await click(button(await section(), 'Cancel trial'))
  await click(button(await dialog('Cancel the trial?'), 'Cancel trial'))

  await within(await section()).findByText('The request was cancelled.')
})

test('the last result stays on the page while another trial waits', async () => {
  const lastTrial = { ...example('GET /api/packages/{id}').lastTrial, trialId: 't0', state: 'Failed' } as LastTrial
  givenTrial(trial({ state: 'Waiting' }), pack({ lastTrial }))
  await openPage('/packages/p1')

  await within(await section()).findByText('Last result: Failed')
  within(await section()).getByRole('row', { name: /Install No Yes/ })
})

test('a package that is not released is released before it is tried', async () => {
  givenTrial(null, pack({ operational: false }))
  await openPage('/packages/p1')

  await within(await section()).findByText(/Release the package to try it/)
  expect(isDisabled(button(await section(), 'Try on a computer'))).toBe(true)
})
