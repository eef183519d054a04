import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { getDistributionOptions } from '../../src/features/distribution/api/get-distribution-options.ts'
import type { SetDistributionOptionsRequest } from '../../src/features/distribution/api/schemas.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import type { Json } from '../world/caller.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const reader = as('group.read')
const writer = as('group.write', 'group.read')

type Target = { group: { id: string }; package?: { id: string } }
type Body = Json<SetDistributionOptionsRequest>

const address = ({ group, package: made }: Target) => ({
  params: { id: group.id },
  ...(made && { query: { packageId: made.id } }),
})
const read = (target: Target) => reader.call(getDistributionOptions, address(target))
const set = (target: Target, body: Body) => writer.call(setDistributionOptions, { ...address(target), body })

const defaults = {
  distCommands: 1,
  commands: ['Install'],
  scheduleString: '',
  schedule: { from: null, until: null, cron: null, timeZone: null, durationMinutes: null, nextStart: null },
  revokeCount: 0,
  wol: false,
  revokeDate: null,
  optionalDate: null,
  userDeadline: null,
  preDownload: false,
}

async function groupWithPackage() {
  const [group, made] = [await given.group(), await given.package()]
  await given.assignment(group, made, 'package')
  return { group, package: made }
}

describe('options of groups and packages', () => {
  test('without any options, packages are installed at once', async () => {
    const target = await groupWithPackage()

    const [ofGroup, ofPackage] = [await read({ group: target.group }), await read(target)]

    expect(ofGroup).toMatchObject({ status: 200, body: { groupId: target.group.id, packageId: null, ...defaults } })
    expect(ofPackage.body).toEqual({ groupId: target.group.id, packageId: target.package.id, ...defaults })
  })

  test('distribution options are read as they were set', async () => {
    const group = await given.group()

    const updated = await set(
      { group },
      {
        commands: ['Install', 'Update', 'Optional'],
        scheduleString: 'CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=180',
        revokeCount: 3,
        wol: true,
        revokeDate: '2026-03-14T10:00:00+01:00',
        optionalDate: '2026-04-01T00:00:00',
      },
    )

    expect(updated).toMatchObject({
      status: 200,
      body: {
        groupId: group.id,
        packageId: null,
        distCommands: 67,
        commands: ['Install', 'Update', 'Optional'],
        scheduleString: 'CRON=0 22 * * SAT;TZ=Europe/Berlin;DURATION=180',
        schedule: { cron: '0 22 * * SAT', timeZone: 'Europe/Berlin', durationMinutes: 180, from: null, until: null },
        revokeCount: 3,
        wol: true,
        revokeDate: '2026-03-14T09:00:00.000Z',
        optionalDate: '2026-04-01T00:00:00.000Z',
      },
    })
    expect(new Date(updated.body.schedule.nextStart ?? 0).getTime()).toBeGreaterThan(Date.now())
    expect((await read({ group })).body).toEqual(updated.body)
  })

  test('setting distribution options resets every property that is left out or null', async () => {
    const group = await given.group()
    const full = {
      commands: ['Reinstall' as const],
      scheduleString: 'FROM=2026-03-01T00:00:00Z',
      revokeCount: 3,
      wol: true,
      revokeDate: '2026-03-14T10:00:00Z',
      optionalDate: '2026-03-14T10:00:00Z',
    }
    const emptied = { scheduleString: null, schedule: null, revokeCount: null, wol: null, revokeDate: null }

    await set({ group }, full)
    const bare = await set({ group }, { distCommands: 1 })
    await set({ group }, full)
    const nulled = await set({ group }, { distCommands: 1, commands: null, ...emptied })

    expect(bare.body).toMatchObject(defaults)
    expect(nulled.body).toMatchObject(defaults)
  })

  test('setting the options of a package changes neither those of its group nor those of other packages', async () => {
    const target = await groupWithPackage()
    const other = await given.package()
    await given.assignment(target.group, other, 'package')

    await set(target, { commands: ['Uninstall'] })

    expect((await read(target)).body.commands).toEqual(['Uninstall'])
    expect((await read({ group: target.group })).body.commands).toEqual(['Install'])
    expect((await read({ group: target.group, package: other })).body.commands).toEqual(['Install'])
  })

  test('removing a package from a group deletes its options there', async () => {
    const target = await groupWithPackage()
    await set(target, { commands: ['Uninstall'] })
    await writer.call(removeGroupPackage, { params: { id: target.group.id, packageId: target.package.id } })

    await given.assignment(target.group, target.package, 'package')

    expect((await read(target)).body.commands).toEqual(['Install'])
  })

  test('the options of a special group can be set', async () => {
    const group = await given.group({ kind: 'EOL', parent: await given.group() })

    expect((await set({ group }, { commands: ['Uninstall'] })).status).toBe(200)
  })

  test('with If-Match options are replaced only if they are unchanged', async () => {
    const target = await groupWithPackage()
    const { etag = '' } = (await read(target)).headers
    const attempt = () =>
      writer.call(setDistributionOptions, {
        ...address(target),
        body: { commands: ['Update'] },
        headers: { 'if-match': etag },
      })

    const [first, second] = [await attempt(), await attempt()]

    expect(first.status).toBe(200)
    expect(second.status).toBe(412)
    expect((await read(target)).headers.etag).toBe(first.headers.etag)
  })
})

