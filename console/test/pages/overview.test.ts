import { expect, test } from 'vitest'
import { button, click, dialog, gone } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen } from '../world/open-page.tsx'

const overview = 'GET /api/fleet/overview'
const tokens = 'POST /api/enrolment-tokens'
const quarantine = '/api/quarantined-agents'
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
    .on(overview, () => emptyOverview({ waitingAgents: waiting.length }))
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
    .on(overview, () => emptyOverview({ waitingAgents: 1_200 }))
    .on(`GET ${quarantine}`, listOf([1, 2, 3].map((id) => ({ ...agent, id }))))
  await openPage('/', { language: 'de' })

  await screen.findByText('1.200 Agenten warten auf Bestätigung')

  const all = await screen.findByRole('link', { name: 'Alle 1.200 Agenten' })
  expect(all.getAttribute('href')).toBe('/infrastructure/enrolment')
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
