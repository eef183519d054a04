import { expect, test } from 'vitest'
import { expectAccessible } from '../world/accessible.ts'
import { choose, click, fill, row } from '../world/acts.ts'
import { example, listOf } from '../world/fake-service.ts'
import { fakeService, openPage, screen, waitFor, within } from '../world/open-page.tsx'

const versions = 'GET /api/fleet/software'
const names = 'GET /api/fleet/software/names'

const openssl = {
  computers: 213,
  unknownVersions: 1,
  versions: [
    { name: 'openssl', version: '3.0.15-1~deb12u1', publisher: 'Debian', computers: 200 },
    { name: 'openssl', version: '3.0.13', publisher: null, computers: 13 },
  ],
}

test('who has OpenSSL below 3.0.16 is answered with versions, and leads to the computers and to a file', async () => {
  const service = fakeService().on(versions, openssl).on(names, ['openssl'])
  const { address } = await openPage('/software')

  await fill(await screen.findByPlaceholderText('openssl'), 'openssl')
  await choose(screen.getByRole('combobox', { name: 'Version' }), 'Below')
  await fill(await screen.findByLabelText('Compared version'), '3.0.16')

  await waitFor(() =>
    expect(new Set(address().split(/[?&]/))).toEqual(
      new Set(['/software', 'name=openssl', 'condition=below', 'version=3.0.16']),
    ),
  )
  await screen.findByText('213 computers with 2 matching versions')
  await waitFor(() =>
    expect(Object.fromEntries(service.sent.filter(({ name }) => name === versions).at(-1)?.query ?? [])).toEqual({
      software: 'openssl',
      softwareBelow: '3.0.16',
    }),
  )
  await screen.findByText(/1 version of this name cannot be compared/)
  const shown = await row(/3\.0\.15-1~deb12u1/)
  expect(within(shown).getByRole('link', { name: '200' }).getAttribute('href')).toBe(
    '/computers?software=openssl&softwareVersion=3.0.15-1%7Edeb12u1',
  )
  expect(screen.getByRole('link', { name: 'Open 213 computers' }).getAttribute('href')).toBe(
    '/computers?software=openssl&softwareBelow=3.0.16',
  )
  expect(screen.getByRole('link', { name: 'Download computers as CSV' }).getAttribute('href')).toBe(
    '/api/fleet/computers/csv?software=openssl&softwareBelow=3.0.16',
  )
  await expectAccessible(screen.getByRole('main'))
})

test('a name that nothing has is completed by those that contain it', async () => {
  fakeService()
    .on(versions, ({ query }) =>
      query.get('software') === 'openssl' ? openssl : { computers: 0, unknownVersions: 0, versions: [] },
    )
    .on(names, ['openssl', 'python3-openssl'])
  await openPage('/software?name=openss')

  await screen.findByText('No computer has it')
  await click(await screen.findByRole('button', { name: 'openssl' }))

  await screen.findByText('213 computers with 2 matching versions')
})

test('the list of computers names the software that it is filtered by, shows the versions, and drops both', async () => {
  const list = 'GET /api/fleet/computers'
  const [computer] = example(list).items
  if (!computer) throw new Error('The example has a computer.')
  const service = fakeService().on(list, ({ query }) => ({
    ...example(list),
    ...listOf([{ ...computer, software: query.has('software') ? [{ name: 'openssl', version: '3.0.15-1' }] : null }]),
  }))
  await openPage('/computers?software=openssl&softwareBelow=3.0.16')

  await screen.findByText('Software: openssl below 3.0.16')
  await screen.findByText('openssl 3.0.15-1')
  await click(screen.getByRole('button', { name: /Remove.*openssl below 3\.0\.16/ }))

  await waitFor(() => expect(screen.queryByText('openssl 3.0.15-1')).toBeNull())
  const requests = () => service.sent.filter(({ name }) => name === list)
  expect(requests()[0]?.query.get('softwareBelow')).toBe('3.0.16')
  await waitFor(() => expect(requests().at(-1)?.query.has('software')).toBe(false))
})