describe('commands', () => {
  test.each([
    [1, ['Install']],
    [2, ['Update']],
    [3, ['Install', 'Update']],
    [4, ['Uninstall']],
    [8, ['Reinstall']],
    [115, ['Install', 'Update', 'Force', 'Hidden', 'Optional']],
  ] as const)('the commands %i and %j are the same, in whichever form they are given', async (distCommands, names) => {
    const commands = [...names]
    const group = await given.group()

    const answers = [
      await set({ group }, { distCommands }),
      await set({ group }, { commands: commands.toReversed() }),
      await set({ group }, { distCommands, commands: [...commands, ...commands] }),
    ]

    for (const { body } of answers) expect(body).toMatchObject({ distCommands, commands })
  })

  test('command names are accepted in any case', async () => {
    const group = await given.group()
    const payload = { commands: ['uninstall', 'FORCE'] }

    const updated = await writer.send({ method: 'PUT', url: `/api/group/${group.id}/distribution-options`, payload })

    expect(updated.raw).toMatchObject({ distCommands: 20, commands: ['Uninstall', 'Force'] })
  })
})

describe('schedules', () => {
  test('a schedule can be given as an object', async () => {
    const group = await given.group()
    const schedule = { cron: '0 22 * * 6', durationMinutes: 60, until: '2030-01-01T00:00:00Z' }

    const updated = await set({ group }, { distCommands: 1, schedule })

    expect(updated.body).toMatchObject({
      scheduleString: 'CRON=0 22 * * 6;TZ=UTC;DURATION=60;UNTIL=2030-01-01T00:00:00.000Z',
      schedule: { cron: '0 22 * * 6', timeZone: 'UTC', durationMinutes: 60, until: '2030-01-01T00:00:00.000Z' },
    })
  })

  test('a schedule can be written back as it was read', async () => {
    const group = await given.group()
    await set({ group }, { distCommands: 1, scheduleString: 'duration=60; cron=0 22 * * 6' })
    const { groupId: _group, packageId: _package, ...options } = (await read({ group })).body

    const again = await set({ group }, options)

    expect(again.body).toMatchObject(options)
    expect(again.body.scheduleString).toBe('duration=60; cron=0 22 * * 6')
  })
})

