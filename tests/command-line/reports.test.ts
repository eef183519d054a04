import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDueReports } from '../../server/src/features/reports/make-due-reports.ts'
import { openMailReceiver } from '../../server/test/mail/mail-receiver.ts'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openRolloutWorld()
const receiver = await openMailReceiver()
const { muster, musterOn, settings } = await commandsIn(world)
const { keys, configuration } = world.app.services
const makeReports = () => makeDueReports({ db: world.db, keys, settings: configuration }, new AbortController().signal)

const untilRunWaits = () =>
  expect
    .poll(() => world.db.selectFrom('report_runs').select('state').where('state', '=', 'Waiting').execute())
    .toHaveLength(1)

test('a mail server is set with a password from the standard input, tested and removed', async () => {
  const ca = join(settings, 'ca.pem')
  await writeFile(ca, receiver.settings.caCertificates)
  const set = ['mail-server', 'set', 'localhost', 'muster@example.org', '--port', String(receiver.settings.port)]
  const options = ['--user', 'muster', '--ca', ca, '--domains', 'example.org']

  const changed = await musterOn({ readInput: async () => 'open sesame\n' }, ...set, ...options)
  const shown = await muster('mail-server', 'show')
  const tested = await muster('mail-server', 'test', 'it@example.org')
  const refused = await muster('mail-server', 'test', 'it@elsewhere.example')

  expect(changed.out).toBe('localhost is the mail server.\n')
  expect(shown.out).toMatch(/Password\s+set/)
  expect(tested.out).toBe('The server took the mail to it@example.org.\n')
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('elsewhere.example') })
  expect(receiver.received).toHaveLength(1)
})

test('a report is created, changed, made, mailed, downloaded and deleted by its name', async () => {
  const create = ['reports', 'create', 'All software', 'software', '--weekly', 'monday', '--at', '06:30']

  const planned = await muster(...create, '--time-zone', 'Europe/Berlin', '--dry-run')
  const created = await muster(...create, '--time-zone', 'Europe/Berlin', '-o', 'json')
  const changed = await muster('reports', 'update', 'all software', '--no-schedule', '--mail', 'it@example.org')
  const making = muster('reports', 'run', 'All software', '--wait')
  await untilRunWaits()
  const another = await muster('reports', 'run', 'All software')
  await makeReports()
  const made = await making
  const runs = await muster('reports', 'runs', 'All software', '-o', 'json')
  const downloaded = await muster('reports', 'download', 'All software')
  const paused = await muster('reports', 'update', 'All software', '--pause', '-o', 'json')
  const listed = await muster('reports', 'list', '-o', 'csv')
  const wrong = await muster('reports', 'update', 'All software')
  const deleted = await muster('reports', 'delete', 'All software')
  const absent = await muster('reports', 'show', 'All software')

  expect(planned.out).toBe('The report All software would be created.\n')
  expect(JSON.parse(created.out)).toMatchObject({
    kind: 'Software',
    schedule: { frequency: 'Weekly', weekday: 'Monday', time: '06:30', timeZone: 'Europe/Berlin' },
  })
  expect(changed.out).toBe('All software is changed.\n')
  expect(another.code).toBe(1)
  expect(made).toMatchObject({ code: 0, out: 'All software is made.\n' })
  expect(JSON.parse(runs.out)).toMatchObject([{ state: 'Succeeded', mailedAtUtc: expect.any(String) }])
  expect(downloaded.out).toMatch(/^\uFEFF?product,publisher,version,computers\r\n/)
  expect(JSON.parse(paused.out)).toMatchObject({ isPaused: true, schedule: null, recipients: ['it@example.org'] })
  expect(listed.out).toContain('All software,Software,Csv,,on request,paused,')
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('Name what is to be changed') })
  expect(deleted.out).toBe('All software is deleted.\n')
  expect(absent).toMatchObject({ code: 2, err: 'No report is named "All software".\n' })
})

test('a licence is created, changed, listed and deleted by its name', async () => {
  const created = await muster('licences', 'create', 'Drawing', 'Draw*', '250')
  const changed = await muster('licences', 'update', 'drawing', '--owned', '300')
  const listed = await muster('licences', 'list', '-o', 'csv')
  const deleted = await muster('licences', 'delete', 'Drawing')
  const removed = await muster('mail-server', 'delete')

  expect(created.out).toBe('The licence Drawing is created.\n')
  expect(changed.out).toBe('Drawing is changed.\n')
  expect(listed.out).toBe('name,product,owned\r\nDrawing,Draw*,300\r\n')
  expect(deleted.out).toBe('Drawing is deleted.\n')
  expect(removed.out).toBe('localhost is no longer the mail server.\n')
})
