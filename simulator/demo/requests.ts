import { randomUUID } from 'node:crypto'
import { at, type Fleet } from '../src/fleet.ts'
import type { UserChoices } from '../src/protocol.ts'
import type { Api } from './api.ts'
import { type Packages, packageId } from './packages.ts'

type Options = { address: string; api: Api }
type Choice = UserChoices['choices'][number]
type Chosen = Omit<Choice, 'choiceId' | 'user' | 'atUtc'>

const hourMs = 3_600_000

/** Users take, postpone and ask: one of the requests is approved, one is declined, and one waits. */
export async function askForPackages(
  { address, api }: Options,
  { credential, clientId }: Fleet,
  indexes: readonly number[],
  packages: Packages,
): Promise<void> {
  const [first = 0, second = 0, third = 0] = indexes
  const choose = (index: number, user: string, ...chosen: Chosen[]) =>
    reportChoices(address, credential[index] ?? '', user, chosen)
  const ask = (wish: string, reason = ''): Chosen => ({ kind: 'Requested', wish, reason })
  await choose(
    first,
    'mia',
    { kind: 'Taken', packageId: packageId(packages, 'screen-recorder-2.3') },
    ask('A browser', 'The web application does not work with mine.'),
  )
  const untilUtc = new Date(Date.now() + hourMs).toISOString()
  await choose(second, 'noah', { kind: 'Postponed', untilUtc }, ask('A game for the break'))
  await choose(third, 'lena', ask('A program to draw diagrams', 'For the plans of the new office'))
  const { items } = await api.get<{ items: { requestId: string; computerId: number }[] }>('/api/package-requests')
  const requestOf = (index: number) => items.find(({ computerId }) => computerId === at(clientId, index))?.requestId
  await api.post(`/api/package-requests/${requestOf(first)}/approval`, {
    packageId: packageId(packages, 'browser-131.0'),
    answer: 'It is installed within minutes.',
  })
  await api.post(`/api/package-requests/${requestOf(second)}/refusal`, { answer: 'Please play on your own device.' })
}

/** As the agent of a computer does. */
async function reportChoices(address: string, credential: string, user: string, chosen: readonly Chosen[]) {
  const made = () => ({ choiceId: randomUUID(), user, atUtc: new Date().toISOString() })
  const body: UserChoices = { choices: chosen.map((one) => ({ ...made(), ...one })) }
  const answer = await fetch(new URL('/agent/v1/user-choices', address), {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`The choices of ${user} were refused: ${answer.status} ${await answer.text()}`)
}
