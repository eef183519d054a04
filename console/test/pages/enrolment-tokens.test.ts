import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { button, choose, click, contentOf, dialog, fill, gone, isDisabled, row, select } from '../world/acts.ts'
import type { AnswerOf } from '../world/api-types.ts'
import { example, type FakeService, listOf, problem } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const page = '/admin/enrolment'
const tokens = '/api/enrolment-tokens'
const quarantine = '/api/quarantined-agents'

type Token = AnswerOf<`GET ${typeof tokens}`>['items'][number]
type Agent = AnswerOf<`GET ${typeof quarantine}`>['items'][number]

const none = listOf<never>([])

function given(options = {}): FakeService {
  return fakeService(options)
    .on(`GET ${tokens}`, none)
    .on(`GET ${quarantine}`, none)
    .on('GET /api/fleet/duplicate-uuids', none)
}

async function openForm(): Promise<HTMLElement> {
  await click(await screen.findByRole('button', { name: 'Create token' }))
  return dialog('Create token')
}

const group = example('GET /api/fleet/groups').items[0] as AnswerOf<'GET /api/fleet/groups'>['items'][number]
const finance = ['Configuration/Oslo/Finance', 'Configuration/Berlin/Finance'].map((path) => ({
  ...group,
  ...{ id: path, name: 'Finance', path },
}))

test('an enrolment token is created for one of two groups of the same name, shown once with its commands, and revoked', async () => {
  let listed: Token[] = []
  const known = {
    ...(example(`GET ${tokens}`).items[0] as Token),
    uses: 0,
    revokedAtUtc: null,
    expiresAtUtc: '2099-01-01T00:00:00Z',
  }
  const token = 'enrol-once'
  const service = given()
    .on(`GET ${tokens}`, () => listOf(listed))
    .on('GET /api/fleet/groups', ({ query }) =>
      listOf(finance.filter(({ path }) => path.includes(query.get('search') ?? ''))),
    )
    .on(`POST ${tokens}`, ({ body }) => {
      listed = [{ ...known, ...body, groupPath: 'Configuration/Tills' } as Token]
      const created = example(`POST ${tokens}`)
      return {
        ...created,
        token,
        installs: { linux: false, windows: true },
        commands: {
          ...created.commands,
          linux: `enrol ${token}`,
          windowsGlpi: `GLPI ${token}`,
        } as typeof created.commands,
      }
    })
    .on(`DELETE ${tokens}/{id}`, () => {
      listed = [{ ...(listed[0] as Token), revokedAtUtc: '2026-01-01T00:00:00Z' }]
      return undefined
    })
  await openPage(page)
  await screen.findByText('No enrolment tokens yet')

  const form = await openForm()
  await fill(within(form).getByLabelText('Description'), 'Northern branches')
  await choose(within(form).getByLabelText('Group'), 'Configuration/Berlin/Finance', 'Finance')
  await fill(within(form).getByLabelText('Maximum number of computers'), '250')
  await click(button(form, 'Create'))
  const shown = await dialog('Store this token now')
  expect(contentOf(within(shown).getByLabelText('Enrolment token'))).toBe(token)
  within(shown).getByText(new RegExp(`enrol ${token}`))
  within(shown).getByText(/^Enrols an agent that is installed already/)
  await select(within(shown).getByLabelText('Platform and agent'), 'Windows: GLPI agent')
  await within(shown).findByText(new RegExp(`GLPI ${token}`))
  expect(isDisabled(button(shown, 'Continue'))).toBe(true)
  await click(within(shown).getByLabelText('I have stored the token'))
  await click(button(shown, 'Continue'))
  await gone(shown)
  expect(document.body.textContent).not.toContain(token)
  const listedRow = await row(/Northern branches.*Active.*0 of 250/)
  expect(within(listedRow).getByRole('link').textContent).toBe('Configuration/Tills')
  await click(button(document.body, 'Revoke: Northern branches'))
  await click(button(await dialog(/Revoke/), 'Revoke'))

  await row(/Northern branches.*Revoked/)
  expect(service.bodies(`POST ${tokens}`)).toMatchObject([
    { description: 'Northern branches', groupId: 'Configuration/Berlin/Finance', maxUses: 250 },
  ])
})

test('an invalid expiry of an enrolment token is reported at its field, and the input is kept', async () => {
  const errors = [{ in: 'body' as const, name: 'expiresAtUtc', reason: 'must be in the future' }]
  given().on(`POST ${tokens}`, problem(400, 'InvalidRequest', 'The request is invalid.', errors))
  await openPage(page)
  const form = await openForm()
  await fill(within(form).getByLabelText('Description'), 'Too late')

  await fill(within(form).getByLabelText('Expires'), '2020-01-01T00:00')
  await click(button(form, 'Create'))

  await within(form).findByText('must be in the future')
  expect(contentOf(within(form).getByLabelText('Description'))).toBe('Too late')
})

test('a user without the role group.write creates tokens without a group', async () => {
  given({ roles: ['admin.manage'] })
  await openPage(page)

  const form = await openForm()

  within(form).getByText('Choosing a group requires the role group.write.')
  expect(isDisabled(within(form).getByLabelText('Group'))).toBe(true)
})