test('the ETag of options does not change when their schedule opens', async () => {
  const group = await given.group()
  const soon = new Date(Date.now() + 1_000)
  const { headers } = await set({ group }, { distCommands: 1, schedule: { from: soon.toISOString() } })

  vi.useFakeTimers({ toFake: ['Date'], now: soon.getTime() + 100 })
  onTestFinished(() => void vi.useRealTimers())

  const read = await reader.call(getDistributionOptions, address({ group }))
  expect(read.body.schedule.nextStart).toBeNull()
  expect(read.headers.etag).toBe(headers.etag)
})

describe('inherited packages', () => {
  test('the options of an inherited package can be read but not set', async () => {
    const parent = await groupWithPackage()
    const group = await given.group({ parent: parent.group })
    const before = await fingerprints(db)

    const refused = await set({ group, package: parent.package }, { commands: ['Uninstall'] })

    expect((await read({ group, package: parent.package })).status).toBe(200)
    expect(refused).toMatchObject({ status: 404, problem: 'PackageNotAssigned' })
    expect(await fingerprints(db)).toEqual(before)
  })
})

describe('unknown groups and packages', () => {
  const attempts = async (target: Target) => {
    const before = await fingerprints(db)
    const answers = [await read(target), await set(target, { commands: ['Update'] })]
    expect(await fingerprints(db)).toEqual(before)
    return answers
  }

  test('options of an unknown group are answered with 404 and no body, even if the package is unknown too', async () => {
    const group = { id: crypto.randomUUID() }

    for (const target of [{ group }, { group, package: { id: crypto.randomUUID() } }])
      for (const answer of await attempts(target)) {
        expect(answer).toMatchObject({ status: 404, raw: undefined })
        expect(answer.headers['content-type']).toBeUndefined()
      }
  })

  test('options of an unknown package are answered with 404', async () => {
    const target = { group: await given.group(), package: { id: crypto.randomUUID() } }

    for (const answer of await attempts(target))
      expect(answer).toMatchObject({ status: 404, problem: 'PackageNotFound', raw: { packageId: target.package.id } })
  })

  test('options of a package that is not assigned are answered with 404', async () => {
    const target = { group: await given.group(), package: await given.package() }

    for (const answer of await attempts(target))
      expect(answer).toMatchObject({ status: 404, problem: 'PackageNotAssigned' })
  })
})

test.each([
  [{}, 'commands'],
  [{ commands: [] }, 'commands'],
  [{ commands: ['Force'] }, 'commands'],
  [{ commands: ['Install', 'Uninstall'] }, 'commands'],
  [{ commands: ['Update', 'Reinstall'] }, 'commands'],
  [{ commands: ['Delete'] }, 'commands.0'],
  [{ distCommands: 0 }, 'distCommands'],
  [{ distCommands: 5 }, 'distCommands'],
  [{ distCommands: 128 }, 'distCommands'],
  [{ distCommands: 1, commands: ['Update'] }, 'commands'],
  [{ distCommands: 1, revokeCount: -1 }, 'revokeCount'],
  [{ distCommands: 1, revokeDate: 'soon' }, 'revokeDate'],
  [{ distCommands: 1, groupId: crypto.randomUUID() }, 'groupId'],
  [{ distCommands: 1, scheduleString: 'nightly' }, 'scheduleString'],
  [{ distCommands: 1, scheduleString: 'FROM='.padEnd(501, ' ') }, 'scheduleString'],
  [{ distCommands: 1, schedule: { cron: '0 22 * * *' } }, 'schedule'],
  [{ distCommands: 1, schedule: { durationMinutes: 4 } }, 'schedule.durationMinutes'],
  [{ distCommands: 1, scheduleString: '', schedule: { from: '2026-01-01T00:00:00Z' } }, 'schedule'],
] as const)('the options %j are refused and change nothing', async (payload, name) => {
  const group = await given.group()
  const before = await fingerprints(db)

  const refused = await writer.send({ method: 'PUT', url: `/api/group/${group.id}/distribution-options`, payload })

  expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest', raw: { errors: [{ in: 'body', name }] } })
  expect(await fingerprints(db)).toEqual(before)
})
