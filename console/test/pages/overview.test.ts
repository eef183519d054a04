import { expect, test } from 'vitest'
import { type Decision, pageOfDecision } from '../../src/api/decisions.ts'
import { expectAccessible } from '../world/accessible.ts'
import { button, click, dialog, gone } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const overview = 'GET /api/fleet/overview'
const tokens = 'POST /api/enrolment-tokens'
const quarantine = '/api/quarantined-agents'
const decisions = 'GET /api/fleet/decisions'
const history = 'GET /api/fleet/history'
const confirmation = `POST ${quarantine}/{id}/confirmation`

type Overview = AnswerOf<typeof overview>
type Agent = AnswerOf<`GET ${typeof quarantine}`>['items'][number]

/** The overview of a service without computers. */
function emptyOverview(
  changes: Partial<Overview> = {},
  commands: Partial<Overview['steps']['commands']> = {},
): Overview {
  const known = example(overview)
  const own = known.steps.commands && { ...known.steps.commands, ...commands }
  const undone = { hasComputer: false, hasPackage: false, hasDeployment: false, lastBackupUtc: null }
  return { ...known, waitingAgents: 0, steps: { ...known.steps, ...undone, commands: own }, ...changes }
}

const waitingAgents = (count: number): AnswerOf<typeof decisions> => ({
  decisions: count === 0 ? [] : [{ kind: 'QuarantinedAgent', count, items: [] }],
})

const commandShown = (label: string) => screen.findByRole('group', { name: label })

test('the overview counts the agents that wait for confirmation, and one of them is confirmed there', async () => {
  const known = example(`GET ${quarantine}`).items[0] as Agent
  const agent: Agent = {
    ...known,
    id: 4,
    hostname: 'vm',
    reportedName: 'vm',
    matchedBy: ['MacAddress'],
    candidates: [],
  }
  let waiting = [agent]
  const service = fakeService()
    .on(overview, () => emptyOverview())
    .on(decisions, () => waitingAgents(waiting.length))
    .on(`GET ${quarantine}`, () => listOf(waiting))
    .on(confirmation, () => {
      waiting = []
      return undefined
    })
  await openPage('/')

  const notice = await screen.findByText('1 agent waits for confirmation')
  await screen.findByText(/^Claims to be vm · matches by MAC address/)
  await click(await screen.findByRole('button', { name: 'Confirm: vm' }))
  await click(button(await dialog('Confirm the agent of vm?'), 'Confirm'))

  await gone(notice)
  expect(service.sent.filter(({ name }) => name === confirmation).map(({ path }) => path)).toEqual([
    '/api/quarantined-agents/4/confirmation',
  ])
})

test('many agents that wait are counted, and the page of all of them is linked', async () => {
  const agent = example(`GET ${quarantine}`).items[0] as Agent
  fakeService()
    .on(overview, () => emptyOverview())
    .on(decisions, waitingAgents(1_200))
    .on(`GET ${quarantine}`, listOf([1, 2, 3].map((id) => ({ ...agent, id }))))
  await openPage('/', { language: 'de' })

  await screen.findByText('1.200 Agenten warten auf Bestätigung')

  const all = await screen.findByRole('link', { name: 'Alle 1.200 Agenten' })
  expect(all.getAttribute('href')).toBe('/admin/enrolment')
})

test('the command that enrols a computer is still there after a visit to another page', async () => {
  const created = example(tokens, { expiresAtUtc: '2099-01-01T00:00:00Z' })
  const service = fakeService()
    .on(overview, () => emptyOverview())
    .on(tokens, { ...created, ownMachine: { enrol: 'enrol me', run: 'run me' } })
  const { goBack } = await openPage('/')

  await click(await screen.findByRole('button', { name: 'Create command' }))
  const enrol = await commandShown('Enrol the computer')
  await click(await screen.findByRole('link', { name: 'Roles' }))
  await gone(enrol)
  await goBack()

  expect((await commandShown('Enrol the computer')).textContent).toBe('enrol me')
  expect((await commandShown('Start the agent')).textContent).toBe('run me')
  expect(service.bodies(tokens)).toHaveLength(1)
})

test('signing out discards the command that enrols a computer, and so does its end', async () => {
  let expiresAtUtc = '2099-01-01T00:00:00Z'
  fakeService()
    .on(overview, () => emptyOverview())
    .on(tokens, () => example(tokens, { expiresAtUtc }))
  await openPage('/')
  await click(await screen.findByRole('button', { name: 'Create command' }))
  await commandShown('Enrol the computer')
  expect(JSON.stringify({ ...sessionStorage })).toContain('enrol')

  await click(await screen.findByRole('button', { name: 'Account and settings' }))
  const signOut = await screen.findByRole('link', { name: 'Sign out' })
  signOut.addEventListener('click', (event) => event.preventDefault())
  await click(signOut)

  expect(JSON.stringify({ ...sessionStorage })).not.toContain('enrol')
  expiresAtUtc = '2020-01-01T00:00:00Z'
  await click(await screen.findByRole('button', { name: 'Create another command' }))
  await screen.findByRole('button', { name: 'Create command' })
})

test('the first steps show the commands of an installation without a clone, and none in their place', async () => {
  const created = example(tokens, { expiresAtUtc: '2099-01-01T00:00:00Z', ownMachine: null })
  fakeService()
    .on(overview, () => emptyOverview({}, { isClone: false, useProviders: null, backUp: 'muster-server backup now' }))
    .on(tokens, created)
  await openPage('/')

  await click(await screen.findByRole('button', { name: 'Create command' }))

  expect((await commandShown('Enrol the computer')).textContent).toBe(created.commands?.linux)
  expect((await commandShown('Back up all data')).textContent).toBe('muster-server backup now')
  expect(screen.queryByRole('group', { name: 'Start the agent' })).toBeNull()
  expect(screen.queryByRole('group', { name: 'Start Muster with a provider' })).toBeNull()
})

