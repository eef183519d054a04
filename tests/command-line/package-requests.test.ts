import { expect, test } from 'vitest'
import { openSelfServiceWorld } from '../../server/test/self-service/self-service-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openSelfServiceWorld()
const { computerWithUser, readyPackage } = world
const { muster } = await commandsIn(world)

/** A computer whose user asks for something, and the id of the request as the list shows it. */
async function givenRequest(wish: string) {
  const computer = await computerWithUser()
  await computer.ask(wish, 'For forms')
  const { out } = await muster('package-requests', 'list')
  const [, id = ''] = new RegExp(`^(\\S+) +Pending +${wish} `, 'm').exec(out) ?? []
  return { computer, id }
}

test('a package request is listed, shown, tried out and approved', async () => {
  const { computer, id } = await givenRequest('A PDF editor')
  const pack = await readyPackage()

  const shown = await muster('package-requests', 'show', id)
  const tried = await muster('package-requests', 'approve', id, pack.name, '--dry-run')
  const before = (await computer.contact()).body.work
  const approved = await muster('package-requests', 'approve', id, pack.name, '--answer', 'Enjoy.')

  expect(shown.out).toMatch(/Wish +A PDF editor\nReason +For forms\n/)
  expect(tried.out).toMatch(new RegExp(`would get ${pack.name}@1.0.\n$`))
  expect(before).toEqual([])
  expect(approved.out).toMatch(new RegExp(`gets ${pack.name}@1.0.\n$`))
  expect((await computer.contact()).body.work).toMatchObject([{ package: { packageId: pack.id } }])
})

test('a package request is named by its computer, what is wished, or the beginning of its id', async () => {
  const { computer, id } = await givenRequest('A drawing program')
  await givenRequest('A spreadsheet')
  const { out: listed } = await muster('package-requests', 'list', '-o', 'json')
  const known = (JSON.parse(listed) as { requestId: string; hostname: string }[]).find((one) => one.requestId === id)

  const byComputer = await muster('package-requests', 'show', known?.hostname ?? '')
  const byBeginning = await muster('package-requests', 'show', id.slice(0, 30))
  const byWish = await muster('package-requests', 'decline', 'a drawing program', 'Not at work.')

  expect(byComputer.out).toContain('A drawing program')
  expect(byBeginning.out).toContain('A drawing program')
  expect(byWish).toMatchObject({ code: 0, out: 'The request is declined.\n' })
  expect((await computer.look()).requests).toMatchObject([{ state: 'Declined' }])
})

test('a package request is declined with a reason', async () => {
  const { computer, id } = await givenRequest('A game')

  const declined = await muster('package-requests', 'decline', id, 'Not at work.')
  const again = await muster('package-requests', 'decline', id, 'Not at work.')

  expect(declined).toMatchObject({ code: 0, out: 'The request is declined.\n' })
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('PackageRequestDecided') })
  expect((await computer.look()).requests).toMatchObject([{ state: 'Declined', answer: 'Not at work.' }])
})