test('an administrator designates the package of the agent, and sees that nobody has signed it', async () => {
  const platforms = '/api/agent-packages'
  type Platform = AnswerOf<`GET ${typeof platforms}`>[number]
  const [known] = example(`GET ${platforms}`) as [Platform]
  const unsigned: Platform['candidates'][number] = {
    ...(known.candidates[0] as Platform['candidates'][number]),
    id: 'p1',
    name: 'Muster agent',
    version: '9.9',
    signature: null,
  }
  let linux: Platform = { ...known, platform: 'Linux', package: null, state: 'NotDesignated', candidates: [unsigned] }
  const service = given()
    .on(`GET ${platforms}`, () => [linux])
    .on(`PUT ${platforms}/{platform}`, () => {
      linux = { ...linux, package: unsigned, state: 'Served' }
      return linux
    })
    .on(`DELETE ${platforms}/{platform}`, () => {
      linux = { ...linux, package: null, state: 'NotDesignated' }
      return undefined
    })
  await openPage(page)

  await click(await screen.findByRole('button', { name: 'Designate: Linux' }))
  const asked = await dialog('Designate the agent for Linux')
  expect(contentOf(within(asked).getByLabelText('Package', { selector: 'input' }))).toMatch(
    /^Muster agent 9\.9 – Not signed/,
  )
  await click(button(asked, 'Designate'))
  await row(/Linux.*Muster agent 9\.9.*Not signed.*Installed on new computers/)
  await click(button(document.body, 'Withdraw: Linux'))
  await click(button(await dialog(/Withdraw/), 'Withdraw'))

  await row(/Linux.*None/)
  expect(service.bodies(`PUT ${platforms}/{platform}`)).toMatchObject([{ packageId: 'p1' }])
})

function givenAgents(...agents: Partial<Agent>[]) {
  const known = example(`GET ${quarantine}`).items[0] as Agent
  let waiting = agents.map((agent, at) => ({ ...known, id: at + 1, candidates: [], ...agent }))
  const decided: unknown[] = []
  const leave = (id: string | undefined) => {
    waiting = waiting.filter((agent) => agent.id !== Number(id))
    return undefined
  }
  given()
    .on(`GET ${quarantine}`, () => listOf(waiting))
    .on(`POST ${quarantine}/{id}/confirmation`, ({ params, body }) => {
      decided.push(['confirmed', params[0], body])
      leave(params[0])
      return example(`POST ${quarantine}/{id}/confirmation`)
    })
    .on(`DELETE ${quarantine}/{id}`, ({ params }) => {
      decided.push(['rejected', params[0]])
      return leave(params[0])
    })
  return decided
}

test('an agent with the UUID of two computers is confirmed for the one that a person chooses', async () => {
  const candidates = [11, 12].map((clientId) => ({
    clientId,
    hostname: `till-${clientId}`,
    macAddress: null,
    hasAgent: clientId === 11,
  }))
  const decided = givenAgents({ reportedName: 'till', candidates })
  await openPage(page)

  await row(/one of 2 computers/)
  await click(button(document.body, 'Confirm: till'))
  const asked = await dialog(/Confirm/)
  expect(isDisabled(button(asked, 'Confirm'))).toBe(true)
  const computer = () => within(asked).getByLabelText('Computer on which the agent runs')
  await choose(computer(), /till-11 – has an agent/)
  expect(asked.textContent).toContain('is then shut out')
  await choose(computer(), /till-12/)
  expect(asked.textContent).not.toContain('is then shut out')
  await click(button(asked, 'Confirm'))

  await screen.findByText('No agents in quarantine')
  expect(decided).toEqual([['confirmed', '1', { clientId: 12 }]])
})

test('agents in quarantine are shown with what they reported, and are confirmed or rejected', async () => {
  const till = (name: string): Partial<Agent> => ({
    hostname: name,
    reportedName: name,
    reportedDomain: 'example.org',
    matchedBy: ['Name'],
    agentKind: 'Muster',
    agentVersion: '0.1.0',
  })
  const decided = givenAgents(till('till-1'), till('till-2'))
  await openPage(page)

  await expectAccessible(await screen.findByRole('main'))
  await row(/till-1.*till-1\.example\.org.*Name and domain.*Muster 0\.1\.0/)
  await click(button(document.body, 'Confirm: till-1'))
  await click(button(await dialog(/Confirm/), 'Confirm'))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Confirm: till-1' })).toBeNull())
  await click(button(document.body, 'Reject: till-2'))
  await click(button(await dialog(/Reject/), 'Reject'))

  await screen.findByText('No agents in quarantine')
  expect(decided).toEqual([
    ['confirmed', '1', {}],
    ['rejected', '2'],
  ])
})

test('computers that share a UUID are listed with a link to each', async () => {
  const path = '/api/fleet/duplicate-uuids'
  const known = example(`GET ${path}`).items[0] as AnswerOf<`GET ${typeof path}`>['items'][number]
  given().on(`GET ${path}`, listOf([{ ...known, id: 12, hostname: 'till-12' }]))
  await openPage(page)

  const table = await screen.findByRole('table', { name: 'Computers with the same UUID' })
  expect(within(table).getByRole('link', { name: 'till-12' }).getAttribute('href')).toBe('/computers/12')
})