test('a person who is no administrator sees neither commands nor agents that wait', async () => {
  const steps = { ...example(overview).steps, hasComputer: false, commands: null }
  fakeService({ roles: ['computer.read', 'package.read'] }).on(overview, () =>
    emptyOverview({ waitingAgents: null, steps }),
  )
  await openPage('/')

  await screen.findByText(/^Somebody with the role admin\.manage can create the command/)

  expect(screen.queryByRole('button', { name: /Copy/ })).toBeNull()
  expect(screen.queryByText(/wait for confirmation/)).toBeNull()
})

const atUtc = '2026-03-11T09:00:00Z'
const oneOf = (kind: Decision['kind'], changes: Partial<Decision['items'][number]> = {}): Decision => ({
  kind,
  count: 1,
  items: [{ id: 'x7', name: `The ${kind}`, detail: null, atUtc, ...changes }],
})
const kinds = Object.keys(pageOfDecision) as Decision['kind'][]

test('the overview begins with what needs a decision, before all figures, each with the place where it is decided', async () => {
  const all = kinds.filter((kind) => kind !== 'QuarantinedAgent')
  fakeService()
    .on(overview, example(overview))
    .on(decisions, { decisions: all.map((kind) => oneOf(kind, kind === 'FailingPackage' ? { detail: '17' } : {})) })
  await openPage('/')

  const section = await screen.findByRole('region', { name: 'Needs a decision' })
  const figures = await screen.findByRole('navigation', { name: 'Figures' })
  expect(section.compareDocumentPosition(figures) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
  expect(within(section).getAllByRole('link', { name: /^Review: / })).toHaveLength(all.length)
  const linkOf = (name: string) => within(section).getByRole('link', { name }).getAttribute('href')
  expect([linkOf('The PausedRollout'), linkOf('The FailingPackage'), linkOf('The StoppedRule')]).toEqual([
    '/rollouts/x7',
    '/packages/x7',
    '/groups/x7',
  ])
  within(section).getByText(/on 17 computers/)
  await expectAccessible(section)
})

test('the navigation counts what waits on each page, and every kind has a page', async () => {
  fakeService().on(decisions, {
    decisions: [...kinds.map((kind) => oneOf(kind)), { kind: 'PausedRollout', count: 120, items: [] }],
  })
  await openPage('/admin/about')

  await screen.findByRole('link', { name: /^Rollouts 121 waiting/ })
  const pages = new Set(Object.values(pageOfDecision))
  await waitFor(() => expect(screen.getAllByRole('link', { name: /\d waiting$/ })).toHaveLength(pages.size))
})

test('nothing that waits is one quiet line', async () => {
  fakeService().on(overview, example(overview))
  await openPage('/')

  await screen.findByText('Nothing waits for a decision.')
})

test('what runs now is listed without what is paused, and the tasks of single computers are one line', async () => {
  const known = example(overview)
  const [rollout] = known.runningRollouts as [Overview['runningRollouts'][number]]
  fakeService().on(overview, {
    ...known,
    runningRollouts: [
      { ...rollout, rolloutId: 'r1', name: 'Runs', state: 'Running' },
      { ...rollout, rolloutId: 'r2', name: 'Waits', state: 'Paused' },
    ],
    runningTasks: [],
    runningSingles: [
      { type: 'Remediation', tasks: 37 },
      { type: 'Rescan', tasks: 1_000 },
    ],
  })
  await openPage('/')

  const section = await screen.findByRole('region', { name: 'Running now' })
  within(section).getByRole('link', { name: 'Runs' })
  expect(within(section).queryByText('Waits')).toBeNull()
  within(section).getByText('37 tasks')
  within(section).getByText('over 1,000 tasks')
  expect(within(section).getByRole('link', { name: 'Patching' }).getAttribute('href')).toBe(
    '/rollouts?state=Running&kind=Remediation&computers=single',
  )
})

const samples = (days: number): AnswerOf<typeof history> => ({
  ...example(history),
  timesUtc: Array.from({ length: days }, (_, at) => `2026-03-${String(at + 1).padStart(2, '0')}T00:00:00Z`),
  series: [{ name: 'Critical', values: Array.from({ length: days }, (_, at) => at) }],
})

test('the trends of a month ask for one sample a day, and those of the first days for one an hour', async () => {
  let days = 7
  const service = fakeService()
    .on(overview, example(overview))
    .on(history, ({ query }) => samples(query.get('resolution') === 'Day' ? days : 1))
  const asked = () => service.sent.filter(({ name }) => name === history).map(({ query }) => query.get('resolution'))
  const { close } = await openPage('/')
  await screen.findByRole('heading', { name: 'Last 30 days' })
  expect(new Set(asked())).toEqual(new Set(['Day']))
  close()

  days = 1
  const young = fakeService()
    .on(overview, example(overview))
    .on(history, ({ query }) => samples(query.get('resolution') === 'Day' ? days : 1))
  await openPage('/')
  await screen.findByRole('heading', { name: 'The first days' })

  const hourly = young.sent.filter(({ query }) => query.get('resolution') === 'Hour')
  const span = Date.now() - Date.parse(hourly[0]?.query.get('from') ?? '')
  expect(Math.round(span / 86_400_000)).toBe(3)
})

test('a chart of one point is a number', async () => {
  fakeService().on(overview, example(overview)).on(history, samples(1))
  await openPage('/')

  const chart = await screen.findByRole('figure', { name: 'Missing patches' })

  expect(chart.querySelector('[data-alone="true"]')).not.toBeNull()
  expect(chart.querySelector('[aria-hidden][style*="height"]')).toBeNull()
})
