import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { until, waiting } from '../world.ts'
import { isRoot, mia, noah, openComputer, softwareItem } from './users.ts'

const offer = { packageId: '11', name: 'Greeting', version: '1.2.0', untilUtc: null }
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

describe.runIf(isRoot)('a user without administrator rights', () => {
  test('sees what is offered, installed, pending and failed, and nothing of the credential', async () => {
    const computer = await openComputer()
    computer.server.software = {
      software: [
        softwareItem(),
        softwareItem({ packageId: '12', name: 'Editor', state: 'Installed', sinceUtc: inHours(-1) }),
        softwareItem({
          ...{ packageId: '13', name: 'Reader', state: 'Pending', action: 'Update' },
          reasons: [{ reason: 'OutsideWindow', untilUtc: inHours(2), packages: [] }],
        }),
        softwareItem({ packageId: '14', name: 'Viewer', state: 'Failed', sinceUtc: inHours(-2) }),
      ],
      ...{ history: [], requests: [] },
    }
    await computer.run()

    const status = await computer.as(mia, 'status')
    const offers = await computer.as(mia, 'offers')

    expect(status).toMatchObject({ code: 0 })
    for (const line of [/running: +yes/, /offered: +Greeting/, /installed: +Editor/, /failed: +Viewer/])
      expect(status.output).toMatch(line)
    expect(status.output).toMatch(/pending: +Reader 1.2.0 \(Update, OutsideWindow until /)
    expect(status.output).not.toMatch(/secret|credential|127\.0\.0\.1|state folder|settings/)
    expect(offers).toEqual({ code: 0, output: '11\tGreeting 1.2.0\n' })
  })

  test('takes an optional package: the next contact asks for it, and the server learns who has taken it', async () => {
    const computer = await openComputer()
    const { server } = computer
    server.offers = [offer]
    await computer.run()
    await until(() => existsSync(join(computer.state, 'offers.json')), 'the offers')

    const taken = await computer.as(mia, 'take', '11')

    expect(taken).toEqual({ code: 0, output: 'Greeting 1.2.0 is requested.\n' })
    await until(() => server.contacts.some(({ wants }) => wants.includes('11')), 'the wish')
    await until(() => server.choices.length > 0, 'the choice')
    expect(server.choices).toMatchObject([{ kind: 'Taken', packageId: '11', user: `uid ${mia}` }])
  })

  test('takes what the list offers since the last contact', async () => {
    const computer = await openComputer()
    computer.server.software = {
      software: [softwareItem(), softwareItem({ packageId: '12', name: 'Editor', state: 'Installed' })],
      ...{ history: [], requests: [] },
    }
    await computer.run()

    expect(await computer.as(mia, 'take', '11')).toEqual({ code: 0, output: 'Greeting 1.2.0 is requested.\n' })
    expect(await computer.as(mia, 'take', '12')).toEqual({ code: 1, output: 'Package 12 is not offered.\n' })
    await until(() => computer.server.contacts.some(({ wants }) => wants.includes('11')), 'the wish')
  })

  test('cannot take what is not offered', async () => {
    const computer = await openComputer()
    await computer.run()

    expect(await computer.as(mia, 'take', '../../identity')).toEqual({
      code: 1,
      output: 'Package ../../identity is not offered.\n',
    })
    expect(computer.server.choices).toEqual([])
  })

  test('postpones work, which then really waits', async () => {
    const computer = await openComputer()
    const { server } = computer
    await computer.run()

    const postponed = await computer.as(mia, 'postpone', '--until', '2h')
    const workId = server.give({ postponable: { remaining: 2, untilUtc: null } })
    await computer.agent('contact')
    await until(() => server.postponements.length > 0, 'the postponement')

    expect(postponed.output).toMatch(/^Work that may be postponed waits until .*\. Nothing that is known now may/)
    expect(server.postponements).toMatchObject([{ workId }])
    expect(server.choices).toMatchObject([{ kind: 'Postponed', user: `uid ${mia}` }])
    expect(existsSync(join(await computer.homeOf(mia), '.local'))).toBe(false)
  })

  test('cannot postpone for longer than a month', async () => {
    const computer = await openComputer()
    await computer.run()

    const { code, output } = await computer.as(mia, 'postpone', '--until', '31d')

    expect({ code, output }).toEqual({
      code: 1,
      output: 'The time must be in the future, and at most 30 days from now.\n',
    })
    expect(existsSync(join(computer.state, 'postponement.json'))).toBe(false)
  })

  test('asks for a package, and sees the decision about own requests alone', async () => {
    const computer = await openComputer()
    const { server } = computer
    const decided = { requestId: 'r', state: 'Declined', answer: 'Use the Reader.', requestedUtc: inHours(-1) } as const
    server.software = {
      ...{ software: [], history: [] },
      requests: [
        { ...decided, wish: 'A PDF editor', user: `uid ${mia}` },
        { ...decided, wish: 'A secret of another user', user: `uid ${noah}` },
      ],
    }
    await computer.run()

    const asked = await computer.as(mia, 'request', 'A drawing program', '--reason', 'For the poster')
    const status = await computer.as(mia, 'status')

    expect(asked).toEqual({
      code: 0,
      output: "The request waits for an administrator. 'status' shows the decision.\n",
    })
    expect(server.choices).toMatchObject([
      { kind: 'Requested', wish: 'A drawing program', reason: 'For the poster', user: `uid ${mia}` },
    ])
    expect(status.output).toMatch(/request: +A PDF editor: Declined. Use the Reader./)
    expect(status.output).not.toContain('A secret of another user')
  })

  test('learns that a request was not stored because there are too many', async () => {
    const computer = await openComputer()
    computer.server.choiceOutcome = 'TooMany'
    await computer.run()

    expect(await computer.as(mia, 'request', 'More')).toMatchObject({
      code: 1,
      output: expect.stringContaining('The request was not stored'),
    })
  })

  test('sees the progress of an installation while it runs', async () => {
    const computer = await openComputer()
    const { server } = computer
    server.software = { software: [softwareItem({ state: 'Pending' })], history: [], requests: [] }
    const workId = server.give({ commands: { install: waiting('true', 'true') } })
    await computer.run()
    await until(() => computer.left('begun'), 'the command')

    const status = await computer.as(mia, 'status')

    expect(status.output).toMatch(/running: +Greeting 1.2.0 \(Install, 50 %\)/)
    await writeFile(join(computer.root, 'go-on'), '')
    await until(() => server.resultOf(workId), 'the end of the installation')
  })

  test.each([['status'], ['offers'], ['take', '11'], ['postpone', '--until', '1h'], ['request', 'X'], ['open']])(
    '%s says that the agent is not running, and leaves nothing behind',
    async (...args) => {
      const computer = await openComputer()

      const { code, output } = await computer.as(mia, ...args)

      expect({ code, output }).toEqual({
        code: 1,
        output: 'The agent of this computer is not running. Ask your administrator to start it.\n',
      })
    },
  )

  test('of an earlier server, offers can be taken, and choices are not reported again and again', async () => {
    const computer = await openComputer()
    const { server } = computer
    server.software = undefined
    server.offers = [offer]
    await computer.run()
    await until(() => existsSync(join(computer.state, 'offers.json')), 'the offers')

    const offers = await computer.as(mia, 'offers')
    const taken = await computer.as(mia, 'take', '11')
    await until(() => server.contacts.some(({ wants }) => wants.includes('11')), 'the wish')
    await computer.agent('contact')

    expect([offers.code, taken.code]).toEqual([0, 0])
    expect(server.calls.filter(({ path }) => path.endsWith('/user-choices'))).toHaveLength(1)
    expect(await computer.as(mia, 'request', 'X')).toEqual({
      code: 1,
      output: 'The server does not take requests for packages.\n',
    })
  })
})
