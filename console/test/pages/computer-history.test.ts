import { test } from 'vitest'
import { example } from '../world/fake-service.ts'
import { fakeService, openPage, screen } from '../world/open-page.tsx'

const events = 'GET /api/fleet/computers/{id}/events'

test('the timeline of a computer says what the person there chose, about packages, restarts and shutdowns', async () => {
  const known = example(events)
  const [any] = known.items as [(typeof known.items)[number]]
  const event = (id: string, data: object) => ({
    ...any,
    id,
    type: 'muster.work.choice',
    data: { user: 'mia', ...data },
  })
  fakeService().on(events, () => ({
    items: [
      event('1', { choice: 'ProgramsClosed', packageName: 'Office', programs: ['soffice.bin'] }),
      event('2', { choice: 'Later', packageName: 'Office', programs: [] }),
      event('3', { choice: 'NoAnswer', packageName: null, powerAction: 'Reboot', programs: [] }),
      event('4', { choice: 'Later', packageName: null, powerAction: 'Shutdown', programs: [] }),
    ],
    nextBefore: null,
  }))

  await openPage('/computers/17/history')

  await screen.findByText('Office: programs were closed after the deadline')
  screen.getByText('mia, soffice.bin')
  screen.getByText('Office: the person chose to continue later')
  screen.getByText('Restart: the person was asked and did not answer')
  screen.getByText('Shutdown: the person chose to continue later')
})
